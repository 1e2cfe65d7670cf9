/**
 * The snapshot embedded in the executable; in a checkout, the one made by `scripts/compile-data.ts`. It is extracted to a file
 * once and mapped from there: a start reads only the pages it needs instead of copying the snapshot twice. The file is verified
 * like an installed snapshot: it is not served until every byte matches its seal and its hash is the one the executable expects.
 */
import { messageOf } from "../errors.ts";
import {
  readFileSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join, basename, dirname } from "node:path";
import knownProxies from "../../data/known-proxies.zst" with { type: "file" };
import { IN_MEMORY_BYTES, openBytes, openFile, type OpenSnapshot, SnapshotError } from "./open.ts";
import { requireRoom, forgetChecked, rememberChecked, wasChecked } from "./installed.ts";
import { checkFile, readSealLine, readSealLineOf } from "./seal.ts";

/** In a checkout, the file that `scripts/compile-data.ts` makes. */
const CHECKOUT = join(import.meta.dir, "../../data/snapshot.sqlite");

/** Whether this is the compiled executable, which holds the snapshot compressed, rather than a checkout. */
const IS_COMPILED = import.meta.path.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN/i.test(import.meta.path);

/**
 * Opens the embedded snapshot: the file that a server has extracted, else in memory; a large one is extracted first.
 * @param folder of extracted files; must exist for a large snapshot
 * @throws SnapshotError
 */
export function openEmbedded(folder: string): OpenSnapshot {
  if (!IS_COMPILED) return openFile(CHECKOUT);
  const embedded = embeddedFile();
  const file = extractedPath(folder, embedded.contentHash);
  if (embedded.size <= IN_MEMORY_BYTES)
    return isAsExtracted(file, embedded) ? openFile(file) : openBytes(INSIDE, embedded.read());
  try {
    return openExtracted(file, embedded);
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause;
    const reason = messageOf(cause);
    throw new SnapshotError(
      "missing",
      `Cannot put the embedded snapshot (${Math.round(embedded.size / 1_000_000)} MB) into ${file}: ${reason}. Make room there, or name another folder with --data-dir.`,
    );
  }
}

/**
 * Like `openEmbedded`, but for a server: a small snapshot is mapped too if the folder is writable, which saves 9 MB of
 * memory and decompressing it at every start.
 * @throws SnapshotError
 */
export function openEmbeddedToServe(folder: string): OpenSnapshot {
  if (!IS_COMPILED) return openFile(CHECKOUT);
  const embedded = embeddedFile();
  if (embedded.size > IN_MEMORY_BYTES) return openEmbedded(folder);
  return openExtractedOrInMemory(extractedPath(folder, embedded.contentHash), embedded);
}

/** What `scripts/build.ts` puts beside the code. */
function embeddedFile(): EmbeddedFile {
  const [contentHash = "", size] = readFileSync(join(import.meta.dir, "snapshot.hash"), "utf8").split(" ");
  return { size: Number(size), contentHash, read: embeddedBytes };
}

/** All bytes of the embedded snapshot. */
export function embeddedBytes(): Uint8Array<ArrayBuffer> {
  if (!IS_COMPILED) return readFileSync(CHECKOUT);
  // Never shared memory, which the type allows.
  return Bun.zstdDecompressSync(readFileSync(join(import.meta.dir, "snapshot.zst"))) as Buffer<ArrayBuffer>;
}

/** The text of `data/reference/known-proxies.tsv`, needed only for ingesting. */
export function embeddedKnownProxies(): string {
  return new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(knownProxies)));
}

/** A snapshot inside the executable, where SQLite cannot open it. */
export interface EmbeddedFile {
  /** Bytes. */
  size: number;
  /** From its seal, in hex. */
  contentHash: string;
  read(): Uint8Array<ArrayBuffer>;
}

/** How messages refer to the embedded snapshot. */
const INSIDE = "inside this executable";

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
function isAsExtracted(file: string, { size, contentHash }: EmbeddedFile): boolean {
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
