/** What the endpoints of the authorization server share: dependencies, parameters and JSON responses. */
import { ROUTES } from "../http/routes.ts";
import type { Grants } from "../accounts/oauth-state/index.ts";
import type { ContextOf, RequestContext, ServerUrls } from "../http/base-urls.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import type { Log } from "../log.ts";
import type { CreditsShown } from "./pages.ts";
import { ServiceError, type RefusalKind } from "../errors.ts";
import { refusalHeaders, STATUS } from "../http/refusals.ts";

/** Dependencies of the authorization server. */
export interface OAuthDeps {
  contextOf: ContextOf;
  /** The current base URLs; the port is known only after listening. */
  serverUrls: () => ServerUrls;
  sessionCookies: SessionCookies;
  grants: Grants;
  log: Log;
  /** What a person can spend, as shown on the consent page. */
  creditsOf(userId: string): Promise<CreditsShown>;
  /** Whether the caller is on this computer and the server cannot be reached from any other. */
  isLocal(address: string): boolean;
}

/** A handler as Elysia calls it. */
export type Handler = (context: { request: Request }) => Promise<Response>;

/** Parameters with at most one value each; empty values count as absent. @see RFC 6749 section 3.1 */
export type Parameters = ReadonlyMap<string, string>;

/** Longest body of our endpoints. */
const MAX_BODY_BYTES = 16 * 1024;

/** The body as text. Refuses a longer one with `too_large`, and another media type as an OAuth error. */
export async function readText(
  request: Request,
  context: RequestContext,
  type: string,
  code: OAuthErrorCode,
): Promise<string> {
  const text = new TextDecoder().decode(await context.readBody(request, MAX_BODY_BYTES));
  const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === type) return text;
  const shown = mediaType === "" ? "missing" : mediaType;
  throw new OAuthError(code, `The media type of the body is ${shown}: expected ${type}.`);
}

/**
 * The parameters of a form body.
 * @throws OAuthError `invalid_request` for another media type or a repeated parameter
 */
export async function readForm(request: Request, context: RequestContext): Promise<Parameters> {
  const text = await readText(request, context, "application/x-www-form-urlencoded", "invalid_request");
  const { single, repeated } = separateRepeated(new URLSearchParams(text));
  const [first] = repeated;
  if (first !== undefined) throw invalidRequest(`The parameter ${first} is repeated.`);
  return single;
}

/** Separates parameters with a single value from the names of repeated ones. */
export function separateRepeated(search: URLSearchParams): {
  single: Parameters;
  repeated: readonly string[];
} {
  const [single, repeated] = [new Map<string, string>(), new Array<string>()];
  for (const [name, [first, ...others]] of Map.groupBy(search, ([name]) => name)) {
    if (others.length > 0) repeated.push(name);
    else if (first !== undefined && first[1] !== "") single.set(name, first[1]);
  }
  return { single, repeated };
}

/** CORS headers of these endpoints. @see test/contract/protocols.md, 3.8 */
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
export function endpoint(answer: (request: Request) => Promise<Response>): Handler {
  return async ({ request }) => {
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

/** The refusal of a request with wrong parameters. */
export function invalidRequest(description: string): OAuthError {
  return new OAuthError("invalid_request", description);
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
