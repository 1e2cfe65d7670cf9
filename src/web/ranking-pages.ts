/** Rankings: rows across companies with filters in the address, and their file. */
import { Elysia } from "elysia";
import { html } from "../html.ts";
import { parameters } from "../http.ts";
import { rankingCsv } from "../operations/downloads.ts";
import {
  type Dataset,
  printedZeros,
  type Ranking,
  rankingOf,
  sortedValues,
} from "../operations/page-data.ts";
import type { CoverageReader } from "../operations/pages.ts";
import { ROUTES } from "../routes.ts";
import type { WebDeps } from "./deps.ts";
import { open } from "./opening.ts";
import { RANKING_FILTERS, rankingsMain } from "./pages/rankings.ts";
import { conditional, show, showFile, showRefusal } from "./show.ts";
import { type Gate, offer, type Viewer } from "./viewer.ts";

type Filters = Readonly<Record<string, string>>;

/** `/rankings` and what lies below it. */
export function rankingPages(deps: WebDeps, coverage: CoverageReader) {
  return new Elysia({ name: "ranking-pages" })
    .get(
      ROUTES.rankings.path,
      conditional(deps, async (request) => {
        const viewer = deps.viewers.find(request);
        const dataset = deps.snapshots.current();
        const ranking = await rankingFor(deps, request, viewer, dataset);
        if (ranking instanceof Response) return ranking;
        const values = await sortedValues(dataset, deps.analyst, ranking);
        const given = deps.contextOf(request).url.searchParams;
        const main = rankingsMain({
          ranking,
          values,
          given,
          years: coverage().fiscalYears,
          zeros: printedZeros(
            dataset,
            ranking.rows.map(({ cik }) => cik),
          ),
        });
        const description = "The highest-paid executives, by office, year, sector and index.";
        const canonical = deps.contextOf(request).baseUrls.origin + ROUTES.rankings.path;
        return show(viewer, {
          title: "Rankings",
          description,
          canonical,
          section: ROUTES.rankings.path,
          main,
        });
      }),
    )
    .post(
      ROUTES.rankings.path,
      ({ request }) => {
        const { url } = deps.contextOf(request);
        return open(deps, request, gateOf(deps, filtersOf(url)), url.pathname + url.search);
      },
      { parse: "none" },
    )
    .get(ROUTES.rankingsDownload.path, async ({ request }) => {
      const dataset = deps.snapshots.current();
      const ranking = await rankingFor(deps, request, deps.viewers.find(request), dataset);
      if (ranking instanceof Response) return ranking;
      const bytes = rankingCsv(dataset, ranking.rows);
      return showFile(bytes, "text/csv; charset=utf-8", "execcomp-ranking.csv");
    });
}

/** The filters of an address, without what else stands in it. */
function filtersOf(url: URL): Filters {
  const known: readonly string[] = [...RANKING_FILTERS, "cursor"];
  return Object.fromEntries(
    [...url.searchParams].filter(([name, value]) => value !== "" && known.includes(name)),
  );
}

function gateOf({ prices }: WebDeps, filters: Filters): Gate {
  const subject = `rankings ${new URLSearchParams(filters)}`;
  return { subject, operation: "page:query", ticker: null, costCredits: prices.priceQuery };
}

/** Without a year filter or a cursor: the first page of the latest year. */
function isLatest(filters: Filters): boolean {
  return !("cursor" in filters) && !("fiscal_year" in filters);
}

/** The ranking of a request for a viewer who may see it, or what stands in its place. */
async function rankingFor(
  deps: WebDeps,
  request: Request,
  viewer: Viewer,
  dataset: Dataset,
): Promise<Ranking | Response> {
  const { url } = deps.contextOf(request);
  const filters = filtersOf(url);
  const gate = gateOf(deps, filters);
  const isPublic = deps.publicRankings === "on" && isLatest(filters);
  if (!isPublic && !deps.viewers.isOpen(viewer, dataset.info.contentHash, gate)) {
    const main = html`<h1>Rankings</h1>
      ${offer(viewer, gate, "this ranking", url.pathname + url.search)}`;
    return show(viewer, { title: "Rankings", section: ROUTES.rankings.path, main });
  }
  try {
    return await rankingOf(dataset, deps.analyst, parameters(new URLSearchParams(filters)));
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}
