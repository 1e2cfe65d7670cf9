import { Database } from "bun:sqlite";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { isBusy } from "./faults.ts";
import { prepareFolder } from "./folder.ts";

/** The file whose lock says that a server runs on a data folder. Never open it by other means: closing it would drop the lock. */
export const SERVER_LOCK_FILE = "server.lock";

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

/** Takes the data folder for a server. @throws OperatorError when another server holds it */
export function requireServerLock(dataDir: string): ServerLock {
  const lock = takeServerLock(dataDir);
  if (lock !== null) return lock;
  throw new OperatorError(
    `Another execcomp server runs on ${dataDir}. End it first, or give this one a --data-dir and a --port of its own.`,
  );
}
