import { type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import { ServiceError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { QUOTAS as SERVICE_QUOTAS, type RateLimiter } from "./limits.ts";
import { RateLimits } from "./rate-limits.ts";

/** What is asked for besides REST, facts and MCP, which have limits of their own. */
export type Visit = "page" | "picture" | "form" | "oauth";

/**
 * Requests in any 60 seconds from one address: a form may cost a password's hash, a page and a document a rendering, and
 * the drawing of a picture takes 30 times as long as a page's.
 */
const QUOTAS: Readonly<Record<Visit, number>> = {
  page: 300,
  picture: 30,
  form: SERVICE_QUOTAS.form,
  oauth: SERVICE_QUOTAS.oauth,
};

/** Windows held at the same time, of addresses that visit at the same time; newcomers beyond share some. */
const MAX_WINDOWS: Readonly<Record<Visit, number>> = { page: 10_000, picture: 2000, form: 2000, oauth: 2000 };

/**
 * Limits on pages, documents, forms and OAuth endpoints. In memory only: they protect the machine, they sell nothing. Forms and
 * OAuth, where accounts are guessed at and made, are counted with all servers where those count together.
 */
export class Visits {
  private readonly limits: ReadonlyMap<Visit, RateLimits>;

  /** @param shared counts for all servers; null where each counts by itself */
  constructor(
    runtime: Pick<Runtime, "monotonic">,
    private readonly shared: RateLimiter | null,
  ) {
    const limitsOf = (visit: Visit) => {
      const quotas = { ...SERVICE_QUOTAS, anon: QUOTAS[visit] };
      return [visit, new RateLimits(runtime, null, { max: MAX_WINDOWS[visit], quotas })] as const;
    };
    this.limits = new Map([limitsOf("page"), limitsOf("picture"), limitsOf("form"), limitsOf("oauth")]);
  }

  /** Counts a visit of an address. Refuses with `rate_limited` when it made too many. */
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

/** The `RateLimit` headers are about calls of the API, which these windows do not count. */
function refuse(refused: unknown): never {
  if (refused instanceof ServiceError) delete refused.details.window;
  throw refused;
}

const PROBES: readonly string[] = ["/livez", "/readyz", "/metrics"];
const OAUTH = /^\/oauth\/(token|register|revoke)$/;
const METERED = /^\/(api\/(?!docs|openapi\.json)|mcp(\/(?!server\.json)|$)|t\/[^/]+\/facts$)/;

/** How the address of every picture of a link preview ends. */
const PICTURE = /\/preview\.png\/?$/;

/** Whether the path is one of REST, facts or MCP, which have limits of their own. */
export function isMetered(pathname: string): boolean {
  return METERED.test(pathname);
}

/** What a request counts as; null for what is counted elsewhere, and for probes. */
export function visitOf(method: string, pathname: string): Visit | null {
  if (PROBES.includes(pathname) || METERED.test(pathname)) return null;
  if (OAUTH.test(pathname)) return "oauth";
  if (method !== "GET" && method !== "HEAD") return "form";
  return PICTURE.test(pathname) ? "picture" : "page";
}
