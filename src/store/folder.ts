import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Lock, replaceFile, takeLock } from "../files.ts";
import { OperatorError, messageOf } from "../errors.ts";

/** The store's file inside the data folder. */
export const STORE_FILE = "store.sqlite";

/** Locked while a server uses the data folder. */
export const SERVER_LOCK_FILE = "server.lock";

/** Holds the origin of the server that last ran on the data folder. */
const SERVER_URL_FILE = "server-url";

/** Stores the origin of a server for commands that print links to it, if the folder is writable. */
export function keepServerUrl(dataDir: string, origin: string): void {
  try {
    replaceFile(join(dataDir, SERVER_URL_FILE), `${origin}\n`);
  } catch {
    // On a full or read-only disk the server runs anyway, and links need --public-url.
  }
}

/** The origin of the server that last ran on the data folder; null if none is known. */
export function lastServerUrl(dataDir: string): string | null {
  try {
    const origin = readFileSync(join(dataDir, SERVER_URL_FILE), "utf8").trim();
    return URL.canParse(origin) && new URL(origin).origin === origin ? origin : null;
  } catch {
    return null;
  }
}

/**
 * The state of the store in a data folder, before opening it: `there`; `new` if nothing has run on the folder; or
 * `lost` if something has, but the store is missing or empty.
 */
export function storeState(dataDir: string): "there" | "new" | "lost" {
  const store = statSync(join(dataDir, STORE_FILE), { throwIfNoEntry: false });
  if (store !== undefined && store.size > 0) return "there";
  return existsSync(join(dataDir, SERVER_LOCK_FILE)) ? "lost" : "new";
}

/** Creates the data folder if it is missing, accessible to this user only. @throws OperatorError naming `--data-dir` */
export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = messageOf(cause);
    throw new OperatorError(
      `Cannot create the data folder ${dataDir} (${reason}). Choose another with --data-dir.`,
    );
  }
}

/** Locks the data folder for a server; null if another one has it. @throws OperatorError naming `--data-dir` */
export function takeServerLock(dataDir: string): Lock | null {
  prepareFolder(dataDir);
  return takeLock(join(dataDir, SERVER_LOCK_FILE));
}

/** Whether a server has locked the data folder. */
export function isServed(dataDir: string): boolean {
  const lock = takeServerLock(dataDir);
  lock?.release();
  return lock === null;
}

/** Another server has locked the data folder. */
export class FolderInUseError extends OperatorError {}

/** A server's data folder, locked once it is usable. */
export class HeldFolder {
  private lock: Lock | null = null;

  constructor(private readonly dataDir: string) {}

  /**
   * Acquires the lock unless already held.
   * @throws FolderInUseError when another server holds it, OperatorError when the folder is unusable
   */
  acquire(): void {
    this.lock ??= takeServerLock(this.dataDir);
    if (this.lock !== null) return;
    throw new FolderInUseError(
      `Another execcomp server is running on ${this.dataDir}. Stop it, or give this one its own --data-dir and --port.`,
    );
  }

  release(): void {
    this.lock?.release();
    this.lock = null;
  }
}
