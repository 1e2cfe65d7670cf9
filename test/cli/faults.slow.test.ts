import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { realRuntime } from "../../src/runtime.ts";
import { STORE_FILE } from "../../src/store/folder.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
// The time limit is measured by the real clock.
const on = (dataDir: string) => ({ environment: { EXECCOMP_DATA_DIR: dataDir }, runtime: realRuntime() });

test("a data folder that cannot be created is refused with the flag to change, and reading still works", async () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "no folder");
  const dataDir = join(file, "inside");
  for (const words of [
    ["serve", "--port", "0"],
    ["keys", "create", "--user", "ann@example.com"],
  ]) {
    const ran = await cli(...words, on(dataDir));
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain(dataDir);
    expect(ran.err).toContain("--data-dir");
    expect(ran.err).not.toContain("This is a bug");
  }
  expect((await cli("show", "AAPL", on(dataDir))).out).toContain("74,294,811");
});

test("a store that another process locks for longer than 5 s is refused with what to do, and nothing is lost", async () => {
  const dataDir = join(folder, "locked");
  const first = await cli("keys", "create", "--user", "ann@example.com", "--json", on(dataDir));
  expect(first.code).toBe(0);
  const holder = new Database(join(dataDir, STORE_FILE));
  holder.run("BEGIN IMMEDIATE");
  const ran = await cli("keys", "create", "--user", "bob@example.com", on(dataDir));
  holder.run("ROLLBACK");
  holder.close();
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).not.toContain("This is a bug");
  expect(ran.err).toContain("locked for more than 5 seconds");
  expect(ran.err).toContain("execcomp doctor");
  const listed = (await cli("keys", "list", "--json", on(dataDir))).json();
  expect(listed).toBeArrayOfSize(1);
  expect((await cli("keys", "create", "--user", "bob@example.com", on(dataDir))).code).toBe(0);
}, 300_000);
