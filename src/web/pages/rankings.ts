/** Rankings: rows across companies with their filters in the address, the distribution, downloads. */
import { Elysia } from "elysia";
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import { figure } from "../../charts/frame.ts";
import { stripChart } from "../../charts/strip.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../domain/row-fields.ts";
import { SORT_KEYS } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import { parameters } from "../../http/responses.ts";
import { ROUTES } from "../../http/routes.ts";
import { DOWNLOADS, rankingDownload, readFormat } from "../../operations/downloads.ts";
import {
  type Dataset,
  figuresOf,
  type GroupStatistics,
  isPartialYear,
  MAX_VALUES,
  type Ranking,
  rankingOf,
  rowBefore,
  rowCells,
  type RowCells,
  type RemarksOf,
  shortPeriods,
  sortedValues,
} from "../../operations/page-data.ts";
import type { CoverageReader } from "../../operations/pages.ts";
import { groupsOf } from "../company-lists.ts";
import type { WebDeps } from "../deps.ts";
import { open } from "../opening.ts";
import { show, showFile, showProblem, showRefusal } from "../show.ts";
import {
  chartFile,
  chartTools,
  citeButton,
  framePage,
  SHARE,
  sourceLine,
  type TakeAway,
  pictureOf,
} from "../take-away.ts";
import { type Gate, offer, type Viewer } from "../viewer.ts";
import {
  companyPath,
  counted,
  currencySign,
  MARKS,
  mixKeys,
  money,
  offices,
  pageActions,
  paperSources,
  payTable,
  readColumns,
  readUnit,
  rowPath,
  shortName,
} from "./parts.ts";
import {
  addressWith,
  columnsFold,
  filterChips,
  type Filters,
  isLatest,
  readSelected,
  type Selected,
  selectionNotes,
  selectionWords,
  subjectOf,
} from "./selected.ts";

/** Rows of a page, and of a download: at most one page of the query operation. */
const PAGE_ROWS = 100;
const FILE_ROWS = 1000;
/** The columns shown where the address names none. */
const USUAL_COLUMNS = ["mix", "change", "equity_share", "components", "filing"] as const;

/** `/rankings` and what is below it. */
export function rankingPages(deps: WebDeps, coverage: CoverageReader) {
  const { path } = ROUTES.rankings;
  return new Elysia({ name: "ranking-pages" })
    .get(
      path,
      deps.conditional((request) => showRanking(deps, request, coverage)),
    )
    .post(
      path,
      async ({ request }) => {
        const { url } = deps.contextOf(request);
        const selected = await readSelected(deps, request, await deps.viewers.find(request));
        return selected instanceof Response
          ? selected
          : open(deps, request, gateOf(deps, selected.filters), url.pathname + url.search);
      },
      { parse: "none" },
    )
    .get(ROUTES.rankingsDownload.path, ({ request }) => download(deps, request, coverage))
    .get(ROUTES.rankingsChart.path, async ({ request }) => {
      const { searchParams } = deps.contextOf(request).url;
      const viewer = await deps.viewers.find(request);
      const found = await openRanking(deps, request, viewer, coverage);
      if (found instanceof Response) return found;
      const taken = await distributionOf(deps, found);
      return chartFile(deps, viewer, searchParams.get("format"), taken);
    })
    .get(ROUTES.rankingsEmbed.path, async ({ request }) => {
      const { origin } = deps.contextOf(request).baseUrls;
      const found = await openRanking(deps, request, deps.viewers.anonymous(request), coverage);
      if (found instanceof Response)
        return framePage(origin, found.status === 200 ? 403 : found.status, null);
      return framePage(origin, 200, await distributionOf(deps, found));
    });
}

/** A ranking that its viewer may see. */
interface OpenRanking extends Selected {
  ranking: Ranking;
}

function gateOf({ prices }: WebDeps, filters: Filters): Gate {
  return {
    subject: subjectOf("rankings", filters),
    operation: "page:query",
    ticker: null,
    costCredits: prices.priceQuery,
  };
}

/** Whether the viewer sees the selection without paying. */
async function isOpen(deps: WebDeps, { viewer, dataset, filters }: Selected): Promise<boolean> {
  if (deps.publicRankings === "on" && isLatest(filters)) return true;
  return deps.viewers.isOpen(viewer, dataset.info.contentHash, gateOf(deps, filters));
}

/** The ranking of a request if the viewer may see it, otherwise the page shown instead. */
async function openRanking(
  deps: WebDeps,
  request: Request,
  viewer: Viewer,
  coverage: CoverageReader,
  maxRows = PAGE_ROWS,
): Promise<OpenRanking | Response> {
  const selected = await readSelected(deps, request, viewer);
  if (selected instanceof Response) return selected;
  const { url } = deps.contextOf(request);
  if (!(await isOpen(deps, selected))) {
    const title = rankingTitle(selected);
    const main = html`<h1>${title}</h1>
      ${filterChips(await viewOf(deps, selected, coverage), ROUTES.rankings.path)}
      ${offer(viewer, gateOf(deps, selected.filters), "this ranking", url.pathname + url.search)}`;
    return show(viewer, { ...aboutRanking(deps, request, selected), main });
  }
  try {
    const requested = parameters(new URLSearchParams({ max_rows: String(maxRows), ...selected.filters }));
    return { ...selected, ranking: await rankingOf(selected.dataset, deps.analyst, requested) };
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}

async function viewOf(deps: WebDeps, selected: Selected, coverage: CoverageReader) {
  return { selected, groups: await groupsOf(deps, selected.viewer), years: coverage.fiscalYears() };
}

async function showRanking(deps: WebDeps, request: Request, coverage: CoverageReader): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const found = await openRanking(deps, request, viewer, coverage);
  if (found instanceof Response) return found;
  const { dataset, ranking, filters } = found;
  const ciks = ranking.rows.map(({ cik }) => cik);
  const main = rankingMain({
    ...(await viewOf(deps, found, coverage)),
    ranking,
    dataset,
    origin: deps.contextOf(request).baseUrls.origin,
    figures: await figuresOf(dataset, deps.analyst, ranking),
    distribution: await distributionOf(deps, found),
    cells: rowCells(dataset, ciks),
    remarks: shortPeriods(dataset, ciks),
    // A change tells a paid year: not to those who only see what is public.
    seesChange: await deps.viewers.isOpen(viewer, dataset.info.contentHash, gateOf(deps, filters)),
    edition: dataset.info.edition,
  });
  const status = found.problem === null ? 200 : 400;
  return show(viewer, { ...aboutRanking(deps, request, found), main, status });
}

/** The title and description of a ranking, for any viewer. */
function aboutRanking(deps: WebDeps, request: Request, selected: Selected) {
  const { baseUrls } = deps.contextOf(request);
  const section = ROUTES.rankings.path;
  const title = rankingTitle(selected);
  const query = selected.companies?.group ? "" : addressWith("", selected.given, {});
  return {
    title,
    description: `${title}: total, components and source of each row, from SEC proxy statements.`,
    canonical: baseUrls.origin + section + query,
    picture: pictureOf(deps, request, `${ROUTES.rankingsPreview.path}${query}`, `${title}.`),
    section,
  };
}

/** The selection as a sentence: `Highest-paid CEOs in energy, fiscal 2024`. */
export function rankingTitle({ filters, companies, dataset }: Selected): string {
  const who = filters["office"] === "peo" ? "CEOs" : filters["office"] === "pfo" ? "CFOs" : "executives";
  const sort = filters["sort"] ?? "-total_compensation";
  const key = sort.replace(/^-/, "");
  const amount = AMOUNTS.find((name) => name === key);
  const words = selectionWords(filters, companies, dataset);
  if (key === "total_compensation") return `${sort === key ? "Lowest" : "Highest"}-paid ${who}${words}`;
  const [first = "", ...rest] = who;
  const Who = first.toUpperCase() + rest.join("");
  if (key.startsWith("total_change"))
    return `${Who} whose pay ${sort === key ? "fell" : "rose"} most${words}`;
  const by = amount === undefined ? key.replaceAll("_", " ") : AMOUNT_FIELD[amount].label.toLowerCase();
  return `${Who} by ${by}${sort === key && amount !== undefined ? ", lowest first" : ""}${words}`;
}

/** Data of the rankings page. */
interface RankingView {
  selected: Selected;
  ranking: Ranking;
  dataset: Dataset;
  groups: readonly PeerGroup[];
  years: readonly number[];
  /** Over the whole selection; undefined where it is not sorted by an amount or no rows match. */
  figures: GroupStatistics | undefined;
  distribution: TakeAway;
  cells: RowCells;
  remarks: RemarksOf;
  seesChange: boolean;
  origin: string;
  edition: string;
}

/** A sentence, pressed filters, the distribution, a dense table. */
function rankingMain(view: RankingView): Html {
  const { selected, ranking, figures, distribution, edition } = view;
  const { rows } = ranking;
  const { given } = selected;
  const path = ROUTES.rankings.path;
  const file = (format: string) => addressWith(ROUTES.rankingsDownload.path, given, { format, cursor: "" });
  const title = rankingTitle(selected);
  const here = view.origin + addressWith(path, given, {});
  const cite = `execcomp, edition ${edition}: ${title}. ${matchedText(ranking)} Summary Compensation Table (Regulation S-K Item 402(c)) of SEC proxy statements. ${here}`;
  return html`<div class="pay-page">
    <div class="title">
      <h1>${title}</h1>
      ${pageActions(html`
        ${
          rows.length > 0 &&
          html`<a class="button" href="${file("csv")}">CSV</a>
            <a class="button" href="${file("xlsx")}">XLSX</a> ${SHARE} ${citeButton(cite)}`
        }
      `)}
    </div>
    <p class="meta">
      ${matchedText(ranking)} ${completeness(ranking)}${figures !== undefined && medianText(view, figures)}
    </p>
    ${filterChips(view, path, { end: columnsFold(selected, USUAL_COLUMNS) })}
    ${selectionNotes(selected, path)}
    ${rows.length === 0 ? html`<p>No rows match. Broaden the filters.</p>` : html`${figures !== undefined && figures.rows > 3 && figure(distribution.chart)} ${table(view)} ${MARKS}`}
    ${ranking.next !== null && html`<p class="actions"><a class="button" href="${addressWith(path, given, { cursor: ranking.next })}">Next page</a></p>`}
    ${rows.length > 0 && html`<p class="foot screen-only">Downloads contain the first 1,000 rows of this selection.</p>`}
    ${paperSources(rows)}
    <p class="foot paper-only"><span data-printed></span>${here} · dataset edition ${edition}</p>
  </div>`;
}

/** `107 rows from 104 companies, fiscal 2024.` */
function matchedText({ matched, fiscalYears }: Ranking): string {
  const years = Object.entries(fiscalYears).toSorted(([a], [b]) => Number(b) - Number(a));
  const [newest] = years;
  const told =
    newest === undefined
      ? ""
      : years.length === 1
        ? `, fiscal ${newest[0]}`
        : `; company-years by fiscal year: ${years.map(([year, count]) => `${year}: ${count}`).join(", ")}`;
  return `${counted(matched.rows, "row")} from ${counted(matched.companies, "company", "companies")}${told}.`;
}

function completeness({ matched, index }: Ranking): Html {
  return html`${
    matched.incomplete_company_years > 0 &&
    html`<abbr
      title="That year's proxy statement is not loaded: executives who left before the next one are missing."
      >${matched.incomplete_company_years} of ${matched.company_years} company-years are partial.</abbr
    > `
  }${index !== null && `Of ${index.members} index members, ${index.withoutRows} have no rows yet. `}`;
}

/** The median with the rows and companies that it stands for. */
function medianText({ ranking, selected }: RankingView, { rows, median }: GroupStatistics): Html {
  const { matched } = ranking;
  const { given } = selected;
  const statistics = addressWith(ROUTES.statisticsPage.path, given, {
    cursor: "",
    sort: "",
    columns: "",
    unit: "",
  });
  return html`Median
    ${money(Math.round(median), ranking.question.selection.currency)}${
      rows !== matched.companies && ` of these ${rows.toLocaleString("en-US")} rows`
    }<span class="screen-only"
      >${
        matched.rows > matched.company_years &&
        html`,
          <a href="${addressWith(ROUTES.rankings.path, given, { one_per_company_year: "true", cursor: "" })}"
            >one per company</a
          >`
      }
      · <a href="${statistics}">Statistics</a>${
        selected.filters["office"] === "peo" &&
        html` ·
          <a
            href="${addressWith(ROUTES.ceoPayPage.path, given, { office: "", cursor: "", sort: "", columns: "", unit: "" })}"
            >CEO totals of the whole market</a
          >`
      }</span
    >`;
}

/** The distribution of the amount that a ranking is sorted by, as a chart to take away. */
async function distributionOf(deps: WebDeps, found: OpenRanking): Promise<TakeAway> {
  const { dataset, ranking } = found;
  const figures = await figuresOf(dataset, deps.analyst, ranking);
  const values = await sortedValues(dataset, deps.analyst, ranking);
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
    title: rankingTitle(found),
    source: sourceLine(deps),
    data: [
      [label, currency],
      ...values.map((value) => [value, currency]),
      ...marks.map((mark) => [mark.value, mark.label]),
    ],
    page: addressWith(ROUTES.rankings.path, found.given, {}),
  };
}

function table(view: RankingView): Html {
  const { ranking, selected, dataset, cells, remarks } = view;
  const { rows, question } = ranking;
  const { given } = selected;
  const { sort, offset } = question;
  const sortable = new Set<string>(SORT_KEYS);
  const years = new Set(rows.map((row) => row.fiscal_year));
  return html`<div class="head keyed-head">
      ${mixKeys(rows)}${view.figures !== undefined && chartTools(view.origin, ROUTES.rankings.path, given.toString(), "distribution")}
    </div>
    ${payTable(rows, {
      caption: `Amounts in ${rows[0]?.reporting_currency ?? ""}${years.size === 1 ? `, fiscal ${[...years].join("")}` : ""}`,
      remainder: sort.by === "unknown_component" ? "column" : "note",
      head: "Executive",
      columns: readColumns(given.get("columns"), USUAL_COLUMNS),
      unit: readUnit(given.get("unit")),
      hasYears: years.size > 1,
      isPartial: (row) => isPartialYear(dataset, row),
      before: view.seesChange ? (row) => rowBefore(dataset, row) : null,
      isBrief: true,
      cells,
      remarks,
      sorting(key) {
        if (!sortable.has(key)) return undefined;
        const isBy = sort.by === key;
        const next = isBy && sort.descending ? key : `-${key}`;
        return {
          href: addressWith(ROUTES.rankings.path, given, { sort: next, cursor: "" }),
          sorted: isBy ? (sort.descending ? "descending" : "ascending") : null,
        };
      },
      lead: (row, index) =>
        html`<span class="rank">${offset + index + 1}</span
          ><a href="${rowPath(row)}">${row.executive_name}</a>${
            selected.filters["office"] === undefined && offices(row)
          }<a class="role" href="${companyPath(row)}">${shortName(row.company_name)}</a>`,
    })}`;
}

async function download(deps: WebDeps, request: Request, coverage: CoverageReader): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const format = readFormat(deps.contextOf(request).url.searchParams.get("format"));
  if (format === undefined) return showProblem(viewer, 400, "Unknown format", "Expected csv or xlsx.");
  const found = await openRanking(deps, request, viewer, coverage, FILE_ROWS);
  if (found instanceof Response) return found;
  const bytes = await rankingDownload(found.dataset, found.ranking.rows, format);
  return showFile(bytes, DOWNLOADS[format], `execcomp-ranking.${format}`);
}
