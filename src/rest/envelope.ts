import type { RefusalKind, ServiceError } from "../errors.ts";
import { type ErrorStatus, creditHeaders, rateLimitHeaders, refusal } from "../http.ts";

/** The answer to every kind of refusal on REST, facts and pages; a new kind does not compile until it stands here. */
export const STATUS: Readonly<Record<RefusalKind, ErrorStatus>> = {
  invalid_parameter: 400,
  two_credentials: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  insufficient_scope: 403,
  unknown_company: 404,
  stale_cursor: 410,
  no_route: 404,
  wrong_method: 405,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  unavailable: 503,
};

/** How long a caller waits before it asks again for what is unavailable without a time of its own, in seconds. */
const UNAVAILABLE_SECONDS = 5;

/** What the 402 body says besides error and message. */
export interface Purchase {
  status: string;
  /** Address of the developer page. */
  url: string;
}

/** A refusal as the flat envelope with the headers that its status asks for. @param extra headers of the address asked */
export function errorResponse(
  refused: ServiceError,
  purchase: Purchase,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const status = STATUS[refused.kind];
  const { details } = refused;
  const headers: Record<string, string> = {
    ...rateLimitHeaders(details.window),
    ...creditHeaders(details.receipt),
    ...extra,
  };
  if (status === 401) headers["www-authenticate"] = 'ApiKey realm="executive-compensation"';
  if (details.allow !== undefined) headers["allow"] = details.allow;
  if (status === 429 || status === 503) {
    headers["retry-after"] = String(details.retryAfterSeconds ?? UNAVAILABLE_SECONDS);
  }
  return refusal(status, refused.message, headers, status === 402 ? { purchase } : {});
}
