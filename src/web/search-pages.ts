/** The home page, search, suggestions, coverage. */
import { Elysia } from "elysia";
import { BoundedCache } from "../domain/cache.ts";
import { foldedWords } from "../domain/selection.ts";
import { type Html, html } from "../html.ts";
import { parameters, redirectTo } from "../http/responses.ts";
import {
  type Dataset,
  findCompanies,
  findCompany,
  findPeopleNamed,
  findPeopleNear,
  fiscalYearsOf,
  latestFilings,
  rankingOf,
} from "../operations/page-data.ts";
import { readSearch } from "../operations/documents/search.ts";
import type { CoverageReader } from "../operations/pages.ts";
import { ROUTES } from "../http/routes.ts";
import type { WebDeps } from "./deps.ts";
import { COVERAGE_STATUSES, type CoverageStatus, coverageMain } from "./pages/coverage.ts";
import { homeMain, type HomeView, MAX_FOUND, searchMain } from "./pages/home.ts";
import { companyPath } from "./pages/parts.ts";
import { coverageData, siteData } from "./pages/linked-data.ts";
import { pictureOf } from "./picture.ts";
import { keptPages, type KeptPages, show, showKept, showRefusal } from "./show.ts";
import type { Viewer } from "./viewer.ts";

const TOP = 5;
const LATEST_FILINGS = 6;
const SUGGESTED = 8;
const MAX_WORDS = 100;
/** Bytes of cached coverage pages. */
const CACHED_BYTES = 8 << 20;

/** `/`, `/search`, `/suggest`, `/coverage`, and the former search by ticker at `/t`. */
export function searchPages(deps: WebDeps, coverage: CoverageReader) {
  const coveragePages = keptPages(CACHED_BYTES);
  // Finding the latest filings reads all of them, so it is done once per dataset.
  const kept = new BoundedCache<string, Pick<HomeView, "filings" | "fiscalYears">>(2);
  const covered = (dataset: Dataset) =>
    kept.getOrMake(dataset.info.contentHash, () => ({
      filings: latestFilings(dataset, LATEST_FILINGS),
      fiscalYears: fiscalYearsOf(dataset),
    }));
  return new Elysia({ name: "search-pages" })
    .get(
      ROUTES.home.path,
      deps.conditional((request) => showHome(deps, request, covered)),
    )
    .get(
      ROUTES.search.path,
      deps.conditional((request) => search(deps, request)),
    )
    .get(ROUTES.suggest.path, ({ request }) => suggest(deps, request))
    .get(ROUTES.companySearch.path, ({ request }) => {
      const { url, baseUrls } = deps.contextOf(request);
      const words = url.searchParams.get("ticker")?.trim() ?? "";
      const found = words === "" ? "/" : `${ROUTES.search.path}?q=${encodeURIComponent(words)}`;
      return redirectTo(baseUrls.origin + found, []);
    })
    .get(
      ROUTES.coverage.path,
      deps.conditional((request) => showCoverage(deps, request, coverage, coveragePages)),
    );
}

async function showCoverage(
  deps: WebDeps,
  request: Request,
  coverage: CoverageReader,
  kept: KeptPages,
): Promise<Response> {
  const { url, baseUrls } = deps.contextOf(request);
  const { searchParams } = url;
  const query = {
    search: searchParams.get("search")?.trim().slice(0, 60) ?? "",
    status: statusOf(searchParams),
    sector: searchParams.get("sector")?.slice(0, 40) ?? "",
    page: Math.trunc(Number(searchParams.get("page") ?? 1)) || 1,
  };
  const { info, lines } = await coverage.read();
  // Cached for all viewers: with thousands of companies it takes milliseconds and 100 kB.
  const key = `${info.contentHash} ${baseUrls.origin} ${JSON.stringify(query)}`;
  return showKept(kept, key, await deps.viewers.find(request), () => {
    const description = `Fiscal years available for ${lines.length} companies, and what is missing.`;
    const section = ROUTES.coverage.path;
    const described = { description, edition: info.edition, fiscalYears: coverage.fiscalYears() };
    const linkedData = coverageData(baseUrls.origin, described);
    const main = coverageMain(lines, info.edition, query);
    return {
      title: "Coverage",
      description,
      canonical: baseUrls.origin + section,
      linkedData,
      section,
      main,
    };
  });
}

async function showHome(
  deps: WebDeps,
  request: Request,
  covered: (dataset: Dataset) => Pick<HomeView, "filings" | "fiscalYears">,
): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const dataset = deps.snapshots.current();
  const top = async (office: "peo" | "pfo", title: string) => {
    const query = { office, one_per_company_year: "true" };
    const requested = parameters(new URLSearchParams({ ...query, max_rows: String(TOP) }));
    const { rows } = await rankingOf(dataset, deps.analyst, requested);
    return { title, address: `${ROUTES.rankings.path}?${new URLSearchParams(query)}`, rows };
  };
  const rankings = seesRankings(deps, viewer)
    ? await Promise.all([top("peo", "Highest-paid CEOs"), top("pfo", "Highest-paid CFOs")])
    : [];
  const { baseUrls } = deps.contextOf(request);
  const main = homeMain(baseUrls, {
    ...dataset.info,
    ...covered(dataset),
    rankings,
  });
  const title = "What public companies paid their executives";
  const description =
    "Named executive officer compensation from SEC filings, row by row, each with its filing.";
  const linkedData = siteData(baseUrls.origin, description);
  const canonical = `${baseUrls.origin}/`;
  const alt = "How many companies, rows and fiscal years are covered.";
  const picture = pictureOf(deps, request, ROUTES.homePreview.path, alt);
  return show(viewer, { title, description, canonical, picture, linkedData, main });
}

/** Whether the viewer sees rankings free of charge. */
function seesRankings({ prices, publicRankings }: WebDeps, viewer: Viewer): boolean {
  if (viewer.kind === "person" && (viewer.isUnmetered || prices.priceQuery === 0)) return true;
  return viewer.kind === "operator" || publicRankings === "on";
}

async function search(deps: WebDeps, request: Request): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const { url, baseUrls } = deps.contextOf(request);
  const words = wordsOf(url);
  if (words === "") return redirectTo(`${baseUrls.origin}/`, []);
  const dataset = deps.snapshots.current();
  const exact = /^CIK/i.test(words)
    ? findCompany(dataset, "cik", words.replace(/^CIK\s*/i, ""))
    : findCompany(dataset, "ticker", words);
  if (exact?.company.hasRows) {
    return redirectTo(baseUrls.origin + companyPath({ ticker: exact.ticker, cik: exact.company.cik }), []);
  }
  const seesPeople = viewer.kind !== "visitor";
  try {
    await dataset.searchReady();
    const named = (text: string) => findCompanies(dataset, text, MAX_FOUND);
    const peopleNamed = async (text: string) =>
      seesPeople && /[a-z]/i.test(text) ? await findPeopleNamed(dataset, deps.analyst, text) : null;
    let [companies, found] = [named(words), await peopleNamed(words)];
    // `starbucks ceo pay 2024`: no name contains all of these words, so search for the names among them.
    const names = readSearch(words).names.join(" ");
    const isMeant =
      companies.length > 0 || (found !== null && found.people.length > 0 && found.having === null);
    if (!isMeant && names !== "" && names !== foldedWords(words).join(" "))
      [companies, found] = [named(names), await peopleNamed(names)];
    if (companies.length === 0 && found?.people.length === 0)
      found = await findPeopleNear(dataset, deps.analyst, names === "" ? words : names);
    const main = searchMain({
      words,
      companies,
      people: found?.people ?? null,
      having: found?.having ?? null,
      offer: seesPeople ? null : signInToSearch(url),
    });
    return show(viewer, { title: `Search: ${words}`, main });
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}

/** Suggests companies only, to any viewer, with a rate limit of its own. */
async function suggest(deps: WebDeps, request: Request): Promise<Response> {
  const { url, address, id } = deps.contextOf(request);
  try {
    await deps.admit({ presented: { kind: "none" }, address, requestId: id }, "any", "handshakes");
  } catch (refused) {
    return showRefusal({ kind: "visitor" }, refused);
  }
  const words = wordsOf(url);
  const dataset = deps.snapshots.current();
  if (words !== "") await dataset.searchReady();
  const found = words === "" ? [] : dataset.search(words, SUGGESTED);
  const companies = found.flatMap((cik) => {
    const company = dataset.findByCik(cik);
    return company?.hasRows ? [{ ticker: company.ticker, cik, company_name: company.name }] : [];
  });
  return Response.json({ companies }, { headers: { "cache-control": "public, max-age=300" } });
}

function wordsOf(url: URL): string {
  return (url.searchParams.get("q") ?? "").trim().slice(0, MAX_WORDS);
}

function statusOf(given: URLSearchParams): CoverageStatus {
  const requested = given.has("gaps") ? "partial" : given.get("status");
  return Object.keys(COVERAGE_STATUSES).find((name): name is CoverageStatus => name === requested) ?? "rows";
}

/** A note that search by name requires sign-in. */
function signInToSearch(url: URL): Html {
  return html`<p class="note">
    <a href="/sign-in?next=${encodeURIComponent(url.pathname + url.search)}">Sign in</a> to search executives
    by name.
  </p>`;
}
