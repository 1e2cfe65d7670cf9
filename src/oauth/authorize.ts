import { ROUTES } from "../http/routes.ts";
import type { BrowserSession, SessionCookies } from "../http/session-cookies.ts";
import type { Client } from "../accounts/oauth/clients.ts";
import { type RedirectPolicy, matchesRegistered, withResponse } from "../accounts/oauth/redirects.ts";
import type { AuthorizationRequest, Requests } from "../accounts/oauth/requests.ts";
import type { ContextOf, BaseUrls } from "../http/base-urls.ts";
import type { RequestCookies } from "./carried.ts";
import { type CreditsShown, consentPage } from "./consent-page.ts";
import { OAuthError, oauthErrorOf, printable } from "./errors.ts";
import { type Parameters, once } from "./form.ts";
import { redirectTo } from "../http/responses.ts";
import { stoppedPage, toSignIn } from "./pages.ts";
import type { Resources } from "./resources.ts";

export interface AuthorizeDeps {
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  /** A client by id; undefined if there is none. May fetch its metadata document. */
  findClient(id: string, address: string): Promise<Client | undefined>;
  /** Stores a client known only from its metadata document. */
  keepClient(client: Client, address: string): Promise<void>;
  /** Records that the client requested access, which protects it from removal. */
  noteAsked(id: string): void;
  requestCookies: RequestCookies;
  redirects: RedirectPolicy;
  requests: Requests;
  resources: Resources;
  scope: string;
  /** What a person can spend, as shown on the consent page. */
  creditsOf(userId: string): Promise<CreditsShown>;
}

/** An error reported to the client by redirect. */
class RedirectedError extends OAuthError {}

/** Maximum length of a query; sealed, it still fits the 4,096 characters that browsers allow for a cookie. */
const MAX_QUERY_LENGTH = 2900;
/** Maximum length of `state`, which the response repeats. */
const MAX_STATE_LENGTH = 2048;

/** The authorization endpoint, and resuming a request after sign-in. */
export interface Authorization {
  /** `GET /oauth/authorize` */
  endpoint(context: { request: Request }): Promise<Response>;
  /** Whether this browser carries a request with that transaction id. */
  carries(request: Request, browser: string, transaction: string): boolean;
  /**
   * Validates and stores the request that this browser carried until sign-in; undefined if it carries none. Refuses
   * like the endpoint.
   */
  resume(
    request: Request,
    browserSession: BrowserSession,
    transaction: string,
  ): Promise<{ asked: AuthorizationRequest; cookies: readonly string[] } | undefined>;
}

/**
 * `GET /oauth/authorize`: validates the client and its redirect URI first, and reports errors by redirect only after
 * that; then starts a transaction for this browser and asks the person to sign in or to decide. Nothing is stored
 * before sign-in: until then the browser carries the request (`carried.ts`).
 *
 * @see RFC 6749 section 4.1, RFC 9700 sections 2.1 and 4.11, docs/protocols.md, 3.6
 */
// oxlint-disable-next-line max-lines-per-function -- its two entry points share the request handling
export function authorization(deps: AuthorizeDeps): Authorization {
  const { contextOf, sessionCookies, requests, requestCookies } = deps;
  const keep = async (
    asked: AuthorizationRequest,
    client: Client,
    from: { browser: string; address: string },
    transaction?: string,
  ) => {
    await deps.keepClient(client, from.address);
    return requests.open(asked, from, transaction);
  };

  const answer = async (request: Request, trusted: Trusted, parameters: Given): Promise<Response> => {
    const { single, repeated } = parameters;
    const { baseUrls, address, url } = contextOf(request);
    const browserSession = await sessionCookies.browserSession(request);
    const { browser, person } = browserSession;
    const asked = readRequest(single, repeated, trusted, baseUrls, deps);
    const prompts = (single.get("prompt") ?? "").split(" ");
    if (prompts.includes("none")) refusePromptNone(prompts, person !== null);
    deps.noteAsked(trusted.client.id);
    if (person === null || prompts.includes("login") || prompts.includes("select_account")) {
      const { transaction, cookies } = requestCookies.keep(request, browser, url.search);
      return toSignIn(baseUrls, transaction, [...browserSession.cookies, ...cookies]);
    }
    const transaction = await keep(asked, trusted.client, { browser, address });
    return consentPage({ asked, transaction, browserSession, credits: await deps.creditsOf(person.userId) });
  };

  return {
    async endpoint({ request }) {
      if (request.method !== "GET")
        return stoppedPage(405, "Open this address in a browser.", {
          allow: ROUTES.authorize.methods.join(", "),
        });
      const { baseUrls, address, url } = contextOf(request);
      if (url.search.length > MAX_QUERY_LENGTH) {
        return stoppedPage(400, `The request exceeds ${MAX_QUERY_LENGTH} characters.`);
      }
      const parameters = once(url.searchParams);
      let trusted: Trusted;
      try {
        trusted = await requireClient(parameters, address, deps);
      } catch (refused) {
        const { description, status, headers } = oauthErrorOf(refused);
        return stoppedPage(status === 401 ? 400 : status, description, headers);
      }
      try {
        return await answer(request, trusted, parameters);
      } catch (refused) {
        return refusedResponse(refused, trusted, parameters.single.get("state") ?? null, baseUrls);
      }
    },

    carries: (request, browser, transaction) =>
      requestCookies.find(request, browser, transaction) !== undefined,

    async resume(request, { browser }, transaction) {
      const carried = requestCookies.find(request, browser, transaction);
      if (carried === undefined) return undefined;
      const { baseUrls, address } = contextOf(request);
      const parameters = once(new URLSearchParams(carried.query));
      const trusted = await requireClient(parameters, address, deps);
      const asked = readRequest(parameters.single, parameters.repeated, trusted, baseUrls, deps);
      await keep(asked, trusted.client, { browser, address }, transaction);
      return { asked, cookies: [carried.endCookie] };
    },
  };
}

/** A client with a validated redirect URI. */
interface Trusted {
  client: Client;
  redirectUri: string;
}

/** Parameters with a single value, and the names of repeated ones. */
type Given = ReturnType<typeof once>;

/**
 * Reports an error to the client by redirect. Some errors are shown to the person without a redirect: rate limits, a
 * store failure, and all errors for clients known only from a metadata document, because anyone can publish one to
 * redirect people anywhere. @see RFC 9700 section 4.11.2
 */
function refusedResponse(
  refused: unknown,
  { client, redirectUri }: Trusted,
  state: string | null,
  { origin }: BaseUrls,
): Response {
  const error = oauthErrorOf(refused);
  if (!(error instanceof RedirectedError) && error.status >= 429) {
    return stoppedPage(error.status, error.description, error.headers);
  }
  if (client.kind === "document") return stoppedPage(400, error.description);
  const answer = {
    error: error.code,
    error_description: printable(error.description),
    state: state !== null && state.length > MAX_STATE_LENGTH ? null : state,
    iss: origin,
  };
  return redirectTo(withResponse(redirectUri, answer), [], 302);
}

async function requireClient(
  { single, repeated }: Given,
  address: string,
  deps: AuthorizeDeps,
): Promise<Trusted> {
  for (const name of ["client_id", "redirect_uri"]) {
    if (repeated.includes(name))
      throw new OAuthError("invalid_request", `The parameter ${name} is repeated.`);
    if (!single.has(name)) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  }
  const id = single.get("client_id") ?? "";
  const redirectUri = single.get("redirect_uri") ?? "";
  const client = await deps.findClient(id, address);
  if (client === undefined) {
    throw new OAuthError(
      "invalid_client",
      "Unknown application: it is not registered, or its registration has expired. It must register again.",
    );
  }
  if (!matchesRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthError("invalid_request", "The application did not register this redirect URI.");
  }
  const ownHost = client.kind === "document" ? new URL(client.id).host : undefined;
  const verdict = deps.redirects.judge(redirectUri, ownHost);
  if (!verdict.ok) {
    throw new OAuthError("invalid_request", `This redirect URI is not allowed: ${verdict.reason}.`);
  }
  return { client, redirectUri };
}

function readRequest(
  single: Parameters,
  repeated: readonly string[],
  { client, redirectUri }: { client: Client; redirectUri: string },
  baseUrls: BaseUrls,
  { resources, scope }: AuthorizeDeps,
): AuthorizationRequest {
  const refuse = (code: OAuthError["code"], description: string) => new RedirectedError(code, description);
  const [twice] = repeated;
  if (twice !== undefined)
    throw refuse("invalid_request", `The parameter ${twice.slice(0, 100)} is repeated.`);
  if ((single.get("state") ?? "").length > MAX_STATE_LENGTH) {
    throw refuse("invalid_request", `state exceeds ${MAX_STATE_LENGTH} characters.`);
  }
  const responseType = single.get("response_type");
  if (responseType === undefined) throw refuse("invalid_request", "The parameter response_type is missing.");
  if (responseType !== "code")
    throw refuse("unsupported_response_type", "The only supported response_type is code.");
  if ((single.get("response_mode") ?? "query") !== "query") {
    throw refuse("invalid_request", "The only supported response_mode is query.");
  }
  if (single.has("request") || single.has("request_uri")) {
    throw refuse("invalid_request", "Request objects are not supported: send the parameters themselves.");
  }
  const codeChallenge = single.get("code_challenge");
  if (codeChallenge === undefined)
    throw refuse("invalid_request", "PKCE is required: code_challenge is missing.");
  if (single.get("code_challenge_method") !== "S256") {
    throw refuse("invalid_request", "code_challenge_method must be S256.");
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw refuse("invalid_request", "code_challenge must be a SHA-256 in base64url: 43 characters.");
  }
  const named = single.get("resource");
  const resource = named === undefined ? resources.fallback(baseUrls) : resources.find(named);
  if (resource === undefined) {
    throw refuse("invalid_target", `Unknown resource: expected ${resources.fallback(baseUrls)}.`);
  }
  // The requested scope is ignored: there is only one, which the person is shown and grants.
  return {
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    state: single.get("state") ?? null,
    codeChallenge,
    resource,
    scope,
    issuer: baseUrls.origin,
  };
}

function refusePromptNone(prompts: readonly string[], signedIn: boolean): never {
  if (prompts.length > 1) throw new RedirectedError("invalid_request", "prompt=none cannot be combined.");
  if (!signedIn) throw new RedirectedError("login_required", "The user is not signed in.");
  throw new RedirectedError("consent_required", "The user has to approve each connection.");
}
