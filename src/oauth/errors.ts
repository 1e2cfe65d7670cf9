import { ServiceError, type RefusalKind } from "../errors.ts";
import { refusalHeaders, STATUS } from "../http/responses.ts";

/** Error codes of our endpoints. */
export type OAuthErrorCode =
  // RFC 6749 sections 4.1.2.1 and 5.2
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  // RFC 8707 section 2
  | "invalid_target"
  // RFC 7591 section 3.2.2
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  // OpenID Connect Core section 3.1.2.6, for `prompt=none`
  | "login_required"
  | "consent_required";

/** A refusal in the form of RFC 6749, section 5.2. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";

  /** @param description for the client's developer; sent with only the characters that RFC 6749 allows */
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    readonly status = code === "invalid_client" ? 401 : 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${code}: ${description}`);
  }
}

/** The OAuth error code of each kind of refusal. */
const CODES: Readonly<Record<RefusalKind, OAuthErrorCode>> = {
  invalid_parameter: "invalid_request",
  two_credentials: "invalid_request",
  unauthenticated: "invalid_client",
  payment_required: "access_denied",
  forbidden: "access_denied",
  insufficient_scope: "invalid_scope",
  unknown_company: "invalid_request",
  conflict: "invalid_request",
  stale_cursor: "invalid_request",
  no_route: "invalid_request",
  wrong_method: "invalid_request",
  too_large: "invalid_request",
  slow_body: "invalid_request",
  unsupported_media: "invalid_request",
  rate_limited: "temporarily_unavailable",
  unavailable: "temporarily_unavailable",
};

/** Converts a refusal to an OAuth error; other errors are bugs and rethrown. */
export function oauthErrorOf(refused: unknown): OAuthError {
  if (refused instanceof OAuthError) return refused;
  if (!(refused instanceof ServiceError)) throw refused;
  // RFC 6749 does not use 415: a wrong media type is an invalid request.
  const status = refused.kind === "unsupported_media" ? 400 : STATUS[refused.kind];
  return new OAuthError(CODES[refused.kind], refused.message, status, refusalHeaders(refused));
}

/**
 * Restricts a description to what `error_description` allows: printable ASCII without `"` and `\`. @see RFC 6749
 * section 5.2
 */
export function printable(description: string): string {
  return description.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
