/**
 * Snapshots in the data folder: `snapshots/<hash>.sqlite`, and `snapshots/current.json` that names the one in use and
 * those before it. The pointer is replaced by rename, so that whoever reads it sees the old one or the new one.
 */
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { parseJson } from "../domain/json.ts";
import { flush } from "../files.ts";
import { openFile, requireAsSealed, SnapshotError } from "./open.ts";
import { checkFile, type Seal } from "./seal.ts";

/** A snapshot that was installed. */
export interface InstalledEntry {
  /** `<16 digits of the content hash>.sqlite` */
  file: string;
  contentHash: string;
  installedAt: string;
}

/** What the data folder says is in use: null means the embedded one. `previous` has the newest first. */
export interface InstalledState {
  current: InstalledEntry | null;
  previous: InstalledEntry[];
}

/** How many snapshots before the one in use are kept for `rollback`. */
const KEPT = 2;

/** Folder of snapshots in the data folder. */
export function snapshotFolder(dataDir: string): string {
  return join(dataDir, "snapshots");
}

/** File of an installed snapshot. */
export function installedPath(dataDir: string, entry: InstalledEntry): string {
  return join(snapshotFolder(dataDir), entry.file);
}

/** What changes with every install and rollback, at the price of one stat; empty where nothing was installed. */
export function pointerStamp(dataDir: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(pointerPath(dataDir));
    return `${ino}:${mtimeMs}:${size}`;
  } catch {
    // Absent, or out of reach: reading it says which.
    return "";
  }
}

/** Reads the pointer. @throws SnapshotError when it is there and unreadable */
export function readInstalled(dataDir: string): InstalledState {
  let text: string;
  try {
    text = readFileSync(pointerPath(dataDir), "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { current: null, previous: [] };
    throw new SnapshotError(
      "missing",
      `Cannot read ${pointerPath(dataDir)} (${code}). Make the data folder readable, or name another with --data-dir.`,
    );
  }
  const state = stateIn(parseJson(text));
  if (state === undefined) {
    throw new SnapshotError(
      "damaged",
      `Cannot read ${pointerPath(dataDir)}: it does not name installed snapshots. Delete it to return to the embedded snapshot, or install one with \`execcomp data install FILE\`.`,
    );
  }
  return state;
}

/** How a snapshot file is taken into the data folder. */
export interface InstallOptions {
  /** `move` takes a file of the data folder's own instead of a copy. */
  how?: "copy" | "move";
  /** Told whose file it is, once every byte of what is about to be served is checked; throws to refuse it. */
  accept?: (seal: Seal) => void;
}

/**
 * Takes the file into the data folder, checks every byte of what was taken, and makes it the one in use. Whatever
 * happens to the file meanwhile, what is served is what was checked. Installing what is in use already puts a whole file in its place and changes nothing else.
 * @param now for the record; YYYY-MM-DDTHH:MM:SSZ
 * @throws SnapshotError when the file is not whole
 */
export function installFile(
  dataDir: string,
  path: string,
  now: string,
  { how = "copy", accept }: InstallOptions = {},
): InstalledEntry {
  // Opened first: a newer format or a cut file gets its own message, before anything is copied.
  openFile(path).database.close();
  const folder = snapshotFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const part = join(folder, `${Bun.hash(path).toString(16)}.part`);
  try {
    if (how === "move") renameSync(path, part);
    else copyFileSync(path, part);
    flush(part);
    const contentHash = requireAsSealed(path, checkFile(part));
    const { database, seal } = openFile(part);
    database.close();
    accept?.(seal);
    const state = readInstalled(dataDir);
    const file = `${contentHash.slice(0, 16)}.sqlite`;
    const place = join(folder, file);
    // Even where it is in use already: the file in its place may have been damaged since.
    renameSync(part, place);
    rememberChecked(place);
    if (state.current?.contentHash === contentHash) {
      // Written again so that a running server looks again.
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
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Whether every byte of the file was checked since it last changed, as far as its inode, size and times tell. Damage
 * that leaves these alone is found by the look at the bytes once a day.
 */
export function wasChecked(path: string): boolean {
  try {
    return readFileSync(checkedPath(path), "utf8") === stampOf(path);
  } catch {
    // No note, or none that can be read: then it is checked again.
    return false;
  }
}

/** Notes that every byte of the file was found as it was sealed. Where nothing can be written it is checked again next time. */
export function rememberChecked(path: string): void {
  try {
    writeFileSync(checkedPath(path), stampOf(path), { mode: 0o600 });
  } catch {
    // A data folder that is full or read-only costs the next start a look at every byte.
  }
}

/** Forgets that the file was checked: the next opening looks at every byte. */
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
 * Returns to the snapshot that was in use before; to the embedded one when there is none.
 * @returns what is in use now, null for the embedded one; undefined when the embedded one was in use already
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

/** Read by hand: every start reads it, and the schema library costs more than the rest of a start (`domain/text-value.ts`). */
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
  const file = openSync(part, "w");
  try {
    writeSync(file, `${JSON.stringify(state, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  flush(snapshotFolder(dataDir));
  const kept = new Set([state.current, ...state.previous].map((entry) => entry?.file));
  for (const name of readdirSync(snapshotFolder(dataDir))) {
    if (/^[0-9a-f]{16}\.sqlite(\.checked)?$/.test(name) && !kept.has(name.replace(".checked", ""))) {
      // A server may still have it open; the system keeps the bytes until it lets go.
      rmSync(join(snapshotFolder(dataDir), name), { force: true });
    }
  }
}
