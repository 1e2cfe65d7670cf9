/** Bursts of requests by wrk, and the server's CPU time per request. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./types.ts";

/** The requests of a burst: always the same one, or with the next key of a list each time. */
export interface Burst {
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Requested in sequence, instead of `path`; all on one server. */
  paths?: readonly string[];
  /** Sent as `X-API-KEY`, in sequence; with `once` the burst ends after the last key, otherwise it starts over. */
  keys?: readonly string[];
  once?: boolean;
}

/** The result of a burst. */
export interface Burned {
  requests: number;
  /** CPU time (user and system) of all threads of the server, per request. */
  micros: number;
  /** Responses other than 2xx, and broken connections. A burst with any of them is invalid. */
  refused: number;
}

/** One burst. @param folder a scratch folder */
export async function burn(
  { origin, pid }: Target,
  burst: Burst,
  connections: number,
  folder: string,
): Promise<Burned> {
  const script = join(folder, "burst.lua");
  writeFileSync(script, luaOf(burst, folder));
  const before = cpuNanos(pid);
  const words = ["-t1", `-c${connections}`, "-d1s", "-s", script, `${origin}${burst.path}`];
  const said = await Bun.$`wrk ${words}`.quiet().text();
  const nanos = cpuNanos(pid) - before;
  const [, requests = "0"] = /(\d+) requests in/.exec(said) ?? [];
  const [, failed = "0"] = /Non-2xx or 3xx responses: (\d+)/.exec(said) ?? [];
  const [, broken = "0"] = /Socket errors: connect \d+, read (\d+)/.exec(said) ?? [];
  const asked = Number(requests);
  return { requests: asked, micros: nanos / 1000 / asked, refused: Number(failed) + Number(broken) };
}

function luaOf({ method, headers, body, paths, keys, once }: Burst, folder: string): string {
  const fixed = [
    `wrk.method = ${JSON.stringify(method ?? "GET")}`,
    ...Object.entries(headers ?? {}).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
  ];
  if (paths !== undefined) {
    const list = paths.map((path) => JSON.stringify(path)).join(", ");
    return [
      ...fixed,
      `local paths = { ${list} }`,
      "local at = 0",
      "function request()",
      "  at = at % #paths + 1",
      "  return wrk.format(nil, paths[at])",
      "end",
    ].join("\n");
  }
  if (keys === undefined) return fixed.join("\n");
  const list = join(folder, "burst-keys");
  writeFileSync(list, keys.join("\n"));
  return [
    ...fixed,
    "local keys = {}",
    `for line in io.lines(${JSON.stringify(list)}) do keys[#keys + 1] = line end`,
    "local at = 0",
    "function request()",
    "  at = at + 1",
    `  if at > #keys then ${once === true ? "wrk.thread:stop()" : ""} at = 1 end`,
    '  wrk.headers["X-API-KEY"] = keys[at]',
    "  return wrk.format()",
    "end",
  ].join("\n");
}

/** CPU time of all threads so far. @see proc(5), /proc/pid/task/tid/schedstat */
export function cpuNanos(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // A thread ended between the two reads.
    }
  }
  return sum;
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
