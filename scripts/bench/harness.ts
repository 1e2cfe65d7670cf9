/**
 * What all benches share: servers in processes of their own, alternating bursts by wrk, CPU time and memory. Everything here needs
 * Linux; bursts need wrk.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The executable that `bun run build` makes. */
export const EXECUTABLE = join(dirname(dirname(import.meta.dir)), "dist", "execcomp");

/** A server under load. */
export interface Target {
  origin: string;
  pid: number;
}

/** One of our processes, and a function that stops it. */
export interface Started extends Target {
  stop(): Promise<void>;
}

/** Starts a process that prints `ready ORIGIN`, as the executable does. @param env all of its environment */
export async function started(words: readonly string[], env: Record<string, string>): Promise<Started> {
  const child = Bun.spawn([...words], { env, stdout: "pipe", stderr: "ignore" });
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { origin: await readyOrigin(child.stdout), pid: child.pid, stop };
}

/** The origin in the line `ready http://…` of a server's standard output. */
export async function readyOrigin(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    const origin = /^ready (\S+)$/m.exec(text)?.[1];
    if (origin !== undefined) return origin;
  }
  throw new Error(`the server ended without a ready line; it said: ${text}`);
}

/** Settings with limits that are never reached: the benches measure answering, not refusing. */
export const NO_LIMITS = {
  EXECCOMP_RATE_ANONYMOUS: "100000000",
  EXECCOMP_RATE_KEY: "100000000",
};

/**
 * A data folder with a large snapshot installed and a key without limits: the settings to start servers with, and the
 * key.
 */
export async function installLarge(
  executable: string,
  folder: string,
  snapshot: string,
): Promise<{ env: Record<string, string>; key: string }> {
  const env = { ...NO_LIMITS, EXECCOMP_DATA_DIR: folder, EXECCOMP_UNMETERED: "true" };
  await Bun.$`${executable} data install ${snapshot} --trust`.env(env).quiet();
  return { env, key: await createKey(executable, env) };
}

/** Makes a key. @param env the settings of its data folder */
export async function createKey(executable: string, env: Record<string, string>): Promise<string> {
  const answer = await Bun.$`${executable} keys create --user bench@example.com --json`
    .env(env)
    .quiet()
    .json();
  return String(answer.key);
}

/** A server with its own store. */
export function serve(
  executable: string,
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const env = { ...NO_LIMITS, EXECCOMP_DATA_DIR: dataDir, ...more };
  return started([executable, "serve", "--port", "0"], env);
}

/** A bare `Bun.serve` that answers as ours does, behind a look-up of the hashed key in a Map: the same bytes under one header. */
export async function bare(server: Target, burst: Burst, folder: string): Promise<Started> {
  const key = burst.keys?.[0] ?? burst.headers?.["x-api-key"] ?? "";
  const answer = await fetch(server.origin + burst.path, {
    method: burst.method ?? "GET",
    headers: { ...burst.headers, ...(burst.keys === undefined ? {} : { "x-api-key": key }) },
    ...(burst.body === undefined ? {} : { body: burst.body }),
  });
  if (!answer.ok) throw new Error(`${burst.path} answered ${answer.status}: ${await answer.text()}`);
  const [secrets, file] = [join(folder, "bare-keys"), join(folder, "bare-body")];
  writeFileSync(secrets, (burst.keys ?? [key]).join("\n"));
  writeFileSync(file, await answer.bytes());
  return started([process.execPath, join(import.meta.dir, "bare.ts"), file, secrets], {});
}

/** The requests of a burst: always the same one, or with the next key of a list each time. */
export interface Burst {
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
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
  const before = [cpuNanos(pid), cpuSeconds(pid)] as const;
  const words = ["-t1", `-c${connections}`, "-d1s", "-s", script, `${origin}${burst.path}`];
  const output = await Bun.$`wrk ${words}`.quiet().text();
  // What a thread that ended had used is only in the process's own sum, which counts in hundredths of a second.
  const live = cpuNanos(pid) - before[0];
  const whole = (cpuSeconds(pid) - before[1]) * 1e9;
  const nanos = live < whole - 5e7 ? whole : live;
  const [, requests = "0"] = /(\d+) requests in/.exec(output) ?? [];
  const [, failed = "0"] = /Non-2xx or 3xx responses: (\d+)/.exec(output) ?? [];
  const [, broken = "0"] = /Socket errors: connect \d+, read (\d+)/.exec(output) ?? [];
  const sent = Number(requests);
  return { requests: sent, micros: nanos / 1000 / sent, refused: Number(failed) + Number(broken) };
}

function luaOf({ method, headers, body, keys, once }: Burst, folder: string): string {
  const fixed = [
    `wrk.method = ${JSON.stringify(method ?? "GET")}`,
    ...Object.entries(headers ?? {}).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
  ];
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

/** Warm-up requests: with only one second of warm-up, compilation was a quarter of the cost of a charge. */
const WARM_REQUESTS = 20_000;

/** Sends requests over 64 connections until the server has compiled its hot code. */
async function warm(target: Target, burst: Burst, folder: string, requests = WARM_REQUESTS): Promise<void> {
  // A slow peer would not reach them in minutes; twenty seconds are warm for it, too.
  for (let done = 0, bursts = 0; done < requests && bursts < 20; bursts += 1)
    done += (await burn(target, burst, 64, folder)).requests;
}

/**
 * Alternating bursts on warm servers; the first of each is not counted, and the order is reversed after each round.
 * @returns the micros of each side
 */
export async function alternate(
  sides: readonly { target: Target; ask(round: number): Burst }[],
  connections: number,
  pairs: number,
  folder: string,
) {
  const micros: number[][] = sides.map(() => []);
  let refused = 0;
  for (const { target, ask } of sides) if (ask(0).once !== true) await warm(target, ask(0), folder);
  const inOrder = [...sides.entries()];
  for (let round = 0; round <= pairs; round++) {
    for (const [at, { target, ask }] of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const burned = await burn(target, ask(round), connections, folder);
      if (round > 0) micros[at]?.push(burned.micros);
      refused += burned.refused;
    }
  }
  return { micros, refused };
}

/** CPU seconds so far, of children that have ended too. @see proc(5), /proc/pid/stat, in ticks of 10 ms */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Memory of a process in MB (2^20 bytes): all of its resident pages, including those of mapped files, and the private ones that belong
 * to it alone and to no file. @see proc(5), /proc/pid/smaps_rollup
 */
export function memoryOf(pid: number) {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1024;
  return { resident: mb("Rss"), private: mb("Anonymous") };
}

/**
 * CPU time of the answering thread so far, in milliseconds. Between two points without other requests it is the time
 * during which no caller could have been answered, whatever else the machine does.
 */
export function mainThreadMs(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0]) / 1e6;
}

function read(path: string): string {
  return process.platform === "linux" ? readFileSync(path, "utf8") : "";
}
