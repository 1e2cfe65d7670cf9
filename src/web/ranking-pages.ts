/** Rankings: rows across companies with filters in the address, statistics of the selection, and downloads. */
import { Elysia } from "elysia";
import { html } from "../html.ts";
import { parameters } from "../http/responses.ts";
import { DOWNLOADS, rankingDownload, readFormat } from "../operations/downloads.ts";
import {
  type Dataset,
  figuresOf,
  printedZeros,
  shortPeriods,
  type Ranking,
  rankingOf,
  sortedValues,
} from "../operations/page-data.ts";
import type { CoverageReader } from "../operations/pages.ts";
import { ROUTES } from "../http/routes.ts";
import { type RequestedCompanies, requestedCompanies, groupsOf } from "./company-lists.ts";
import type { WebDeps } from "./deps.ts";
import { showNoGroup } from "./group-pages.ts";
import { open } from "./opening.ts";
import { RANKING_FILTERS, rankingsMain } from "./pages/rankings.ts";
import { pictureOf } from "./picture.ts";
import { show, showFile, showProblem, showRefusal } from "./show.ts";
import { type Gate, offer, type Viewer } from "./viewer.ts";

type Filters = Readonly<Record<string, string>>;

/** Maximum rows of a download: one page of the query operation. */
const FILE_ROWS = 1000;

/** The amount filter of the form. */
const AMOUNT = "total_compensation_gte";

/** Converts `$20,000,000` to what the query operation accepts; returns anything else unchanged. */
function plainAmount(typed: string): string {
  const amount = typed.trim();
  return /^\$?\s*(\d+|\d{1,3}([, ]\d{3})+)(\.\d+)?$/.test(amount) ? amount.replaceAll(/[$,\s]/g, "") : typed;
}

/** `/rankings` and the download below it. */
export function rankingPages(deps: WebDeps, coverage: CoverageReader) {
  return new Elysia({ name: "ranking-pages" })
    .get(
      ROUTES.rankings.path,
      deps.conditional((request) => showRanking(deps, request, coverage)),
    )
    .post(
      ROUTES.rankings.path,
      async ({ request }) => {
        const { url } = deps.contextOf(request);
        const requested = await readRanking(deps, request);
        return requested instanceof Response
          ? requested
          : open(deps, request, gateOf(deps, requested.filters), url.pathname + url.search);
      },
      { parse: "none" },
    )
    .get(ROUTES.rankingsDownload.path, ({ request }) => download(deps, request));
}

/** A request for a ranking. */
interface RequestedRanking {
  viewer: Viewer;
  dataset: Dataset;
  /** As the query operation accepts them: a list or peer group becomes `cik`. */
  filters: Filters;
  /** The list or group of the address; null if there is none. */
  companies: RequestedCompanies | null;
}

/** Reads the filters of a request, or returns the page that says why they cannot be used. */
async function readRanking(deps: WebDeps, request: Request): Promise<RequestedRanking | Response> {
  const viewer = await deps.viewers.find(request);
  const dataset = deps.snapshots.current();
  const { searchParams } = deps.contextOf(request).url;
  const known = [...RANKING_FILTERS, "cursor"];
  // Of a repeated parameter the first counts, which is the one the form shows.
  const given = [...new Set(searchParams.keys())]
    .map((name): [string, string] => [name, searchParams.get(name) ?? ""])
    .map(([name, value]): [string, string] => [name, name === AMOUNT ? plainAmount(value) : value])
    .filter(([name, value]) => value !== "" && known.includes(name));
  const { companies: list, group, ...filters }: Record<string, string> = Object.fromEntries(given);
  if (list === undefined && group === undefined) return { viewer, dataset, filters, companies: null };
  const companies = await requestedCompanies(deps, dataset, viewer, {
    group: group ?? null,
    list: list ?? null,
  });
  if (companies.group === undefined) return showNoGroup(viewer);
  if (companies.found.length === 0) {
    return showProblem(viewer, 404, "Rankings", "None of the companies in this list was found.");
  }
  const cik = companies.found.map(({ company }) => company.cik).join(",");
  return { viewer, dataset, filters: { ...filters, cik }, companies };
}

async function showRanking(deps: WebDeps, request: Request, coverage: CoverageReader): Promise<Response> {
  const requested = await readRanking(deps, request);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, companies } = requested;
  const ranking = await rankingFor(deps, request, requested);
  if (ranking instanceof Response) return ranking;
  const { url } = deps.contextOf(request);
  const ciks = ranking.rows.map(({ cik }) => cik);
  const main = rankingsMain({
    ranking,
    companies,
    groups: await groupsOf(deps, viewer),
    figures: await figuresOf(dataset, deps.analyst, ranking),
    values: await sortedValues(dataset, deps.analyst, ranking),
    given: url.searchParams,
    years: coverage.fiscalYears(),
    zeros: printedZeros(dataset, ciks),
    remarks: shortPeriods(dataset, ciks),
  });
  return show(viewer, { ...aboutRankings(deps, request), main });
}

/** The title and description of the rankings page, for any viewer. */
function aboutRankings(deps: WebDeps, request: Request) {
  const section = ROUTES.rankings.path;
  return {
    title: "Rankings",
    description: "The highest-paid executives, by office, year, sector and index.",
    canonical: deps.contextOf(request).baseUrls.origin + section,
    picture: pictureOf(deps, request, ROUTES.rankingsPreview.path, "Rankings of executive pay."),
    section,
  };
}

async function download(deps: WebDeps, request: Request): Promise<Response> {
  const requested = await readRanking(deps, request);
  if (requested instanceof Response) return requested;
  const format = readFormat(deps.contextOf(request).url.searchParams.get("format"));
  if (format === undefined)
    return showProblem(requested.viewer, 400, "Unknown format", "Expected csv or xlsx.");
  const ranking = await rankingFor(deps, request, requested, { max_rows: String(FILE_ROWS) });
  if (ranking instanceof Response) return ranking;
  const bytes = await rankingDownload(requested.dataset, ranking.rows, format);
  return showFile(bytes, DOWNLOADS[format], `execcomp-ranking.${format}`);
}

function gateOf({ prices }: WebDeps, filters: Filters): Gate {
  const subject = `rankings ${new URLSearchParams(filters)}`;
  const costCredits = prices.priceQuery;
  return { subject: shortSubject(subject), operation: "page:query", ticker: null, costCredits };
}

/** Longest subject stored in full: longer ones (lists of companies) are stored as a hash. */
const MAX_SUBJECT = 200;

function shortSubject(subject: string): string {
  return subject.length <= MAX_SUBJECT ? subject : `rankings sha256 ${Bun.SHA256.hash(subject, "hex")}`;
}

/** Whether a ranking is the first page of the latest year: no year filter, no cursor. */
function isLatest(filters: Filters): boolean {
  return !Object.keys(filters).some((name) => name === "cursor" || name.startsWith("fiscal_year"));
}

/** The ranking of a request if the viewer may see it, otherwise the page shown instead. */
async function rankingFor(
  deps: WebDeps,
  request: Request,
  { viewer, dataset, filters }: RequestedRanking,
  more: Filters = {},
): Promise<Ranking | Response> {
  const { url } = deps.contextOf(request);
  const gate = gateOf(deps, filters);
  const isPublic = deps.publicRankings === "on" && isLatest(filters);
  if (!isPublic && !(await deps.viewers.isOpen(viewer, dataset.info.contentHash, gate))) {
    const main = html`<h1>Rankings</h1>
      <p>
        The highest-paid executives by office, fiscal year, sector, index and amount, with percentiles of the
        selection and its rows as CSV or XLSX.
      </p>
      ${offer(viewer, gate, "this ranking", url.pathname + url.search)}`;
    return show(viewer, { ...aboutRankings(deps, request), main });
  }
  try {
    const requested = parameters(new URLSearchParams({ ...filters, ...more }));
    return await rankingOf(dataset, deps.analyst, requested);
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}
