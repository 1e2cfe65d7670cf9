import { ROUTES } from "./routes.ts";
import { OperatorError, type ServiceError } from "../errors.ts";

/** The origin in examples of documents, which are served with that of the server that is asked. */
export const EXAMPLE_ORIGIN = "http://localhost:8402";

/** The addresses under one base URL; all URLs we print are built from them. */
export interface BaseUrls {
  /** `{site_url}`, an origin without trailing slash; also the OAuth issuer. */
  origin: string;
  /** `{base_url}` */
  api: string;
  /** Where rows of all years are asked for. */
  compensation: string;
  /** `{mcp_url}` */
  mcp: string;
  /** Where people manage keys. */
  developer: string;
}

/** The base URLs of a server, and the one a request was sent to. */
export interface ServerUrls {
  /** Printed where there is no request to take one from. */
  main: BaseUrls;
  /** All of them: one public URL, or three equivalent loopback ones. */
  all: readonly BaseUrls[];
  /** The base URLs for a `Host` header; undefined for a foreign host (DNS rebinding). */
  find(host: string | null): BaseUrls | undefined;
  /** The optional legacy MCP endpoint; null without one. */
  mcpLegacy: URL | null;
}

/** The settings that say where a server listens, and under which address it is reached. */
interface Listening {
  host: string;
  socket: string;
  publicUrl: string | null;
}

/**
 * Returns the base URLs of a server.
 *
 * @param port the actual port
 * @throws OperatorError when bound beyond loopback, or to a socket, without a public URL
 */
export function createServerUrls(
  settings: Listening & { tlsCert: string; mcpLegacyUrl: string | null },
  port: number,
): ServerUrls {
  const mcpLegacy = settings.mcpLegacyUrl === null ? null : new URL(settings.mcpLegacyUrl);
  if (settings.publicUrl === null && !isLoopback(settings.host))
    throw new OperatorError(
      `Bound to ${settings.host}, which others can reach, but no public URL is set. ` +
        "Set --public-url to the origin under which callers reach this server.",
    );
  if (settings.publicUrl === null && settings.socket !== "")
    throw new OperatorError(
      "Listening on a socket, which a proxy connects to, but no public URL is set. " +
        "Set --public-url to the origin under which callers reach that proxy.",
    );
  const scheme = settings.tlsCert === "" ? "http" : "https";
  const origins =
    settings.publicUrl === null
      ? loopbackNames(settings.host).map((name) => new URL(`${scheme}://${name}:${port}`).origin)
      : [settings.publicUrl];
  const all = origins.map(baseUrlsOf);
  const byHost = new Map(
    all.flatMap((baseUrls) => hostsOf(new URL(baseUrls.origin)).map((host) => [host, baseUrls] as const)),
  );
  const [main] = all;
  if (main === undefined) throw new Error("a server has at least one base URL");
  if (mcpLegacy !== null && !byHost.has(mcpLegacy.host))
    for (const host of hostsOf(mcpLegacy)) byHost.set(host, main);
  return { main, all, find: (host) => byHost.get((host ?? "").toLowerCase()), mcpLegacy };
}

/** The names of this machine, that of the address it is bound to first if the usual ones do not reach it (127.0.0.2). */
function loopbackNames(host: string): readonly string[] {
  const usual = ["localhost", "127.0.0.1", "[::1]"];
  const bound = host.toLowerCase() === "::1" ? "[::1]" : host.toLowerCase();
  return usual.includes(bound) ? usual : [bound, ...usual];
}

/** The spellings of a URL's host: the scheme's own port may be written out. @see RFC 9110 section 4.2.3 */
export function hostsOf({ protocol, host, port }: URL): readonly string[] {
  return port === "" ? [host, `${host}:`, `${host}:${protocol === "https:" ? 443 : 80}`] : [host];
}

/**
 * Whether other machines can reach the server: it is bound beyond loopback, has a public address, or is behind a proxy.
 * The only place that decides this, for sign-up, registration, HSTS and warnings.
 */
export function isReachableByOthers(settings: Listening & { trustedProxies: readonly string[] }): boolean {
  const { host, socket, publicUrl, trustedProxies } = settings;
  const isPublic = publicUrl !== null && !isLoopback(new URL(publicUrl).hostname);
  return isPublic || !isLoopback(host) || socket !== "" || trustedProxies.length > 0;
}

/** Whether a listen address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function baseUrlsOf(origin: string): BaseUrls {
  return {
    origin,
    api: `${origin}/api`,
    compensation: origin + ROUTES.compensation.path,
    mcp: origin + ROUTES.mcp.path,
    developer: origin + ROUTES.developer.path,
  };
}

/** An address of the MCP server: `{mcp_url}`, one of the two that require sign-in, or the legacy alias. */
export interface McpEndpoint {
  /** The full URL, as entered into a client; also the `resource` of its metadata document. */
  url: string;
  /** URL of that document. @see RFC 9728 section 3.1 */
  metadataUrl: string;
  /** Whether every message needs a credential, so that clients sign in on connecting. */
  eager: boolean;
  /** The tools it serves: the specification's two, or also those across companies. */
  toolset: "spec" | "analyst";
}

/** All MCP endpoints, those of the main base URL first. */
export function mcpEndpoints({ all, mcpLegacy }: ServerUrls): readonly McpEndpoint[] {
  const own = all.flatMap(({ origin, mcp }) => [
    endpointOf(mcp),
    endpointOf(origin + ROUTES.mcpPrivate.path, { eager: true }),
    endpointOf(origin + ROUTES.mcpAnalyst.path, { eager: true, toolset: "analyst" }),
  ]);
  if (mcpLegacy === null) return own;
  const path = mcpLegacy.pathname === "/" ? "" : mcpLegacy.pathname;
  // A legacy URL on one of our loopback origins is available on all of them.
  const isOurs = all.some(({ origin }) => new URL(origin).host === mcpLegacy.host);
  const origins = isOurs ? all.map(({ origin }) => origin) : [mcpLegacy.origin];
  return [...own, ...origins.map((origin) => endpointOf(origin + path))];
}

/** The path of resource metadata; an endpoint's own document appends the endpoint's path. @see RFC 9728 section 3.1 */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

function endpointOf(
  url: string,
  { eager = false, toolset = "spec" }: Partial<Pick<McpEndpoint, "eager" | "toolset">> = {},
): McpEndpoint {
  const { origin, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  return { url, metadataUrl: origin + RESOURCE_METADATA + path, eager, toolset };
}

/** Per-request context, set before any surface handles the request. */
export interface RequestContext {
  /** Request id, as in the log, the ledger and `X-Request-Id`. */
  readonly id: string;
  /** The requested URL, parsed when first read. Only use its path and query; links are built from `baseUrls`. */
  readonly url: URL;
  /** Of `url`, which hot answers do without. */
  readonly pathname: string;
  readonly search: string;
  /** As it was sent; pages answer HEAD as they answer GET. */
  readonly method: string;
  /** The path of the route that answers, as it was declared; undefined before there is one. */
  route: string | undefined;
  /** The base URLs of the requested host; links in the response are built from them. */
  readonly baseUrls: BaseUrls;
  /** The address anonymous requests are counted under. */
  readonly address: string;
  /**
   * The body. Refuses with `too_large` as soon as it is longer than `maxBytes`, with `slow_body` if it does not arrive in
   * time, and with `unavailable` or `rate_limited` if too many requests are in flight.
   */
  readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Keeps the connection open while an answer is prepared that may take seconds: a page, a question across companies. */
  keepOpen(): void;
  /** Lets an owner's request take minutes: an upload, a copy of the store. */
  allowMinutes(): void;
  /** The key, or the user of an access token, once admitted: for the log. Null for others. */
  caller: { kind: "key" | "user"; id: string } | null;
  /** Says a refusal in the form of the surface that was reached; without one, it is a page or the flat envelope. */
  refusal: ((refused: ServiceError) => Response) | undefined;
}

/** Returns the context of a request being answered. Throws for a request the server did not receive. */
export type ContextOf = (request: Request) => RequestContext;
