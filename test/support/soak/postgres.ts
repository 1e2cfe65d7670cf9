/**
 * Rounds of three servers on one PostgreSQL under load, in each of which something fails at a random moment; windows are counted in
 * PostgreSQL in the first half, in Redis in the second. After each round the ledger must equal the answers.
 */
import { SQL } from "bun";
import { postgresCredits } from "../../../src/shared-store/postgres-charges.ts";
import { PostgresStore } from "../../../src/shared-store/postgres-store.ts";
import { ServiceError } from "../../../src/errors.ts";
import { realRuntime } from "../../../src/runtime.ts";
import { freePort } from "../background-server.ts";
import { type PostgresPair, startPostgresPair } from "../postgres-pair.ts";
import { hasPostgres } from "../postgres.ts";
import { hasRedis, startRedis, type TestRedis } from "../redis.ts";
import { type SeededRandom, seededRandom } from "../seeded-random.ts";
import { EndedError, type ServerProcess, startServerProcess } from "../server-process.ts";
import { until } from "../until.ts";
import { checkLedger, countAnswers, type LoadedUser, makeUser, PAGE_SETTINGS, putLoad } from "./load.ts";
import type { Round } from "./sqlite.ts";

/**
 * What fails: a server, PostgreSQL, a primary for good whose synchronous standby takes its place, Redis, a flush of PostgreSQL, the power
 * of all of them at once.
 */
export type Victim = "server" | "database" | "primary" | "redis" | "flush" | "power";

const SERVERS = 3;
const USERS = 4;
/** Charges of each server before something fails, and after it. */
const ENOUGH = 15;

/** The result of all rounds. */
export interface PostgresRun extends Round {
  /** Entries that the control deleted, and how many of them the check found. */
  forgotten: number;
  noticed: number;
}

/** The settings of a run. */
export interface PostgresOptions {
  /** One a round; those of Redis come while Redis counts. */
  victims: readonly Victim[];
  seed: number;
  /** The command that starts a server; default the sources. */
  program?: readonly string[];
  /** Deletes one entry of an answered charge after each round, which the check must find. */
  control?: boolean;
  onRound?: (line: string) => void;
}

/** Why it cannot be run here; null if it can. */
export function missingForPostgres(): string | null {
  if (!hasPostgres) return "PostgreSQL not installed";
  return hasRedis ? null : "neither Redis nor Valkey installed";
}

/** What all rounds share. */
interface Site {
  servers: ServerProcess[];
  pair: PostgresPair;
  redis: TestRedis;
  store: PostgresStore;
  random: SeededRandom;
  /** Starts a stopped server on its port and data; none: a new one. */
  start: (like?: ServerProcess) => Promise<ServerProcess>;
}

/** Starts everything, lets one thing fail a round, and stops everything. */
export async function runPostgres(options: PostgresOptions): Promise<PostgresRun> {
  const random = seededRandom(options.seed);
  await using pair = await startPostgresPair({ fsync: "on" });
  await using redis = await startRedis();
  const store = new PostgresStore({ url: pair.url, runtime: realRuntime() });
  const none = { charged: 0, pages: 0, cutOff: 0, takenBack: 0, noCredits: 0, unavailable: 0 };
  const run: PostgresRun = { ...none, forgotten: 0, noticed: 0, wrong: [] };
  const users: LoadedUser[] = [];
  const needsRedis = (victim: Victim) => victim === "redis" || victim === "power";
  const ordered = [...options.victims].toSorted((a, b) => Number(needsRedis(a)) - Number(needsRedis(b)));
  const half = Math.min(Math.ceil(ordered.length / 2), ordered.filter((one) => !needsRedis(one)).length);
  for (const [windows, victims] of [
    ["postgres", ordered.slice(0, half)],
    ["redis", ordered.slice(half)],
  ] as const) {
    const start = (like?: ServerProcess) =>
      startServer(pair.url, windows === "redis" ? redis.url : null, options.program, like);
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => start()));
    for (const victim of victims) {
      const now = await madeUsers(store, random);
      users.push(...now);
      await failUnderLoad({ servers, pair, redis, store, random, start }, victim, now);
      run.wrong.push(...faultsOf(servers, now));
      await checkRound(run, { url: pair.url, store, users, now }, victim);
      if (options.control) await tryControl(run, { url: pair.url, store, users, now });
      options.onRound?.(`${victim}: ${run.charged} charged so far, ${run.wrong.length} wrong`);
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
  program?: readonly string[],
  like?: ServerProcess,
): Promise<ServerProcess> {
  const environment = {
    ...PAGE_SETTINGS,
    EXECCOMP_STORE: store,
    EXECCOMP_RATE_KEY: "1000000",
    ...(windows === null ? {} : { EXECCOMP_WINDOWS: windows }),
  };
  const more = { ...(program && { program }), ...(like && { dataDir: like.dataDir }) };
  for (let tries = 1; ; tries += 1) {
    const port = like === undefined ? String(freePort()) : new URL(like.origin).port;
    try {
      return await startServerProcess(["--port", port], { environment, ...more });
    } catch (error) {
      // Between two servers the system may give the port to another connection; and PostgreSQL may still be recovering.
      if (!(error instanceof EndedError) || tries === 60) throw error;
      await Bun.sleep(1000);
    }
  }
}

/** Load before, during and after one failure. */
async function failUnderLoad(site: Site, victim: Victim, users: readonly LoadedUser[]): Promise<void> {
  const { servers, pair, random } = site;
  const load = putLoad(servers, users);
  const allCharge = (before: readonly number[]) =>
    until("every server answers charges", () =>
      load.charged.every((count, at) => count >= (before[at] ?? 0) + ENOUGH),
    );
  await allCharge([]);
  if (victim === "primary") await pair.addStandby();
  await Bun.sleep(random.whole(0, 500));
  await FAILURES[victim](site);
  await allCharge([...load.charged]);
  await load.end();
}

const FAILURES: Readonly<Record<Victim, (site: Site) => Promise<unknown>>> = {
  database: ({ pair }) => pair.crash(),
  primary: ({ pair }) => pair.failOver(),
  flush: ({ pair }) => pair.failFlush(),
  async redis({ redis, random }) {
    await redis.kill();
    await Bun.sleep(random.whole(0, 500));
    await redis.start();
  },
  async server({ servers, random, start }) {
    const at = random.whole(0, SERVERS - 1);
    const killed = servers[at];
    if (killed === undefined) throw new Error("no such server");
    await killed.stop("SIGKILL");
    servers[at] = await start(killed);
  },
  async power({ servers, pair, redis, start }) {
    await Promise.all([pair.crash(), redis.kill(), ...servers.map((server) => server.stop("SIGKILL"))]);
    await redis.start();
    await Promise.all(servers.map(async (server, at) => (servers[at] = await start(server))));
  },
};

/** Users, as soon as the store accepts them: after a failure it refuses for a while. The credits of the first run out. */
async function madeUsers(store: PostgresStore, random: SeededRandom): Promise<LoadedUser[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const books = postgresCredits(store, realRuntime());
      const users: LoadedUser[] = [];
      for (let n = 0; n < USERS; n += 1)
        users.push(await makeUser(store, books, n === 0 ? random.whole(5, 50) : 100_000));
      return users;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== "unavailable" || tries === 60) throw error;
      await Bun.sleep(1000);
    }
  }
}

/** What the servers that are running logged of requests that they answered 500. */
function faultsOf(servers: readonly ServerProcess[], users: readonly LoadedUser[]): string[] {
  const failed = users.flatMap(({ answers }) =>
    [...answers].flatMap(([id, { status }]) => (status === 500 ? id : [])),
  );
  const lines = servers.flatMap((server) => server.log().split("\n"));
  return lines.filter((line) => failed.some((id) => line.includes(id)));
}

/** Users of earlier rounds are checked again, because a promoted standby might lack them. */
interface Checked {
  url: string;
  store: PostgresStore;
  users: readonly LoadedUser[];
  /** Those of this round. */
  now: readonly LoadedUser[];
}

async function check({ url, store, users }: Checked) {
  await using sql = new SQL(url, { max: 1 });
  return await checkLedger((text) => sql.unsafe(text), postgresCredits(store, realRuntime()), users);
}

/** Adds the results of the round. */
async function checkRound(run: PostgresRun, checked: Checked, victim: Victim): Promise<void> {
  const { now } = checked;
  run.charged += countAnswers(now, ({ charged }) => charged);
  run.pages += countAnswers(now, ({ charged, isPage }) => charged && isPage);
  run.noCredits += countAnswers(now, ({ status }) => status === 402);
  run.unavailable += countAnswers(now, ({ status }) => status === 503);
  const broken = now.reduce((sum, user) => sum + user.broken, 0);
  if (victim !== "server" && victim !== "power" && broken > 0)
    run.wrong.push(`${broken} requests were cut off by servers that kept running`);
  // A refused charge that is there is reversed by its server's next transaction.
  let found = await check(checked);
  for (let tries = 0; tries < 100 && found.wrong.length > 0; tries += 1) {
    await Bun.sleep(100);
    found = await check(checked);
  }
  run.cutOff = found.cutOff;
  run.takenBack = found.takenBack;
  // Violations of an earlier round are reported once.
  run.wrong.push(...found.wrong.filter((line) => !run.wrong.includes(line)));
}

/** Deletes an entry of an answered charge, which the check must find, and puts it back. */
async function tryControl(run: PostgresRun, checked: Checked): Promise<void> {
  const answers = [...(checked.now[1]?.answers ?? [])];
  const [id] = answers.find(([, { charged, isPage }]) => charged && !isPage) ?? [];
  await using sql = new SQL(checked.url, { max: 1 });
  // The ledger's own triggers forbid deleting an entry.
  await sql`SET session_replication_role = replica`;
  await sql`CREATE TEMPORARY TABLE kept AS SELECT * FROM ledger WHERE request_id = ${id}`;
  await sql`DELETE FROM ledger WHERE request_id = ${id}`;
  const without = await check(checked);
  await sql`INSERT INTO ledger SELECT * FROM kept`;
  run.forgotten += 1;
  if (without.wrong.some((line) => line.startsWith(`request ${id} `))) run.noticed += 1;
}
