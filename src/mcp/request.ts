/** What is read of a request: its message, its credential and its origin. */
import type { Presented } from "../accounts/principal.ts";
import { parseJson } from "../lib/text.ts";
import { ServiceError } from "../errors.ts";
import { isLoopback, type RequestContext } from "../http/base-urls.ts";
import { decode } from "./result.ts";

/** Maximum size of a tool call in bytes; ours take a few hundred. */
export const MAX_CALL_BYTES = 64 * 1024;
/** Maximum size of any other message, in bytes. */
export const MAX_HANDSHAKE_BYTES = 8 * 1024;
/** Maximum nesting of objects and lists. */
const MAX_DEPTH = 32;
/**
 * Maximum number of values in a message, because the protocol library reports an unexpected list
 * with a sentence per element.
 */
const MAX_VALUES = 256;

/** A parsed body: a JSON value, or why it is not acceptable. */
export type ReadMessage =
  | { kind: "message"; message: unknown }
  | { kind: "refused"; refused: ServiceError }
  | { kind: "protocol_error"; code: -32700 | -32600; text: string };

/**
 * Reads a JSON-RPC message. Errors are returned, because nothing may be refused before the caller is known.
 * @see test/contract/protocols.md, T-11 and T-13
 */
export async function readMessage(
  request: Request,
  context: RequestContext,
  maxBytes: number,
): Promise<ReadMessage> {
  const type = request.headers.get("content-type") ?? "";
  if (type !== "application/json" && type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") {
    const text = `Cannot read a body of type ${JSON.stringify(type.slice(0, 60))}: send Content-Type: application/json.`;
    return { kind: "refused", refused: new ServiceError("unsupported_media", text) };
  }
  try {
    return parseMessage(decode(await context.readBody(request, maxBytes)));
  } catch (refused) {
    if (refused instanceof ServiceError) return { kind: "refused", refused };
    throw refused;
  }
}

/** Parses a message and checks it against the limits of size and structure. */
export function parseMessage(text: string): ReadMessage {
  const message = parseJson(text);
  if (message === undefined)
    return { kind: "protocol_error", code: -32700, text: "Parse error: the message is not valid JSON." };
  if (Array.isArray(message)) return invalid("Batches are not supported: send one message per request.");
  const maxBytes = isToolCall(message) ? MAX_CALL_BYTES : MAX_HANDSHAKE_BYTES;
  // A UTF-16 code unit takes one to three bytes in UTF-8.
  if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) {
    const refused = new ServiceError("too_large", `The message exceeds ${maxBytes} bytes.`);
    return { kind: "refused", refused };
  }
  const excess = excessOf(message);
  return excess === undefined ? { kind: "message", message: withoutNulls(message) } : invalid(excess);
}

/**
 * The message without the members of `params` that are null, and without `params` that is: clients write so what they
 * leave out, and the protocol library refuses it.
 */
function withoutNulls(message: unknown): unknown {
  const request = asObject(message);
  if (request["params"] === null) {
    const { params: _none, ...rest } = request;
    return rest;
  }
  const params = asObject(request["params"]);
  if (!Object.values(params).includes(null)) return message;
  const given = Object.entries(params).filter(([, value]) => value !== null);
  return { ...request, params: Object.fromEntries(given) };
}

type Members = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object; without members for another value. */
function asObject(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** Whether the message is a request to call a tool, even if malformed. */
export function isToolCall(message: unknown): boolean {
  return isObject(message) && message["method"] === "tools/call" && message["id"] !== undefined;
}

/** Whether the parameters of a call have the form of a call, so that the library need not be asked twice. */
export function isUsualCall(message: unknown): boolean {
  const params = asObject(asObject(message)["params"]);
  const { name, arguments: given } = params;
  const hasForm = typeof name === "string" && (given === undefined || isObject(given));
  return hasForm && isToolCall(message) && hasOnly(params, CALL_MEMBERS);
}

/** Whether the message is such a call and nothing else: no metadata, which the newer family's calls have. */
export function isPlainCall(message: unknown): boolean {
  const request = asObject(message);
  const { jsonrpc, id, params } = request;
  const isRequest = jsonrpc === "2.0" && (typeof id === "string" || Number.isSafeInteger(id));
  return (
    isRequest && isUsualCall(message) && !("_meta" in asObject(params)) && hasOnly(request, REQUEST_MEMBERS)
  );
}

const CALL_MEMBERS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const REQUEST_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

function hasOnly(members: Members, names: ReadonlySet<string>): boolean {
  return Object.keys(members).every((name) => names.has(name));
}

/** The headers that repeat values of the body, in the newer family. */
export type MirroredHeaders = ReturnType<typeof mirroredHeaders>;

/** The mirrored headers of a request. */
export function mirroredHeaders(headers: Headers) {
  return {
    version: headers.get("mcp-protocol-version"),
    method: headers.get("mcp-method"),
    name: headers.get("mcp-name"),
  };
}

function metaOf(message: unknown): Members {
  return asObject(asObject(asObject(message)["params"])["_meta"]);
}

/** The client's name in a message of the newer family. Unverified; only for the form of an answer. */
export function clientNameOf(message: unknown): string | undefined {
  const { name } = asObject(metaOf(message)["io.modelcontextprotocol/clientInfo"]);
  return typeof name === "string" ? name : undefined;
}

/** The revision in the message, else in the header, else the oldest supported. */
export function revisionOf(message: unknown, headers?: MirroredHeaders): string {
  const revision = metaOf(message)["io.modelcontextprotocol/protocolVersion"];
  return typeof revision === "string" ? revision : (headers?.version ?? "2025-03-26");
}

/** Whether a client can read an answer only as an event stream. */
export function wantsStream(accept: string | null): boolean {
  return (
    accept !== null && /text\/event-stream/i.test(accept) && !/\*\/\*|application\/(json|\*)/i.test(accept)
  );
}

function invalid(text: string): ReadMessage {
  return { kind: "protocol_error", code: -32600, text };
}

/** Which limit a parsed message exceeds; undefined if none. */
function excessOf(message: unknown): string | undefined {
  let values = 1;
  let level: readonly unknown[] = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `The message is nested more than ${MAX_DEPTH} levels deep.`;
    const below: unknown[] = [];
    for (const value of level) {
      const members = membersOf(value);
      values += members.length;
      if (values > MAX_VALUES) return `The message has more than ${MAX_VALUES} values.`;
      below.push(...members);
    }
    level = below;
  }
  return undefined;
}

/** The children of a value. Lists are returned directly: `Object.values` of 30,000 elements takes 15 ms. */
function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

const BEARER = /^bearer(?:\s+(.*))?$/i;

/**
 * The credential of an MCP request: `Authorization: Bearer` or `X-API-KEY`, but not both. An empty one counts as
 * presented; other schemes (such as a proxy's Basic) are ignored; the query is never read.
 * @see test/contract/protocols.md, 2.2
 */
export function presentedBy(headers: Headers): Presented {
  const key = headers.get("x-api-key");
  const authorization = headers.get("authorization");
  const bearer = authorization === null ? null : BEARER.exec(authorization.trim());
  if (key !== null && bearer !== null) return { kind: "both" };
  if (key !== null) return { kind: "key", secret: key };
  if (bearer !== null) return { kind: "token", secret: bearer[1]?.trim() ?? "" };
  return { kind: "none" };
}

const ALLOWED_HEADERS =
  "Content-Type, Accept, Authorization, X-API-KEY, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, " +
  "Last-Event-ID";
const EXPOSED_HEADERS =
  "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Credits-Charged, Credits-Remaining, " +
  "Incomplete-Fiscal-Years, Fiscal-Years-Left-Out, Newer-Filing, Dataset, X-Request-Id, Mcp-Session-Id";

/**
 * Whether pages of an origin may call MCP: our own origins, and pages on the caller's machine (Inspector). In a DNS
 * rebinding attack, the page has a foreign origin and is refused.
 * @see test/contract/protocols.md, T-2
 */
export function originAllowed(origin: string, own: ReadonlySet<string>): boolean {
  if (own.has(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && isLoopback(hostname);
}

/** CORS headers of a response. Never allows credentials, as there are no cookies here. @see test/contract/protocols.md, 3.8 */
export function corsHeaders(origin: string | null): Record<string, string> {
  if (origin === null) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED_HEADERS,
    vary: "Origin",
  };
}

/** Headers of a preflight response. */
export function preflightHeaders(origin: string | null): Record<string, string> {
  return {
    ...corsHeaders(origin),
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "600",
  };
}
