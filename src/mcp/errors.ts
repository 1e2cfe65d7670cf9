import { READ_SCOPE } from "../accounts/credentials.ts";
import { type RefusalDetails, type RefusalKind, ServiceError } from "../errors.ts";
import {
  envelope,
  type ErrorStatus,
  type Purchase,
  refusal,
  refusalHeaders,
  STATUS,
} from "../http/responses.ts";
import type { McpEndpoint } from "../http/base-urls.ts";

/** Refusals that a model can act on become tool results; others are HTTP responses for the client. */
const FOR_THE_MODEL: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  "invalid_parameter",
  "payment_required",
  "unknown_company",
  "stale_cursor",
  "unavailable",
]);

/** Whether a refusal becomes a tool result for the model rather than an HTTP response for the client. */
export function isForTheModel({ kind }: ServiceError): boolean {
  return FOR_THE_MODEL.has(kind);
}

/** The status and body of an error. Errors other than refusals are bugs, and their details are not disclosed. */
export function errorBody(
  refused: unknown,
  purchase: Purchase,
): { status: ErrorStatus; body: Record<string, unknown> } {
  if (!(refused instanceof ServiceError)) {
    return { status: 500, body: envelope(500, "Internal error. Please report it to the operator.") };
  }
  const status = STATUS[refused.kind];
  if (status !== 402) return { status, body: envelope(status, refused.message) };
  // Models pass on the sentence rather than the member.
  return { status, body: envelope(402, `${refused.message} Developer page: ${purchase.url}`, { purchase }) };
}

/** The message with a challenge on endpoints where signing in is required. */
const SIGN_IN = "Sign in (Authorization: Bearer), or send an API key in the X-API-KEY header.";

/** A refusal as an HTTP response, with the challenge of its status. */
export function errorResponse(refused: ServiceError, endpoint: McpEndpoint): Response {
  const status = STATUS[refused.kind];
  const { details } = refused;
  const headers = refusalHeaders(refused);
  if (refused.kind === "unauthenticated")
    headers["www-authenticate"] = challenge(details.presented, endpoint);
  if (refused.kind === "insufficient_scope") headers["www-authenticate"] = scopeChallenge(endpoint);
  const isMissing = refused.kind === "unauthenticated" && details.presented === "none" && endpoint.eager;
  return refusal(status, isMissing ? SIGN_IN : refused.message, headers);
}

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
function scopeChallenge({ metadataUrl }: McpEndpoint): string {
  return `Bearer error="insufficient_scope", error_description="The access token lacks the scope ${READ_SCOPE}", resource_metadata="${metadataUrl}", scope="${READ_SCOPE}"`;
}

/**
 * Whether a client reads the challenge only in the result (the ChatGPT family). Both names are unverified; they affect
 * only the form of an answer, not its contents.
 */
export function readsChallengeInBand(userAgent: string | null, clientName: string | undefined): boolean {
  return /openai|chatgpt/i.test(`${userAgent ?? ""} ${clientName ?? ""}`);
}
