import { Elysia } from "elysia";
import { STYLESHEET, html, page } from "../html.ts";
import { pageAnswer, pathSegment } from "../http.ts";
import { findLatest } from "../operations/facts.ts";
import type { OperationParts } from "../operations/parts.ts";
import { companyPage } from "./company.ts";
import style from "./style.css" with { type: "text" };

/** What the pages are built from. */
export type WebParts = Pick<OperationParts, "snapshots">;

/** The pages for people. */
export function web(parts: WebParts) {
  return new Elysia({ name: "web" })
    .get(STYLESHEET, () => {
      const headers = { "content-type": "text/css; charset=utf-8", "cache-control": "public, max-age=3600" };
      return new Response(style, { headers });
    })
    .get("/t/:ticker", ({ request }) => {
      const { ticker, company, latest } = findLatest(parts, pathSegment(new URL(request.url).pathname, 2));
      if (company === undefined || latest === undefined) return notHeld(ticker, company?.name);
      return pageAnswer(companyPage(company, ticker, latest), 200, {
        "cache-control": "public, max-age=300",
      });
    });
}

function notHeld(ticker: string, name: string | undefined): Response {
  const why =
    name === undefined
      ? `No company has the ticker ${ticker}.`
      : `${name} is known, but none of its rows is held.`;
  return pageAnswer(
    page({
      title: ticker,
      main: html`<h1>${ticker}</h1>
        <p>${why}</p>`,
    }),
    404,
  );
}
