/**
 * Opens a snapshot read-only. Refuses a file that cannot be trusted, with the next step in the message.
 *
 * Every opening checks that the file is an execcomp snapshot in a supported format, has the length its header states and
 * exactly the tables of that format, and that its seal is the same in the raw bytes and through SQL. Whether every byte
 * matches the seal is checked by `openWhole`, on installation, and by `data verify`.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { constants, Database } from "bun:sqlite";
import { counted } from "../lib/text.ts";
import { OperatorError, messageOf } from "../errors.ts";
import { ROW_SHAPE } from "./row-json.ts";
import {
  type CheckedSeal,
  checkSeal,
  findSealLine,
  readSealLine,
  readSealLineOf,
  type Seal,
} from "./seal.ts";

/** The snapshot format that this program writes and reads, stored in SQLite's `user_version`. */
export const FORMAT = 12;

/** `XCSn` in SQLite's `application_id`: distinguishes snapshots from other databases. */
export const APPLICATION_ID = 0x5843_536e;

/** Snapshots up to this size are read into memory and need no disk; larger ones are mapped from their file. */
export const IN_MEMORY_BYTES = 20 << 20;

/** Why a snapshot cannot be used. */
export type SnapshotFault = "missing" | "foreign" | "truncated" | "damaged" | "newer_format" | "older_format";

/** A snapshot that cannot be used. The message names the file and the command to run next. */
export class SnapshotError extends OperatorError {
  constructor(
    readonly fault: SnapshotFault,
    message: string,
  ) {
    super(message);
  }
}

/** An open snapshot. */
export interface OpenSnapshot {
  database: Database;
  seal: Seal;
  bytes: number;
}

/**
 * SHA-256 of the tables and indexes, as SQLite lists them: a file with anything else in it (a view in place of a table, a
 * trigger) is refused. Changes with `FORMAT`.
 */
const SCHEMA_HASH = "e73cc5f5c1539e8d9b74d9f39ec01c7c496053c794cfe15c299ebfdf5acf2422";

/**
 * Opens a snapshot file, mapped and immutable: while it is open the file may be replaced but not changed.
 * @throws SnapshotError
 */
export function openFile(path: string): OpenSnapshot {
  // The most that SQLite maps: 2 GB.
  return openWith(path, "pragma mmap_size = 2147418112");
}

/**
 * Like `openFile`, for reading all of it once: uses SQLite's own small cache, so that the pages of a half-gigabyte file do
 * not stay in this process's memory.
 * @throws SnapshotError
 */
export function openToReadThrough(path: string): OpenSnapshot {
  return openWith(path, "pragma mmap_size = 0");
}

function openWith(path: string, pragma: string): OpenSnapshot {
  const bytes = inspectFile(path);
  return opened(path, bytes, readSealLineOf(path), () => {
    const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
    const database = new Database(immutable(path), flags);
    database.run(pragma);
    return database;
  });
}

/** The address of a file that SQLite may rely on not to change. */
export function immutable(path: string): string {
  return `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`;
}

/**
 * Opens the bytes of a snapshot in memory, read-only.
 * @param name how messages refer to it
 * @throws SnapshotError
 */
export function openBytes(name: string, bytes: Uint8Array<ArrayBuffer>): OpenSnapshot {
  inspectHead(name, bytes.subarray(0, HEAD), bytes.length);
  return opened(name, bytes.length, findSealLine(bytes), () =>
    Database.deserialize(bytes, { readonly: true }),
  );
}

/**
 * Opens a small snapshot in memory after verifying every byte: the verified bytes are the ones served.
 * @throws SnapshotError
 */
export function openWhole(path: string, advice?: string): OpenSnapshot {
  inspectFile(path);
  const bytes = readFileSync(path);
  requireAsSealed(path, checkSeal(bytes), advice);
  return openBytes(path, bytes);
}

/** Verifies every byte of a file and returns its content hash. @throws SnapshotError */
export function requireWhole(path: string, advice?: string): string {
  let found: CheckedSeal | undefined;
  try {
    found = checkSeal(path);
  } catch (cause) {
    throw new SnapshotError("missing", `Cannot read ${path}: ${messageOf(cause)}. ${OURS}`);
  }
  return requireAsSealed(path, found, advice);
}

/**
 * Returns the verified content hash.
 * @param name of the file, for messages
 * @param advice what to do about a damaged file; for an installed one `GO_BACK`
 * @throws SnapshotError if the file has no seal or its bytes do not match it
 */
export function requireAsSealed(
  name: string,
  found: CheckedSeal | undefined,
  advice: string = "Download or copy the file again.",
): string {
  if (found === undefined) {
    throw new SnapshotError(
      "foreign",
      `${name} is not an execcomp snapshot, or its seal is damaged. ${OURS}`,
    );
  }
  if (found.actualHash !== found.seal.contentHash) {
    throw new SnapshotError(
      "damaged",
      `${name} is damaged: its content hash is ${found.actualHash.slice(0, 16)}…, but its seal says ${found.seal.contentHash.slice(0, 16)}…. ${advice}`,
    );
  }
  return found.seal.contentHash;
}

const HEAD = 100;

function inspectFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    throw new SnapshotError("missing", `Cannot open the snapshot ${path}: ${messageOf(cause)}. ${GO_BACK}`);
  }
  try {
    const head = Buffer.alloc(HEAD);
    const read = readSync(file, head, 0, HEAD, 0);
    const { size } = statSync(path);
    inspectHead(path, head.subarray(0, read), size);
    return size;
  } finally {
    closeSync(file);
  }
}

/** What to do about an installed snapshot that cannot be read. */
export const GO_BACK =
  "Install an intact file with `execcomp data install FILE`; if this is the installed one, `execcomp data rollback` returns to the one before.";

/** Which files can be used. */
const OURS = "Give a file made by `execcomp data export --format sqlite`.";

/** Checks the database header only. @see https://www.sqlite.org/fileformat2.html#the_database_header */
function inspectHead(name: string, head: Uint8Array, size: number): void {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < HEAD) {
    const message = `The snapshot ${name} is truncated: it has only ${counted(size, "byte")}. ${GO_BACK}`;
    throw new SnapshotError("truncated", message);
  }
  const magic = new TextDecoder("latin1").decode(head.subarray(0, 16));
  if (magic !== "SQLite format 3\0") {
    throw new SnapshotError("foreign", `${name} is not an execcomp snapshot. ${OURS}`);
  }
  if (view.getUint32(68) !== APPLICATION_ID) {
    throw new SnapshotError("foreign", `${name} is a database, but not an execcomp snapshot. ${OURS}`);
  }
  const format = view.getUint32(60);
  if (format > FORMAT) {
    throw new SnapshotError(
      "newer_format",
      `The snapshot ${name} has format ${format}; this execcomp reads format ${FORMAT}. Install a newer execcomp, or run \`execcomp data rollback\`.`,
    );
  }
  if (format < FORMAT) throw olderFormat(name, `has format ${format}; this execcomp reads format ${FORMAT}`);
  const pageSize = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
  const expected = pageSize * view.getUint32(28);
  if (size !== expected) {
    throw new SnapshotError(
      size < expected ? "truncated" : "damaged",
      `The snapshot ${name} ${size < expected ? "is truncated" : "has trailing bytes"}: ${size} bytes of ${expected}. ${GO_BACK}`,
    );
  }
}

function opened(
  name: string,
  bytes: number,
  sealLine: string | undefined,
  open: () => Database,
): OpenSnapshot {
  let database: Database | undefined;
  try {
    database = open();
    // Plain SQL here: a start waits for it, and the tables are not known to be ours yet.
    // The schema of a foreign file could otherwise call functions; ours calls none.
    database.run("pragma trusted_schema = off");
    if (schemaHash(database) !== SCHEMA_HASH)
      throw new Error(`its tables are not exactly those of format ${FORMAT}`);
    const line = database.query<{ line: string }, []>("select line from seal where id = 1").get()?.line;
    const seal = sealLine === undefined ? undefined : readSealLine(sealLine);
    if (seal === undefined || line !== sealLine) throw new Error("it is not sealed");
    requireOwnMeta(name, database, seal);
    return { database, seal, bytes };
  } catch (cause) {
    database?.close();
    if (cause instanceof SnapshotError) throw cause;
    throw new SnapshotError("damaged", `The snapshot ${name} is damaged: ${messageOf(cause)}. ${GO_BACK}`);
  }
}

/** The error for a snapshot that another version of the program made. */
function olderFormat(name: string, why: string): SnapshotError {
  return new SnapshotError(
    "older_format",
    `The snapshot ${name} ${why}. Install one exported by this version, or run \`execcomp data rollback\` and ingest again with \`execcomp ingest\`: documents fetched before are read from disk.`,
  );
}

/** Checks what the snapshot says about itself against its seal and this program. */
function requireOwnMeta(name: string, database: Database, seal: Seal): void {
  const lines = database
    .query<{ key: string; value: string }, []>(
      "select key, value from meta where key in ('edition', 'sequence', 'row_shape')",
    )
    .all();
  const meta = new Map(lines.map(({ key, value }) => [key, value]));
  if (meta.get("edition") !== seal.edition || Number(meta.get("sequence")) !== seal.sequence)
    throw new Error("its edition is not the sealed one");
  if (meta.get("row_shape") !== ROW_SHAPE)
    throw olderFormat(name, "has rows with other fields than those of this execcomp");
}

/** SHA-256 of SQLite's schema listing: each table, index, view and trigger with its statement. */
export function schemaHash(database: Database): string {
  const listed = database
    .query<Record<string, string | null>, []>(
      "select type, name, tbl_name, sql from sqlite_schema order by type, name",
    )
    .all();
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(listed)).digest("hex");
}
