import { mcpEndpoints, type BaseUrls, type ServerUrls } from "../base-urls.ts";

/** The protected resources of a server: addresses of one and the same thing, so a token for one is good for all. */
export interface Resources {
  /** What is meant when a client names none. */
  fallback(baseUrls: BaseUrls): string;
  /** The canonical spelling of a resource that a client names; undefined when it is none of ours. @see RFC 8707 section 2 */
  find(asked: string): string | undefined;
  /**
   * The resource whose metadata stand at a well-known path: the one that the path spells, and at the bare path the one
   * that the host is there for.
   *
   * @param host the `Host` asked, which may be the alias's own
   * @see RFC 9728 section 3.1
   */
  at(baseUrls: BaseUrls, pathname: string, host: string | null): string | undefined;
}

/** The bare path; an endpoint's own document has the endpoint's path behind it. */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** The resources of the base URLs. @param serverUrls read at each request, for the port is known only then */
export function createResources(serverUrls: () => ServerUrls): Resources {
  return {
    fallback: (baseUrls) => baseUrls.mcp,
    find(asked) {
      // Scheme and host in any case, all else to the letter: a URL parser would make one host out of many spellings.
      // A bare host is the same with a slash, which is how URL parsers print it.
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
