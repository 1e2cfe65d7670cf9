/** A keep-alive connection that carries one request after another, as bytes. */
import type { Socket } from "bun";

/** The response. */
export interface WireAnswer {
  /** 0 if the server did not answer, or closed the connection. */
  status: number;
  /** Bytes of head and body. */
  bytes: number;
  /** The first bytes, for a report. */
  begin: string;
}

/** Sends requests over one connection; opens a new one if the last was closed. */
export class Wire {
  private socket: Socket | undefined;
  private waiting: ((answer: WireAnswer) => void) | undefined;
  private received = 0;
  private head = "";
  private bodyBytes: number | "chunked" | "unknown" = "unknown";
  private headBytes = 0;
  private method = "";

  constructor(private readonly port: number) {}

  /** One request. @param patienceMs time limit for the response to begin */
  async send(text: string, patienceMs: number): Promise<WireAnswer> {
    this.socket ??= await this.open();
    [this.received, this.head, this.bodyBytes, this.headBytes] = [0, "", "unknown", 0];
    this.method = text.slice(0, text.indexOf(" "));
    const { promise, resolve } = Promise.withResolvers<WireAnswer>();
    this.waiting = resolve;
    this.write(Buffer.from(text, "latin1"));
    const timer = setTimeout(() => this.close(), patienceMs);
    const answer = await promise;
    clearTimeout(timer);
    return answer;
  }

  /** Closes it; the next request opens another. */
  close(): void {
    this.socket?.terminate();
    this.socket = undefined;
    this.settle();
  }

  private write(bytes: Uint8Array): void {
    const written = this.socket?.write(bytes) ?? bytes.length;
    // The rest is sent when the socket drains.
    this.rest = written < bytes.length ? bytes.subarray(Math.max(0, written)) : undefined;
  }
  private rest: Uint8Array | undefined;

  private open(): Promise<Socket> {
    const over = (socket: Socket) => {
      // A previous connection does not affect the current request.
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.settle();
    };
    return Bun.connect({
      hostname: "127.0.0.1",
      port: this.port,
      socket: {
        data: (socket, bytes) => (this.socket === socket ? this.read(bytes) : undefined),
        drain: () => this.rest && this.write(this.rest),
        close: over,
        end: over,
        error: over,
      },
    });
  }

  private read(bytes: Buffer): void {
    this.received += bytes.length;
    if (this.bodyBytes === "unknown") {
      this.head += bytes.toString("latin1");
      const end = this.head.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.headBytes = end + 4;
      this.bodyBytes = bodyBytesOf(this.head.slice(0, end), this.method);
    }
    const isWhole =
      this.bodyBytes === "chunked"
        ? bytes.subarray(-5).toString("latin1") === "0\r\n\r\n"
        : this.received >= this.headBytes + Number(this.bodyBytes);
    if (isWhole) this.settle();
  }

  private settle(): void {
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(this.head)?.[1] ?? 0);
    if (/^connection: close/im.test(this.head)) this.socket = undefined;
    this.waiting?.({ status, bytes: this.received, begin: this.head.slice(0, 600) });
    this.waiting = undefined;
  }
}

function bodyBytesOf(head: string, method: string): number | "chunked" {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  if (method === "HEAD" || status === 204 || status === 304) return 0;
  if (/^transfer-encoding: chunked/im.test(head)) return "chunked";
  return Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
}
