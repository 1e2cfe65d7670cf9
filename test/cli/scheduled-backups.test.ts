import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupDeps, dueInMs, makeBackup } from "../../src/jobs/backups.ts";
import { createLog } from "../../src/log.ts";
import { restore } from "../../src/store/backup.ts";
import { startTestServer } from "../support/server.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const DAY_MS = 86_400_000;

function deps(place: string, dataDir: string, keep = 3) {
  const lines: Record<string, unknown>[] = [];
  const outcomes: string[] = [];
  const details: string[] = [];
  let nowMs = Date.UTC(2026, 10, 1, 3);
  const made: BackupDeps = {
    config: { dataDir, backupDir: join(folder, place), backupEvery: DAY_MS, backupKeep: keep },
    program: PROGRAM,
    now: () => nowMs,
    log: createLog({ now: () => nowMs }, (line) => lines.push(JSON.parse(line))),
    onEnd: (outcome, detail) => void [outcomes.push(outcome), details.push(detail)],
  };
  return { ...made, lines, outcomes, details, nextDay: () => (nowMs += DAY_MS) };
}

test("a running server makes backups and keeps the newest, and one restores key and credits", async () => {
  const server = await startTestServer();
  const key = await server.createKey();
  const one = deps("kept", server.services.config.dataDir, 2);
  mkdirSync(join(folder, "kept"));
  writeFileSync(join(folder, "kept", "mine.sqlite"), "not ours");
  for (let day = 0; day < 3; day++) {
    expect(await makeBackup(one)).toBe(true);
    one.nextDay();
  }
  expect(readdirSync(join(folder, "kept")).toSorted()).toEqual([
    "execcomp-20261102T030000Z.sqlite",
    "execcomp-20261103T030000Z.sqlite",
    "mine.sqlite",
  ]);
  expect(one.outcomes).toEqual(["made", "made", "made"]);
  expect(one.lines.at(-1)).toMatchObject({ event: "backup_made", deleted: 1 });
  expect(statSync(join(folder, "kept", "execcomp-20261103T030000Z.sqlite")).mode & 0o777).toBe(0o600);
  await server.stop();
  const dataDir = join(folder, "restored");
  mkdirSync(dataDir);
  await restore(dataDir, join(folder, "kept", "execcomp-20261103T030000Z.sqlite"), 0);
  const again = await startTestServer({ dataDir });
  expect((await again.get("/api/executive-compensation?ticker=AAPL", { key })).status).toBe(200);
  await again.stop();
});

test("a failed backup is reported with its reason, and deletes nothing", async () => {
  const server = await startTestServer();
  const one = deps("failing", server.services.config.dataDir, 1);
  expect(await makeBackup(one)).toBe(true);
  // The same moment again: its file already exists.
  expect(await makeBackup(one)).toBe(false);
  expect(one.lines.at(-1)).toMatchObject({ event: "backup_failed", level: "error" });
  expect(String(one.lines.at(-1)?.["message"])).toContain("already exists");
  expect(one.details).toEqual([
    "execcomp-20261101T030000Z.sqlite",
    expect.stringContaining("already exists"),
  ]);
  const nowhere = deps("failing/execcomp-20261101T030000Z.sqlite/below", server.services.config.dataDir);
  expect(await makeBackup(nowhere)).toBe(false);
  expect(nowhere.outcomes).toEqual(["failed"]);
  const storeless = deps("storeless", join(folder, "no-store"));
  expect(await makeBackup(storeless)).toBe(false);
  expect(existsSync(join(folder, "failing", "execcomp-20261101T030000Z.sqlite"))).toBe(true);
  await server.stop();
});

test("a restart does not make one early, and makes an overdue one", () => {
  const place = join(folder, "due");
  mkdirSync(place);
  const now = Date.UTC(2026, 10, 2, 12);
  expect(dueInMs(place, DAY_MS, now)).toBe(0);
  expect(dueInMs(join(folder, "never-made"), DAY_MS, now)).toBe(0);
  writeFileSync(join(place, "execcomp-20261102T060000Z.sqlite"), "");
  writeFileSync(join(place, "execcomp-20261101T060000Z.sqlite"), "");
  writeFileSync(join(place, "execcomp-latest.sqlite"), "");
  expect(dueInMs(place, DAY_MS, now)).toBe(DAY_MS * 0.75);
  expect(dueInMs(place, 3_600_000, now)).toBe(0);
});
