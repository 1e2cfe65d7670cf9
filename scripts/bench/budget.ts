/**
 * The cost of each part of an answer, in CPU time of all threads: the bare server, then each necessary step of our
 * answers, then the executable without its log line, split by the samples of its profiler, and its log line. The parts
 * of a row add up to its total. Needs Linux and wrk.
 *
 *     bun run build && bun run bench budget [ROW…] [--pairs 9] [--warm 20000] [--folder DIR] [--executable FILE] [--file FILE]
 *
 * Bursts of one second alternate between all servers, which are warm. Time of the compiler's threads is excluded: it
 * ends, on a busy machine late. A figure is the median of a server's ratios to the bare server in the same turn, times
 * the bare server's undisturbed cost (its lower quartile), because other load affects all of a turn alike. Stores are
 * in DIR: in memory (`/dev/shm`) a flush costs only its thread. With `--file`, a snapshot from `bench dataset --keep`,
 * it also measures a cold company and memory (`large.ts`).
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { HISTORY, keyOfEach, LATEST, withOneKey } from "./asked.ts";
import { LADDER, type LadderStep, MESSAGE_STEPS } from "./bare.ts";
import { STORE_STEPS } from "./bare-store.ts";
import { type Burst, burn, median } from "./burst.ts";
import { fillStore } from "./fill.ts";
import { toolCall } from "./mcp.ts";
import { sharesOf } from "./profile.ts";
import { bare, serve, type Started, warm, WARM_REQUESTS } from "./servers.ts";

const KEYS = 100_000;
const ENTRIES = 200_000;
/** Keys used up by one burst of first uses. */
const FIRST_USES = 4000;
/** Bursts sampled by the profiler. */
const SAMPLED_BURSTS = 6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "9" },
    folder: { type: "string", default: tmpdir() },
    file: { type: "string" },
    warm: { type: "string", default: String(WARM_REQUESTS) },
    executable: {
      type: "string",
      default: join(dirname(dirname(import.meta.dir)), "dist", "execcomp"),
    },
  },
});

const ABOUT: Readonly<Record<"one" | "ours" | LadderStep, string>> = {
  one: "bare server: one header, address parsed",
  ours: "with all our headers",
  cloned: "cached response cloned, address not parsed",
  set: "two headers set per response: id, window",
  read: "nine request headers read",
  address: "peer address read",
  body: "request body read",
  joined: "bytes joined after the id, response built from them",
  waits: "answered after a few turns of batching; two headers of the charge",
  flushed: "three pages written, and flushed by another thread",
  stored: "SQLite's statements of a charge, and its log instead of the three pages",
  found: "key, user and balance looked up in SQLite",
  noted: "last use written with a commit every half second",
};
const COLLECTOR = "garbage collector threads, beyond the bare server's";

/** One line of budgets. */
interface Row {
  connections: number;
  steps: readonly ("one" | "ours" | LadderStep)[];
  ask(keys: readonly string[], round: number): Burst;
}

const plain = ["one", "ours", ...LADDER] as const;
const message = [...plain, ...MESSAGE_STEPS] as const;
const charged = ["one", "ours", "address", ...STORE_STEPS.charged] as const;

const ROWS: Readonly<Record<string, Row>> = {
  facts: { connections: 64, steps: plain, ask: () => ({ path: "/t/AAPL/facts" }) },
  keyed: { connections: 64, steps: plain, ask: (keys) => withOneKey(LATEST, keys) },
  charged: { connections: 64, steps: charged, ask: (keys) => withOneKey(HISTORY, keys) },
  "charged-one-connection": { connections: 1, steps: charged, ask: (keys) => withOneKey(HISTORY, keys) },
  "charged-1000-users": {
    connections: 64,
    steps: charged,
    ask: (keys) => ({ path: HISTORY, keys: keyOfEach(keys, 1000) }),
  },
  "keys-10000": {
    connections: 64,
    steps: plain,
    ask: (keys) => ({ path: LATEST, keys: keys.slice(0, 10_000) }),
  },
  mcp: { connections: 64, steps: message, ask: () => toolCall("legacy", { limit: 1 }, {}) },
  "mcp-modern": { connections: 64, steps: message, ask: () => toolCall("modern", { limit: 1 }, {}) },
  "first-use": {
    connections: 64,
    steps: [...plain, ...STORE_STEPS.found],
    // From the end: no other row uses those.
    ask: (keys, round) => ({
      path: LATEST,
      keys: keys.slice(KEYS - (round + 1) * FIRST_USES, KEYS - round * FIRST_USES),
      once: true,
    }),
  },
};

/** A server that a row compares. */
interface Side {
  about: string;
  target: Started;
}

/** CPU per request: of all threads except the compiler's, and of the garbage collector's threads. */
interface Cost {
  micros: number;
  collector: number;
}

async function budget(
  name: string,
  row: Row,
  folder: string,
  filled: string,
  keys: readonly string[],
): Promise<void> {
  const scratch = mkdtempSync(join(folder, "row-"));
  const storeOf = (side: string) => {
    cpSync(filled, join(scratch, side), { recursive: true });
    return join(scratch, side);
  };
  const quiet = await serve(values.executable, storeOf("quiet"), { EXECCOMP_LOG_LEVEL: "warn" });
  const whole = await serve(values.executable, storeOf("whole"));
  const sides: Side[] = [];
  const asked = row.ask(keys, 0);
  // Every key that any round uses.
  const like = asked.once === true ? { path: asked.path, keys } : asked;
  for (const step of row.steps) {
    const dataDir = needsStore(step) ? storeOf(step) : "";
    sides.push({ about: ABOUT[step], target: await bare(whole, like, scratch, step, dataDir) });
  }
  sides.push({ about: "quiet", target: quiet }, { about: "log line", target: whole });
  try {
    const costs = await alternate(sides, (round) => row.ask(keys, round), row.connections, keys, scratch);
    const ask = (round: number) => row.ask(keys, round);
    const shares = await sharesOf(storeOf("sampled"), ask, row.connections, SAMPLED_BURSTS, scratch);
    tell(name, sides, costs, shares);
  } finally {
    for (const { target } of sides) await target.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function needsStore(step: Row["steps"][number]): boolean {
  return Object.values(STORE_STEPS).some((steps: readonly string[]) => steps.includes(step));
}

function tell(
  name: string,
  sides: readonly Side[],
  costs: readonly Cost[],
  shares: ReadonlyMap<string, number>,
): void {
  const lines: [part: string, added: number][] = [];
  let sum = 0;
  const add = (part: string, added: number) => {
    lines.push([part, added]);
    sum += added;
  };
  const [bareSides, [quiet, whole]] = [costs.slice(0, -2), costs.slice(-2)];
  if (quiet === undefined || whole === undefined) return;
  for (const [at, { micros }] of bareSides.entries()) add(sides[at]?.about ?? "", micros - sum);
  add(COLLECTOR, quiet.collector - (bareSides.at(-1)?.collector ?? 0));
  const ours = quiet.micros - sum;
  for (const [part, share] of [...shares].sort(([, a], [, b]) => b - a)) add(part, ours * share);
  add("log line", whole.micros - quiet.micros);
  for (const [part, added] of lines) console.log(`| ${name} | ${part} | ${added.toFixed(1)} |`);
  const ofBare = ((costs[0]?.micros ?? Number.NaN) / whole.micros).toFixed(2);
  console.log(
    `| ${name} | **total**; sum of the parts ${sum.toFixed(1)} | **${whole.micros.toFixed(1)}**, ${ofBare} of bare |`,
  );
}

/** Alternating bursts on warm servers. */
async function alternate(
  sides: readonly Side[],
  ask: (round: number) => Burst,
  connections: number,
  keys: readonly string[],
  folder: string,
): Promise<Cost[]> {
  const first = ask(0).once === true ? withOneKey(LATEST, keys) : ask(0);
  for (const { target } of sides) await warm(target, first, folder, Number(values.warm));
  const all: Cost[][] = sides.map(() => []);
  let refused = 0;
  for (let round = 0; round <= Number(values.pairs); round += 1) {
    for (const [at, { target }] of sides.entries()) {
      const before = threadNanos(target.pid);
      const burned = await burn(target, ask(round), connections, folder);
      const after = threadNanos(target.pid);
      const each = (of: keyof typeof after) => (after[of] - before[of]) / 1000 / burned.requests;
      refused += burned.refused;
      if (round > 0)
        all[at]?.push({ micros: burned.micros - each("compiler"), collector: each("collector") });
    }
  }
  if (refused > 0) console.log(`${refused} NOT 2xx`);
  const [base = []] = all;
  const undisturbed =
    base.map(({ micros }) => micros).sort((a, b) => a - b)[Math.floor(base.length / 4)] ?? Number.NaN;
  const ratio = (costs: readonly Cost[], of: keyof Cost) =>
    median(costs.map((cost, round) => cost[of] / (base[round]?.micros ?? Number.NaN)));
  return all.map((costs) => ({
    micros: undisturbed * ratio(costs, "micros"),
    collector: undisturbed * ratio(costs, "collector"),
  }));
}

/** Threads by their Bun names. */
const THREADS = { collector: /^(HeapHelper|mi-scavenger)/, compiler: /^(JITWorker|JSCWarmUp)/ };

function threadNanos(pid: number): Record<keyof typeof THREADS, number> {
  const sums = { collector: 0, compiler: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const folder = `/proc/${pid}/task/${thread}`;
      const name = readFileSync(`${folder}/comm`, "utf8");
      const nanos = Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]);
      if (THREADS.collector.test(name)) sums.collector += nanos;
      if (THREADS.compiler.test(name)) sums.compiler += nanos;
    } catch {
      // A thread ended between the two reads.
    }
  }
  return sums;
}

async function main(): Promise<void> {
  if (Bun.which("wrk") === null) throw new Error("needs wrk");
  const folder = mkdtempSync(join(values.folder, "execcomp-budget-"));
  const filled = join(folder, "filled");
  mkdirSync(filled);
  const keys = fillStore(filled, KEYS, ENTRIES, KEYS);
  try {
    console.log("| Row | Part | µs |\n|---|---|---|");
    for (const [name, row] of Object.entries(ROWS)) {
      if (positionals.length === 0 || positionals.includes(name))
        await budget(name, row, folder, filled, keys);
    }
    if (values.file === undefined) return;
    const large = join(import.meta.dir, "large.ts");
    const flags = ["--file", values.file, "--executable", values.executable];
    await Bun.$`${process.execPath} ${large} budget ${flags}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
