import { ROUTES } from "../http/routes.ts";
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

/** CORS headers of these endpoints. @see docs/protocols.md, 3.8 */
export const CORS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, Retry-After",
};

/** A JSON response of the token, revocation and registration endpoints; never cached. */
export function jsonResponse(body: object, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      pragma: "no-cache",
      ...CORS,
      ...headers,
    },
  });
}

/** An error as a JSON response. */
export function errorResponse({ code, description, status, headers }: OAuthError): Response {
  return jsonResponse({ error: code, error_description: printable(description) }, status, { ...headers });
}

/** The response to a preflight. */
export function preflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "Content-Type, Authorization, MCP-Protocol-Version",
      "access-control-max-age": "600",
    },
  });
}

/** Methods of the token, revocation and registration endpoints. */
const METHODS = ROUTES.token.methods.join(", ");

/** Wraps the handler of a POST endpoint: answers preflights, checks the method, and formats errors as in RFC 6749. */
export function endpoint(answer: (request: Request) => Promise<Response>) {
  return async ({ request }: { request: Request }): Promise<Response> => {
    if (request.method === "OPTIONS") return preflight(METHODS);
    try {
      if (request.method !== "POST") {
        throw new OAuthError("invalid_request", `${request.method} is not supported here: use POST.`, 405, {
          allow: METHODS,
        });
      }
      return await answer(request);
    } catch (refused) {
      return errorResponse(oauthErrorOf(refused));
    }
  };
}
