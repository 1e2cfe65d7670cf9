import { META_SERVER, type PlainCall, type ProtocolFamily } from "./plain.ts";
import { IMPLEMENTATION } from "./tools.ts";

/** A tool's result, for both protocol families and both paths (fast path and protocol library). */
export interface ToolAnswer {
  /** JSON text of `content` and, for a success, `structuredContent`, without braces; shared, never modified. */
  members: Uint8Array<ArrayBuffer>;
  isError: boolean;
  /** Members of `_meta` in the result. */
  meta: Readonly<Record<string, unknown>>;
  /** Headers of the HTTP response. */
  headers: Readonly<Record<string, string>>;
  /** Whether the answer waited for a charge. */
  awaitedCharge: boolean;
}

/** A success that the operations did not answer, such as a table of SQL. Free. */
export function freeAnswer(members: ToolAnswer["members"], headers: ToolAnswer["headers"]): ToolAnswer {
  return { members, isError: false, meta: {}, headers, awaitedCharge: false };
}

/** An error, with the flat envelope as its text. */
export function errorAnswer(
  body: object,
  meta: ToolAnswer["meta"],
  headers: ToolAnswer["headers"] = {},
): ToolAnswer {
  return { members: errorMembers(body), isError: true, meta, headers, awaitedCharge: false };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Decodes UTF-8. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * The members of a success: the body as text, followed by notes for the model, and the body
 * again as structured content.
 *
 * @param body JSON text of the REST body
 */
export function successMembers(body: string, notes: readonly string[]): Uint8Array<ArrayBuffer> {
  return membersOf([body, ...notes], body);
}

/** The members of a success whose text differs from its structured content. @param structured JSON text of an object */
export function membersOf(texts: readonly string[], structured: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`"content":[${texts.map(textBlock).join(",")}],"structuredContent":${structured}`);
}

/** The members of an error: text only, because structured content would violate the declared schema. */
function errorMembers(body: object): Uint8Array<ArrayBuffer> {
  return encoder.encode(`"content":[${textBlock(JSON.stringify(body))}]`);
}

function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}

/** The result as a value for the protocol library, which adds what its family requires. */
export function resultValue({ members, isError, meta }: ToolAnswer): Record<string, unknown> {
  // Built by the functions above: the members of an object.
  const parsed = JSON.parse(`{${decode(members)}}`) as Record<string, unknown>;
  if (isError) parsed["isError"] = true;
  if (Object.keys(meta).length > 0) parsed["_meta"] = meta;
  return parsed;
}

/** The complete JSON-RPC answer to a plain call, identical to the protocol library's. */
export function answerBody(
  { family, id }: PlainCall,
  { members, isError, meta }: ToolAnswer,
): Uint8Array<ArrayBuffer> {
  const before = encoder.encode(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`);
  const after = encoder.encode(`${isError ? ',"isError":true' : ""}${metaMember(family, meta)}}}`);
  const bytes = new Uint8Array(before.length + members.length + after.length);
  bytes.set(before, 0);
  bytes.set(members, before.length);
  bytes.set(after, before.length + members.length);
  return bytes;
}

function metaMember(family: ProtocolFamily, meta: ToolAnswer["meta"]): string {
  if (family === "modern") {
    return `,"_meta":${JSON.stringify({ ...meta, [META_SERVER]: IMPLEMENTATION })},"resultType":"complete"`;
  }
  return Object.keys(meta).length === 0 ? "" : `,"_meta":${JSON.stringify(meta)}`;
}
