/** Starting in difficult conditions. */
import { afterAll, describe, expect, jest, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../src/server/app.ts";
import { openServices } from "../../src/server/compose.ts";
import { loadConfig } from "../../src/config/load.ts";
import { silentLog } from "../../src/log.ts";
import { migrations } from "../../src/store/migrate.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { testRuntime } from "../support/runtime.ts";
import { openExtracted } from "../../src/dataset/embedded.ts";
import { copyCurrent } from "../../src/dataset/patch.ts";
import { asFullDisk } from "../../src/dataset/installed.ts";
import { startTestServer } from "../support/server.ts";

const folder = tempFolder();
const mountable =
  Bun.spawnSync(["sh", "-c", "d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d"]).exitCode === 0;
if (!mountable) console.log("skipped: a full disk needs the right to mount (root)");

const serve = (dataDir: string, ...flags: string[]) =>
  cli("serve", "--port", "0", ...flags, { environment: { EXECCOMP_DATA_DIR: dataDir } });

describe.skipIf(!mountable)("on a full disk", () => {
  const disk = mkdtempSync(join(tmpdir(), "execcomp-full-"));
  afterAll(() => {
    Bun.spawnSync(["umount", "-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  test("anonymous callers are served at once, and callers with a key once there is space, without a restart", async () => {
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]).exitCode).toBe(0);
    const filler = join(disk, "filler");
    Bun.spawnSync(["sh", "-c", `dd if=/dev/zero of=${filler} bs=1k count=100000 2>/dev/null`]);
    const server = await startTestServer({ dataDir: disk });
    expect((await server.get("/t/AAPL/facts")).status).toBe(200);
    expect((await server.get("/readyz")).status).toBe(503);
    expect(server.lines.join()).toContain("No space is left");
    rmSync(filler);
    server.advance(1000);
    expect((await server.get("/readyz")).status).toBe(200);
    const key = await server.createKey();
    expect((await server.get("/api/executive-compensation?ticker=AAPL", { key })).status).toBe(200);
    await server.stop();
  });

  test("a command says that no space is left, not that the disk fails", async () => {
    Bun.spawnSync(["umount", "-l", disk]);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).exitCode).toBe(0);
    const create = () =>
      cli("keys", "create", "--user", "ann@example.com", {
        environment: { EXECCOMP_DATA_DIR: join(disk, "data") },
      });
    expect((await create()).code).toBe(0);
    Bun.spawnSync(["sh", "-c", `dd if=/dev/zero of=${disk}/filler bs=1k count=100000 2>/dev/null`]);
    const ran = await create();
    expect([ran.code, ran.out, ran.err]).toEqual([
      1,
      "",
      expect.stringContaining("No space is left to write"),
    ]);
    const source = tempFolder();
    await cli("keys", "create", "--user", "ann@example.com", { environment: { EXECCOMP_DATA_DIR: source } });
    const backup = await cli("backup", join(disk, "b.sqlite"), {
      environment: { EXECCOMP_DATA_DIR: source },
    });
    expect([backup.code, backup.err]).toEqual([
      1,
      expect.stringContaining(`No space is left for ${disk}/b.sqlite`),
    ]);
  });

  test("running out of inodes is distinguished from running out of space", async () => {
    Bun.spawnSync(["umount", "-l", disk]);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=4m,nr_inodes=3", "tmpfs", disk]).exitCode).toBe(
      0,
    );
    Bun.spawnSync(["sh", "-c", `touch ${disk}/a ${disk}/b ${disk}/c`]);
    const server = await startTestServer({ dataDir: disk });
    expect((await server.get("/t/AAPL/facts")).status).toBe(200);
    expect(server.lines.join()).toContain("No inodes are left");
    await server.stop();
  });

  test("extracting the dataset does not take the last room from the accounts", async () => {
    Bun.spawnSync(["umount", "-l", disk]);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk]).exitCode).toBe(0);
    const bytes = new Uint8Array(10 << 20);
    const embedded = { size: bytes.length, contentHash: "0", read: () => bytes };
    const file = join(disk, "embedded-x.sqlite");
    expect(() => openExtracted(file, embedded)).toThrow(`No space is left in ${disk}`);
    expect(readdirSync(disk)).toEqual([]);
    // Without asking, a write that fails half-way leaves nothing either.
    expect(Bun.spawnSync(["mount", "-o", "remount,size=40m", disk]).exitCode).toBe(0);
    expect(() => openExtracted(file, embedded)).toThrow("is damaged");
    expect(readdirSync(disk)).toEqual([]);
  });

  test("an ingest says which folder is full, and it is no bug", () => {
    Bun.spawnSync(["umount", "-l", disk]);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=9m", "tmpfs", disk]).exitCode).toBe(0);
    expect(() => copyCurrent(disk, join(disk, "new.building"))).toThrow(`No space is left in ${disk}`);
    expect(readdirSync(disk)).toEqual([]);
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    expect(String(asFullDisk(full, "/data/snapshots"))).toContain("No space is left in /data/snapshots.");
    expect(asFullDisk(disk, "/data")).toBe(disk);
  });

  test("data export and data install end with a message, and leave no partial file", async () => {
    Bun.spawnSync(["umount", "-l", disk]);
    const carried = join(folder, "carried.sqlite");
    const outside = { environment: { EXECCOMP_DATA_DIR: join(folder, "data") } };
    expect((await cli("data", "export", "--format", "sqlite", "--out", carried, outside)).code).toBe(0);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk]).exitCode).toBe(0);
    const out = join(disk, "x.csv");
    const inside = { environment: { EXECCOMP_DATA_DIR: join(disk, "data") } };
    for (const ran of [
      await cli("data", "export", "--format", "sqlite", "--out", join(disk, "x.sqlite"), outside),
      await cli("data", "export", "--format", "csv", "--out", out, outside),
      await cli("data", "install", carried, "--trust", inside),
    ]) {
      expect([ran.code, ran.out]).toEqual([1, ""]);
      expect(ran.err).toContain("No space is left");
      expect(ran.err).not.toContain("a bug of execcomp");
    }
    const left = readdirSync(disk, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });
});

test("a missing folder is named, not reported as a bug", async () => {
  const missing = join(folder, "missing");
  const ran = await cli("data", "export", "--format", "csv", "--out", join(missing, "x.csv"), {
    environment: { EXECCOMP_DATA_DIR: join(folder, "none") },
  });
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`There is no folder ${missing}.`)]);
  expect(ran.err).not.toContain("a bug of execcomp");
});

test("a command's one-time link leads to the server that last ran on the folder, unless specified otherwise", async () => {
  const dataDir = join(folder, "linked");
  const runtime = testRuntime();
  const invite = async (...flags: string[]) => {
    const words = ["users", "invite", "--user", `bob${flags.length}@example.com`, ...flags];
    const { out } = await cli(...words, { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime });
    return new URL(out).origin;
  };
  const start = ["serve", "--port", "0", "--public-url", "https://pay.example.com"];
  const started = await cli(...start, { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime });
  expect(started.code).toBe(0);
  expect(await invite()).toBe("https://pay.example.com");
  expect(await invite("--port", "9000")).toBe("http://localhost:9000");
  writeFileSync(join(dataDir, "server-url"), "javascript:alert(1)//\n");
  expect(await invite("--offline")).toBe("http://localhost:8402");
});

test("a missing or empty store where a server ran before is reported; --require-store refuses", async () => {
  const dataDir = join(folder, "lost");
  const fresh = await serve(dataDir);
  expect([fresh.code, fresh.err.includes("store_lost")]).toEqual([0, false]);
  const store = join(dataDir, "store.sqlite");
  expect((await serve(dataDir, "--require-store")).code).toBe(0);
  for (const lose of [() => rmSync(store), () => truncateSync(store, 0)]) {
    for (const tail of ["-wal", "-shm"]) rmSync(store + tail, { force: true });
    lose();
    const refused = await serve(dataDir, "--require-store");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--require-store is set")]);
    expect(refused.err).toContain(`(execcomp restore FILE --data-dir ${dataDir})`);
    const told = await serve(dataDir);
    expect([told.code, told.err.includes('"store_lost"')]).toEqual([0, true]);
  }
  // Reading a folder is not running a server on it.
  const examined = join(folder, "examined");
  mkdirSync(examined);
  expect((await cli("doctor", { environment: { EXECCOMP_DATA_DIR: examined } })).err).toBe("");
  const first = await serve(examined);
  expect([first.code, first.err.includes("store_lost")]).toEqual([0, false]);
  expect(first.out).toContain(`users create --user EMAIL --password-stdin --data-dir ${examined}\n`);
  const empty = join(folder, "new");
  mkdirSync(empty);
  expect((await serve(empty, "--require-store")).code).toBe(1);
}, 300_000);

test("a store with an older schema is copied before it is migrated, readable by this user only", async () => {
  const dataDir = join(folder, "older");
  mkdirSync(dataDir);
  const client = new Database(join(dataDir, "store.sqlite"));
  const steps = migrations();
  const last = steps.at(-1);
  client.run(
    "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
  );
  for (const { statements, hash, atMs } of steps.slice(0, -1)) {
    for (const statement of statements) client.run(statement);
    client.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)", [hash, atMs]);
  }
  client.close();
  expect((await serve(dataDir)).code).toBe(0);
  const copies = readdirSync(dataDir).filter((name) => name.startsWith("store.sqlite.before-"));
  expect(copies).toEqual([`store.sqlite.before-${last?.tag}`]);
  expect(statSync(join(dataDir, copies[0] ?? "")).mode & 0o077).toBe(0);
});

test("every byte of the dataset is checked a second after the server starts listening, and once a day", async () => {
  jest.useFakeTimers();
  const runtime = testRuntime();
  const { config } = loadConfig({ port: "0", dataDir: tempFolder() }, undefined, {});
  const services = openServices(config, runtime, silentLog(), "anyone");
  let checks = 0;
  const snapshots = Object.create(services.snapshots, {
    check: { value: () => Promise.resolve((checks += 1)) },
  });
  const server = startServer({ ...services, snapshots });
  try {
    jest.advanceTimersByTime(999);
    expect(checks).toBe(0);
    jest.advanceTimersByTime(1);
    expect(checks).toBe(1);
    jest.advanceTimersByTime(24 * 3_600_000);
    expect(checks).toBe(2);
  } finally {
    jest.useRealTimers();
    await server.stop(0);
    await services.close();
  }
});
