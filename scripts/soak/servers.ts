/**
 * Three servers on one PostgreSQL under charged requests, and SIGKILL at random moments to one of them, to PostgreSQL,
 * to Redis, or to a primary whose synchronous standby is promoted:
 *
 *     bun run soak servers [--rounds 20] [--seed 1] [--control]
 *
 * The first half of the rounds counts windows in PostgreSQL, the second in Redis. After every round the ledger must
 * equal the answers. `--control` deletes one entry of an answered charge after each round, which the check must find.
 */
import { SQL } from "bun";
import { parseArgs } from "node:util";
import { ServiceError } from "../../src/errors.ts";
import { realRuntime } from "../../src/runtime.ts";
import { PostgresStore } from "../../src/cluster/store.ts";
import { freePort } from "../../test/support/background-server.ts";
import { type PostgresPair, startPostgresPair } from "../../test/support/postgres-pair.ts";
import { hasPostgres } from "../../test/support/postgres.ts";
import { hasRedis, startRedis, type TestRedis } from "../../test/support/redis.ts";
import { type SeededRandom, seededRandom } from "../../test/support/seeded-random.ts";
import { EndedError, type ServerProcess, startServerProcess } from "../../test/support/server-process.ts";
import { until } from "../../test/support/until.ts";
import { PAGE_SETTINGS } from "./round.ts";
import { checkLedger, type LoadedUser, makeUsers, putLoad } from "./servers-load.ts";

/** What is killed: a server, PostgreSQL that is restarted, a primary for good, Redis. */
export type Victim = "server" | "database" | "primary" | "redis";

/** The order of kills, repeated; Redis only while it counts. */
const TURNS: Readonly<Record<"postgres" | "redis", readonly Victim[]>> = {
  postgres: ["server", "primary", "database"],
  redis: ["redis", "database", "server", "primary"],
};
const SERVERS = 3;
/** Answers of each server before a kill, and after it. */
const ENOUGH = 15;

/** The result of all rounds. */
export interface ServersRun {
  kills: Record<Victim, number>;
  answered: number;
  /** In the ledger, although the answer was cut off by a kill. */
  cutOff: number;
  /** Refused for lack of credits, and because the store was unavailable. */
  noCredits: number;
  unavailable: number;
  /** All violations, by round. */
  wrong: string[];
  /** Entries that the control deleted, and how many of them the check found. */
  forgotten: number;
  noticed: number;
}

/** The settings of a run. */
export interface ServersOptions {
  rounds: number;
  seed: number;
  control?: boolean;
  /** Called after each round. */
  onRound?: (line: string) => void;
}

/** Why it cannot be run here; null if it can. */
export function missingForServers(): string | null {
  if (!hasPostgres) return "PostgreSQL not installed";
  return hasRedis ? null : "neither Redis nor Valkey installed";
}

/** Starts everything, kills the given number of times, and stops everything. */
export async function runServers(options: ServersOptions): Promise<ServersRun> {
  const random = seededRandom(options.seed);
  await using pair = await startPostgresPair();
  await using redis = await startRedis();
  const store = new PostgresStore({ url: pair.url, runtime: realRuntime() });
  const none = { answered: 0, cutOff: 0, noCredits: 0, unavailable: 0, forgotten: 0, noticed: 0 };
  const run: ServersRun = { kills: { server: 0, database: 0, primary: 0, redis: 0 }, ...none, wrong: [] };
  const users: LoadedUser[] = [];
  const half = Math.ceil(options.rounds / 2);
  for (const windows of ["postgres", "redis"] as const) {
    const start = (like?: ServerProcess) =>
      startServer(pair.url, windows === "redis" ? redis.url : null, like);
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => start()));
    const rounds = windows === "postgres" ? half : options.rounds - half;
    for (let n = 0; n < rounds; n += 1) {
      const victim = TURNS[windows][n % TURNS[windows].length] ?? "server";
      const now = await madeUsers(store, random);
      users.push(...now);
      await killUnderLoad({ servers, pair, redis, start, victim, random }, now);
      run.kills[victim] += 1;
      const check = () => checkLedger(pair.url, store, users);
      await checkRound(run, check, now, victim);
      if (options.control) await tryControl(run, check, now, pair.url);
      options.onRound?.(
        `round ${Object.values(run.kills).reduce((sum, times) => sum + times)}, ${victim}: ${run.answered} answered, ${run.wrong.length} wrong`,
      );
    }
    await Promise.all(servers.map((server) => server.stop()));
  }
  await store.close();
  return run;
}

/** @param like a stopped one, whose port and data it takes over; default a new one */
async function startServer(
  store: string,
  windows: string | null,
  like?: ServerProcess,
): Promise<ServerProcess> {
  const environment = {
    ...PAGE_SETTINGS,
    EXECCOMP_STORE: store,
    ...(windows === null ? {} : { EXECCOMP_WINDOWS: windows }),
  };
  const data = like === undefined ? {} : { dataDir: like.dataDir };
  for (let tries = 1; ; tries += 1) {
    const port = like === undefined ? String(freePort()) : new URL(like.origin).port;
    try {
      return await startServerProcess(["--rate-key", "1000000", "--port", port], { environment, ...data });
    } catch (error) {
      // Between two servers the system may give the port to another connection.
      if (!(error instanceof EndedError) || !error.output.includes("is in use") || tries === 60) throw error;
      await Bun.sleep(1000);
    }
  }
}

interface Kill {
  servers: ServerProcess[];
  pair: PostgresPair;
  redis: TestRedis;
  /** Restarts a stopped one. */
  start: (like: ServerProcess) => Promise<ServerProcess>;
  victim: Victim;
  random: SeededRandom;
}

/** Load before, during and after one kill. */
async function killUnderLoad(kill: Kill, users: readonly LoadedUser[]): Promise<void> {
  const { servers, random } = kill;
  const load = putLoad(servers, users);
  const answeredByAll = (counts: readonly number[]) =>
    until("every server answers charges", () =>
      load.answered.every((count, at) => count >= (counts[at] ?? 0) + ENOUGH),
    );
  await answeredByAll([]);
  if (kill.victim === "primary") await kill.pair.addStandby();
  await Bun.sleep(random.whole(0, 500));
  await carryOut(kill);
  await answeredByAll([...load.answered]);
  await load.end();
}

async function carryOut({ servers, pair, redis, start, victim, random }: Kill): Promise<void> {
  if (victim === "database") return pair.crash();
  if (victim === "primary") return pair.failOver();
  if (victim === "redis") {
    await redis.kill();
    await Bun.sleep(random.whole(0, 500));
    return redis.start();
  }
  const at = random.whole(0, SERVERS - 1);
  const killed = servers[at];
  if (killed === undefined) throw new Error("no such server");
  await killed.stop("SIGKILL");
  servers[at] = await start(killed);
}

type LedgerChecker = () => ReturnType<typeof checkLedger>;

/** Users, as soon as the store accepts them: after a kill it refuses for a while. */
async function madeUsers(store: PostgresStore, random: SeededRandom): Promise<LoadedUser[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await makeUsers(store, random);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== "unavailable" || tries === 60) throw error;
      await Bun.sleep(1000);
    }
  }
}

/**
 * Adds the results of the round; users of earlier rounds are checked again, because a promoted standby might lack them.
 * @param now the users of this round
 */
async function checkRound(run: ServersRun, check: LedgerChecker, now: readonly LoadedUser[], victim: Victim) {
  for (const status of now.flatMap(({ answers }) => [...answers.values()])) {
    if (status === 200) run.answered += 1;
    else if (status === 402) run.noCredits += 1;
    else if (status === 503) run.unavailable += 1;
    else run.wrong.push(`an answer was ${status}`);
  }
  const broken = now.reduce((sum, user) => sum + user.broken, 0);
  if (victim !== "server" && broken > 0)
    run.wrong.push(`${broken} requests were cut off by servers that kept running`);
  // A refused charge that is there is reversed by its server's next transaction.
  let { cutOff, wrong } = await check();
  for (let tries = 0; tries < 100 && wrong.length > 0; tries += 1) {
    await Bun.sleep(100);
    ({ cutOff, wrong } = await check());
  }
  run.cutOff = cutOff;
  // Violations of an earlier round are reported once.
  run.wrong.push(...wrong.filter((line) => !run.wrong.includes(line)));
}

/** Deletes an entry of an answered charge, which the check must find, and puts it back. */
async function tryControl(run: ServersRun, check: LedgerChecker, now: readonly LoadedUser[], url: string) {
  const [forgotten] = [...(now[1]?.answers ?? [])].find(([, status]) => status === 200) ?? [];
  await using sql = new SQL(url, { max: 1 });
  // The ledger's own triggers forbid deleting an entry.
  await sql`SET session_replication_role = replica`;
  await sql`CREATE TEMPORARY TABLE kept AS SELECT * FROM ledger WHERE request_id = ${forgotten}`;
  await sql`DELETE FROM ledger WHERE request_id = ${forgotten}`;
  const without = await check();
  await sql`INSERT INTO ledger SELECT * FROM kept`;
  run.forgotten += 1;
  if (without.wrong.some((line) => line.startsWith(`request ${forgotten} `))) run.noticed += 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "20" },
      seed: { type: "string", default: "1" },
      control: { type: "boolean", default: false },
    },
  });
  const missing = missingForServers();
  if (missing !== null) {
    console.log(`skipped: ${missing}`);
    return 0;
  }
  const { control } = values;
  const rounds = Number(values.rounds);
  const run = await runServers({ rounds, seed: Number(values.seed), control, onRound: console.log });
  for (const line of run.wrong.slice(0, 20)) console.log(line);
  const { server, database, primary, redis } = run.kills;
  console.log(
    `${rounds} rounds (killed: a server ${server}, PostgreSQL ${database}, a primary ${primary}, Redis ${redis}): ${run.answered} charges answered and in the ledger, ${run.cutOff} in it whose answer a kill cut off, ${run.noCredits} refused for want of credits, ${run.unavailable} with 503; ${run.wrong.length} wrong`,
  );
  if (control)
    console.log(`control: ${run.noticed} of ${run.forgotten} entries that were deleted were noticed`);
  return run.wrong.length === 0 && run.noticed === run.forgotten ? 0 : 1;
}

if (import.meta.main) process.exit(await main());
