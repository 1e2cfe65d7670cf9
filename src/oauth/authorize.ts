import type { SessionCookies } from "../session-cookies.ts";
import type { Client } from "../grants/clients.ts";
import { type RedirectPolicy, matchesRegistered, withResponse } from "../grants/redirects.ts";
import type { AuthorizationRequest, Requests } from "../grants/requests.ts";
import type { ContextOf, BaseUrls } from "../base-urls.ts";
import { type CreditsShown, consentPage } from "./consent.ts";
import { OAuthError, oauthErrorOf, printable } from "./errors.ts";
import { type Parameters, once } from "./form.ts";
import { redirectTo, stoppedPage, toSignIn } from "./pages.ts";
import type { Resources } from "./resources.ts";

/** What the authorization endpoint is built from. */
export interface AuthorizeDeps {
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  /** A client by its id; undefined when there is none. May read its metadata document. */
  findClient(id: string, address: string): Promise<Client | undefined>;
  redirects: RedirectPolicy;
  requests: Requests;
  resources: Resources;
  scope: string;
  /** What a person can spend; shown where it is asked for. */
  creditsOf(userId: string): CreditsShown;
}

/** An error that the client is told by redirecting the person back to it. */
class RedirectedError extends OAuthError {}

/**
 * `GET /oauth/authorize`: checks the client and its redirect URI first, and only then answers by redirect; opens a
 * transaction for this browser and asks the person to sign in or to decide.
 *
 * @see RFC 6749 section 4.1, RFC 9700 sections 2.1 and 4.11, docs/protocols.md, 3.6
 */
export function authorize(deps: AuthorizeDeps) {
  const { contextOf, sessionCookies, requests } = deps;
  return async ({ request }: { request: Request }): Promise<Response> => {
    if (request.method !== "GET")
      return stoppedPage(405, "This address is opened by a browser.", { allow: "GET" });
    const { baseUrls, address, url } = contextOf(request);
    const { single, repeated } = once(url.searchParams);
    let trusted: { client: Client; redirectUri: string };
    try {
      trusted = await requireClient(single, repeated, address, deps);
    } catch (refused) {
      const { description, status, headers } = oauthErrorOf(refused);
      return stoppedPage(status === 401 ? 400 : status, description, headers);
    }
    const browserSession = sessionCookies.browserSession(request);
    const state = single.get("state") ?? null;
    try {
      const asked = readRequest(single, repeated, trusted, baseUrls, deps);
      const prompts = (single.get("prompt") ?? "").split(" ");
      if (prompts.includes("none")) refusePromptNone(prompts, browserSession.person !== null);
      const transaction = await requests.open(asked, { browser: browserSession.browser, address });
      if (browserSession.person === null || prompts.includes("login") || prompts.includes("select_account")) {
        return toSignIn(baseUrls, transaction, browserSession.cookies);
      }
      return consentPage({
        asked,
        transaction,
        browserSession,
        credits: deps.creditsOf(browserSession.person.userId),
      });
    } catch (refused) {
      const error = oauthErrorOf(refused);
      if (!(error instanceof RedirectedError) && error.status >= 429) {
        return stoppedPage(error.status, error.description, error.headers);
      }
      return redirectTo(
        withResponse(trusted.redirectUri, {
          error: error.code,
          error_description: printable(error.description),
          state,
          iss: baseUrls.origin,
        }),
        302,
      );
    }
  };
}

async function requireClient(
  single: Parameters,
  repeated: readonly string[],
  address: string,
  deps: AuthorizeDeps,
): Promise<{ client: Client; redirectUri: string }> {
  for (const name of ["client_id", "redirect_uri"]) {
    if (repeated.includes(name))
      throw new OAuthError("invalid_request", `The parameter ${name} is given twice.`);
    if (!single.has(name)) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  }
  const id = single.get("client_id") ?? "";
  const redirectUri = single.get("redirect_uri") ?? "";
  const client = await deps.findClient(id, address);
  if (client === undefined) {
    throw new OAuthError(
      "invalid_client",
      "The application is not known here: it was never registered, or its registration was removed after months without use. It has to register again.",
    );
  }
  if (!matchesRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthError(
      "invalid_request",
      "The application did not register the address that it wants the answer sent to.",
    );
  }
  const ownHost = client.kind === "document" ? new URL(client.id).host : undefined;
  const verdict = deps.redirects.judge(redirectUri, ownHost);
  if (!verdict.ok) {
    throw new OAuthError(
      "invalid_request",
      `The answer may not be sent to the address asked for: ${verdict.reason}.`,
    );
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
    throw refuse("invalid_request", `The parameter ${twice.slice(0, 100)} is given twice.`);
  const responseType = single.get("response_type");
  if (responseType === undefined) throw refuse("invalid_request", "The parameter response_type is missing.");
  if (responseType !== "code") throw refuse("unsupported_response_type", "The only response_type is code.");
  if ((single.get("response_mode") ?? "query") !== "query") {
    throw refuse("invalid_request", "The only response_mode is query.");
  }
  if (single.has("request") || single.has("request_uri")) {
    throw refuse("invalid_request", "Request objects are not taken: send the parameters themselves.");
  }
  const codeChallenge = single.get("code_challenge");
  if (codeChallenge === undefined)
    throw refuse("invalid_request", "PKCE is required: code_challenge is missing.");
  if (single.get("code_challenge_method") !== "S256") {
    throw refuse("invalid_request", "code_challenge_method must be S256.");
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw refuse("invalid_request", "code_challenge is no SHA-256 in base64url: expected 43 characters.");
  }
  const named = single.get("resource");
  const resource = named === undefined ? resources.fallback(baseUrls) : resources.find(named);
  if (resource === undefined) {
    throw refuse(
      "invalid_target",
      `The resource is none of this server: expected ${resources.fallback(baseUrls)}.`,
    );
  }
  // Whatever scope is asked for, there is the one, and it is what a person is shown and grants.
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
  if (prompts.length > 1) throw new RedirectedError("invalid_request", "prompt=none stands alone.");
  if (!signedIn) throw new RedirectedError("login_required", "Nobody is signed in.");
  throw new RedirectedError("consent_required", "A person has to approve each connection.");
}
