import { readdirSync, readFileSync } from "node:fs";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import type { ServerProcess } from "../support/server-process.ts";

/** Several processes share a port on Linux only. */
export const isLinux = process.platform === "linux";
if (!isLinux) console.log("skipped: several processes share a port on Linux only");

/** A request on a new connection, so that any of the processes may get it. */
export const ask = (server: ServerProcess, path: string, init: BunFetchRequestInit = {}) =>
  fetch(server.origin + path, { ...init, keepalive: false, redirect: "manual" });
/** A request that costs a credit. */
export const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** Runs a command on the data folder of a running server. */
export const run = (server: ServerProcess, ...words: string[]) =>
  cli(...words, { environment: { EXECCOMP_DATA_DIR: server.dataDir }, runtime: realRuntime() });
/** Creates a key for a user. */
export async function createKey(server: ServerProcess, user: string) {
  const { out } = await run(server, "keys", "create", "--user", user, "--json");
  return JSON.parse(out) as { key: string; id: string };
}

/** The running workers of a server. It sometimes has other children: one records what a dataset changed. */
export function workersOf(pid: number): number[] {
  const isChild = (stat: string) => Number(stat.replace(/^.*\) /s, "").split(" ")[1]) === pid;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const isWorker = readFileSync(`/proc/${name}/cmdline`, "utf8").includes("serve-worker");
        return isWorker && isChild(stat) && !/\) Z /.test(stat);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The text of a scrape. */
export const metricsOf = async (server: ServerProcess) =>
  (await fetch(`http://${String(server.events("metrics")[0]?.["address"])}/metrics`)).text();
/** The value of a series of a scrape. */
export const valueOf = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );
