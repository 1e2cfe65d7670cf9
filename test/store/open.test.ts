import { expect, test } from "bun:test";
import { chmodSync, readdirSync, statSync } from "node:fs";
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
