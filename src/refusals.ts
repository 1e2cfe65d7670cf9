/** What a refusal is over HTTP, the same on REST, MCP and pages. */
import type { RefusalKind, ServiceError } from "./errors.ts";
import { type ErrorStatus, creditHeaders, rateLimitHeaders } from "./http.ts";

/** The status of every kind of refusal; a new kind does not compile until it stands here. */
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

/** Seconds to wait where a refusal names none. */
const UNAVAILABLE_SECONDS = 5;

/** What the 402 body says besides error and message. */
export interface Purchase {
  status: string;
  /** Address of the developer page. */
  url: string;
}

/** Whole seconds to wait before what is refused now may be answered; null where waiting does not help. */
export function retryAfterSeconds({ kind, details }: ServiceError): number | null {
  const status = STATUS[kind];
  return status === 429 || status === 503 ? (details.retryAfterSeconds ?? UNAVAILABLE_SECONDS) : null;
}

/** The headers of a refusal that do not depend on who asked where: limit, credits, `Allow`, `Retry-After`. */
export function refusalHeaders(refused: ServiceError): Record<string, string> {
  const { allow, receipt, window } = refused.details;
  const headers: Record<string, string> = { ...rateLimitHeaders(window), ...creditHeaders(receipt) };
  if (allow !== undefined) headers["allow"] = allow;
  const wait = retryAfterSeconds(refused);
  if (wait !== null) headers["retry-after"] = String(wait);
  return headers;
}
