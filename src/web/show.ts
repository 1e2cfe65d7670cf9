/** Responses with pages about compensation: in the site's frame, for their viewer, from a cache where possible. */
import { type Html, html, page, type Picture } from "../html.ts";
import {
  type AnswerBody,
  memoryBody,
  pageResponse,
  refusalOf,
  SEARCH_PAGE_POLICY,
  wantsPage,
  withCookies,
} from "../http/responses.ts";
import { searchForm } from "./pages/parts.ts";
import { USAGE_PATH, type Viewer } from "./viewer.ts";

/** The content of a page, without the frame. */
export interface Shown {
  title: string;
  description?: string;
  canonical?: string;
  /** For link previews. */
  picture?: Picture;
  /** Path of the main navigation entry to mark as current. */
  section?: string;
  /** Paths of our own scripts. */
  scripts?: readonly string[];
  /** Whether the page has a search box of its own. */
  ownSearch?: boolean;
  main: Html;
  status?: number;
}

const MAX_PLAIN_LENGTH = 64 * 1024;

/** For pages that are the same for every visitor. Signing in or out changes the page at the same address. */
export const PUBLIC_HEADERS = { "cache-control": "public, max-age=300", vary: "Cookie" } as const;

/** The page for its viewer. Pages of signed-in people are private. */
export function show(viewer: Viewer, shown: Shown, more: Readonly<Record<string, string>> = {}): Response {
  const text = textFor(viewer, shown);
  // A long page is sent from shared memory: a client that does not read does not cost a copy.
  return answerWith(viewer, text.length > MAX_PLAIN_LENGTH ? new Blob([text]) : text, shown.status, more);
}

function textFor(viewer: Viewer, { main, status: _status, ...rest }: Shown): string {
  const user =
    viewer.kind === "person"
      ? {
          ...viewer.person,
          csrf: viewer.browserSession.csrf,
          credits: viewer.isUnmetered ? null : (viewer.credits?.balance ?? null),
        }
      : viewer.kind === "operator"
        ? ("operator" as const)
        : null;
  return page({ ...rest, user, search: true, main });
}

function answerWith(
  viewer: Viewer,
  body: AnswerBody,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers: Record<string, string> = {
    "content-security-policy": SEARCH_PAGE_POLICY,
    ...(viewer.kind === "visitor" ? PUBLIC_HEADERS : { "cache-control": "private, no-cache" }),
    ...more,
  };
  if (status !== 200) headers["cache-control"] = "no-store";
  const answer = pageResponse(body, status, headers);
  return viewer.kind === "person" ? withCookies(answer, viewer.browserSession.cookies) : answer;
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

/** A page that shows only an error message and the search form. */
export function showProblem(
  viewer: Viewer,
  status: number,
  title: string,
  text: string | Html,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const main = html`<h1>${title}</h1>
    <p role="alert">${text}</p>
    ${searchForm("", false)}`;
  const answer = show(viewer, { title, main, status });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
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
  headers: Readonly<Record<string, string>> = {},
): Response | undefined {
  if (!wantsPage(request)) return undefined;
  return showProblem(viewer, status, TITLES[status] ?? "Error", message, headers);
}

/** The page for a refusal; other errors are rethrown. */
export function showRefusal(viewer: Viewer, refused: unknown): Response {
  const { message, status, headers } = refusalOf(refused);
  const text = status === 402 ? html`${message} <a href="${USAGE_PATH}">Usage and credits</a>` : message;
  return showProblem(viewer, status, TITLES[status] ?? "Invalid request", text, headers);
}
