import { ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import { html, page } from "../html.ts";
import { BoundedCache } from "../domain/cache.ts";
import { pageResponse, pathSegment } from "../http.ts";
import { coverageReader, findLatest } from "../operations/pages.ts";
import type { OperationDeps } from "../operations/operation.ts";
import type { ContextOf } from "../base-urls.ts";
import { companyPage } from "./company.ts";
import { coveragePage } from "./coverage.ts";
import { homePage } from "./home.ts";
import style from "./style.css" with { type: "text" };

/** What the pages that need no account are built from. */
export interface WebDeps {
  snapshots: OperationDeps["snapshots"];
  contextOf: ContextOf;
}

const KEPT = { "cache-control": "public, max-age=300" };

/** Coverage pages that are kept, by what was asked. */
const CACHED_PAGES = 64;

/** The pages for people that need no account. */
export function web(deps: WebDeps) {
  const { contextOf, snapshots } = deps;
  const coverage = coverageReader(deps);
  // Made once and shared by all who read it: with thousands of companies a page takes milliseconds and 100 kB.
  const pages = new BoundedCache<string, Blob>(CACHED_PAGES);

  return (
    new Elysia({ name: "web" })
      .get(ROUTES.stylesheet.path, () => {
        const headers = {
          "content-type": "text/css; charset=utf-8",
          "cache-control": "public, max-age=3600",
        };
        return new Response(style, { headers });
      })
      // SessionCookies ask for it on pages that are not ours to write, such as the API reference.
      .get(
        ROUTES.favicon.path,
        () => new Response(null, { status: 204, headers: { "cache-control": "max-age=86400" } }),
      )
      .get(ROUTES.home.path, ({ request }) =>
        pageResponse(homePage(contextOf(request).baseUrls, snapshots.current().info), 200, KEPT),
      )
      .get(ROUTES.coverage.path, ({ request }) => {
        const { searchParams } = contextOf(request).url;
        const { info, lines } = coverage();
        const query = {
          search: searchParams.get("search")?.trim().slice(0, 60) ?? "",
          gaps: searchParams.has("gaps"),
          page: Math.trunc(Number(searchParams.get("page") ?? 1)) || 1,
        };
        const key = `${info.contentHash} ${JSON.stringify(query)}`;
        const body = pages.getOrMake(key, () => new Blob([coveragePage(lines, info.edition, query)]));
        return pageResponse(body, 200, KEPT);
      })
      .get(ROUTES.companySearch.path, ({ request }) => {
        const { url, baseUrls } = contextOf(request);
        const ticker = encodeURIComponent(url.searchParams.get("ticker")?.trim() ?? "");
        const location = ticker === "" ? `${baseUrls.origin}/` : `${baseUrls.origin}/t/${ticker}`;
        return new Response(null, { status: 303, headers: { location } });
      })
      .get(ROUTES.company.path, ({ request }) => {
        const { url } = contextOf(request);
        const asOf = url.searchParams.get("as_of");
        if (asOf !== null && !isDay(asOf)) return badDay(asOf);
        const found = findLatest(deps, pathSegment(url.pathname, 2), asOf);
        const { company, ticker, latest } = found;
        if (company === undefined || latest === undefined) return notAvailable(ticker, company?.name, asOf);
        return pageResponse(companyPage(company, ticker, latest, asOf), 200, KEPT);
      })
  );
}

function isDay(words: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(words) && !Number.isNaN(Date.parse(words));
}

function badDay(asOf: string): Response {
  const title = "Invalid date";
  const main = html`<h1>${title}</h1>
    <p>Cannot read as_of ${JSON.stringify(asOf)}: expected a date such as 2026-01-31.</p>`;
  return pageResponse(page({ title, main }), 400);
}

function notAvailable(ticker: string, name: string | undefined, asOf: string | null): Response {
  const why =
    name === undefined
      ? `No ticker "${ticker}".`
      : asOf === null
        ? `No rows for ${name} yet.`
        : `${name} had filed nothing about its latest fiscal year by ${asOf}. Earlier years need an API key.`;
  const main = html`<h1>${ticker}</h1>
    <p>${why}</p>
    <p><a href="/coverage?search=${encodeURIComponent(ticker)}">Covered companies</a></p>`;
  return pageResponse(page({ title: ticker, main }), 404);
}
