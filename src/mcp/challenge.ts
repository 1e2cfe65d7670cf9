import { READ_SCOPE } from "../accounts/credentials.ts";
import type { RefusalDetails } from "../errors.ts";
import type { McpEndpoint } from "../http/base-urls.ts";

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
