import { type MaybePromise, orElse } from "../../domain/maybe-promise.ts";
import { ServiceError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { QUOTAS, type RateLimiter } from "./limits.ts";
import { RateLimits } from "./rate-limits.ts";

/** Requests other than REST, facts and MCP, which have their own limits. */
export type Visit = "page" | "picture" | "form" | "oauth";

/**
 * Requests per address in any 60 seconds, and the number of windows beyond which newcomers share some. A form may involve
 * a password hash, a page or document takes rendering, and drawing a picture takes 30 times as long as a page.
 */
const LIMITS: Readonly<Record<Visit, { anon: number; max: number }>> = {
  page: { anon: 300, max: 10_000 },
  picture: { anon: 30, max: 2000 },
  form: { anon: QUOTAS.form, max: 2000 },
  oauth: { anon: QUOTAS.oauth, max: 2000 },
};

/**
 * Rate limits on pages, documents, forms and OAuth endpoints. Kept in memory only, because they protect the machine
 * rather than enforce a price. Forms and OAuth, which are targets of guessing and mass registration, are counted across
 * servers if shared limits are configured.
 */
export class Visits {
  private readonly limits: ReadonlyMap<string, RateLimits>;

  /** @param shared counts across servers; null if each counts on its own */
  constructor(
    runtime: Pick<Runtime, "monotonic">,
    private readonly shared: RateLimiter | null,
  ) {
    const limits = Object.entries(LIMITS).map(
      ([visit, { anon, max }]) =>
        [visit, new RateLimits(runtime, null, { max, quotas: { ...QUOTAS, anon } })] as const,
    );
    this.limits = new Map(limits);
  }

  /** Counts a visit from an address. Refuses with `rate_limited` beyond the limit. */
  acquire(visit: Visit, address: string): MaybePromise<unknown> {
    return orElse<unknown>(
      () =>
        this.shared === null || visit === "page" || visit === "picture"
          ? this.limits.get(visit)?.acquire("anon", address, "calls")
          : this.shared.acquire(visit, address, "calls"),
      refuse,
    );
  }
}

/** `RateLimit` headers describe API calls, which these windows do not count. */
function refuse(refused: unknown): never {
  if (refused instanceof ServiceError) delete refused.details.window;
  throw refused;
}

const PROBES: readonly string[] = ["/livez", "/readyz", "/metrics"];
const OAUTH = /^\/oauth\/(token|register|revoke)$/;
const METERED = /^\/(api\/(?!docs|openapi\.json)|mcp(\/(?!server\.json)|$)|t\/[^/]+\/facts$)/;

/** The path suffix of link preview pictures, and the query of workbooks, which take as long to make. */
const PICTURE = /\/preview\.png\/?$/;
const WORKBOOK = /[?&]format=xlsx\b/i;

/** Whether the path belongs to REST, facts or MCP, which have their own limits. */
export function isMetered(pathname: string): boolean {
  return METERED.test(pathname);
}

/** The kind of visit a request counts as; null if it is counted elsewhere, or is a probe. */
export function visitOf(
  method: string,
  { pathname, search }: Pick<URL, "pathname" | "search">,
): Visit | null {
  if (PROBES.includes(pathname) || METERED.test(pathname)) return null;
  if (OAUTH.test(pathname)) return "oauth";
  if (method !== "GET" && method !== "HEAD") return "form";
  return PICTURE.test(pathname) || WORKBOOK.test(search) ? "picture" : "page";
}
