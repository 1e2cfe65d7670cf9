/** What chief executives were paid across the market: a total each, from a row where there is one, else as the filer tagged it. */
import { counted, numeral } from "../../lib/text.ts";
import { formatAmount } from "../../domain/amount.ts";
import { type Html, html } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import {
  answerCeoPay,
  answerCeoPayStatistics,
  type CeoPayAnswer,
  type CeoPayJson,
  type CeoPayStatistics,
  flatRecord,
} from "../../operations/ceo-pay.ts";
import { type CountedQuestion, gapText } from "../../operations/analysis.ts";
import { givenOnce } from "../../domain/parameters.ts";
import { rowsOfOfficers } from "../../operations/rows.ts";
import { officerOf } from "../../operations/total-only.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { shortMark, shortPeriods } from "../../dataset/remarks.ts";
import { valueName } from "../../domain/selection.ts";
import type { WebDeps } from "../deps.ts";
import { type DownloadColumn, fileOfItems, withQuery } from "../downloads.ts";
import { chip } from "../fields.ts";
import type { Sight } from "../../analysis/sight.ts";
import { selectionOffered } from "../offers.ts";
import { MAX_FIRST, selectionPage } from "./selection-page.ts";
import { companyPath, rowPath } from "../parts/addresses.ts";
import { money } from "../parts/amounts.ts";
import { nextPage } from "../parts/elements.ts";
import { mixBar, outlineBar } from "../parts/mix.ts";
import { shortName } from "../parts/names.ts";
import { sourceMark, COLLECTED_MARK } from "../parts/sources.ts";
import { smallTable, tableBox } from "../parts/tables.ts";
import { tagMark } from "./ceo-totals.ts";
import { TAGGED_MARK } from "./tagged-years.ts";
import { type Filters, leavingOut, ofTotals, SHOWN } from "../filters.ts";
import { type Selected, selectionWords } from "./selected.ts";

const SORTS: Readonly<Record<string, string>> = {
  total_compensation: "peo_total",
  "-total_compensation": "-peo_total",
  company_name: "company_name",
  "-company_name": "-company_name",
};
/** The columns of a download. */
const COLUMNS: readonly DownloadColumn<ReturnType<typeof flatRecord>>[] = (
  [
    ["ticker", "text", "symbol"],
    ["cik", "text", "SEC's number of the company"],
    ["company_name", "text", "name of the company"],
    ["fiscal_year", "whole", "fiscal year"],
    ["label_inferred", "flag", "whether it is the year in which the period ended"],
    ["peo_name", "text", "principal executive officer"],
    ["peo_total", "amount", "total of the Summary Compensation Table"],
    ["reporting_currency", "text", "currency"],
    ["basis", "text", "row: with every component; tag: as the filer tagged it"],
    ["restated_total", "amount", "what a newer proxy prints instead"],
    ["restated_date", "text", "filing date of that proxy"],
    ["short_period", "flag", "whether it is of less than a year"],
    ["accession", "text", "accession number of the filing"],
    ["provider", "text", "who collected the tag"],
  ] as const
).map(([name, kind, about]) => [name, kind, kind === "text" ? 20 : 12, about, (of) => of[name] ?? null]);

/** `/ceo-pay` and its download. */
export function ceoPayPages(deps: WebDeps) {
  return selectionPage(deps, {
    path: ROUTES.ceoPayPage.path,
    section: ROUTES.rankings.path,
    title: totalsTitle,
    about: "each total with how it is known, from proxy statements and the filers' own tags.",
    what: "these totals",
    outline: ["Company and CEO", "Mix of pay", "Total", "Fiscal year", "Source"],
    filters: ({ given }) => ({
      fields: chip("sort", "Sort by", given.get("sort"), [
        ["", "Highest total"],
        ["total_compensation", "Lowest total"],
        ["company_name", "Company"],
      ]),
    }),
    asks({ dataset, filters }) {
      const asked = askedFor(filters);
      // Refuses an order or a cursor that totals do not have.
      answerCeoPay(deps, dataset, givenOnce(asked));
      const opens = selectionOffered(dataset, "totals", asked);
      return { needs: [opens.opening], opens, more: null };
    },
    async covers({ dataset, filters }) {
      const byName = {
        ...leavingOut(askedFor(filters), (name) => SHOWN.has(name)),
        sort: "company_name",
      };
      const { answer } = await readTotals(deps, dataset, byName, { maxRows: MAX_FIRST, sight: null });
      const { matched, fiscal_years: fiscalYears, ceo_pay: first } = answer;
      return { companies: matched.companies, fiscalYears, first };
    },
    read: (selected, { maxRows }) => readPage(deps, selected, maxRows),
    rows: ({ answer }) => answer.matched.records,
    detail: ({ answer }) => totalsText(answer),
    meta({ answer, statistics, given }) {
      const [figures] = statistics.statistics;
      const currency = String(figures?.group.reporting_currency ?? "USD");
      const rows = withQuery(ROUTES.rankings.path, given, { office: "peo", cursor: "" });
      return html`${totalsText(answer)}
        ${figures !== undefined && `Median ${money(Math.round(figures.median), currency)}.`}
        <a class="screen-only" href="${rows}">Those with every component</a>`;
    },
    body: ({ answer, offset, bySector, provenance, given }) =>
      html`${answer.ceo_pay.length === 0 ? html`<p>No totals match. Broaden the filters.</p>` : totalsTable(answer.ceo_pay, provenance, offset)}
      ${TOTAL_MARKS} ${answer.gaps.length > 0 && html`<p class="foot">${missingText(answer)}</p>`}
      ${bySector.length > 1 && sectorTable(bySector)}
      ${answer.next_cursor !== null && nextPage(withQuery(ROUTES.ceoPayPage.path, given, { cursor: answer.next_cursor }))}`,
    async file(view, format) {
      const { rowOf, remarks } = view.provenance;
      const records = view.answer.ceo_pay.map((record) => ({
        ...flatRecord(record),
        short_period: record.basis === "row" && shortMark(remarks, [rowOf(record)]) !== "",
        accession: record.source?.accession ?? null,
      }));
      return [await fileOfItems(view, records, COLUMNS, format, "CEO pay"), "ceo-pay"];
    },
  });
}

/** The title of totals: `CEO pay across the market, latest year`. */
function totalsTitle({ filters, companies }: Selected): string {
  const words = selectionWords(filters, companies);
  return words.startsWith(",") ? `CEO pay across the market${words}` : `CEO pay${words}`;
}

/** The rows behind totals that have one. */
type Provenance = Awaited<ReturnType<typeof readTotals>>["provenance"];

/** What of totals a page shows. */
interface TotalsView {
  sight: Sight | null;
  /** The CIK of a company that is left out. */
  without?: string | null;
}

/** Totals with their statistics and rows. @param filters as the operation accepts it */
export async function readTotals(
  deps: Pick<WebDeps, "analyst">,
  dataset: Dataset,
  filters: Filters,
  { maxRows, ...view }: TotalsView & { maxRows: number },
) {
  const asked = givenOnce({ ...filters, max_rows: String(maxRows) });
  const question = answerCeoPay(deps, dataset, asked, { ...view, onePerCompanyYear: true });
  const [answer, statistics] = await Promise.all([
    bodyOf<CeoPayAnswer>(question),
    readStatistics(deps, dataset, filters, view),
  ]);
  const ciks = answer.ceo_pay.filter(({ basis }) => basis === "row").map(({ cik }) => cik);
  return {
    answer,
    offset: question.offset,
    statistics,
    provenance: {
      rowOf: rowsOfOfficers(dataset),
      cells: rowCells(dataset, ciks),
      remarks: shortPeriods(dataset, ciks),
    },
  };
}

/** Those of a page, and their medians by sector. */
async function readPage(
  deps: WebDeps,
  { dataset, filters, sight, without }: Selected & TotalsView,
  maxRows: number,
) {
  const [asked, view] = [askedFor(filters), { sight, without }];
  const [totals, { statistics: bySector }] = await Promise.all([
    readTotals(deps, dataset, asked, { ...view, maxRows }),
    readStatistics(deps, dataset, asked, view, { group_by: "sector" }),
  ]);
  return { ...totals, bySector };
}

/** Statistics of the totals that filters select, by group if `more` says so. */
function readStatistics(
  deps: Pick<WebDeps, "analyst">,
  dataset: Dataset,
  filters: Filters,
  view: TotalsView,
  more: Filters = {},
): Promise<CeoPayStatistics> {
  const asked = givenOnce({ ...leavingOut(filters, (name) => SHOWN.has(name)), ...more });
  return bodyOf(answerCeoPayStatistics(deps, dataset, asked, { ...view, onePerCompanyYear: true }));
}

/** @typeParam Body what the operation writes */
async function bodyOf<Body>(question: CountedQuestion): Promise<Body> {
  const { body } = await question.answer();
  return JSON.parse(new TextDecoder().decode(body)) as Body;
}

/** The filters of the page in the operation's words. */
function askedFor(filters: Filters): Filters {
  const sort = filters["sort"];
  return { ...ofTotals(filters), ...(sort === undefined ? {} : { sort: SORTS[sort] ?? sort }) };
}

/** How many totals of how many companies, and how they are known. */
function totalsText({
  matched,
  fiscal_years: years,
  index_members: members,
  index_members_without_total: without,
}: CeoPayAnswer): string {
  const { row, tag } = matched.by_basis;
  return [
    `${counted(matched.records, "total")} of ${counted(matched.companies, "company")}: ${row.toLocaleString("en-US")} with every component, ${tag.toLocaleString("en-US")} as tagged by the filer.`,
    yearsMixed(years),
    matched.doubtful > 0 ? `${matched.doubtful} in doubt are left out.` : "",
    members === undefined ? "" : `${without ?? 0} of ${members} index members have no total.`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** Which fiscal years totals are of, where they are of several: `Fiscal 2025: 412, 2026: 60, earlier: 19.` */
export function yearsMixed(years: Readonly<Record<string, number>>): string {
  const byYear = Object.entries(years).toSorted(([a], [b]) => Number(b) - Number(a));
  if (byYear.length < 2) return "";
  const shown = byYear.slice(0, MAX_YEARS).map(([year, count]) => `${year}: ${numeral(count)}`);
  const earlier = byYear.slice(MAX_YEARS).reduce((sum, [, count]) => sum + count, 0);
  return `Fiscal ${[...shown, ...(earlier > 0 ? [`earlier: ${numeral(earlier)}`] : [])].join(", ")}.`;
}

const MAX_YEARS = 3;

/** Each company that was asked for and has no total, with the reason. */
function missingText({ gaps }: CeoPayAnswer): string {
  const named = gaps.slice(0, MAX_MISSING).map((gap) => gapText(gap, true));
  const more = gaps.length > MAX_MISSING ? ` and ${gaps.length - MAX_MISSING} more` : "";
  return `Missing: ${named.join("; ")}${more}.`;
}

const MAX_MISSING = 60;

/** Medians by sector, of the same totals. */
function sectorTable(groups: CeoPayStatistics["statistics"]): Html {
  const lines = groups.map(({ group: { sector }, records, median }) => [
    sector === null ? "Not known" : valueName(String(sector)),
    records.toLocaleString("en-US"),
    formatAmount(Math.round(median)),
  ]);
  return html`<h2>By sector</h2>
    ${smallTable(["Sector"], ["Totals", "Median"], lines)}`;
}

/** What the marks of totals mean. */
export const TOTAL_MARKS = html`<p class="foot">
  <i class="dot"></i> checked against its cell &#160; <i class="dot typed"></i> typed from the filing &#160;
  ${COLLECTED_MARK} ${TAGGED_MARK} A bar with a gap, or dashed, is cut short. A year in grey is the one in
  which the period ended. ‡ Less than a whole year.
</p>`;

/** Totals, a line each. @param offset how many come before the first */
export function totalsTable(records: readonly CeoPayJson[], provenance: Provenance, offset = 0): Html {
  const totals = records.map(({ peo_total: total }) => total ?? 0).toSorted((a, b) => b - a);
  // One total far above all others would make every other bar a dot: its bar is cut.
  const [first = 1, second = first] = totals;
  const highest = Math.max(1, Math.min(first, second * 1.1));
  const heads = html`<tr>
    <th scope="col">Company and CEO</th>
    <th scope="col">Mix of pay</th>
    <th scope="col" class="number">Total</th>
    <th scope="col" class="number">Fiscal year</th>
    <th scope="col" class="number">Source</th>
  </tr>`;
  const caption = `Total in ${records[0]?.reporting_currency ?? "USD"}, ${records.length} of the totals`;
  const lines = records.map((record, index) => totalLine(record, offset + index + 1, highest, provenance));
  return tableBox({ kind: "pay cards brief short", caption }, heads, lines);
}

function totalLine(
  record: CeoPayJson,
  rank: number,
  highest: number,
  { rowOf, cells, remarks }: Provenance,
): Html {
  const row = record.basis === "row" ? rowOf(record) : undefined;
  const total = record.peo_total ?? 0;
  const [who, bar, amount, mark] =
    row === undefined
      ? [
          html`<span class="role">${officerOf(record)}</span>`,
          outlineBar(total, highest),
          formatAmount(total),
          tagMark(record),
        ]
      : [
          html`<a class="role" href="${rowPath(row)}">${row.executive_name}</a>`,
          mixBar(row, highest),
          html`<a class="amount" href="${rowPath(row)}/total_compensation">${formatAmount(total)}</a>`,
          sourceMark(row, cells.evidence(row)),
        ];
  return html`<tr>
    <th scope="row">
      <span class="rank">${rank}</span
      ><a href="${companyPath(record)}">${shortName(record.company_name)}</a> ${who}
    </th>
    <td class="mixed">${bar}</td>
    <td class="number total">${amount}</td>
    <td class="number share" data-label="">
      <span class="${record.label_inferred && "nil"}">${record.fiscal_year}</span>${shortMark(remarks, [row])}
    </td>
    <td class="number mark" data-label="Source">${mark}</td>
  </tr>`;
}
