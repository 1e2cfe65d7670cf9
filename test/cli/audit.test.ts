import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { cliOn } from "../support/cli.ts";

const folder = tempFolder();
let made = 0;

/** A command line with its own data folder. */
const fresh = () => cliOn(join(folder, String(++made)));

describe("audit", () => {
  test("shows what commands did, newest first, by the operator; read-only commands leave no entry", async () => {
    const { run, dataDir } = fresh();
    await run("users create --user ann@example.com --password-stdin", { stdin: "a long password indeed\n" });
    await run("keys create --user ann@example.com --name laptop");
    await run("keys list");
    await run("credits show --user ann@example.com");
    await run("credits grant --user ann@example.com --amount 500");
    await run("users invite --user bob@example.com");
    const file = join(dataDir, "copy.sqlite");
    await run(`backup ${file}`);
    await run(`backup ${file}2 --by-server`);
    const entries = (await run("audit --json")).json() as Record<string, unknown>[];
    expect(entries.map(({ who, act, user, subject }) => [who, act, user ?? subject])).toEqual([
      ["operator", "backup_made", "copy.sqlite"],
      ["operator", "user_invited", "bob@example.com"],
      ["operator", "credits_granted", "ann@example.com"],
      ["operator", "key_created", "ann@example.com"],
      ["operator", "user_created", "ann@example.com"],
    ]);
    expect(entries[2]).toMatchObject({ before: { balance: 100 }, after: { balance: 600, amount: 500 } });
  });

  test("is limited by --limit, --user, --act and days, in each format", async () => {
    const { run, runtime } = fresh();
    await run("credits grant --user ann@example.com --amount 1");
    await run("keys create --user ann@example.com");
    runtime.advance(2 * 86_400_000);
    const today = new Date(runtime.now()).toISOString().slice(0, 10);
    await run("credits grant --user ann@example.com --amount 2");
    expect((await run("audit --limit 1 --format csv")).out).toMatch(
      /^id,time,who,address,user_agent,act,user,subject,before,after\r?\n\d+,"[^,]*Z","operator",,,"credits_granted","ann@example.com",,"\{""balance"":100\}",[^\n]*\n$/,
    );
    // The same in a file.
    const file = join(folder, "audit.csv");
    expect((await run(`audit --format csv --out ${file}`)).code).toBe(0);
    const [csv, written] = [(await run("audit --format csv")).out, await Bun.file(file).text()];
    expect(written.split(/\r?\n/)).toEqual(csv.split("\r\n"));
    const acts = async (line: string) =>
      (await run(`audit --format jsonl ${line}`)).out
        .trim()
        .split("\n")
        .map((entry) => (entry === "" ? "" : JSON.parse(entry).act));
    expect(await acts(`--since ${today}`)).toEqual(["credits_granted"]);
    expect(await acts("--act key_created --user ann@example.com")).toEqual(["key_created"]);
    expect(await acts("--user server")).toEqual([""]);
    const table = await run("audit");
    expect(table.out).toContain("Key created");
    expect((await run("audit --user nobody@example.com")).code).toBe(1);
    expect((await run("audit --act nothing")).code).toBe(2);
    expect((await run("audit --since yesterday")).code).toBe(2);
  });

  test("does not create a store in a folder without one", async () => {
    const { run, dataDir } = fresh();
    await run(`data export --format sqlite --out ${join(dataDir, "pay.sqlite")}`);
    expect((await run("data rollback")).code).toBe(1);
    expect(await Bun.file(join(dataDir, "store.sqlite")).exists()).toBe(false);
  });
});
