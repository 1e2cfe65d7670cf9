import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { realRuntime } from "../../src/runtime.ts";
import { takeServerLock } from "../../src/store/folder.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { open } from "./both-stores.ts";
import { outcomeOf, randomStep } from "./history.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describe.skipIf(postgres === null)("store copy", () => {
  test("a history moves to PostgreSQL and back byte for byte, and continues there", async () => {
    using first = temporaryFolder();
    using second = temporaryFolder();
    const url = (await postgres?.createDatabase()) ?? "";
    const world = open({ dataDir: first.path });
    const random = seededRandom(11);
    for (let at = 0; at < 200; at += 1) await outcomeOf(randomStep(random), world);
    await world.accounts.store.close();
    const run = (words: string, environment: Record<string, string>) =>
      cli(...words.split(" "), { environment, runtime: realRuntime() });
    const there = await run(`store copy --to ${url} --json`, { EXECCOMP_DATA_DIR: first.path });
    const leftOut = /^Not copied: rate limits .*\n$/;
    expect([there.code, there.err]).toEqual([0, expect.stringMatching(leftOut)]);
    // The address contains a password, so it is also in the environment; here the folder is named.
    const back = await run(`store copy --to ${second.path} --json`, { EXECCOMP_STORE_COPY_FROM: url });
    expect([back.code, back.err]).toEqual([0, expect.stringMatching(leftOut)]);
    expect(back.json()).toEqual(there.json());
    const onwards = (await postgres?.createDatabase()) ?? "";
    const between = await run(`store copy --from ${url} --to ${onwards} --json`, {});
    expect(between.json()).toEqual(there.json());
    const { tables } = there.json() as { tables: { table: string; rows: number }[] };
    const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows;
    expect([rowsOf("users"), rowsOf("ledger"), rowsOf("audit")]).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(Math.min(rowsOf("users") ?? 0, rowsOf("ledger") ?? 0, rowsOf("audit") ?? 0)).toBeGreaterThan(2);

    // Counters continue after the copied values.
    const moved = { EXECCOMP_DATA_DIR: first.path, EXECCOMP_STORE: url };
    expect((await run("keys create --user zoe@example.com --name new --json", moved)).code).toBe(0);
    expect((await run("doctor --json", moved)).json()).toMatchObject({
      findings: expect.arrayContaining([
        { check: "ledger", status: "ok", message: "Every balance matches its ledger." },
      ]),
    });
    const again = await run(`store copy --from ${second.path} --to ${url}`, {});
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("The target is in use")]);
  }, 300_000);

  test("what is missing or in use is named, and nothing is created if nothing is copied", async () => {
    using folder = temporaryFolder();
    const nowhere = join(folder.path, "nowhere");
    const url = postgres?.url ?? "";
    const same = await cli("store", "copy", "--data-dir", folder.path, "--to", folder.path);
    expect([same.code, same.err]).toEqual([
      2,
      expect.stringContaining("Source and target are the same. Specify --from, --to"),
    ]);
    const nothing = await cli("store", "copy", "--data-dir", nowhere, "--to", url);
    expect([nothing.code, nothing.err]).toEqual([
      1,
      expect.stringContaining(`There is no store in ${nowhere}`),
    ]);
    expect(existsSync(nowhere)).toBe(false);
    const held = takeServerLock(folder.path);
    const inUse = await cli("store", "copy", "--from", url, "--to", folder.path);
    expect([inUse.code, inUse.err]).toEqual([
      1,
      expect.stringContaining(`A server is running on ${folder.path}`),
    ]);
    held?.release();
    const away = "postgres://ann:hunter2@127.0.0.1:1/pay";
    const lost = await cli("store", "copy", "--from", away, "--to", folder.path);
    expect([lost.code, lost.err]).toEqual([
      1,
      expect.stringContaining("PostgreSQL at 127.0.0.1:1/pay cannot be used"),
    ]);
    expect(lost.err).not.toContain("hunter2");
  });
});
