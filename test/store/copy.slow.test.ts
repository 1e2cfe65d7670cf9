import { describe, expect, test } from "bun:test";
import { cli } from "../support/cli.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { realRuntime } from "../../src/runtime.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { open } from "./both-stores.ts";
import { outcomeOf, randomStep } from "./history.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describe.skipIf(postgres === null)("store copy", () => {
  test("a history moves to PostgreSQL and back, the same to the byte, and goes on there", async () => {
    using first = temporaryFolder();
    using second = temporaryFolder();
    const url = (await postgres?.createDatabase()) ?? "";
    const world = open({ dataDir: first.path });
    const random = seededRandom(11);
    for (let at = 0; at < 200; at += 1) await outcomeOf(randomStep(random), world);
    await world.accounts.store.close();
    const run = (words: string, dataDir: string) =>
      cli(...words.split(" "), {
        environment: { EXECCOMP_DATA_DIR: dataDir, EXECCOMP_STORE: url },
        runtime: realRuntime(),
      });
    const there = await run("store copy --to database --json", first.path);
    expect([there.code, there.err]).toEqual([0, ""]);
    const back = await run("store copy --to folder --json", second.path);
    expect(back.json()).toEqual(there.json());
    const { tables } = there.json() as { tables: { table: string; rows: number }[] };
    const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows;
    expect([rowsOf("users"), rowsOf("ledger"), rowsOf("audit")]).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(Math.min(rowsOf("users") ?? 0, rowsOf("ledger") ?? 0, rowsOf("audit") ?? 0)).toBeGreaterThan(2);

    // What is counted goes on behind what was copied.
    expect((await run("keys create --user zoe@example.com --name new --json", first.path)).code).toBe(0);
    expect((await run("credits check --json", first.path)).json()).toEqual({ ok: true, problems: [] });
    const again = await run("store copy --to database", first.path);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("The target is in use")]);
  }, 120_000);

  test("without a database, and without a store to copy, it says what is missing", async () => {
    using folder = temporaryFolder();
    const unnamed = await cli("store", "copy", "--to", "database", "--data-dir", folder.path);
    expect(unnamed.err).toContain("Name the database");
    const nothing = await cli(
      "store",
      "copy",
      "--to",
      "database",
      "--data-dir",
      folder.path,
      "--store",
      postgres?.url ?? "",
    );
    expect(nothing.err).toContain("There is no store in");
  });
});
