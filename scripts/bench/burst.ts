/** Bursts of requests by wrk, and the CPU time that a server took for each request of one. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./types.ts";

/** What a burst asks: one request, or one that takes the next key of a list each time. */
export interface Burst {
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Asked for one after the other, in the place of `path`; all of one server. */
  paths?: readonly string[];
  /** Sent as `X-API-KEY`, one after the other; the burst ends with the last where `once`, else it begins again. */
  keys?: readonly string[];
  once?: boolean;
}

/** What a burst gave. */
export interface Burned {
  requests: number;
  /** CPU time of all threads of the server, user and system, for each request. */
  micros: number;
  /** Answers that were not 2xx, and connections that broke. A burst with any proves nothing. */
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

/** Time on a core so far, of all threads. @see proc(5), /proc/pid/task/tid/schedstat */
export function cpuNanos(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // A thread that ended between the two reads.
    }
  }
  return sum;
}

/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
