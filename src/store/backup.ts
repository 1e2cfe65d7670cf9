/** Copies of the store: its backup and restore, and a copy into another of either kind, which is then compared. */
import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSystemError, OperatorError, messageOf } from "../errors.ts";
import { flush, requireFile, requireFolder } from "../files.ts";
import { faultOf } from "./faults.ts";
import { STORE_FILE, takeServerLock } from "./folder.ts";
import { appliedUpTo, migrations } from "./migrate.ts";
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { audit } from "./audit.ts";
import { identities } from "./schema.ts";
import { oauthClients, oauthCodes, oauthGrants, oauthRequests, oauthTokens } from "./oauth-schema.ts";
import * as schema from "./schema.ts";
import type { StatementValue, Store } from "./store.ts";

/**
 * Writes a consistent copy of the store while the server keeps writing. The file is complete or absent.
 * @throws OperatorError when there is no store, or the file exists
 */
export function backUp(dataDir: string, file: string): void {
  const source = join(dataDir, STORE_FILE);
  if (!existsSync(source))
    throw new OperatorError(`There is no store in ${dataDir} to back up (--data-dir).`);
  if (existsSync(file))
    throw new OperatorError(`${file} already exists. Choose another name: a backup is never overwritten.`);
  requireFolder(dirname(resolve(file)));
  requireFile(source);
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  const client = new Database(source, { readwrite: true });
  try {
    client.run("PRAGMA busy_timeout = 5000");
    // Created first with private permissions, so that no other user can read it while it is being written.
    closeSync(openSync(unfinished, "wx", 0o600));
    client.query("VACUUM INTO ?").run(unfinished);
    requireSound(unfinished, source);
    flush(unfinished);
    renameSync(unfinished, file);
    flush(dirname(resolve(file)));
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof OperatorError || isSystemError(error)) throw error;
    if (faultOf(error, file)?.kind === "full")
      throw new OperatorError(`No space is left for ${file}. Free some, or use another disk.`);
    throw new OperatorError(`Cannot back up ${source} to ${file}: ${messageOf(error)}. Run execcomp doctor.`);
  } finally {
    client.close();
  }
}

/**
 * Replaces the store by a backup and keeps the previous store next to it. Changes nothing unless the backup is intact
 * and no server uses the data folder.
 *
 * @param atMs used in the name of the previous store
 * @returns path of the previous store; null if there was none
 * @throws OperatorError saying what prevents it
 */
export async function restore(dataDir: string, file: string, atMs: number): Promise<string | null> {
  requireFile(file);
  requireSound(file);
  const lock = takeServerLock(dataDir);
  if (lock === null)
    throw new OperatorError(`A server is running on ${dataDir}. Stop it, restore, and start it again.`);
  const target = join(dataDir, STORE_FILE);
  const incoming = `${target}.incoming`;
  try {
    removeLog(incoming);
    await copyWithLog(file, incoming);
    if (existsSync(`${incoming}-wal`)) emptyLog(incoming);
    removeLog(incoming);
    flush(incoming);
    const aside = existsSync(target)
      ? `${target}.before-${new Date(atMs).toISOString().replaceAll(/[:.]/g, "-")}`
      : null;
    if (aside !== null) await setAside(target, aside);
    // Without its log, the old file can be replaced in one step, so that a complete store exists at all times.
    removeLog(target);
    renameSync(incoming, target);
    flush(dataDir);
    return aside;
  } catch (error) {
    rmSync(incoming, { force: true });
    removeLog(incoming);
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Cannot restore ${file} to ${target}: ${messageOf(error)}. Nothing was changed.`);
  } finally {
    lock.release();
  }
}

/** Copies a store including its log, or the separate files if it is damaged. */
async function setAside(target: string, aside: string): Promise<void> {
  try {
    emptyLog(target);
  } catch {
    // Too damaged to open; its files are copied unchanged.
  }
  await copyWithLog(target, aside);
}

async function copyWithLog(from: string, to: string): Promise<void> {
  for (const tail of ["", "-wal"]) {
    if (!existsSync(from + tail)) continue;
    await copyFile(from + tail, to + tail);
    chmodSync(to + tail, 0o600);
    flush(to + tail);
  }
}

/** Moves what only the write-ahead log has into the file. */
function emptyLog(file: string): void {
  const client = new Database(file, { readwrite: true });
  try {
    client.run("PRAGMA busy_timeout = 5000");
    client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    client.close();
  }
}

function removeLog(file: string): void {
  for (const tail of ["-wal", "-shm"]) rmSync(file + tail, { force: true });
}

/** @param copied what the file was just copied from @throws OperatorError unless the file is an intact store that this version can read */
function requireSound(file: string, copied?: string): void {
  let client: Database | undefined;
  const hasLog = existsSync(`${file}-wal`);
  try {
    client = new Database(file, { readonly: true });
    const newest = appliedUpTo(client);
    if (newest === 0) throw new OperatorError(`${file} is not an execcomp backup.`);
    if (newest > (migrations().at(-1)?.atMs ?? 0)) {
      throw new OperatorError(
        copied === undefined
          ? `${file} was made by a newer version of execcomp: use that version to restore it.`
          : `${copied} was written by a newer version of execcomp: use that version to back it up.`,
      );
    }
    const rows = client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    if (rows[0]?.integrity_check !== "ok") {
      throw new OperatorError(`${file} is damaged (${rows[0]?.integrity_check ?? "unreadable"}).`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} is not an execcomp backup, or is damaged: ${messageOf(error)}.`);
  } finally {
    client?.close();
    // SQLite leaves an empty one where it only reads.
    if (!hasLog) removeLog(file);
  }
}

/** Ordered by their references. Rate limits are not copied: they expire within a minute. */
const TABLES: readonly SQLiteTable[] = [
  schema.users,
  schema.sessions,
  schema.links,
  schema.signInFailures,
  schema.keys,
  schema.balances,
  schema.ledger,
  schema.rolledLedger,
  schema.chargedDays,
  schema.pageOpenings,
  schema.peerGroups,
  audit,
  identities,
  oauthClients,
  oauthRequests,
  oauthGrants,
  oauthCodes,
  oauthTokens,
];

/** Figures that must agree between source and copy. */
export interface TableSums {
  table: string;
  rows: number;
  /** Sum of all integers. */
  sum: string;
  /** SHA-256 of the rows in key order, hexadecimal. */
  sha256: string;
}

/** Rows per read and write. */
const PAGE = 500;

type StatementRow = Record<string, StatementValue>;

interface Shape {
  name: string;
  columns: readonly string[];
  key: readonly string[];
}

function shapeOf(table: SQLiteTable): Shape {
  const { name, primaryKeys } = getTableConfig(table);
  const columns = Object.values(getTableColumns(table));
  const [composed] = primaryKeys;
  const key = composed?.columns ?? columns.filter(({ primary }) => primary);
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
const places = (count: number) => Array.from({ length: count }, () => "?").join(", ");

/**
 * Copies every table into an unused store.
 *
 * @returns the figures of each table, verified on both sides
 * @throws OperatorError if the target is in use, or differs afterwards
 */
export async function copyStore(from: Store, to: Store): Promise<readonly TableSums[]> {
  const shapes = TABLES.map(shapeOf);
  for (const shape of shapes) {
    if ((await pageOf(to, shape, null)).length > 0) {
      throw new OperatorError(
        `The target is in use: there are rows in ${shape.name}. Copy into an empty one.`,
      );
    }
  }
  for (const shape of shapes) {
    for await (const page of pagesOf(from, shape)) await insert(to, shape, page);
  }
  if (to.path === null) for (const shape of shapes) await countOn(to, shape);
  const copied: TableSums[] = [];
  for (const shape of shapes) {
    const [before, after] = [await sumsOf(from, shape), await sumsOf(to, shape)];
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      throw new OperatorError(
        `${shape.name} differs: ${before.rows} rows before, ${after.rows} after. Was the source in use? Stop its servers, and copy into an empty target.`,
      );
    }
    copied.push(after);
  }
  return copied;
}

async function* pagesOf(store: Store, shape: Shape): AsyncGenerator<readonly StatementRow[]> {
  let last: StatementRow | null = null;
  for (;;) {
    const page: readonly StatementRow[] = await pageOf(store, shape, last);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1) ?? null;
  }
}

async function pageOf(
  store: Store,
  { name, columns, key }: Shape,
  after: StatementRow | null,
): Promise<readonly StatementRow[]> {
  const behind = after === null ? "" : ` WHERE (${quoted(key)}) > (${places(key.length)})`;
  const text = `SELECT ${quoted(columns)} FROM ${name}${behind} ORDER BY ${quoted(key)} LIMIT ${PAGE}`;
  const values = after === null ? [] : key.map((column) => after[column] ?? null);
  return store.read((db) => db.rows<StatementRow>(text, ...values));
}

async function insert(store: Store, { name, columns }: Shape, page: readonly StatementRow[]): Promise<void> {
  const line = `(${places(columns.length)})`;
  const text = `INSERT INTO ${name} (${quoted(columns)}) VALUES ${page.map(() => line).join(", ")}`;
  const values = page.flatMap((row) => columns.map((column) => row[column] ?? null));
  await store.transact(async (tx) => {
    await tx.rows(text, ...values);
  });
}

/** Advances PostgreSQL's id sequence past the copied rows; SQLite determines ids from the table. */
async function countOn(store: Store, { name, key }: Shape): Promise<void> {
  if (key.join() !== "id") return;
  const text = `SELECT setval(sequence, (SELECT max(id) FROM ${name})::text::bigint) FROM (
    SELECT pg_get_serial_sequence('${name}', 'id')::regclass AS sequence) AS counter
    WHERE sequence IS NOT NULL AND EXISTS (SELECT 1 FROM ${name})`;
  await store.transact(async (tx) => {
    await tx.rows(text);
  });
}

async function sumsOf(store: Store, shape: Shape): Promise<TableSums> {
  const hash = new Bun.CryptoHasher("sha256");
  let rows = 0;
  let sum = 0n;
  for await (const page of pagesOf(store, shape)) {
    for (const row of page) {
      const values = shape.columns.map((column) => row[column] ?? null);
      hash.update(`${JSON.stringify(values)}\n`);
      rows += 1;
      for (const value of values) if (typeof value === "number") sum += BigInt(value);
    }
  }
  return { table: shape.name, rows, sum: String(sum), sha256: hash.digest("hex") };
}
