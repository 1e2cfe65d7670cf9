/** Refusals as pages: why there is nothing to show, with the search form. */
import { type RefusalKind, ServiceError } from "../errors.ts";
import { type Html, html } from "../lib/html.ts";
import { ROUTES } from "../http/routes.ts";
import { refusalOf } from "../http/refusals.ts";
import type { HeaderFields } from "../http/headers.ts";
import { wantsPage } from "../http/requests.ts";
import { searchForm } from "./parts/elements.ts";
import { USAGE_PATH } from "./paywall.ts";
import type { Viewer } from "./viewer.ts";
import { show } from "./page-response.ts";

/** What a page of a refusal has besides its text: what the search form is filled in with, and what may be meant. */
interface Instead {
  words?: string;
  meant?: Html | false;
}

/** A refusal with its title, and a text that may have links. */
class PageRefusal extends ServiceError {
  constructor(
    kind: RefusalKind,
    readonly title: string,
    readonly text: string | Html,
    readonly instead: Instead = {},
  ) {
    super(kind, title);
  }
}

/** Makes an answer; if that is refused, answers with the page that says why. @param pageOf what becomes of that page */
export async function orRefusal(
  viewer: Viewer,
  make: () => Promise<Response> | Response,
  pageOf = (refusal: Response): Response => refusal,
): Promise<Response> {
  try {
    return await make();
  } catch (refused) {
    // The address is none of this page's: answered as any other that is not there.
    if (refused instanceof ServiceError && refused.kind === "no_route") throw refused;
    return pageOf(showRefusal(viewer, refused));
  }
}

/** A page that shows only an error message and the search form. */
export function showProblem(
  viewer: Viewer,
  status: number,
  title: string,
  text: string | Html,
  headers: HeaderFields = {},
  { words = "", meant = false }: Instead = {},
): Response {
  const main = html`<h1>${title}</h1>
    <p role="alert">${text}</p>
    ${meant} ${searchForm(words, false)} ${status === 404 && ELSEWHERE}`;
  return show(viewer, { title, main, status, ownSearch: true }, headers);
}

/** Where to go from a page that is not there. */
const ELSEWHERE = html`<p class="soft">
  Search for a company or an executive, or go to <a href="${ROUTES.rankings.path}">Rankings</a>,
  <a href="${ROUTES.coverage.path}">Coverage</a>, which lists every company, or the
  <a href="${ROUTES.docs.path}">API reference</a>.
</p>`;

/** The refusal of a page that is not there, to be thrown. */
export function noPage(title: string, text: string | Html, instead: Instead = {}): ServiceError {
  return new PageRefusal("unknown_company", title, text, instead);
}

/** The refusal of a page of an earlier dataset, to be thrown. @param first the address of the first page */
export function earlierDataset(first: string): ServiceError {
  const text = html`This page was of an earlier one. <a href="${first}">Open the first page</a>.`;
  return new PageRefusal("stale_cursor", "The dataset has changed", text);
}

/** The refusal of a download in an unknown format, to be thrown. */
export function noFormat(expected: string): ServiceError {
  return new PageRefusal("invalid_parameter", "Unknown format", `Expected ${expected}.`);
}

/** The refusal of a chart that a page does not have, to be thrown. */
export function noChart(name: string, names: readonly string[]): ServiceError {
  const text = `This page has no chart ${JSON.stringify(name)}. Expected chart=${names.join(" or chart=")}.`;
  return new PageRefusal("invalid_parameter", "Unknown chart", text);
}

const TITLES: Readonly<Record<number, string>> = {
  401: "Sign in first",
  402: "Not enough credits",
  403: "Not allowed",
  404: "Not found",
  413: "Too long",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Temporarily unavailable",
};

/** The error page for a browser; undefined for clients that do not accept HTML. */
export function problemPage(
  request: Request,
  viewer: Viewer,
  status: number,
  message: string,
  headers: HeaderFields = {},
): Response | undefined {
  if (!wantsPage(request)) return undefined;
  return showProblem(viewer, status, TITLES[status] ?? "Error", message, headers);
}

/** The page for a refusal; other errors are rethrown. */
function showRefusal(viewer: Viewer, refused: unknown): Response {
  const { message, status, headers } = refusalOf(refused);
  if (refused instanceof PageRefusal)
    return showProblem(viewer, status, refused.title, refused.text, headers, refused.instead);
  const text = status === 402 ? html`${message} <a href="${USAGE_PATH}">Usage and credits</a>` : message;
  return showProblem(viewer, status, TITLES[status] ?? "Invalid request", text, headers);
}
