/** Companies side by side. */
import { Elysia } from "elysia";
import { html } from "../html.ts";
import { findCompany, printedZeros, yearsOf } from "../operations/page-data.ts";
import { ROUTES } from "../routes.ts";
import type { WebDeps } from "./deps.ts";
import { open } from "./opening.ts";
import { COMPARED, type Compared, type ComparedCompany, compareMain, MAX_COMPARED } from "./pages/compare.ts";
import { conditional, show, showProblem } from "./show.ts";
import { type Gate, offer } from "./viewer.ts";

/** `/compare` */
export function comparePage(deps: WebDeps) {
  return new Elysia({ name: "compare-page" })
    .get(
      ROUTES.compare.path,
      conditional(deps, (request) => showComparison(deps, request)),
    )
    .post(
      ROUTES.compare.path,
      ({ request }) => {
        const { url } = deps.contextOf(request);
        return open(deps, request, gateOf(deps, tickersOf(url)), url.pathname + url.search);
      },
      { parse: "none" },
    );
}

function showComparison(deps: WebDeps, request: Request): Response {
  const viewer = deps.viewers.find(request);
  const { url } = deps.contextOf(request);
  const dataset = deps.snapshots.current();
  const asked = tickersOf(url);
  const names = asked.join(", ");
  if (asked.length > MAX_COMPARED) {
    const text = `A comparison takes at most ${MAX_COMPARED} companies; ${asked.length} were given.`;
    return showProblem(viewer, 400, "Too many companies", text);
  }
  const gate = gateOf(deps, asked);
  if (asked.length > 0 && !deps.viewers.isOpen(viewer, dataset.info.contentHash, gate)) {
    const main = html`<h1>Compare</h1>
      ${offer(viewer, gate, `${names} side by side`, url.pathname + url.search)}`;
    return show(viewer, { title: "Compare", section: ROUTES.compare.path, main });
  }
  const found = asked.map((ticker) => ({ ticker, company: findCompany(dataset, "ticker", ticker) }));
  const main = compareMain({
    asked: names,
    who: whoOf(url),
    year: Number(url.searchParams.get("year") ?? 0) || null,
    companies: found.flatMap(({ company }): ComparedCompany[] =>
      company?.company.hasRows
        ? [{ found: company, years: yearsOf(company, dataset.years(company.company.cik)) }]
        : [],
    ),
    zeros: printedZeros(
      dataset,
      found.flatMap(({ company }) => company?.company.cik ?? []),
    ),
    unknown: found.filter(({ company }) => !company?.company.hasRows).map(({ ticker }) => ticker),
  });
  const title = names === "" ? "Compare" : `Compare ${names}`;
  const description = "Executive pay of companies side by side, by year and component.";
  return show(viewer, { title, description, section: ROUTES.compare.path, main });
}

function whoOf(url: URL): Compared {
  const asked = url.searchParams.get("who");
  return Object.keys(COMPARED).find((name): name is Compared => name === asked) ?? "ceo";
}

function gateOf({ prices }: WebDeps, tickers: readonly string[]): Gate {
  const subject = `compare ${tickers.toSorted().join(",")}`;
  return { subject, operation: "page:query", ticker: null, costCredits: prices.priceQuery };
}

/** The symbols of a comparison, as they were asked for, each once. */
function tickersOf(url: URL): string[] {
  const words = (url.searchParams.get("t") ?? "").toUpperCase().split(/[\s,]+/, 50);
  return [...new Set(words.filter((word) => word !== ""))];
}
