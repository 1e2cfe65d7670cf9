import { afterAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const HISTORY = "/api/executive-compensation?ticker=AAPL";
const LATEST = `${HISTORY}&limit=1`;
const FACTS = "/t/AAPL/facts";

/** A separate small disk, which only root can create; otherwise null. */
function smallDisk(size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-disk-"));
  const made = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]).exitCode === 0;
  afterAll(() => {
    if (made) Bun.spawnSync(["umount", "-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return made ? folder : null;
}

const mountable =
  Bun.spawnSync(["sh", "-c", "d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d"]).exitCode === 0;
if (!mountable) console.log("skipped: a full and a read-only disk need the right to mount (root)");

/** What must hold while the store fails: requests with a credential wait, all others are answered. */
async function expectOutage(server: TestServer, key: string): Promise<void> {
  for (const path of [HISTORY, LATEST, "/api/executive-compensation/tickers"]) {
    const answer = await server.get(path, { key });
    expect([path, answer.status]).toEqual([path, 503]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(answer.headers.get("credits-charged")).toBeNull();
    expect(await answer.json()).toEqual({
      error: "Service Unavailable",
      message: expect.stringContaining("nothing was charged"),
    });
  }
  expect((await server.get(FACTS)).status).toBe(200);
  expect((await server.get("/livez")).status).toBe(200);
  const ready = await server.get("/readyz");
  expect(ready.status).toBe(503);
}

const balance = async (server: TestServer, email: string) => {
  const user = await server.accounts.users.requireByEmail(email);
  return (await server.accounts.credits.summary(user.id)).balance;
};

describe.skipIf(!mountable)("a disk", () => {
  test("that is full: pages and facts are served, credentials get 503, nothing is charged, and free space is enough to recover", async () => {
    const dataDir = smallDisk("4m") ?? "";
    const server = await startTestServer({ dataDir });
    const key = await server.createKey("ann@example.com");
    expect((await server.get(HISTORY, { key })).status).toBe(200);
    const filler = join(dataDir, "filler");
    const fill = () => {
      Bun.spawnSync(["sh", "-c", `dd if=/dev/zero of=${filler} bs=1k count=100000 2>/dev/null`]);
    };
    fill();
    // The log has some room left in its last pages: charge until it is used up.
    let charged = 1;
    let status = 200;
    for (let n = 0; n < 90 && status === 200; n += 1) {
      ({ status } = await server.get(HISTORY, { key }));
      if (status === 200) charged += 1;
    }
    expect(status).toBe(503);
    await expectOutage(server, key);
    expect(server.lines.filter((line) => line.includes('"store_failed"'))).toEqual([
      expect.stringContaining("No space is left to write"),
    ]);
    rmSync(filler);
    server.advance(1000);
    // The readiness check is enough to recover: a supervisor that keeps callers away must see it.
    expect((await server.get("/readyz")).status).toBe(200);
    const after = await server.get(HISTORY, { key });
    expect(after.status).toBe(200);
    expect(after.headers.get("credits-remaining")).toBe(String(100 - charged - 1));
    expect(server.lines.filter((line) => line.includes("store_recovered"))).toHaveLength(1);
    expect(await balance(server, "ann@example.com")).toBe(100 - charged - 1);
    expect(await server.accounts.credits.problems()).toEqual([]);
    await server.stop();
  });

  test("that turns read-only: the same, and after remounting everything works as before", async () => {
    const dataDir = smallDisk("8m") ?? "";
    const server = await startTestServer({ dataDir });
    const key = await server.createKey("ann@example.com");
    expect((await server.get(HISTORY, { key })).status).toBe(200);
    // A disk cannot be made read-only while files on it are open for writing, unless it fails: a bind mount can.
    expect(
      Bun.spawnSync(["mount", "-o", "remount,ro", dataDir]).exitCode === 0 || forceReadOnly(server),
    ).toBe(true);
    expect((await server.get(HISTORY, { key })).status).toBe(503);
    await expectOutage(server, key);
    makeWritable(server, dataDir);
    server.advance(1000);
    const after = await server.get(HISTORY, { key });
    expect([after.status, after.headers.get("credits-remaining")]).toEqual([200, "98"]);
    expect(await server.accounts.credits.problems()).toEqual([]);
    await server.stop();
  });
});

function forceReadOnly(server: TestServer): boolean {
  server.accounts.store.client.run("PRAGMA query_only = ON");
  return true;
}

function makeWritable(server: TestServer, dataDir: string): void {
  Bun.spawnSync(["mount", "-o", "remount,rw", dataDir]);
  try {
    server.accounts.store.client.run("PRAGMA query_only = OFF");
  } catch {
    // The store is still failing: it reopens the file on its own.
  }
}

describe("a damaged store", () => {
  const scramble = (path: string) => {
    const size = Bun.file(path).size;
    writeFileSync(path, new Uint8Array(size).fill(0x5a));
  };

  test("at start: reading works, credentials get 503, and a repaired file is used without a restart", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    const made = await startTestServer({ dataDir });
    const key = await made.createKey("ann@example.com");
    await made.get(HISTORY, { key });
    await made.stop();
    const store = join(dataDir, "store.sqlite");
    const good = join(dataDir, "good.sqlite");
    copyFileSync(store, good);
    scramble(store);

    const server = await startTestServer({ dataDir });
    await expectOutage(server, key);
    expect(server.lines.join("\n")).toContain(`execcomp restore FILE --data-dir ${dataDir}`);
    expect(server.lines.filter((line) => line.includes('"store_failed"'))).toHaveLength(1);

    for (const tail of ["-wal", "-shm"]) rmSync(store + tail, { force: true });
    copyFileSync(good, store);
    server.advance(1000);
    const after = await server.get(HISTORY, { key });
    expect([after.status, after.headers.get("credits-remaining")]).toEqual([200, "98"]);
    expect((await server.get("/readyz")).status).toBe(200);
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  test("while it runs: never a 500, and after stop, restore and start everything is as backed up", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    const server = await startTestServer({ dataDir });
    const key = await server.createKey("ann@example.com");
    expect((await server.get(HISTORY, { key })).status).toBe(200);
    const backup = `${dataDir}.backup`;
    const environment = { EXECCOMP_DATA_DIR: dataDir };
    expect(await cli("backup", backup, { environment })).toMatchObject({ code: 0 });
    const store = join(dataDir, "store.sqlite");
    for (const tail of ["", "-wal"]) if (existsSync(store + tail)) scramble(store + tail);
    // As if the store were larger than its page cache.
    server.accounts.store.client.run("PRAGMA shrink_memory");
    const statuses = new Set<number>();
    for (let n = 0; n < 50; n += 1) {
      statuses.add((await server.get(HISTORY, { key })).status);
      expect((await server.get(FACTS)).status).toBe(200);
      server.advance(1100);
    }
    expect(statuses).not.toContain(500);
    expect(statuses).toContain(503);
    expect(await cli("doctor", { environment })).toMatchObject({ code: 1 });
    await server.stop();
    expect(await cli("restore", backup, { environment })).toMatchObject({ code: 0 });
    const again = await startTestServer({ dataDir });
    const after = await again.get(HISTORY, { key });
    expect([after.status, after.headers.get("credits-remaining")]).toEqual([200, "98"]);
    await again.stop();
    rmSync(dataDir, { recursive: true });
    rmSync(backup);
  });

  test("for a command: a message with the next step, exit 1", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    writeFileSync(
      join(dataDir, "store.sqlite"),
      "this is no database at all, whatever its name says ".repeat(100),
    );
    const ran = await cli("keys", "list", { environment: { EXECCOMP_DATA_DIR: dataDir } });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("is damaged");
    expect(ran.err).toContain(`execcomp restore FILE --data-dir ${dataDir}`);
    rmSync(dataDir, { recursive: true });
  });
});

describe("two processes on one store", () => {
  test("changes by the command line take effect on the server's next request", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    const server = await startTestServer({ dataDir });
    const run = (line: string) => cli(...line.split(" "), { environment: { EXECCOMP_DATA_DIR: dataDir } });
    const ask = async (key: string) => {
      const answer = await server.get(HISTORY, { key });
      return [answer.status, answer.headers.get("credits-remaining")];
    };
    const { key, id } = (await run("keys create --user ann@example.com --json")).json() as {
      key: string;
      id: string;
    };
    expect(await ask(key)).toEqual([200, "99"]);
    await run("credits grant --user ann@example.com --amount 11");
    expect(await ask(key)).toEqual([200, "109"]);
    await run("credits unmetered --user ann@example.com");
    expect(await ask(key)).toEqual([200, null]);
    await run("credits unmetered --user ann@example.com --off");
    await run("users disable --user ann@example.com");
    expect(await ask(key)).toEqual([401, null]);
    await run("users enable --user ann@example.com");
    expect(await ask(key)).toEqual([200, "108"]);
    await run(`keys revoke ${id}`);
    expect(await ask(key)).toEqual([401, null]);
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  test("both charge one user at the same time: every charge is recorded once, and everything adds up", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    const server = await startTestServer({ dataDir, rateKey: "100000" });
    const key = await server.createKey("ann@example.com");
    const grants = (async () => {
      for (let n = 0; n < 25; n += 1) {
        await cli("credits", "grant", "--user", "ann@example.com", "--amount", "1", {
          environment: { EXECCOMP_DATA_DIR: dataDir },
        });
      }
    })();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await server.get(HISTORY, { key })).status),
    );
    await grants;
    const charged = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    expect(await balance(server, "ann@example.com")).toBe(125 - charged);
    expect(await server.accounts.credits.problems()).toEqual([]);
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  test("while another writer locks the store for long, reading continues, charges wait, and none is lost", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    const server = await startTestServer({ dataDir });
    const key = await server.createKey("ann@example.com");
    const other = new Database(join(dataDir, "store.sqlite"));
    other.run("BEGIN IMMEDIATE");
    const waiting = server.get(HISTORY, { key });
    expect((await server.get(FACTS)).status).toBe(200);
    await Bun.sleep(100);
    other.run("COMMIT");
    const answer = await waiting;
    expect([answer.status, answer.headers.get("credits-remaining")]).toEqual([200, "99"]);

    other.run("BEGIN IMMEDIATE");
    const refused = server.get(HISTORY, { key });
    let pending = true;
    void refused.finally(() => (pending = false));
    // By the test's clock: five seconds after the first attempt, whenever that is, the wait has timed out.
    await until("the charge is refused", () => {
      server.advance(1000);
      return !pending;
    });
    expect((await refused).status).toBe(503);
    const loopback = ["/rankings", "/compare?t=AAPL,MSFT", "/groups", `${HISTORY}&limit=1`];
    const read = loopback.map(async (path) => (await server.get(path, { key })).status);
    expect(await Promise.all(read)).toEqual([200, 200, 200, 200]);
    expect((await server.get(HISTORY, { key })).status).toBe(503);
    expect((await server.get("/readyz")).status).toBe(503);
    other.run("COMMIT");
    server.advance(1000);
    const after = await server.get(HISTORY, { key });
    expect([after.status, after.headers.get("credits-remaining")]).toEqual([200, "98"]);
    other.close();
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });
});

describe("an unusable data folder stops the start with a message", () => {
  test.each(["/proc/execcomp", "/dev/null/execcomp"])("%s", async (dataDir) => {
    for (const line of [
      ["serve", "--port", "0"],
      ["keys", "create", "--user", "ann@example.com"],
    ]) {
      const ran = await cli(...line, { environment: { EXECCOMP_DATA_DIR: dataDir } });
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err).toContain("--data-dir");
      expect(ran.err).not.toContain("internal_error");
    }
  });
});
