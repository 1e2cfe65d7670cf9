/** Forwards requests that a worker does not answer to the process that owns the store. */
import { refusal } from "../../http/responses.ts";
import type { Runtime } from "../../runtime.ts";

/** The worker's peer. The owner trusts this header, because only workers can open its socket. */
const PEER_HEADER = "x-execcomp-peer";

/** Connection headers, and one that every listener sets. @see RFC 9110 section 7.6.1 */
const NOT_FORWARDED = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "date",
];

/** Returns a function that answers requests through a Unix socket. */
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
      return refusal(503, "The server is starting or stopping. Try again.", { "retry-after": "1" });
    }
  };
}

/** The worker's peer, for a forwarded request. */
export function peerBehind({ headers }: Request): string {
  return headers.get(PEER_HEADER) ?? "unknown";
}

function kept(headers: Headers): Headers {
  const copy = new Headers(headers);
  for (const name of NOT_FORWARDED) copy.delete(name);
  return copy;
}
