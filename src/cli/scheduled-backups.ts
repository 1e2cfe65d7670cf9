/**
 * Backups that the server makes by itself: each in a process of its own, so that copying a large store holds up no answer,
 * and checked (`store/backup.ts` opens every copy and reads each of its pages) before it has its name.
 */
import { runProgram } from "../admin/program.ts";
import { messageOf } from "../errors.ts";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";

/** What a scheduled backup needs. */
export interface BackupDeps {
  config: Pick<Config, "dataDir" | "backupDir" | "backupEvery" | "backupKeep">;
  /** What starts this program, before the command. */
  program: readonly string[];
  /** Milliseconds since the epoch. */
  now(): number;
  log: Log;
  /** Told of each. @param file the name of the one that was made */
  onEnd(outcome: "made" | "failed", file?: string): void;
}

const NAME = /^execcomp-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/;
/** A server that has just started has other things to do. */
const FIRST_MS = 10_000;
/** How long after a failure it is tried again. */
const RETRY_MS = 15 * 60_000;

/** Makes backups as often as is set, beginning where the folder's newest leaves off. @returns what ends it */
export function scheduleBackups(deps: BackupDeps): () => void {
  const { backupDir, backupEvery } = deps.config;
  if (backupDir === "") return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => void run(), ms);
    timer.unref();
  };
  const run = async () => wait((await makeBackup(deps)) ? backupEvery : Math.min(RETRY_MS, backupEvery));
  wait(Math.max(FIRST_MS, dueInMs(backupDir, backupEvery, deps.now())));
  return () => clearTimeout(timer);
}

/** How long until the next backup is due; 0 where there is none yet. */
export function dueInMs(folder: string, everyMs: number, nowMs: number): number {
  const newest = backupsIn(folder).at(-1);
  return newest === undefined ? 0 : Math.max(0, newest.atMs + everyMs - nowMs);
}

/** Makes one, then deletes the oldest beyond those that are kept. @returns whether there is one more */
export async function makeBackup({ config, program, now, log, onEnd }: BackupDeps): Promise<boolean> {
  const { backupDir, dataDir, backupKeep } = config;
  const failed = (message: string) => {
    log.error("backup_failed", { folder: backupDir, message });
    onEnd("failed");
    return false;
  };
  try {
    mkdirSync(backupDir, { recursive: true, mode: 0o700 });
    const file = join(backupDir, nameAt(now()));
    const { code, err } = await runProgram(program, ["backup", file, "--by-server", "--data-dir", dataDir]);
    if (code !== 0) return failed(err);
    const deleted = deleteOldest(backupDir, backupKeep);
    log.info("backup_made", { file, bytes: statSync(file).size, deleted });
    onEnd("made", basename(file));
    return true;
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** The newest are kept; what has another name is none of ours. @returns how many went */
function deleteOldest(folder: string, keep: number): number {
  const old = backupsIn(folder).slice(0, -keep);
  for (const { name } of old) rmSync(join(folder, name));
  return old.length;
}

/** Our backups in a folder, oldest first. */
function backupsIn(folder: string): { name: string; atMs: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => {
      const [whole, ...parts] = NAME.exec(name) ?? [];
      if (whole === undefined) return [];
      const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
      return [{ name, atMs: Date.UTC(year, month - 1, day, hour, minute, second) }];
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}

function nameAt(nowMs: number): string {
  return `execcomp-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.sqlite`;
}
