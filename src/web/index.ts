import type { WebDeps } from "./deps.ts";
import { coverageReader } from "../operations/pages.ts";
import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import { changesFeed } from "./changes-feed.ts";
import { conditionalPages } from "./conditional.ts";
import { ceoPayPages } from "./pages/ceo-pay.ts";
import { companyPages } from "./pages/company.ts";
import { comparePage } from "./pages/compare.ts";
import { coveragePage } from "./pages/coverage.ts";
import { groupPages } from "./pages/groups.ts";
import { homePage } from "./pages/home.ts";
import { personPages } from "./pages/person.ts";
import { rankingPages } from "./pages/rankings.ts";
import { searchPages } from "./pages/search.ts";
import { sourcePages } from "./pages/source.ts";
import { statisticsPages } from "./pages/statistics.ts";
import { previewPictures } from "./preview-pictures.ts";
import { ICON_TEXT, SITE_SCRIPT_TEXT } from "./site-script.ts";
import chartStyle from "../charts/charts.css" with { type: "text" };
import sans from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };
import serif from "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2" with { type: "file" };
import style from "./style.css" with { type: "text" };

/** Paths that crawlers should not visit: endpoints for programs, and personal pages. */
const DISALLOWED = [
  ROUTES.compensation.path,
  ROUTES.mcp.path,
  "/oauth/",
  ROUTES.developer.path,
  ROUTES.peerGroups.path,
  ROUTES.sharedList.path,
  ROUTES.signIn.path,
  ROUTES.signUp.path,
];
/** @see RFC 9309 */
const ROBOTS_TEXT = `User-agent: *\n${DISALLOWED.map((path) => `Disallow: ${path}\n`).join("")}`;

/** The pages for people, with their stylesheet, fonts, script and icons. */
export function web(given: Omit<WebDeps, "conditional">) {
  const deps: WebDeps = { ...given, conditional: conditionalPages(given) };
  const coverage = coverageReader(deps);
  const asset = (type: string, text: string) => () =>
    new Response(text, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } });
  const font = (file: string) => async () =>
    new Response(await Bun.file(file).bytes(), {
      headers: { "content-type": "font/woff2", "cache-control": "public, max-age=31536000, immutable" },
    });
  return (
    new Elysia({ name: "web" })
      .get(ROUTES.stylesheet.path, asset("text/css; charset=utf-8", chartStyle + style))
      .get(ROUTES.sansFont.path, font(sans))
      .get(ROUTES.serifFont.path, font(serif))
      .get(ROUTES.siteScript.path, asset("text/javascript; charset=utf-8", SITE_SCRIPT_TEXT))
      .get(ROUTES.icon.path, asset("image/svg+xml", ICON_TEXT))
      // Browsers request it on pages whose HTML we do not control, such as the API reference.
      .get(ROUTES.favicon.path, asset("image/svg+xml", ICON_TEXT))
      .get(ROUTES.robots.path, asset("text/plain; charset=utf-8", ROBOTS_TEXT))
      .use(previewPictures(deps))
      .use(homePage(deps))
      .use(searchPages(deps))
      .use(coveragePage(deps, coverage))
      .use(companyPages(deps))
      .use(personPages(deps))
      .use(sourcePages(deps))
      .use(rankingPages(deps, coverage))
      .use(ceoPayPages(deps, coverage))
      .use(statisticsPages(deps, coverage))
      .use(comparePage(deps))
      .use(groupPages(deps))
      .use(changesFeed(deps))
  );
}
