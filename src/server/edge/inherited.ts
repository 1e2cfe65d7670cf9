/**
 * A listening socket that a service manager opened before this process and keeps across restarts. `Bun.serve` does not
 * accept file descriptors, so connections are relayed to our own listener on loopback; the relay's source port
 * identifies the client. @see sd_listen_fds(3)
 */
import { readFileSync, readlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { OperatorError } from "../../errors.ts";
import { SOCKET_PEER } from "../../http/responses.ts";

/** A listening socket that was passed to this process. */
export interface InheritedSocket {
  /** The bound address; empty for a Unix socket. */
  host: string;
  /** 0 for a Unix socket. */
  port: number;
  /** Path of a Unix socket; empty for a TCP port. */
  path: string;
  /** Starts relaying connections to a loopback listener, including those already waiting. */
  relayTo(port: number): void;
  /** The client of a relayed connection, by the relay's source port; undefined if it is not one. */
  clientOf(port: number): string | undefined;
  /**
   * Stops accepting connections; new ones wait in the kernel for the next process. Resolves once the requests already
   * received have been answered, or after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
  /** Number of relayed connections. */
  readonly size: number;
}

/** Placeholder for a path that cannot be found. */
const UNNAMED = "inherited";
const LOOPBACK = "127.0.0.1";
/** A connection accepted just before closing is given this many polls to send its request. */
const MAX_POLLS = 15;
const POLL_MS = 20;
/** How long a client may not read any pending data: the same as in `Bun.serve`. */
const STALLED_MS = 10_000;

/** Takes over a socket. @throws OperatorError if the descriptor is not a listening socket */
export async function openInherited(
  fd: number,
  { stalledMs = STALLED_MS }: { stalledMs?: number } = {},
): Promise<InheritedSocket> {
  const relayed: Relayed = { clients: new Map(), waiting: new Set(), stalledMs };
  const target = Promise.withResolvers<number>();
  const server = createServer({ pauseOnConnect: true });
  const listening = Promise.withResolvers<void>();
  server.once("error", (error) => listening.reject(error));
  server.on("connection", (client) => void relay(client, target.promise, relayed));
  server.listen({ fd }, () => listening.resolve());
  try {
    await listening.promise;
  } catch (cause) {
    throw new OperatorError(
      `Cannot use the socket that the service manager passed (descriptor ${fd}): ${String(cause)}. It must be a listening stream socket (ListenStream= in the .socket unit).`,
    );
  }
  const bound = server.address();
  // The runtime does not know the path of a socket it did not bind: for a Unix socket it reports neither port nor path.
  const address = typeof bound === "object" && bound?.port !== undefined ? bound : null;
  return {
    host: address?.address ?? "",
    port: address?.port ?? 0,
    path: address === null ? unixPathOf(fd) : "",
    relayTo: (port) => target.resolve(port),
    clientOf: (port) => relayed.clients.get(port),
    get size() {
      return relayed.clients.size;
    },
    async close(graceMs) {
      server.close();
      for (let polls = 0; polls * POLL_MS < graceMs; polls += 1) {
        if (polls >= MAX_POLLS && relayed.waiting.size === 0) return;
        await Bun.sleep(POLL_MS);
      }
    },
  };
}

/** The path of a Unix socket, as listed by the kernel. @see proc(5), /proc/net/unix */
function unixPathOf(fd: number): string {
  try {
    const inode = /\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0];
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
    const fields = lines.map((line) => line.split(/\s+/)).find((line) => line[6] === inode);
    return fields?.[7] ?? UNNAMED;
  } catch {
    return UNNAMED;
  }
}

/** The connections of a relay. */
interface Relayed {
  /** Client addresses by the relay's source port. */
  clients: Map<number, string>;
  /** Clients with a request that has not been answered. */
  waiting: Set<Socket>;
  stalledMs: number;
}

/** Relays a client to our listener, with back-pressure in both directions. */
async function relay(client: Socket, target: Promise<number>, relayed: Relayed): Promise<void> {
  const { clients, waiting, stalledMs } = relayed;
  client.on("error", () => client.destroy());
  const port = await target;
  if (client.destroyed) return;
  const inner = connect({ host: LOOPBACK, port });
  let from: number | undefined;
  let written = 0;
  // Our listener gives up on clients that never read, but the relay would not notice: it is waiting for that client.
  const watch = setInterval(() => {
    if (client.writableLength > 0 && client.bytesWritten === written) end();
    written = client.bytesWritten;
  }, stalledMs);
  const end = () => {
    clearInterval(watch);
    if (from !== undefined) clients.delete(from);
    waiting.delete(client);
    client.destroy();
    inner.destroy();
  };
  inner.on("error", end);
  inner.on("close", () => client.end(end));
  client.on("close", end);
  inner.on("connect", () => {
    from = inner.localPort;
    if (from === undefined || client.destroyed) return end();
    // Before the first byte, so that the listener can look it up.
    clients.set(from, client.remoteAddress ?? SOCKET_PEER);
    client.setNoDelay();
    inner.setNoDelay();
    client.on("data", () => waiting.add(client));
    inner.on("data", () => waiting.delete(client));
    client.pipe(inner);
    inner.pipe(client);
  });
}
