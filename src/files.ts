/** Files that are written completely or not at all, and survive a power failure; locks that end with their process. */
import { Database, SQLiteError } from "bun:sqlite";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf, messageOf, OperatorError } from "./errors.ts";

/** Errors from systems and file systems that cannot flush a directory. */
const CANNOT_FLUSH = new Set(["EPERM", "EINVAL", "EISDIR", "ENOTSUP"]);

/** Flushes a file or folder to disk. @throws the system's error */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } catch (error) {
    if (!CANNOT_FLUSH.has(codeOf(error))) throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file atomically: readers see the old content or the new. Does not flush.
 * @param mode permissions of a new file
 */
export function replaceFile(file: string, text: string, mode = 0o666): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, text, { mode });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** @throws OperatorError in words unless the path is that of a file which this user may read */
export function requireFile(path: string): void {
  let reason = "it is not a file";
  try {
    if (statSync(path).isFile()) return accessSync(path, constants.R_OK);
  } catch (cause) {
    reason = messageOf(cause);
  }
  throw new OperatorError(`Cannot read ${path || "the file"}: ${reason}.`);
}

/** @throws OperatorError in words unless the path is that of a folder, whatever this user may do in it */
export function requireFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new OperatorError(`There is no folder ${path}. Create it, or use another path.`);
  if (!found.isDirectory()) throw new OperatorError(`${path} is a file, not a folder. Use another path.`);
}

/** A lock held until it is released or the process ends, by whatever cause. */
export interface Lock {
  release(): void;
}

/**
 * Locks a file, creating it if it is missing; null while another holds it. Uses SQLite's file lock, which works the same
 * on every system and leaves nothing behind when the process is killed. Never open the file elsewhere: closing any
 * descriptor drops the lock.
 * @throws OperatorError if the file cannot be written
 */
export function takeLock(file: string): Lock | null {
  let client: Database | undefined;
  try {
    client = new Database(file, { create: true, readwrite: true });
    client.run("PRAGMA busy_timeout = 0");
    client.run("PRAGMA journal_mode = MEMORY");
    client.run("BEGIN EXCLUSIVE");
  } catch (error) {
    client?.close();
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) return null;
    throw new OperatorError(
      `Cannot write to ${dirname(file)} (${whyUnwritable(dirname(file)) ?? messageOf(error)}). Give this user write permission to it, or choose another data folder with --data-dir.`,
    );
  }
  const held = client;
  return { release: () => held.close() };
}

/** Why files cannot be created in a folder, in words; null if they can. */
function whyUnwritable(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (cause) {
    return messageOf(cause);
  }
}
