/**
 * The executable with its store in the data folder compared with one, two and three servers on one PostgreSQL that
 * count requests in one Redis or Valkey: CPU time per request of the servers, of PostgreSQL and of Redis, and requests
 * a second. Needs Linux, wrk, PostgreSQL 15 and Redis or Valkey 7.
 *
 *     bun run build && bun run bench stores [ROW…] [--pairs 7]
 *
 * Alternating bursts of one second, 64 connections in total however many servers share them; ratios are medians over
 * the rounds. Both stores have the same users and keys. PostgreSQL flushes each commit to disk.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasPostgres, startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { hasRedis, startRedis, type TestRedis } from "../../test/support/redis.ts";
import { fillStore, KEYS_A_USER } from "./fill.ts";
import {
  type Burst,
  burn,
  cpuNanos,
  EXECUTABLE,
  median,
  postgresNanos,
  serve,
  type Started,
} from "./harness.ts";

const LATEST = "/api/executive-compensation?ticker=AAPL&limit=1";
const HISTORY = "/api/executive-compensation?ticker=AAPL";
const CONNECTIONS = 64;
const USERS = 200;
const ENTRIES_A_USER = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: "string", default: "7" } },
});

/** The requests, by name. @param keys one of each user */
const ROWS: Readonly<Record<string, (keys: readonly string[]) => Burst>> = {
  facts: () => ({ path: "/t/AAPL/facts" }),
  keyed: ([key = ""]) => ({ path: LATEST, headers: { "x-api-key": key } }),
  charged: (keys) => ({ path: HISTORY, keys }),
  "charged-one-user": ([key = ""]) => ({ path: HISTORY, headers: { "x-api-key": key } }),
};

/** The result of a burst on all servers of a side. Times are microseconds per request. */
interface Measured {
  servers: number;
  postgres: number;
  redis: number;
  perSecond: number;
}

/** Servers that share a store, and the services behind them. */
interface Side {
  name: string;
  servers: readonly Started[];
}

/** CPU time so far of PostgreSQL with all its sessions, and of Redis. */
type Behind = Readonly<Record<"postgres" | "redis", () => number>>;

async function main(): Promise<void> {
  if (Bun.which("wrk") === null) throw new Error("needs wrk");
  if (!hasPostgres || !hasRedis) return;
  const folder = mkdtempSync(join(tmpdir(), "execcomp-stores-"));
  const dataDir = join(folder, "embedded");
  mkdirSync(dataDir);
  const all = await fillStore(dataDir, USERS * KEYS_A_USER, USERS * ENTRIES_A_USER, USERS * KEYS_A_USER);
  const keys = Array.from({ length: USERS }, (_, user) => all[user * KEYS_A_USER] ?? "");
  await using postgres = await startPostgres({ settings: { fsync: "on" } });
  await using redis = await startRedis();
  const shared = { EXECCOMP_STORE: postgres.url, EXECCOMP_WINDOWS: redis.url };
  await Bun.$`${EXECUTABLE} store copy --to ${postgres.url}`.env({ EXECCOMP_DATA_DIR: dataDir }).quiet();
  const servers: Started[] = [];
  try {
    servers.push(await serve(EXECUTABLE, dataDir));
    const sides: Side[] = [{ name: "embedded", servers: servers.slice() }];
    for (const count of [1, 2, 3]) {
      servers.push(await serve(EXECUTABLE, join(folder, String(count)), shared));
      const name = `PostgreSQL, ${count} server${count === 1 ? "" : "s"}`;
      sides.push({ name, servers: servers.slice(1) });
    }
    await measureAll(sides, await cpuBehind(postgres, redis), keys, folder);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cpuBehind(postgres: TestPostgres, redis: TestRedis): Promise<Behind> {
  const client = redis.connect();
  const about = String(await client.send("INFO", ["server"]));
  client.close();
  const redisPid = Number(/process_id:(\d+)/.exec(about)?.[1]);
  return {
    // Sessions of the servers' pools last longer than a burst; those that end during one are missed.
    postgres: () => postgresNanos(postgres),
    redis: () => cpuNanos(redisPid),
  };
}

async function measureAll(
  sides: readonly Side[],
  behind: Behind,
  keys: readonly string[],
  folder: string,
): Promise<void> {
  console.log(
    "| Row | Store | Servers, µs | PostgreSQL, µs | Redis, µs | CPU of the servers | A second | Requests |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const [name, ask] of Object.entries(ROWS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const bySide = await alternate(sides, behind, ask(keys), folder);
    const [base = []] = bySide;
    for (const [at, side] of sides.entries()) printLine(name, side.name, bySide[at] ?? [], base);
  }
  console.log(`${availableParallelism()} cores, wrk on them too`);
}

/** Alternating bursts on each side; the first of each is a warm-up. */
async function alternate(
  sides: readonly Side[],
  behind: Behind,
  burst: Burst,
  folder: string,
): Promise<Measured[][]> {
  const bySide: Measured[][] = sides.map(() => []);
  for (let round = 0; round <= Number(values.pairs); round += 1) {
    for (const [at, side] of sides.entries()) {
      const measured = await burnAll(side, behind, burst, folder);
      if (round > 0) bySide[at]?.push(measured);
    }
  }
  return bySide;
}

/** One burst on all servers of a side at once. */
async function burnAll(side: Side, behind: Behind, burst: Burst, folder: string): Promise<Measured> {
  const before = { postgres: behind.postgres(), redis: behind.redis() };
  const burned = await Promise.all(
    side.servers.map((server, at) => {
      const own = join(folder, `burst-${at}`);
      mkdirSync(own, { recursive: true });
      const connections = Math.floor((CONNECTIONS + at) / side.servers.length);
      return burn(server, burst, connections, own);
    }),
  );
  const refused = burned.reduce((sum, one) => sum + one.refused, 0);
  if (refused > 0) throw new Error(`${side.name}: ${refused} of ${burst.path} were not 2xx`);
  const requests = burned.reduce((sum, one) => sum + one.requests, 0);
  return {
    servers: burned.reduce((sum, one) => sum + one.micros * one.requests, 0) / requests,
    postgres: (behind.postgres() - before.postgres) / 1000 / requests,
    redis: (behind.redis() - before.redis) / 1000 / requests,
    // Bursts are one second long.
    perSecond: requests,
  };
}

function printLine(row: string, side: string, ours: readonly Measured[], base: readonly Measured[]): void {
  const of = (member: keyof Measured) => median(ours.map((one) => one[member]));
  const ratio = (member: keyof Measured) =>
    median(ours.map((one, round) => one[member] / (base[round]?.[member] ?? Number.NaN))).toFixed(2);
  const micros = (["servers", "postgres", "redis"] as const).map((member) => of(member).toFixed(1));
  const cells = [`${ratio("servers")} ×`, of("perSecond").toFixed(0), `${ratio("perSecond")} ×`];
  console.log(`| ${[row, side, ...micros, ...cells].join(" | ")} |`);
}

await main();
