/**
 * The embedded snapshot, extracted to a file once and mapped from there: a start reads only the pages it needs instead of
 * copying the snapshot twice. The file is verified like an installed snapshot: it is not served until every byte matches its
 * seal and its hash is the one the executable expects.
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
import { requireRoom } from "./room.ts";
import { forgetChecked, rememberChecked, wasChecked } from "./installed.ts";
import { openBytes, openFile, type OpenSnapshot, SnapshotError } from "./open.ts";
import { checkFile, readSealLine, readSealLineOf } from "./seal.ts";

/** A snapshot inside the executable, where SQLite cannot open it. */
export interface EmbeddedFile {
  /** Bytes. */
  size: number;
  /** From its seal, in hex. */
  contentHash: string;
  read(): Uint8Array<ArrayBuffer>;
}

/** How messages refer to the embedded snapshot. */
export const INSIDE = "inside this executable";

/** Prefix of extracted files. */
const PREFIX = "embedded-";

/**
 * Opens the extracted snapshot; extracts it first if the file is missing or does not match.
 * @param file its name begins with `embedded-`; other files with that prefix in its folder are removed
 * @throws the system's error if the file cannot be written, SnapshotError if the embedded snapshot is damaged
 */
export function openExtracted(file: string, embedded: EmbeddedFile): OpenSnapshot {
  if (!isAsExtracted(file, embedded)) extract(file, embedded);
  return openFile(file);
}

/** Like `openExtracted`; falls back to memory if the file cannot be written. */
export function openExtractedOrInMemory(file: string, embedded: EmbeddedFile): OpenSnapshot {
  try {
    return openExtracted(file, embedded);
  } catch {
    // A data folder that is full, read-only or missing: the embedded snapshot does not need one.
    return openBytes(INSIDE, embedded.read());
  }
}

/** Whether the file matches the embedded snapshot. Its bytes are read only if it has changed since the last check. */
export function isAsExtracted(file: string, { size, contentHash }: EmbeddedFile): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.size !== size) return false;
  if (readSealLine(readSealLineOf(file) ?? "")?.contentHash !== contentHash) return false;
  if (wasChecked(file)) return true;
  if (checkFile(file)?.actualHash !== contentHash) return false;
  rememberChecked(file);
  return true;
}

function extract(file: string, { contentHash, read }: EmbeddedFile): void {
  const bytes = read();
  const part = `${file}.part`;
  forgetChecked(file);
  rmSync(part, { force: true });
  requireRoom(dirname(file), bytes.length);
  try {
    const out = openSync(part, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(out, bytes, at);
      fsyncSync(out);
    } finally {
      closeSync(out);
    }
    if (checkFile(part)?.actualHash !== contentHash)
      throw new SnapshotError("damaged", `The snapshot ${INSIDE} is damaged. Download execcomp again.`);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  rememberChecked(file);
  removeOthers(file);
}

/** Removes files extracted by other versions. A server that has one open can still read it until it exits. */
function removeOthers(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(PREFIX) && !name.startsWith(basename(file)))
      rmSync(join(folder, name), { force: true });
  }
}

/** The path that an embedded snapshot is extracted to; another snapshot has another. */
export function extractedPath(folder: string, contentHash: string): string {
  return join(folder, `${PREFIX}${contentHash.slice(0, 16)}.sqlite`);
}
