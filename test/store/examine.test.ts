import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { examine } from "../../src/store/examine.ts";
import { SqliteStore } from "../../src/store/open.ts";
import { tempFolder } from "../support/folder.ts";
import { testRuntime } from "../support/runtime.ts";

const statusOf = (dataDir: string) =>
  Object.fromEntries(examine(dataDir, testRuntime().now()).map(({ check, status }) => [check, status]));

test("reports a store that its group or others may read", async () => {
  const dataDir = tempFolder();
  await new SqliteStore({ dataDir, runtime: testRuntime() }).close();
  const path = join(dataDir, "store.sqlite");
  expect(statSync(path).isFile()).toBe(true);
  for (const [mode, status] of [
    [0o600, "ok"],
    [0o640, "warning"],
    [0o604, "warning"],
  ] as const) {
    chmodSync(path, mode);
    expect([mode, statusOf(dataDir)["permissions"]]).toEqual([mode, status]);
  }
});

test("accepts a new folder if one can be created", () => {
  const parent = tempFolder();
  expect(statusOf(join(parent, "new", "deeper"))).toEqual({ folder: "warning" });
  const closed = join(parent, "closed");
  mkdirSync(closed, { mode: 0o500 });
  // Root can write anywhere.
  if (process.getuid?.() !== 0) expect(statusOf(join(closed, "new"))).toEqual({ folder: "broken" });
});
