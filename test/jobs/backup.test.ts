import { expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyForDownload } from "../../src/jobs/backups.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { testRuntime } from "../support/runtime.ts";

const DAY_SECONDS = 86_400;

/** A program that writes its second argument as a file, or says why it cannot. */
function programOf(folder: string, source: string): readonly string[] {
  const file = join(folder, "program.ts");
  writeFileSync(file, source);
  return [process.execPath, file];
}

test("a copy exists until it is removed, and leftovers of a killed server are deleted after a day", async () => {
  using folder = temporaryFolder();
  using home = temporaryFolder();
  const nowMs = testRuntime().now();
  const leave = (name: string, ageSeconds: number) => {
    writeFileSync(join(folder.path, name), "left");
    const then = nowMs / 1000 - ageSeconds;
    utimesSync(join(folder.path, name), then, then);
  };
  leave("download-old.sqlite", DAY_SECONDS + 60);
  leave("download-old.sqlite.part", DAY_SECONDS + 60);
  leave("download-under-way.sqlite", DAY_SECONDS - 60);
  leave("store.sqlite", 10 * DAY_SECONDS);
  const program = programOf(home.path, 'await Bun.write(process.argv[3] ?? "", "a copy");');
  const copy = await copyForDownload(program, folder.path, "new", nowMs);
  expect(readdirSync(folder.path).sort()).toEqual([
    "download-new.sqlite",
    "download-under-way.sqlite",
    "store.sqlite",
  ]);
  expect([copy.bytes, await new Response(copy.stream()).text()]).toEqual([6, "a copy"]);
  copy.discard();
  copy.discard();
  expect(readdirSync(folder.path).sort()).toEqual(["download-under-way.sqlite", "store.sqlite"]);
});

test("a backup that fails says why", async () => {
  using folder = temporaryFolder();
  using home = temporaryFolder();
  const program = programOf(home.path, 'console.error("The disk is full."); process.exit(1);');
  const made = copyForDownload(program, folder.path, "new", testRuntime().now());
  await expect(made).rejects.toThrow("The disk is full.");
});
