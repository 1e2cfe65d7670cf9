/**
 * Backups made by a running server: each in a separate process, so that copying a large store does not delay requests, and
 * verified before it gets its final name (`store/backup.ts` opens every copy and reads all of its pages).
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Config } from "../config/settings.ts";
import { codeOf, messageOf, OperatorError } from "../errors.ts";
import type { Log } from "../log.ts";
import { outputOf, type Program, repeat } from "./program.ts";
import { DAY_MS } from "../domain/fiscal-year.ts";

/** Dependencies of scheduled backups. */
export interface BackupDeps {
  config: Pick<Config, "dataDir" | "backupDir" | "backupEvery" | "backupKeep">;
  /** The command line that starts this program, without the command. */
  program: Program;
  /** Milliseconds since the epoch. */
  now(): number;
  log: Log;
  /** Called after each backup. @param detail the name of the new backup, or why there is none */
  onEnd(outcome: "made" | "failed", detail: string): void;
}

const NAME = /^execcomp-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/;
/** Delay of the first backup, while the server is busy starting. */
const FIRST_MS = 10_000;
/** Delay after a failure. */
const RETRY_MS = 15 * 60_000;

/** Makes backups at the configured interval, counted from the newest in the folder. @returns a function that stops it */
export function scheduleBackups(deps: BackupDeps): () => void {
  const { backupDir, backupEvery } = deps.config;
  if (backupDir === "") return () => {};
  const firstMs = Math.max(FIRST_MS, dueInMs(backupDir, backupEvery, deps.now()));
  const make = async () => ((await makeBackup(deps)) ? backupEvery : Math.min(RETRY_MS, backupEvery));
  return repeat(firstMs, make);
}

/** The day of the newest backup in a folder; null without one. */
export function newestBackup(folder: string): string | null {
  return backupsIn(folder).at(-1)?.replace(NAME, "$1-$2-$3") ?? null;
}

/**
 * Tries to write where backups go. What it creates it deletes: a folder made by whoever checks the settings, such as root,
 * would refuse the server's own user.
 * @throws OperatorError naming the folder
 */
export function tryBackupFolder(folder: string): void {
  const trial = join(folder, `.execcomp-trial-${process.pid}`);
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(trial, "trial", { mode: 0o600 });
    rmSync(trial);
    if (made !== undefined) rmSync(made, { recursive: true });
  } catch (error) {
    throw new OperatorError(
      `Cannot write backups to ${folder} (${messageOf(error)}). ${isForbidden(error) ? "Give this user write permission to it, or choose" : "Choose"} another folder with --backup-dir.`,
    );
  }
}

/** Whether somebody else may do what failed. */
function isForbidden(error: unknown): boolean {
  return /^(EACCES|EPERM)$/.test(codeOf(error));
}

/** Milliseconds until the next backup is due; 0 if there is none yet. */
export function dueInMs(folder: string, everyMs: number, nowMs: number): number {
  const newest = backupsIn(folder).at(-1);
  if (newest === undefined) return 0;
  return Math.max(0, Date.parse(newest.replace(NAME, "$1-$2-$3T$4:$5:$6Z")) + everyMs - nowMs);
}

/** Makes a backup, then deletes the oldest ones. @returns whether a backup was made */
export async function makeBackup({ config, program, now, log, onEnd }: BackupDeps): Promise<boolean> {
  const { backupDir, dataDir, backupKeep } = config;
  try {
    mkdirSync(backupDir, { recursive: true, mode: 0o700 });
    const time = new Date(now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
    const file = join(backupDir, `execcomp-${time}Z.sqlite`);
    await copyStore(program, file, dataDir);
    const old = backupsIn(backupDir).slice(0, -backupKeep);
    for (const name of old) rmSync(join(backupDir, name));
    log.info("backup_made", { file, bytes: statSync(file).size, deleted: old.length });
    onEnd("made", basename(file));
    return true;
  } catch (error) {
    log.error("backup_failed", { folder: backupDir, message: messageOf(error) });
    onEnd("failed", messageOf(error));
    return false;
  }
}

function copyStore(program: Program, file: string, dataDir: string): Promise<string> {
  return outputOf(program, ["backup", file, "--by-server", "--data-dir", dataDir]);
}

/** The names of the backups in a folder, oldest first. */
function backupsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .toSorted();
  } catch {
    return [];
  }
}

/** A copy of the store to be downloaded. */
export type BackupCopy = Awaited<ReturnType<typeof copyForDownload>>;

const DOWNLOAD_NAME = /^download-[0-9a-z-]+\.sqlite(\.part)?$/;
/**
 * Copies the store next to itself and checks the copy, like any backup, for a single download.
 *
 * @param id used in the name of the copy
 * @throws OperatorError if it cannot be made: the disk is full, or the store is damaged
 */
export async function copyForDownload(program: Program, dataDir: string, id: string, nowMs: number) {
  deleteStale(dataDir, nowMs);
  const file = join(dataDir, `download-${id}.sqlite`);
  await copyStore(program, file, dataDir);
  return {
    bytes: statSync(file).size,
    stream: () => Bun.file(file).stream(),
    /** Deletes the copy; idempotent. */
    discard: () => rmSync(file, { force: true }),
  };
}

/** Deletes copies left by a server that was killed. */
function deleteStale(dataDir: string, nowMs: number): void {
  for (const name of readdirSync(dataDir)) {
    const file = join(dataDir, name);
    const age = DOWNLOAD_NAME.test(name)
      ? nowMs - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs)
      : 0;
    if (age > DAY_MS) rmSync(file, { force: true });
  }
}
