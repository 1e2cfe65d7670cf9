/** The token and revocation endpoints, and the authentication of their clients. */
import { hashSecret, OFFLINE_SCOPE } from "../accounts/credentials.ts";
import type { Client } from "../accounts/oauth-state/clients.ts";
import { isDocumentId } from "../accounts/oauth-state/documents.ts";
import type { Grants } from "../accounts/oauth-state/index.ts";
import type { Exchanged } from "../accounts/oauth-state/tokens.ts";
import {
  CORS,
  type Handler,
  type OAuthDeps,
  type Parameters,
  endpoint,
  jsonResponse,
  readForm,
  OAuthError,
  invalidRequest,
} from "./endpoint.ts";
import { findResource } from "./metadata.ts";

const REFUSED = {
  invalid_grant: "The code or token is unknown, expired, used or revoked, or belongs to another request.",
  invalid_scope: "The requested scope exceeds the granted one.",
  invalid_target: "The resource is not the one that was authorized.",
};

/**
 * `POST /oauth/token`: exchanges a code or a refresh token for a pair of tokens. @see RFC 6749 section 5,
 * test/contract/protocols.md, 3.7
 */
export function token(deps: OAuthDeps): Handler {
  return endpoint(async (request) => {
    const form = await readForm(request, deps.contextOf(request));
    const client = await authenticateClient(request, form, deps.grants);
    const grantType = need(form, "grant_type");
    if (grantType !== "authorization_code" && grantType !== "refresh_token") {
      throw new OAuthError(
        "unsupported_grant_type",
        `Unsupported grant_type "${grantType.slice(0, 100)}": expected authorization_code or refresh_token.`,
      );
    }
    if (!client.grantTypes.includes(grantType)) {
      const description = `This client is not registered for the grant type ${grantType}.`;
      throw new OAuthError("unauthorized_client", description);
    }
    const isCode = grantType === "authorization_code";
    const exchanged = await (isCode ? redeem : refresh)(form, client.id, deps);
    if (!exchanged.ok) {
      const { error, reused } = exchanged;
      if (reused)
        deps.log.warn(isCode ? "oauth_code_replayed" : "oauth_refresh_reused", { client: client.id });
      throw new OAuthError(error, REFUSED[error]);
    }
    const { pair } = exchanged;
    return jsonResponse({
      access_token: pair.accessToken,
      token_type: "Bearer",
      expires_in: pair.expiresInSeconds,
      ...(client.grantTypes.includes("refresh_token") && { refresh_token: pair.refreshToken }),
      scope: pair.scope,
    });
  });
}

async function redeem(form: Parameters, clientId: string, deps: OAuthDeps): Promise<Exchanged> {
  return deps.grants.codes.redeem({
    code: need(form, "code"),
    clientId,
    redirectUri: form.get("redirect_uri") ?? null,
    codeVerifier: need(form, "code_verifier"),
    resource: resourceOf(form, deps),
  });
}

async function refresh(form: Parameters, clientId: string, deps: OAuthDeps): Promise<Exchanged> {
  const secret = need(form, "refresh_token");
  const narrowed = { scope: readScope(form.get("scope") ?? ""), resource: resourceOf(form, deps) };
  return deps.grants.tokens.refresh(secret, clientId, narrowed);
}

/** The canonical URL of the resource parameter; null if absent. */
function resourceOf(form: Parameters, { serverUrls }: OAuthDeps): string | null {
  const url = form.get("resource");
  if (url === undefined) return null;
  const resource = findResource(serverUrls(), url);
  if (resource === undefined) throw new OAuthError("invalid_target", REFUSED.invalid_target);
  return resource;
}

function need(form: Parameters, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`);
  return value;
}

/** OpenID Connect scopes that clients send by default; ignored, because we are not an OpenID provider. */
const OPENID_SCOPES = ["openid", "profile", "email", OFFLINE_SCOPE];

/** The scopes without those of OpenID Connect; null if none are left, for the default. */
function readScope(scope: string): readonly string[] | null {
  const names = scope.split(" ").filter((name) => name !== "" && !OPENID_SCOPES.includes(name));
  return names.length === 0 ? null : names;
}

/**
 * `POST /oauth/revoke`: a refresh token ends the whole connection, an access token only itself. Unknown and foreign
 * tokens receive the same response.
 *
 * @see RFC 7009 section 2
 */
export function revoke({ contextOf, grants }: OAuthDeps): Handler {
  return endpoint(async (request) => {
    const form = await readForm(request, contextOf(request));
    const client = await authenticateClient(request, form, grants);
    await grants.tokens.revoke(need(form, "token"), client.id);
    return new Response(null, { status: 200, headers: { ...CORS, "cache-control": "no-store" } });
  });
}

/**
 * Authenticates the client of a request to the token or revocation endpoint, by its registered method.
 *
 * @throws OAuthError `invalid_client` (401), or `invalid_request` for two methods at once
 * @see RFC 6749 section 2.3, test/contract/protocols.md, K-1
 */
async function authenticateClient(
  request: Request,
  form: Parameters,
  { clients, documents }: Grants,
): Promise<Client> {
  const header = request.headers.get("authorization") ?? "";
  const basic = /^basic(\s|$)/i.test(header) ? readBasic(header) : null;
  const idInForm = form.get("client_id");
  const secretInForm = form.get("client_secret");
  if (basic !== null && secretInForm !== undefined) {
    throw invalidRequest("The client secret was sent twice: in the header and in the form.");
  }
  if (basic !== null && idInForm !== undefined && idInForm !== basic.id) {
    throw invalidRequest("The header and the form name different clients.");
  }
  const id = basic?.id ?? idInForm;
  if (id === undefined) throw refused(basic !== null, "client_id is missing.");
  // The metadata that is stored: a document is never fetched here.
  const client = documents === null && isDocumentId(id) ? undefined : await clients.find(id);
  const used =
    basic !== null ? "client_secret_basic" : secretInForm !== undefined ? "client_secret_post" : "none";
  const secret = basic?.secret ?? secretInForm;
  const isRight =
    client?.authMethod === used &&
    (client.secretHash === null || (secret !== undefined && hashSecret(secret, "hex") === client.secretHash));
  if (isRight) return client;
  throw refused(basic !== null, "Unknown client, or wrong client authentication.");
}

/** Id and secret are form-encoded inside the header. @see RFC 6749 section 2.3.1 */
function readBasic(header: string): { id: string; secret: string } {
  try {
    const bytes = Uint8Array.fromBase64(header.replace(/^basic\s*/i, "").trim());
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    if (colon < 1) throw new Error("no colon");
    const decode = (part: string) => decodeURIComponent(part.replaceAll("+", " "));
    return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
  } catch {
    throw refused(true, "Cannot read the Basic credentials.");
  }
}

function refused(basic: boolean, description: string): OAuthError {
  const challenge: Record<string, string> = basic ? { "www-authenticate": 'Basic realm="execcomp"' } : {};
  return new OAuthError("invalid_client", description, 401, challenge);
}
