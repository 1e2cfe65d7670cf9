/**
 * Measures the built executable. A benchmark, not a test: nothing here passes or fails.
 *
 *     bun run bench all [--write]
 *     bun run build && bun run bench [NAME…] [--seconds 2] [--rounds 3]
 *     bun run bench requests|budget|versions|peers|disk|ingest|dataset|analysis|filters|beside|stores|gathered|processes [FLAGS]
 *
 * Every comparison is a ratio of alternating runs on the same machine, the best of several rounds, shown with the CPU
 * time per request: absolute figures say more about the machine. Benches are the files of `scripts/bench/`; those in
 * `PROGRAMS` are separate programs whose header comments list their flags.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { NO_LIMITS } from "./bench/servers.ts";
import { readyOrigin } from "./bench/starting.ts";
import type { Bench, BenchGiven, Load, Shot, Target } from "./bench/types.ts";
import { runSubcommand } from "./subcommand.ts";

const ROOT = dirname(import.meta.dir);
const CONNECTIONS = 64;

/** Benches that need no server. */
const PROGRAMS = {
  all: "every figure of the table in docs/performance.md, running the benches in sequence",
  peers: "Datasette, PocketBase and Fastify with the same rows, installed outside the repository",
  requests: "CPU per request for every kind of caller, compared with a bare server",
  budget: "cost of each part of an answer, in microseconds that add up",
  versions: "a build compared with an earlier one, or with another commit",
  mix: "latency at 70% of a core, alone, during an ingest and during a swap",
  disk: "the effect of a disk with slow flushes on callers",
  ingest: "a year's proxies, fetched from a local EDGAR and read into a snapshot",
  dataset: "half a million rows compared with the embedded dataset",
  large: "cold companies, coverage and memory of the executable on half a million rows",
  analysis: "queries across companies over half a million rows, compared with DuckDB",
  gathered: "charges on PostgreSQL compared with a bare Bun.sql loop that writes the same rows (--rounds 5)",
  stores: "the store in the data folder compared with one to three servers on PostgreSQL and Redis",
  processes: "one process compared with several on one port: CPU of the store's owner and of its workers",
  beside: "one company's answers while another caller sends expensive requests",
  filters: "every filter of a query combined with every sort over half a million rows",
};
/** Files of `scripts/bench/` that export no `Bench`. */
const HELPERS = [
  "types",
  "load",
  "asked",
  "bare",
  "bare-store",
  "profile",
  "burst",
  "open-loop",
  "servers",
  "fill",
  "figures",
  "large-budget",
  "table",
  "process",
  "questions",
  ...Object.keys(PROGRAMS),
];

const argv = process.argv.slice(2);
if (Object.hasOwn(PROGRAMS, argv[0] ?? "") || argv.includes("--help"))
  process.exit(await runSubcommand("bench", PROGRAMS, argv));
const { values, positionals } = parseArgs({
  args: argv,
  allowPositionals: true,
  options: { seconds: { type: "string", default: "2" }, rounds: { type: "string", default: "3" } },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const wrk = Bun.which("wrk");

function say(name: string, figure: string): void {
  console.log(`  ${name.padEnd(44)} ${figure}`);
}

async function load(target: Target, shot: Shot, seconds = SECONDS): Promise<Load> {
  const before = cpuMicros(target.pid);
  const {
    requests,
    seconds: took,
    refused,
  } = await (wrk === null ? builtIn : withWrk)(target, shot, seconds);
  const cpu = cpuMicros(target.pid) - before;
  return { requestsPerSecond: requests / took, cpuMicrosPerRequest: cpu / requests, refused };
}

async function withWrk({ origin }: Target, shot: Shot, seconds: number) {
  const script = join(tmpdir(), `execcomp-wrk-${process.pid}.lua`);
  writeFileSync(script, luaOf(shot));
  const words = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script, `${origin}${shot.path}`];
  const said = await Bun.$`wrk ${words}`.quiet().text();
  const [, requests = "0", took = "1"] = /(\d+) requests in ([\d.]+)s/.exec(said) ?? [];
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? 0);
  return { requests: Number(requests), seconds: Number(took), refused };
}

function luaOf({ method, headers, body }: Shot): string {
  return [
    `wrk.method = ${JSON.stringify(method ?? "GET")}`,
    ...Object.entries(headers ?? {}).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
  ].join("\n");
}

async function builtIn({ origin }: Target, shot: Shot, seconds: number) {
  const words = [origin, String(seconds), String(CONNECTIONS), JSON.stringify(shot)];
  const script = join(import.meta.dir, "bench", "load.ts");
  // load.ts prints exactly this object.
  return (await Bun.$`${process.execPath} ${script} ${words}`.json()) as {
    requests: number;
    seconds: number;
    refused: number;
  };
}

/** CPU time (user and system) of a process so far. @see proc(5), /proc/pid/stat fields 14 and 15, in ticks of 10 ms */
function cpuMicros(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Alternates between the executable and a bare server that returns the same bytes. */
function comparing(server: Target, key: string, folder: string): BenchGiven["compare"] {
  return async (name, shot) => {
    const first = await fetch(server.origin + shot.path, {
      method: shot.method ?? "GET",
      headers: { ...shot.headers },
      ...(shot.body === undefined ? {} : { body: shot.body }),
    });
    if (!first.ok) throw new Error(`${name}: ${shot.path} answered ${first.status}: ${await first.text()}`);
    const file = join(folder, "body");
    writeFileSync(file, await first.bytes());
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "bench", "bare.ts"), file, key], {
      stdout: "pipe",
      stderr: "inherit",
    });
    try {
      const bare = { origin: (await firstLine(child.stdout)).trim(), pid: child.pid };
      await Promise.all([load(server, shot, 1), load(bare, shot, 1)]);
      const ours: Load[] = [];
      const theirs: Load[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        theirs.push(await load(bare, shot));
        ours.push(await load(server, shot));
      }
      sayRatio(name, ours, theirs);
    } finally {
      child.kill();
      await child.exited;
    }
  };
}

function sayRatio(name: string, ours: readonly Load[], theirs: readonly Load[]): void {
  const best = (loads: readonly Load[]) =>
    Math.max(...loads.map(({ requestsPerSecond }) => requestsPerSecond));
  const least = (loads: readonly Load[]) =>
    Math.min(...loads.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest));
  const refused = ours.reduce((sum, one) => sum + one.refused, 0);
  const ratio = (best(ours) / best(theirs)).toFixed(2);
  const cpu = `CPU ${least(ours).toFixed(1)} against ${least(theirs).toFixed(1)} us a request`;
  const rates = `${best(ours).toFixed(0)} against ${best(theirs).toFixed(0)} a second`;
  say(name, `${ratio} of bare; ${cpu}; ${rates}${refused === 0 ? "" : `; ${refused} NOT 2xx`}`);
}

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) break;
  }
  return text;
}

async function benches(): Promise<Bench[]> {
  const files = [...new Bun.Glob("*.ts").scanSync(join(import.meta.dir, "bench"))].sort();
  const names = files.map((file) => basename(file, ".ts")).filter((name) => !HELPERS.includes(name));
  const wanted = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  // Every file of scripts/bench/ except the helpers exports a Bench, see types.ts.
  return Promise.all(
    wanted.map(async (name) => ((await import(`./bench/${name}.ts`)) as { bench: Bench }).bench),
  );
}

async function main(): Promise<void> {
  const executable = join(ROOT, "dist", process.platform === "win32" ? "execcomp.exe" : "execcomp");
  if (!existsSync(executable)) throw new Error(`${executable} is missing: bun run build`);
  const folder = mkdtempSync(join(tmpdir(), "execcomp-bench-"));
  const dataDir = join(folder, "data");
  const env = { ...NO_LIMITS, EXECCOMP_UNMETERED: "true", EXECCOMP_DATA_DIR: dataDir };
  const made = await Bun.$`${executable} keys create --user bench@example.com --json`.env(env).json();
  const key = String(made.key);
  const child = Bun.spawn([executable, "serve", "--port", "0"], {
    cwd: folder,
    env,
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  try {
    const server = { origin: await readyOrigin(child.stdout), pid: child.pid };
    console.log(
      `load: ${wrk === null ? "built-in generator" : "wrk"}, ${CONNECTIONS} connections, best of ${ROUNDS}`,
    );
    const compare = comparing(server, key, folder);
    for (const bench of await benches()) {
      console.log(bench.name);
      await bench.run({ server, key, executable, folder, load, compare, say });
    }
  } finally {
    child.kill();
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
