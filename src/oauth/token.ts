import type { Client, Clients } from "../accounts/oauth/clients.ts";
import type { Codes } from "../accounts/oauth/codes.ts";
import type { TokenPair, Tokens } from "../accounts/oauth/tokens.ts";
import type { ContextOf } from "../http/base-urls.ts";
import type { Log } from "../log.ts";
import { authenticateClient } from "./client-auth.ts";
import { OAuthError, endpoint, jsonResponse } from "./errors.ts";
import { type Parameters, readForm } from "./form.ts";
import type { Resources } from "./resources.ts";

export interface TokenDeps {
  contextOf: ContextOf;
  clients: Pick<Clients, "find">;
  codes: Codes;
  tokens: Tokens;
  resources: Resources;
  scope: string;
  log: Log;
}

const INVALID_GRANT =
  "The code or token is unknown, expired, used or revoked, or belongs to another request.";

/**
 * `POST /oauth/token`: exchanges a code or a refresh token for a pair of tokens. @see RFC 6749 section 5,
 * docs/protocols.md, 3.7
 */
export function token(deps: TokenDeps) {
  return endpoint(async (request) => {
    const form = await readForm(request, deps.contextOf(request));
    const client = await authenticateClient(request, form, deps.clients);
    const grantType = need(form, "grant_type");
    if (grantType !== "authorization_code" && grantType !== "refresh_token") {
      throw new OAuthError(
        "unsupported_grant_type",
        `Unsupported grant_type "${grantType.slice(0, 100)}": expected authorization_code or refresh_token.`,
      );
    }
    if (!client.grantTypes.includes(grantType)) {
      throw new OAuthError(
        "unauthorized_client",
        `This client is not registered for the grant type ${grantType}.`,
      );
    }
    const pair =
      grantType === "authorization_code"
        ? await redeem(form, client, deps)
        : await refresh(form, client, deps);
    return jsonResponse({
      access_token: pair.accessToken,
      token_type: "Bearer",
      expires_in: pair.expiresInSeconds,
      ...(client.grantTypes.includes("refresh_token") && { refresh_token: pair.refreshToken }),
      scope: pair.scope,
    });
  });
}

async function redeem(form: Parameters, client: Client, deps: TokenDeps): Promise<TokenPair> {
  const redeemed = await deps.codes.redeem({
    code: need(form, "code"),
    clientId: client.id,
    redirectUri: form.get("redirect_uri") ?? null,
    codeVerifier: need(form, "code_verifier"),
    resource: resourceOf(form, deps.resources),
  });
  if (redeemed.ok) return redeemed.pair;
  if (redeemed.replayed) deps.log.warn("oauth_code_replayed", { client: client.id });
  throw redeemed.error === "invalid_target"
    ? foreignTarget()
    : new OAuthError("invalid_grant", INVALID_GRANT);
}

async function refresh(form: Parameters, client: Client, deps: TokenDeps): Promise<TokenPair> {
  const secret = need(form, "refresh_token");
  const asked = form.get("scope");
  const refreshed = await deps.tokens.refresh(secret, client.id, {
    scope: asked === undefined ? null : readScope(asked),
    resource: resourceOf(form, deps.resources),
  });
  if (refreshed.ok) return refreshed.pair;
  if (refreshed.error === "invalid_target") throw foreignTarget();
  if (refreshed.error === "invalid_scope") {
    throw new OAuthError("invalid_scope", "The requested scope exceeds the granted one.");
  }
  if (refreshed.reused) deps.log.warn("oauth_refresh_reused", { client: client.id });
  throw new OAuthError("invalid_grant", INVALID_GRANT);
}

/** The canonical URL of the resource parameter; null if absent. */
function resourceOf(form: Parameters, resources: Resources): string | null {
  const asked = form.get("resource");
  if (asked === undefined) return null;
  const resource = resources.find(asked);
  if (resource === undefined) throw foreignTarget();
  return resource;
}

function foreignTarget(): OAuthError {
  return new OAuthError("invalid_target", "The resource is not the one that was authorized.");
}

function need(form: Parameters, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}

/** OpenID Connect scopes that clients send by default; ignored, because we are not an OpenID provider. */
const OPENID_SCOPES = ["openid", "profile", "email", "offline_access"];

/** The scopes without those of OpenID Connect; null if none are left, for the default. */
function readScope(scope: string): readonly string[] | null {
  const names = scope.split(" ").filter((name) => name !== "" && !OPENID_SCOPES.includes(name));
  return names.length === 0 ? null : names;
}
