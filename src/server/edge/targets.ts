import { forbidden, invalid, type ServiceError } from "../../errors.ts";
import type { BaseUrls, ServerUrls } from "../../http/base-urls.ts";
import { ROUTES } from "../../http/routes.ts";

/** A parsed request target. */
export interface Target {
  baseUrls: BaseUrls;
  pathname: string;
  search: string;
  /** As written to the log. */
  path: string;
  /** Why no surface may answer. */
  refused: ServiceError | undefined;
}

/**
 * The path and query of a request, its base URLs, and why no surface may answer. A missing, repeated or malformed `Host` is
 * 400 (RFC 9112 section 3.2), a foreign one 403 (DNS rebinding). Probes are answered for any host, or none.
 */
export function targetOf(request: Request, serverUrls: ServerUrls): Target {
  const host = request.headers.get("host");
  const ours = serverUrls.find(host);
  const { pathname, search } = partsOf(request.url);
  const refused = ours === undefined ? refusalOf(host, pathname) : undefined;
  return { baseUrls: ours ?? serverUrls.main, pathname, search, refused, path: logged(pathname, MAX_PATH) };
}

/** Bun has normalized the URL, and passes the bare target if `Host` is invalid. Parsing it again took 5 µs of each answer. */
function partsOf(url: string): Pick<Target, "pathname" | "search"> {
  // Behind `http://` and at least one character, or `https://`.
  const start = url.startsWith("http") ? url.indexOf("/", "https://".length) : 0;
  const hash = url.indexOf("#", start);
  const end = hash < 0 ? url.length : hash;
  const question = url.indexOf("?", start);
  if (question < 0 || question > end) return { pathname: url.slice(start, end), search: "" };
  const search = url.slice(question, end);
  return { pathname: url.slice(start, question), search: search === "?" ? "" : search };
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

function refusalOf(host: string | null, pathname: string): Target["refused"] {
  const isGiven = host !== null && host !== "";
  if (isGiven && !isWellFormed(host)) return invalid("The Host header is malformed, or was sent twice.");
  if (PROBES.includes(pathname)) return undefined;
  return isGiven
    ? forbidden(
        `This server does not answer for the host ${JSON.stringify(host)}. Use its published address (--public-url).`,
      )
    : invalid("The request names no host: send a Host header.");
}

function isWellFormed(host: string): boolean {
  return host.length <= 255 && HOST.test(host) && URL.canParse(`http://${host}/`);
}
