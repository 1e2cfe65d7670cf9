import { expect, test } from "bun:test";
import { closeSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type LastSelfCheck, selfCheck, runDoctor } from "../../src/operate/self-check.ts";
import { holdFolder } from "../../src/store/lock.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { startTestServer } from "../support/server.ts";
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

test("a server with a locked and intact data folder finds nothing", async () => {
  const dataDir = await store("sound");
  const held = holdFolder(dataDir);
  held.acquire();
  expect(await runDoctor(PROGRAM, dataDir)).toMatchObject({ troubles: [], isUnlocked: false });
  held.release();
});

test("a data folder that another process could lock is reported", async () => {
  const dataDir = await store("unlocked");
  expect((await runDoctor(PROGRAM, dataDir))?.isUnlocked).toBe(true);
});

test("damage in any table and a log that keeps growing are found", async () => {
  const dataDir = await store("damaged");
  const path = join(dataDir, "store.sqlite");
  const file = openSync(path, "r+");
  // The last page belongs to a table that has not been read.
  writeSync(file, Buffer.alloc(2048, 0xff), 0, 2048, statSync(path).size - 4096);
  closeSync(file);
  const found = await runDoctor(PROGRAM, dataDir);
  expect(found?.troubles.map(({ status }) => status)).toContain("broken");
  const long = await store("long");
  writeFileSync(join(long, "store.sqlite-wal"), "");
  truncateSync(join(long, "store.sqlite-wal"), 600 << 20);
  const grown = await runDoctor(PROGRAM, long);
  expect(grown?.troubles.find(({ check }) => check === "log")).toMatchObject({ status: "broken" });
});

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
    return selfCheck(examined, [process.execPath, program], { dataDir: folder, store: "" }, 7);
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

test("findings appear in /readyz until they are fixed", async () => {
  const server = await startTestServer();
  expect((await server.get("/readyz")).status).toBe(200);
  server.services.examined.broken = ["The store is damaged."];
  const answer = await server.get("/readyz");
  expect([answer.status, await answer.text()]).toEqual([503, "The store is damaged.\n"]);
  await server.stop();
});

test("on a machine that allows no further process, nothing is concluded", async () => {
  expect(await runDoctor(["/nonexistent/execcomp"], folder)).toBeNull();
  expect(await runDoctor(["true"], folder)).toBeNull();
});
