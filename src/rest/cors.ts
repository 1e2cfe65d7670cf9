/** Our headers that pages of other origins may read. */
const EXPOSED =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, Credits-Charged, Credits-Remaining, Incomplete-Fiscal-Years, " +
  "Newer-Filing, Dataset, X-Request-Id";

/** Which pages of other origins may call a path. */
export interface CorsPolicy {
  /** Headers of every answer, including refusals; empty if the origin is not allowed. */
  headers(origin: string | null): Readonly<Record<string, string>>;
  /** Headers of a preflight answer; null if the path does not support OPTIONS. */
  preflight(origin: string | null): Readonly<Record<string, string>> | null;
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "X-API-KEY, If-None-Match",
  "access-control-max-age": "600",
};
const ANY_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/** Allows all origins, for answers that ignore credentials. */
export const OPEN_CORS: CorsPolicy = {
  headers: () => ANY_ORIGIN,
  preflight: () => ({ ...ANY_ORIGIN, ...PREFLIGHT }),
};

/** Allows the listed origins, or all with `*`. Unlike a cookie, a key is sent only by a page that has it. */
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
