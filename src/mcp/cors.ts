import { isLoopback } from "../http/base-urls.ts";

const ALLOWED_HEADERS =
  "Content-Type, Accept, Authorization, X-API-KEY, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, " +
  "Last-Event-ID";
const EXPOSED_HEADERS =
  "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Credits-Charged, Credits-Remaining, " +
  "Incomplete-Fiscal-Years, Newer-Filing, Dataset, X-Request-Id, Mcp-Session-Id";

/**
 * Whether pages of an origin may call MCP: our own origins, and pages on the caller's machine (Inspector). In a DNS
 * rebinding attack, the page has a foreign origin and is refused.
 * @see docs/protocols.md, T-2
 */
export function originAllowed(origin: string, own: ReadonlySet<string>): boolean {
  if (own.has(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && isLoopback(hostname);
}

/** CORS headers of a response. Never allows credentials, as there are no cookies here. @see docs/protocols.md, 3.8 */
export function corsHeaders(origin: string | null): Record<string, string> {
  if (origin === null) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED_HEADERS,
    vary: "Origin",
  };
}

/** Headers of a preflight response. */
export function preflightHeaders(origin: string | null): Record<string, string> {
  return {
    ...corsHeaders(origin),
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "600",
  };
}
