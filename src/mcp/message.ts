import { ServiceError } from "../errors.ts";

/** Bytes of a message at most: a call of ours has a few hundred. */
export const MAX_BYTES = 64 * 1024;

/** A body as it was read: a JSON value, or why it is none that we serve. */
export type ReadMessage =
  | { kind: "message"; message: unknown }
  | { kind: "refused"; refused: ServiceError }
  | { kind: "protocol_error"; code: -32700 | -32600; text: string };

/**
 * Reads one JSON-RPC message. Nothing is refused before the caller is known, so what is wrong is returned.
 * @see docs/protocols.md, T-11 and T-13
 */
export async function readMessage(request: Request): Promise<ReadMessage> {
  const type = request.headers.get("content-type") ?? "";
  if (type !== "application/json" && type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") {
    const text = `Cannot read a body of type ${JSON.stringify(type.slice(0, 60))}: send Content-Type: application/json.`;
    return { kind: "refused", refused: new ServiceError("unsupported_media", text) };
  }
  const body = await readBounded(request);
  if (body === undefined) {
    const text = `A message is at most ${MAX_BYTES} bytes long.`;
    return { kind: "refused", refused: new ServiceError("too_large", text) };
  }
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return { kind: "protocol_error", code: -32700, text: "Parse error: the body is not valid JSON." };
  }
  if (Array.isArray(message)) {
    return {
      kind: "protocol_error",
      code: -32600,
      text: "Batches are not served: send one message a request.",
    };
  }
  return { kind: "message", message };
}

/** The body as text, undefined when it is longer than allowed; no more than that is read. */
async function readBounded(request: Request): Promise<string | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null) return Number(declared) > MAX_BYTES ? undefined : request.text();
  const decoder = new TextDecoder();
  let received = 0;
  let text = "";
  for await (const chunk of request.body ?? []) {
    received += chunk.byteLength;
    if (received > MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
