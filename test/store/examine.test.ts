import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { examine } from "../../src/store/examine.ts";
import { SqliteStore } from "../../src/store/open.ts";
import { openAccounts } from "../support/accounts.ts";
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

test("a clock behind any time of the store, or behind the dataset, is told; a right one is not", async () => {
  const dataDir = tempFolder();
  const runtime = testRuntime();
  const accounts = openAccounts(dataDir, runtime);
  const user = await accounts.users.findOrCreate("ann@example.com");
  const nowMs = runtime.now();
  const clockAt = (ms: number, editionMs = 0) =>
    examine(dataDir, ms, { editionMs }).find(({ check }) => check === "clock");
  expect(clockAt(nowMs)?.status).toBe("ok");
  // A year ahead for a while: later entries do not hide it.
  runtime.advance(366 * 86_400_000);
  await accounts.keys.create(user.id, { name: "k" });
  runtime.advance(-366 * 86_400_000);
  await accounts.credits.grant(user.id, 5);
  expect(clockAt(nowMs + 1)).toMatchObject({
    status: "warning",
    message: expect.stringContaining("set the clock"),
  });
  expect(clockAt(nowMs + 367 * 86_400_000)?.status).toBe("ok");
  await accounts.store.close();
  const fresh = tempFolder();
  await new SqliteStore({ dataDir: fresh, runtime }).close();
  const told = (editionMs: number) =>
    examine(fresh, nowMs, { editionMs }).find(({ check }) => check === "clock")?.message;
  expect(told(nowMs)).toStartWith("The clock shows");
  expect(told(nowMs + 2 * 86_400_000)).toContain("the dataset in use is from");
});

test("a store that is gone is told from one that is not there yet, and a file from a folder", async () => {
  const dataDir = tempFolder();
  const told = (place: string) => examine(place, 0).find(({ status }) => status !== "ok")?.message;
  expect(told(dataDir)).toContain("does not exist yet");
  writeFileSync(join(dataDir, "server.lock"), "");
  expect(told(dataDir)).toContain("is missing, although a server has run on this folder: restore a backup");
  expect(told(join(dataDir, "server.lock"))).toContain("is a file. Choose a folder");
});
