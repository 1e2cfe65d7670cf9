import { ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import type * as OAuth from "oauth4webapi";
import type { Claims } from "../accounts/identities.ts";
import type { NewSession } from "../accounts/sessions.ts";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { html } from "../html.ts";
import type { Log } from "../log.ts";
import { type BaseUrls, isLoopback } from "../base-urls.ts";
import { redirectTo } from "../http.ts";
import { traceHeaders } from "../trace-context.ts";
import {
  type EntryDeps,
  destination,
  signInResponse,
  messageResponse,
  readTransaction,
  refusalOf,
} from "./entry.ts";

/** The provider, as the configuration names it. */
export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What sign-in through a provider is built from. */
export interface SingleSignOnDeps extends EntryDeps {
  runtime: Pick<Runtime, "now" | "monotonic" | "fetch">;
  log: Log;
  provider: Provider;
  signInByIdentity(
    claims: Claims,
    browser: { address: string; previous: string | null },
  ): Promise<NewSession>;
}

/** A sign-in on its way to the provider and back. */
interface PendingSignIn {
  browser: string;
  nonce: string;
  verifier: string;
  transaction: string | null;
}

const PENDING_MS = 10 * 60_000;
const MAX_PENDING = 10_000;
/** The provider's description is read again this often. */
const DISCOVERY_MS = 60 * 60_000;
/** How long the provider may take for one answer. */
const PATIENCE_MS = 10_000;

/**
 * Sign-in through an OpenID Connect provider: authorization code with PKCE, nonce and state, `iss` checked where the
 * provider sends it. Trust is the provider's verified e-mail and, from then on, its subject.
 * @see OpenID Connect Core 1.0 section 3.1; RFC 7636; RFC 9207
 */
export function singleSignOn(deps: SingleSignOnDeps) {
  const { runtime, contextOf, sessionCookies, log } = deps;
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
        return signInResponse(deps, request, browserSession, opened, location);
      } catch (error) {
        return failed(log, error);
      }
    });
}

/** Where the provider sends people back to; to be registered there. */
function callbackOf({ origin }: BaseUrls): string {
  return origin + ROUTES.singleSignOnCallback.path;
}

/** The page that says why nobody is signed in. */
function failed(log: Log, error: unknown): Response {
  if (error instanceof ServiceError) {
    const { message, status, headers } = refusalOf(error);
    return messageResponse("Sign-in failed", note(message), status, headers);
  }
  // What a provider answers can hold codes: only the library's own words go into the log.
  log.warn("single_sign_on", {
    problem: error instanceof Error ? `${error.name}: ${error.message}` : "unknown",
  });
  return messageResponse(
    "Sign-in failed",
    note("The provider could not be reached, or its answer could not be used."),
    502,
  );
}

function note(message: string) {
  return html`<p role="alert">${message}</p>
    <p><a href="/sign-in">Back to sign-in</a></p>`;
}

/** The sign-ins under way, by their state, in memory: a restart asks people to begin again. */
function keepPending(runtime: Pick<Runtime, "monotonic">) {
  const kept = new Map<string, PendingSignIn & { atMs: number }>();
  const isOver = (atMs: number) => runtime.monotonic() - atMs >= PENDING_MS;
  return {
    add(state: string, pending: PendingSignIn): void {
      for (const [oldest, { atMs }] of kept) {
        if (kept.size <= MAX_PENDING && !isOver(atMs)) break;
        kept.delete(oldest);
      }
      kept.set(state, { ...pending, atMs: runtime.monotonic() });
    },
    /** One try each, whatever comes of it; undefined where there is none, or it took too long. */
    take(state: string): PendingSignIn | undefined {
      const pending = kept.get(state);
      kept.delete(state);
      return pending === undefined || isOver(pending.atMs) ? undefined : pending;
    },
  };
}

/** Reaches the provider for a request. Its description is kept for a while. */
function connector({ runtime, provider }: Pick<SingleSignOnDeps, "runtime" | "provider">) {
  const client: OAuth.Client = { client_id: provider.clientId };
  let known: { server: OAuth.AuthorizationServer; atMs: number } | undefined;
  return async (request: Request) => {
    // Loaded by the first who signs in this way: a start does not pay for it.
    const oauth = await import("oauth4webapi");
    const clientAuth =
      provider.clientSecret === "" ? oauth.None() : oauth.ClientSecretBasic(provider.clientSecret);
    /** Of one question. */
    const options = () => ({
      // The provider is the operator's choice, and its answer is waited for: it is part of the caller's trace.
      [oauth.customFetch]: (url: string, init: RequestInit & { headers: Record<string, string> }) =>
        runtime.fetch(url, { ...init, headers: { ...init.headers, ...traceHeaders(request) } }),
      // Without TLS only to a provider on this computer: tests, and people who try things out.
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

/** Where a person is sent to, and what their answer is checked by. */
async function question({ oauth, client, server }: Connected, redirectUri: string) {
  if (server.authorization_endpoint === undefined) throw new Error("no authorization endpoint");
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const there = new URL(server.authorization_endpoint);
  const asked = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "openid email",
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) there.searchParams.set(name, value);
  return { address: there.href, state, nonce, verifier };
}

/** Whom the provider vouches for, by the answer that a person came back with. */
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

/** The claims that hold the e-mail: many providers put it into the user info answer only. */
async function userInfo(
  { oauth, client, server, options }: Connected,
  accessToken: string,
  claims: OAuth.IDToken,
): Promise<Readonly<Record<string, unknown>>> {
  if (claims["email"] !== undefined || server.userinfo_endpoint === undefined) return claims;
  const answer = await oauth.userInfoRequest(server, client, accessToken, options());
  return oauth.processUserInfoResponse(server, client, claims.sub, answer);
}
