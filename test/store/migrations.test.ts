import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdirSync, writeFileSync } from "node:fs";
import { backUp } from "../../src/store/backup.ts";
import { examine } from "../../src/store/examine.ts";
import { dirname, join } from "node:path";
import { is } from "drizzle-orm";
import { SQLiteTable, getTableConfig } from "drizzle-orm/sqlite-core";
import { appliedUpTo, migrate, migrations } from "../../src/store/migrate.ts";
import { sqliteCredits } from "../../src/accounts/credits.ts";
import { SqliteStore } from "../../src/store/open.ts";
import * as audit from "../../src/store/audit.ts";
import * as oauth from "../../src/store/oauth-schema.ts";
import * as schema from "../../src/store/schema.ts";
import { HeldFolder } from "../../src/store/folder.ts";
import { testRuntime } from "../support/runtime.ts";
import { temporaryFolder } from "../support/accounts.ts";

const FOLDER = join(import.meta.dir, "..", "..", "src", "store", "migrations");

function migrated(): Database {
  const client = new Database(":memory:");
  migrate(client);
  return client;
}

describe("migrations", () => {
  test("every SQL file is in the journal, in order", () => {
    const files = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".sql"))
      .sort();
    const steps = migrations();
    expect(steps.map(({ tag }) => `${tag}.sql`)).toEqual(files);
    expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
    expect(new Set(steps.map(({ atMs }) => atMs)).size).toBe(steps.length);
  });

  test("lead to exactly the tables and columns that schema.ts declares", () => {
    const client = migrated();
    const declared = Object.values({ ...schema, ...audit, ...oauth })
      .filter((value) => is(value, SQLiteTable))
      .map((table) => getTableConfig(table))
      .map(
        ({ name, columns }) =>
          [name, columns.map((column) => `${column.name} ${column.notNull}`).sort()] as const,
      );
    const tables = client
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'",
      )
      .all()
      .map(({ name }) => name);
    expect(tables.toSorted()).toEqual(declared.map(([name]) => name).toSorted());
    for (const [name, columns] of declared) {
      const there = client.query<{ name: string; notnull: number }, []>(`PRAGMA table_info(${name})`).all();
      expect([name, there.map((column) => `${column.name} ${column.notnull === 1}`).sort()]).toEqual([
        name,
        columns,
      ]);
    }
    client.close();
  });

  test("run once: the second time nothing is pending", () => {
    const client = migrated();
    expect(migrate(client)).toEqual([]);
    expect(appliedUpTo(client)).toBe(migrations().at(-1)?.atMs ?? 0);
    client.close();
  });

  test("two processes that start together on an empty folder both get a complete store", async () => {
    using folder = temporaryFolder();
    const program = `const { SqliteStore } = await import(${JSON.stringify(join(FOLDER, "..", "open.ts"))});
      await new SqliteStore({ dataDir: ${JSON.stringify(folder.path)}, runtime: { monotonic: () => 0 } }).close(); console.log("ok")`;
    const children = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "pipe" }),
    );
    // The child's error message is part of ours.
    const said = await Promise.all(
      children.map(async ({ stdout, stderr }) =>
        [await new Response(stdout).text(), await new Response(stderr).text()].join(""),
      ),
    );
    expect(said).toEqual(["ok\n", "ok\n", "ok\n", "ok\n"]);
  });

  test("a command does not migrate a store under the server of an older version", async () => {
    using folder = temporaryFolder();
    const open = () => new SqliteStore({ dataDir: folder.path, runtime: testRuntime() }).close();
    await open();
    const [last, before] = migrations().toReversed();
    const older = new Database(join(folder.path, "store.sqlite"));
    older.run(`DELETE FROM __drizzle_migrations WHERE created_at = ${last?.atMs}`);
    older.close();
    const server = new HeldFolder(folder.path);
    server.acquire();
    expect(() => open()).toThrow("A server of an older version runs on");
    const kept = new Database(join(folder.path, "store.sqlite"), { readonly: true });
    expect(appliedUpTo(kept)).toBe(before?.atMs ?? 0);
    kept.close();
    server.release();
  });

  test("a store of a newer version is refused, and left unchanged", async () => {
    using folder = temporaryFolder();
    await new SqliteStore({ dataDir: folder.path, runtime: testRuntime() }).close();
    const client = new Database(join(folder.path, "store.sqlite"));
    client.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 9999999999999)");
    client.close();
    const open = () => new SqliteStore({ dataDir: folder.path, runtime: testRuntime() });
    expect(open).toThrow("written by a newer version");
    expect(open).toThrow("restore a backup made with this one");
    const backup = () => backUp(folder.path, join(folder.path, "b.sqlite"));
    expect(backup).toThrow(
      "store.sqlite was written by a newer version of execcomp: use that version to back it up",
    );
    // The newest copy that a migration made, as `restore` takes it.
    for (const tag of ["0014_indexes", "0017_future"])
      writeFileSync(join(folder.path, `store.sqlite.before-${tag}`), "");
    const copy = join(folder.path, "store.sqlite.before-0017_future");
    expect(open).toThrow(`execcomp restore ${copy} --data-dir ${dirname(copy)}`);
    expect(examine(folder.path, 0).find(({ check }) => check === "schema")).toMatchObject({
      status: "broken",
      message: expect.stringContaining(copy),
    });
  });
});

test("a ledger by user becomes one in order of writing, and all its sums stay the same", async () => {
  using folder = temporaryFolder();
  const client = new Database(join(folder.path, "store.sqlite"));
  client.run(
    "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
  );
  const before = migrations().filter(({ tag }) => tag < "0006");
  for (const { statements, hash, atMs } of before) {
    for (const statement of statements) client.run(statement);
    client.query("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, atMs);
  }
  const day = 86_400_000;
  const entries = [
    ["ann", 1, 0, "given", 100, 100],
    ["bob", 1, 5, "granted", 50, 50],
    ["ann", 2, day, "charged", -1, 99],
    ["bob", 2, day, "charged", -2, 48],
    ["ann", 3, day + 1, "charged", 1, 100],
    ["ann", 4, 3 * day, "charged", -3, 97],
  ] as const;
  for (const id of ["ann", "bob", "eve"]) {
    client.query("INSERT INTO users (id, email, role, created_at_ms) VALUES (?1, ?1, 'member', 0)").run(id);
  }
  for (const entry of entries) {
    client
      .query(
        "INSERT INTO ledger (user_id, entry, at_ms, kind, amount_credits, balance_after_credits) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(...entry);
  }
  client.run("INSERT INTO balances VALUES ('ann', 97, 4, 0), ('bob', 48, 2, 0), ('eve', 0, 0, 1)");
  client.close();

  const store = new SqliteStore({ dataDir: folder.path, runtime: testRuntime() });
  const credits = sqliteCredits(store, testRuntime());
  expect(await credits.problems()).toEqual([]);
  expect((await credits.entries("ann", { limit: 9 })).map(({ entry, atMs }) => [entry, atMs])).toEqual([
    [4, 3 * day],
    [3, day + 1],
    [2, day],
    [1, 0],
  ]);
  expect(await credits.summary("ann")).toMatchObject({ balance: 97, given: 100, granted: 0, charged: 3 });
  expect(await credits.summary("bob")).toMatchObject({ balance: 48, given: 0, granted: 50, charged: 2 });
  expect(await credits.summary("eve")).toMatchObject({ balance: 0, unmetered: true });
  expect(await credits.chargedByDay("ann", 0)).toEqual([
    { day: "1970-01-02", credits: 0, charges: 0 },
    { day: "1970-01-04", credits: 3, charges: 1 },
  ]);
  await store.close();
});

test("the overlap of a key that was rotated before becomes an expiry; a revoked one stays revoked", () => {
  const client = new Database(":memory:");
  const [before, after] = [
    migrations().filter(({ tag }) => tag < "0011"),
    migrations().filter(({ tag }) => tag >= "0011"),
  ];
  for (const { statements } of before) for (const statement of statements) client.run(statement);
  client.run(
    "INSERT INTO users (id, email, role, created_at_ms) VALUES ('ann', 'ann@example.com', 'member', 0)",
  );
  const soon = Date.now() + 3_600_000;
  const keys = [
    ["overlapping", null, soon, "next"],
    ["expiring", soon - 1, soon, "next"],
    ["replaced", null, 5, "next"],
    ["revoked", soon, 5, null],
  ] as const;
  for (const [id, expires, revoked, by] of keys) {
    client
      .query(
        "INSERT INTO keys (id, user_id, name, hash, prefix, last_four, scope, created_at_ms, expires_at_ms, revoked_at_ms, replaced_by)" +
          " VALUES (?1, 'ann', 'k', ?1, 'p', 'l', 's', 0, ?2, ?3, ?4)",
      )
      .run(id, expires, revoked, by);
  }
  for (const { statements } of after) for (const statement of statements) client.run(statement);
  expect(client.query("SELECT id, expires_at_ms, revoked_at_ms FROM keys ORDER BY rowid").values()).toEqual([
    ["overlapping", soon, null],
    ["expiring", soon - 1, null],
    ["replaced", null, 5],
    ["revoked", soon, 5],
  ]);
  client.close();
});

test("a link made before links knew their maker has the maker that the audit log names", () => {
  const client = new Database(":memory:");
  const before = migrations().filter(({ tag }) => tag < "0016");
  const after = migrations().filter(({ tag }) => tag >= "0016");
  for (const { statements } of before) for (const statement of statements) client.run(statement);
  client.run(
    "INSERT INTO users (id, email, role, created_at_ms) VALUES ('bob', 'bob@example.com', 'member', 0)",
  );
  const audited = "INSERT INTO audit (at_ms, actor, act, user_id, subject) VALUES";
  client.run(`${audited} (1, 'first', 'user_invited', NULL, 'new@example.com'),
    (2, 'ann', 'user_invited', NULL, 'new@example.com'), (3, 'visitor', 'reset_link_created', 'bob', NULL)`);
  const links = [
    ["one", "invite", "new@example.com"],
    ["two", "reset", "bob@example.com"],
    ["three", "invite", "unknown@example.com"],
    ["four", "setup", null],
  ] as const;
  for (const link of links)
    client
      .query("INSERT INTO links (hash, kind, email, created_at_ms, expires_at_ms) VALUES (?, ?, ?, 0, 9)")
      .run(...link);
  for (const { statements } of after) for (const statement of statements) client.run(statement);
  expect(client.query("SELECT hash, made_by FROM links ORDER BY rowid").values()).toEqual([
    ["one", "ann"],
    ["two", "visitor"],
    ["three", null],
    ["four", null],
  ]);
  client.close();
});
