import { Database } from "bun:sqlite";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { isBusy } from "./faults.ts";
import { prepareFolder, SERVER_LOCK_FILE } from "./folder.ts";

/** A lock that is held until released or until the process ends, however it ends. */
export interface ServerLock {
  release(): void;
}

/**
 * Takes the data folder for a server; null when another one holds it. SQLite's own file lock does the work: it is
 * the same on every system and a killed process leaves nothing behind.
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

/** Another server holds the data folder. */
export class FolderInUseError extends OperatorError {}

/** The data folder of one server, whose lock is taken when the folder can be used. */
export interface HeldFolder extends ServerLock {
  /**
   * Takes the lock unless it is held already.
   * @throws FolderInUseError when another server holds it, OperatorError when the folder cannot be used
   */
  acquire(): void;
}

/** A server's hold on its data folder; nothing is taken yet. */
export function holdFolder(dataDir: string): HeldFolder {
  let lock: ServerLock | null = null;
  return {
    acquire() {
      lock ??= takeServerLock(dataDir);
      if (lock !== null) return;
      throw new FolderInUseError(
        `Another execcomp server runs on ${dataDir}. Stop it, or give this one its own --data-dir and --port.`,
      );
    },
    release() {
      lock?.release();
      lock = null;
    },
  };
}
