/** How a page about compensation is answered: in the frame, for its viewer, and from the browser's copy where nothing has changed. */
import { type Html, html, page } from "../html.ts";
import { heldBody, pageResponse, SEARCH_PAGE_POLICY } from "../http.ts";
import { withCookies } from "./entry.ts";
import { searchForm } from "./pages/home.ts";
import { refusalOf } from "./entry.ts";
import type { Viewer } from "./viewer.ts";

/** A page before it stands in the frame. */
export interface Shown {
  title: string;
  description?: string;
  canonical?: string;
  main: Html;
  status?: number;
}

const MAX_PLAIN_LENGTH = 64 * 1024;

/** The page for its viewer. What somebody signed in sees is theirs alone. */
export function show(
  viewer: Viewer,
  { main, status = 200, ...rest }: Shown,
  etag: string | null = null,
): Response {
  const user =
    viewer.kind === "person"
      ? { email: viewer.person.email, csrf: viewer.browserSession.csrf }
      : viewer.kind === "operator"
        ? ("operator" as const)
        : null;
  const headers: Record<string, string> =
    viewer.kind === "visitor"
      ? { "cache-control": "public, max-age=300" }
      : { "cache-control": "private, no-cache" };
  headers["content-security-policy"] = SEARCH_PAGE_POLICY;
  if (status !== 200) headers["cache-control"] = "no-store";
  else if (etag !== null && viewer.kind === "visitor") headers["etag"] = etag;
  const text = page({ ...rest, user, search: true, main });
  // A long page is shared with the kernel: a reader who does not read costs no copy.
  const answer = pageResponse(text.length > MAX_PLAIN_LENGTH ? new Blob([text]) : text, status, headers);
  return viewer.kind === "person" ? withCookies(answer, viewer.browserSession.cookies) : answer;
}

/** A file to keep. */
export function showFile(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): Response {
  return new Response(heldBody(bytes), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}

/** 304 where a visitor's browser holds this very page; undefined where it has to be made. */
export function unchanged(request: Request, viewer: Viewer, etag: string): Response | undefined {
  if (viewer.kind !== "visitor" || request.headers.get("if-none-match") !== etag) return undefined;
  return new Response(null, { status: 304, headers: { etag, "cache-control": "public, max-age=300" } });
}

/** A page that only says why there is none, with the search box. */
export function showProblem(
  viewer: Viewer,
  status: number,
  title: string,
  text: string,
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
  404: "Not found",
  410: "The dataset has changed",
  429: "Too many requests",
  503: "Unavailable for the moment",
};

/** The page for a refusal; a bug is thrown on. */
export function showRefusal(viewer: Viewer, refused: unknown): Response {
  const { message, status, headers } = refusalOf(refused);
  return showProblem(viewer, status, TITLES[status] ?? "Check what was asked", message, headers);
}
