/** Pages across companies: the first page, search, rankings, comparison, coverage. */
import { Elysia } from "elysia";
import { parameters } from "../http.ts";
import { rankingCsv } from "../operations/downloads.ts";
import {
  findCompanies,
  findCompany,
  findPeople,
  type Ranking,
  rankingOf,
  yearsOf,
} from "../operations/page-data.ts";
import { coverageReader } from "../operations/pages.ts";
import { BoundedCache } from "../domain/cache.ts";
import { type Html, html } from "../html.ts";
import { ROUTES } from "../routes.ts";
import { redirectTo } from "./entry.ts";
import type { WebDeps } from "./deps.ts";
import { COMPARED, type Compared, compareMain, type ComparedCompany, MAX_COMPARED } from "./pages/compare.ts";
import { coverageMain } from "./pages/coverage.ts";
import { homeMain, searchMain } from "./pages/home.ts";
import { companyPath } from "./pages/parts.ts";
import { RANKING_FILTERS, rankingsMain } from "./pages/rankings.ts";
import { show, showProblem, showRefusal } from "./show.ts";
import { type Gate, offer, type Viewer } from "./viewer.ts";

const TOP = 5;
const SUGGESTED = 8;
/** Coverage pages that are kept, by what was asked. */
const CACHED_PAGES = 64;

/** `/`, `/search`, `/suggest`, `/rankings`, `/compare`, `/coverage`. */
export function selectionPages(deps: WebDeps) {
  const { contextOf, snapshots, viewers, analyst } = deps;
  const coverage = coverageReader(deps);
  const coveragePages = new BoundedCache<string, Html>(CACHED_PAGES);
  const gateOf = (subject: string): Gate => ({
    subject,
    operation: "page:query",
    ticker: null,
    costCredits: deps.prices.priceQuery,
  });
  const isOpen = (viewer: Viewer, gate: Gate) =>
    viewers.isOpen(viewer, snapshots.current().info.contentHash, gate);
  const given = (query: Record<string, string>) => parameters(new URLSearchParams(query));

  const home = async ({ request }: { request: Request }) => {
    const viewer = viewers.find(request);
    const dataset = snapshots.current();
    const top = async (office: "peo" | "pfo", title: string) => {
      const query = { office, one_per_company_year: "true" };
      const { rows } = await rankingOf(dataset, analyst, given({ ...query, max_rows: String(TOP) }));
      return { title, address: `/rankings?${new URLSearchParams(query)}`, rows };
    };
    const seesRankings = viewer.kind === "operator" || deps.publicRankings === "on" || isFree(viewer);
    const rankings = seesRankings
      ? await Promise.all([top("peo", "Highest-paid CEOs"), top("pfo", "Highest-paid CFOs")])
      : [];
    const main = homeMain(contextOf(request).baseUrls, { ...dataset.info, rankings });
    const title = "What public companies paid their executives";
    const description =
      "Named executive officer compensation from SEC filings, row by row, each with its filing.";
    return show(viewer, { title, description, main });
  };

  const isFree = (viewer: Viewer) =>
    viewer.kind === "person" && (viewer.isUnmetered || deps.prices.priceQuery === 0);

  const search = async ({ request }: { request: Request }) => {
    const viewer = viewers.find(request);
    const { url, baseUrls } = contextOf(request);
    const words = (url.searchParams.get("q") ?? "").trim().slice(0, 100);
    if (words === "") return redirectTo(`${baseUrls.origin}/`, []);
    const dataset = snapshots.current();
    const exact = /^CIK/i.test(words)
      ? findCompany(dataset, "cik", words.replace(/^CIK\s*/i, ""))
      : findCompany(dataset, "ticker", words);
    if (exact?.company.hasRows) {
      return redirectTo(baseUrls.origin + companyPath({ ticker: exact.ticker, cik: exact.company.cik }), []);
    }
    const companies = findCompanies(dataset, words, 20);
    try {
      const seesPeople = viewer.kind !== "visitor";
      const people = seesPeople && /[a-z]/i.test(words) ? await findPeople(dataset, analyst, words) : null;
      const main = searchMain({
        words,
        companies,
        people,
        offer: seesPeople ? null : signInToSearch(url),
      });
      return show(viewer, { title: `Search: ${words}`, main });
    } catch (refused) {
      return showRefusal(viewer, refused);
    }
  };

  const suggest = ({ request }: { request: Request }) => {
    const { url, address, id } = contextOf(request);
    try {
      deps.admit({ presented: { kind: "none" }, address, requestId: id }, "any", "handshakes");
    } catch (refused) {
      return showRefusal({ kind: "visitor" }, refused);
    }
    const words = (url.searchParams.get("q") ?? "").trim().slice(0, 100);
    const found = words === "" ? [] : findCompanies(snapshots.current(), words, SUGGESTED);
    const companies = found
      .filter(({ fiscal_years: years }) => years.length > 0)
      .map(({ ticker, cik, company_name }) => ({ ticker, cik, company_name }));
    return Response.json({ companies }, { headers: { "cache-control": "public, max-age=300" } });
  };

  /** What a ranking asks, without what other pages put into an address. */
  const filtersOf = (url: URL): Record<string, string> =>
    Object.fromEntries(
      [...url.searchParams].filter(
        ([name, value]) => value !== "" && [...RANKING_FILTERS, "cursor"].some((known) => known === name),
      ),
    );
  const rankingGate = (filters: Record<string, string>) => gateOf(`rankings ${new URLSearchParams(filters)}`);
  /** Without a year filter or a cursor: the first page of the latest year. */
  const isLatest = (filters: Record<string, string>) => !("cursor" in filters) && !("fiscal_year" in filters);

  /** The ranking of a request for a viewer who may see it, or what stands in its place. */
  const rankingFor = async (request: Request, viewer: Viewer): Promise<Ranking | Response> => {
    const { url } = contextOf(request);
    const filters = filtersOf(url);
    const gate = rankingGate(filters);
    const isPublic = deps.publicRankings === "on" && isLatest(filters);
    if (!isOpen(viewer, gate) && !isPublic) {
      const main = html`<h1>Rankings</h1>
        ${offer(viewer, gate, "this ranking", url.pathname + url.search)}`;
      return show(viewer, { title: "Rankings", main });
    }
    try {
      return await rankingOf(snapshots.current(), analyst, given(filters));
    } catch (refused) {
      return showRefusal(viewer, refused);
    }
  };

  const rankings = async ({ request }: { request: Request }) => {
    const viewer = viewers.find(request);
    const ranking = await rankingFor(request, viewer);
    if (ranking instanceof Response) return ranking;
    const years = [
      ...new Set(coverage().lines.flatMap((line) => line.years.map(({ fiscalYear }) => fiscalYear))),
    ].sort((a, b) => b - a);
    const main = rankingsMain({ ranking, given: contextOf(request).url.searchParams, years });
    return show(viewer, {
      title: "Rankings",
      description: "The highest-paid executives, by office, year, sector and index.",
      main,
    });
  };

  const rankingsDownload = async ({ request }: { request: Request }) => {
    const ranking = await rankingFor(request, viewers.find(request));
    if (ranking instanceof Response) return ranking;
    return new Response(rankingCsv(snapshots.current(), ranking.rows), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="execcomp-ranking.csv"',
        "cache-control": "private, no-cache",
        "x-content-type-options": "nosniff",
      },
    });
  };

  const openRanking =
    (toGate: (url: URL) => Gate) =>
    async ({ request }: { request: Request }) => {
      const viewer = viewers.find(request);
      const { url, baseUrls, id } = contextOf(request);
      const here = url.pathname + url.search;
      if (viewer.kind !== "person" || deps.sessionCookies === null) {
        return redirectTo(`${baseUrls.origin}/sign-in?next=${encodeURIComponent(here)}`, []);
      }
      try {
        await deps.sessionCookies.form(request, viewer.browserSession);
        await viewers.open(viewer, snapshots.current().info.contentHash, toGate(url), id);
        return redirectTo(baseUrls.origin + here, viewer.browserSession.cookies);
      } catch (refused) {
        return showRefusal(viewer, refused);
      }
    };

  const compareGate = (url: URL) => gateOf(`compare ${tickersOf(url).toSorted().join(",")}`);
  const compare = ({ request }: { request: Request }) => {
    const viewer = viewers.find(request);
    const { url } = contextOf(request);
    const dataset = snapshots.current();
    const asked = tickersOf(url);
    if (asked.length > MAX_COMPARED) {
      return showProblem(
        viewer,
        400,
        "Too many companies",
        `A comparison takes at most ${MAX_COMPARED} companies; ${asked.length} were given.`,
      );
    }
    const gate = compareGate(url);
    if (asked.length > 0 && !isOpen(viewer, gate)) {
      const main = html`<h1>Compare</h1>
        ${offer(viewer, gate, `${asked.join(", ")} side by side`, url.pathname + url.search)}`;
      return show(viewer, { title: "Compare", main });
    }
    const found = asked.map((ticker) => ({ ticker, company: findCompany(dataset, "ticker", ticker) }));
    const companies = found.flatMap(({ company }): ComparedCompany[] =>
      company?.company.hasRows
        ? [{ found: company, years: yearsOf(company, dataset.years(company.company.cik)) }]
        : [],
    );
    const who =
      Object.keys(COMPARED).find((name): name is Compared => name === url.searchParams.get("who")) ?? "ceo";
    const main = compareMain({
      asked: asked.join(", "),
      who,
      year: Number(url.searchParams.get("year") ?? 0) || null,
      companies,
      unknown: found.filter(({ company }) => !company?.company.hasRows).map(({ ticker }) => ticker),
    });
    return show(viewer, { title: `Compare ${asked.join(", ")}`, main });
  };

  const showCoverage = ({ request }: { request: Request }) => {
    const { searchParams } = contextOf(request).url;
    const { info, lines } = coverage();
    const query = {
      search: searchParams.get("search")?.trim().slice(0, 60) ?? "",
      gaps: searchParams.has("gaps"),
      page: Math.trunc(Number(searchParams.get("page") ?? 1)) || 1,
    };
    const description = `Fiscal years available for ${lines.length} companies, and what is missing.`;
    // Made once and shared by all who read it: with thousands of companies it takes milliseconds and 100 kB.
    const key = `${info.contentHash} ${JSON.stringify(query)}`;
    const main = coveragePages.getOrMake(key, () => coverageMain(lines, info.edition, query));
    return show(viewers.find(request), {
      title: "Coverage",
      description,
      main,
    });
  };

  const asForm = { parse: "none" } as const;
  return new Elysia({ name: "selection-pages" })
    .get(ROUTES.home.path, home)
    .get(ROUTES.search.path, search)
    .get(ROUTES.suggest.path, suggest)
    .get(ROUTES.companySearch.path, ({ request }) => {
      const { url, baseUrls } = contextOf(request);
      const words = url.searchParams.get("ticker")?.trim() ?? "";
      return redirectTo(
        words === "" ? `${baseUrls.origin}/` : `${baseUrls.origin}/search?q=${encodeURIComponent(words)}`,
        [],
      );
    })
    .get(ROUTES.rankings.path, rankings)
    .post(
      ROUTES.rankings.path,
      openRanking((url) => rankingGate(filtersOf(url))),
      asForm,
    )
    .get(ROUTES.rankingsDownload.path, rankingsDownload)
    .get(ROUTES.compare.path, compare)
    .post(ROUTES.compare.path, openRanking(compareGate), asForm)
    .get(ROUTES.coverage.path, showCoverage);
}

/** The symbols of a comparison, as they were asked for, each once. */
function tickersOf(url: URL): string[] {
  const words = (url.searchParams.get("t") ?? "").toUpperCase().split(/[\s,]+/, 50);
  return [...new Set(words.filter((word) => word !== ""))];
}

/** One sentence for what only signed-in people see. */
function signInToSearch(url: URL) {
  return html`<p class="note">
    <a href="/sign-in?next=${encodeURIComponent(url.pathname + url.search)}">Sign in</a> to search executives
    by name.
  </p>`;
}
