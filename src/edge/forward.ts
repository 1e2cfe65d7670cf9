/** A worker hands on what it does not answer itself to the process that owns the store. */
import { refusal } from "../http.ts";
import type { Runtime } from "../runtime.ts";

/** Who connected to the worker. The owner believes it: nobody else can open its socket. */
const PEER_HEADER = "x-execcomp-peer";

/** Headers of one connection, and one that every listener adds itself. @see RFC 9110 section 7.6.1 */
const NOT_HANDED_ON = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "date",
];

/** Answers a request by whoever listens on a Unix socket. */
export function createForward(
  fetcher: Runtime["fetch"],
  socket: string,
): (request: Request, peer: string) => Promise<Response> {
  return async (request, peer) => {
    const headers = kept(request.headers);
    headers.set(PEER_HEADER, peer);
    const target = request.url.replace(/^https?:\/\/[^/]*/i, "http://owner");
    try {
      const answer = await fetcher(target, {
        method: request.method,
        headers,
        body: request.body,
        redirect: "manual",
        decompress: false,
        unix: socket,
        signal: request.signal,
      });
      return new Response(answer.body, { status: answer.status, headers: kept(answer.headers) });
    } catch {
      return refusal(503, "The server is starting or ending. Try again.", { "retry-after": "1" });
    }
  };
}

/** Who connected to the worker that handed a request on. */
export function peerBehind({ headers }: Request): string {
  return headers.get(PEER_HEADER) ?? "unknown";
}

function kept(headers: Headers): Headers {
  const copy = new Headers(headers);
  for (const name of NOT_HANDED_ON) copy.delete(name);
  return copy;
}
