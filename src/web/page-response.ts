/** Responses with pages about compensation: in the frame of the site, for their viewer; and files. */
import { type Page, page } from "../http/layout.ts";
import { memoryBody } from "../http/bodies.ts";
import { type HeaderFields, withCookies } from "../http/headers.ts";
import { pageResponse, SEARCH_PAGE_POLICY } from "../http/html-responses.ts";
import { ROUTES } from "../http/routes.ts";
import type { Viewer } from "./viewer.ts";

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
