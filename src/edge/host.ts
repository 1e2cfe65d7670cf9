import { ROUTES } from "../routes.ts";
import type { BaseUrls, ServerUrls } from "../base-urls.ts";
import { type ErrorStatus } from "../http.ts";

/** What a supervisor asks by whatever name it knows the machine. */
const PROBES: readonly string[] = [ROUTES.livez.path, ROUTES.readyz.path];

/** A host name or address as HTTP allows it in `Host`, with or without a port. @see RFC 9110 section 7.2 */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+;=%-]+)(:\d{0,5})?$/i;

/** Where a request is meant to go: one of our base URLs and the address asked, or why it is answered by no surface. */
export type Destination =
  { ok: true; baseUrls: BaseUrls; url: URL } | { ok: false; status: ErrorStatus; message: string };

/**
 * Reads `Host` before anything else of a request: what Bun makes of the address depends on it, and may be no URL at all.
 * A `Host` that is missing, given twice or malformed is 400 (RFC 9112 section 3.2), one that is none of ours 403 (DNS
 * rebinding). Probes are answered whatever host they name, or none.
 */
export function destinationOf(request: Request, serverUrls: ServerUrls): Destination {
  const host = request.headers.get("host");
  const baseUrls = serverUrls.find(host);
  if (baseUrls !== undefined) return { ok: true, baseUrls, url: urlOf(request, baseUrls) };
  if (host !== null && host !== "" && !isWellFormed(host)) {
    return { ok: false, status: 400, message: "The Host header is malformed, or was sent twice." };
  }
  const url = urlOf(request, serverUrls.main);
  if (PROBES.includes(url.pathname)) return { ok: true, baseUrls: serverUrls.main, url };
  if (host === null || host === "") {
    return { ok: false, status: 400, message: "The request names no host: send a Host header." };
  }
  return {
    ok: false,
    status: 403,
    message: `This server does not answer for the host ${JSON.stringify(host)}.`,
  };
}

/** The path and query of a request as they may stand in a log line, whatever its address looks like. */
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

/** From the first slash behind the authority: Bun gives the bare target where it cannot read `Host`. */
function targetOf({ url }: Request): string {
  return url.replace(/^https?:\/\/[^/]*/i, "");
}
