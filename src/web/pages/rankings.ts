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
import type { GroupStatistics } from "../../analysis/statistics.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import { isShortPeriod, shortPeriods } from "../../dataset/remarks.ts";
import {
  checkRanking,
  distributionOf,
  MAX_VALUES,
  type Ranking,
  rankingOf,
} from "../../operations/rankings.ts";
import type { WebDeps } from "../deps.ts";
import { openRows, rowsKind, selectionOffered, type Sight } from "../openings.ts";
import { ceoFigures } from "./benchmark.ts";
import { chartTools, type TakeAway } from "../chart-files.ts";
import { dataOf, withQuery } from "../downloads.ts";
import { sourceLine } from "../citation.ts";
import { columnsFold, selectionPage, type SelectionView, withoutRows } from "./selection-page.ts";
import { companyPath, rowPath } from "../parts/addresses.ts";
import { currencySign, money, readUnit } from "../parts/amounts.ts";
import { nextPage } from "../parts/elements.ts";
import { mixKeys } from "../parts/mix.ts";
import { shortName } from "../parts/names.ts";
import { offices } from "../parts/offices.ts";
import { payTable, readColumns } from "../parts/pay-table.ts";
import { MARKS, paperSources } from "../parts/sources.ts";
import { leavingOut, SHOWN } from "../filters.ts";
import { type Selected, selectionWords } from "./selected.ts";

/** The columns shown where the address names none. */
const USUAL_COLUMNS = ["mix", "change", "equity_share", "components", "filing"] as const;
/** How rows are shown, which other pages do differently. */
const UNSORTED = { cursor: "", sort: "", columns: "", unit: "" } as const;

/** A ranking that its viewer may see. */
type RankingView = SelectionView & Awaited<ReturnType<typeof readRanking>>;

/** `/rankings` and what is below it. */
export function rankingPages(deps: WebDeps) {
  return selectionPage(deps, {
    path: ROUTES.rankings.path,
    title: rankingTitle,
    about: "total, components and source of each row, from SEC proxy statements.",
    what: "this ranking",
    more: "each change on the year before",
    filters: (selected) => ({ end: columnsFold(selected, USUAL_COLUMNS) }),
    asks({ dataset, filters }) {
      checkRanking(dataset, filters);
      const kind = rowsKind(dataset, filters);
      const opens = selectionOffered(dataset, kind, filters);
      const more = kind === "changes" ? null : selectionOffered(dataset, "changes", filters);
      return { needs: [opens.opening], opens, more };
    },
    async covers({ dataset, filters }) {
      const { matched, fiscalYears } = await rankingOf(dataset, deps.analyst, {
        ...leavingOut(filters, (name) => SHOWN.has(name)),
        max_rows: "1",
      });
      return { companies: matched.companies, fiscalYears };
    },
    read: (selected, { maxRows }) => readRanking(selected, maxRows),
    detail: ({ ranking }) =>
      `${matchedText(ranking)} Summary Compensation Table (Regulation S-K Item 402(c)) of SEC proxy statements.`,
    meta: (view) =>
      html`${matchedText(view.ranking)}
      ${completeness(view.ranking)}${view.figures !== undefined && medianText(view, view.figures)}`,
    body: rankingBody,
    file: async ({ dataset, ranking }, format) => [
      await rankingDownload(dataset, ranking.rows, format),
      "ranking",
    ],
    takeAway: (view, chart) => (chart === "bars" ? barsOf(view) : distribution(view)),
  });
}

async function readRanking(selected: Selected & { sight: Sight | null }, maxRows: number) {
  const { deps, dataset, filters, sight } = selected;
  const ranking = await rankingOf(dataset, deps.analyst, { ...filters, max_rows: String(maxRows) }, sight);
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
    // Over the whole selection; nothing where it is not sorted by an amount or no rows match.
    ...(await distributionOf(dataset, deps.analyst, ranking)),
    cells: rowCells(dataset, ciks),
    remarks: shortPeriods(dataset, ciks),
  };
}

/** The selection as a sentence: `Highest-paid CEOs in energy, fiscal 2024`. */
export function rankingTitle({ filters, companies }: Selected): string {
  const who = filters["office"] === "peo" ? "CEOs" : filters["office"] === "pfo" ? "CFOs" : "executives";
  const sort = filters["sort"] ?? "-total_compensation";
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

/** The distribution and a dense table. */
function rankingBody(view: RankingView): Html {
  const { ranking, figures } = view;
  const { rows, next } = ranking;
  const without = withoutRows(view.companies, ranking.named);
  if (rows.length === 0)
    return html`<p>No rows match. Broaden the filters.</p>
      ${without}`;
  return html`${without} ${figures !== undefined && figures.rows > 3 && figure(distribution(view).chart)}
    ${table(view)} ${MARKS}
    ${next !== null && nextPage(withQuery(ROUTES.rankings.path, view.given, { cursor: next }))}
    <p class="foot screen-only">Downloads contain the first 1,000 rows of this selection.</p>
    ${paperSources(rows)}`;
}

/** `107 rows from 104 companies, fiscal 2024.` */
function matchedText({ matched, fiscalYears }: Ranking): string {
  const years = Object.entries(fiscalYears).toSorted(([a], [b]) => Number(b) - Number(a));
  const [newest] = years;
  const yearsText =
    newest === undefined
      ? ""
      : years.length === 1
        ? `, fiscal ${newest[0]}`
        : `; company-years by fiscal year: ${years.map(([year, count]) => `${year}: ${count}`).join(", ")}`;
  return `${counted(matched.rows, "row")} from ${counted(matched.companies, "company")}${yearsText}.`;
}

function completeness({ matched, index }: Ranking): Html {
  return html`${
    matched.incomplete_company_years > 0 &&
    html`<abbr
      title="That year's own proxy statement has not been read: executives who left before the next one are missing."
      >${matched.incomplete_company_years} of ${matched.company_years} company-years may lack officers.</abbr
    > `
  }${index !== null && `Of ${index.members} index members, ${index.withoutRows} have no rows yet. `}`;
}

/** The median with the rows and companies that it stands for. */
function medianText({ ranking, given, filters, ceos }: RankingView, { rows, median }: GroupStatistics): Html {
  const { matched } = ranking;
  const to = (path: string, changed: Readonly<Record<string, string>>, words: string) =>
    html`<a href="${withQuery(path, given, changed)}">${words}</a>`;
  const { currency } = ranking.question.selection;
  // The same as everywhere: of rows and tags.
  if (ceos !== null)
    return html`Median ${money(Math.round(ceos.median), currency)} of
      ${counted(ceos.companies, "company")}<span class="screen-only"
        >,
        ${to(ROUTES.ceoPayPage.path, { ...UNSORTED, office: "" }, "also those of which only the total is known")}
        · ${to(ROUTES.statisticsPage.path, UNSORTED, "Statistics")}</span
      >`;
  return html`Median
    ${money(Math.round(median), currency)}${
      rows !== matched.companies && ` of these ${rows.toLocaleString("en-US")} rows`
    }<span class="screen-only"
      >${matched.rows > matched.company_years && html`, ${to(ROUTES.rankings.path, { one_per_company_year: "true", cursor: "" }, "one per company")}`}
      ·
      ${to(ROUTES.statisticsPage.path, UNSORTED, "Statistics")}${filters["office"] === "peo" && html` · ${to(ROUTES.ceoPayPage.path, { ...UNSORTED, office: "" }, "CEO totals of the whole market")}`}</span
    >`;
}

/** The distribution of the amount that a ranking is sorted by, as a chart to take away. */
function distribution(view: RankingView): TakeAway {
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
      title: `${label} of each row${values.length === MAX_VALUES ? " (the first 1,000)" : ""}`,
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
function barsOf(view: RankingView): TakeAway {
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
  const { ranking, origin, given, dataset, filters } = view;
  const { rows, question } = ranking;
  const { sort, offset } = question;
  const sortable = new Set<string>(SORT_KEYS);
  const years = new Set(rows.map((row) => row.fiscal_year));
  return html`<div class="head keyed-head">
      ${mixKeys(rows)}${view.figures !== undefined && chartTools(origin, ROUTES.rankings.path, given, "bars")}
    </div>
    ${payTable(rows, {
      ...view,
      caption: `Amounts in ${rows[0]?.reporting_currency ?? ""}${years.size === 1 ? `, fiscal ${[...years].join("")}` : ""}`,
      remainder: sort.by === "unknown_component" ? "column" : "note",
      head: "Executive",
      columns: readColumns(given.get("columns"), USUAL_COLUMNS),
      unit: readUnit(given.get("unit")),
      isPartial: years.size > 1 ? (row) => isPartialYear(dataset, row) : undefined,
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
      lead: (row, index, mark) =>
        html`<span class="rank">${offset + index + 1}</span
          ><a href="${rowPath(row)}">${row.executive_name}</a>${mark}${
            filters["office"] === undefined && offices(row)
          }<a class="role" href="${companyPath(row)}">${shortName(row.company_name)}</a>`,
    })}`;
}
