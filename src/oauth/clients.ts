/** How applications become known: by registration, or by a metadata document at the URL that is their id. */
import { READ_SCOPE } from "../accounts/credentials.ts";
import type { AuthMethod, Client, ClientMetadata } from "../accounts/oauth-state/clients.ts";
import { isDocumentId, type MetadataDocument, reasonAgainstId } from "../accounts/oauth-state/documents.ts";
import type { Grants } from "../accounts/oauth-state/index.ts";
import type { RedirectPolicy } from "../accounts/oauth-state/redirects.ts";
import { parseJson } from "../lib/text.ts";
import type { RequestContext } from "../http/base-urls.ts";
import { type Handler, type OAuthDeps, endpoint, jsonResponse, readText, OAuthError } from "./endpoint.ts";

const MAX_REDIRECTS = 10;
const MAX_NAME_LENGTH = 100;
/** The grant types of our token endpoint, and how clients authenticate there. */
export const GRANT_TYPES = ["authorization_code", "refresh_token"];
export const AUTH_METHODS: readonly string[] = ["none", "client_secret_basic", "client_secret_post"];

/** `POST /oauth/register`. @see RFC 7591 section 3, test/contract/protocols.md, 3.5 */
export function register({ contextOf, grants, isLocal }: OAuthDeps): Handler {
  const { clients, redirects } = grants;
  return endpoint(async (request) => {
    const context = contextOf(request);
    const body = await readJson(request, context);
    const metadata = readMetadata(body, redirects);
    const { address } = context;
    const { client, secret } = await clients.register(metadata, { address, exempt: isLocal(address) });
    return jsonResponse(
      {
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAtMs / 1000),
        ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
        ...(client.name !== null && { client_name: client.name }),
        redirect_uris: client.redirectUris,
        grant_types: client.grantTypes,
        response_types: ["code"],
        token_endpoint_auth_method: client.authMethod,
        ...(client.applicationType !== null && { application_type: client.applicationType }),
        scope: READ_SCOPE,
      },
      201,
    );
  });
}

async function readJson(request: Request, context: RequestContext): Promise<Record<string, unknown>> {
  const text = await readText(request, context, "application/json", "invalid_client_metadata");
  const body = parseJson(text);
  if (body === undefined) throw invalidMetadata("The body is not JSON.");
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidMetadata("The body is not a JSON object.");
  }
  // Objects from JSON.parse have string keys.
  return body as Record<string, unknown>;
}

/**
 * Validates client metadata. Unknown members are ignored, null members count as absent.
 *
 * @param ownHost host of the metadata document, if it comes from one
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`
 */
function readMetadata(
  metadata: Readonly<Record<string, unknown>>,
  redirects: RedirectPolicy,
  ownHost?: string,
): ClientMetadata {
  const responseTypes = textsOf(metadata, "response_types") ?? ["code"];
  if (!responseTypes.includes("code")) throw unsupported("response_types", responseTypes, ["code"]);
  const grantTypes = textsOf(metadata, "grant_types") ?? GRANT_TYPES;
  if (!grantTypes.includes("authorization_code")) {
    throw unsupported("grant_types", grantTypes, ["authorization_code"]);
  }
  // RFC 7591's default is client_secret_basic, but MCP clients that omit it are public; section 3.2.1 allows us to
  // return another value.
  const authMethod = textOf(metadata, "token_endpoint_auth_method") ?? "none";
  if (!AUTH_METHODS.includes(authMethod)) {
    throw unsupported("token_endpoint_auth_method", [authMethod], AUTH_METHODS);
  }
  const applicationType = textOf(metadata, "application_type");
  return {
    name: sanitizeName(textOf(metadata, "client_name")),
    redirectUris: readRedirects(metadata, redirects, ownHost),
    // Checked above against the three methods.
    authMethod: authMethod as AuthMethod,
    grantTypes: GRANT_TYPES.filter((type) => grantTypes.includes(type)),
    applicationType: applicationType === "native" || applicationType === "web" ? applicationType : null,
  };
}

function readRedirects(
  metadata: Readonly<Record<string, unknown>>,
  redirects: RedirectPolicy,
  ownHost: string | undefined,
): readonly string[] {
  const uris = metadata["redirect_uris"];
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS) {
    throw invalidRedirect(`redirect_uris must be a list of 1 to ${MAX_REDIRECTS} addresses.`);
  }
  return uris.map((uri: unknown) => {
    if (typeof uri !== "string") throw invalidRedirect("redirect_uris must be strings.");
    const against = redirects.reasonAgainst(uri, ownHost);
    if (against === undefined) return uri;
    throw invalidRedirect(`Cannot register ${uri.slice(0, 200)}: ${against}.`);
  });
}

function textOf(metadata: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = metadata[name] ?? null;
  if (value === null || typeof value === "string") return value;
  throw invalidMetadata(`${name} must be a string.`);
}

function textsOf(metadata: Readonly<Record<string, unknown>>, name: string): readonly string[] | null {
  const value = metadata[name] ?? null;
  if (value === null) return null;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw invalidMetadata(`${name} must be a list of strings.`);
}

function invalidMetadata(description: string): OAuthError {
  return new OAuthError("invalid_client_metadata", description);
}

function invalidRedirect(description: string): OAuthError {
  return new OAuthError("invalid_redirect_uri", description);
}

function unsupported(name: string, values: readonly string[], expected: readonly string[]): OAuthError {
  return invalidMetadata(
    `Cannot use ${name} ${JSON.stringify(values).slice(0, 200)}: expected ${expected.join(", ")}.`,
  );
}

/** Sanitizes a name so that it cannot reorder, hide or break the text around it. */
function sanitizeName(name: string | null): string | null {
  if (name === null) return null;
  const plain = name
    // Control characters, line separators, and characters that are invisible or change the text direction.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2028\u2029]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain === "" ? null : [...plain].slice(0, MAX_NAME_LENGTH).join("");
}

/**
 * A registered client, or one described by a metadata document; undefined if unknown.
 *
 * @throws OAuthError `invalid_client` with the reason if a document cannot be used
 */
export async function clientForAuthorization(
  { clients, redirects, documents }: Grants,
  id: string,
  address: string,
): Promise<Client | undefined> {
  if (!isDocumentId(id)) return clients.find(id);
  if (documents === null) return undefined;
  const against = reasonAgainstId(id);
  if (against !== undefined) throw unusable(against);
  const document = await documents.read(id, address);
  if (document === undefined) throw unusable(UNREADABLE);
  const metadata = readDocument(id, document, redirects);
  return { ...metadata, id, kind: "document", secretHash: null, createdAtMs: 0 };
}

/** One message for all failures, so that callers cannot use us to probe other hosts. */
const UNREADABLE =
  "it could not be read. Its URL must be on the public internet and answer within 5 seconds with JSON of at most 5 KiB";

/** @see draft-ietf-oauth-client-id-metadata-document section 4 */
function readDocument(id: string, document: MetadataDocument, redirects: RedirectPolicy) {
  if (document["client_id"] !== id) throw unusable("its client_id is not its own URL");
  if (typeof document["client_name"] !== "string") throw unusable("it has no client_name");
  if ("client_secret" in document || "client_secret_expires_at" in document) {
    throw unusable("it contains a secret, but documents are public");
  }
  const offered = document["token_endpoint_auth_methods_supported"];
  const preferred = document["token_endpoint_auth_method"] ?? "none";
  // ChatGPT prefers a signed assertion, but also offers `none`.
  if (preferred !== "none" && !(Array.isArray(offered) && offered.includes("none"))) {
    throw unusable("it cannot be a public client: token_endpoint_auth_method must be none");
  }
  try {
    const metadata = { ...document, token_endpoint_auth_method: "none" };
    return readMetadata(metadata, redirects, new URL(id).host);
  } catch (refused) {
    if (refused instanceof OAuthError) throw unusable(refused.description);
    throw refused;
  }
}

function unusable(reason: string): OAuthError {
  return new OAuthError(
    "invalid_client",
    `The application's metadata document cannot be used: ${reason.replace(/\.$/, "")}.`,
  );
}
