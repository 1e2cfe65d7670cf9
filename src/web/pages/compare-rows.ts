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
import type { Compared, ComparedPay } from "./compare-pay.ts";

/** What the tables need of a comparison. */
interface ComparedRows
  extends Pick<PageVisit, "dataset">, Pick<PayTable, "cells" | "remarks" | "unit" | "onlyTotal"> {
  who: Compared;
  year: number | null;
  currency: string;
  before: Before;
  own: PageCompany | null;
  includesOwn: boolean;
  /** In the order of the rows. */
  shown: readonly ComparedPay[];
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
      html`<a href="${companyPath(row)}">${shortName(row.company_name)}</a
        >${mark}${nameOf(row, view, "role")}${view.who === "all" && offices(row)}`,
  });
}

/** Who is paid: a link to their page, where there is one. */
function nameOf(row: Row, { onlyTotal }: ComparedRows, kind = ""): Html {
  const { executive_name: name } = row;
  if (onlyTotal?.(row) === undefined)
    return html`<a ${kind !== "" && html`class="${kind}"`} href="${rowPath(row)}">${name}</a>`;
  return kind === "" ? html`${name}` : html`<span class="${kind}">${name}</span>`;
}

/** Many companies, a row each, highest total first, with the quartiles of an office. */
export function companyRows(rows: readonly Row[], view: ComparedRows): Html {
  const { who, year, dataset, own, currency } = view;
  const isOfOffice = who !== "all";
  const areMixed = new Set(rows.map((row) => row.fiscal_year)).size > 1;
  const others = new Map(view.shown.map(({ row, other }) => [row, other]));
  const companies = [...new Set(rows.map(({ cik }) => cik))];
  const isFirst = (row: Row) => rows.find(({ cik }) => cik === row.cik) === row;
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
      html`<span class="rank"
          >${!isOfOffice ? index + 1 : isFirst(row) && companies.indexOf(row.cik) + 1}</span
        ><a href="${companyPath(row)}">${shortName(row.company_name)}</a
        >${isOfOffice && html`<small class="screen-only">${row.executive_name}${mark}</small>`}`,
    beside: {
      key: "",
      head: who === "all" ? "Executive" : who.toUpperCase(),
      cell: (row, mark) => html`${nameOf(row, view)}${mark}${!isOfOffice && offices(row)}`,
    },
  });
}

/** The quartiles of the peers, and where the own company is among them. */
function quartilesOf(rows: readonly Row[], { own, includesOwn, shown }: ComparedRows): Quartiles {
  const isOwn = (row: Row) => row.cik === own?.company.cik;
  const [ownRow] = rows.filter(isOwn);
  const isCounted = (row: Row) => includesOwn || !isOwn(row);
  const only = new Set(shown.flatMap((one) => (one.only === null ? [] : [one.row])));
  const totals = new Set(shown.flatMap((one) => (one.isTotal ? [one.row] : [])));
  const peers = rows.filter((row) => isCounted(row) && totals.has(row)).length;
  const all = new Set(rows.map(({ cik }) => cik)).size;
  return {
    of: ownRow === undefined || includesOwn ? `of the ${peers}` : `of the ${counted(peers, "peer")}`,
    isCounted,
    standsIn: (row, key) => (key === "total_compensation" ? totals.has(row) : !only.has(row)),
    own:
      ownRow === undefined
        ? null
        : {
            rows: rows.filter(isOwn),
            rankOf: `Rank of ${shortName(companyName(ownRow.company_name))} among ${all}`,
          },
  };
}
