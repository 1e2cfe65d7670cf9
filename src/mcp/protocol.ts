import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
} from "@modelcontextprotocol/server";
import { CACHE_HINT, capabilitiesOf, LEGACY_REVISIONS, MODERN_REVISION, mirroredHeaders } from "./plain.ts";
import { IMPLEMENTATION, type Offer } from "./tools.ts";

/** Runs a tool for a message; undefined for an unknown tool. */
export type RunTool = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  /** Undefined over HTTP, where each message names its own. */
  revision: string | undefined,
  /** Aborted when the client cancels the call. */
  signal: AbortSignal,
) => Promise<Record<string, unknown> | undefined>;

const RESOURCE_HINTS = {
  "resources/list": CACHE_HINT,
  "resources/templates/list": CACHE_HINT,
  "resources/read": CACHE_HINT,
};

/**
 * Creates a server of the protocol library for one exchange (HTTP) or connection (stdio). State is never shared: a
 * shared server has exposed one caller's answers to another (CVE-2026-25536).
 */
export function protocolServer(run: RunTool, offer: Offer): Server {
  const server = new Server(IMPLEMENTATION, {
    capabilities: capabilitiesOf(offer),
    instructions: offer.instructions,
    supportedProtocolVersions: [MODERN_REVISION, ...LEGACY_REVISIONS],
    cacheHints: {
      "tools/list": CACHE_HINT,
      "server/discover": CACHE_HINT,
      ...(offer.resources === null ? {} : RESOURCE_HINTS),
    },
  });
  // ToolDeclaration has the members of the library's Tool, and also `securitySchemes`, which ChatGPT reads.
  server.setRequestHandler("tools/list", () => ({ tools: offer.tools().map((tool) => ({ ...tool })) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const revision = server.getNegotiatedProtocolVersion();
    const result = await run(params.name, params.arguments ?? {}, revision, mcpReq.signal);
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    // Built by result.ts as a CallToolResult; validated by the contract tests.
    return result as CallToolResult;
  });
  if (offer.resources !== null) serveResources(server, offer.resources);
  return server;
}

function serveResources(server: Server, { list, read }: NonNullable<Offer["resources"]>): void {
  server.setRequestHandler("resources/list", () => ({ resources: list.map((one) => ({ ...one })) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const contents = await read(params.uri);
    if (contents === undefined) throw new ResourceNotFoundError(params.uri);
    // Built by resources.ts as a text resource.
    return { contents: [contents] } as ReadResourceResult;
  });
}

/**
 * The protocol library over HTTP, which answers everything except plain messages: its own handler for the newer family, a
 * JSON transport for the older ones.
 */
export class Protocol {
  private readonly modern = createMcpHandler(
    ({ authInfo }) => {
      // Set by `answer` below, the only caller of the handler.
      const exchange = authInfo?.extra as { run: RunTool; offer: Offer } | undefined;
      if (exchange === undefined) throw new Error("a message without its exchange");
      return protocolServer(exchange.run, exchange.offer);
    },
    { legacy: "reject" },
  );

  /**
   * Answers an admitted message.
   *
   * @param request for its headers only; the body has been parsed into `message`
   * @param message any JSON value except an array
   */
  answer(request: Request, message: unknown, run: RunTool, offer: Offer): Promise<Response> {
    const { version, method, name } = mirroredHeaders(request.headers);
    const outcome = classifyInboundRequest({
      httpMethod: "POST",
      ...(version === null ? {} : { protocolVersionHeader: version }),
      ...(method === null ? {} : { mcpMethodHeader: method }),
      ...(name === null ? {} : { mcpNameHeader: name }),
      body: message,
    });
    if (outcome.kind === "legacy") return answerLegacy(request, message, run, offer);
    const authInfo = { token: "", clientId: "", scopes: [], extra: { run, offer } };
    return this.modern.fetch(request, { parsedBody: message, authInfo });
  }
}

async function answerLegacy(
  request: Request,
  message: unknown,
  run: RunTool,
  offer: Offer,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await protocolServer(run, offer).connect(transport);
  const headers = new Headers(request.headers);
  // Responses are always JSON, so clients that do not accept event streams are served too.
  headers.set("accept", "application/json, text/event-stream");
  headers.delete("mcp-session-id");
  try {
    const bare = new Request(request.url, { method: "POST", headers });
    return await transport.handleRequest(bare, { parsedBody: message });
  } finally {
    await transport.close();
  }
}
