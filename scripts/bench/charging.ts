import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sqliteCredits } from "../../src/accounts/credits.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { realRuntime } from "../../src/runtime.ts";
import { openStore } from "../../src/store/open.ts";
import { fillStore } from "./fill.ts";
import { readyOrigin } from "./starting.ts";
import type { Bench, BenchGiven, Load, Target } from "./types.ts";

const SHOT = { path: "/api/executive-compensation?ticker=AAPL" };
const ROUNDS = 4;
const KEYS = 100_000;
const ENTRIES = 1_000_000;

/** The cost of a durable charge for a historical query with a key, and the effect of a large store on it. */
export const bench: Bench = {
  name: "charging",
  async run(given) {
    const plain = await startServer(given, "plain", {}, 1, 2);
    const free = await startServer(given, "free", { EXECCOMP_UNMETERED: "true" }, 1, 2);
    const large = await startServer(given, "large", {}, KEYS, ENTRIES);
    const bare = await startBare(given, plain);
    const runs = { bare: [] as Load[], plain: [] as Load[], free: [] as Load[], large: [] as Load[] };
    const targets = { bare: { ...bare, key: plain.key }, plain, free, large };
    const names = ["bare", "free", "plain", "large"] as const;
    for (let round = -1; round < ROUNDS; round++) {
      for (const name of names) {
        const one = await given.load(targets[name], { ...SHOT, headers: { "x-api-key": targets[name].key } });
        if (round >= 0) runs[name].push(one);
      }
    }
    for (const { child } of [plain, free, large, bare]) {
      child.kill();
      await child.exited;
    }
    tell(given, "charged, against bare", runs.plain, runs.bare);
    tell(given, "charged, against not charged", runs.plain, runs.free);
    tell(given, `charged, ${KEYS} keys and ${ENTRIES} entries`, runs.large, runs.plain);
    await checks(given);
  },
};

/** The in-process cost of looking up a key that is not in memory, and of a charge. */
async function checks({ folder, say }: BenchGiven): Promise<void> {
  const sizes = { small: { keys: 1000, entries: 10_000 }, large: { keys: KEYS, entries: ENTRIES } };
  const cost = { small: { find: Infinity, charge: Infinity }, large: { find: Infinity, charge: Infinity } };
  const runtime = realRuntime();
  const opened = (["small", "large"] as const).map((name) => {
    const dataDir = join(folder, `checks-${name}`);
    const secrets = fillStore(dataDir, sizes[name].keys, sizes[name].entries);
    const store = openStore({ dataDir, runtime });
    return { name, store, secrets };
  });
  for (let round = 0; round < 8; round++) {
    for (const { name, store, secrets } of opened) {
      const keys = new Keys(store, runtime);
      const credits = sqliteCredits(store, runtime);
      const began = performance.now();
      const holders = await Promise.all(secrets.map((secret) => keys.find(secret, "127.0.0.1")));
      const found = performance.now();
      await Promise.all(
        holders.slice(0, 64).map((holder, at) =>
          credits.charge({
            userId: holder?.userId ?? "",
            costCredits: 1,
            operation: "bench",
            ticker: null,
            requestId: String(at),
          }),
        ),
      );
      const charged = performance.now();
      cost[name].find = Math.min(cost[name].find, ((found - began) / secrets.length) * 1000);
      cost[name].charge = Math.min(cost[name].charge, ((charged - found) / 64) * 1000);
    }
  }
  for (const { store } of opened) store.close();
  const { small, large } = cost;
  say(
    "look-up of a key not in memory",
    `${(large.find / small.find).toFixed(2)} of a small store; ${large.find.toFixed(1)} us`,
  );
  say(
    "charge, 64 users in one commit",
    `${(large.charge / small.charge).toFixed(2)} of a small store; ${large.charge.toFixed(1)} us`,
  );
}

async function startServer(
  { executable, folder }: BenchGiven,
  name: string,
  env: Record<string, string>,
  keys: number,
  entries: number,
): Promise<Target & { key: string; child: Bun.Subprocess }> {
  const dataDir = join(folder, `charging-${name}`);
  mkdirSync(dataDir);
  const [key = ""] = fillStore(dataDir, keys, entries);
  const wide = { EXECCOMP_RATE_KEY: "100000000", EXECCOMP_DATA_DIR: dataDir };
  const child = Bun.spawn([executable, "serve", "--port", "0"], {
    cwd: folder,
    env: { ...wide, ...env },
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  return { origin: await readyOrigin(child.stdout), pid: child.pid, key, child };
}

async function startBare({ folder }: BenchGiven, like: Target & { key: string }) {
  const answer = await fetch(like.origin + SHOT.path, { headers: { "x-api-key": like.key } });
  if (!answer.ok) throw new Error(`${SHOT.path} answered ${answer.status}: ${await answer.text()}`);
  const file = join(folder, "charging-body");
  await Bun.write(file, await answer.bytes());
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "bare.ts"), file, like.key], {
    stdout: "pipe",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return { origin: new TextDecoder().decode(value).trim(), pid: child.pid, child };
}

function tell({ say }: BenchGiven, name: string, ours: readonly Load[], theirs: readonly Load[]): void {
  const best = (loads: readonly Load[]) =>
    Math.max(...loads.map(({ requestsPerSecond }) => requestsPerSecond));
  const least = (loads: readonly Load[]) =>
    Math.min(...loads.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest));
  const refused = ours.reduce((sum, one) => sum + one.refused, 0);
  const cpu = `CPU ${least(ours).toFixed(1)} against ${least(theirs).toFixed(1)} us a request`;
  const rates = `${best(ours).toFixed(0)} against ${best(theirs).toFixed(0)} a second`;
  say(
    name,
    `${(best(ours) / best(theirs)).toFixed(2)}; ${cpu}; ${rates}${refused === 0 ? "" : `; ${refused} NOT 2xx`}`,
  );
}
