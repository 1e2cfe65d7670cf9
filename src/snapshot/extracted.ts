/**
 * The snapshot that the executable carries, put into a file once and mapped from there: a start reads the pages that it
 * needs instead of copying all of it twice. A file is trusted as an installed one is: nothing of it answers before
 * every byte was found as it was sealed, and its hash is the one that the executable names.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { forgetChecked, rememberChecked, wasChecked } from "./installed.ts";
import { openBytes, openFile, type OpenSnapshot, SnapshotError } from "./open.ts";
import { checkFile, readSealLine, readSealLineOf } from "./seal.ts";

/** A snapshot that the program carries where SQLite cannot open it. */
export interface Carried {
  /** Bytes. */
  size: number;
  /** What its seal says, hex. */
  contentHash: string;
  read(): Uint8Array<ArrayBuffer>;
}

/** What the snapshot inside is called in messages. */
export const INSIDE = "inside this executable";

/** Begins the names of extracted files. */
const PREFIX = "embedded-";

/**
 * Opens the file that the snapshot was extracted into, extracted now where it is missing or not as it should be.
 * @param file its name begins with `embedded-`; others of that kind in its folder are removed
 * @throws the system's error where nothing can be written, SnapshotError where what was carried is damaged
 */
export function openExtracted(file: string, carried: Carried): OpenSnapshot {
  if (!isAsExtracted(file, carried)) extract(file, carried);
  return openFile(file);
}

/** As `openExtracted`; in memory where that cannot be done. */
export function openExtractedOrInMemory(file: string, carried: Carried): OpenSnapshot {
  try {
    return openExtracted(file, carried);
  } catch {
    // A data folder that is full, read-only or not there: what is inside the executable needs none.
    return openBytes(INSIDE, carried.read());
  }
}

/** Whether every byte is as the executable has it; looked at only where the file has changed since that was last found. */
function isAsExtracted(file: string, { size, contentHash }: Carried): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.size !== size) return false;
  if (readSealLine(readSealLineOf(file) ?? "")?.contentHash !== contentHash) return false;
  if (wasChecked(file)) return true;
  if (checkFile(file)?.actualHash !== contentHash) return false;
  rememberChecked(file);
  return true;
}

function extract(file: string, { contentHash, read }: Carried): void {
  const bytes = read();
  const part = `${file}.part`;
  forgetChecked(file);
  rmSync(part, { force: true });
  const out = openSync(part, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(out, bytes, at);
    fsyncSync(out);
  } finally {
    closeSync(out);
  }
  if (checkFile(part)?.actualHash !== contentHash) {
    rmSync(part, { force: true });
    throw new SnapshotError("damaged", `The snapshot ${INSIDE} is damaged. Fetch execcomp again.`);
  }
  renameSync(part, file);
  rememberChecked(file);
  removeOthers(file);
}

/** What other versions of the program left. A server that has one open keeps its pages until it ends. */
function removeOthers(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(PREFIX) && !name.startsWith(basename(file)))
      rmSync(join(folder, name), { force: true });
  }
}

/** Where the snapshot of that name is extracted to. */
export function extractedPath(folder: string, name: string): string {
  return join(folder, PREFIX + name);
}
