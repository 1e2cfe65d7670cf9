import type { BaseUrls, ServerUrls } from "../base-urls.ts";
import { BoundedCache } from "../domain/cache.ts";

/** An address as it was asked, read once: what it names of ours, its parts, its route. */
export interface Target {
  baseUrls: BaseUrls;
  /** Shared by every request for it; nobody changes it. */
  url: URL;
  /** As log lines say it. */
  path: string;
  /** The name of its route, of a short list. */
  route: string;
}

/** Addresses kept for each kind of caller, and the longest that is: 4 MB in all. */
const KEPT = 2048;
const MAX_LENGTH = 200;

/** Routes whose callers ask for the same again and again. */
const KEPT_ROUTES: ReadonlySet<string> = new Set(["compensation", "tickers", "facts", "mcp"]);

/**
 * Reads addresses once. What it gives depends on the `Host` header, the address and our base URLs, and on nothing else of a
 * request. Only answered addresses are kept, those of callers with a credential apart from the others: nobody without one
 * drives them out.
 */
export interface Targets {
  /** What was kept for a request; undefined where it has to be read. */
  find(request: Request): Target | undefined;
  /** @param isKnown whether the caller had a good credential */
  keep(request: Request, target: Target, isKnown: boolean): void;
}

interface Kept {
  host: string;
  serverUrls: ServerUrls;
  target: Target;
}

/** Keeps nothing yet. @param serverUrls the base URLs at the time of a request */
export function createTargets(serverUrls: () => ServerUrls): Targets {
  const ofKnown = new BoundedCache<string, Kept>(KEPT);
  const ofAnyone = new BoundedCache<string, Kept>(KEPT);
  return {
    find({ url, headers }) {
      const kept = ofKnown.get(url) ?? ofAnyone.get(url);
      // Two hosts can stand in one text of an address: where it names its host itself (RFC 9112 section 3.2.2).
      if (kept === undefined || kept.host !== headers.get("host")) return undefined;
      return kept.serverUrls === serverUrls() ? kept.target : undefined;
    },
    keep({ url, headers }, target, isKnown) {
      const host = headers.get("host");
      if (host === null || url.length > MAX_LENGTH || !KEPT_ROUTES.has(target.route)) return;
      const kept = { host, serverUrls: serverUrls(), target };
      (isKnown ? ofKnown : ofAnyone).getOrMake(url, () => kept);
    },
  };
}
