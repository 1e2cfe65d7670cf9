import type { BaseUrls, ServerUrls } from "../../http/base-urls.ts";
import { BoundedCache, Repeats } from "../../domain/cache.ts";
import type { GivenParameters } from "../../domain/parameters.ts";
import { ROUTE_NAMES, type RouteName, routeFinder, ROUTES } from "../../http/routes.ts";
import { routeGrouper } from "../metrics.ts";
import type { ErrorStatus } from "../../http/responses.ts";

/** A parsed request target: base URLs, URL and route. */
export interface Target {
  baseUrls: BaseUrls;
  /** Shared by all requests for it; never modified. */
  url: URL;
  /** Of `url`, whose getters make a new string each time. */
  pathname: string;
  search: string;
  /** As written to the log. */
  path: string;
  /** Undefined for an unknown path. */
  routeName: RouteName | undefined;
  /** The route's group in metrics and the log, from a fixed list. */
  route: string;
  /** Once a surface has read them. */
  parameters?: GivenParameters;
  /** Why no surface may answer. */
  refused?: { status: ErrorStatus; message: string } | undefined;
}

/** Number of targets cached per kind of caller, and the longest: 4 MB in total. */
const MAX_CACHED = 2048;
const MAX_LENGTH = 200;

/** Routes whose callers repeat requests. */
const CACHED_ROUTES: ReadonlySet<string> = new Set([
  "compensation",
  "tickers",
  "facts",
  "mcp",
  "query",
  "statistics",
]);

interface Kept {
  host: string;
  serverUrls: ServerUrls;
  target: Target;
}

/**
 * Caches parsed targets, which depend only on the `Host` header, the request target and our base URLs. Only those that
 * were successful and are asked for again are cached. Callers with a credential have a separate cache, so that others cannot evict
 * their entries.
 */
export class Targets {
  private readonly ofKnown = new BoundedCache<string, Kept>(MAX_CACHED);
  private readonly ofAnyone = new BoundedCache<string, Kept>(MAX_CACHED);
  private readonly repeats = new Repeats();
  private readonly routeOf = routeFinder(ROUTE_NAMES);
  private readonly groupOf = routeGrouper();

  /** @param serverUrls the current base URLs */
  constructor(private readonly serverUrls: () => ServerUrls) {}

  /** The cached target of a request; undefined if it has to be parsed. */
  find({ url, headers }: Request): Target | undefined {
    const cached = this.ofKnown.get(url) ?? this.ofAnyone.get(url);
    // An absolute-form target can name a host other than the `Host` header (RFC 9112 section 3.2.2).
    if (cached === undefined || cached.host !== headers.get("host")) return undefined;
    return cached.serverUrls === this.serverUrls() ? cached.target : undefined;
  }

  /** Parses the target of a request. */
  parse(request: Request): Target {
    const destination = destinationOf(request, this.serverUrls());
    const { url, refused } = destination;
    const pathname = refused === undefined ? url.pathname : pathOf(request);
    const routeName = this.routeOf(pathname);
    const [path, route] = [logged(pathname, MAX_PATH), this.groupOf(routeName)];
    return { ...destination, pathname, search: url.search, path, routeName, route };
  }

  /** @param isKnown whether the caller had a valid credential */
  keep({ url, headers }: Request, target: Target, isKnown: boolean): void {
    const host = headers.get("host");
    if (host === null || url.length > MAX_LENGTH || !CACHED_ROUTES.has(target.route)) return;
    if (!this.repeats.has(url)) return;
    const cached = { host, serverUrls: this.serverUrls(), target };
    (isKnown ? this.ofKnown : this.ofAnyone).getOrMake(url, () => cached);
  }
}

/** Longer paths are truncated in the log. */
const MAX_PATH = 500;

/** Text from callers, for a log: truncated, and with pasted keys masked. */
export function logged(text: string, maxLength: number): string {
  const short = text.length > maxLength ? text.slice(0, maxLength) : text;
  return short.includes("xc_") ? short.replaceAll(/xc_[a-z]+_[0-9A-Za-z_]+/g, "xc_…") : short;
}

/** Paths that supervisors request under any host name. */
const PROBES: readonly string[] = [ROUTES.livez.path, ROUTES.readyz.path];

/** A host name or address as allowed in `Host`, with or without port. @see RFC 9110 section 7.2 */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+;=%-]+)(:\d{0,5})?$/i;

/**
 * The full URL of a request, one of our base URLs, and why no surface may answer. Validates `Host` before anything else,
 * because the URL that Bun builds depends on it and may be invalid. A missing, repeated or malformed `Host` is 400
 * (RFC 9112 section 3.2), a foreign one 403 (DNS rebinding). Probes are answered for any host, or none.
 */
function destinationOf(
  request: Request,
  serverUrls: ServerUrls,
): Pick<Target, "baseUrls" | "url" | "refused"> {
  const host = request.headers.get("host");
  const ours = serverUrls.find(host);
  const baseUrls = ours ?? serverUrls.main;
  const url = urlOf(request, baseUrls);
  return { baseUrls, url, refused: ours === undefined ? refusalOf(host, url) : undefined };
}

function refusalOf(host: string | null, { pathname }: URL): Target["refused"] {
  const isGiven = host !== null && host !== "";
  if (isGiven && !isWellFormed(host))
    return { status: 400, message: "The Host header is malformed, or was sent twice." };
  if (PROBES.includes(pathname)) return undefined;
  return isGiven
    ? { status: 403, message: `This server does not answer for the host ${JSON.stringify(host)}.` }
    : { status: 400, message: "The request names no host: send a Host header." };
}

/** The path of a request for a log line, however malformed its target. */
export function pathOf(request: Request): string {
  return targetOf(request).replace(/[?#].*$/, "");
}

function isWellFormed(host: string): boolean {
  return host.length <= 255 && HOST.test(host) && URL.canParse(`http://${host}/`);
}

function urlOf(request: Request, { origin }: BaseUrls): URL {
  const url = URL.parse(request.url);
  if (url !== null) return url;
  const target = origin + targetOf(request);
  return new URL(URL.canParse(target) ? target : origin);
}

/** From the first slash after the authority. Bun passes the bare target if `Host` is invalid. */
function targetOf({ url }: Request): string {
  return url.replace(/^https?:\/\/[^/]*/i, "");
}
