import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { OperatorError, messageOf } from "../errors.ts";

/** The store's file inside the data folder. */
export const STORE_FILE = "store.sqlite";

/** The file whose lock says that a server runs on a data folder. Never open it by other means: closing it would drop the lock. */
export const SERVER_LOCK_FILE = "server.lock";

/**
 * What a data folder says of its store before it is opened: `there`; `new`, because nothing ever ran on the folder; or
 * `lost`, because something did and the store is gone or empty.
 */
export function storeState(dataDir: string): "there" | "new" | "lost" {
  const store = statSync(join(dataDir, STORE_FILE), { throwIfNoEntry: false });
  if (store !== undefined && store.size > 0) return "there";
  return existsSync(join(dataDir, SERVER_LOCK_FILE)) ? "lost" : "new";
}

/** Makes the data folder where it is missing, for this user only. @throws OperatorError naming `--data-dir` */
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
