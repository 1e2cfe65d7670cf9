import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { takeServerLock } from "../../src/store/folder.ts";
import { testRuntime } from "../support/runtime.ts";
import { cli, cliOn } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
let made = 0;

/** A command line with its own data folder. */
const fresh = () => cliOn(join(folder, String(++made)));

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("keys", () => {
  test("create adds key and user, and shows the key once, in the form that scripts rely on", async () => {
    const { run, dataDir } = fresh();
    const made = (await run("keys create --user Ann@Example.com --name laptop --json")).json();
    expect(made).toEqual({
      key: expect.stringMatching(/^xc_live_[0-9A-Za-z]{38}$/),
      id: expect.any(String),
      prefix: expect.stringMatching(/^xc_live_\w{4}$/),
      user: "ann@example.com",
    });
    const list = await run("keys list --json");
    expect(list.json()).toEqual([
      {
        id: expect.any(String),
        prefix: expect.stringMatching(/^xc_live_\w{4}$/),
        name: "laptop",
        user: "ann@example.com",
        created_at: expect.stringMatching(ISO),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect(statSync(join(dataDir, "store.sqlite")).mode & 0o777).toBe(0o600);
  });

  test("without --json standard output is only the key", async () => {
    const { run } = fresh();
    const { out, err, code } = await run("keys create --user ann@example.com");
    expect(code).toBe(0);
    expect(out).toMatch(/^xc_live_[0-9A-Za-z]{38}\n$/);
    expect(err).toContain("will not be shown again");
    expect(err).not.toContain(out.trim());
    const list = await run("keys list");
    expect(list.out).toContain("command line");
    expect(list.out).not.toContain(out.trim());
  });

  test("a key is valid, is charged, and is refused after revocation: entirely by command line", async () => {
    const { run } = fresh();
    const { key, id } = (await run("keys create --user ann@example.com --json")).json() as {
      key: string;
      id: string;
    };
    const history = await run(`get /api/executive-compensation?ticker=AAPL --key ${key}`);
    expect(history).toMatchObject({ code: 0, err: "200\n" });
    expect((await run("credits show --user ann@example.com --json")).json()).toEqual({
      user: "ann@example.com",
      balance: 99,
      given: 100,
      charged: 1,
    });
    await run(`get /api/executive-compensation?ticker=AAPL&limit=1 --key ${key}`);
    expect((await run("credits show --user ann@example.com")).out).toContain("99 credits");
    await run("credits grant --user ann@example.com --amount -98");
    expect((await run("credits show --user ann@example.com")).out).toContain(": 1 credit (");
    expect((await run(`keys revoke ${id} --json`)).json()).toEqual({
      id,
      revoked_at: expect.stringMatching(ISO),
    });
    expect(await run(`get /api/executive-compensation?ticker=AAPL --key ${key}`)).toMatchObject({
      code: 1,
      err: "401\n",
    });
  });

  test("rotate and expiry", async () => {
    const { run, runtime } = fresh();
    const first = (await run("keys create --user ann@example.com --expires-days 2 --json")).json() as {
      key: string;
      id: string;
    };
    const next = (await run(`keys rotate ${first.id} --overlap hour --json`)).json() as {
      key: string;
      id: string;
    };
    expect(next.id).not.toBe(first.id);
    const status = async (key: string) =>
      (await run(`get /api/executive-compensation/tickers --key ${key}`)).err.trim();
    expect([await status(first.key), await status(next.key)]).toEqual(["200", "200"]);
    runtime.advance(3_600_000);
    expect([await status(first.key), await status(next.key)]).toEqual(["401", "200"]);
    runtime.advance(2 * 86_400_000);
    expect(await status(next.key)).toBe("401");
  });

  test.each([
    ["keys revoke nothing", 1, 'No such key: "nothing". Give its id, as execcomp keys list --data-dir '],
    ["keys rotate nothing", 1, "as execcomp keys list --data-dir "],
    ["keys create --user nobody", 1, 'Cannot read "nobody"'],
    ["keys create --user a@example.com --expires-days soon", 2, "--expires-days"],
    ["keys rotate x --overlap year", 2, "year"],
    ["keys create", 2, "--user"],
  ])("%s is refused", async (line, code, said) => {
    const ran = await fresh().run(line);
    expect(ran).toMatchObject({ code, out: "" });
    expect(ran.err).toContain(said);
  });
});

describe("users", () => {
  test("the first one with a password is the owner; the rest are members", async () => {
    const { run } = fresh();
    const stdin = "correct horse battery\n";
    expect(
      (await run("users create --user ann@example.com --password-stdin --json", { stdin })).json(),
    ).toMatchObject({
      user: "ann@example.com",
      role: "owner",
    });
    await run("users create --user bob@example.com --password-stdin", { stdin });
    const list = (await run("users list --json")).json();
    expect(list).toMatchObject([
      { user: "ann@example.com", role: "owner", balance: 0 },
      { user: "bob@example.com", role: "member", balance: 0 },
    ]);
    expect(JSON.stringify(list)).not.toContain("argon2");
  });

  test("a disabled user's keys are refused until enabled; a deleted user's permanently", async () => {
    const { run } = fresh();
    const { key } = (await run("keys create --user ann@example.com --json")).json() as { key: string };
    const status = async () => (await run(`get /api/executive-compensation/tickers --key ${key}`)).err.trim();
    await run("users disable --user ann@example.com");
    expect(await status()).toBe("401");
    expect(await run("keys create --user ann@example.com")).toMatchObject({ code: 1, out: "" });
    await run("users enable --user ann@example.com");
    expect(await status()).toBe("200");
    expect(await run("users delete --user ann@example.com")).toMatchObject({ code: 2 });
    expect(await status()).toBe("200");
    expect(await run("users delete --user ann@example.com --yes")).toMatchObject({ code: 0 });
    expect(await status()).toBe("401");
    expect((await run("users list --json")).json()).toEqual([]);
  });

  test("deleting somebody who was only invited ends the invitation; an unknown address is refused", async () => {
    const { run } = fresh();
    await run("users invite --user bob@example.com");
    const ended = await run("users delete --user Bob@Example.com --json");
    expect([ended.code, ended.json()]).toEqual([0, { user: "bob@example.com" }]);
    const again = await run("users delete --user bob@example.com");
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.err).toContain("bob@example.com");
  });

  test("an unknown or invited address is answered with the list, of this folder, which has invitations too", async () => {
    const { dataDir } = fresh();
    // As typed: the folder is not the one that other commands take.
    const run = (line: string) => cli(...line.split(" "), "--data-dir", dataDir);
    const list = `execcomp users list --data-dir ${dataDir}\n`;
    expect((await run("keys list")).err).toEndWith(`--user EMAIL --data-dir ${dataDir}\n`);
    await run("users invite --user bob@example.com");
    for (const command of [
      "credits grant --amount 5",
      "credits show",
      "users disable",
      "users reset-password",
    ]) {
      const typo = await run(`${command} --user bobb@example.com`);
      expect([command, typo.code, typo.err]).toEqual([command, 1, `No user bobb@example.com. See: ${list}`]);
    }
    expect((await run("credits grant --amount 5 --user Bob@example.com")).err).toBe(
      `bob@example.com has not accepted the invitation yet. See: ${list}`,
    );
    const listed = await run("users list");
    expect([listed.out, listed.err]).toEqual([
      "No users.\n",
      `To create one: execcomp users create --user EMAIL --password-stdin --data-dir ${dataDir}\nInvited, not accepted yet: bob@example.com.\n`,
    ]);
  });

  test("invite and reset-password print only a link", async () => {
    const { run } = fresh();
    const invite = await run("users invite --user bob@example.com --public-url https://pay.example.com");
    expect(invite.out).toMatch(/^https:\/\/pay\.example\.com\/invite\?token=xc_link_\w{38}\n$/);
    await run("keys create --user ann@example.com");
    const reset = await run("users reset-password --user ann@example.com --json");
    expect(reset.json()).toEqual({
      link: expect.stringMatching(/^http:\/\/localhost:8402\/reset\?token=xc_link_\w{38}$/),
    });
  });

  test.each([
    ["users create --user ann@example.com", 2, "--password-stdin", ""],
    ["users create --user ann@example.com --password-stdin", 1, "10 to 200 characters", "short\n"],
    ["users disable --user ann@example.com", 1, "No user ann@example.com", ""],
    ["users invite --user ann@example.com --sign-up closed", 1, "--sign-up invite", ""],
  ])("%s is refused", async (line, code, said, stdin) => {
    const ran = await fresh().run(line, { stdin });
    expect(ran).toMatchObject({ code, out: "" });
    expect(ran.err).toContain(said);
  });
});

describe("credits", () => {
  test("grants, ledger, unmetered and the check", async () => {
    const { run } = fresh();
    await run("keys create --user ann@example.com");
    expect((await run("credits grant --user ann@example.com --amount 50 --json")).json()).toEqual({
      user: "ann@example.com",
      balance: 150,
      given: 100,
      granted: 50,
      charged: 0,
    });
    expect((await run("credits ledger --user ann@example.com --json")).json()).toEqual([
      {
        entry: 2,
        at: expect.stringMatching(ISO),
        kind: "granted",
        operation: null,
        ticker: null,
        cost: 0,
        amount: 50,
        balance_after: 150,
        request_id: null,
      },
      expect.objectContaining({ entry: 1, kind: "given", amount: 100 }),
    ]);
    expect((await run("credits unmetered --user ann@example.com --json")).json()).toMatchObject({
      unmetered: true,
    });
    const shape = { user: "ann@example.com", balance: 150, given: 100, charged: 0 };
    // One shape, whatever has been granted and whether the user is charged.
    expect((await run("credits show --user ann@example.com --json")).json()).toEqual(shape);
    expect((await run("credits unmetered --user ann@example.com --off --json")).json()).toEqual({
      ...shape,
      unmetered: false,
    });
    expect((await run("credits show --user ann@example.com --json")).json()).toEqual(shape);
    expect(
      (await run("credits ledger --user ann@example.com --limit 1")).out.trimEnd().split("\n"),
    ).toHaveLength(2);
  });

  test("the server as a whole can be unmetered, and prices set", async () => {
    const { run } = fresh();
    const { key } = (await run("keys create --user ann@example.com --json")).json() as { key: string };
    const left = async () =>
      ((await run("credits show --user ann@example.com --json")).json() as { balance: number }).balance;
    await run(`get /api/executive-compensation?ticker=AAPL --key ${key} --unmetered`);
    expect(await left()).toBe(100);
    await run(`get /api/executive-compensation?ticker=AAPL --key ${key} --price-history 7`);
    expect(await left()).toBe(93);
    await run(`get /api/executive-compensation?ticker=AAPL&limit=1 --key ${key} --price-history 7`);
    await run(`get /api/executive-compensation/tickers --key ${key} --price-question 7`);
    expect(await left()).toBe(93);
    await run(`get /api/executive-compensation/query?ticker=AAPL --key ${key} --price-question 93`);
    expect(await left()).toBe(0);
    expect(await run(`get /api/executive-compensation?ticker=AAPL --key ${key}`)).toMatchObject({
      code: 1,
      err: "402\n",
    });
  });
});

describe("backup and restore", () => {
  test("restore what was there, and keep what they replace", async () => {
    const { run, dataDir } = fresh();
    const { key } = (await run("keys create --user ann@example.com --json")).json() as { key: string };
    const file = join(folder, "backup.sqlite");
    expect(await run(`backup ${file}`)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await run("users delete --user ann@example.com --yes");
    await run("keys create --user bob@example.com");
    const { kept } = (await run(`restore ${file} --json`)).json() as { kept: string };
    expect(existsSync(kept)).toBe(true);
    expect((await run(`get /api/executive-compensation/tickers --key ${key}`)).err.trim()).toBe("200");
    expect((await run("users list --json")).json()).toMatchObject([{ user: "ann@example.com" }]);
    expect(readdirSync(dataDir).filter((name) => name.includes("incoming"))).toEqual([]);
    // What was kept is itself a store that can be restored.
    expect(await run(`restore ${kept}`)).toMatchObject({ code: 0 });
    expect((await run("users list --json")).json()).toMatchObject([{ user: "bob@example.com" }]);
  });

  test("backup refuses to overwrite, restore refuses other files; the store stays", async () => {
    const { run } = fresh();
    expect((await run(`backup ${join(folder, "none.sqlite")}`)).err).toContain("There is no store");
    await run("keys create --user ann@example.com");
    const file = join(folder, `refused-${made}.sqlite`);
    await run(`backup ${file}`);
    expect((await run(`backup ${file}`)).err).toContain("already exists");
    const bytes = await Bun.file(file).bytes();
    const cases: [string, Uint8Array][] = [
      ["text", new TextEncoder().encode("hello")],
      ["cut", bytes.slice(0, 8192)],
      ["empty", new Uint8Array()],
      ["scrambled", bytes.map((byte, at) => (at > 20_000 && at < 40_000 ? byte ^ 0x5a : byte))],
    ];
    for (const [name, content] of cases) {
      const bad = join(folder, `${name}.sqlite`);
      writeFileSync(bad, content);
      const ran = await run(`restore ${bad}`);
      expect([name, ran.code]).toEqual([name, 1]);
      expect(ran.err).toMatch(/is not an execcomp backup|is damaged/);
    }
    expect((await run("restore nowhere.sqlite")).err).toContain(
      "Cannot read nowhere.sqlite: no such file or folder",
    );
    expect((await run("users list --json")).json()).toMatchObject([{ user: "ann@example.com" }]);
  });

  test("restore is refused while a server holds the store", async () => {
    const { run, dataDir } = fresh();
    await run("keys create --user ann@example.com");
    const file = join(folder, `held-${made}.sqlite`);
    await run(`backup ${file}`);
    const lock = takeServerLock(dataDir);
    const ran = await run(`restore ${file}`);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("A server is running on");
    lock?.release();
    expect(await run(`restore ${file}`)).toMatchObject({ code: 0 });
  });
});

test("a key that cannot be created leaves no user behind", async () => {
  const { run } = fresh();
  const refused = await run(`keys create --user ann@example.com --name ${"x".repeat(200)}`);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Cannot name a key")]);
  expect((await run("users list --json")).json()).toEqual([]);
});

test("a test key is made with --test, and said to be one in both lists", async () => {
  const { run } = fresh();
  const made = (await run("keys create --user ann@example.com --test --json")).json();
  expect(made).toMatchObject({ key: expect.stringMatching(/^xc_test_[0-9A-Za-z]{38}$/) });
  await run("keys create --user ann@example.com --name live");
  const listed = (await run("keys list --json")).json() as { name: string; test?: boolean }[];
  expect(listed.map(({ name, test: isTest }) => [name, isTest])).toEqual([
    ["live", undefined],
    ["command line", true],
  ]);
  expect((await run("keys list")).out).toContain("command line (test)");
  expect((await run("credits show --user ann@example.com --json")).json()).toMatchObject({ given: 100 });
});

describe("doctor", () => {
  test("reports that a data folder cannot be created before a command fails there", async () => {
    const file = join(folder, "no-folder");
    writeFileSync(file, "");
    const { code, out } = await cliOn(join(file, "data")).run("doctor");
    expect([code, out]).toEqual([1, expect.stringContaining(`cannot be created: ${file} is not a folder`)]);
  });

  test("creates nothing, such as a folder whose name was misspelled", async () => {
    const misspelled = join(folder, "misspelled");
    const { code, out } = await cliOn(misspelled).run("doctor");
    expect([code, out]).toEqual([0, expect.stringContaining(`${misspelled} does not exist yet`)]);
    expect(existsSync(misspelled)).toBe(false);
  });

  const statuses = (json: unknown) =>
    Object.fromEntries(
      (json as { findings: { check: string; status: string }[] }).findings.map(({ check, status }) => [
        check,
        status,
      ]),
    );

  test("finds no fault if all is well, and says what is missing at first", async () => {
    const { run, runtime } = fresh();
    // A test's clock may be behind the dataset of the program.
    runtime.advance(366 * 86_400_000);
    expect(await run("doctor")).toMatchObject({ code: 0 });
    await run("users create --user ann@example.com --password-stdin", { stdin: "correct horse battery" });
    const ran = await run("doctor --json");
    expect(ran.code).toBe(0);
    expect(new Set(Object.values(statuses(ran.json())))).toEqual(new Set(["ok"]));
  });

  test("finds a damaged store, a ledger that does not add up, loose permissions and a clock that was set back", async () => {
    const { run, dataDir, runtime } = fresh();
    await run("keys create --user ann@example.com");
    const store = join(dataDir, "store.sqlite");
    const { Database } = await import("bun:sqlite");
    const client = new Database(store);
    client.run("UPDATE balances SET balance_credits = 1");
    client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    client.close();
    Bun.spawnSync(["chmod", "644", store]);
    const late = testRuntime(runtime.now() - 3_600_000);
    const ran = await run("doctor --json", { runtime: late });
    expect(ran.code).toBe(1);
    expect(statuses(ran.json())).toMatchObject({
      ledger: "broken",
      permissions: "warning",
      clock: "warning",
      // Nobody serves from this folder.
      owner: "ok",
    });
    expect(ran.out).toContain(`is from ${new Date(runtime.now()).toISOString()}: set the clock`);
    const bytes = await Bun.file(store).bytes();
    writeFileSync(
      store,
      bytes.map((byte, at) => (at > 4096 && at < 30_000 ? byte ^ 0x5a : byte)),
    );
    const broken = await run("doctor");
    expect(broken.code).toBe(1);
    expect(broken.out).toContain(`execcomp restore FILE --data-dir ${dirname(store)}`);
  });
});
