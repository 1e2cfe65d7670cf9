/** One person at a company: pay over the years, and what each filing printed for the requested year. */
import { Elysia } from "elysia";
import { figure } from "../../charts/frame.ts";
import { payMixChart } from "../../charts/pay-mix.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation,
} from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import { type HistoryEntry, readHistory } from "../../dataset/detail.ts";
import { rowRemarks } from "../../dataset/remarks.ts";
import type { PageCompany } from "../../operations/companies.ts";
import { yearsOf } from "../../operations/rows.ts";
import { type By, readRowRequest } from "../company-request.ts";
import type { WebDeps } from "../deps.ts";
import { show } from "../show.ts";
import { companyPicture, filingCitation, titleRow } from "../take-away.ts";
import { offer } from "../viewer.ts";
import {
  currencySign,
  linkOut,
  MARKS,
  notDrawn,
  offices,
  pathOf,
  payTable,
  type RowNotes,
  rowPath,
  smallTable,
  yearIn,
} from "./parts.ts";

/** `/t/{ticker}/{year}/{executive}`, and the same by CIK. */
export function personPages(deps: WebDeps) {
  const mount = (by: By) => deps.conditional((request) => showPerson(deps, request, by));
  return new Elysia({ name: "person-pages" })
    .get(ROUTES.person.path, mount("ticker"))
    .get(ROUTES.personByCik.path, mount("cik"));
}

async function showPerson(deps: WebDeps, request: Request, by: By): Promise<Response> {
  const requested = await readRowRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, found, gate, isOpen, row } = requested;
  const { fiscal_year: fiscalYear, executive_id: executiveId } = row;
  const { cik, name } = found.company;
  const all = yearsOf(found, dataset.years(cik)).flatMap(({ rows }) =>
    rows.filter(({ executive_id: id }) => id === executiveId),
  );
  const canonical = deps.contextOf(request).baseUrls.origin + rowPath({ ...row, ticker: found.ticker });
  const main = personMain({
    found,
    row,
    rows: isOpen ? all : [row],
    cells: rowCells(dataset, [cik]),
    remarks: rowRemarks(dataset, [cik]),
    printed: readHistory(dataset, cik, fiscalYear, executiveId),
    offer: isOpen || all.length < 2 ? null : offer(viewer, gate, "other fiscal years", pathOf(found)),
    cite: filingCitation(
      row,
      `${row.executive_name}, Summary Compensation Table, fiscal year ${fiscalYear}`,
      dataset.info.edition,
      canonical,
    ),
  });
  const title = `${row.executive_name}, ${name}, fiscal ${fiscalYear}`;
  const description = `What ${name} paid ${row.executive_name}, with what each filing printed.`;
  const picture = companyPicture(deps, request, found);
  return show(viewer, { title, description, canonical, picture, main });
}

/** Data of the person page. */
interface PersonView extends RowNotes {
  found: PageCompany;
  /** The row that was asked for. */
  row: ExecutiveCompensation;
  /** Every row of the person at the company, newest first; only the requested one where the viewer may not see the others. */
  rows: readonly ExecutiveCompensation[];
  /** What each loaded filing printed for the requested year, by filing date. */
  printed: readonly HistoryEntry[];
  /** Shown in place of the other years. */
  offer: Html | null;
  cite: string;
}

function personMain({ found, row, rows, printed, offer: offered, cite, ...notes }: PersonView): Html {
  const { company } = found;
  const currency = row.reporting_currency;
  const drawn = rows.filter((one) => one.reporting_currency === currency);
  const mix = payMixChart({
    id: "mix",
    title: `Pay of ${row.executive_name} at ${company.name} by component`,
    bars: drawn.toReversed().map((one) => ({ label: String(one.fiscal_year), row: one })),
    currency: currencySign(currency),
  });
  const isDrawn = drawn.length > 1 && drawn.some(({ total_compensation: total }) => total !== 0);
  return html`${titleRow(html`<h1>${row.executive_name}</h1>`, html``, cite)}
    <p class="meta"><a href="${pathOf(found)}">${company.name}</a> · ${row.executive_role}</p>
    ${isDrawn && html`${figure(mix)} ${notDrawn(rows, currency)}`}
    ${payTable(rows, {
      ...notes,
      remainder: "column",
      caption: `${row.executive_name} at ${company.name} by fiscal year, ${currency ?? ""}`,
      head: "Fiscal year",
      columns: new Set(["mix", "change", "components", "filing"]),
      unit: "",
      before:
        rows.length < 2 ? null : (one) => rows.find((other) => other.fiscal_year === one.fiscal_year - 1),
      lead: (one) =>
        html`${yearIn(one, currency)}${offices(one)}
          <span class="role" title="${one.executive_role}">${one.executive_role}</span>`,
    })}
    ${MARKS} ${offered}
    <h2>Fiscal ${row.fiscal_year} in every loaded filing</h2>
    ${printed.length > 1 && changed(printed) && html`<p class="warning">The filings differ: some amounts were restated.</p>`}
    ${printedTable(printed)}`;
}

/** Whether two filings printed different amounts. */
function changed(printed: readonly HistoryEntry[]): boolean {
  return AMOUNTS.some((name) => new Set(printed.map(({ amounts }) => amounts[name])).size > 1);
}

/** One column per filing, one line per amount; differences from the previous filing are marked. */
function printedTable(printed: readonly HistoryEntry[]): Html {
  const cell = ({ amounts }: HistoryEntry, before: HistoryEntry | undefined, name: AmountField) => {
    const text = formatAmountCell(amounts[name]);
    if (before === undefined || before.amounts[name] === amounts[name]) return text;
    return html`<mark title="differs from the previous filing">${text}</mark>`;
  };
  return smallTable(
    ["Amount"],
    printed.map(
      ({ filing: { url, accession, form, filingDate }, served }) =>
        html`${url === null ? accession : linkOut(url, `${form ?? ""} ${filingDate ?? ""}`)}
        ${served && html`<span class="tag">served</span>`}`,
    ),
    AMOUNTS.map((name) => [
      AMOUNT_FIELD[name].label,
      ...printed.map((entry, index) => cell(entry, printed[index - 1], name)),
    ]),
    "What each filing printed",
  );
}
