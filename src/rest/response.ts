import { type Purchase, refusal, refusalHeaders, STATUS } from "../http/refusals.ts";
import { memoryBody, shouldStream, streamedBody } from "../http/bodies.ts";
import {
  datasetHeader,
  type HeaderFields,
  newerFilingHeader,
  rateLimitHeader,
  rateLimitHeaders,
  rateLimitPolicyHeader,
} from "../http/headers.ts";
import { companiesEndpoint } from "../operations/companies.ts";
import { LOOK_UP } from "../operations/company.ts";
import { tickersEndpoint } from "../operations/compensation.ts";
import type { Answer } from "../operations/operation.ts";
import type { Presented } from "../accounts/principal.ts";
import type { ServiceError } from "../errors.ts";
import type { ExportAnswer } from "../operations/export.ts";

/** A response that is cloned for each answer with its body, and what else it depends on. */
interface Prepared {
  etag: string;
  dataset: Answer["dataset"];
  window: string | undefined;
  allowed: HeaderFields | null;
  response: Response;
}

/**
 * Turns answers into responses. What recurs with a body is built once and cloned, which takes a tenth of the time: without, facts are
 * below their budget in `bench rows`.
 * @param caching who may keep them, and for how long
 */
export function answerResponse(
  caching: HeaderFields,
): (answer: Answer, allowed: HeaderFields | null) => Response {
  const prepared = new WeakMap<Uint8Array, Prepared>();
  const build = (answer: Answer, allowed: HeaderFields | null): Response => {
    const headers = { ...caching, ...allowed, ...recurringHeaders(answer) };
    return answer.notModified
      ? new Response(null, { status: 304, headers })
      : new Response(memoryBody(answer.body), {
          headers: { ...headers, "content-type": "application/json" },
        });
  };
  const recurring = (answer: Answer, allowed: HeaderFields | null): Response => {
    const { body, etag, dataset, window } = answer;
    let one = prepared.get(body);
    const isSame =
      one?.etag === etag && one.dataset === dataset && one.window === window?.name && one.allowed === allowed;
    if (one === undefined || !isSame) {
      one = { etag, dataset, window: window?.name, allowed, response: build(answer, allowed) };
      prepared.set(body, one);
    }
    return one.response;
  };
  return (answer, allowed) => {
    const { receipt, window, body } = answer;
    const before = recurring(answer, allowed);
    // Only charged answers wait for the disk. Bun's own Response, which its types give another name.
    const response =
      receipt.charged > 0 && shouldStream(body)
        ? new Response(streamedBody(body), { headers: before.headers })
        : (before.clone() as Response);
    if (window !== null) response.headers.set("ratelimit", rateLimitHeader(window));
    if (receipt.remaining !== null) {
      response.headers.set("credits-charged", String(receipt.charged));
      response.headers.set("credits-remaining", String(receipt.remaining));
    }
    return response;
  };
}

/** The headers of an answer that are the same whenever it is given. */
function recurringHeaders(answer: Answer): Record<string, string> {
  const { newerFiling, incompleteYears, rowEvidence, yearsLeftOut, window } = answer;
  return {
    etag: answer.etag,
    dataset: datasetHeader(answer.dataset),
    ...(newerFiling !== null && { "newer-filing": newerFilingHeader(newerFiling) }),
    ...(incompleteYears.length > 0 && { "incomplete-fiscal-years": incompleteYears.join(", ") }),
    ...(rowEvidence !== null && { "row-evidence": rowEvidence }),
    ...(yearsLeftOut > 0 && { "fiscal-years-left-out": String(yearsLeftOut) }),
    ...(window !== null && { "ratelimit-policy": rateLimitPolicyHeader(window) }),
  };
}

/** How answers to callers with a key are prepared. */
export const KEYED_CACHING = {
  "cache-control": "private, max-age=0, must-revalidate",
  vary: "X-API-KEY, Authorization",
};
/** How facts are prepared. */
export const FACTS_CACHING = {
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
  vary: "Accept, Accept-Encoding",
};

/**
 * The credential of a REST request. Only `X-API-KEY` counts; `Authorization` is ignored
 * (`docs/contract.md`, "Order of refusals").
 */
export function presentedKey(headers: Headers): Presented {
  const secret = headers.get("x-api-key");
  return secret === null ? NONE : { kind: "key", secret };
}

/** For a page that may not call. */
export const NO_CORS: HeaderFields = Object.freeze({});

/** No credential. */
export const NONE: Presented = Object.freeze({ kind: "none" });

/** How a company is looked for over REST. */
const WHERE_TO_LOOK = ` Search: ${companiesEndpoint.path}?q=WORDS. All available: ${tickersEndpoint.path}.`;

/** A refusal as the flat envelope, with the headers of its status. @param extra headers specific to the path */
export function errorResponse(refused: ServiceError, purchase: Purchase, extra: HeaderFields = {}): Response {
  const status = STATUS[refused.kind];
  const headers: Record<string, string> = { ...refusalHeaders(refused), ...extra };
  if (status === 401) headers["www-authenticate"] = 'ApiKey realm="executive-compensation"';
  const message = refused.message.replace(LOOK_UP, WHERE_TO_LOOK);
  return refusal(status, message, headers, status === 402 ? { purchase } : {});
}

const TYPES = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
} as const;

/** Streams an export, generating each chunk only when the client has room for it. */
export function exportResponse(answer: ExportAnswer, allowed: HeaderFields | null): Response {
  const headers = {
    "content-type": TYPES[answer.format],
    "content-disposition": `attachment; filename="${answer.name}"`,
    "cache-control": "private, no-store",
    vary: "X-API-KEY, Authorization",
    ...allowed,
    ...(answer.window === null ? {} : rateLimitHeaders(answer.window)),
  };
  return new Response(answer.bytes, { headers });
}

/** Our headers that pages of other origins may read. */
const EXPOSED =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, Credits-Charged, Credits-Remaining, Incomplete-Fiscal-Years, " +
  "Fiscal-Years-Left-Out, Row-Evidence, Newer-Filing, Dataset, Test-Key, X-Request-Id";

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
