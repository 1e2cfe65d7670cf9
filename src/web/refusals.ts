/** Refusals as pages: why there is nothing to show, with the search form. */
import { ServiceError } from "../errors.ts";
import { type Html, html } from "../lib/html.ts";
import { refusalOf } from "../http/refusals.ts";
import type { HeaderFields } from "../http/headers.ts";
import { wantsPage } from "../http/requests.ts";
import { searchForm } from "./parts/elements.ts";
import { USAGE_PATH } from "./paywall.ts";
import type { Viewer } from "./viewer.ts";
import { show } from "./show.ts";

/** Thrown where another page is shown instead of the requested one: an offer, or why there is nothing to show. */
export class Instead extends Error {
  constructor(readonly show: (viewer: Viewer) => Response) {
    super("another page is shown");
  }
}

/** Makes an answer. If that is refused, or another page is to be shown, answers with it. @param pageOf what becomes of that page */
export async function orInstead(
  viewer: Viewer,
  make: () => Promise<Response> | Response,
  pageOf = (instead: Response): Response => instead,
): Promise<Response> {
  try {
    return await make();
  } catch (refused) {
    // The address is none of this page's: answered as any other that is not there.
    if (refused instanceof ServiceError && refused.kind === "no_route") throw refused;
    return pageOf(refused instanceof Instead ? refused.show(viewer) : showRefusal(viewer, refused));
  }
}

/** A page that shows only an error message and the search form. */
export function showProblem(
  viewer: Viewer,
  status: number,
  title: string,
  text: string | Html,
  headers: HeaderFields = {},
): Response {
  const main = html`<h1>${title}</h1>
    <p role="alert">${text}</p>
    ${searchForm("", false)}`;
  return show(viewer, { title, main, status }, headers);
}

/** That page, to be thrown. */
export function noPage(status: number, title: string, text: string | Html): Instead {
  return new Instead((viewer) => showProblem(viewer, status, title, text));
}

const TITLES: Readonly<Record<number, string>> = {
  402: "Not enough credits",
  403: "Not allowed",
  404: "Not found",
  410: "The dataset has changed",
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
  const text = status === 402 ? html`${message} <a href="${USAGE_PATH}">Usage and credits</a>` : message;
  return showProblem(viewer, status, TITLES[status] ?? "Invalid request", text, headers);
}
