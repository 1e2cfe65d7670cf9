/**
 * The start of the process up to its first answer compared with a bare `Bun.serve` built the same way, alternating, with an empty and
 * with a used data folder; memory at idle; stalls of the answering thread on an idle server.
 *
 *     bun run build && bun run bench start [--executable FILE]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuNanos, EXECUTABLE, figure, mainThreadMs, median, memoryOf, readyOrigin, say } from "./harness.ts";

const { values } = parseArgs({ options: { executable: { type: "string", default: EXECUTABLE } } });
const { executable } = values;

const RUNS = 9;

async function main(folder: string): Promise<void> {
  const used = join(folder, "used");
  mkdirSync(used);
  await Bun.$`${executable} users create --user owner@example.com --password-stdin < ${Buffer.from("correct horse battery")}`
    .env({ EXECCOMP_DATA_DIR: used })
    .quiet();
  await start([executable], used);
  const bare = await buildBare(folder);
  const beside: Started[] = [];
  const later: Started[] = [];
  const first: Started[] = [];
  for (let run = 0; run < RUNS; run++) {
    const empty = join(folder, `empty-${run}`);
    mkdirSync(empty);
    beside.push(await start([bare], empty));
    later.push(await start([executable], used));
    first.push(await start([executable], empty));
  }
  const cpuOf = (runs: readonly Started[]) => median(runs.map(({ cpuMs }) => cpuMs));
  const [bareCpu, cpuMs] = [cpuOf(beside), cpuOf(later)];
  const sets = { "bare Bun.serve": beside, "empty data folder": first, "used data folder": later };
  for (const [name, runs] of Object.entries(sets)) {
    const cpu = cpuOf(runs);
    const wall = runs.map(({ firstAnswerMs }) => firstAnswerMs);
    say(
      `first answer, ${name}`,
      `CPU ${cpu.toFixed(0)} ms, ${(cpu / bareCpu).toFixed(1)} of bare; wall median ${median(wall).toFixed(0)}, best ${Math.min(...wall).toFixed(0)} ms`,
    );
  }
  const wallMs = median(later.map(({ firstAnswerMs }) => firstAnswerMs));
  figure("start", wallMs, `${cpuMs.toFixed(0)} ms of CPU, ${(cpuMs / bareCpu).toFixed(1)} × the bare server`);
  const resident = median(later.map(({ memory }) => memory.resident));
  const own = median(later.map(({ memory }) => memory.private));
  figure("idle", resident, `${own.toFixed(1)} MB private`);
  say("memory at idle", `${resident.toFixed(1)} MB resident, ${own.toFixed(1)} private`);
  const tidying = median(later.map(({ settlingMs }) => settlingMs));
  const stall = median(later.map(({ stallMs }) => stallMs));
  figure("stall", stall, `${tidying.toFixed(1)} ms in total over a second and a half`);
  say("its longest stall", `${stall.toFixed(1)} ms`);
  say("answering thread busy after the start", `${tidying.toFixed(1)} ms in all, without requests`);
  const listing = median(later.map(({ listMs }) => listMs));
  figure("first tools/list", listing);
  say("answering thread, first tools/list", `${listing.toFixed(1)} ms`);
}

interface Started {
  firstAnswerMs: number;
  /** Of all threads, until the first answer. */
  cpuMs: number;
  memory: ReturnType<typeof memoryOf>;
  /** CPU time of the answering thread in the second and a half after the first answer. */
  settlingMs: number;
  /** The longest stretch that it may have been busy. */
  stallMs: number;
  /** CPU time of the answering thread for the first `tools/list`. */
  listMs: number;
}

/** A server that does nothing, as an executable: the cost of any start. */
async function buildBare(folder: string): Promise<string> {
  const source = join(folder, "bare.ts");
  const out = join(folder, "bare");
  const lines = [
    'const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("{}") });',
    "console.log(`ready ${server.url.origin}`);",
  ];
  writeFileSync(source, lines.join("\n"));
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--compile-jit-policy=10"];
  await Bun.$`${process.execPath} build ${flags} ${source} --outfile ${out}`.quiet();
  return out;
}

async function start(program: readonly string[], dataDir: string): Promise<Started> {
  const began = performance.now();
  const child = Bun.spawn([...program, "serve", "--port", "0", "--data-dir", dataDir], {
    cwd: dataDir,
    env: {},
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    const origin = await readyOrigin(child.stdout);
    const answer = await fetch(`${origin}/t/AAPL/facts`);
    await answer.bytes();
    const firstAnswerMs = performance.now() - began;
    const cpuMs = cpuNanos(child.pid) / 1e6;
    if (answer.status !== 200) throw new Error(`first answer was ${answer.status}`);
    const answered = mainThreadMs(child.pid);
    const stallMs = await longestStall(child.pid, 1500);
    const memory = memoryOf(child.pid);
    const settled = mainThreadMs(child.pid);
    const list = await fetch(`${origin}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    await list.bytes();
    const listMs = mainThreadMs(child.pid) - settled;
    return { firstAnswerMs, cpuMs, memory, settlingMs: settled - answered, stallMs, listMs };
  } finally {
    child.kill();
    await child.exited;
  }
}

/** How often the answering thread is sampled. */
const LOOK_MS = 2;

/** The longest stretch that the answering thread was busy, or may have been if this process sampled late. */
async function longestStall(pid: number, forMs: number): Promise<number> {
  let [longest, run] = [0, 0];
  let [busyMs, atMs] = [mainThreadMs(pid), performance.now()];
  for (const endMs = atMs + forMs; atMs < endMs;) {
    await Bun.sleep(LOOK_MS);
    const [nowBusyMs, nowMs] = [mainThreadMs(pid), performance.now()];
    const added = nowBusyMs - busyMs;
    // Idle for half of the time between two samples: earlier work has ended.
    run = added > (nowMs - atMs) / 2 ? run + added : added;
    longest = Math.max(longest, run);
    [busyMs, atMs] = [nowBusyMs, nowMs];
  }
  return longest;
}

const folder = mkdtempSync(join(tmpdir(), "execcomp-start-"));
try {
  await main(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
