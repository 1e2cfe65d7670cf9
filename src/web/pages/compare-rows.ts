/** Companies as rows: those behind the bars, or many with the other office, the quartiles of the peers and the own company's rank. */
import { companyName } from "../../domain/company-name.ts";
import { counted } from "../../lib/text.ts";
import type { AmountField, ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { isPartialYear } from "../../operations/rows.ts";
import type { PageCompany } from "../../operations/companies.ts";
import { companyPath, rowPath } from "../parts/addresses.ts";
import type { Before } from "../parts/change.ts";
import { shortName } from "../parts/names.ts";
import { offices } from "../parts/offices.ts";
import { amountCell, type PayTable, payTable, type Quartiles } from "../parts/pay-table.ts";
import type { PageVisit } from "../page-visit.ts";

/** What the tables need of a comparison. */
interface ComparedRows extends Pick<PageVisit, "dataset">, Pick<PayTable, "cells" | "remarks" | "unit"> {
  who: "ceo" | "cfo" | "all";
  year: number | null;
  currency: string;
  before: Before;
  own: PageCompany | null;
  includesOwn: boolean;
  /** Of each company the row of CFO or CEO, whichever is not compared. */
  shown: readonly { row: Row; other: Row | undefined }[];
}

/** The rows behind the bars, with partial years marked. */
export function rowsBehind(rows: readonly Row[], view: ComparedRows): Html {
  return payTable(rows, {
    ...view,
    remainder: "note",
    caption: "The rows behind the bars",
    head: "Company",
    columns: new Set(["mix", "change", "equity_share", "components", "filing"]),
    isPartial: (row) => isPartialYear(view.dataset, row),
    isOwn: (row) => row.cik === view.own?.company.cik,
    lead: (row, _, mark) =>
      html`<a href="${companyPath(row)}">${shortName(row.company_name)}</a>${mark}<a
          class="role"
          href="${rowPath(row)}"
          >${row.executive_name}</a
        >${view.who === "all" && offices(row)}`,
  });
}

/** Many companies, a row each, highest total first, with the quartiles of an office. */
export function companyRows(rows: readonly Row[], view: ComparedRows): Html {
  const { who, year, dataset, own, currency } = view;
  const isOfOffice = who !== "all";
  const areMixed = new Set(rows.map((row) => row.fiscal_year)).size > 1;
  const others = new Map(view.shown.map(({ row, other }) => [row, other]));
  const total: AmountField = "total_compensation";
  const other = {
    key: "",
    head: `${who === "ceo" ? "CFO" : "CEO"} total`,
    kind: "number detail",
    cell: () => "",
    amountOf: (row: Row) => others.get(row)?.total_compensation ?? null,
    whole(row: Row, kind: string) {
      const beside = others.get(row);
      return beside === undefined
        ? html`<td class="${kind} nil" data-label="${other.head}">–</td>`
        : amountCell(beside, total, view, { kind, label: other.head });
    },
  };
  return payTable(rows, {
    ...view,
    remainder: "note",
    caption: `Amounts in ${currency}, ${year === null && areMixed ? "latest year" : `fiscal ${rows[0]?.fiscal_year ?? ""}`}`,
    head: "Company",
    columns: new Set(["mix", "change", "equity_share", "components", "filing"]),
    isPartial: areMixed ? (row) => isPartialYear(dataset, row) : undefined,
    isBrief: true,
    isDated: true,
    isOwn: (row) => row.cik === own?.company.cik,
    kind: isOfOffice ? "compared" : "",
    quartiles: isOfOffice ? quartilesOf(rows, view) : undefined,
    further: isOfOffice ? [other] : [],
    lead: (row, index, mark) =>
      html`<span class="rank">${index + 1}</span
        ><a href="${companyPath(row)}">${shortName(row.company_name)}</a
        >${isOfOffice && html`<small class="screen-only"><a href="${rowPath(row)}">${row.executive_name}</a>${mark}</small>`}`,
    beside: {
      key: "",
      head: who === "all" ? "Executive" : who.toUpperCase(),
      cell: (row, mark) =>
        html`<a href="${rowPath(row)}">${row.executive_name}</a>${mark}${!isOfOffice && offices(row)}`,
    },
  });
}

/** The quartiles of the peers, and where the own company is among them. */
function quartilesOf(rows: readonly Row[], { own, includesOwn }: ComparedRows): Quartiles {
  const ownRow = rows.find((row) => row.cik === own?.company.cik);
  const isCounted = (row: Row) => includesOwn || row !== ownRow;
  const peers = rows.filter(isCounted).length;
  return {
    of: ownRow === undefined || includesOwn ? `of the ${peers}` : `of the ${counted(peers, "peer")}`,
    isCounted,
    own:
      ownRow === undefined
        ? null
        : { row: ownRow, rankOf: `${shortName(companyName(ownRow.company_name))}’s rank of ${rows.length}` },
  };
}
