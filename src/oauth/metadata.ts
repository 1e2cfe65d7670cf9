import { ROUTES } from "../http/routes.ts";
import { nothingServedAt, refusal } from "../http/refusals.ts";
import {
  hostsOf,
  mcpEndpoints,
  RESOURCE_METADATA,
  type BaseUrls,
  type ServerUrls,
} from "../http/base-urls.ts";
import { OFFLINE_SCOPE, READ_SCOPE } from "../accounts/credentials.ts";
import { AUTH_METHODS, GRANT_TYPES } from "./clients.ts";
import { type OAuthDeps, preflight } from "./endpoint.ts";

const METHODS = ROUTES.wellKnown.methods.join(", ");

/** Authorization server metadata. @see RFC 8414 section 2, RFC 9207 section 3, test/contract/protocols.md, 3.3 */
function serverMetadata(baseUrls: BaseUrls, documents: boolean): object {
  return {
    issuer: baseUrls.origin,
    authorization_endpoint: `${baseUrls.origin}${ROUTES.authorize.path}`,
    token_endpoint: `${baseUrls.origin}${ROUTES.token.path}`,
    registration_endpoint: `${baseUrls.origin}${ROUTES.register.path}`,
    revocation_endpoint: `${baseUrls.origin}${ROUTES.revoke.path}`,
    // ChatGPT, Copilot Studio and claude.ai are reported to use refresh tokens only where this is advertised.
    scopes_supported: [READ_SCOPE, OFFLINE_SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    // Omitted rather than false, because some clients only check for its presence.
    ...(documents && { client_id_metadata_document_supported: true }),
    service_documentation: baseUrls.origin + ROUTES.docs.path,
  };
}

/** Protected resource metadata. @see RFC 9728 section 2, test/contract/protocols.md, 3.4 */
function resourceMetadata(baseUrls: BaseUrls, resource: string): object {
  return {
    resource,
    authorization_servers: [baseUrls.origin],
    scopes_supported: [READ_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "Executive Compensation",
    resource_documentation: baseUrls.origin + ROUTES.docs.path,
  };
}

/**
 * The canonical URL of a resource named by a client; undefined if it is not ours. All URLs of the MCP service are
 * equivalent, so a token for one is valid for all. @see RFC 8707 section 2
 */
export function findResource(serverUrls: ServerUrls, resource: string): string | undefined {
  // Scheme and host ignore case, the rest is compared exactly: a URL parser would accept many spellings of a host.
  // A bare host may end in a slash, as URL parsers print it.
  const plain = resource
    .replace(/^[a-z]+:\/\/[^/?#]*/i, (root) => root.toLowerCase())
    .replace(/^([a-z]+:\/\/[^/?#]+)\/$/, "$1");
  return mcpEndpoints(serverUrls).find(({ url }) => url === plain)?.url;
}

/**
 * The resource described at a well-known path: the one the path names, or at the bare path the one of the host.
 *
 * @param host the `Host` header, which may be the legacy endpoint's
 * @see RFC 9728 section 3.1
 */
function resourceAt(
  serverUrls: ServerUrls,
  baseUrls: BaseUrls,
  pathname: string,
  host: string | null,
): string | undefined {
  const { all, mcpLegacy } = serverUrls;
  const isAskedFor = (url: URL) => hostsOf(url).includes((host ?? "").toLowerCase());
  const isOwn = all.some(({ origin }) => isAskedFor(new URL(origin)));
  const alias = !isOwn && mcpLegacy !== null && isAskedFor(mcpLegacy) ? mcpLegacy : null;
  const endpoints = mcpEndpoints(serverUrls);
  if (pathname === RESOURCE_METADATA) return alias === null ? baseUrls.mcp : endpoints.at(-1)?.url;
  const { origin } = alias ?? baseUrls;
  return endpoints.find(({ metadataUrl }) => metadataUrl === origin + pathname)?.url;
}

/** Handles `/.well-known/` except for paths of other surfaces: two documents, and 404 as JSON otherwise. */
export function wellKnown({ contextOf, serverUrls, grants }: OAuthDeps) {
  const documentAt = (pathname: string, baseUrls: BaseUrls, host: string | null): object | undefined => {
    if (pathname === "/.well-known/oauth-authorization-server")
      return serverMetadata(baseUrls, grants.documents !== null);
    if (!pathname.startsWith(RESOURCE_METADATA)) return undefined;
    const resource = resourceAt(serverUrls(), baseUrls, pathname, host);
    return resource === undefined ? undefined : resourceMetadata(baseUrls, resource);
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
