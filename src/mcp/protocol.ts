import {
  type CallToolResult,
  type JSONRPCErrorResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { shorten } from "../domain/parameters.ts";
import { isPlainCall, isUsualCall, type MirroredHeaders, revisionOf } from "./request.ts";
import { IMPLEMENTATION, type ServerFeatures } from "./tools.ts";

/** The revision without a handshake, in which every message names its revision. */
const MODERN_REVISION = "2026-07-28";
/** The revisions that start with `initialize`, newest first. */
export const LEGACY_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** How long, and in which caches, rarely changing results may be kept. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Runs a tool for a message; undefined for an unknown tool. */
export type RunTool = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  /** Undefined over HTTP, where each message names its own. */
  revision: string | undefined,
  /** Aborted when the client cancels the call. */
  signal: AbortSignal,
) => Promise<CallToolResult | undefined>;

const RESOURCE_HINTS = {
  "resources/list": CACHE_HINT,
  "resources/templates/list": CACHE_HINT,
  "resources/read": CACHE_HINT,
};

/**
 * Creates a server of the protocol library for one exchange (HTTP) or connection (stdio). State is never shared: a
 * shared server has exposed one caller's answers to another (CVE-2026-25536).
 */
export function protocolServer(run: RunTool, features: ServerFeatures): Server {
  const server = new Server(IMPLEMENTATION, {
    capabilities: { tools: {}, ...(features.resources === null ? {} : { resources: {} }) },
    instructions: features.instructions,
    supportedProtocolVersions: [MODERN_REVISION, ...LEGACY_REVISIONS],
    cacheHints: {
      "tools/list": CACHE_HINT,
      "server/discover": CACHE_HINT,
      ...(features.resources === null ? {} : RESOURCE_HINTS),
    },
  });
  // ToolDeclaration has the members of the library's Tool, and also `securitySchemes`, which ChatGPT reads.
  server.setRequestHandler("tools/list", () => ({ tools: features.tools().map((tool) => ({ ...tool })) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const revision = server.getNegotiatedProtocolVersion();
    const result = await run(params.name, params.arguments ?? {}, revision, mcpReq.signal);
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shorten(params.name)}`);
    return result;
  });
  if (features.resources !== null) serveResources(server, features.resources);
  return server;
}

function serveResources(server: Server, { list, read }: NonNullable<ServerFeatures["resources"]>): void {
  server.setRequestHandler("resources/list", () => ({ resources: list.map((one) => ({ ...one })) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const contents = await read(params.uri);
    if (contents === undefined) throw new ResourceNotFoundError(params.uri);
    // Built by tools.ts as a text resource.
    return { contents: [contents] } as ReadResourceResult;
  });
}

/** What only the older family answers. */
const LEGACY_ONLY: ReadonlySet<string> = new Set(["initialize", "ping"]);

/** The requests that are answered, as the library checks them. */
const REQUESTS = new Map<string, (typeof specTypeSchemas)[keyof typeof specTypeSchemas]>([
  ["initialize", specTypeSchemas.InitializeRequest],
  ["ping", specTypeSchemas.PingRequest],
  ["tools/list", specTypeSchemas.ListToolsRequest],
  ["tools/call", specTypeSchemas.CallToolRequest],
  ["resources/list", specTypeSchemas.ListResourcesRequest],
  ["resources/templates/list", specTypeSchemas.ListResourceTemplatesRequest],
  ["resources/read", specTypeSchemas.ReadResourceRequest],
]);

/**
 * The answer to a request whose parameters do not have the form of its method; undefined for all other messages. The
 * library would answer some of them as an error of its own (-32603), and all with a list of what its checker found.
 */
export function malformedRequest(
  message: unknown,
  headers?: MirroredHeaders,
): JSONRPCErrorResponse | undefined {
  if (isUsualCall(message) || !isJSONRPCRequest(message)) return undefined;
  const isModern = [headers?.version, revisionOf(message, headers)].includes(MODERN_REVISION);
  if (isModern && LEGACY_ONLY.has(message.method)) return undefined;
  const checked = REQUESTS.get(message.method)?.["~standard"].validate(message);
  if (checked === undefined || "then" in checked) return undefined;
  const [first] = checked.issues ?? [];
  if (first === undefined) return undefined;
  const place = (first.path ?? [])
    .map((part) => String(typeof part === "object" ? part.key : part))
    .join(".");
  const text = `Cannot read ${shorten(place)}: ${shorten(first.message.replace("Invalid input: ", ""))}.`;
  return { jsonrpc: "2.0", id: message.id, error: { code: ProtocolErrorCode.InvalidParams, message: text } };
}

/** The protocol library over HTTP: its own handler for the newer family, a JSON transport for the older ones. */
export class Protocol {
  private readonly modern = createMcpHandler(
    ({ authInfo }) => {
      // Set by `answer` below, the only caller of the handler.
      const exchange = authInfo?.extra as { run: RunTool; features: ServerFeatures } | undefined;
      if (exchange === undefined) throw new Error("a message without its exchange");
      return protocolServer(exchange.run, exchange.features);
    },
    { legacy: "reject" },
  );

  /**
   * Answers an admitted message.
   *
   * @param request for its headers only; the body has been parsed into `message`, any JSON value except an array
   */
  async answer(
    {
      request,
      mirrored: headers,
      message,
    }: { request: Request; mirrored: MirroredHeaders; message: unknown },
    run: RunTool,
    features: ServerFeatures,
  ): Promise<Response> {
    const { version } = headers;
    // Nearly all calls. The library would parse them twice more to say so.
    if (isPlainCall(message) && BARE_REQUESTS.has(version))
      return answerLegacy(version, message, run, features);
    const malformed = malformedRequest(message, headers);
    if (malformed !== undefined) return Response.json(malformed);
    // Its own handler classifies messages too, so those that say 2026-07-28 twice are left to it.
    const isModern = version === MODERN_REVISION && revisionOf(message, headers) === MODERN_REVISION;
    if (!isModern && isLegacy(message, headers)) return answerLegacy(version, message, run, features);
    const authInfo = { token: "", clientId: "", scopes: [], extra: { run, features } };
    return this.modern.fetch(request, { parsedBody: message, authInfo });
  }
}

/** Whether the older family answers, as the library decides. */
function isLegacy(message: unknown, { version, method, name }: MirroredHeaders): boolean {
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    ...(version === null ? {} : { protocolVersionHeader: version }),
    ...(method === null ? {} : { mcpMethodHeader: method }),
    ...(name === null ? {} : { mcpNameHeader: name }),
    body: message,
  });
  return outcome.kind === "legacy";
}

/** What the transport reads of a request: these headers. Responses are always JSON, so clients that do not accept event streams are served too. */
function bareRequest(version: string | null): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(version === null ? {} : { "mcp-protocol-version": version }),
    },
  });
}

const BARE_REQUESTS: ReadonlyMap<string | null, Request> = new Map(
  [null, ...LEGACY_REVISIONS].map((version) => [version, bareRequest(version)]),
);

async function answerLegacy(
  version: string | null,
  message: unknown,
  run: RunTool,
  features: ServerFeatures,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await protocolServer(run, features).connect(transport);
  // Both are left to the collector: closing them would only abort calls that run, and this one has been answered.
  return transport.handleRequest(BARE_REQUESTS.get(version) ?? bareRequest(version), { parsedBody: message });
}
