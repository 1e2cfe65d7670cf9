/**
 * Batched charges in PostgreSQL compared with a bare `Bun.sql` loop that writes the same rows: CPU time per charge of
 * this process and of PostgreSQL, and charges a second. Needs Linux and PostgreSQL 15, which flushes each commit.
 *
 *     bun run bench gathered [--rounds 5]
 */
import { type ReservedSQL, SQL } from "bun";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Credits, postgresCredits } from "../../src/accounts/credits.ts";
import { Users } from "../../src/accounts/users.ts";
import { realRuntime } from "../../src/runtime.ts";
import { PostgresStore } from "../../src/store/postgres/store.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { median } from "./burst.ts";
import { postgresNanos } from "./process.ts";

const USERS = 200;
const BATCHES = 40;
const SIZES = [64, 256];

const INSERT = `INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)
  SELECT id, user_id, id, id - 1, 1, 'charged', -1, 1, 'bare', 'AAPL', request_id
  FROM json_to_recordset($1::text::json) AS e(id bigint, user_id text, request_id text)`;
const UPDATE = `UPDATE balances SET balance_credits = balance_credits - n
  FROM json_to_recordset($1::text::json) AS w(user_id text, n bigint) WHERE balances.user_id = w.user_id`;

/** Times are microseconds per charge. */
interface Measured {
  here: number;
  postgres: number;
  perSecond: number;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
if (hasPostgres) await main();

async function main(): Promise<void> {
  const runtime = realRuntime();
  await using postgres = await startPostgres({ settings: { fsync: "on" } });
  const store = new PostgresStore({ url: postgres.url, runtime });
  const credits = postgresCredits(store, runtime);
  const users: string[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const { id } = await new Users(store, runtime).findOrCreate(`user-${n}@example.com`);
    await credits.grant(id, 1_000_000_000);
    users.push(id);
  }
  await using bare = new SQL(postgres.url, { max: 1 });
  const connection = await bare.reserve();
  console.log("| | Here, µs | PostgreSQL, µs | A second |\n|---|---|---|---|");
  let firstId = 1_000_000_000_000;
  for (const size of SIZES) {
    const charges = size * BATCHES;
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const one = await measured(postgres, charges, () => chargeAll(credits, users, size, charges));
      const other = await measured(postgres, charges, () => writeAll(connection, users, size, firstId));
      firstId += charges;
      // The first of each is a warm-up.
      if (round === 0) continue;
      ours.push(one);
      theirs.push(other);
    }
    printLine(`charges, ${size} at a time`, ours);
    printLine(`bare loop, ${size} at a time`, theirs);
    const ratio = (member: keyof Measured) =>
      median(ours.map((one, at) => one[member] / (theirs[at]?.[member] ?? Number.NaN))).toFixed(2);
    console.log(`| ratio | ${ratio("here")} | ${ratio("postgres")} | ${ratio("perSecond")} |`);
  }
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  connection.release();
  await store.close();
}

function printLine(name: string, all: readonly Measured[]): void {
  const of = (member: keyof Measured) => median(all.map((one) => one[member]));
  console.log(
    `| ${name} | ${of("here").toFixed(1)} | ${of("postgres").toFixed(1)} | ${of("perSecond").toFixed(0)} |`,
  );
}

async function measured(
  postgres: TestPostgres,
  charges: number,
  work: () => Promise<void>,
): Promise<Measured> {
  const [here, there, startedMs] = [process.cpuUsage(), postgresNanos(postgres), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(here);
  return {
    here: (user + system) / charges,
    postgres: (postgresNanos(postgres) - there) / 1000 / charges,
    perSecond: charges / ((performance.now() - startedMs) / 1000),
  };
}

/** Callers with one charge at a time. */
async function chargeAll(credits: Credits, users: readonly string[], callers: number, charges: number) {
  let asked = 0;
  const caller = async () => {
    while (asked < charges) {
      asked += 1;
      const userId = users[asked % users.length] ?? "";
      const requestId = Bun.randomUUIDv7();
      await credits.charge({ userId, costCredits: 1, operation: "bench", ticker: "AAPL", requestId });
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/**
 * The same rows with only their statements, one transaction after another. @param firstId far from the ids of charges
 */
async function writeAll(
  connection: ReservedSQL,
  users: readonly string[],
  size: number,
  firstId: number,
): Promise<void> {
  const counts = JSON.stringify(
    users.slice(0, Math.min(size, users.length)).map((user_id) => ({ user_id, n: 1 })),
  );
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const rows = Array.from({ length: size }, (_, n) => ({
      id: firstId + batch * size + n,
      user_id: users[n % users.length],
      request_id: Bun.randomUUIDv7(),
    }));
    await Promise.all([
      connection`BEGIN`.execute(),
      connection.unsafe(INSERT, [JSON.stringify(rows)]).execute(),
      connection.unsafe(UPDATE, [counts]).execute(),
      connection`COMMIT`.execute(),
    ]);
  }
}
