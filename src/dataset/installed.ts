/**
 * Snapshots in the data folder: `snapshots/<hash>.sqlite`, and `snapshots/current.json`, which names the one in use and
 * the previous ones. The pointer is replaced by rename, so readers see either the old or the new one.
 */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  statfsSync,
} from "node:fs";
import { join } from "node:path";
import { parseJson } from "../lib/text.ts";
import { codeOf, messageOf, OperatorError } from "../errors.ts";
import { flush } from "../files.ts";
import { openFile, requireAsSealed, SnapshotError } from "./open.ts";
import { checkSeal, type Seal } from "./seal.ts";

/** An installed snapshot. */
export interface InstalledEntry {
  /** `<16 digits of the content hash>.sqlite` */
  file: string;
  contentHash: string;
  installedAt: string;
}

/** Contents of the pointer file: a null `current` means the embedded snapshot. `previous` is newest first. */
export interface InstalledState {
  current: InstalledEntry | null;
  previous: InstalledEntry[];
}

/** Number of previous snapshots kept for `rollback`. */
const KEPT = 2;

/** The snapshot folder in the data folder. */
export function snapshotFolder(dataDir: string): string {
  return join(dataDir, "snapshots");
}

/** The path of an installed snapshot. */
export function installedPath(dataDir: string, entry: InstalledEntry): string {
  return join(snapshotFolder(dataDir), entry.file);
}

/** A stamp that changes with every install and rollback, for the cost of one stat; empty if nothing was installed. */
export function pointerStamp(dataDir: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(pointerPath(dataDir));
    return `${ino}:${mtimeMs}:${size}`;
  } catch {
    // Missing or inaccessible; reading it reports which.
    return "";
  }
}

/** Reads the pointer file. @throws SnapshotError if it exists but is unreadable */
export function readInstalled(dataDir: string): InstalledState {
  let text: string;
  try {
    text = readFileSync(pointerPath(dataDir), "utf8");
  } catch (cause) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return { current: null, previous: [] };
    throw new SnapshotError(
      "missing",
      `Cannot read ${pointerPath(dataDir)}: ${messageOf(cause)}. Make the data folder readable, or name another with --data-dir.`,
    );
  }
  const state = stateIn(parseJson(text));
  if (state === undefined)
    throw new SnapshotError(
      "damaged",
      `Cannot read ${pointerPath(dataDir)}: it does not name installed snapshots. Delete it to return to the embedded snapshot, or install one with \`execcomp data install FILE\`.`,
    );
  return state;
}

export interface InstallOptions {
  /** The hash of every byte of a file that was just sealed in the data folder: it is moved, and not read again. */
  sealed?: string;
  /** Called with the seal once every byte has been verified; throws to refuse the file. */
  accept?: (seal: Seal) => void;
}

/**
 * Copies the file into the data folder, verifies every byte of the copy, and makes it the one in use. Changes to the
 * original in the meantime have no effect: what is served is what was verified. Installing the snapshot already in use
 * restores its file and changes nothing else.
 * @param now for the record; YYYY-MM-DDTHH:MM:SSZ
 * @throws SnapshotError if the file is incomplete or damaged
 */
export function installFile(
  dataDir: string,
  path: string,
  now: string,
  { sealed, accept }: InstallOptions = {},
): InstalledEntry {
  // Opened first, so that a newer format or a truncated file gets its own message before anything is copied.
  openFile(path).database.close();
  const folder = snapshotFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const part = join(folder, `${Bun.hash(path).toString(16)}.part`);
  try {
    if (sealed === undefined) {
      requireRoom(folder, statSync(path).size);
      copyFileSync(path, part);
    } else renameSync(path, part);
    flush(part);
    const contentHash = sealed ?? requireAsSealed(path, checkSeal(part));
    const { database, seal } = openFile(part);
    database.close();
    accept?.(seal);
    const state = readInstalled(dataDir);
    const file = `${contentHash.slice(0, 16)}.sqlite`;
    const place = join(folder, file);
    // Also if it is in use already: the installed file may have been damaged since.
    renameSync(part, place);
    rememberChecked(place);
    if (state.current?.contentHash === contentHash) {
      // Written again so that running servers check the file again.
      writePointer(dataDir, state);
      return state.current;
    }
    const entry = { file, contentHash, installedAt: now };
    const previous = [...(state.current === null ? [] : [state.current]), ...state.previous];
    writePointer(dataDir, {
      current: entry,
      previous: previous.filter((one) => one.contentHash !== contentHash).slice(0, KEPT),
    });
    return entry;
  } catch (error) {
    throw asFullDisk(error, folder);
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Whether every byte of the file was verified since it last changed, judging by its inode, size and times. Damage that
 * does not change these is found by the daily verification.
 */
export function wasChecked(path: string): boolean {
  try {
    return readFileSync(checkedPath(path), "utf8") === stampOf(path);
  } catch {
    // No record, or it is unreadable: the file is verified again.
    return false;
  }
}

/** Records that every byte of the file was verified. If the record cannot be written, the file is verified again next time. */
export function rememberChecked(path: string): void {
  try {
    writeFileSync(checkedPath(path), stampOf(path), { mode: 0o600 });
  } catch {
    // With a data folder that is full or read-only, the next start verifies every byte.
  }
}

/** Forgets that the file was verified: the next opening reads every byte. */
export function forgetChecked(path: string): void {
  rmSync(checkedPath(path), { force: true });
}

function checkedPath(path: string): string {
  return `${path}.checked`;
}

function stampOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

/**
 * Rolls back to the previous snapshot, or to the embedded one if there is none.
 * @returns the snapshot now in use, null for the embedded one; undefined if the embedded one was in use already
 */
export function rollBack(dataDir: string): InstalledEntry | null | undefined {
  const state = readInstalled(dataDir);
  if (state.current === null) return undefined;
  const [before = null, ...older] = state.previous;
  writePointer(dataDir, { current: before, previous: older });
  return before;
}

function pointerPath(dataDir: string): string {
  return join(snapshotFolder(dataDir), "current.json");
}

/** Validated without the schema library, which would take longer than the rest of a start (`lib/text.ts`). */
function stateIn(value: unknown): InstalledState | undefined {
  const { current, previous }: Record<string, unknown> = { ...Object(value) };
  if (!Array.isArray(previous) || !previous.every(isEntry)) return undefined;
  return current === null || isEntry(current) ? { current, previous } : undefined;
}

function isEntry(value: unknown): value is InstalledEntry {
  const { file, contentHash, installedAt }: Record<string, unknown> = { ...Object(value) };
  return (
    typeof file === "string" &&
    /^[0-9a-f]{16}\.sqlite$/.test(file) &&
    typeof contentHash === "string" &&
    /^[0-9a-f]{64}$/.test(contentHash) &&
    typeof installedAt === "string"
  );
}

function writePointer(dataDir: string, state: InstalledState): void {
  const path = pointerPath(dataDir);
  const part = `${path}.part`;
  writeFileSync(part, `${JSON.stringify(state, null, 2)}\n`);
  flush(part);
  renameSync(part, path);
  flush(snapshotFolder(dataDir));
  const inUse = new Set([state.current, ...state.previous].map((entry) => entry?.file));
  for (const name of readdirSync(snapshotFolder(dataDir))) {
    if (/^[0-9a-f]{16}\.sqlite(\.checked)?$/.test(name) && !inUse.has(name.slice(0, 23))) {
      // A server may still have it open; the system keeps the data until it is closed.
      rmSync(join(snapshotFolder(dataDir), name), { force: true });
    }
  }
}

/** Bytes that optional work leaves free: the accounts of a server on the same disk must be able to write. */
const RESERVE = 8 << 20;

/** Asks for room before optional work writes a large file. @throws OperatorError naming the folder */
export function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes + RESERVE) return;
  const megabytes = (size: number) => `${(size / 1e6).toFixed(1)} MB`;
  throw new OperatorError(
    `No space is left in ${folder}: ${megabytes(bytes + RESERVE)} are needed and ${megabytes(bavail * bsize)} are free. Free some space there, or use another folder (--data-dir).`,
  );
}

/** An error as a sentence that names the folder, if the reason is a full disk; otherwise the error itself. */
export function asFullDisk(error: unknown, folder: string): unknown {
  if (!/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(codeOf(error))) return error;
  return new OperatorError(`No space is left in ${folder}. Free some space there, then try again.`);
}
