/** Headers of ours that a page of another origin may read. */
const EXPOSED =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, Credits-Charged, Credits-Remaining, Incomplete-Fiscal-Years, " +
  "Newer-Filing, Dataset, X-Request-Id";

/** Which pages of other origins may call an address. */
export interface CorsPolicy {
  /** Headers of every answer to a request, its refusals too; none where no page may read it. */
  headers(origin: string | null): Readonly<Record<string, string>>;
  /** Headers of the answer to a preflight; null where OPTIONS is no method of the address. */
  preflight(origin: string | null): Readonly<Record<string, string>> | null;
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "X-API-KEY, If-None-Match",
  "access-control-max-age": "600",
};
const EVERYBODY = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/** Any page: what is answered needs no credential, and none is looked at. */
export const OPEN_CORS: CorsPolicy = {
  headers: () => EVERYBODY,
  preflight: () => ({ ...EVERYBODY, ...PREFLIGHT }),
};

/** Pages of the origins listed, `*` for any. A key is no cookie: a page has to hold one to send it. */
export function corsFor(origins: readonly string[]): CorsPolicy {
  if (origins.includes("*")) return OPEN_CORS;
  const allowed = new Set(origins);
  const headers = (origin: string | null): Readonly<Record<string, string>> =>
    origin !== null && allowed.has(origin)
      ? {
          "access-control-allow-origin": origin,
          "access-control-expose-headers": EXPOSED,
          vary: "X-API-KEY, Authorization, Origin",
        }
      : NONE;
  return {
    headers,
    preflight: (origin) =>
      origin !== null && allowed.has(origin) ? { ...headers(origin), ...PREFLIGHT } : null,
  };
}
