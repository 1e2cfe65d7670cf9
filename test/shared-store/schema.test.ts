import { SQL } from "bun";
import { expect, test } from "bun:test";
import { DrizzleQueryError } from "drizzle-orm";
import { postgresCredits } from "../../src/shared-store/postgres-charges.ts";
import { rollUpLedger } from "../../src/accounts/ledger.ts";
import { Users } from "../../src/accounts/users.ts";
import { realRuntime } from "../../src/runtime.ts";
import { SqliteStore } from "../../src/store/open.ts";
import {
  AnswerTimeout,
  placeOf,
  postgresFaultOf,
  toPostgresPlaceholders,
} from "../../src/shared-store/connection.ts";
import { PostgresStore } from "../../src/shared-store/postgres-store.ts";
import { InDoubt } from "../../src/shared-store/transactions.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { testRuntime } from "../support/runtime.ts";
import { until } from "../support/until.ts";

const postgres = hasPostgres ? await startPostgres() : null;
/** A database in which a store has created its tables. */
const url = postgres?.url ?? "";
if (postgres !== null) {
  const store = new PostgresStore({ url, runtime: testRuntime() });
  await store.ready();
  if (store.failure !== null) throw new Error(store.failure);
  await store.close();
}

interface Column {
  table: string;
  column: string;
  required: boolean;
}

test.skipIf(postgres === null)(
  "both stores have the same tables, columns and NOT NULL constraints",
  async () => {
    await using sql = new SQL(url, { max: 1 });
    const found: Column[] = await sql`
    SELECT table_name AS table, column_name AS column, is_nullable = 'NO' AS required
    FROM information_schema.columns WHERE table_schema = 'public'
      AND table_name NOT IN ('execcomp_migrations', 'recent_commits', 'shared_secrets')
    ORDER BY table_name COLLATE "C", ordinal_position`;

    using folder = temporaryFolder();
    const store = new SqliteStore({ dataDir: folder.path, runtime: testRuntime() });
    const columns = store.client
      .query<{ table: string; column: string; required: number }, []>(
        `SELECT t.name AS "table", c.name AS "column", (c."notnull" OR c.pk > 0) AS required
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '__drizzle%' ORDER BY t.name, c.cid`,
      )
      .all();
    await store.close();
    const sorted = (all: readonly Column[]) => all.map((one) => JSON.stringify(one)).toSorted();
    expect(sorted(found)).toEqual(sorted(columns.map((one) => ({ ...one, required: one.required === 1 }))));
  },
);

test.skipIf(postgres === null)(
  "ledger and audit log are append-only, and no balance falls below zero",
  async () => {
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(
      "INSERT INTO users (id, email, role, created_at_ms) VALUES ('ann', 'ann@example.com', 'member', 0)",
    );
    await sql.unsafe(
      "INSERT INTO balances (user_id, balance_credits, entries, unmetered) VALUES ('ann', 100, 1, 0)",
    );
    await sql.unsafe(
      "INSERT INTO ledger (user_id, entry, at_ms, kind, amount_credits, balance_after_credits) VALUES ('ann', 1, 0, 'given', 100, 100)",
    );
    await sql.unsafe("INSERT INTO audit (at_ms, actor, act) VALUES (0, 'operator', 'signed_in')");
    for (const [statement, why] of [
      ["UPDATE ledger SET amount_credits = 1000", "append-only"],
      ["DELETE FROM ledger", "append-only"],
      ["TRUNCATE ledger", "append-only"],
      ["UPDATE audit SET actor = 'nobody'", "append-only"],
      ["DELETE FROM audit", "append-only"],
      ["TRUNCATE audit", "append-only"],
      ["UPDATE balances SET balance_credits = -1", "balance_never_below_zero"],
      [
        "INSERT INTO ledger (user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits) VALUES ('ann', 2, 1, 0, 'given', 100, 200)",
        "ledger_given_once",
      ],
    ] as const) {
      expect(await sql.unsafe(statement).then(() => "done", String)).toContain(why);
    }
  },
);

test.skipIf(postgres === null)(
  "a database of a newer version is refused with a message, and left unchanged",
  async () => {
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe("INSERT INTO execcomp_migrations (name, sha256) VALUES ('9999_later', '')");
    const store = new PostgresStore({ url, runtime: testRuntime() });
    await store.ready();
    expect(store.failure).toContain("was written by a newer version of execcomp (9999_later)");
    await store.close();
  },
);

test("a transaction in doubt because the database failed is its fault, not the program's, however often it is wrapped", () => {
  const prepared = { mark: { id: "m", xid: "1" }, value: null };
  const closed = Object.assign(new Error("Connection closed"), { code: "ERR_POSTGRES_CONNECTION_CLOSED" });
  const faults = { lost: [new AnswerTimeout(), closed], failed: [new TypeError("a bug")] } as const;
  for (const [fault, errors] of Object.entries(faults)) {
    for (const error of errors) {
      const query = new DrizzleQueryError("COMMIT", [], error);
      for (const thrown of [error, query, new InDoubt(prepared, error), new InDoubt(prepared, query)]) {
        expect(`${thrown.name}: ${postgresFaultOf(thrown)}`).toBe(`${thrown.name}: ${fault}`);
      }
    }
  }
});

test.skipIf(postgres === null)(
  "rolling up finds lines by index, though PostgreSQL last looked when there were none",
  async () => {
    const database = (await postgres?.createDatabase()) ?? "";
    const runtime = { ...testRuntime(), secret: realRuntime().secret };
    const store = new PostgresStore({ url: database, runtime, max: 1 });
    await store.ready();
    await using sql = new SQL(database, { max: 1 });
    await sql.unsafe("VACUUM rolled_ledger");
    await sql.unsafe(`INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits)
      SELECT n, 'user-' || n % 500, (n + 499) / 500, CASE WHEN n > 500 THEN n - 500 END, n / 500 * 86400000::bigint,
        'granted', 1, (n + 499) / 500 FROM generate_series(1, 2000) AS n`);
    expect(await rollUpLedger(store, runtime, 0, 100)).toBe(2000);
    // Counts are there once the connection has ended.
    await store.close();
    const read = async () => {
      const [row]: { lines: number; read: number; found: number }[] =
        await sql.unsafe(`SELECT n_live_tup::int AS lines,
        seq_tup_read::int AS read, idx_tup_fetch::int AS found FROM pg_stat_user_tables WHERE relname = 'rolled_ledger'`);
      return row;
    };
    await until("the counts of the connection", async () => ((await read())?.lines ?? 0) > 0);
    expect((await read())?.read).toBeLessThan(2000);
  },
);

test.skipIf(postgres === null)(
  "a locked balance holds up its user and nobody else, and no longer than five seconds",
  async () => {
    const database = (await postgres?.createDatabase()) ?? "";
    const runtime = testRuntime();
    const store = new PostgresStore({ url: database, runtime: { ...runtime, secret: realRuntime().secret } });
    const credits = postgresCredits(store, runtime);
    const users = await Promise.all(
      ["ann", "bob"].map((name) => new Users(store, runtime).findOrCreate(`${name}@example.com`)),
    );
    const [ann = "", bob = ""] = users.map(({ id }) => id);
    for (const id of [ann, bob]) await credits.grant(id, 20);
    let made = 0;
    const charge = async (userId: string) =>
      (
        await credits.charge({
          userId,
          costCredits: 1,
          operation: "o",
          ticker: null,
          requestId: String(++made),
        })
      ).remaining;
    await using sql = new SQL(database, { max: 1 });
    const held = await sql.reserve();
    await held.unsafe("BEGIN");
    await held.unsafe("SELECT * FROM balances WHERE user_id = $1 FOR UPDATE", [bob]);
    let free = 0;
    const waiting = [charge(bob), charge(bob)];
    void Promise.all(waiting).then(() => (free = made));
    // In the batches of bob's charges and after, ann's are answered while his wait.
    const left = [];
    for (let n = 0; n < 5; n += 1) left.push(...(await Promise.all([charge(ann), charge(ann)])));
    waiting.push(charge(bob));
    expect([left.toSorted((a, b) => Number(b) - Number(a)), free]).toEqual([
      [19, 18, 17, 16, 15, 14, 13, 12, 11, 10],
      0,
    ]);
    await held.unsafe("ROLLBACK");
    expect((await Promise.all(waiting)).toSorted()).toEqual([17, 18, 19]);
    await held.unsafe("BEGIN");
    await held.unsafe("SELECT * FROM balances WHERE user_id = $1 FOR UPDATE", [bob]);
    const refused = charge(bob).catch((error: unknown) => error);
    expect(await charge(ann)).toBe(9);
    let isPending = true;
    void refused.then(() => (isPending = false));
    await until("bob is told", () => {
      runtime.advance(1000);
      return !isPending;
    });
    expect(await refused).toMatchObject({ kind: "unavailable" });
    await held.unsafe("ROLLBACK");
    held.release();
    expect(await charge(bob)).toBe(16);
    expect(await credits.problems()).toEqual([]);
    await store.close();
  },
);

test.skipIf(postgres === null)(
  "a mark of a commit is deleted once its caller knows: the table does not grow with transactions",
  async () => {
    const database = (await postgres?.createDatabase()) ?? "";
    const runtime = { ...testRuntime(), secret: realRuntime().secret };
    const store = new PostgresStore({ url: database, runtime });
    const credits = postgresCredits(store, runtime);
    const { id: userId } = await new Users(store, runtime).findOrCreate("ann@example.com");
    await using sql = new SQL(database, { max: 1 });
    const count = async () => Number((await sql.unsafe("SELECT count(*) AS n FROM recent_commits"))[0].n);
    for (let n = 0; n < 30; n += 1) await credits.grant(userId, 1);
    for (let n = 0; n < 30; n += 1)
      await credits.charge({ userId, costCredits: 1, operation: "o", ticker: null, requestId: String(n) });
    // The last charge, and a flush that may not have been followed by one.
    expect(await count()).toBeLessThan(4);
    await credits.grant(userId, 1);
    await until("marks of other transactions are deleted too", async () => (await count()) < 2);
    await store.close();
  },
);

test.skipIf(postgres === null)(
  "a database without room for a server's connections is told of when it is opened",
  async () => {
    const database = new URL((await postgres?.createDatabase()) ?? "");
    await using sql = new SQL(String(database), { max: 1 });
    await sql.unsafe("CREATE ROLE narrow LOGIN PASSWORD 'narrow' CONNECTION LIMIT 12");
    await sql.unsafe("GRANT ALL ON SCHEMA public TO narrow");
    Object.assign(database, { username: "narrow", password: "narrow" });
    const told: string[] = [];
    const onShortage = (sentence: string) => void told.push(sentence);
    for (const max of [10, 5]) {
      const store = new PostgresStore({ url: String(database), runtime: testRuntime(), max, onShortage });
      await store.ready();
      expect(store.failure).toBeNull();
      await store.close();
      // A session ends a moment after its connection is closed.
      const left = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'narrow'";
      await until("its sessions have ended", async () => (await sql.unsafe(left))[0].n === 0);
    }
    expect(told).toEqual([
      expect.stringMatching(
        / has room for 12 connections and this server may need 13 \(--store-connections 10, /,
      ),
    ]);
  },
);

test.skipIf(postgres === null)("migrating gives its connection back", async () => {
  const store = new PostgresStore({
    url: (await postgres?.createDatabase()) ?? "",
    runtime: testRuntime(),
  });
  const pool = store["pool"];
  const reserve = pool.reserve.bind(pool);
  let held = 0;
  pool.reserve = async () => {
    const connection = await reserve();
    const release = connection.release.bind(connection);
    held += 1;
    connection.release = () => {
      held -= 1;
      return release();
    };
    return connection;
  };
  await store.ready();
  expect([store.failure, held]).toEqual([null, 0]);
  await store.close();
});

test.skipIf(postgres === null)(
  "charges add up by day even if the servers' clocks differ around midnight",
  async () => {
    const database = (await postgres?.createDatabase()) ?? "";
    const servers = [Date.UTC(2026, 5, 1, 23, 59, 59), Date.UTC(2026, 5, 2)].map((startMs) => {
      const runtime = { ...testRuntime(startMs), secret: realRuntime().secret };
      const store = new PostgresStore({ url: database, runtime });
      return { store, runtime, credits: postgresCredits(store, runtime) };
    });
    const [early, late] = servers;
    if (early === undefined || late === undefined) throw new Error("two servers");
    await early.store.ready();
    const { id: userId } = await new Users(early.store, early.runtime).findOrCreate("ann@example.com");
    await early.credits.grant(userId, 20);
    const charge = ({ credits }: typeof early, costCredits: number) =>
      credits.charge({ userId, costCredits, operation: "o", ticker: null, requestId: "r" });
    for (const [server, cost] of [
      [early, 1],
      [late, 2],
      [early, 3],
      [late, 4],
      [early, 5],
    ] as const)
      await charge(server, cost);
    expect(await late.credits.chargedByDay(userId, 0)).toEqual([
      { day: "2026-06-01", credits: 9, charges: 3 },
      { day: "2026-06-02", credits: 6, charges: 2 },
    ]);
    expect(await late.credits.problems()).toEqual([]);
    await Promise.all(servers.map(({ store }) => store.close()));
  },
);

test("messages about a database have no password in them", () => {
  expect(placeOf("postgres://ann:secret@db.internal:6432/pay?sslmode=require")).toBe(
    "PostgreSQL at db.internal:6432/pay",
  );
  expect(() => placeOf("mysql://ann:secret@db/pay")).toThrow("expected postgres://");
});

test("placeholders are numbered, but not those inside quotes", () => {
  expect(toPostgresPlaceholders("SELECT '?', \"?\" FROM a WHERE b = ? AND c = ?")).toBe(
    "SELECT '?', \"?\" FROM a WHERE b = $1 AND c = $2",
  );
  expect(toPostgresPlaceholders("a > ?1 AND b < ?2 AND c = ?1")).toBe("a > $1 AND b < $2 AND c = $1");
});
