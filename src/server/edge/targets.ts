import type { BaseUrls, ServerUrls } from "../../http/base-urls.ts";
import { BoundedCache } from "../../domain/cache.ts";

/** A parsed request target: base URLs, URL and route. */
export interface Target {
  baseUrls: BaseUrls;
  /** Shared by all requests for it; never modified. */
  url: URL;
  /** As written to the log. */
  path: string;
  /** The route's name, from a fixed list. */
  route: string;
}

/** Number of targets cached per kind of caller, and the longest: 4 MB in total. */
const MAX_CACHED = 2048;
const MAX_LENGTH = 200;

/** Routes whose callers repeat requests. */
const CACHED_ROUTES: ReadonlySet<string> = new Set(["compensation", "tickers", "facts", "mcp"]);

/**
 * Caches parsed targets, which depend only on the `Host` header, the request target and our base URLs. Only successful
 * requests are cached. Callers with a credential have a separate cache, so that others cannot evict their entries.
 */
export interface Targets {
  /** The cached target of a request; undefined if it has to be parsed. */
  find(request: Request): Target | undefined;
  /** @param isKnown whether the caller had a valid credential */
  keep(request: Request, target: Target, isKnown: boolean): void;
}

interface Kept {
  host: string;
  serverUrls: ServerUrls;
  target: Target;
}

/** Creates an empty cache. @param serverUrls the current base URLs */
export function createTargets(serverUrls: () => ServerUrls): Targets {
  const ofKnown = new BoundedCache<string, Kept>(MAX_CACHED);
  const ofAnyone = new BoundedCache<string, Kept>(MAX_CACHED);
  return {
    find({ url, headers }) {
      const kept = ofKnown.get(url) ?? ofAnyone.get(url);
      // An absolute-form target can name a host other than the `Host` header (RFC 9112 section 3.2.2).
      if (kept === undefined || kept.host !== headers.get("host")) return undefined;
      return kept.serverUrls === serverUrls() ? kept.target : undefined;
    },
    keep({ url, headers }, target, isKnown) {
      const host = headers.get("host");
      if (host === null || url.length > MAX_LENGTH || !CACHED_ROUTES.has(target.route)) return;
      const kept = { host, serverUrls: serverUrls(), target };
      (isKnown ? ofKnown : ofAnyone).getOrMake(url, () => kept);
    },
  };
}
