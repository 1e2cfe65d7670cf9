import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { backUp, restore } from "../../src/store/backup.ts";
import { SqliteStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { testRuntime } from "../support/runtime.ts";

test.skipIf(process.platform === "win32")(
  "a store that others could read becomes private to this user when it is opened",
  async () => {
    using folder = temporaryFolder();
    const options = { dataDir: folder.path, runtime: testRuntime() };
    await new SqliteStore(options).close();
    chmodSync(join(folder.path, "store.sqlite"), 0o644);
    const store = new SqliteStore(options);
    const modes = readdirSync(folder.path).map((name) => [
      name,
      statSync(join(folder.path, name)).mode & 0o777,
    ]);
    expect(modes.length).toBeGreaterThan(1);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    await store.close();
  },
);

test.skipIf(process.platform === "win32")(
  "and so does one restored from a backup that others could read",
  async () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    await new SqliteStore({ dataDir: folder.path, runtime: testRuntime() }).close();
    const backup = join(folder.path, "backup.sqlite");
    backUp(folder.path, backup);
    chmodSync(backup, 0o644);
    await restore(other.path, backup, 0);
    expect(statSync(join(other.path, "store.sqlite")).mode & 0o777).toBe(0o600);
  },
);

test("copied files are restored with what only their write-ahead log has, and nothing is left beside them", async () => {
  using folder = temporaryFolder();
  using copies = temporaryFolder();
  using other = temporaryFolder();
  const store = new SqliteStore({ dataDir: folder.path, runtime: testRuntime() });
  const copy = join(copies.path, "store.sqlite");
  // All of its tables are still in the log.
  for (const tail of ["", "-wal"]) copyFileSync(join(folder.path, `store.sqlite${tail}`), copy + tail);
  await store.close();
  const tables = (file: string) => {
    using client = new Database(file, { readonly: true });
    return client.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n;
  };
  await restore(other.path, copy, 0);
  expect(tables(join(other.path, "store.sqlite"))).toBeGreaterThan(10);
  // A closed store, copied: its log is empty and not there.
  const closed = join(copies.path, "closed.sqlite");
  copyFileSync(join(folder.path, "store.sqlite"), closed);
  await restore(other.path, closed, 1);
  expect(readdirSync(copies.path).filter((name) => name.startsWith("closed"))).toEqual(["closed.sqlite"]);
  expect(readdirSync(other.path).filter((name) => name.includes("incoming"))).toEqual([]);
});
