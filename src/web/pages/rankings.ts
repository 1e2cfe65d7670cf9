/** Rankings: rows across companies with their filters in the address, the distribution, downloads. */
import { counted } from "../../lib/text.ts";
import { figure } from "../../charts/frame.ts";
import { stripChart } from "../../charts/plots.ts";
import { rankedBars } from "../../charts/ranked-bars.ts";
import { AMOUNT_FIELD, AMOUNTS, type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { SORT_KEYS } from "../../domain/selection.ts";
import { type Html, html } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import { isPartialYear, rankingDownload, rowBefore } from "../../operations/rows.ts";
import type { CeoPayJson } from "../../operations/ceo-pay.ts";
import type { GroupStatistics } from "../../analysis/statistics.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { isShortPeriod, shortPeriods } from "../../dataset/remarks.ts";
import {
  checkRanking,
  distributionOf,
  MAX_VALUES,
  type Ranking,
  rankingOf,
} from "../../operations/rankings.ts";
import type { WebDeps } from "../deps.ts";
import type { Sight } from "../../analysis/sight.ts";
import { openRows, rowsKind, selectionOffered } from "../offers.ts";
import { ceoFigures } from "./benchmark.ts";
import { readCeoTotals, tagMark } from "./ceo-totals.ts";
import type { ChartExport } from "../chart-files.ts";
import { dataOf, withQuery } from "../downloads.ts";
import { sourceLine } from "../citation.ts";
import { columnsFold, unitPicks } from "./filter-form.ts";
import { type Covers, MAX_FIRST, missingFrom, selectionPage, type SelectionView } from "./selection-page.ts";
import { companyPath, rowPath } from "../parts/addresses.ts";
import { currencySign, money, readUnit, UNITS } from "../parts/amounts.ts";
import { nextPage } from "../parts/elements.ts";
import { mixKeys } from "../parts/mix.ts";
import { shortName } from "../parts/names.ts";
import { offices } from "../parts/offices.ts";
import { type ColumnName, payTable, readColumns } from "../parts/pay-table.ts";
import { MARK_KEYS, paperSources } from "../parts/sources.ts";
import { type Filters, leavingOut, SHOWN } from "../filters.ts";
import { type Selected, selectionWords } from "./selected.ts";

/** The columns shown where the address names none: of a ranking by changes, what changed. */
function usualColumns(by: string): readonly ColumnName[] {
  return by.startsWith("total_change")
    ? ["mix", "before", "change_amount", "change", "cash", "equity", "filing"]
    : ["mix", "change", "cash", "equity", "equity_share", "filing"];
}
/** How rows are shown, which other pages do differently. */
const UNSORTED = { cursor: "", sort: "", columns: "", unit: "" } as const;

/** A ranking that its viewer may see. */
type RankingView = SelectionView & Awaited<ReturnType<typeof readRanking>>;

/** `/rankings` and what is below it. */
export function rankingPages(deps: WebDeps) {
  return selectionPage(deps, {
    path: ROUTES.rankings.path,
    title: rankingTitle,
    about: "total, components and source of each amount, from SEC proxy statements.",
    what: "this ranking",
    more: "each change on the year before",
    filters: (selected) => ({
      end: html`${unitPicks(selected, ROUTES.rankings.path, UNITS)}
      ${columnsFold(selected, usualColumns(sortOf(selected).replace(/^-/, "")))}`,
    }),
    rows: ({ ranking }) => ranking.matched.rows,
    chartIn: ({ figures }) => (figures === undefined ? null : "bars"),
    asks({ dataset, filters }) {
      checkRanking(dataset, filters);
      const kind = rowsKind(dataset, filters);
      const opens = selectionOffered(dataset, kind, filters);
      const more = kind === "changes" ? null : selectionOffered(dataset, "changes", filters);
      return { needs: [opens.opening], opens, more };
    },
    outline: ["Company", "Executive, office as printed", "Mix of pay", "Total", "Cash", "Equity", "Source"],
    covers: ({ dataset, filters }) =>
      coversOf(
        dataset,
        deps,
        leavingOut(filters, (name) => SHOWN.has(name)),
      ),
    read: (selected, { maxRows }) => readRanking(selected, maxRows),
    detail: (view) =>
      `${matchedText(view)} Summary Compensation Table (Regulation S-K Item 402(c)) of SEC proxy statements.`,
    meta: (view) =>
      html`${matchedText(view)} ${changesText(view)}
      ${completeness(view.ranking)}${view.figures !== undefined && medianText(view, view.figures)}`,
    body: rankingBody,
    file: async ({ dataset, ranking }, format) => [
      await rankingDownload(dataset, ranking.rows, format),
      "ranking",
    ],
    charts: ["distribution", "bars"],
    chartExport: (view, chart) => (chart === "bars" ? barsOf(view) : distribution(view)),
  });
}

/** The companies with rows in a selection, by name. */
export async function coversOf(
  dataset: Dataset,
  { analyst }: Pick<WebDeps, "analyst">,
  filters: Filters,
  without: string | null = null,
): Promise<Covers> {
  const byName = { one_per_company_year: "true", sort: "company_name", max_rows: String(MAX_FIRST) };
  const asked = { ...filters, ...byName };
  const { matched, fiscalYears, rows } = await rankingOf(dataset, analyst, asked, null, without);
  return { companies: matched.companies, fiscalYears, first: rows };
}

async function readRanking(selected: Selected & { sight: Sight | null }, maxRows: number) {
  const { deps, dataset, filters, sight, without } = selected;
  const asked = { ...filters, max_rows: String(maxRows) };
  const ranking = await rankingOf(dataset, deps.analyst, asked, sight, without);
  const ciks = ranking.rows.map(({ cik }) => cik);
  const isSeen = await openRows(selected, sight, ciks);
  const before = (row: Row) => {
    const other = rowBefore(dataset, row);
    return other !== undefined && isSeen(other) ? other : undefined;
  };
  return {
    ranking,
    /** The row of the year before, where the viewer may see it; null if there is none of any row. */
    before: sight === null || ranking.rows.some((row) => before(row) !== undefined) ? before : null,
    /** The totals of CEOs of the same selection, where it is ranked by them. */
    ceos:
      filters["office"] === "peo" && ranking.question.sort.by === "total_compensation"
        ? await ceoFigures(selected)
        : null,
    newer: await newerTotals(selected, ranking),
    changes: await changesOf(selected),
    // Over the whole selection; nothing where it is not sorted by an amount or no rows match.
    ...(await distributionOf(dataset, deps.analyst, ranking)),
    cells: rowCells(dataset, ciks),
    remarks: shortPeriods(dataset, ciks),
  };
}

/** Of a ranking of CEOs in their latest years, the totals that only a tag knows and that are newer than the rows, by CIK. */
async function newerTotals(
  { deps, dataset, filters, sight }: Selected & { sight: Sight | null },
  { rows, question }: Ranking,
): Promise<ReadonlyMap<string, CeoPayJson>> {
  const isLatest = !Object.keys(filters).some((name) => name.startsWith("fiscal_year"));
  const isOfTotals = filters["office"] === "peo" && question.sort.by === "total_compensation";
  if (rows.length === 0 || !isLatest || !isOfTotals) return new Map();
  const { reporting_currency: currency } = filters;
  const companies = { ciks: [...new Set(rows.map((row) => row.cik))], onlyNamed: true };
  const totals = await readCeoTotals(
    { deps, dataset, sight },
    currency === undefined ? {} : { reporting_currency: currency },
    { count: rows.length, companies },
  );
  const yearOf = new Map(rows.map((row) => [row.cik, row.fiscal_year]));
  return new Map(
    totals.flatMap((total) =>
      total.fiscal_year > (yearOf.get(total.cik) ?? Infinity) ? [[total.cik, total]] : [],
    ),
  );
}

/** How many were paid less than in the year before, or more, of those whose change is known; null where it is not sorted by it. */
async function changesOf({ deps, dataset, filters, sight, without }: Selected & { sight: Sight | null }) {
  const sort = sortOf({ filters });
  const isBound = Object.keys(filters).some((name) => name.startsWith("total_change"));
  if (isBound || !sort.replace(/^-/, "").startsWith("total_change")) return null;
  const rising = sort.startsWith("-");
  const count = async (bounds: Filters) => {
    const asked = { ...leavingOut(filters, (name) => name === "cursor"), ...bounds, max_rows: "1" };
    return (await rankingOf(dataset, deps.analyst, asked, sight, without)).matched;
  };
  const [some, others] = await Promise.all([
    count(rising ? { total_change_gte: "0.01" } : { total_change_lte: "-0.01" }),
    count(rising ? { total_change_lte: "0" } : { total_change_gte: "0" }),
  ]);
  return { rising, rows: some.rows, companies: some.companies, of: some.rows + others.rows };
}

/** `28 of 108 with a year before were paid less, at 27 companies.` */
function changesText({ changes }: RankingView): string {
  if (changes === null) return "";
  const { rising, rows, companies, of } = changes;
  return `${rows.toLocaleString("en-US")} of ${of.toLocaleString("en-US")} whose year before is known were paid ${rising ? "more" : "less"}, at ${counted(companies, "company")}.`;
}

/** `2026: $18,000,000 ◌`, beside the row of an earlier year. */
function newerText({ newer }: RankingView, { cik }: Row): Html | false {
  const total = newer.get(cik);
  if (total === undefined) return false;
  const { fiscal_year: year, peo_total: amount, reporting_currency: currency } = total;
  return html`<small class="year soft">${year}: ${money(amount, currency)} ${tagMark(total)}</small>`;
}

/** The selection as a sentence: `Highest-paid CEOs in energy, fiscal 2024`. */
function rankingTitle({ filters, companies }: Selected): string {
  const who = filters["office"] === "peo" ? "CEOs" : filters["office"] === "pfo" ? "CFOs" : "executives";
  const sort = sortOf({ filters });
  const key = sort.replace(/^-/, "");
  const amount = AMOUNTS.find((name) => name === key);
  const words = selectionWords(filters, companies);
  if (key === "total_compensation") return `${sort === key ? "Lowest" : "Highest"}-paid ${who}${words}`;
  const Who = who.charAt(0).toUpperCase() + who.slice(1);
  if (key.startsWith("total_change"))
    return `${Who} whose pay ${sort === key ? "fell" : "rose"} most${words}`;
  const by = amount === undefined ? key.replaceAll("_", " ") : AMOUNT_FIELD[amount].label.toLowerCase();
  return `${Who} by ${by}${sort === key && amount !== undefined ? ", lowest first" : ""}${words}`;
}

/** How the address sorts. */
function sortOf({ filters }: Pick<Selected, "filters">): string {
  return filters["sort"] ?? "-total_compensation";
}

/** The distribution and a dense table. */
function rankingBody(view: RankingView): Html {
  const { ranking, figures } = view;
  const { rows, next } = ranking;
  const without = missingFrom(view, ranking.named);
  if (rows.length === 0)
    return html`<p>
        Remove a filter, or
        <a href="${ROUTES.rankings.path}">start over</a>.
      </p>
      ${without}`;
  return html`${without} ${figures !== undefined && figures.rows > 3 && figure(distribution(view).chart)}
    ${table(view)} ${next !== null && nextPage(withQuery(ROUTES.rankings.path, view.given, { cursor: next }))}
    ${view.newer.size > 0 && html`<p class="foot"><i class="dot tagged"></i> A newer year's total, as the filer tagged it: it counts in the median. The row is of the latest year with components.</p>`}
    <p class="foot screen-only">Downloads contain the first 1,000 executives of this selection.</p>
    ${paperSources(rows)}`;
}

/** `107 CEOs at 104 companies, fiscal 2024.` */
function matchedText({ filters, ranking: { matched, fiscalYears } }: RankingView): string {
  if (matched.rows === 0) return "No executive matches.";
  const years = Object.entries(fiscalYears).toSorted(([a], [b]) => Number(b) - Number(a));
  const who = filters["office"] === "peo" ? "CEO" : filters["office"] === "pfo" ? "CFO" : "executive";
  // A person counts once in each year.
  const isOfYears = matched.company_years > matched.companies;
  const of = `${counted(matched.rows, isOfYears ? `${who}-year` : who)} at ${counted(matched.companies, "company")}`;
  if (years.length === 1) return `${of}, fiscal ${years[0]?.[0]}.`;
  const each = years.map(([year, count]) => `${year}: ${count.toLocaleString("en-US")}`).join(", ");
  return `${of}${years.length === 0 ? "" : `; companies by fiscal year: ${each}`}.`;
}

function completeness({ matched, index }: Ranking): Html {
  const one = matched.company_years > matched.companies ? "years of companies" : "companies";
  return html`${
    matched.incomplete_company_years > 0 &&
    html`<abbr
      title="That year's own proxy statement has not been read: executives who left before the next one are missing."
      >${matched.incomplete_company_years} of ${matched.company_years} ${one} may lack officers who
      left.</abbr
    > `
  }${index !== null && `Of ${index.members} index members, ${index.withoutRows} are missing. `}`;
}

/** The median with how many it stands for. */
function medianText(view: RankingView, { rows, median }: GroupStatistics): Html {
  const { ranking, given, filters, ceos } = view;
  const { matched } = ranking;
  const to = (path: string, changed: Readonly<Record<string, string>>, words: string) =>
    html`<a href="${withQuery(path, given, changed)}">${words}</a>`;
  const { currency } = ranking.question.selection;
  const statistics = html` · ${to(ROUTES.statisticsPage.path, UNSORTED, "Statistics")}`;
  const here = money(Math.round(median), currency);
  // The same as everywhere: of rows and tags.
  if (ceos !== null) {
    const known = `${counted(ceos.companies, "company")} with a known total`;
    return html`Median ${money(Math.round(ceos.median), currency)} of
      ${to(ROUTES.ceoPayPage.path, { ...UNSORTED, office: "" }, known)}${
        ceos.companies > matched.companies && `, ${here} of those listed here`
      }<span class="screen-only">${statistics}</span>`;
  }
  return html`Median ${here}${rows !== matched.rows && ` of ${counted(rows, "amount")}`}<span
      class="screen-only"
      >${matched.rows > matched.company_years && html`, ${to(ROUTES.rankings.path, { one_per_company_year: "true", cursor: "" }, "one per company")}`}${statistics}${filters["office"] === "peo" && html` · ${to(ROUTES.ceoPayPage.path, { ...UNSORTED, office: "" }, "CEO totals of the whole market")}`}</span
    >`;
}

/** The distribution of the amount that a ranking is sorted by, as a chart to take away. */
function distribution(view: RankingView): ChartExport {
  const { ranking, figures, values } = view;
  const by = AMOUNTS.find((name) => name === ranking.question.sort.by) ?? "total_compensation";
  const { label } = AMOUNT_FIELD[by];
  const { currency } = ranking.question.selection;
  const marks =
    figures === undefined
      ? []
      : [
          { label: "25th", value: figures.p25 },
          { label: "median", value: figures.median },
          { label: "75th", value: figures.p75 },
        ];
  return {
    chart: stripChart({
      id: "distribution",
      title: `${label} of each executive${values.length === MAX_VALUES ? " (the first 1,000)" : ""}`,
      values,
      marks,
      currency: currencySign(currency),
    }),
    title: rankingTitle(view),
    source: sourceLine(view),
    data: [
      ...dataOf(values.length === 0 ? [] : ranking.rows, {
        company: (row) => row.company_name,
        fiscal_year: (row) => row.fiscal_year,
        executive_name: (row) => row.executive_name,
        [by]: (row) => row[by],
        reporting_currency: (row) => row.reporting_currency,
        year_complete: (row) => !isPartialYear(view.dataset, row),
        short_period: (row) => isShortPeriod(view.remarks(row)),
      }),
      ...marks.map((mark) => [mark.label, null, null, mark.value, currency, null, null]),
    ],
    page: withQuery(ROUTES.rankings.path, view.given),
  };
}

/** The first of a ranking, with names and amounts, as a picture. */
function barsOf(view: RankingView): ChartExport {
  const { ranking } = view;
  const by = AMOUNTS.find((name) => name === ranking.question.sort.by) ?? "total_compensation";
  const bars = ranking.rows.slice(0, MAX_BARS).map((row) => ({
    name: `${row.executive_name}, ${shortName(row.company_name)}`,
    value: row[by],
    ...(by === "total_compensation" ? { components: row } : {}),
  }));
  const currency = currencySign(ranking.question.selection.currency);
  const title = rankingTitle(view);
  const taken = distribution(view);
  // The data is of the lines drawn.
  return {
    ...taken,
    chart: rankedBars({ id: "bars", title, bars, currency }),
    data: taken.data.slice(0, bars.length + 1),
  };
}

const MAX_BARS = 12;

function table(view: RankingView): Html {
  const { ranking, given, dataset, filters } = view;
  const { rows, question } = ranking;
  const { sort, offset } = question;
  const sortable = new Set<string>(SORT_KEYS);
  const years = new Set(rows.map((row) => row.fiscal_year));
  return html`<div class="head keyed-head">${mixKeys(rows)} ${MARK_KEYS}</div>
    ${payTable(rows, {
      ...view,
      caption: `Amounts in ${rows[0]?.reporting_currency ?? ""}${years.size === 1 ? `, fiscal ${[...years].join("")}` : ""}`,
      remainder: sort.by === "unknown_component" ? "column" : "note",
      head: "Company",
      columns: readColumns(given.get("columns"), usualColumns(sort.by)),
      unit: readUnit(given.get("unit")),
      isPartial:
        years.size > 1 || sort.by === "fiscal_year" ? (row) => isPartialYear(dataset, row) : undefined,
      isBrief: true,
      sorting(key) {
        if (!sortable.has(key)) return undefined;
        const isBy = sort.by === key;
        const next = isBy && sort.descending ? key : `-${key}`;
        return {
          href: withQuery(ROUTES.rankings.path, given, { sort: next, cursor: "" }),
          sorted: isBy ? (sort.descending ? "descending" : "ascending") : null,
        };
      },
      lead: (row, index) =>
        html`<span class="rank">${offset + index + 1}</span
          ><a href="${companyPath(row)}">${shortName(row.company_name)}</a>
          <small class="soft">${row.ticker}</small>
          ${years.size > 1 && html`<small class="year soft">${row.fiscal_year}</small>`}
          ${newerText(view, row)}`,
      beside: {
        key: "executive_name",
        head: "Executive, office as printed",
        cell: (row, mark) =>
          html`<a href="${rowPath(row)}">${row.executive_name}</a>${mark}${
              filters["office"] === undefined && offices(row)
            }<small>${row.executive_role}</small>`,
      },
    })}`;
}
