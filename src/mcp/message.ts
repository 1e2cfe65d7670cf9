import { ServiceError } from "../errors.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { brokenBody, readBody } from "../http.ts";
import { isToolCall } from "./classify.ts";
import { decode } from "./result.ts";

/** Bytes of a tool call at most: one of ours has a few hundred. */
export const MAX_CALL_BYTES = 64 * 1024;
/** Bytes of any other message at most. */
export const MAX_HANDSHAKE_BYTES = 8 * 1024;
/** Levels of objects and lists in a message. */
const MAX_DEPTH = 32;
/** Values in a message. The protocol library answers a list that it did not expect with a sentence for each element. */
const MAX_VALUES = 256;

/** A body as it was read: a JSON value, or why it is none that we serve. */
export type ReadMessage =
  | { kind: "message"; message: unknown }
  | { kind: "refused"; refused: ServiceError }
  | { kind: "protocol_error"; code: -32700 | -32600; text: string };

/**
 * Reads the text of one JSON-RPC message. Nothing is refused before the caller is known, so what is wrong is returned.
 * @see docs/protocols.md, T-11 and T-13
 */
export function readText(request: Request, maxBytes: number): MaybePromise<string | ReadMessage> {
  const type = request.headers.get("content-type") ?? "";
  if (type !== "application/json" && type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") {
    const text = `Cannot read a body of type ${JSON.stringify(type.slice(0, 60))}: send Content-Type: application/json.`;
    return { kind: "refused", refused: new ServiceError("unsupported_media", text) };
  }
  // What declares its length has no more than that, and is read as text at once.
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= maxBytes) return request.text().catch(brokenOff);
  return readBody(request, maxBytes).then(decode).catch(refusedUnread);
}

function brokenOff(): ReadMessage {
  return { kind: "refused", refused: brokenBody() };
}

function refusedUnread(refused: unknown): ReadMessage {
  if (refused instanceof ServiceError) return { kind: "refused", refused };
  throw refused;
}

/** Text as a message within the budget that a message has before anything else looks at it. */
export function parseMessage(text: string): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { kind: "protocol_error", code: -32700, text: "Parse error: the message is not valid JSON." };
  }
  if (Array.isArray(message)) {
    return invalid("Batches are not served: send one message a request.");
  }
  const most = isToolCall(message) ? MAX_CALL_BYTES : MAX_HANDSHAKE_BYTES;
  // A character has at least one byte, and at most three where it is one unit of text.
  if (text.length > most || (text.length * 3 > most && Buffer.byteLength(text) > most)) {
    const refused = new ServiceError("too_large", `A message of this kind is at most ${most} bytes long.`);
    return { kind: "refused", refused };
  }
  const excess = excessOf(message);
  return excess === undefined ? { kind: "message", message } : invalid(excess);
}

function invalid(text: string): ReadMessage {
  return { kind: "protocol_error", code: -32600, text };
}

/** In what a parsed message exceeds its budget; undefined when it is within. */
function excessOf(message: unknown): string | undefined {
  let values = 1;
  let level: readonly unknown[] = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `A message is nested at most ${MAX_DEPTH} levels deep.`;
    const below: unknown[] = [];
    for (const value of level) {
      const members = membersOf(value);
      values += members.length;
      if (values > MAX_VALUES) return `A message has at most ${MAX_VALUES} values.`;
      below.push(...members);
    }
    level = below;
  }
  return undefined;
}

/** A list is its own members: `Object.values` of 30,000 elements takes 15 ms. */
function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
