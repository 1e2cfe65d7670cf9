/**
 * The store work that a budget adds to the bare server: our statements on a copy of the same store, without our rules,
 * caches and queues around them.
 */
import { Database } from "bun:sqlite";
import { fdatasync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../src/store/folder.ts";

/** The steps that are added, in order; each includes all earlier ones. */
export const STORE_STEPS = {
  /** For a charged answer. */
  charged: ["waits", "flushed", "stored"],
  /** For a key that is not in memory. */
  found: ["found", "noted"],
} as const;
export type StoreStep = (typeof STORE_STEPS)["charged" | "found"][number];

/** As `store/commit.ts`. */
const MAX_TURNS = 3;
/** For a charge over one connection: one page each for balance, entry and windows. */
const PAGES_BYTES = 3 * (4096 + 24);
/** How often uses are recorded, and how many per commit, as in `store/open.ts` and `accounts/keys.ts`. */
const NOTED_EVERY_MS = 500;
const NOTED_AT_MOST = 500;

/** Resolves a batch once the step's condition is met. @param dataDir a separate store */
export function gathering(step: (typeof STORE_STEPS)["charged"][number], dataDir: string) {
  let waiting: { hash: string; resolve: () => void }[] = [];
  let turns = 0;
  let arrived = 0;
  let last = 0;
  let flushing = false;
  const write = step === "stored" ? chargeWriter(dataDir) : undefined;
  const log =
    step === "waits"
      ? null
      : openSync(
          join(dataDir, write === undefined ? "pages" : `${STORE_FILE}-wal`),
          write === undefined ? "w" : "r+",
        );
  const pages = Buffer.alloc(PAGES_BYTES, 1);
  const begin = () => {
    [turns, arrived] = [0, 0];
    setImmediate(gather);
  };
  const gather = () => {
    if (waiting.length > arrived && waiting.length < last && turns < MAX_TURNS) {
      arrived = waiting.length;
      turns += 1;
      setImmediate(gather);
      return;
    }
    const batch = waiting;
    waiting = [];
    last = batch.length;
    const done = () => {
      for (const { resolve } of batch) resolve();
      flushing = false;
      if (waiting.length > 0) start();
    };
    if (log === null) return done();
    if (write === undefined) writeSync(log, pages, 0, pages.length, 0);
    else write(batch.map(({ hash }) => hash));
    fdatasync(log, done);
  };
  const start = () => {
    flushing = true;
    begin();
  };
  return (hash: string) =>
    new Promise<void>((resolve) => {
      waiting.push({ hash, resolve });
      if (!flushing) start();
    });
}

function open(dataDir: string): Database {
  const db = new Database(join(dataDir, STORE_FILE), { readwrite: true, strict: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = NORMAL");
  db.run("PRAGMA foreign_keys = ON");
  return db;
}

interface Balance {
  user: string;
  credits: number;
  entries: number;
  newest: number | null;
}

/** Entries, balances and a line of the windows, in one transaction. */
function chargeWriter(dataDir: string): (hashes: readonly string[]) => void {
  const db = open(dataDir);
  const find = db.query<Balance, [string]>(
    "SELECT b.user_id AS user, balance_credits AS credits, entries, newest_entry AS newest FROM balances b" +
      " JOIN keys k ON k.user_id = b.user_id WHERE k.hash = ?",
  );
  const entry = db.query(
    "INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)" +
      " VALUES (?, ?, ?, ?, ?, 'charged', -1, ?, 'getExecutiveCompensation', 'AAPL', ?)",
  );
  const update = db.query(
    "UPDATE balances SET balance_credits = ?, entries = ?, newest_entry = ?, day = ?, day_credits = ?, day_charges = ? WHERE user_id = ?",
  );
  const windows = db.query("INSERT INTO window_hits (writer, at_ms, hits) VALUES ('bare', ?, ?)");
  const [begin, commit] = [db.query("BEGIN IMMEDIATE"), db.query("COMMIT")];
  let id = db.query<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM ledger").get()?.id ?? 0;
  const balances = new Map<string, Balance | null>();
  return (hashes) => {
    begin.run();
    const changed = new Set<Balance>();
    for (const hash of hashes) {
      let balance = balances.get(hash);
      if (balance === undefined) balances.set(hash, (balance = find.get(hash)));
      if (balance === null) continue;
      id += 1;
      balance.credits -= 1;
      balance.entries += 1;
      const request = `01981d1e-0000-7000-8000-000000000000.${id}`;
      entry.run(id, balance.user, balance.entries, balance.newest, Date.now(), balance.credits, request);
      balance.newest = id;
      changed.add(balance);
    }
    for (const { credits, entries, newest, user } of changed) {
      update.run(credits, entries, newest, 20_000, 1, 1, user);
    }
    windows.run(
      Date.now(),
      JSON.stringify({ "key:01981d1e-0000-7000-8000-000000000000": hashes.map(() => 0) }),
    );
    commit.run();
  };
}

/** Looks up keys that have not been used yet, and records their use if the step includes that. */
export function finding(step: (typeof STORE_STEPS)["found"][number], dataDir: string) {
  const db = open(dataDir);
  const find = db.query<{ id: string; user: string }, [string]>(
    "SELECT k.id, k.user_id AS user FROM keys k WHERE k.hash = ? AND (SELECT 1 FROM users u WHERE u.id = k.user_id" +
      " AND u.disabled_at_ms IS NULL AND u.deleted_at_ms IS NULL) = 1",
  );
  const balance = db.query("SELECT balance_credits, unmetered FROM balances WHERE user_id = ?");
  const use = db.query("UPDATE keys SET last_used_at_ms = ?, last_used_address = '127.0.0.1' WHERE id = ?");
  const known = new Map<string, string>();
  let used: string[] = [];
  if (step === "noted") {
    const log = openSync(join(dataDir, `${STORE_FILE}-wal`), "r+");
    const note = () => {
      const some = used.splice(0, NOTED_AT_MOST);
      if (some.length === 0) return;
      db.transaction(() => {
        for (const id of some) use.run(Date.now(), id);
      })();
      fdatasync(log, note);
    };
    setInterval(note, NOTED_EVERY_MS);
  }
  return (hash: string): void => {
    if (known.has(hash)) return;
    const row = find.get(hash);
    if (row === null) return;
    known.set(hash, row.id);
    balance.get(row.user);
    used.push(row.id);
    if (step === "found") used = [];
  };
}
