/**
 * Compares two builds: CPU time per request of all threads; the ratio is the median over the pairs. Needs Linux and
 * wrk.
 *
 *     bun run build && bun run bench versions BEFORE [ROW…] [--pairs 7] [--executable FILE] [--folder DIR]
 *
 * BEFORE is an executable, or a commit, which is first built in a separate worktree. Warm servers get alternating
 * bursts of one second, in reversed order each time. Both have a copy of one store in DIR: in memory (`/dev/shm`)
 * flushes of other processes do not interfere.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { HISTORY, keyOfEach, LATEST, withOneKey } from "./asked.ts";
import { type Burst, median } from "./burst.ts";
import { fillStore } from "./fill.ts";
import { alternate, serve, type Started } from "./servers.ts";

const ROOT = dirname(dirname(import.meta.dir));
const KEYS = 20_000;
const ENTRIES = 200_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "7" },
    executable: { type: "string", default: join(ROOT, "dist", "execcomp") },
    folder: { type: "string", default: tmpdir() },
  },
});

/** The requests, and over how many connections. @param keys of all users, those of each user next to each other */
interface Row {
  connections: number;
  ask(keys: readonly string[]): Burst;
}

const ROWS: Readonly<Record<string, Row>> = {
  facts: { connections: 64, ask: () => ({ path: "/t/AAPL/facts" }) },
  keyed: { connections: 64, ask: (keys) => withOneKey(LATEST, keys) },
  "keys-10000": { connections: 64, ask: (keys) => ({ path: LATEST, keys: keys.slice(0, 10_000) }) },
  charged: { connections: 64, ask: (keys) => withOneKey(HISTORY, keys) },
  "charged-16": { connections: 16, ask: (keys) => withOneKey(HISTORY, keys) },
  "charged-one-connection": { connections: 1, ask: (keys) => withOneKey(HISTORY, keys) },
  "charged-1000-users": {
    connections: 64,
    ask: (keys) => ({ path: HISTORY, keys: keyOfEach(keys, 1000) }),
  },
};

/** Builds a commit. @returns its executable, and a function that removes its worktree */
async function built(commit: string, folder: string) {
  const tree = join(folder, "before");
  await Bun.$`git worktree add --detach ${tree} ${commit}`.cwd(ROOT).quiet();
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  await Bun.$`${process.execPath} scripts/build.ts`.cwd(tree).quiet();
  const remove = () => Bun.$`git worktree remove --force ${tree}`.cwd(ROOT).quiet();
  return { executable: join(tree, "dist", "execcomp"), remove };
}

async function main(): Promise<void> {
  const [before, ...rows] = positionals;
  if (before === undefined || Bun.which("wrk") === null)
    throw new Error("needs a build to compare with, and wrk");
  const folder = mkdtempSync(join(values.folder, "execcomp-versions-"));
  const other = existsSync(before)
    ? { executable: before, remove: async () => {} }
    : await built(before, folder);
  const filled = join(folder, "filled");
  mkdirSync(filled);
  const keys = fillStore(filled, KEYS, ENTRIES, KEYS);
  const servers: Started[] = [];
  try {
    for (const [at, executable] of [other.executable, values.executable].entries()) {
      const dataDir = join(folder, String(at));
      cpSync(filled, dataDir, { recursive: true });
      servers.push(await serve(executable, dataDir));
    }
    console.log("| Row | Before, µs | Now, µs | Now to before | Least of each |\n|---|---|---|---|---|");
    for (const [name, { connections, ask }] of Object.entries(ROWS)) {
      if (rows.length > 0 && !rows.includes(name)) continue;
      const sides = servers.map((target) => ({ target, ask: () => ask(keys) }));
      const { micros, refused } = await alternate(sides, connections, Number(values.pairs), folder);
      const [then = [], now = []] = micros;
      const ratio = median(now.map((each, pair) => each / (then[pair] ?? Number.NaN)));
      const least = (Math.min(...now) / Math.min(...then)).toFixed(2);
      const cells = [name, median(then).toFixed(1), median(now).toFixed(1), ratio.toFixed(2), least];
      console.log(`| ${cells.join(" | ")} |${refused === 0 ? "" : ` ${refused} NOT 2xx`}`);
    }
  } finally {
    for (const server of servers) await server.stop();
    await other.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
