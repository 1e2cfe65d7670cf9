/**
 * A load generator for machines without wrk: `bun scripts/bench/load.ts ORIGIN SECONDS CONNECTIONS SHOT-AS-JSON` keeps
 * every connection busy with one request at a time over raw sockets and prints `{"requests","seconds","refused"}`.
 */
import type { Shot } from "./types.ts";

interface Counted {
  requests: number;
  seconds: number;
  refused: number;
}

/** The bytes of one HTTP/1.1 request. */
function requestBytes(origin: URL, shot: Shot): Uint8Array {
  const body = shot.body ?? "";
  const headers = {
    host: origin.host,
    ...shot.headers,
    ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${shot.method ?? "GET"} ${shot.path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Counts complete responses in a byte stream: a head, then as many bytes as its Content-Length says. */
class AnswerCounter {
  #pending: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;

  /** @returns the statuses of the responses that ended within these bytes */
  take(chunk: Uint8Array): number[] {
    const ended: number[] = [];
    let bytes = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    while (bytes.length > 0) {
      if (this.#bodyLeft > 0) {
        const taken = Math.min(this.#bodyLeft, bytes.length);
        this.#bodyLeft -= taken;
        bytes = bytes.subarray(taken);
        if (this.#bodyLeft === 0) ended.push(this.#status);
        continue;
      }
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) break;
      const head = bytes.subarray(0, end).toString("latin1");
      this.#status = Number(head.slice(9, 12));
      this.#bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      bytes = bytes.subarray(end + 4);
      if (this.#bodyLeft === 0) ended.push(this.#status);
    }
    this.#pending = bytes;
    return ended;
  }
  #status = 0;
}

async function fire(origin: URL, seconds: number, connections: number, shot: Shot): Promise<Counted> {
  const bytes = requestBytes(origin, shot);
  const counted: Counted = { requests: 0, seconds, refused: 0 };
  let over = false;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const counter = new AnswerCounter();
      void Bun.connect({
        hostname: origin.hostname,
        port: Number(origin.port),
        socket: {
          open: (socket) => void socket.write(bytes),
          data(socket, chunk) {
            for (const status of counter.take(chunk)) {
              counted.requests += 1;
              if (status < 200 || status > 299) counted.refused += 1;
              if (over) socket.end();
              else socket.write(bytes);
            }
          },
          close: () => resolve(),
          error: (_socket, error) => reject(error),
          connectError: (_socket, error) => reject(error),
        },
      });
    });
  const began = performance.now();
  setTimeout(() => {
    over = true;
    counted.seconds = (performance.now() - began) / 1000;
  }, seconds * 1000);
  await Promise.all(Array.from({ length: connections }, one));
  return counted;
}

if (import.meta.main) {
  const [origin = "", seconds = "2", connections = "32", shot = "{}"] = process.argv.slice(2);
  // The one caller, scripts/bench.ts, passes a Shot.
  const parsed = JSON.parse(shot) as Shot;
  console.log(JSON.stringify(await fire(new URL(origin), Number(seconds), Number(connections), parsed)));
}
