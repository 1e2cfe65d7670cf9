/** What helps where companies are missing: a button for who may press it, the command for an operator, a sentence for others. */
import { type Html, html } from "../lib/html.ts";
import { ROUTES } from "../http/routes.ts";
import type { PageCompany } from "../operations/companies.ts";
import type { PageVisit } from "./page-visit.ts";
import { hiddenFields } from "./fields.ts";

/** Fiscal years that are loaded of a company that is missing. */
const YEARS = "5";
/** Companies of one ingest. */
const MAX_LOADED = 100;

/** How the filings of companies get into the dataset; nothing without companies. */
export function remedyFor({ viewer, deps }: PageVisit, missing: readonly PageCompany[]): Html | false {
  const symbols = missing.flatMap(({ ticker }) => (ticker === "" ? [] : [ticker])).slice(0, MAX_LOADED);
  if (missing.length === 0) return false;
  if (viewer.kind === "operator" && symbols.length > 0)
    return html`This loads their filings:
      <code>execcomp ingest --ticker ${symbols.join(",")} --years ${YEARS}</code>`;
  if (viewer.kind !== "person" || !viewer.person.isOwner || symbols.length === 0 || deps.forms === null)
    return html`Whoever runs this server can load their filings.`;
  const fields = { act: "start", what: "companies", symbols: symbols.join(","), years: YEARS };
  const sent = { ...fields, csrf: viewer.browserSession.csrf, once: deps.forms.runtime.id() };
  return html`<form class="inline" method="post" action="${ROUTES.adminIngest.path}">
    ${hiddenFields(sent)} <button class="quiet">Load their filings from the SEC</button>
  </form>`;
}
