import { ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import type { ContextOf } from "../base-urls.ts";
import type { OperationDeps } from "../operations/operation.ts";
import type { Analyst } from "../operations/page-data.ts";
import type { SessionCookies } from "../session-cookies.ts";
import { companyPages } from "./company-pages.ts";
import { selectionPages } from "./selection-pages.ts";
import { ICON_TEXT, SITE_SCRIPT_TEXT } from "./site-script.ts";
import style from "./style.css" with { type: "text" };
import type { Viewers } from "./viewer.ts";

/** What the pages about compensation are built from. */
export interface WebDeps {
  snapshots: OperationDeps["snapshots"];
  analyst: Analyst;
  contextOf: ContextOf;
  viewers: Viewers;
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  prices: { priceHistory: number; priceQuery: number };
  admit: OperationDeps["admit"];
  /** Whether visitors see rankings of the latest fiscal year. */
  publicRankings: "on" | "off";
  /** Of this build, for entity tags. */
  version: string;
}

/** The pages for people, and what they load. */
export function web(deps: WebDeps) {
  const asset = (type: string, text: string) => () =>
    new Response(text, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } });
  return (
    new Elysia({ name: "web" })
      .get(ROUTES.stylesheet.path, asset("text/css; charset=utf-8", style))
      .get(ROUTES.siteScript.path, asset("text/javascript; charset=utf-8", SITE_SCRIPT_TEXT))
      .get(ROUTES.icon.path, asset("image/svg+xml", ICON_TEXT))
      // Browsers ask for it on pages that are not ours to write, such as the API reference.
      .get(ROUTES.favicon.path, asset("image/svg+xml", ICON_TEXT))
      .use(companyPages(deps))
      .use(selectionPages(deps))
  );
}
