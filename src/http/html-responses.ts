/** Responses of pages: their policy, their headers, redirects. */
import type { AnswerBody } from "./bodies.ts";
import { type HeaderFields, withCookies } from "./headers.ts";

/**
 * Content security policy of pages: only our own stylesheet, scripts and images. Without `form-action`, which browsers
 * also apply to redirects after a POST and would block OAuth's redirect to the client.
 */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The policy of pages with the search box, whose script fetches suggestions from this server. */
export const SEARCH_PAGE_POLICY = `${PAGE_POLICY}; connect-src 'self'`;

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** An HTML response. Not cached unless `headers` say so. */
export function pageResponse(body: AnswerBody, status = 200, headers: HeaderFields = {}): Response {
  return new Response(body, { status, headers: { ...PAGE_HEADERS, ...headers } });
}

/**
 * A page of sign-in or of the authorization server. An application may open it in a popup and watch it close, which the
 * opener policy of other pages would prevent; against misuse of that handle there are `frame-ancestors`, CSRF tokens and
 * no scripts.
 */
export function popupResponse(body: string, status = 200, headers: HeaderFields = {}): Response {
  return pageResponse(body, status, { "cross-origin-opener-policy": "unsafe-none", ...headers });
}

/** A redirect to a validated address, with the cookies a form set or cleared. Neither cached nor sent as a referrer. */
export function redirectTo(
  location: string,
  cookies: readonly string[] = [],
  status: 302 | 303 = 303,
): Response {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return withCookies(new Response(null, { status, headers }), cookies);
}
