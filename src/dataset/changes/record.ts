/**
 * Records which dataset was put into use and what changed with it. Comparing two snapshots takes a second or several, so it is
 * done in a separate process (`src/cli/dataset/changes.ts`). A copy of the last recorded snapshot is kept next to the database, to be
 * compared with the next one, whether installed, rolled back to or embedded. It is not a hard link: creating one changes a
 * file's times, which tell whether an installed snapshot has been verified.
 */
import { Database } from "bun:sqlite";
import { constants, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { embeddedBytes, openEmbeddedToServe } from "../embedded.ts";
import { installedPath, readInstalled, snapshotFolder } from "../installed.ts";
import { type OpenSnapshot, openToReadThrough, SnapshotError } from "../open.ts";
import { datasetOf } from "../reader.ts";
import { type Change, compareSnapshots } from "./compare.ts";
import { HISTORY_VERSION, historyFolder, historyPath, type RecordedEdition } from "./history.ts";

/** How much history is kept; the oldest editions are removed first. */
export interface HistoryLimits {
  changes: number;
  editions: number;
}

/** About 30 MB. */
const LIMITS: HistoryLimits = { changes: 100_000, editions: 1000 };

/** How long to wait for another process that is recording. */
const BUSY_MS = 600_000;

/** The result of recording. */
export type Recorded =
  /** The edition in use was already recorded. */
  | { kind: "unchanged" }
  /** There was nothing to compare with (first edition, or too many changes to keep): the history starts with this edition. */
  | { kind: "begun"; edition: string }
  | { kind: "recorded"; edition: string; changes: number };

/**
 * Records the dataset in use, unless it already is.
 *
 * @param now ISO time
 * @throws SnapshotError if the dataset in use cannot be read; the system's error if the history cannot be written
 */
export function recordChanges(dataDir: string, now: string, limits: HistoryLimits = LIMITS): Recorded {
  mkdirSync(historyFolder(dataDir), { recursive: true, mode: 0o700 });
  const database = openRecord(historyPath(dataDir));
  try {
    const recorded = database
      .transaction(() => recordEdition(database, dataDir, datasetInUse(dataDir), now, limits))
      .immediate();
    removeOthers(database, dataDir);
    return recorded;
  } finally {
    database.close();
  }
}

function recordEdition(
  database: Database,
  dataDir: string,
  inUse: InUse,
  now: string,
  limits: HistoryLimits,
): Recorded {
  const { contentHash, edition } = inUse;
  const latest = latestIn(database);
  if (latest?.contentHash === contentHash) return { kind: "unchanged" };
  const kept = keptPath(dataDir, contentHash);
  inUse.copyTo(kept);
  const seq = (latest?.seq ?? 0) + 1;
  database
    .query(
      `insert into editions (seq, content_hash, edition, recorded_at, previous, again, first_change)
        select ?1, ?2, ?3, ?4, ?5, (select count(*) from editions where previous = ?5 and content_hash = ?2),
          coalesce((select seq from sqlite_sequence where name = 'changes'), 0) + 1`,
    )
    .run(seq, contentHash, edition, now, latest?.contentHash ?? null);
  const before = latest === null ? null : comparable(dataDir, latest.contentHash);
  const count = before === null ? null : insertChanges(database, seq, compareSnapshots(before, kept), limits);
  if (count === null) {
    beginWith(database, seq);
    return { kind: "begun", edition };
  }
  shorten(database, limits);
  return { kind: "recorded", edition, changes: count };
}

function latestIn(database: Database): Pick<RecordedEdition, "seq" | "contentHash"> | null {
  return database
    .query<Pick<RecordedEdition, "seq" | "contentHash">, []>(
      "select seq, content_hash as contentHash from editions order by seq desc limit 1",
    )
    .get();
}

/** The path of the last recorded snapshot; null if it is missing or this version cannot read it. */
function comparable(dataDir: string, contentHash: string): string | null {
  const path = keptPath(dataDir, contentHash);
  try {
    const { database, seal } = openToReadThrough(path);
    database.close();
    return seal.contentHash === contentHash ? path : null;
  } catch (error) {
    if (error instanceof SnapshotError) return null;
    throw error;
  }
}

/** @returns the number of changes; null if there are more than can be kept */
function insertChanges(
  database: Database,
  seq: number,
  changes: Iterable<Change>,
  limits: HistoryLimits,
): number | null {
  const insert = database.query(
    `insert into changes (seq, cik, ticker, company, kind, change, fiscal_year, complete, executive_id, executive_name,
        fields, total_before, total_after, currency, form, accession, filing_date, url)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let count = 0;
  for (const one of changes) {
    if (++count > limits.changes) return null;
    const { cik, ticker, company, kind, change, fiscalYear, complete, executiveId, executiveName } = one;
    const { fields, totalBefore, totalAfter, currency, form, accession, filingDate, url } = one;
    insert.run(
      seq,
      cik,
      ticker,
      company,
      kind,
      change,
      fiscalYear,
      complete === null ? null : Number(complete),
      executiveId,
      executiveName,
      fields.join(" "),
      totalBefore,
      totalAfter,
      currency,
      form,
      accession,
      filingDate,
      url,
    );
  }
  return count;
}

/** Deletes everything before an edition. */
function beginWith(database: Database, seq: number): void {
  database.query("delete from changes where seq <= ?").run(seq);
  // Its previous edition is no longer recorded.
  database.query("update editions set previous = null where seq = ?").run(seq);
  database.query("delete from editions where seq < ?").run(seq);
}

/** Removes the oldest editions beyond the limits. */
function shorten(database: Database, limits: HistoryLimits): void {
  const kept = database.query<{ seq: number; changes: number }, []>(
    `select e.seq, (select count(*) from changes c where c.seq = e.seq) as changes from editions e order by e.seq desc`,
  );
  let changes = 0;
  let editions = 0;
  for (const one of kept.all()) {
    changes += one.changes;
    // The oldest edition loses its changes: there is no earlier edition to compare with.
    if (++editions > limits.editions || changes > limits.changes) return beginWith(database, one.seq);
  }
}

/** The dataset in use, for comparing. */
interface InUse {
  contentHash: string;
  edition: string;
  copyTo(path: string): void;
}

function datasetInUse(dataDir: string): InUse {
  const { current } = readInstalled(dataDir);
  if (current !== null) {
    const path = installedPath(dataDir, current);
    const snapshot = openToReadThrough(path);
    return { ...describe(snapshot), copyTo: (to) => copyFileSync(path, to, constants.COPYFILE_FICLONE) };
  }
  mkdirSync(snapshotFolder(dataDir), { recursive: true });
  const snapshot = openEmbeddedToServe(snapshotFolder(dataDir));
  return { ...describe(snapshot), copyTo: (to) => writeFileSync(to, embeddedBytes(), { mode: 0o600 }) };
}

function describe(snapshot: OpenSnapshot): Pick<InUse, "contentHash" | "edition"> {
  const { contentHash, edition } = datasetOf(snapshot, "installed").info;
  snapshot.database.close();
  return { contentHash, edition };
}

function keptPath(dataDir: string, contentHash: string): string {
  return join(historyFolder(dataDir), `${contentHash.slice(0, 16)}.sqlite`);
}

/** Removes all copies except the last recorded snapshot, the only one still needed. */
function removeOthers(database: Database, dataDir: string): void {
  const kept = latestIn(database)?.contentHash.slice(0, 16);
  for (const name of readdirSync(historyFolder(dataDir))) {
    if (/^[0-9a-f]{16}\.sqlite$/.test(name) && name !== `${kept}.sqlite`)
      rmSync(join(historyFolder(dataDir), name), { force: true });
  }
}

const TABLES = [
  `create table editions (seq integer primary key, content_hash text not null, edition text not null,
    recorded_at text not null, previous text, again integer not null, first_change integer not null) strict`,
  `create table changes (id integer primary key autoincrement, seq integer not null, cik integer not null,
    ticker text not null, company text not null, kind text not null, change text not null, fiscal_year integer,
    complete integer, executive_id text, executive_name text, fields text not null, total_before real,
    total_after real, currency text, form text not null, accession text not null, filing_date text, url text) strict`,
  "create index changes_of on changes (seq, cik)",
];

/** Opens the database for writing; creates it anew if it is damaged or of another version. */
function openRecord(path: string): Database {
  try {
    return openOrMake(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!(error instanceof OtherVersion) && !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
    for (const tail of ["", "-wal", "-shm"]) rmSync(path + tail, { force: true });
    return openOrMake(path);
  }
}

class OtherVersion extends Error {}

function openOrMake(path: string): Database {
  const database = new Database(path, { create: true });
  try {
    database.run(`pragma busy_timeout = ${BUSY_MS}`);
    database.run("pragma journal_mode = wal");
    database
      .transaction(() => {
        const version = database
          .query<{ user_version: number }, []>("pragma user_version")
          .get()?.user_version;
        if (version === HISTORY_VERSION) return;
        if (version !== 0) throw new OtherVersion();
        for (const statement of TABLES) database.run(statement);
        database.run(`pragma user_version = ${HISTORY_VERSION}`);
      })
      .immediate();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
