import { ROUTES } from "../http/routes.ts";
import { ServiceError } from "../errors.ts";
import { envelope, refusal } from "../http/refusals.ts";
import { rateLimitHeaders, withHeaders } from "../http/headers.ts";
import { type Caller, callerOf } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import {
  hostsOf,
  type McpEndpoint,
  mcpEndpoints,
  type RequestContext,
  type ServerUrls,
} from "../http/base-urls.ts";
import { analystToolset } from "./analyst/toolset.ts";
import { type CallContext, type CallTool, specTools, type ToolArguments, toolCalls } from "./calls.ts";
import {
  clientNameOf,
  corsHeaders,
  isToolCall,
  MAX_CALL_BYTES,
  MAX_HANDSHAKE_BYTES,
  type MirroredHeaders,
  mirroredHeaders,
  originAllowed,
  preflightHeaders,
  presentedBy,
  type ReadMessage,
  readMessage,
  revisionOf,
  wantsStream,
} from "./request.ts";
import type { Protocol, RunTool } from "./protocol.ts";
import { challenge, errorResponse, readsChallengeInBand, errorAnswer, type ToolAnswer } from "./result.ts";
import { INSTRUCTIONS, type ServerFeatures, specDeclarations } from "./tools.ts";

export interface McpDeps extends Operations {
  /** The current base URLs. */
  serverUrls(): ServerUrls;
  purchaseStatus: string;
  /** Called for each call of an existing tool. @param client the name it reports, or its user agent */
  onToolCall?(tool: string, client: string): void;
}

/** A message being answered, with its sender and endpoint. */
interface Exchange extends CallContext {
  endpoint: McpEndpoint;
  request: Request;
  mirrored: MirroredHeaders;
  message: unknown;
}

/**
 * MCP over HTTP: both protocol families on every endpoint, without sessions. Checks in order: origin, method, the
 * caller's limits, body, credentials (`operations/admit`), and only then the protocol, which the library answers.
 */
export class McpHandler {
  private addresses: ReturnType<typeof addressesOf>;
  private loaded: Promise<Protocol> | undefined;
  private readonly toolsets: Readonly<
    Record<McpEndpoint["toolset"], { calls: CallTool; features: ServerFeatures }>
  >;

  constructor(private readonly deps: McpDeps) {
    this.addresses = addressesOf(deps.serverUrls());
    this.toolsets = {
      spec: {
        calls: toolCalls(specTools(deps)),
        features: { tools: specDeclarations, instructions: INSTRUCTIONS, resources: null },
      },
      analyst: analystToolset(deps, null),
    };
  }

  /** Answers a request to an MCP endpoint. */
  async answer(request: Request, context: RequestContext): Promise<Response> {
    const { origins, endpoints } = this.currentAddresses();
    const host = request.headers.get("host")?.toLowerCase() ?? context.url.host;
    const endpoint = endpoints.get(keyOf({ host, pathname: context.pathname }));
    const origin = request.headers.get("origin");
    if (endpoint === undefined) return refusal(404, "There is no MCP server at this URL.");
    if (origin !== null && !originAllowed(origin, origins))
      return refusal(403, "Pages of this origin may not call this server.");
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: preflightHeaders(origin) });
    try {
      return withHeaders(await this.respond(request, endpoint, context), corsHeaders(origin));
    } catch (refused) {
      if (!(refused instanceof ServiceError)) throw refused;
      return withHeaders(errorResponse(refused, endpoint), corsHeaders(origin));
    }
  }

  /** Callers over all limits are refused without reading; those with only handshakes left may send a handshake's length. */
  private async respond(request: Request, endpoint: McpEndpoint, context: RequestContext): Promise<Response> {
    if (request.method !== "POST") throw wrongMethod(request.method);
    const { deps } = this;
    const caller = callerOf(presentedBy(request.headers), context);
    const need = endpoint.eager ? "credential" : "any";
    const full = await deps.checkLimits(caller, need);
    const maxBytes = full === undefined ? MAX_CALL_BYTES : MAX_HANDSHAKE_BYTES;
    const read = await readMessage(request, context, maxBytes);
    if (read.kind !== "message") {
      if (full !== undefined && read.kind === "refused") throw full;
      return this.refuseUnread(caller, need, read);
    }
    const { message } = read;
    const { developer, origin: site } = context.baseUrls;
    const purchase = { status: deps.purchaseStatus, url: developer };
    const mirrored = mirroredHeaders(request.headers);
    const revision = revisionOf(message, mirrored);
    const exchange = {
      caller,
      need,
      purchase,
      endpoint,
      request,
      mirrored,
      message,
      revision,
      site,
    } as const;
    // A call over the limit has been read, so it counts as a handshake, which limits reading too.
    if (full !== undefined && isToolCall(message)) await deps.admit(caller, need, "handshakes");
    const answer = await (isToolCall(message) ? this.callTool(exchange) : this.handshake(exchange));
    return wantsStream(request.headers.get("accept")) ? asStream(answer) : answer;
  }

  /**
   * Calls a tool, and reports the call if there is such a tool. A missing credential is reported in the result for clients
   * that look for it only there.
   */
  private async call(
    name: string,
    given: ToolArguments,
    exchange: Exchange,
  ): Promise<ToolAnswer | undefined> {
    const { endpoint, request, message } = exchange;
    let result: ToolAnswer | undefined;
    try {
      result = await this.toolsets[endpoint.toolset].calls(name, given, exchange);
    } catch (refused) {
      result = challengeInBand(refused, exchange);
    }
    if (result !== undefined)
      this.deps.onToolCall?.(name, clientNameOf(message) ?? request.headers.get("user-agent") ?? "");
    return result;
  }

  /** Refuses an invalid message, but only after authenticating the caller. */
  private async refuseUnread(
    caller: Caller,
    need: Exchange["need"],
    read: Exclude<ReadMessage, { kind: "message" }>,
  ): Promise<Response> {
    const { window } = await this.deps.admit(caller, need, "handshakes");
    if (read.kind === "protocol_error") return protocolError(read.code, read.text, rateLimitHeaders(window));
    if (window !== null) read.refused.details.window = window;
    throw read.refused;
  }

  /** Answers messages other than tool calls, after admission. */
  private async handshake(exchange: Exchange): Promise<Response> {
    const { window } = await this.deps.admit(exchange.caller, exchange.need, "handshakes");
    const { features } = this.toolsets[exchange.endpoint.toolset];
    const response = await (await this.protocol()).answer(exchange, nothingToRun, features);
    return withHeaders(response, rateLimitHeaders(window));
  }

  /** Answers a tool call, after admission. */
  private async callTool(exchange: Exchange): Promise<Response> {
    const admission = await this.deps.admit(exchange.caller, exchange.need);
    const { features } = this.toolsets[exchange.endpoint.toolset];
    const ran: { result?: Promise<ToolAnswer | undefined> } = {};
    const run: RunTool = (name, given) => {
      ran.result = this.call(name, given, { ...exchange, admission });
      return ran.result.then(
        (answer) => answer?.result,
        // Not sent: the refusal below is.
        () => DISCARDED.result,
      );
    };
    const response = await (await this.protocol()).answer(exchange, run, features);
    const headers = (await ran.result)?.headers ?? rateLimitHeaders(admission.window);
    return withHeaders(response, { ...headers, "cache-control": "no-store" });
  }

  /** The library takes a quarter of the time of a start, so the first message loads it. */
  private protocol(): Promise<Protocol> {
    return (this.loaded ??= import("./protocol.ts").then(({ Protocol: Library }) => new Library()));
  }

  private currentAddresses() {
    const serverUrls = this.deps.serverUrls();
    if (this.addresses.serverUrls !== serverUrls) this.addresses = addressesOf(serverUrls);
    return this.addresses;
  }
}

function challengeInBand(refused: unknown, { caller, endpoint, request, message }: Exchange): ToolAnswer {
  const isMissing =
    refused instanceof ServiceError &&
    refused.kind === "unauthenticated" &&
    caller.presented.kind === "none" &&
    !endpoint.eager;
  if (!isMissing || !readsChallengeInBand(request.headers.get("user-agent"), clientNameOf(message)))
    throw refused;
  const meta = { http_status: 401, "mcp/www_authenticate": [challenge("none", endpoint)] };
  return errorAnswer(envelope(401, refused.message), meta, rateLimitHeaders(refused.details.window));
}

/** Placeholder for a result that is not sent, because the HTTP response reports the error. */
const DISCARDED = errorAnswer({}, {});

const nothingToRun: RunTool = () => Promise.resolve(undefined);

/** Our endpoints by host and path, and their origins. */
function addressesOf(serverUrls: ServerUrls) {
  const all = mcpEndpoints(serverUrls);
  return {
    serverUrls,
    origins: new Set(all.map(({ url }) => new URL(url).origin)),
    endpoints: new Map(
      all.flatMap((endpoint) => {
        const url = new URL(endpoint.url);
        return hostsOf(url).map((host) => [keyOf({ host, pathname: url.pathname }), endpoint] as const);
      }),
    ),
  };
}

/** With a slash behind it an address is another one: its resource metadata would have to name that one. */
function keyOf({ host, pathname }: Pick<URL, "host" | "pathname">): string {
  return host + pathname;
}

function wrongMethod(method: string): ServiceError {
  return new ServiceError("wrong_method", `${method} is not supported here: send each message with POST.`, {
    allow: ROUTES.mcp.methods.join(", "),
  });
}

function protocolError(code: number, message: string, headers: Record<string, string>): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400, headers });
}

/** The answer as an event stream of one event. */
async function asStream(answer: Response): Promise<Response> {
  if (answer.status !== 200 || !isJson(answer)) return answer;
  const headers = new Headers(answer.headers);
  headers.set("content-type", "text/event-stream");
  return new Response(`event: message\ndata: ${await answer.text()}\n\n`, { headers });
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true;
}
