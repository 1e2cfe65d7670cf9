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
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type } from "arktype";
import { SnapshotError } from "./open.ts";
import { checkFile } from "./seal.ts";

const Entry = type({ file: /^[0-9a-f]{16}\.sqlite$/, contentHash: /^[0-9a-f]{64}$/, installedAt: "string" });
const Pointer = type({ current: Entry.or("null"), previous: Entry.array() });

/** A snapshot that was installed. */
export type InstalledEntry = typeof Entry.infer;
/** What the data folder says is in use: null means the embedded one. `previous` has the newest first. */
export type InstalledState = typeof Pointer.infer;

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
  const state = Pointer(parsed(text));
  if (state instanceof type.errors) {
    throw new SnapshotError(
      "damaged",
      `Cannot read ${pointerPath(dataDir)}: ${state.summary.replaceAll("\n", "; ")}. Delete it to return to the embedded snapshot, or install one with \`execcomp data install FILE\`.`,
    );
  }
  return state;
}

/**
 * Checks every byte of the file, copies it into the data folder and makes it the one in use.
 * Installing what is in use already changes nothing.
 * @param now for the record; YYYY-MM-DDTHH:MM:SSZ
 * @param how `move` takes a file of the data folder's own instead of a copy
 * @throws SnapshotError when the file is not whole
 */
export function installFile(
  dataDir: string,
  path: string,
  now: string,
  how: "copy" | "move" = "copy",
): InstalledEntry {
  const contentHash = requireWhole(path);
  const state = readInstalled(dataDir);
  if (state.current?.contentHash === contentHash) return state.current;
  const folder = snapshotFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const entry = { file: `${contentHash.slice(0, 16)}.sqlite`, contentHash, installedAt: now };
  const place = join(folder, entry.file);
  const part = `${place}.part`;
  if (how === "move") renameSync(path, part);
  else copyFileSync(path, part);
  flush(part);
  renameSync(part, place);
  const previous = [...(state.current === null ? [] : [state.current]), ...state.previous];
  writePointer(dataDir, {
    current: entry,
    previous: previous.filter((one) => one.contentHash !== contentHash).slice(0, KEPT),
  });
  return entry;
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

/** Content hash of a file of which every byte is as it was sealed. @throws SnapshotError */
export function requireWhole(path: string): string {
  let found: ReturnType<typeof checkFile>;
  try {
    found = checkFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SnapshotError(
      "missing",
      `Cannot read ${path}: ${reason}. Name a file made by \`execcomp data export --format sqlite\`.`,
    );
  }
  if (found === undefined) {
    throw new SnapshotError(
      "foreign",
      `${path} is no snapshot of execcomp, or its seal is damaged. Name a file made by \`execcomp data export --format sqlite\`.`,
    );
  }
  if (found.actualHash !== found.seal.contentHash) {
    throw new SnapshotError(
      "damaged",
      `${path} is damaged: its content hash is ${found.actualHash.slice(0, 16)}…, its seal says ${found.seal.contentHash.slice(0, 16)}…. Fetch or carry the file again.`,
    );
  }
  return found.seal.contentHash;
}

function pointerPath(dataDir: string): string {
  return join(snapshotFolder(dataDir), "current.json");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
    if (/^[0-9a-f]{16}\.sqlite$/.test(name) && !kept.has(name)) {
      // A server may still have it open; the system keeps the bytes until it lets go.
      rmSync(join(snapshotFolder(dataDir), name), { force: true });
    }
  }
}

function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
