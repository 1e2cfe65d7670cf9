import { ROUTES } from "./routes.ts";
import { OperatorError } from "./errors.ts";

/** The addresses of one base URL; every URL that we print is built from one of these. */
export interface BaseUrls {
  /** `{site_url}`, an origin without trailing slash; also the OAuth issuer. */
  origin: string;
  /** `{base_url}` */
  api: string;
  /** `{mcp_url}` */
  mcp: string;
  /** Where people manage keys. */
  developer: string;
}

/** The base URLs of a server and which of them a request asked. */
export interface ServerUrls {
  /** The one that is printed where no request is at hand. */
  main: BaseUrls;
  /** All of them: one, or three equal ones on loopback. */
  all: readonly BaseUrls[];
  /** The site that a `Host` header names; undefined when it is none of ours (DNS rebinding). */
  find(host: string | null): BaseUrls | undefined;
  /** The optional legacy MCP endpoint and its path, null when there is none. */
  mcpLegacy: URL | null;
}

/**
 * The base URLs of a server.
 *
 * @param port the port that is really listened on
 * @throws OperatorError when bound beyond loopback without a public URL
 */
export function createServerUrls(
  settings: {
    host: string;
    socket: string;
    tlsCert: string;
    publicUrl: string | null;
    mcpLegacyUrl: string | null;
  },
  port: number,
): ServerUrls {
  const mcpLegacy = settings.mcpLegacyUrl === null ? null : new URL(settings.mcpLegacyUrl);
  if (settings.publicUrl === null && !isLoopback(settings.host)) {
    throw new OperatorError(
      `Bound to ${settings.host}, which others can reach, but no public URL is set. ` +
        "Set --public-url to the origin under which callers reach this server.",
    );
  }
  if (settings.publicUrl === null && settings.socket !== "") {
    throw new OperatorError(
      "Listening on a socket, which a proxy connects to, but no public URL is set. " +
        "Set --public-url to the origin under which callers reach that proxy.",
    );
  }
  const scheme = settings.tlsCert === "" ? "http" : "https";
  const origins =
    settings.publicUrl === null
      ? ["localhost", "127.0.0.1", "[::1]"].map((name) => new URL(`${scheme}://${name}:${port}`).origin)
      : [settings.publicUrl];
  const all = origins.map(baseUrlsOf);
  const byHost = new Map(all.map((baseUrls) => [new URL(baseUrls.origin).host, baseUrls]));
  const [main] = all;
  if (main === undefined) throw new Error("a server has at least one base URL");
  if (mcpLegacy !== null && !byHost.has(mcpLegacy.host)) byHost.set(mcpLegacy.host, main);
  return { main, all, find: (host) => byHost.get((host ?? "").toLowerCase()), mcpLegacy };
}

/**
 * Whether anybody but this machine can reach a server: it is bound beyond loopback, known by a public address, or
 * behind a proxy. The one place that decides it, for sign-up, registration, HSTS and warnings.
 */
export function isReachableByOthers(settings: {
  host: string;
  socket: string;
  publicUrl: string | null;
  trustedProxies: readonly string[];
}): boolean {
  const { host, socket, publicUrl, trustedProxies } = settings;
  const isPublic = publicUrl !== null && !isLoopback(new URL(publicUrl).hostname);
  return isPublic || !isLoopback(host) || socket !== "" || trustedProxies.length > 0;
}

/** Whether an address to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function baseUrlsOf(origin: string): BaseUrls {
  return {
    origin,
    api: `${origin}/api`,
    mcp: origin + ROUTES.mcp.path,
    developer: origin + ROUTES.developer.path,
  };
}

/** One address of the MCP server: `{mcp_url}`, the two that want sign-in at once, or the legacy alias. */
export interface McpEndpoint {
  /** The whole address as a client types it; also the `resource` of its metadata document. */
  url: string;
  /** Address of that document. @see RFC 9728 section 3.1 */
  metadataUrl: string;
  /** Whether every message needs a credential, so that clients sign in when they connect. */
  eager: boolean;
  /** Which tools it serves: the specification's two, or those across companies besides. */
  toolset: "spec" | "analyst";
}

/** All addresses of the MCP server, those of the main site first. */
export function mcpEndpoints({ all, mcpLegacy }: ServerUrls): readonly McpEndpoint[] {
  const own = all.flatMap(({ origin, mcp }) => [
    endpointOf(mcp),
    endpointOf(origin + ROUTES.mcpPrivate.path, { eager: true }),
    endpointOf(origin + ROUTES.mcpAnalyst.path, { eager: true, toolset: "analyst" }),
  ]);
  if (mcpLegacy === null) return own;
  const path = mcpLegacy.pathname === "/" ? "" : mcpLegacy.pathname;
  // Named by one of our equal roots on loopback, it is there by each of them.
  const isOurs = all.some(({ origin }) => new URL(origin).host === mcpLegacy.host);
  const origins = isOurs ? all.map(({ origin }) => origin) : [mcpLegacy.origin];
  return [...own, ...origins.map((origin) => endpointOf(origin + path))];
}

function endpointOf(
  url: string,
  { eager = false, toolset = "spec" }: Partial<Pick<McpEndpoint, "eager" | "toolset">> = {},
): McpEndpoint {
  const { origin, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  return { url, metadataUrl: `${origin}/.well-known/oauth-protected-resource${path}`, eager, toolset };
}

/** What is known of a request before any surface looks at it. */
export interface RequestContext {
  /** Request id: in the log line, the ledger and the `X-Request-Id` header. */
  readonly id: string;
  /** The address asked, read once. Only its path and query say anything; links are built from `site`. */
  readonly url: URL;
  /** The base URL that was asked; every link in the answer is built from it. */
  readonly baseUrls: BaseUrls;
  /** The address that an anonymous caller is counted under. */
  readonly address: string;
  /** The router was handed a GET in the place of a HEAD: who charges is to know. */
  isHead?: true;
  /** Whether the connection is kept longer than others while the answer is made. */
  isConnectionKept?: boolean;
}

/** Finds the call of a request that is being answered. Throws for a request that did not come through the server. */
export type ContextOf = (request: Request) => RequestContext;
