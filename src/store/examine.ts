import { messageOf } from "../errors.ts";
import { numeral } from "../lib/text.ts";
import { Database } from "bun:sqlite";
import { accessSync, constants, existsSync, readdirSync, statSync, statfsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { faultOf, restoreInto } from "./faults.ts";
import { isServed, SERVER_LOCK_FILE, STORE_FILE, storeState } from "./folder.ts";
import { appliedUpTo, migrations, newerStore } from "./migrate.ts";

/** The result of one check, with the next step if it failed. */
export interface Finding {
  check: string;
  status: "ok" | "warning" | "broken";
  /** What was found and, unless `ok`, what to do. */
  message: string;
}

/** Message for a folder whose lock is free. */
export const NO_SERVER_RUNS = "No server is running on this folder.";

/** Sizes of the write-ahead log, in bytes, that indicate that checkpoints fail. */
const LONG_LOG = 64 << 20;
const ENDLESS_LOG = 512 << 20;

/** Size of a store, in bytes, beyond which only `doctor` reads all of it, which takes seconds. */
const LONG_STORE = 256 << 20;

/** Free space below which to warn, in bytes. */
const MIN_FREE_BYTES = 100 * 1024 * 1024;

type Report = (check: string, message: string) => Finding;
const ok: Report = (check, message) => ({ check, status: "ok", message });
const warning: Report = (check, message) => ({ check, status: "warning", message });
const broken: Report = (check, message) => ({ check, status: "broken", message });

/** Checks a data folder and its store without changing them: files, permissions, space, lock, schema, damage, clock. */
export function examine(
  dataDir: string,
  nowMs: number,
  { isRecentOnly = false, editionMs = 0 }: { isRecentOnly?: boolean; editionMs?: number } = {},
): readonly Finding[] {
  if (!existsSync(dataDir)) return [absentFolder(dataDir)];
  if (!statSync(dataDir).isDirectory())
    return [broken("folder", `${dataDir} is a file. Choose a folder with --data-dir.`)];
  const path = join(dataDir, STORE_FILE);
  const findings = [folder(dataDir), space(dataDir), server(dataDir)];
  if (!existsSync(path)) {
    const why =
      storeState(dataDir) === "lost"
        ? `is missing, although a server has run on this folder: restore a backup (${restoreInto(dataDir)})`
        : "does not exist yet: the first command or server creates it";
    return [...findings, warning("store", `${path} ${why}.`)];
  }
  return [...findings, permissions(dataDir), log(path), ...inside(path, nowMs, isRecentOnly, editionMs)];
}

function absentFolder(dataDir: string): Finding {
  let above = dirname(resolve(dataDir));
  while (!existsSync(above)) above = dirname(above);
  return isUsable(above)
    ? warning("folder", `${dataDir} does not exist yet: the first command or server creates it.`)
    : broken(
        "folder",
        `${dataDir} cannot be created: ${above} is not a folder that this user may write to. Choose another with --data-dir.`,
      );
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function folder(dataDir: string): Finding {
  if (isUsable(dataDir)) return ok("folder", `${dataDir} is writable.`);
  return broken(
    "folder",
    `${dataDir} is not writable for this user: change its permissions, or choose another with --data-dir.`,
  );
}

function space(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const megabytes = numeral(Math.floor(free / 1024 / 1024));
  return free < MIN_FREE_BYTES
    ? warning("space", `Only ${megabytes} MB are free on the disk of ${dataDir}: free some.`)
    : ok("space", `${megabytes} MB are free.`);
}

function server(dataDir: string): Finding {
  // Taking the lock would create its file, from which the next start would conclude that a server has run here.
  if (!existsSync(join(dataDir, SERVER_LOCK_FILE))) return ok("server", NO_SERVER_RUNS);
  try {
    return ok("server", isServed(dataDir) ? "A server is running on this folder." : NO_SERVER_RUNS);
  } catch (error) {
    return broken("server", messageOf(error));
  }
}

/** Checks the store, its log and index, and leftovers of interrupted backups, restores and installs. */
function permissions(dataDir: string): Finding {
  const isSecret = (name: string) => name.startsWith(STORE_FILE) || name === "operator-key.pem";
  const open = readdirSync(dataDir)
    .filter(isSecret)
    .map((name) => join(dataDir, name))
    .filter((path) => process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0);
  return open.length > 0
    ? warning(
        "permissions",
        `Other users of this machine may read ${open.join(", ")}: chmod 600 ${open.join(" ")}`,
      )
    : ok("permissions", "Only this user may read the store.");
}

/** Checks for a log that only grows because checkpoints fail or a reader never ends. */
function log(path: string): Finding {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const megabytes = Math.ceil(bytes / (1 << 20));
  if (bytes < LONG_LOG) return ok("log", `The write-ahead log is ${megabytes} MB.`);
  const found = bytes < ENDLESS_LOG ? warning : broken;
  return found(
    "log",
    `The write-ahead log ${path}-wal has grown to ${megabytes} MB, because it cannot be checkpointed: stop whatever reads the store (a backup, sqlite3), check the disk, then restart the server.`,
  );
}

function inside(path: string, nowMs: number, isRecentOnly: boolean, editionMs: number): readonly Finding[] {
  let client: Database | undefined;
  try {
    client = new Database(path, { readonly: true });
    client.run("PRAGMA busy_timeout = 5000");
    const isLong = isRecentOnly && statSync(path).size > LONG_STORE;
    return [schema(client), isLong ? unread(client) : soundness(client), clock(client, nowMs, editionMs)];
  } catch (error) {
    const message =
      faultOf(error, path)?.sentence ??
      `${path} cannot be read: ${String(error)}. Restore a backup with: ${restoreInto(dirname(path))}`;
    return [broken("store", message)];
  } finally {
    client?.close();
  }
}

function schema(client: Database): Finding {
  const newest = migrations().at(-1)?.atMs ?? 0;
  const at = appliedUpTo(client);
  if (at === newest) return ok("schema", "The schema is current.");
  return at < newest
    ? warning(
        "schema",
        "The schema is from an older version: the next server or command migrates it. Back up first (execcomp backup FILE).",
      )
    : broken("schema", newerStore(client.filename));
}

/** Instead of `soundness`, which reads every page and takes minutes for ten million ledger entries. */
function unread(client: Database): Finding {
  client.query("SELECT count(*) FROM sqlite_schema").get();
  return ok("soundness", "The store opens; execcomp doctor reads all of it.");
}

function soundness(client: Database): Finding {
  const [first] = client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
  const orphan = client.query("PRAGMA foreign_key_check").get();
  const isSound = first?.integrity_check === "ok";
  if (isSound && orphan === null) return ok("soundness", "SQLite finds no damage.");
  const what = isSound ? "a dangling reference" : (first?.integrity_check ?? "nothing readable");
  return broken(
    "soundness",
    `SQLite finds ${what}. Stop the server and restore a backup with: ${restoreInto(dirname(client.filename))}`,
  );
}

/** Where the store records times, each found by an index or among the newest rows. Plain SQL: the store may be of an older version. */
const TIMES: readonly (readonly [table: string, what: string, times: string])[] = [
  ["ledger", "an entry of the ledger", "SELECT at_ms AS at FROM ledger ORDER BY id DESC LIMIT 1000"],
  ["audit", "an entry of the audit log", "SELECT max(at_ms) AS at FROM audit"],
  ["keys", "a key", "SELECT max(created_at_ms) AS at FROM keys"],
  ["sessions", "a session", "SELECT max(created_at_ms) AS at FROM sessions"],
  ["oauth_grants", "a connected app", "SELECT max(created_at_ms) AS at FROM oauth_grants"],
];

/** Time zones, and machines whose clocks differ a little. */
const DAY_MS = 86_400_000;

/** @param editionMs the day of the dataset in use, which a correct clock has reached */
function clock(client: Database, nowMs: number, editionMs: number): Finding {
  const tables = client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  const seen = TIMES.filter(([table]) => tables.some(({ name }) => name === table)).map(([, what, times]) => {
    const newest = `SELECT max(at) AS at FROM (${times})`;
    return { what, at: client.query<{ at: number | null }, []>(newest).get()?.at ?? 0 };
  });
  const [latest] = seen.toSorted((a, b) => b.at - a.at);
  const now = new Date(nowMs).toISOString();
  const isWrong = (what: string, atMs: number) =>
    warning(
      "clock",
      `The clock shows ${now}, but ${what} is from ${new Date(atMs).toISOString()}: set the clock (NTP). Rate limits, expiry and sessions depend on it.`,
    );
  if (latest !== undefined && latest.at - nowMs > 60_000) return isWrong(latest.what, latest.at);
  if (editionMs - nowMs > DAY_MS) return isWrong("the dataset in use", editionMs);
  return ok("clock", `The clock shows ${now}.`);
}
