/** What the endpoints of the authorization server share: dependencies, parameters and JSON responses. */
import { ROUTES } from "../http/routes.ts";
import type { Grants } from "../accounts/oauth/index.ts";
import type { ContextOf, RequestContext, ServerUrls } from "../http/base-urls.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import type { Log } from "../log.ts";
import { OAuthError, oauthErrorOf, printable } from "./errors.ts";
import type { CreditsShown } from "./pages.ts";

/** What the authorization server works with. */
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

/** The body as text. Refuses a body longer than `maxBytes` with `too_large`. */
export async function readText(context: RequestContext, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await context.readBody(maxBytes));
}

/** The media type of the body in lower case, without parameters. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * The parameters of a form body.
 * @throws OAuthError `invalid_request` for another media type or a repeated parameter
 */
export async function readForm(
  request: Request,
  context: RequestContext,
  maxBytes = 16 * 1024,
): Promise<Parameters> {
  const text = await readText(context, maxBytes);
  const type = mediaType(request);
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError(
      "invalid_request",
      `The media type of the body is ${type === "" ? "missing" : type}: expected application/x-www-form-urlencoded.`,
    );
  }
  const { single, repeated } = once(new URLSearchParams(text));
  const [first] = repeated;
  if (first !== undefined) throw new OAuthError("invalid_request", `The parameter ${first} is repeated.`);
  return single;
}

/** Separates parameters with a single value from the names of repeated ones. */
export function once(search: URLSearchParams): { single: Parameters; repeated: readonly string[] } {
  const single = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of search) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== "") single.set(name, value);
  }
  for (const name of repeated) single.delete(name);
  return { single, repeated: [...repeated] };
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
