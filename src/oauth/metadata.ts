import { ROUTES } from "../http/routes.ts";
import { nothingServedAt, refusal } from "../http/responses.ts";
import type { ContextOf, BaseUrls } from "../http/base-urls.ts";
import { preflight } from "./errors.ts";
import { RESOURCE_METADATA, type Resources } from "./resources.ts";

const METHODS = ROUTES.wellKnown.methods.join(", ");
const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"];

/** Authorization server metadata. @see RFC 8414 section 2, RFC 9207 section 3, docs/protocols.md, 3.3 */
function serverMetadata(baseUrls: BaseUrls, scope: string, documents: boolean): object {
  return {
    issuer: baseUrls.origin,
    authorization_endpoint: `${baseUrls.origin}${ROUTES.authorize.path}`,
    token_endpoint: `${baseUrls.origin}${ROUTES.token.path}`,
    registration_endpoint: `${baseUrls.origin}${ROUTES.register.path}`,
    revocation_endpoint: `${baseUrls.origin}${ROUTES.revoke.path}`,
    scopes_supported: [scope],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    // Omitted rather than false, because some clients only check for its presence.
    ...(documents && { client_id_metadata_document_supported: true }),
    service_documentation: baseUrls.origin + ROUTES.docs.path,
  };
}

/** Protected resource metadata. @see RFC 9728 section 2, docs/protocols.md, 3.4 */
function resourceMetadata(baseUrls: BaseUrls, resource: string, scope: string): object {
  return {
    resource,
    authorization_servers: [baseUrls.origin],
    scopes_supported: [scope],
    bearer_methods_supported: ["header"],
    resource_name: "Executive Compensation",
    resource_documentation: baseUrls.origin + ROUTES.docs.path,
  };
}

export interface MetadataDeps {
  contextOf: ContextOf;
  resources: Resources;
  scope: string;
  /** Whether client ID metadata documents are supported. */
  documents: boolean;
}

/** Handles `/.well-known/` except for paths of other surfaces: two documents, and 404 as JSON otherwise. */
export function wellKnown({ contextOf, resources, scope, documents }: MetadataDeps) {
  const documentAt = (pathname: string, baseUrls: BaseUrls, host: string | null): object | undefined => {
    if (pathname === "/.well-known/oauth-authorization-server")
      return serverMetadata(baseUrls, scope, documents);
    if (!pathname.startsWith(RESOURCE_METADATA)) return undefined;
    const resource = resources.at(baseUrls, pathname, host);
    return resource === undefined ? undefined : resourceMetadata(baseUrls, resource, scope);
  };

  return ({ request }: { request: Request }): Response => {
    const { baseUrls, url } = contextOf(request);
    const { pathname } = url;
    const open = { "access-control-allow-origin": "*" };
    const document = documentAt(pathname, baseUrls, request.headers.get("host"));
    if (document === undefined) return refusal(404, nothingServedAt(pathname), open);
    if (request.method === "OPTIONS") return preflight(METHODS);
    if (request.method !== "GET") {
      const message = `${request.method} is not supported at ${pathname}: use GET.`;
      return refusal(405, message, { ...open, allow: METHODS });
    }
    return new Response(JSON.stringify(document), {
      headers: { ...open, "content-type": "application/json", "cache-control": "public, max-age=300" },
    });
  };
}
