import type { BaseUrls, ServerUrls } from "../../http/base-urls.ts";
import { ROUTES } from "../../http/routes.ts";
import type { ErrorStatus } from "../../http/refusals.ts";

/** A parsed request target: base URLs and URL. */
export interface Target {
  baseUrls: BaseUrls;
  url: URL;
  /** Of `url`, whose getters make a new string each time. */
  pathname: string;
  search: string;
  /** As written to the log. */
  path: string;
  /** Why no surface may answer. */
  refused: { status: ErrorStatus; message: string } | undefined;
}

/**
 * The full URL of a request, one of our base URLs, and why no surface may answer. Validates `Host` before anything else,
 * because the URL that Bun builds depends on it and may be invalid. A missing, repeated or malformed `Host` is 400
 * (RFC 9112 section 3.2), a foreign one 403 (DNS rebinding). Probes are answered for any host, or none.
 */
export function targetOf(request: Request, serverUrls: ServerUrls): Target {
  const host = request.headers.get("host");
  const ours = serverUrls.find(host);
  const baseUrls = ours ?? serverUrls.main;
  const url = urlOf(request, baseUrls);
  const refused = ours === undefined ? refusalOf(host, url) : undefined;
  const pathname = refused === undefined ? url.pathname : pathOf(request);
  return { baseUrls, url, refused, pathname, search: url.search, path: logged(pathname, MAX_PATH) };
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

function refusalOf(host: string | null, { pathname }: URL): Target["refused"] {
  const isGiven = host !== null && host !== "";
  if (isGiven && !isWellFormed(host))
    return { status: 400, message: "The Host header is malformed, or was sent twice." };
  if (PROBES.includes(pathname)) return undefined;
  return isGiven
    ? {
        status: 403,
        message: `This server does not answer for the host ${JSON.stringify(host)}. Use its published address (--public-url).`,
      }
    : { status: 400, message: "The request names no host: send a Host header." };
}

/** The path of a request for a log line, however malformed its target. */
export function pathOf(request: Request): string {
  return textAfterHost(request).replace(/[?#].*$/, "");
}

function isWellFormed(host: string): boolean {
  return host.length <= 255 && HOST.test(host) && URL.canParse(`http://${host}/`);
}

function urlOf(request: Request, { origin }: BaseUrls): URL {
  const url = URL.parse(request.url);
  if (url !== null) return url;
  const target = origin + textAfterHost(request);
  return new URL(URL.canParse(target) ? target : origin);
}

/** From the first slash after the authority. Bun passes the bare target if `Host` is invalid. */
function textAfterHost({ url }: Request): string {
  return url.replace(/^https?:\/\/[^/]*/i, "");
}
