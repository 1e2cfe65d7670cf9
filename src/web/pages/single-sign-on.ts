import { ROUTES } from "../../http/routes.ts";
import { Elysia } from "elysia";
import type * as OAuth from "oauth4webapi";
import type { Claims } from "../../accounts/sign-in.ts";
import type { Runtime } from "../../runtime.ts";
import { codeOf, forbidden, messageOf, OperatorError, ServiceError } from "../../errors.ts";
import { html } from "../../lib/html.ts";
import { type Log, traceHeaders } from "../../log.ts";
import { type BaseUrls, isLoopback } from "../../http/base-urls.ts";
import { refusalOf } from "../../http/refusals.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { destination, noEntry, readTransaction, signInResponse } from "../entry-pages.ts";
import type { AccountDeps, Provider } from "../deps.ts";

/** A sign-in waiting for the provider's answer. */
interface PendingSignIn {
  browser: string;
  nonce: string;
  verifier: string;
  transaction: string | null;
  /** On the clock that never goes back. */
  endsAtMs: number;
}

const PENDING_MS = 10 * 60_000;
const MAX_PENDING = 10_000;
/** How long the provider's metadata is cached. */
const DISCOVERY_MS = 60 * 60_000;
/** Timeout of one request to the provider. */
const PATIENCE_MS = 10_000;

/**
 * Sign-in through an OpenID Connect provider: authorization code with PKCE, nonce and state; the ID token's
 * signature is verified, and `iss` is checked if the provider sends it. An account is matched by the provider's verified e-mail and from then on by its subject.
 * @see OpenID Connect Core 1.0 section 3.1; RFC 7636; RFC 9207
 */
export function singleSignOn({ forms, runtime, log, signIns }: AccountDeps, provider: Provider) {
  const { contextOf, sessionCookies } = forms;
  /** By their state, in memory: after a restart people have to start again. */
  const pendingSignIns = new Map<string, PendingSignIn>();
  const connect = connector(runtime, provider);
  const guarded =
    (answer: (request: Request) => Promise<Response>) =>
    ({ request }: { request: Request }) =>
      answer(request).catch((error: unknown) => failed(log, error));

  const begin = async (request: Request): Promise<Response> => {
    const { baseUrls, url } = contextOf(request);
    const { browser, cookies } = await sessionCookies.browserSession(request);
    const { address, state, ...secrets } = await question(await connect(request), callbackOf(baseUrls));
    const transaction = readTransaction(url.searchParams.get("transaction"));
    const now = runtime.monotonic();
    for (const [oldest, { endsAtMs }] of pendingSignIns) {
      if (pendingSignIns.size < MAX_PENDING && endsAtMs > now) break;
      pendingSignIns.delete(oldest);
    }
    pendingSignIns.set(state, { ...secrets, browser, transaction, endsAtMs: now + PENDING_MS });
    return redirectTo(address, cookies);
  };
  const end = async (request: Request): Promise<Response> => {
    const { baseUrls, url, address } = contextOf(request);
    const session = await sessionCookies.browserSession(request);
    const state = url.searchParams.get("state") ?? "";
    const pending = pendingSignIns.get(state);
    pendingSignIns.delete(state);
    if (pending?.browser !== session.browser || pending.endsAtMs <= runtime.monotonic())
      throw forbidden("This sign-in was started in another browser, or took too long. Please start again.");
    const expected = { ...pending, state, redirectUri: callbackOf(baseUrls) };
    const claims = await claimsOf(await connect(request), url, expected);
    const userAgent = request.headers.get("user-agent");
    const opened = await signIns.byIdentity(claims, { address, userAgent, previous: session.session });
    const location = destination(baseUrls, pending.transaction, null);
    return signInResponse(forms, { request, session }, opened, location);
  };
  return new Elysia({ name: "single-sign-on" })
    .get(ROUTES.singleSignOn.path, guarded(begin))
    .get(ROUTES.singleSignOnCallback.path, guarded(end));
}

/** The redirect URI, which has to be registered with the provider. */
export function callbackOf({ origin }: BaseUrls): string {
  return origin + ROUTES.singleSignOnCallback.path;
}

/** The page for a failed sign-in. */
function failed(log: Log, error: unknown): Response {
  const isRefusal = error instanceof ServiceError;
  // The provider's answer may contain codes, so only the library's own message is logged.
  if (!isRefusal)
    log.warn("single_sign_on", {
      problem: providerReason(error),
    });
  const broken = "The provider could not be reached, or its answer was not valid.";
  const { message, status, headers } = isRefusal
    ? refusalOf(error)
    : { message: broken, status: 502, headers: {} };
  return noEntry("Sign-in failed", html`${message}`, status, headers);
}

type ProviderRuntime = Pick<Runtime, "monotonic" | "fetch">;

/**
 * Reads the provider's metadata and keys, as a sign-in does. Throws an `OperatorError` with what is wrong. Whether the
 * client and the redirect URI are registered there shows only when somebody signs in.
 */
export async function checkProvider(
  runtime: ProviderRuntime,
  provider: Provider,
  baseUrls: BaseUrls,
): Promise<string> {
  const { issuer } = provider;
  try {
    const { server, options } = await connector(runtime, provider)(null);
    const missing = (["authorization_endpoint", "token_endpoint", "jwks_uri"] as const).find(
      (name) => server[name] === undefined,
    );
    if (missing !== undefined) throw new Error(`its metadata has no ${missing}`);
    const keys = await runtime.fetch(server.jwks_uri ?? "", { signal: options().signal });
    if (!keys.ok) throw new Error(`its keys at ${server.jwks_uri} answer ${keys.status}`);
  } catch (error) {
    throw new OperatorError(
      `The sign-in provider ${issuer} (--sso-issuer) does not work: ${providerReason(error)}.`,
    );
  }
  return `The sign-in provider ${issuer} answers, and its metadata and keys are there. Register the redirect address ${callbackOf(baseUrls)} with it.`;
}

/** What an operator can do something about, in words instead of the library's. */
function providerReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  switch (codeOf(error)) {
    case "OAUTH_WWW_AUTHENTICATE_CHALLENGE":
      return "it refuses the client: check --sso-client-id and --sso-client-secret";
    case "OAUTH_RESPONSE_BODY_ERROR":
      return `it answers ${"error" in error ? String(error.error) : "an error"}: check the client's registration, --sso-client-id and --sso-client-secret`;
    case "OAUTH_RESPONSE_IS_NOT_CONFORM":
      return cause instanceof Response
        ? `${cause.url || "its metadata"} answers ${cause.status}: check the address`
        : error.message;
    case "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED":
      return `its metadata are those of another issuer${ofIssuer(cause)}: give exactly that`;
    default:
      return messageOf(error);
  }
}

/** The issuer that metadata name. */
function ofIssuer(cause: unknown): string {
  if (!(cause instanceof Object && "body" in cause && cause.body instanceof Object)) return "";
  return "issuer" in cause.body ? `, ${String(cause.body.issuer)}` : "";
}

/** Connects to the provider for a request. Its metadata is cached. */
function connector(runtime: ProviderRuntime, provider: Provider) {
  const client: OAuth.Client = { client_id: provider.clientId };
  let discovered: { server: OAuth.AuthorizationServer; atMs: number } | undefined;
  /** The library's cache of the provider's keys. */
  const keys: OAuth.JWKSCacheInput = {};
  return async (request: Request | null) => {
    // Loaded by the first sign-in of this kind, to keep it out of the startup time.
    const oauth = await import("oauth4webapi");
    const clientAuth =
      provider.clientSecret === "" ? oauth.None() : oauth.ClientSecretBasic(provider.clientSecret);
    /** Options of one request. */
    const options = () => ({
      // The caller waits for the provider, which the operator chose, so the request belongs to the caller's trace.
      [oauth.customFetch]: (url: string, init: RequestInit & { headers: Record<string, string> }) =>
        runtime.fetch(url, { ...init, headers: { ...init.headers, ...(request && traceHeaders(request)) } }),
      // Plain HTTP only to a provider on this machine, for tests and trials.
      [oauth.allowInsecureRequests]: isLoopback(new URL(provider.issuer).hostname),
      [oauth.jwksCache]: keys,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (discovered === undefined || runtime.monotonic() - discovered.atMs >= DISCOVERY_MS) {
      const issuer = new URL(provider.issuer);
      const answer = await oauth.discoveryRequest(issuer, options());
      const server = await oauth.processDiscoveryResponse(issuer, answer);
      discovered = { server, atMs: runtime.monotonic() };
    }
    return { oauth, client, clientAuth, server: discovered.server, options };
  };
}

type Connected = Awaited<ReturnType<ReturnType<typeof connector>>>;

/** The authorization request: the URL to redirect to, and the secrets to check the answer with. */
async function question({ oauth, client, server }: Connected, redirectUri: string) {
  const { authorization_endpoint: endpoint } = server;
  if (endpoint === undefined) throw new Error("no authorization endpoint");
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const there = new URL(endpoint);
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "openid email",
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) there.searchParams.set(name, value);
  return { address: there.href, state, nonce, verifier };
}

/** The claims that the provider makes about the person, from the callback URL. */
async function claimsOf(
  connected: Connected,
  url: URL,
  expected: Pick<PendingSignIn, "nonce" | "verifier"> & { state: string; redirectUri: string },
): Promise<Claims> {
  const { oauth, client, clientAuth, server, options } = connected;
  const { state, nonce, verifier, redirectUri } = expected;
  const answer = oauth.validateAuthResponse(server, client, url, state);
  const grant = [server, client, clientAuth, answer, redirectUri, verifier, options()] as const;
  const granted = await oauth.authorizationCodeGrantRequest(...grant);
  const checks = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted, checks);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new Error("no id token");
  await oauth.validateApplicationLevelSignature(server, granted, options());
  // Many providers return the e-mail only from the userinfo endpoint.
  const user: Readonly<Record<string, unknown>> =
    claims["email"] !== undefined || server.userinfo_endpoint === undefined
      ? claims
      : await oauth
          .userInfoRequest(server, client, tokens.access_token, options())
          .then((info) => oauth.processUserInfoResponse(server, client, claims.sub, info));
  const verified = user["email_verified"] === true && typeof user["email"] === "string";
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: verified ? String(user["email"]) : null,
  };
}
