import {
  datasetHeader,
  type HeaderFields,
  memoryBody,
  newerFilingHeader,
  type Purchase,
  rateLimitHeader,
  rateLimitHeaders,
  rateLimitPolicyHeader,
  refusal,
  refusalHeaders,
  shouldStream,
  STATUS,
  streamedBody,
} from "../http/responses.ts";
import type { Answer } from "../operations/operation.ts";
import type { Presented } from "../accounts/principal.ts";
import type { ServiceError } from "../errors.ts";
import type { ExportAnswer } from "../operations/export.ts";

/** Parts of a response that recur with the same body. */
interface Kept {
  /** Quota and name of the window in `head`; null without one. */
  quota: number | null;
  name: string | null;
  head: Headers;
  /** Made once it is sent as it is, and cloned for each response; clones share the body. */
  whole?: Response;
}

/**
 * Returns a function that turns answers into responses. Body and headers of a body that is sent again are prepared
 * once and cloned, which takes less than half the time of building each response (`docs/performance.md`).
 *
 * @param cors CORS headers, if they are the same for all requests
 */
export function answering(caching: HeaderFields, cors: HeaderFields = {}): (answer: Answer) => Response {
  const heads = new WeakMap<Uint8Array, Kept>();
  const headOf = (
    { etag, dataset, incompleteYears, yearsLeftOut, newerFiling, window }: Answer,
    type: string | null,
  ): Record<string, string> => {
    const head: Record<string, string> = { ...caching, ...cors, etag, dataset: datasetHeader(dataset) };
    if (newerFiling !== null) head["newer-filing"] = newerFilingHeader(newerFiling);
    if (incompleteYears.length > 0) head["incomplete-fiscal-years"] = incompleteYears.join(", ");
    if (yearsLeftOut > 0) head["fiscal-years-left-out"] = String(yearsLeftOut);
    if (window !== null) head["ratelimit-policy"] = rateLimitPolicyHeader(window);
    if (type !== null) head["content-type"] = type;
    return head;
  };
  const full = (answer: Answer): Response => {
    const { body, receipt } = answer;
    // Only charged answers wait for the disk; all others are returned at once.
    const isStreamed = receipt.charged > 0 && shouldStream(body);
    const built = (headers: Record<string, string> | Headers) =>
      new Response(isStreamed ? streamedBody(body) : memoryBody(body), { headers });
    if (!answer.isRepeated) return built(headOf(answer, "application/json"));
    const { quota = null, name = null } = answer.window ?? {};
    let one = heads.get(body);
    if (one === undefined || one.quota !== quota || one.name !== name) {
      one = { quota, name, head: new Headers(headOf(answer, "application/json")) };
      heads.set(body, one);
    }
    if (isStreamed) return built(one.head);
    // Bun's own Response, which its types give another name.
    return (one.whole ??= built(one.head)).clone() as Response;
  };

  return (answer) => {
    const response = answer.notModified
      ? new Response(null, { status: 304, headers: headOf(answer, null) })
      : full(answer);
    if (answer.window !== null) response.headers.set("ratelimit", rateLimitHeader(answer.window));
    if (answer.receipt.remaining !== null) {
      response.headers.set("credits-charged", String(answer.receipt.charged));
      response.headers.set("credits-remaining", String(answer.receipt.remaining));
    }
    return response;
  };
}

/**
 * The credential of a REST request. Only `X-API-KEY` counts; `Authorization` is ignored
 * (`docs/contract.md`, "Order of refusals").
 */
export function presentedKey(headers: Headers): Presented {
  const secret = headers.get("x-api-key");
  return secret === null ? NONE : { kind: "key", secret };
}

/** No credential. */
export const NONE: Presented = Object.freeze({ kind: "none" });

/** A refusal as the flat envelope, with the headers of its status. @param extra headers specific to the path */
export function errorResponse(refused: ServiceError, purchase: Purchase, extra: HeaderFields = {}): Response {
  const status = STATUS[refused.kind];
  const headers: Record<string, string> = { ...refusalHeaders(refused), ...extra };
  if (status === 401) headers["www-authenticate"] = 'ApiKey realm="executive-compensation"';
  return refusal(status, refused.message, headers, status === 402 ? { purchase } : {});
}

const TYPES = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
} as const;

/** Streams an export, generating each chunk only when the client has room for it. */
export function exportResponse(answer: ExportAnswer): Response {
  const headers = {
    "content-type": TYPES[answer.format],
    "content-disposition": `attachment; filename="${answer.name}"`,
    "cache-control": "private, no-store",
    vary: "X-API-KEY, Authorization",
    ...(answer.window === null ? {} : rateLimitHeaders(answer.window)),
  };
  return new Response(answer.bytes, { headers });
}

/** Our headers that pages of other origins may read. */
const EXPOSED =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, Credits-Charged, Credits-Remaining, Incomplete-Fiscal-Years, " +
  "Fiscal-Years-Left-Out, Newer-Filing, Dataset, X-Request-Id";

/** The CORS headers of an answer to a page of that origin, including refusals; null if it may not call the path. */
export type CorsPolicy = (origin: string | null) => HeaderFields | null;

/** Headers of a preflight answer, besides those of its policy. */
export const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "X-API-KEY, If-None-Match",
  "access-control-max-age": "600",
};

/** For all origins: for answers that ignore credentials. */
export const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
} as const;

/** Allows the listed origins, or all with `*`. Unlike a cookie, a key is sent only by a page that has it. */
export function corsFor(origins: readonly string[]): CorsPolicy {
  if (origins.includes("*")) return () => ANY_ORIGIN;
  return (origin) =>
    origin !== null && origins.includes(origin)
      ? {
          "access-control-allow-origin": origin,
          "access-control-expose-headers": EXPOSED,
          vary: "X-API-KEY, Authorization, Origin",
        }
      : null;
}
