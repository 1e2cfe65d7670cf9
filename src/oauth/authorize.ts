import { READ_SCOPE } from "../accounts/credentials.ts";
import type { Client } from "../accounts/oauth-state/clients.ts";
import { matchesRegistered, withResponse } from "../accounts/oauth-state/redirects.ts";
import type {
  CarriedRequest,
  CarriedRequests,
  AuthorizationRequest,
} from "../accounts/oauth-state/requests.ts";
import type { BaseUrls } from "../http/base-urls.ts";
import { withCookies } from "../http/headers.ts";
import { redirectTo } from "../http/html-responses.ts";
import { ROUTES } from "../http/routes.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import { clientForAuthorization } from "./clients.ts";
import {
  type OAuthDeps,
  separateRepeated,
  type Handler,
  invalidRequest,
  OAuthError,
  type OAuthErrorCode,
  oauthErrorOf,
  printable,
} from "./endpoint.ts";
import { findResource } from "./metadata.ts";
import { consentPage, stoppedPage, toSignIn, decidedPage } from "./pages.ts";
import { invalid } from "../errors.ts";

/** An error reported to the client by redirect. */
class RedirectedError extends OAuthError {}

/** Maximum length of a query; sealed, it still fits the 4,096 characters that browsers allow for a cookie. */
const MAX_QUERY_LENGTH = 2900;
/** Maximum length of `state`, which the response repeats. */
const MAX_STATE_LENGTH = 2048;

/**
 * `GET /oauth/authorize`: validates the client and its redirect URI first, and reports errors by redirect only after
 * that; then starts a transaction for this browser and asks the person to sign in or to decide. Nothing is stored
 * before sign-in: until then the browser carries the request.
 *
 * `/oauth/authorize/consent`: GET shows the consent page (after sign-in), POST decides. Only the browser that started
 * the request can decide, with a form issued to it; a second click repeats the first result.
 *
 * @see RFC 6749 section 4.1, RFC 9700 sections 2.1 and 4.11, test/contract/protocols.md, 3.6, A-4 to A-6 and 3.9
 */
export class Authorization {
  readonly authorize = inBrowser("authorize", (request) => this.answer(request));
  readonly consent = inBrowser("consent", (request) =>
    request.method === "GET" ? this.show(request) : this.decide(request),
  );
  private readonly cookies: RequestCookies;

  constructor(private readonly deps: OAuthDeps) {
    this.cookies = new RequestCookies(deps.sessionCookies, deps.grants.carriedRequests);
  }

  private async answer(request: Request): Promise<Response> {
    const { baseUrls, address, url } = this.deps.contextOf(request);
    if (url.search.length > MAX_QUERY_LENGTH)
      return stoppedPage(400, `The request exceeds ${MAX_QUERY_LENGTH} characters.`);
    const parameters = separateRepeated(url.searchParams);
    const trusted = await requireClient(parameters, address, this.deps);
    try {
      return await this.start(request, trusted, parameters);
    } catch (refused) {
      return refusedResponse(refused, trusted, parameters.single.get("state") ?? null, baseUrls);
    }
  }

  private async start(
    request: Request,
    trusted: Trusted,
    parameters: SeparatedParameters,
  ): Promise<Response> {
    const { contextOf, sessionCookies, grants } = this.deps;
    const { baseUrls, address, url } = contextOf(request);
    const session = await sessionCookies.browserSession(request);
    const { browser, person } = session;
    const authorization = readRequest(parameters, trusted, baseUrls, this.deps);
    const prompts = (parameters.single.get("prompt") ?? "").split(" ");
    if (prompts.includes("none")) refusePromptNone(prompts, person !== null);
    grants.clients.noteAsked(trusted.client.id);
    if (person === null || prompts.includes("login") || prompts.includes("select_account")) {
      const { transaction, cookies } = this.cookies.store(request, browser, url.search);
      return toSignIn(baseUrls, transaction, [...session.cookies, ...cookies]);
    }
    const transaction = await this.storeRequest(authorization, trusted.client, { browser, address });
    return consentPage(authorization, transaction, session, await this.deps.creditsOf(person.userId));
  }

  /** The consent page of a request that is stored, or that this browser carried until sign-in and that is now stored. */
  private async show(request: Request): Promise<Response> {
    const { contextOf, sessionCookies, grants, creditsOf } = this.deps;
    const { baseUrls, url, address } = contextOf(request);
    const session = await sessionCookies.browserSession(request);
    const { browser, person, cookies } = session;
    const transaction = url.searchParams.get("transaction") ?? "";
    const stored = await grants.requests.find(transaction, browser);
    const found = stored ?? this.cookies.find(request, browser, transaction);
    if (found === undefined) return stoppedPage(400, EXPIRED);
    if (person === null) return toSignIn(baseUrls, transaction, cookies);
    const credits = await creditsOf(person.userId);
    if (!("query" in found)) return consentPage(found, transaction, session, credits);
    const parameters = separateRepeated(new URLSearchParams(found.query));
    const trusted = await requireClient(parameters, address, this.deps);
    const authorization = readRequest(parameters, trusted, baseUrls, this.deps);
    await this.storeRequest(authorization, trusted.client, { browser, address }, transaction);
    return withCookies(consentPage(authorization, transaction, session, credits), [found.endCookie]);
  }

  private async decide(request: Request): Promise<Response> {
    const { contextOf, sessionCookies, grants, log } = this.deps;
    const { baseUrls, address } = contextOf(request);
    const session = await sessionCookies.browserSession(request);
    const form = await sessionCookies.form(request, session);
    const transaction = form.get("transaction") ?? "";
    const decision = form.get("decision");
    const { browser, person } = session;
    if (person === null) return toSignIn(baseUrls, transaction, session.cookies);
    if (decision !== "approve" && decision !== "deny") throw invalid("Choose Approve or Deny.");
    const { userId } = person;
    const by = { browser, userId, address, userAgent: request.headers.get("user-agent") };
    const decided = await grants.requests.decide(transaction, by, decision === "approve");
    if (decided.kind === "unknown") return stoppedPage(400, EXPIRED);
    if (decided.kind === "spent") return decidedPage(decided.redeemed, baseUrls.developer);
    const { redirectUri, state, issuer, clientId } = decided.request;
    log.info("oauth_decision", { client: clientId, user: userId, decision: decided.kind });
    const answer =
      decided.kind === "approved"
        ? { code: decided.code }
        : { error: "access_denied", error_description: "The user denied the request." };
    return redirectTo(withResponse(redirectUri, { ...answer, state, iss: issuer }));
  }

  private async storeRequest(
    authorization: AuthorizationRequest,
    client: Client,
    from: { browser: string; address: string },
    transaction?: string,
  ): Promise<string> {
    const { clients, requests } = this.deps.grants;
    if (client.kind === "document") await clients.keepDocument(client, from.address);
    return requests.open(authorization, from, transaction);
  }
}

const EXPIRED =
  "This request has expired, was started in another browser, or was answered from another account. " +
  "Requests expire after ten minutes.";

/** A handler for people in a browser: its refusals are pages. */
function inBrowser(route: "authorize" | "consent", answer: (request: Request) => Promise<Response>): Handler {
  const methods: readonly string[] = ROUTES[route].methods;
  return async ({ request }) => {
    if (!methods.includes(request.method))
      return stoppedPage(405, "Open this address in a browser.", { allow: methods.join(", ") });
    try {
      return await answer(request);
    } catch (refused) {
      const { description, status, headers } = oauthErrorOf(refused);
      return stoppedPage(status === 401 ? 400 : status, description, headers);
    }
  };
}

/** A client with a validated redirect URI. */
interface Trusted {
  client: Client;
  redirectUri: string;
}

/** Parameters with a single value, and the names of repeated ones. */
type SeparatedParameters = ReturnType<typeof separateRepeated>;

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
  { single, repeated }: SeparatedParameters,
  address: string,
  { grants }: OAuthDeps,
): Promise<Trusted> {
  for (const name of ["client_id", "redirect_uri"]) {
    if (repeated.includes(name)) throw invalidRequest(`The parameter ${name} is repeated.`);
    if (!single.has(name)) throw invalidRequest(`The parameter ${name} is missing.`);
  }
  const id = single.get("client_id") ?? "";
  const redirectUri = single.get("redirect_uri") ?? "";
  const client = await clientForAuthorization(grants, id, address);
  if (client === undefined) {
    throw new OAuthError(
      "invalid_client",
      "Unknown application: it is not registered, or its registration has expired. It must register again.",
    );
  }
  if (!matchesRegistered(client.redirectUris, redirectUri))
    throw invalidRequest("The application did not register this redirect URI.");
  const ownHost = client.kind === "document" ? new URL(client.id).host : undefined;
  const against = grants.redirects.reasonAgainst(redirectUri, ownHost);
  if (against !== undefined) throw invalidRequest(`This redirect URI is not allowed: ${against}.`);
  return { client, redirectUri };
}

function readRequest(
  { single, repeated }: SeparatedParameters,
  { client, redirectUri }: Trusted,
  baseUrls: BaseUrls,
  { serverUrls }: OAuthDeps,
): AuthorizationRequest {
  const refuse = (description: string, code: OAuthErrorCode = "invalid_request") =>
    new RedirectedError(code, description);
  const [twice] = repeated;
  if (twice !== undefined) throw refuse(`The parameter ${twice.slice(0, 100)} is repeated.`);
  if ((single.get("state") ?? "").length > MAX_STATE_LENGTH)
    throw refuse(`state exceeds ${MAX_STATE_LENGTH} characters.`);
  const responseType = single.get("response_type");
  if (responseType === undefined) throw refuse("The parameter response_type is missing.");
  if (responseType !== "code")
    throw refuse("The only supported response_type is code.", "unsupported_response_type");
  if ((single.get("response_mode") ?? "query") !== "query")
    throw refuse("The only supported response_mode is query.");
  if (single.has("request") || single.has("request_uri"))
    throw refuse("Request objects are not supported: send the parameters themselves.");
  const codeChallenge = single.get("code_challenge");
  if (codeChallenge === undefined) throw refuse("PKCE is required: code_challenge is missing.");
  if (single.get("code_challenge_method") !== "S256") throw refuse("code_challenge_method must be S256.");
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    throw refuse("code_challenge must be a SHA-256 in base64url: 43 characters.");
  const named = single.get("resource");
  const resource = named === undefined ? baseUrls.mcp : findResource(serverUrls(), named);
  if (resource === undefined) throw refuse(`Unknown resource: expected ${baseUrls.mcp}.`, "invalid_target");
  // The requested scope is ignored: there is only one, which the person is shown and grants.
  return {
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    state: single.get("state") ?? null,
    codeChallenge,
    resource,
    scope: READ_SCOPE,
    issuer: baseUrls.origin,
  };
}

function refusePromptNone(prompts: readonly string[], signedIn: boolean): never {
  if (prompts.length > 1) throw new RedirectedError("invalid_request", "prompt=none cannot be combined.");
  if (!signedIn) throw new RedirectedError("login_required", "The user is not signed in.");
  throw new RedirectedError("consent_required", "The user has to approve each connection.");
}

/** The cookies that hold a browser's requests; a new request replaces the oldest. */
const COOKIES = ["request_0", "request_1", "request_2"] as const;
type CookieName = (typeof COOKIES)[number];

/** Maximum total length of these cookies; more would let a site push a browser past the limit for request headers. */
const MAX_CARRIED = 8000;

/** Authorization requests that a browser carries in cookies, sealed. */
class RequestCookies {
  constructor(
    private readonly sessionCookies: SessionCookies,
    private readonly requests: CarriedRequests,
  ) {}

  /** Stores a request in a cookie. @returns its transaction id and the `Set-Cookie` lines */
  store(request: Request, browser: string, query: string): { transaction: string; cookies: string[] } {
    const { sealed, transaction } = this.requests.seal(query, browser);
    const carried = this.carriedBy(request, browser).toSorted((a, b) => b.expiresAtMs - a.expiresAtMs);
    let total = sealed.length;
    const staying = carried.filter(
      ({ length }, at) => (total += length) <= MAX_CARRIED && at < COOKIES.length - 1,
    );
    const used = new Set(staying.map(({ cookie }) => cookie));
    const [own = COOKIES[0], ...others] = COOKIES.filter((cookie) => !used.has(cookie));
    const ended = others.filter((cookie) => this.sessionCookies.carried(request, cookie) !== undefined);
    const cookies = [
      this.sessionCookies.cookie(request, own, sealed, 600),
      ...ended.map((cookie) => this.sessionCookies.cookie(request, cookie, "", 0)),
    ];
    return { transaction, cookies };
  }

  /** The browser's request with that transaction id, and the line that clears its cookie. */
  find(
    request: Request,
    browser: string,
    transaction: string,
  ): { query: string; endCookie: string } | undefined {
    const found = this.carriedBy(request, browser).find((carried) => carried.transaction === transaction);
    if (found === undefined) return undefined;
    return { query: found.query, endCookie: this.sessionCookies.cookie(request, found.cookie, "", 0) };
  }

  private carriedBy(
    request: Request,
    browser: string,
  ): (CarriedRequest & { cookie: CookieName; length: number })[] {
    return COOKIES.flatMap((cookie) => {
      const sealed = this.sessionCookies.carried(request, cookie) ?? "";
      const carried = this.requests.open(sealed, browser);
      return carried === undefined ? [] : [{ ...carried, cookie, length: sealed.length }];
    });
  }
}
