import type { WebDeps } from "./deps.ts";
import { coverageReader } from "../operations/pages.ts";
import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import { changesFeed } from "./changes-feed.ts";
import { companyPages } from "./company-pages.ts";
import { comparePage } from "./compare-page.ts";
import { groupPages } from "./group-pages.ts";
import { previewPictures } from "./preview-pictures.ts";
import { rankingPages } from "./ranking-pages.ts";
import { searchPages } from "./search-pages.ts";
import { conditionalPages } from "./conditional.ts";
import { ICON_TEXT, SITE_SCRIPT_TEXT } from "./site-script.ts";
import chartStyle from "../charts/charts.css" with { type: "text" };
import style from "./style.css" with { type: "text" };

/** The pages for people, with their stylesheet, script and icons. */
export function web(given: Omit<WebDeps, "conditional">) {
  const deps: WebDeps = { ...given, conditional: conditionalPages(given) };
  const coverage = coverageReader(deps);
  const asset = (type: string, text: string) => () =>
    new Response(text, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } });
  return (
    new Elysia({ name: "web" })
      .get(ROUTES.stylesheet.path, asset("text/css; charset=utf-8", chartStyle + style))
      .get(ROUTES.siteScript.path, asset("text/javascript; charset=utf-8", SITE_SCRIPT_TEXT))
      .get(ROUTES.icon.path, asset("image/svg+xml", ICON_TEXT))
      // Browsers request it on pages whose HTML we do not control, such as the API reference.
      .get(ROUTES.favicon.path, asset("image/svg+xml", ICON_TEXT))
      .use(previewPictures(deps))
      .use(companyPages(deps))
      .use(searchPages(deps, coverage))
      .use(rankingPages(deps, coverage))
      .use(comparePage(deps))
      .use(groupPages(deps))
      .use(changesFeed(deps))
  );
}
