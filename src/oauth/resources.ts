import { mcpEndpoints, type BaseUrls, type ServerUrls } from "../http/base-urls.ts";

/** The protected resources of a server: equivalent URLs of the same service, so a token for one is valid for all. */
export interface Resources {
  /** The resource when a client names none. */
  fallback(baseUrls: BaseUrls): string;
  /** The canonical URL of a resource named by a client; undefined if it is not ours. @see RFC 8707 section 2 */
  find(asked: string): string | undefined;
  /**
   * The resource described at a well-known path: the one the path names, or at the bare path the one of the host.
   *
   * @param host the `Host` header, which may be the legacy endpoint's
   * @see RFC 9728 section 3.1
   */
  at(baseUrls: BaseUrls, pathname: string, host: string | null): string | undefined;
}

/** The bare path; an endpoint's own document appends the endpoint's path. */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** Creates the resources of a server. @param serverUrls read at each request, because the port is known only then */
export function createResources(serverUrls: () => ServerUrls): Resources {
  return {
    fallback: (baseUrls) => baseUrls.mcp,
    find(asked) {
      // Scheme and host ignore case, the rest is compared exactly: a URL parser would accept many spellings of a host.
      // A bare host may end in a slash, as URL parsers print it.
      const plain = asked
        .replace(/^[a-z]+:\/\/[^/?#]*/i, (root) => root.toLowerCase())
        .replace(/^([a-z]+:\/\/[^/?#]+)\/$/, "$1");
      return mcpEndpoints(serverUrls()).find(({ url }) => url === plain)?.url;
    },
    at(baseUrls, pathname, host) {
      const { mcpLegacy, all } = serverUrls();
      const asked = (host ?? "").toLowerCase();
      const alias = mcpLegacy !== null && mcpLegacy.host === asked ? mcpLegacy : undefined;
      const ownHost = all.some(({ origin }) => new URL(origin).host === asked);
      const origin = alias === undefined || ownHost ? baseUrls.origin : alias.origin;
      const endpoints = mcpEndpoints(serverUrls());
      const spelled = endpoints.find(({ metadataUrl }) => metadataUrl === `${origin}${pathname}`);
      if (pathname !== RESOURCE_METADATA) return spelled?.url;
      return alias === undefined || ownHost ? baseUrls.mcp : endpoints.at(-1)?.url;
    },
  };
}
