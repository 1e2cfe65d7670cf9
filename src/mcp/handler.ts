import { ROUTES } from "../routes.ts";
import { BoundedCache } from "../domain/cache.ts";
import { ServiceError } from "../errors.ts";
import { type AnswerBody, streamedBody, rateLimitHeaders } from "../http.ts";
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import { type Caller, callerOf } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import { type RequestContext, type McpEndpoint, type ServerUrls, mcpEndpoints } from "../base-urls.ts";
import { CARD_RESOURCE, readResource } from "./analyst/resources.ts";
import { ANALYST_INSTRUCTIONS, analystTools } from "./analyst/tools.ts";
import { type AnalystDeps, analystCalls } from "./analyst/toolset.ts";
import { type CallTool, specTools, toolCalls } from "./calls.ts";
import { isToolCall, mirroredHeaders, plainCall, revisionOf } from "./classify.ts";
import { corsHeaders, originAllowed, preflightHeaders } from "./cors.ts";
import { presentedBy } from "./credentials.ts";
import { createKnownCalls } from "./known-calls.ts";
import { MAX_CALL_BYTES, MAX_HANDSHAKE_BYTES, parseMessage, type ReadMessage, readText } from "./message.ts";
import { type PlainHandshake, plainHandshake } from "./plain-handshakes.ts";
import type { Offer, Protocol, RunTool } from "./protocol.ts";
import { errorResponse } from "./errors.ts";
import { type CallOverHttp, type Exchange, told, withInBandChallenge } from "./exchange.ts";
import { type ToolAnswer, answerBody, errorMembers, resultValue } from "./result.ts";
import { IMPLEMENTATION, INSTRUCTIONS, TOOLS } from "./tools.ts";

/** What the MCP surface is built from. */
export interface McpDeps extends AnalystDeps, Pick<Operations, "checkLimits"> {
  /** The base URLs at the time of a request. */
  serverUrls(): ServerUrls;
  purchaseStatus: string;
  /** Told of every call of a tool that there is. @param client as it calls itself, or its user agent */
  onToolCall?(tool: string, client: string): void;
  /** False sends plain calls through the protocol library too: for the test that compares both paths. */
  fastPath?: boolean;
}

/** Answers what comes to an address of MCP, whichever way it was found. */
export interface McpHandler {
  answer(request: Request, context: RequestContext): Promise<Response>;
  /** Whether the address is one of MCP, the optional legacy one included. */
  serves(url: URL): boolean;
}

/**
 * MCP over HTTP: both protocol families on every address of ours, without sessions. A request is looked at in this order:
 * origin, method, the caller's limits, body, caller (`operations/admit`), and only then by the protocol; a plain tool call
 * is answered without the protocol library, everything else by it (`docs/decisions`, "mcp-two-paths").
 */
// oxlint-disable-next-line max-lines-per-function -- its steps share the addresses and the protocol library, which is loaded once
export function mcpHandler(deps: McpDeps): McpHandler {
  let addresses = addressesOf(deps.serverUrls());
  // The protocol library is a quarter of a server's start, and plain calls never need it: the first that does loads it.
  let loaded: Promise<Protocol> | undefined;
  const protocol = () =>
    (loaded ??= import("./protocol.ts").then(({ createProtocol }) => createProtocol(IMPLEMENTATION)));
  const tell = (calls: CallTool) => told(deps.onToolCall, withInBandChallenge(calls));
  const toolsets: Readonly<Record<McpEndpoint["toolset"], { call: CallOverHttp; offer: Offer }>> = {
    spec: {
      call: tell(toolCalls(specTools(deps))),
      offer: { tools: () => TOOLS, instructions: INSTRUCTIONS, resources: null },
    },
    analyst: {
      call: tell(analystCalls(deps)),
      offer: {
        tools: () => analystTools(deps.guide.coverage()),
        instructions: ANALYST_INSTRUCTIONS,
        resources: { list: [CARD_RESOURCE], read: readResource },
      },
    },
  };

  const knownCalls = createKnownCalls();
  const answered = answerResponses();

  /** What is known before a message is read: who sent it, where to, and which of its limits are full. */
  const begin = (request: Request, endpoint: McpEndpoint, context: RequestContext) => {
    if (request.method !== "POST") throw wrongMethod(request.method);
    const caller = callerOf(presentedBy(request.headers), context);
    const need = endpoint.eager ? ("credential" as const) : ("any" as const);
    // Who is over every limit is refused unread; who has handshakes left only, at the length of one.
    return { request, endpoint, context, caller, need, limits: deps.checkLimits(caller, need) };
  };

  /** A message that was read. A call that needs no wait is answered at once. */
  const answer = (
    { request, endpoint, context, caller, need }: ReturnType<typeof begin>,
    fullForCalls: ServiceError | undefined,
    text: string | ReadMessage,
  ): MaybePromise<Response> => {
    const headers = mirroredHeaders(request.headers);
    const whose = caller.presented.kind === "none" ? "anyone" : "known";
    const isText = typeof text === "string";
    const known =
      isText && deps.fastPath !== false ? knownCalls.find(whose, text, endpoint, headers) : undefined;
    const read = known ?? (isText ? parseMessage(text) : text);
    if (read.kind !== "message") return refuseUnread(caller, need, fullForCalls, read);
    const { message } = read;
    const revision = known?.revision ?? revisionOf(message, headers);
    const { baseUrls } = context;
    const purchase = { status: deps.purchaseStatus, url: baseUrls.developer };
    const site = baseUrls.origin;
    const exchange: Exchange = { caller, need, purchase, endpoint, request, message, revision, site };
    const plain = known?.plain ?? (deps.fastPath === false ? undefined : plainCall(message, headers));
    const respond = () => {
      if (plain === undefined) return unusual(exchange);
      return andThen(toolsets[endpoint.toolset].call(plain.name, plain.arguments, exchange), (result) => {
        if (result === undefined) return unusual(exchange);
        if (known === undefined && isText && !result.isError) {
          knownCalls.keep(whose, text, endpoint, headers, { plain, message, revision });
        }
        const body = answerBody(plain, result, IMPLEMENTATION);
        return answered(result.awaitedCharge ? streamedBody(body) : body, result.headers);
      });
    };
    // A call past its limit was read: it takes a handshake's place, so that reading has an end too.
    return fullForCalls !== undefined && isToolCall(message)
      ? andThen(deps.admit(caller, need, "handshakes"), respond)
      : respond();
  };

  /** What is no message that we serve: said only once the caller is known. */
  const refuseUnread = async (
    caller: Caller,
    need: "credential" | "any",
    fullForCalls: ServiceError | undefined,
    read: Exclude<ReadMessage, { kind: "message" }>,
  ): Promise<Response> => {
    if (fullForCalls !== undefined && read.kind === "refused") throw fullForCalls;
    const { window } = await deps.admit(caller, need, "handshakes");
    if (read.kind === "protocol_error") {
      return protocolError(read.code, read.text, rateLimitHeaders(window));
    }
    if (window !== null) read.refused.details.window = window;
    throw read.refused;
  };

  const unusual = (exchange: Exchange): Promise<Response> =>
    isToolCall(exchange.message) ? slowPath(exchange) : handshake(exchange);

  /** Everything but tool calls: admitted first, then answered, by the protocol library where it is not plain. */
  const handshake = async ({ caller, need, endpoint, request, message }: Exchange): Promise<Response> => {
    const { window } = await deps.admit(caller, need, "handshakes");
    const { offer } = toolsets[endpoint.toolset];
    const plain =
      deps.fastPath === false ? undefined : plainHandshake(message, mirroredHeaders(request.headers));
    if (plain !== undefined) return plainAnswer(plain, offer, rateLimitHeaders(window));
    const response = await (await protocol()).answer(request, message, nothingToRun, offer);
    return withHeaders(await withBoundedError(response), rateLimitHeaders(window));
  };

  /** A tool call that the protocol library must look at, once it is admitted. */
  const slowPath = async (asked: Exchange): Promise<Response> => {
    const admission = await deps.admit(asked.caller, asked.need);
    const exchange = { ...asked, admission };
    const { call, offer } = toolsets[asked.endpoint.toolset];
    let outcome: { answer: ToolAnswer } | { thrown: unknown } | undefined;
    const run: RunTool = async (name, given) => {
      try {
        const result = await call(name, given, exchange);
        if (result === undefined) return undefined;
        outcome = { answer: result };
        return resultValue(result);
      } catch (thrown) {
        outcome = { thrown };
        return resultValue(DISCARDED);
      }
    };
    const response = await (await protocol()).answer(exchange.request, exchange.message, run, offer);
    // `run` sets it while the protocol library answers, which the compiler does not see.
    const ran = outcome as typeof outcome | { answer: ToolAnswer } | { thrown: unknown };
    if (ran === undefined) {
      return withHeaders(await withBoundedError(response), rateLimitHeaders(admission.window));
    }
    if ("thrown" in ran) throw ran.thrown;
    return withHeaders(response, ran.answer.headers);
  };

  const currentAddresses = () => {
    if (addresses.serverUrls !== deps.serverUrls()) addresses = addressesOf(deps.serverUrls());
    return addresses;
  };

  const serve = async (request: Request, context: RequestContext): Promise<Response> => {
    const { origins, find } = currentAddresses();
    const endpoint = find(context.url);
    const origin = request.headers.get("origin");
    if (endpoint === undefined) {
      const nowhere = new ServiceError("no_route", "No MCP server has this address on this host.");
      return errorResponse(nowhere, NO_ENDPOINT);
    }
    if (origin !== null && !originAllowed(origin, origins)) {
      const foreign = new ServiceError("forbidden", "Pages of this origin may not call this server.");
      return errorResponse(foreign, endpoint);
    }
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: preflightHeaders(origin) });
    }
    try {
      const begun = begin(request, endpoint, context);
      const { limits } = begun;
      // Each wait for what is there already would be a turn more.
      const full = limits instanceof Promise ? await limits : limits;
      const text = await readText(request, full === undefined ? MAX_CALL_BYTES : MAX_HANDSHAKE_BYTES);
      const made = answer(begun, full, text);
      return withHeaders(made instanceof Promise ? await made : made, corsHeaders(origin));
    } catch (refused) {
      if (!(refused instanceof ServiceError)) throw refused;
      return withHeaders(errorResponse(refused, endpoint), corsHeaders(origin));
    }
  };

  return { answer: serve, serves: (url) => currentAddresses().find(url) !== undefined };
}

function plainAnswer(
  plain: PlainHandshake,
  offer: Offer,
  headers: Readonly<Record<string, string>>,
): Response {
  if (plain.kind === "notification") return new Response(null, { status: 202, headers });
  const { id } = plain;
  const body = JSON.stringify({ result: plain.result(offer, IMPLEMENTATION), jsonrpc: "2.0", id });
  return new Response(body, { headers: { "content-type": "application/json", ...headers } });
}

const NO_ENDPOINT: McpEndpoint = { url: "", metadataUrl: "", eager: false, toolset: "spec" };

/** Stands in for a result that is never sent: the HTTP answer says what happened. */
const DISCARDED: ToolAnswer = {
  members: errorMembers("{}"),
  isError: true,
  meta: {},
  headers: {},
  awaitedCharge: false,
};

const nothingToRun: RunTool = () => Promise.resolve(undefined);

/** Our endpoints, found by host and path, and the origins of their pages. */
function addressesOf(serverUrls: ServerUrls) {
  const all = mcpEndpoints(serverUrls);
  const endpoints = new Map(all.map((endpoint) => [keyOf(new URL(endpoint.url)), endpoint]));
  // An address that comes again is one object (edge/targets.ts).
  const found = new WeakMap<URL, McpEndpoint>();
  return {
    serverUrls,
    origins: new Set(all.map(({ url }) => new URL(url).origin)),
    find(url: URL): McpEndpoint | undefined {
      const known = found.get(url);
      if (known !== undefined) return known;
      const endpoint = endpoints.get(keyOf(url));
      if (endpoint !== undefined) found.set(url, endpoint);
      return endpoint;
    },
  };
}

function keyOf({ host, pathname }: URL): string {
  return host + (pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname);
}

function wrongMethod(method: string): ServiceError {
  return new ServiceError("wrong_method", `${method} is not served here: send each message by POST.`, {
    allow: ROUTES.mcp.methods.join(", "),
  });
}

function protocolError(code: number, message: string, headers: Record<string, string>): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
  return jsonResponse(body, headers, 400);
}

function jsonResponse(body: AnswerBody, headers: Readonly<Record<string, string>>, status = 200): Response {
  return withHeaders(new Response(body, { status, headers: JSON_HEAD }), headers);
}

/** Heads that are kept: as many as quotas, for the dataset in use and the one before it. */
const KEPT_HEADS = 32;

/** What nearly every answer has the same of: the policy of its window, its dataset. */
const IN_HEAD: ReadonlySet<string> = new Set(["ratelimit-policy", "dataset"]);

/** Makes answers to calls, of a head that has all this already. */
function answerResponses(): (body: AnswerBody, headers: Readonly<Record<string, string>>) => Response {
  const heads = new BoundedCache<string, Headers>(KEPT_HEADS);
  return (body, headers) => {
    const { "ratelimit-policy": policy, dataset } = headers;
    if (policy === undefined || dataset === undefined) return jsonResponse(body, headers);
    const head = heads.getOrMake(`${policy} ${dataset}`, () => {
      const made = new Headers(JSON_HEAD);
      made.set("ratelimit-policy", policy);
      made.set("dataset", dataset);
      return made;
    });
    const response = new Response(body, { headers: head });
    for (const name in headers) {
      if (!IN_HEAD.has(name)) response.headers.set(name, headers[name] ?? "");
    }
    return response;
  };
}

/** Copied for each answer, which costs less than writing it out. */
const JSON_HEAD = Object.freeze(
  new Headers({ "content-type": "application/json", "cache-control": "no-store" }),
);

/** Longest error of the protocol library that is passed on, in characters: it repeats what it was sent. */
const MAX_LIBRARY_ERROR = 1024;

/** The answer as it is, but for a long error, which keeps its code and gets a fixed sentence. */
async function withBoundedError(response: Response): Promise<Response> {
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) return response;
  const text = await response.text();
  const said: { id?: unknown; error?: { code?: unknown } } =
    text.length > MAX_LIBRARY_ERROR ? JSON.parse(text) : {};
  if (said.error === undefined) return new Response(text, response);
  const error = {
    code: said.error.code,
    message: "The message does not have the form that the protocol asks for.",
  };
  const id = typeof said.id === "string" && said.id.length > 100 ? null : said.id;
  return new Response(JSON.stringify({ jsonrpc: "2.0", error, id }), response);
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const name in headers) response.headers.set(name, headers[name] ?? "");
  return response;
}
