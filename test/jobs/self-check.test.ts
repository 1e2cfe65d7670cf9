import { expect, test } from "bun:test";
import { closeSync, existsSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Users } from "../../src/accounts/users.ts";
import { ServiceError } from "../../src/errors.ts";
import {
  checkRegularly,
  isUnlocked,
  type LastSelfCheck,
  accountFindings,
  runDoctor,
  selfCheck,
  troublesOf,
} from "../../src/jobs/self-check.ts";
import { HeldFolder } from "../../src/store/folder.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();

async function store(name: string): Promise<string> {
  const dataDir = join(folder, name);
  await cli("serve", "--port", "0", { environment: { EXECCOMP_DATA_DIR: dataDir } });
  await cli("users", "create", "--user", "ann@example.com", "--password-stdin", {
    environment: { EXECCOMP_DATA_DIR: dataDir },
    stdin: "correct horse battery\n",
  });
  return dataDir;
}

async function doctor(dataDir: string) {
  const found = await runDoctor(PROGRAM, dataDir);
  if (found === null) throw new Error("no result");
  return found;
}

test("a server with a locked and intact data folder finds nothing", async () => {
  const dataDir = await store("sound");
  const held = new HeldFolder(dataDir);
  held.acquire();
  const found = await doctor(dataDir);
  expect([troublesOf(found), isUnlocked(found)]).toEqual([[], false]);
  held.release();
});

test("a data folder that another process could lock is reported", async () => {
  const dataDir = await store("unlocked");
  expect(isUnlocked(await doctor(dataDir))).toBe(true);
});

test("damage in any table and a log that keeps growing are found", async () => {
  const dataDir = await store("damaged");
  const path = join(dataDir, "store.sqlite");
  const file = openSync(path, "r+");
  // The last page belongs to a table that has not been read.
  writeSync(file, Buffer.alloc(2048, 0xff), 0, 2048, statSync(path).size - 4096);
  closeSync(file);
  expect(troublesOf(await doctor(dataDir)).map(({ status }) => status)).toContain("broken");
  const long = await store("long");
  writeFileSync(join(long, "store.sqlite-wal"), "");
  truncateSync(join(long, "store.sqlite-wal"), 600 << 20);
  expect(troublesOf(await doctor(long)).find(({ check }) => check === "log")).toMatchObject({
    status: "broken",
  });
}, 300_000);

test("findings are kept until the next check; a failed check reports nothing new", async () => {
  const found = (message: string, status: "ok" | "warning" | "broken") => ({
    check: "store",
    status,
    message,
  });
  const examined: LastSelfCheck = { broken: [], findings: [], atMs: null };
  const look = (says: string) => {
    const program = join(folder, "doctor.ts");
    writeFileSync(program, `console.log(${JSON.stringify(says)});`);
    const config = { dataDir: folder, store: "" };
    const checked = { examined, config, runtime: { now: () => 7 }, accounts: null, storeFailure: () => null };
    return selfCheck(checked, [process.execPath, program]);
  };
  const findings = [
    found("Fine.", "ok"),
    found("Space is short.", "warning"),
    found("It is damaged.", "broken"),
  ];
  await look(JSON.stringify({ findings }));
  expect(examined).toEqual({ broken: ["It is damaged."], findings, atMs: 7 });
  expect(await look('{"findings": [')).toBeNull();
  expect(examined.broken).toEqual(["It is damaged."]);
  await look(JSON.stringify({ findings: findings.slice(0, 1) }));
  expect(examined.broken).toEqual([]);
});

test("while something is broken the check is repeated; what is mended is found mended", async () => {
  const found = [true, true, false];
  let looks = 0;
  const end = checkRegularly(
    { monotonic: () => 0 },
    async () => {
      looks += 1;
      return found.shift() ?? false;
    },
    5,
  );
  await until("it has been repeated", () => looks === 3);
  await Bun.sleep(50);
  expect(looks).toBe(3);
  end();
});

test("a server on a database asks over its own connections, and starts no process", async () => {
  const examined: LastSelfCheck = { broken: [], findings: [], atMs: null };
  let failure: string | null = "The database does not respond.";
  const checked = {
    examined,
    config: { dataDir: folder, store: "postgres://x" },
    runtime: { now: () => 7 },
    accounts: {
      users: { hasOwner: async () => true, findById: async () => undefined },
      credits: { problems: async () => [], recentProblems: async () => ({ problems: [], newestEntry: 3 }) },
    },
    storeFailure: () => failure,
  };
  await selfCheck(checked, ["/nonexistent/execcomp"]);
  expect(examined.broken).toEqual(["The database does not respond."]);
  // A database that goes away during the check: the cause, not what callers are told.
  const sorry = new ServiceError("unavailable", "Accounts are unavailable right now; nothing was charged.");
  failure = null;
  const lost = () => {
    failure = "PostgreSQL at db:5432/pay cannot be used (refused).";
    return Promise.reject(sorry);
  };
  await selfCheck(
    { ...checked, accounts: { ...checked.accounts, users: { ...checked.accounts.users, hasOwner: lost } } },
    null,
  );
  expect(examined.broken).toEqual(["PostgreSQL at db:5432/pay cannot be used (refused)."]);
  failure = null;
  const slow = { ...checked.accounts.users, hasOwner: () => Promise.reject(sorry) };
  await selfCheck({ ...checked, accounts: { ...checked.accounts, users: slow } }, null);
  expect(examined.broken).toEqual(["The database did not answer in time."]);
  failure = null;
  await selfCheck(checked, ["/nonexistent/execcomp"]);
  expect([examined.broken, examined.findings.map(({ check }) => check)]).toEqual([
    [],
    ["store", "owner", "ledger"],
  ]);
});

test("without an owner, the command that makes one names the folder that was checked", async () => {
  const { findings } = await accountFindings(
    {
      users: { hasOwner: async () => false, findById: async () => undefined },
      credits: {
        problems: async () => [],
        recentProblems: async () => ({ problems: [], newestEntry: 0 }),
      },
    },
    null,
    true,
    " --data-dir pay",
  );
  expect(findings[0]?.message).toEndWith("users create --user EMAIL --password-stdin --data-dir pay");
});

test("a balance that does not match its ledger is named with its user and what to do", async () => {
  const problems = ["a", "b", "c", "d"].map((userId) => ({ userId, problem: "its balance is 3, not 4" }));
  const findById = async (id: string) => (id === "a" ? { email: "ann@example.com" } : undefined);
  const { findings } = await accountFindings(
    {
      // Only the address is read.
      users: { hasOwner: async () => true, findById: findById as Users["findById"] },
      credits: { problems: async () => problems, recentProblems: async () => ({ problems, newestEntry: 3 }) },
    },
    null,
    true,
  );
  expect(findings.find(({ check }) => check === "ledger")?.message).toBe(
    "4 balances do not match the ledger: ann@example.com (its balance is 3, not 4), b (its balance is 3, not 4), c (its balance is 3, not 4), and others. Restore a backup, or correct it with: execcomp credits grant",
  );
});

test("what a server starts ends with it, also if it is killed", async () => {
  const script = join(folder, "parent.ts");
  const ready = join(folder, "child-store");
  const imported = JSON.stringify(join(import.meta.dir, "../../src/jobs/program.ts"));
  const words = ["serve", "--port", "0", "--data-dir", ready];
  writeFileSync(
    script,
    `import { runProgram } from ${imported}; void runProgram(${JSON.stringify(PROGRAM)}, ${JSON.stringify(words)}); setInterval(() => {}, 1000);`,
  );
  const parent = Bun.spawn([process.execPath, script], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const held = () => {
    const folder = new HeldFolder(ready);
    try {
      folder.acquire();
      folder.release();
      return false;
    } catch {
      return true;
    }
  };
  await until("the child serves", () => existsSync(join(ready, "store.sqlite")) && held());
  parent.kill("SIGKILL");
  await parent.exited;
  await until("the child has ended", () => !held());
});

test("findings appear in /readyz until they are fixed", async () => {
  const server = await startTestServer();
  expect((await server.get("/readyz")).status).toBe(200);
  // The store reports a fault as well as the check that finds it.
  server.services.examined.broken = ["The store is damaged.", "The store is damaged."];
  const answer = await server.get("/readyz");
  expect([answer.status, await answer.text()]).toEqual([503, "The store is damaged.\n"]);
  await server.stop();
});

test("on a machine that allows no further process, nothing is concluded", async () => {
  expect(await runDoctor(["/nonexistent/execcomp"], folder)).toBeNull();
  expect(await runDoctor(["true"], folder)).toBeNull();
});

test.skipIf(process.platform !== "linux")("a self-check has the lowest priority", async () => {
  const program = join(folder, "nice.ts");
  // The second field may contain spaces. The parent sets the priority once the process runs.
  writeFileSync(
    program,
    `import { readFileSync } from "node:fs";
     const nice = () => Number(readFileSync("/proc/self/stat", "utf8").replace(/^.*\\) /, "").split(" ")[16]);
     for (let n = 0; n < 1000 && nice() === 0; n += 1) await Bun.sleep(5);
     console.log(JSON.stringify({ findings: [], newestEntry: nice() }));`,
  );
  expect((await runDoctor([process.execPath, program], folder))?.newestEntry).toBe(19);
});

test("the hourly check begins at the last proven entry", async () => {
  const dataDir = await store("hourly");
  const asked = join(folder, "asked");
  const program = join(folder, "recording.ts");
  writeFileSync(
    program,
    `require("node:fs").appendFileSync(${JSON.stringify(asked)}, process.argv.slice(2).join(" ") + "\\n");
     console.log(JSON.stringify({ ok: true, findings: [], newestEntry: 7 }));`,
  );
  const examined: LastSelfCheck = { broken: [], findings: [], atMs: null };
  const config = { dataDir, store: "" };
  const checked = { examined, config, runtime: { now: () => 7 }, accounts: null, storeFailure: () => null };
  for (let n = 0; n < 2; n += 1) await selfCheck(checked, [process.execPath, program]);
  const since = (await Bun.file(asked).text()).match(/--since \d+/g);
  expect(since).toEqual([`--since ${Number.MAX_SAFE_INTEGER}`, "--since 7"]);
  expect((await runDoctor(PROGRAM, dataDir, 0))?.newestEntry).toBe(0);
}, 300_000);
