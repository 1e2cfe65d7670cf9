import { READ_SCOPE } from "../accounts/credentials.ts";
import type { RefusalDetails } from "../errors.ts";
import { isLoopback, type McpEndpoint } from "../http/base-urls.ts";
import type { Presented } from "../accounts/principal.ts";

/**
 * The `WWW-Authenticate` header of a 401, depending on the credential sent. `Bearer` is the first and only challenge,
 * because clients read the first scheme. An invalid API key receives no Bearer challenge, or VS Code would sign in and
 * then send both.
 * @see docs/protocols.md, 2.4 and 2.6
 */
export function challenge(
  presented: RefusalDetails["presented"] = "none",
  { metadataUrl, eager }: McpEndpoint,
): string {
  if (presented === "key") return 'ApiKey realm="executive-compensation"';
  const where = `resource_metadata="${metadataUrl}", scope="${READ_SCOPE}"`;
  if (presented === "token") {
    return `Bearer error="invalid_token", error_description="The access token is expired, revoked or unknown", ${where}`;
  }
  // RFC 6750 omits the error code if no credential was sent; Claude's "lazy authentication" needs one on a tool call.
  if (eager) return `Bearer ${where}`;
  return `Bearer error="invalid_token", error_description="Sign in to read historical fiscal years", ${where}`;
}

/** The challenge of a 403: the token is valid, but its scope is insufficient. @see RFC 6750 section 3.1 */
export function scopeChallenge({ metadataUrl }: McpEndpoint): string {
  return `Bearer error="insufficient_scope", error_description="The access token lacks the scope ${READ_SCOPE}", resource_metadata="${metadataUrl}", scope="${READ_SCOPE}"`;
}

/**
 * Whether a client reads the challenge only in the result (the ChatGPT family). Both names are unverified; they affect
 * only the form of an answer, not its contents.
 */
export function readsChallengeInBand(userAgent: string | null, clientName: string | undefined): boolean {
  return /openai|chatgpt/i.test(`${userAgent ?? ""} ${clientName ?? ""}`);
}

const BEARER = /^bearer(?:\s+(.*))?$/i;

/**
 * The credential of an MCP request: `Authorization: Bearer` or `X-API-KEY`, but not both. An empty one counts as
 * presented; other schemes (such as a proxy's Basic) are ignored; the query is never read.
 * @see docs/protocols.md, 2.2
 */
export function presentedBy(headers: Headers): Presented {
  const key = headers.get("x-api-key");
  const authorization = headers.get("authorization");
  const bearer = authorization === null ? null : BEARER.exec(authorization.trim());
  if (key !== null && bearer !== null) return { kind: "both" };
  if (key !== null) return { kind: "key", secret: key };
  if (bearer !== null) return { kind: "token", secret: bearer[1]?.trim() ?? "" };
  return { kind: "none" };
}

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
