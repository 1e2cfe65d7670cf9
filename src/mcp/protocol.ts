import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
} from "@modelcontextprotocol/server";
import { LEGACY_REVISIONS, MODERN_REVISION, mirroredHeaders } from "./classify.ts";
import { CACHE_HINT } from "./plain-handshakes.ts";
import type { Implementation } from "./result.ts";
import type { ToolDeclaration } from "./tools.ts";

/** Runs a tool for one message; undefined when there is none of that name. */
export type RunTool = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  /** Undefined where no connection was opened: over HTTP each message says it. */
  revision: string | undefined,
  /** Aborted when the client gave the call up. */
  signal: AbortSignal,
) => Promise<Record<string, unknown> | undefined>;

/** What a server of the protocol library shows of itself. */
export interface Offer {
  /** Made when asked: descriptions say what the dataset in use has. */
  tools(): readonly ToolDeclaration[];
  instructions: string;
  /** Null where there is nothing to read. */
  resources: {
    list: readonly Resource[];
    /** Undefined for an address that is none of these. */
    read(uri: string): Promise<object | undefined>;
  } | null;
}

/** The protocol library behind one function: everything that is not a plain tool call is its to answer. */
export interface Protocol {
  /**
   * The answer to a message that has been admitted.
   *
   * @param request its headers only; the body has been read into `message`
   * @param message any JSON value but an array
   */
  answer(request: Request, message: unknown, run: RunTool, offer: Offer): Promise<Response>;
}

const RESOURCE_HINTS = {
  "resources/list": CACHE_HINT,
  "resources/templates/list": CACHE_HINT,
  "resources/read": CACHE_HINT,
};

/**
 * A server of the protocol library with our tools, for one exchange (HTTP) or one connection (stdio). It never
 * shares state with another: a shared one once showed a caller another's answer (CVE-2026-25536).
 */
export function protocolServer(info: Implementation, run: RunTool, offer: Offer): Server {
  const server = new Server(info, {
    capabilities: { tools: {}, ...(offer.resources === null ? {} : { resources: {} }) },
    instructions: offer.instructions,
    supportedProtocolVersions: [MODERN_REVISION, ...LEGACY_REVISIONS],
    cacheHints: {
      "tools/list": CACHE_HINT,
      "server/discover": CACHE_HINT,
      ...(offer.resources === null ? {} : RESOURCE_HINTS),
    },
  });
  // ToolDeclaration has what the library's Tool asks for, and `securitySchemes`, which ChatGPT reads, besides.
  server.setRequestHandler("tools/list", () => ({ tools: offer.tools().map((tool) => ({ ...tool })) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const revision = server.getNegotiatedProtocolVersion();
    const result = await run(params.name, params.arguments ?? {}, revision, mcpReq.signal);
    if (result === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    // Made by result.ts in the form of a CallToolResult; the contract tests validate it.
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
    // Made by resources.ts in the form of a text resource.
    return { contents: [contents] } as ReadResourceResult;
  });
}

/** The protocol library for HTTP: its own handler for the newer family, a JSON transport of its own for the older ones. */
export function createProtocol(info: Implementation): Protocol {
  const modern = createMcpHandler(
    ({ authInfo }) => {
      const { run, offer } = exchangeOf(authInfo?.extra);
      return protocolServer(info, run, offer);
    },
    { legacy: "reject" },
  );

  const legacy = async (
    request: Request,
    message: unknown,
    run: RunTool,
    offer: Offer,
  ): Promise<Response> => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await protocolServer(info, run, offer).connect(transport);
    const headers = new Headers(request.headers);
    // Answers are JSON whatever is accepted: a client that leaves out event streams is served like any other.
    headers.set("accept", "application/json, text/event-stream");
    headers.delete("mcp-session-id");
    try {
      const bare = new Request(request.url, { method: "POST", headers });
      return await transport.handleRequest(bare, { parsedBody: message });
    } finally {
      await transport.close();
    }
  };

  return {
    answer(request, message, run, offer) {
      const { version, method, name } = mirroredHeaders(request.headers);
      const outcome = classifyInboundRequest({
        httpMethod: "POST",
        ...(version === null ? {} : { protocolVersionHeader: version }),
        ...(method === null ? {} : { mcpMethodHeader: method }),
        ...(name === null ? {} : { mcpNameHeader: name }),
        body: message,
      });
      if (outcome.kind === "legacy") return legacy(request, message, run, offer);
      const authInfo = { token: "", clientId: "", scopes: [], extra: { run, offer } };
      return modern.fetch(request, { parsedBody: message, authInfo });
    },
  };
}

function exchangeOf(extra: Record<string, unknown> | undefined): { run: RunTool; offer: Offer } {
  // Put there by `answer` above, the only caller of the handler.
  return extra as { run: RunTool; offer: Offer };
}
