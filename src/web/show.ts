/** Responses with pages about compensation: in the site's frame, for their viewer, from a cache where possible. */
import { ServiceError } from "../errors.ts";
import { type Html, html } from "../lib/html.ts";
import { type Page, page } from "../http/layout.ts";
import { refusalOf } from "../http/refusals.ts";
import { memoryBody } from "../http/bodies.ts";
import { type HeaderFields, withCookies } from "../http/headers.ts";
import { wantsPage } from "../http/requests.ts";
import { pageResponse, SEARCH_PAGE_POLICY } from "../http/page-responses.ts";
import { ROUTES } from "../http/routes.ts";
import { searchForm } from "./parts/elements.ts";
import { USAGE_PATH, type Viewer } from "./viewer.ts";

/** The content of a page, without the frame. */
export type Shown = Omit<Page, "user" | "search"> & { status?: number };

const MAX_PLAIN_LENGTH = 64 * 1024;

/** For pages that are the same for every visitor. Signing in or out changes the page at the same address. */
export const PUBLIC_HEADERS = { "cache-control": "public, max-age=300", vary: "Cookie" } as const;

/** The page for its viewer. Pages of signed-in people are private. */
export function show(viewer: Viewer, { status = 200, ...shown }: Shown, more: HeaderFields = {}): Response {
  const text = page({ ...shown, user: userOf(viewer), search: true });
  // A long page is sent from shared memory: a client that does not read does not cost a copy.
  const body = text.length > MAX_PLAIN_LENGTH ? new Blob([text]) : text;
  const answer = pageResponse(body, status, {
    "content-security-policy": SEARCH_PAGE_POLICY,
    ...(viewer.kind === "visitor" ? PUBLIC_HEADERS : { "cache-control": "private, no-cache" }),
    ...more,
    ...(status === 200 ? {} : { "cache-control": "no-store" }),
  });
  return viewer.kind === "person" ? withCookies(answer, viewer.browserSession.cookies) : answer;
}

/** A page of accounts, which no cache keeps, with their script. */
export function showAccount(viewer: Viewer, shown: Shown): Response {
  const scripts = [ROUTES.accountScript.path];
  return show(viewer, { ...shown, scripts }, { "cache-control": "no-store" });
}

/** Who is shown in the header. */
function userOf(viewer: Viewer): NonNullable<Page["user"]> | null {
  if (viewer.kind !== "person") return viewer.kind === "operator" ? "operator" : null;
  const credits = viewer.isUnmetered ? null : (viewer.credits?.balance ?? null);
  return { ...viewer.person, csrf: viewer.browserSession.csrf, credits };
}

/** Responds with a file to download. */
export function showFile(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): Response {
  const headers = { ...fileHeaders(type, name), "cache-control": "private, no-cache" };
  return new Response(memoryBody(bytes), { headers });
}

/** The headers of a file to save that is not cached. */
export function fileHeaders(type: string, name: string) {
  return {
    "content-type": type,
    // A ticker may contain a quote or a semicolon.
    "content-disposition": `attachment; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

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
