import { Database } from "bun:sqlite";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { isBusy } from "./faults.ts";
import { prepareFolder, SERVER_LOCK_FILE } from "./folder.ts";

/** A lock held until it is released or the process ends, by whatever cause. */
export interface ServerLock {
  release(): void;
}

/**
 * Locks the data folder for a server; null if another one has it. Uses SQLite's file lock, which works the same on
 * every system and leaves nothing behind when the process is killed.
 */
export function takeServerLock(dataDir: string): ServerLock | null {
  const path = join(dataDir, SERVER_LOCK_FILE);
  prepareFolder(dataDir);
  let client: Database | undefined;
  try {
    client = new Database(path, { create: true, readwrite: true });
    client.run("PRAGMA busy_timeout = 0");
    client.run("PRAGMA journal_mode = MEMORY");
    client.run("BEGIN EXCLUSIVE");
    const held = client;
    return { release: () => held.close() };
  } catch (error) {
    client?.close();
    if (isBusy(error)) return null;
    throw new OperatorError(
      `Cannot write to the data folder ${dataDir} (${String(error)}). Give this user write permission to it, or choose another with --data-dir.`,
    );
  }
}

/** Another server has locked the data folder. */
export class FolderInUseError extends OperatorError {}

/** A server's data folder, locked once it is usable. */
export interface HeldFolder extends ServerLock {
  /**
   * Acquires the lock unless already held.
   * @throws FolderInUseError when another server holds it, OperatorError when the folder is unusable
   */
  acquire(): void;
}

/** Returns a server's lock on its data folder, not yet acquired. */
export function holdFolder(dataDir: string): HeldFolder {
  let lock: ServerLock | null = null;
  return {
    acquire() {
      lock ??= takeServerLock(dataDir);
      if (lock !== null) return;
      throw new FolderInUseError(
        `Another execcomp server is running on ${dataDir}. Stop it, or give this one its own --data-dir and --port.`,
      );
    },
    release() {
      lock?.release();
      lock = null;
    },
  };
}
