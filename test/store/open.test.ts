import { expect, test } from "bun:test";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { testRuntime } from "../support/runtime.ts";

test.skipIf(process.platform === "win32")(
  "a store that others could read is for this user alone once it is opened",
  async () => {
    using folder = temporaryFolder();
    const options = { dataDir: folder.path, runtime: testRuntime() };
    await openStore(options).close();
    chmodSync(join(folder.path, "store.sqlite"), 0o644);
    const store = openStore(options);
    const modes = readdirSync(folder.path).map((name) => [
      name,
      statSync(join(folder.path, name)).mode & 0o777,
    ]);
    expect(modes.length).toBeGreaterThan(1);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    await store.close();
  },
);
