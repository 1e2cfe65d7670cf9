import { ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import type * as OAuth from "oauth4webapi";
import type { Claims } from "../accounts/identities.ts";
import type { NewSession } from "../accounts/sessions.ts";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { html } from "../html.ts";
import type { Log } from "../log.ts";
import { isLoopback } from "../base-urls.ts";
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

/** A sign-in on its way to the provider and back. Kept in memory: a restart asks people to begin again. */
interface PendingSignIn {
  browser: string;
  nonce: string;
  verifier: string;
  transaction: string | null;
  atMs: number;
}

/** Where the provider sends people back to; to be registered there. */

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
// oxlint-disable-next-line max-lines-per-function -- its routes share the provider's discovery and the sign-ins under way
export function singleSignOn(deps: SingleSignOnDeps) {
  const { runtime, contextOf, sessionCookies, provider, log } = deps;
  const pendingSignIns = new Map<string, PendingSignIn>();
  const client: OAuth.Client = { client_id: provider.clientId };
  // Loaded by the first who signs in this way: a start does not pay for it.
  const library = () => import("oauth4webapi");
  const options = (oauth: typeof OAuth, request: Request) => ({
    // The provider is the operator's choice, and its answer is waited for: it is part of the caller's trace.
    [oauth.customFetch]: (url: string, init: RequestInit & { headers: Record<string, string> }) =>
      runtime.fetch(url, { ...init, headers: { ...init.headers, ...traceHeaders(request) } }),
    // Without TLS only to a provider on this computer: tests, and people who try things out.
    [oauth.allowInsecureRequests]: isLoopback(new URL(provider.issuer).hostname),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  let known: { server: OAuth.AuthorizationServer; atMs: number } | undefined;
  const discover = async (request: Request): Promise<OAuth.AuthorizationServer> => {
    if (known !== undefined && runtime.monotonic() - known.atMs < DISCOVERY_MS) return known.server;
    const oauth = await library();
    const issuer = new URL(provider.issuer);
    const answer = await oauth.discoveryRequest(issuer, options(oauth, request));
    const server = await oauth.processDiscoveryResponse(issuer, answer);
    known = { server, atMs: runtime.monotonic() };
    return server;
  };
  const forgetOld = () => {
    for (const [state, { atMs }] of pendingSignIns) {
      if (pendingSignIns.size <= MAX_PENDING && runtime.monotonic() - atMs < PENDING_MS) break;
      pendingSignIns.delete(state);
    }
  };
  const failed = (error: unknown) => {
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
  };

  return new Elysia({ name: "single-sign-on" })
    .get(ROUTES.singleSignOn.path, async ({ request }) => {
      try {
        const { baseUrls, url } = contextOf(request);
        const browserSession = await sessionCookies.browserSession(request);
        const oauth = await library();
        const server = await discover(request);
        if (server.authorization_endpoint === undefined) throw new Error("no authorization endpoint");
        const state = oauth.generateRandomState();
        const nonce = oauth.generateRandomNonce();
        const verifier = oauth.generateRandomCodeVerifier();
        forgetOld();
        pendingSignIns.set(state, {
          browser: browserSession.browser,
          nonce,
          verifier,
          transaction: readTransaction(url.searchParams.get("transaction")),
          atMs: runtime.monotonic(),
        });
        const there = new URL(server.authorization_endpoint);
        const question = {
          response_type: "code",
          client_id: provider.clientId,
          redirect_uri: baseUrls.origin + ROUTES.singleSignOnCallback.path,
          scope: "openid email",
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        };
        for (const [name, value] of Object.entries(question)) there.searchParams.set(name, value);
        return redirectTo(there.href, browserSession.cookies);
      } catch (error) {
        return failed(error);
      }
    })
    .get(ROUTES.singleSignOnCallback.path, async ({ request }) => {
      try {
        const { baseUrls, url, address } = contextOf(request);
        const browserSession = await sessionCookies.browserSession(request);
        const state = url.searchParams.get("state") ?? "";
        const pending = pendingSignIns.get(state);
        // One try each, whatever comes of it.
        pendingSignIns.delete(state);
        if (pending === undefined || pending.browser !== browserSession.browser || isOver(pending)) {
          throw new ServiceError(
            "forbidden",
            "This sign-in was started in another browser, or took too long. Please start again.",
          );
        }
        const server = await discover(request);
        const claims = await exchange(
          request,
          server,
          url,
          baseUrls.origin + ROUTES.singleSignOnCallback.path,
          state,
          pending,
        );
        const userAgent = request.headers.get("user-agent");
        const browser = { address, userAgent, previous: browserSession.session };
        const opened = await deps.signInByIdentity(claims, browser);
        return signInResponse(
          deps,
          request,
          browserSession,
          opened,
          destination(baseUrls, pending.transaction, null),
        );
      } catch (error) {
        return failed(error);
      }
    });

  function isOver({ atMs }: PendingSignIn): boolean {
    return runtime.monotonic() - atMs >= PENDING_MS;
  }

  async function exchange(
    request: Request,
    server: OAuth.AuthorizationServer,
    url: URL,
    redirectUri: string,
    state: string,
    { nonce, verifier }: PendingSignIn,
  ): Promise<Claims> {
    const oauth = await library();
    const { clientSecret } = provider;
    const answer = oauth.validateAuthResponse(server, client, url, state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientSecret === "" ? oauth.None() : oauth.ClientSecretBasic(clientSecret),
        answer,
        redirectUri,
        verifier,
        options(oauth, request),
      ),
      { expectedNonce: nonce, requireIdToken: true },
    );
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Error("no id token");
    const user = await userInfo(request, server, tokens.access_token, claims);
    const verified = user["email_verified"] === true && typeof user["email"] === "string";
    return {
      issuer: claims.iss,
      subject: claims.sub,
      verifiedEmail: verified ? String(user["email"]) : null,
    };
  }

  /** The claims that hold the e-mail: many providers put it into the user info answer only. */
  async function userInfo(
    request: Request,
    server: OAuth.AuthorizationServer,
    accessToken: string,
    claims: OAuth.IDToken,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (claims["email"] !== undefined || server.userinfo_endpoint === undefined) return claims;
    const oauth = await library();
    const answer = await oauth.userInfoRequest(server, client, accessToken, options(oauth, request));
    return oauth.processUserInfoResponse(server, client, claims.sub, answer);
  }
}

function note(message: string) {
  return html`<p role="alert">${message}</p>
    <p><a href="/sign-in">Back to sign-in</a></p>`;
}
