/** One person at a company: pay over the years, and what each filing printed for the requested year. */
import { type Chart, figure } from "../../charts/frame.ts";
import { companyName } from "../../domain/company-name.ts";
import { payMixChart } from "../../charts/pay-mix.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import { type HistoryEntry, readHistory } from "../../dataset/detail.ts";
import { isShortPeriod, rowRemarks, shortMark, shortPeriods } from "../../dataset/remarks.ts";
import { yearsOf } from "../../operations/rows.ts";
import { readRowRequest, type RowRequest } from "./company-request.ts";
import type { PageVisit } from "../page-visit.ts";
import { openRows } from "../offers.ts";
import { show } from "../page-response.ts";
import { chartFile, chartTools, readChart } from "../chart-files.ts";
import { dataOf, ROW_AMOUNTS } from "../downloads.ts";
import { filingCitation, sourceLine, titleRow } from "../citation.ts";
import { paywall } from "../paywall.ts";
import { pathOf, rowPath } from "../parts/addresses.ts";
import { currencySign } from "../parts/amounts.ts";
import { headed, linkOut } from "../parts/elements.ts";
import { offices } from "../parts/offices.ts";
import { payTable } from "../parts/pay-table.ts";
import { MARKS } from "../parts/sources.ts";
import { smallTable } from "../parts/tables.ts";
import { markNotes, notDrawn, yearIn, yearRange } from "../parts/years.ts";

/** `/t/{ticker}/{year}/{executive}`, and the same by CIK. */
export async function showPerson(visit: PageVisit): Promise<Response> {
  const requested = await readRowRequest(visit);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, origin, found, isOpen, row } = requested;
  const { fiscal_year: fiscalYear, executive_id: executiveId, executive_name: person } = row;
  const { cik } = found.company;
  const name = companyName(found.company.name);
  const seen = await rowsSeen(requested);
  const canonical = origin + rowPath({ ...row, ticker: found.ticker });
  const what = `${person}, Summary Compensation Table, fiscal year ${fiscalYear}`;
  const cited = filingCitation(row, what, dataset.info.edition, canonical);
  const printed = readHistory(dataset, cik, fiscalYear, executiveId);
  const main = html`${titleRow(html`<h1>${person}</h1>`, html``, cited)}
    <p class="meta">
      <a href="${pathOf(found)}">${name}</a>${row.executive_role !== null && ` · ${row.executive_role}`}
    </p>
    ${payOf(requested, seen.rows)}
    ${!isOpen && seen.all > 1 && paywall(requested, "other fiscal years", pathOf(found))}
    <h2>Fiscal ${fiscalYear}, filing by filing</h2>
    ${printed.length > 1 && changed(printed) && html`<p class="warning">The filings differ: some amounts were restated.</p>`}
    ${printedTable(printed)}`;
  const title = `${person}, ${name}, fiscal ${fiscalYear}`;
  const description = `What ${name} paid ${person}, with what each filing printed.`;
  return show(viewer, { title, description, canonical, main });
}

/** `/t/{ticker}/{year}/{executive}/chart`, and the same by CIK: the person's years as a picture or its data. */
export async function personChart(visit: PageVisit): Promise<Response> {
  readChart(visit.url, ["years"]);
  const requested = await readRowRequest(visit);
  if (requested instanceof Response) return requested;
  const { found, row, dataset } = requested;
  const { rows } = await rowsSeen(requested);
  const drawn = rows.filter((one) => one.reporting_currency === row.reporting_currency);
  const years = yearRange(drawn.map((one) => one.fiscal_year));
  const remarks = shortPeriods(dataset, [found.company.cik]);
  return chartFile(requested, {
    chart: yearsOfPerson(requested, rows),
    title: `Pay of ${row.executive_name} at ${companyName(found.company.name)}, fiscal ${years}`,
    source: sourceLine(requested, [...new Set(drawn.map(({ source }) => source.form))].join(", ")),
    data: dataOf(drawn, {
      fiscal_year: (one) => one.fiscal_year,
      executive_name: (one) => one.executive_name,
      ...ROW_AMOUNTS,
      reporting_currency: (one) => one.reporting_currency,
      source_accession: (one) => one.source.accession,
      short_period: (one) => isShortPeriod(remarks(one)),
    }),
    page: rowPath({ ...row, ticker: found.ticker }),
  });
}

/** The rows of the person that the viewer may see, newest first, and how many there are. */
async function rowsSeen(requested: RowRequest): Promise<{ rows: Row[]; all: number }> {
  const { dataset, found, isOpen, row, sight } = requested;
  const { cik } = found.company;
  const all = yearsOf(found, dataset.years(cik)).flatMap(({ rows }) =>
    rows.filter(({ executive_id: id }) => id === row.executive_id),
  );
  const isSeen = await openRows(requested, sight, [cik]);
  const rows = isOpen ? all : all.filter((one) => one.fiscal_year === row.fiscal_year || isSeen(one));
  return { rows, all: all.length };
}

/** A bar for each year that is paid in the currency of the requested one. */
function yearsOfPerson({ dataset, found, row }: RowRequest, rows: readonly Row[]): Chart {
  const { cik, name } = found.company;
  const { executive_name: person, reporting_currency: currency } = row;
  const remarks = shortPeriods(dataset, [cik]);
  return payMixChart({
    id: "mix",
    title: `Pay of ${person} at ${companyName(name)} by component`,
    bars: rows
      .filter((one) => one.reporting_currency === currency)
      .toReversed()
      .map((one) => ({ label: `${one.fiscal_year}${shortMark(remarks, [one])}`, row: one })),
    currency: currencySign(currency),
  });
}

/** The chart and the table of a person's rows, newest first. */
function payOf(requested: RowRequest, rows: readonly Row[]): Html {
  const { dataset, found, row, origin } = requested;
  const { cik } = found.company;
  const name = companyName(found.company.name);
  const { executive_name: person, reporting_currency: currency } = row;
  const remarks = rowRemarks(dataset, [cik]);
  const drawn = rows.filter((one) => one.reporting_currency === currency);
  const mix = yearsOfPerson(requested, rows);
  const tools = chartTools(origin, rowPath({ ...row, ticker: found.ticker }), "", "years", false);
  const isDrawn = drawn.length > 1 && drawn.some(({ total_compensation: total }) => total !== 0);
  return html`${isDrawn && html`${headed("Pay over the years", tools)} ${figure(mix)} ${notDrawn(rows, currency)} ${markNotes(mix)}`}
  ${payTable(rows, {
    cells: rowCells(dataset, [cik]),
    remarks,
    remainder: "column",
    caption: `${person} at ${name} by fiscal year, ${currency ?? ""}`,
    head: "Fiscal year",
    columns: new Set(["mix", "change", "components", "filing"]),
    unit: "",
    before: rows.length < 2 ? null : (one) => rows.find((other) => other.fiscal_year === one.fiscal_year - 1),
    lead: (one, _, mark) =>
      html`${yearIn(one, currency)}${offices(one)}
        <span class="role" title="${one.executive_role}">${one.executive_role}</span> ${mark}`,
  })}
  ${MARKS}`;
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
  const heads = printed.map(
    ({ filing: { url, accession, form, filingDate }, served }) =>
      html`${url === null ? accession : linkOut(url, `${form ?? ""} ${filingDate ?? ""}`)}
      ${served && html`<span class="tag">shown above</span>`}`,
  );
  const lines = AMOUNTS.map((name) => [
    AMOUNT_FIELD[name].label,
    ...printed.map((entry, index) => cell(entry, printed[index - 1], name)),
  ]);
  return smallTable(["Amount"], heads, lines, "What each filing printed");
}
