import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import type * as OAuth from "oauth4webapi";
import type { Claims } from "../accounts/sign-in.ts";
import type { NewSession } from "../accounts/sessions.ts";
import type { Runtime } from "../runtime.ts";
import { messageOf, OperatorError, ServiceError } from "../errors.ts";
import { html } from "../html.ts";
import { type Log, traceHeaders } from "../log.ts";
import { type BaseUrls, isLoopback } from "../http/base-urls.ts";
import { redirectTo, refusalOf } from "../http/responses.ts";
import { destination, readTransaction, signInResponse } from "./entry.ts";
import { type FormDeps, narrowPage } from "./forms.ts";

/** The provider from the configuration. */
export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface SingleSignOnDeps {
  forms: FormDeps;
  runtime: Pick<Runtime, "now" | "monotonic" | "fetch">;
  log: Log;
  provider: Provider;
  signInByIdentity(
    claims: Claims,
    browser: { address: string; previous: string | null },
  ): Promise<NewSession>;
}

/** A sign-in waiting for the provider's answer. */
interface PendingSignIn {
  browser: string;
  nonce: string;
  verifier: string;
  transaction: string | null;
}

const PENDING_MS = 10 * 60_000;
const MAX_PENDING = 10_000;
/** How long the provider's metadata is cached. */
const DISCOVERY_MS = 60 * 60_000;
/** Timeout of one request to the provider. */
const PATIENCE_MS = 10_000;

/**
 * Sign-in through an OpenID Connect provider: authorization code with PKCE, nonce and state; `iss` is checked if the
 * provider sends it. An account is matched by the provider's verified e-mail and from then on by its subject.
 * @see OpenID Connect Core 1.0 section 3.1; RFC 7636; RFC 9207
 */
export function singleSignOn(deps: SingleSignOnDeps) {
  const { runtime, log } = deps;
  const { contextOf, sessionCookies } = deps.forms;
  const pendingSignIns = keepPending(runtime);
  const connect = connector(deps);

  return new Elysia({ name: "single-sign-on" })
    .get(ROUTES.singleSignOn.path, async ({ request }) => {
      try {
        const { baseUrls, url } = contextOf(request);
        const browserSession = await sessionCookies.browserSession(request);
        const { address, state, ...secrets } = await question(await connect(request), callbackOf(baseUrls));
        const { browser, cookies } = browserSession;
        const transaction = readTransaction(url.searchParams.get("transaction"));
        pendingSignIns.add(state, { ...secrets, browser, transaction });
        return redirectTo(address, cookies);
      } catch (error) {
        return failed(log, error);
      }
    })
    .get(ROUTES.singleSignOnCallback.path, async ({ request }) => {
      try {
        const { baseUrls, url, address } = contextOf(request);
        const browserSession = await sessionCookies.browserSession(request);
        const state = url.searchParams.get("state") ?? "";
        const pending = pendingSignIns.take(state);
        if (pending?.browser !== browserSession.browser) {
          throw new ServiceError(
            "forbidden",
            "This sign-in was started in another browser, or took too long. Please start again.",
          );
        }
        const expected = { ...pending, state, redirectUri: callbackOf(baseUrls) };
        const claims = await claimsOf(await connect(request), url, expected);
        const userAgent = request.headers.get("user-agent");
        const browser = { address, userAgent, previous: browserSession.session };
        const opened = await deps.signInByIdentity(claims, browser);
        const location = destination(baseUrls, pending.transaction, null);
        return signInResponse(deps.forms, { request, session: browserSession }, opened, location);
      } catch (error) {
        return failed(log, error);
      }
    });
}

/** The redirect URI, which has to be registered with the provider. */
function callbackOf({ origin }: BaseUrls): string {
  return origin + ROUTES.singleSignOnCallback.path;
}

/** The page for a failed sign-in. */
function failed(log: Log, error: unknown): Response {
  if (error instanceof ServiceError) {
    const { message, status, headers } = refusalOf(error);
    return narrowPage(null, "Sign-in failed", note(message), status, headers);
  }
  // The provider's answer may contain codes, so only the library's own message is logged.
  log.warn("single_sign_on", {
    problem: error instanceof Error ? `${error.name}: ${error.message}` : "unknown",
  });
  return narrowPage(
    null,
    "Sign-in failed",
    note("The provider could not be reached, or its answer was not valid."),
    502,
  );
}

function note(message: string) {
  return html`<p role="alert">${message}</p>
    <p><a href="/sign-in">Back to sign-in</a></p>`;
}

/** Pending sign-ins by their state, in memory: after a restart people have to start again. */
function keepPending(runtime: Pick<Runtime, "monotonic">) {
  const kept = new Map<string, PendingSignIn & { atMs: number }>();
  const isExpired = (atMs: number) => runtime.monotonic() - atMs >= PENDING_MS;
  return {
    add(state: string, pending: PendingSignIn): void {
      for (const [oldest, { atMs }] of kept) {
        if (kept.size <= MAX_PENDING && !isExpired(atMs)) break;
        kept.delete(oldest);
      }
      kept.set(state, { ...pending, atMs: runtime.monotonic() });
    },
    /** Removes and returns the pending sign-in of a state, once; undefined if there is none or it has expired. */
    take(state: string): PendingSignIn | undefined {
      const pending = kept.get(state);
      kept.delete(state);
      return pending === undefined || isExpired(pending.atMs) ? undefined : pending;
    },
  };
}

type ProviderDeps = {
  runtime: Pick<Runtime, "monotonic" | "fetch">;
  provider: Provider;
};

/**
 * Reads the provider's metadata and keys, as a sign-in does. Throws an `OperatorError` with what is wrong. Whether the
 * client and the redirect URI are registered there shows only when somebody signs in.
 */
export async function checkProvider(runtime: ProviderDeps["runtime"], provider: Provider): Promise<string> {
  const { issuer } = provider;
  try {
    const { server, options } = await connector({ runtime, provider })(null);
    const missing = (["authorization_endpoint", "token_endpoint", "jwks_uri"] as const).find(
      (name) => server[name] === undefined,
    );
    if (missing !== undefined) throw new Error(`its metadata has no ${missing}`);
    const keys = await runtime.fetch(server.jwks_uri ?? "", { signal: options().signal });
    if (!keys.ok) throw new Error(`its keys at ${server.jwks_uri} answer ${keys.status}`);
  } catch (error) {
    throw new OperatorError(`The sign-in provider ${issuer} does not work: ${messageOf(error)}.`);
  }
  return `The sign-in provider ${issuer} answers, and its metadata and keys are there.`;
}

/** Connects to the provider for a request. Its metadata is cached. */
function connector({ runtime, provider }: ProviderDeps) {
  const client: OAuth.Client = { client_id: provider.clientId };
  let known: { server: OAuth.AuthorizationServer; atMs: number } | undefined;
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
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (known === undefined || runtime.monotonic() - known.atMs >= DISCOVERY_MS) {
      const issuer = new URL(provider.issuer);
      const answer = await oauth.discoveryRequest(issuer, options());
      const server = await oauth.processDiscoveryResponse(issuer, answer);
      known = { server, atMs: runtime.monotonic() };
    }
    return { oauth, client, clientAuth, server: known.server, options };
  };
}

type Connected = Awaited<ReturnType<ReturnType<typeof connector>>>;

/** The authorization request: the URL to redirect to, and the secrets to check the answer with. */
async function question({ oauth, client, server }: Connected, redirectUri: string) {
  if (server.authorization_endpoint === undefined) throw new Error("no authorization endpoint");
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const there = new URL(server.authorization_endpoint);
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
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth,
      answer,
      redirectUri,
      verifier,
      options(),
    ),
    { expectedNonce: nonce, requireIdToken: true },
  );
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new Error("no id token");
  const user = await userInfo(connected, tokens.access_token, claims);
  const verified = user["email_verified"] === true && typeof user["email"] === "string";
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: verified ? String(user["email"]) : null,
  };
}

/** The claims with the e-mail: many providers return it only from the userinfo endpoint. */
async function userInfo(
  { oauth, client, server, options }: Connected,
  accessToken: string,
  claims: OAuth.IDToken,
): Promise<Readonly<Record<string, unknown>>> {
  if (claims["email"] !== undefined || server.userinfo_endpoint === undefined) return claims;
  const answer = await oauth.userInfoRequest(server, client, accessToken, options());
  return oauth.processUserInfoResponse(server, client, claims.sub, answer);
}
