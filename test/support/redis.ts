import { RedisClient } from "bun";
import { type BackgroundServer, serverFolder, startBackgroundServer } from "./background-server.ts";

const PROGRAM = Bun.which("valkey-server") ?? Bun.which("redis-server");

/** Whether a Valkey or Redis can be started here; prints the reason if not. */
export const hasRedis = PROGRAM !== null;
if (!hasRedis)
  console.log("skipped: neither valkey-server nor redis-server is installed (apt-get install redis-server)");

/** A Valkey or Redis for a test: in memory only, empty at every start. */
export interface TestRedis extends BackgroundServer {
  /** For `--windows`, with the password if it has one. */
  url: string;
  /** A connection for the test itself, closed when the test process ends. */
  connect(): RedisClient;
}

/**
 * Starts one on a free port.
 * @param password required from clients; default none
 * @param isCluster whether it is a server of a cluster, which so far has no slots
 */
export async function startRedis(password = "", isCluster = false): Promise<TestRedis> {
  if (PROGRAM === null) throw new Error("no redis-server: ask `hasRedis` first");
  const folder = serverFolder("redis");
  const urlAt = (port: number) => `redis://${password === "" ? "" : `:${password}@`}127.0.0.1:${port}`;
  const server = await startBackgroundServer({
    command: (port) => {
      const guarded = password === "" ? [] : ["--requirepass", password];
      const inMemory = ["--save", "", "--appendonly", "no", "--dir", folder];
      return [
        PROGRAM,
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        ...inMemory,
        ...guarded,
        ...(isCluster ? clustered(port) : []),
      ];
    },
    isReady: (port) => answers(urlAt(port)),
    stopSignal: "SIGTERM",
    killSignal: "SIGKILL",
  });
  const url = urlAt(server.port);
  return Object.assign(server, { url, connect: () => new RedisClient(url) });
}

/** The port between servers of a cluster. */
export function clusterPort(port: number): number {
  return port < 50_000 ? port + 10_000 : port - 10_000;
}

function clustered(port: number): string[] {
  const file = ["--cluster-config-file", `nodes-${port}.conf`];
  return ["--cluster-enabled", "yes", "--cluster-port", String(clusterPort(port)), ...file];
}

async function answers(url: string): Promise<boolean> {
  const client = new RedisClient(url, { autoReconnect: false, connectionTimeout: 1000 });
  try {
    return (await client.send("PING", [])) === "PONG";
  } catch {
    return false;
  } finally {
    client.close();
  }
}
