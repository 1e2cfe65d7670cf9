/**
 * One process compared with several on one port (`serve --processes`): CPU time per request of the process that owns
 * the store and of its workers. Needs Linux and wrk.
 *
 *     bun run build && bun run bench processes [--counts 2,4,8] [--pairs 5]
 *
 * Alternating bursts of one second over 64 connections on warm servers; medians, and the median of the ratios of their
 * total CPU.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { HISTORY, LATEST, withOneKey } from "./asked.ts";
import { type Burst, burn, cpuNanos, median } from "./burst.ts";
import { fillStore } from "./fill.ts";
import { childrenOf } from "./process.ts";
import { type Started, serve, warm } from "./servers.ts";

const EXECUTABLE = join(dirname(dirname(import.meta.dir)), "dist", "execcomp");
const CONNECTIONS = 64;
const KEYS = 1000;

const { values } = parseArgs({
  options: { counts: { type: "string", default: "2,4,8" }, pairs: { type: "string", default: "5" } },
});

const ROWS: Readonly<Record<string, (keys: readonly string[]) => Burst>> = {
  facts: () => ({ path: "/t/AAPL/facts" }),
  keyed: (keys) => withOneKey(LATEST, keys),
  charged: (keys) => withOneKey(HISTORY, keys),
};

/** The cost of a burst, in microseconds per request. */
interface Measured {
  owner: number;
  workers: number;
  perSecond: number;
}

async function main(): Promise<void> {
  if (process.platform !== "linux" || Bun.which("wrk") === null) throw new Error("needs Linux and wrk");
  const folder = mkdtempSync(join(tmpdir(), "execcomp-processes-"));
  const loadBefore = loadavg()[0] ?? Number.NaN;
  try {
    console.log("| Row | Processes | Owner, µs | Workers, µs | Of one process | A second |");
    console.log("|---|---|---|---|---|---|");
    for (const [name, ask] of Object.entries(ROWS)) await measureRow(name, ask, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const loads = [loadBefore, loadavg()[0] ?? Number.NaN].map((load) => load.toFixed(1));
  console.log(
    `${availableParallelism()} cores, wrk on them too; load average ${loads.join(" before, ")} after`,
  );
}

async function measureRow(
  name: string,
  ask: (keys: readonly string[]) => Burst,
  folder: string,
): Promise<void> {
  const counts = [1, ...values.counts.split(",").map(Number)];
  const sides: { server: Started; burst: Burst; measured: Measured[] }[] = [];
  try {
    for (const count of counts) {
      const dataDir = join(folder, `${name}-${count}`);
      mkdirSync(dataDir);
      const keys = fillStore(dataDir, KEYS, KEYS, 1);
      const server = await serve(EXECUTABLE, dataDir, { EXECCOMP_PROCESSES: String(count) });
      sides.push({ server, burst: ask(keys), measured: [] });
      await warm(server, ask(keys), folder);
    }
    for (let pair = 0; pair < Number(values.pairs); pair++)
      for (const { server, burst, measured } of sides) measured.push(await measure(server, burst, folder));
  } finally {
    for (const { server } of sides) await server.stop();
  }
  const whole = ({ owner, workers }: Measured) => owner + workers;
  for (const [at, { measured }] of sides.entries()) {
    const of = (member: keyof Measured, digits = 1) =>
      median(measured.map((one) => one[member])).toFixed(digits);
    const first = sides[0]?.measured ?? [];
    const ratio = median(measured.map((one, pair) => whole(one) / whole(first[pair] ?? one))).toFixed(2);
    console.log(
      `| ${[name, counts[at], of("owner"), of("workers"), `${ratio} ×`, of("perSecond", 0)].join(" | ")} |`,
    );
  }
}

async function measure(server: Started, burst: Burst, folder: string): Promise<Measured> {
  const workers = childrenOf(server.pid);
  const before = workers.map(cpuNanos);
  const { micros, requests, refused } = await burn(server, burst, CONNECTIONS, folder);
  if (refused > 0) throw new Error(`${refused} of ${burst.path} were not 2xx`);
  const nanos = workers.reduce((sum, pid, at) => sum + cpuNanos(pid) - (before[at] ?? 0), 0);
  return { owner: micros, workers: nanos / 1000 / requests, perSecond: requests };
}

await main();
