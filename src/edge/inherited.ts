/**
 * A listening socket that a service manager opened before this process and keeps over its restarts. `Bun.serve` takes
 * no file descriptor: connections are relayed to a listener of our own on loopback, and the address of the client is
 * kept by the port that the relay connects from. @see sd_listen_fds(3)
 */
import { readFileSync, readlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { OperatorError } from "../errors.ts";
import { SOCKET_PEER } from "../http.ts";

/** A socket that was handed over, listening. */
export interface InheritedSocket {
  /** The address that it is bound to; empty for a Unix socket. */
  host: string;
  /** Zero for a Unix socket. */
  port: number;
  /** Path of a Unix socket; empty for a port. */
  path: string;
  /** Hands connections to a listener on loopback from now on; those made before have waited. */
  relayTo(port: number): void;
  /** The client behind a connection that the relay made from a port; undefined for one that it did not make. */
  clientOf(port: number): string | undefined;
  /**
   * Takes no more connections: new ones wait in the kernel for the next process. Resolves when those that were taken
   * have been answered what they asked until now, and after `graceMs` in any case.
   */
  close(graceMs: number): Promise<void>;
  /** Connections that are relayed now. */
  readonly size: number;
}

/** Said in the place of a path that cannot be found. */
const UNNAMED = "inherited";
const LOOPBACK = "127.0.0.1";
/** A connection that was taken at the last moment sends its request within so many looks. */
const LOOKS = 15;
const LOOK_MS = 20;
/** How long a client may take nothing of what is there for it: as long as `Bun.serve` waits. */
const STALLED_MS = 10_000;

/** Takes a socket over. @throws OperatorError when the descriptor is no listening socket */
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
      `Cannot use the socket that the service manager hands over (descriptor ${fd}): ${String(cause)}. It must be a stream socket that listens (ListenStream= in the .socket unit).`,
    );
  }
  const bound = server.address();
  // The runtime knows no path of a socket that it did not bind: it says neither port nor path of a Unix socket.
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
      for (let looks = 0; looks * LOOK_MS < graceMs; looks += 1) {
        if (looks >= LOOKS && relayed.waiting.size === 0) return;
        await Bun.sleep(LOOK_MS);
      }
    },
  };
}

/** Where a Unix socket is bound, as the kernel lists it. @see proc(5), /proc/net/unix */
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
  /** By the port that the relay connects from. */
  clients: Map<number, string>;
  /** Those that have sent something and not been answered since. */
  waiting: Set<Socket>;
  stalledMs: number;
}

/** Connects a client with our listener, byte for byte, with the kernel's and the streams' back-pressure. */
async function relay(client: Socket, target: Promise<number>, relayed: Relayed): Promise<void> {
  const { clients, waiting, stalledMs } = relayed;
  client.on("error", () => client.destroy());
  const port = await target;
  if (client.destroyed) return;
  const inner = connect({ host: LOOPBACK, port });
  let from: number | undefined;
  let written = 0;
  // Our listener gives up on a client who never reads, and the relay, which waits for that client, would not hear of it.
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
    // Before its first byte: whoever answers can look it up.
    clients.set(from, client.remoteAddress ?? SOCKET_PEER);
    client.setNoDelay();
    inner.setNoDelay();
    client.on("data", () => waiting.add(client));
    inner.on("data", () => waiting.delete(client));
    client.pipe(inner);
    inner.pipe(client);
  });
}
