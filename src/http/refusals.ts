/** Refusals over HTTP: the flat envelope, the status of each kind, the headers that all surfaces share. */
import { type RefusalKind, ServiceError } from "../errors.ts";
import { creditHeaders, type HeaderFields, rateLimitHeaders } from "./headers.ts";

/** The `error` names of the flat envelope by status, from `docs/contract.md` ("Errors") or HTTP. */
const ERROR_NAMES = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

/** Statuses of refusals. */
export type ErrorStatus = keyof typeof ERROR_NAMES;

/** The flat envelope: exactly `error` and `message`, plus what the contract adds at 402. */
export function envelope(status: ErrorStatus, message: string, extra: object = {}): Record<string, unknown> {
  return { error: ERROR_NAMES[status], message, ...extra };
}

/** The 404 message, with the path cut to 200 characters. */
export function nothingServedAt(pathname: string): string {
  return `Nothing found at ${pathname.slice(0, 200)}.`;
}

/** A refusal as an HTTP response: flat envelope, never cached. */
export function refusal(
  status: ErrorStatus,
  message: string,
  headers: HeaderFields = {},
  extra: object = {},
): Response {
  return new Response(JSON.stringify(envelope(status, message, extra)), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

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
export function refusalOf(refused: unknown) {
  if (!(refused instanceof ServiceError)) throw refused;
  return { message: refused.message, status: STATUS[refused.kind], headers: refusalHeaders(refused) };
}
