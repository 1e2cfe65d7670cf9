import {
  type JSONRPCMessage,
  type Transport,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Purchase } from "../http/refusals.ts";
import type { Presented } from "../accounts/principal.ts";
import { ServiceError } from "../errors.ts";
import type { Operations } from "../operations/operations.ts";
import type { SqlRunner } from "../operations/sql.ts";
import { analystToolset } from "./analyst/toolset.ts";
import { LEGACY_REVISIONS, malformedRequest, type RunTool, protocolServer } from "./protocol.ts";
import { MAX_CALL_BYTES, parseMessage } from "./request.ts";
import { refusalAnswer } from "./result.ts";

export interface StdioDeps extends Operations, Lines {
  /** The key to use; without one, the access policy decides, which allows the local operator everything. */
  presented: Presented;
  purchase: Purchase;
  /** Runs SQL statements; null if no process can be started, in which case the tool is not offered. */
  sql: SqlRunner | null;
  /** A new request id. */
  id(): string;
  /** Called with errors that the client does not see: bugs, and unreadable lines. */
  onFault(error: unknown): void;
  /** Settles when the process is asked to stop. */
  stopped: Promise<unknown>;
}

/**
 * Serves MCP over lines, in both protocol families, until the input ends and all messages have been answered. Without
 * HTTP, all refusals are tool results.
 */
export async function mcpOverStdio(deps: StdioDeps): Promise<void> {
  const { calls, features } = analystToolset(deps, deps.sql);
  const run: RunTool = async (name, given, revision = LEGACY_REVISIONS[0], signal) => {
    const caller = { presented: deps.presented, address: "stdio", requestId: deps.id() };
    const context = { caller, need: "any", purchase: deps.purchase, revision, signal, site: null } as const;
    try {
      return (await calls(name, given, context))?.result;
    } catch (refused) {
      if (!(refused instanceof ServiceError)) deps.onFault(refused);
      return refusalAnswer(refused, deps.purchase).result;
    }
  };
  const transport = new LineTransport(deps);
  const handle = serveStdio(() => protocolServer(run, features), {
    transport,
    onerror: deps.onFault,
  });
  await Promise.race([transport.ended, deps.stopped]);
  await handle.close();
}

/** Line-based input and output: one JSON text per line. */
export interface Lines {
  input: ReadableStream<Uint8Array>;
  /** Writes text unchanged; resolves once it has been written. */
  write(text: string): Promise<void>;
}

/** The part of a stream's reader in use. */
interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Milliseconds within which a pending call answers: an SQL statement has a minute to start and ten seconds to run. */
const LONGEST_CALL_MS = 90_000;

/**
 * A transport of the protocol library over lines. When the input ends, pending requests are answered before the
 * connection closes. Invalid messages are answered with an error.
 */
export class LineTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly unanswered = new Set<string | number>();
  private readonly end = Promise.withResolvers<void>();
  /** Settles when the connection has closed. */
  readonly ended = this.end.promise;
  private readonly idle = Promise.withResolvers<void>();
  private inputEnded = false;
  private closed = false;

  private readonly reader: ByteReader;

  constructor(
    private readonly lines: Lines,
    private readonly longestCallMs = LONGEST_CALL_MS,
  ) {
    this.reader = lines.input.getReader();
  }

  start(): Promise<void> {
    void this.read();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const text = `${JSON.stringify(message)}\n`;
    try {
      await this.lines.write(text);
    } catch {
      // The client is gone.
      return this.close();
    }
    if (isJSONRPCResponse(message) && message.id !== undefined) this.settle(message.id);
  }

  close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      // Releases standard input, which would keep the process alive.
      void this.reader.cancel().catch(() => {});
      this.onclose?.();
      this.end.resolve();
    }
    return Promise.resolve();
  }

  private async read(): Promise<void> {
    try {
      for await (const line of linesOf(this.reader)) this.take(line);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    this.inputEnded = true;
    await this.lastAnswers();
    await this.close();
  }

  /** Waits while pending calls are answered one after another, however many there are. */
  private async lastAnswers(): Promise<void> {
    for (let left = Infinity; this.unanswered.size > 0 && this.unanswered.size < left;) {
      left = this.unanswered.size;
      await Promise.race([this.idle.promise, Bun.sleep(this.longestCallMs)]);
    }
  }

  private take(line: string | null): void {
    if (line === null) return this.refuse(null, -32600, `The message exceeds ${MAX_CALL_BYTES} bytes.`);
    if (line.trim() === "") return;
    const read = parseMessage(line);
    if (read.kind === "refused") return this.refuse(null, -32600, read.refused.message);
    if (read.kind === "protocol_error") return this.refuse(null, read.code, read.text);
    const { message } = read;
    const malformed = malformedRequest(message);
    if (malformed !== undefined) return this.write(malformed);
    if (isJSONRPCRequest(message)) {
      this.unanswered.add(message.id);
    } else if (isJSONRPCNotification(message)) {
      // Cancelled requests are not answered.
      const cancelled =
        message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
      if (typeof cancelled === "string" || typeof cancelled === "number") this.settle(cancelled);
    } else if (!isJSONRPCResponse(message)) {
      return this.refuse(idOf(message), -32600, "The line is not a JSON-RPC message.");
    }
    this.onmessage?.(message);
  }

  private refuse(id: string | number | null, code: number, message: string): void {
    this.write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  private write(answer: object): void {
    void this.lines.write(`${JSON.stringify(answer)}\n`).catch(() => {});
  }

  private settle(id: string | number): void {
    this.unanswered.delete(id);
    if (this.inputEnded && this.unanswered.size === 0) this.idle.resolve();
  }
}

function idOf(message: unknown): string | number | null {
  if (typeof message !== "object" || message === null || !("id" in message)) return null;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
}

/** The lines of a stream, without line ends; null for one that is too long and was skipped. */
async function* linesOf(reader: ByteReader): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let rest = "";
  let skipping = false;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    rest += decoder.decode(read.value, { stream: true });
    for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n")) {
      const line = rest.slice(0, at).replace(/\r$/, "");
      rest = rest.slice(at + 1);
      if (!skipping) yield line.length > MAX_CALL_BYTES ? null : line;
      skipping = false;
    }
    if (rest.length > MAX_CALL_BYTES) {
      if (!skipping) yield null;
      skipping = true;
      rest = "";
    }
  }
  if (!skipping && rest !== "") yield rest;
}
