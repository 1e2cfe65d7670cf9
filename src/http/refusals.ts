/** Statuses and headers of refusals, shared by REST, MCP and pages. */
import { type RefusalKind, ServiceError } from "../errors.ts";
import { type ErrorStatus, creditHeaders, rateLimitHeaders } from "./responses.ts";

/** The status of each kind of refusal. */
export const STATUS: Readonly<Record<RefusalKind, ErrorStatus>> = {
  invalid_parameter: 400,
  two_credentials: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  insufficient_scope: 403,
  unknown_company: 404,
  conflict: 409,
  stale_cursor: 410,
  no_route: 404,
  wrong_method: 405,
  too_large: 413,
  slow_body: 408,
  unsupported_media: 415,
  rate_limited: 429,
  unavailable: 503,
};

/** Default `Retry-After`, in seconds. */
const UNAVAILABLE_SECONDS = 5;

/** The `purchase` member of a 402 body. */
export interface Purchase {
  status: string;
  /** URL of the developer page. */
  url: string;
}

/** Whole seconds to wait before retrying; null where waiting does not help. */
export function retryAfterSeconds({ kind, details }: ServiceError): number | null {
  const status = STATUS[kind];
  return status === 429 || status === 503 ? (details.retryAfterSeconds ?? UNAVAILABLE_SECONDS) : null;
}

/** Headers of a refusal that are the same on all surfaces: rate limit, credits, `Allow`, `Retry-After`. */
export function refusalHeaders(refused: ServiceError): Record<string, string> {
  const { allow, receipt, window } = refused.details;
  const headers: Record<string, string> = { ...rateLimitHeaders(window), ...creditHeaders(receipt) };
  if (allow !== undefined) headers["allow"] = allow;
  const wait = retryAfterSeconds(refused);
  if (wait !== null) headers["retry-after"] = String(wait);
  return headers;
}

/** The message, status and headers of a refusal; rethrows anything that is not a `ServiceError`. */
export function refusalOf(refused: unknown): {
  message: string;
  status: ErrorStatus;
  headers: Record<string, string>;
} {
  if (!(refused instanceof ServiceError)) throw refused;
  return { message: refused.message, status: STATUS[refused.kind], headers: refusalHeaders(refused) };
}
