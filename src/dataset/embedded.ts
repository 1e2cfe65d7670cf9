/**
 * The snapshot embedded in the executable; in a checkout, the one made by `scripts/compile-data.ts`. It is extracted to a file
 * once and mapped from there: a start reads only the pages it needs instead of copying the snapshot twice. The file is verified
 * like an installed snapshot: it is not served until every byte matches its seal and its hash is the one the executable expects.
 */
import { messageOf } from "../errors.ts";
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, basename, dirname } from "node:path";
import { flush } from "../files.ts";
import knownProxies from "../../data/known-proxies.zst" with { type: "file" };
import { IN_MEMORY_BYTES, openBytes, openFile, type OpenSnapshot, SnapshotError } from "./open.ts";
import { requireRoom, forgetChecked, rememberChecked, wasChecked } from "./installed.ts";
import { checkSeal, readSealLine, readSealLineOf } from "./seal.ts";

/** In a checkout, the file that `scripts/compile-data.ts` makes. */
const CHECKOUT = join(import.meta.dir, "../../data/snapshot.sqlite");

/** Whether this is the compiled executable, which holds the snapshot compressed, rather than a checkout. */
const IS_COMPILED = import.meta.path.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN/i.test(import.meta.path);

/**
 * Opens the embedded snapshot. For a server it is extracted and mapped, if the folder is writable: that saves 9 MB of memory
 * and decompressing it at every start. Commands use a file that a server has extracted, else memory; a large snapshot is
 * always extracted.
 * @param folder of extracted files; must exist for a large snapshot
 * @param embedded null in a checkout; tests pass another
 * @throws SnapshotError
 */
export function openEmbedded(
  folder: string,
  who: "command" | "server" = "command",
  embedded = embeddedFile(),
): OpenSnapshot {
  if (embedded === null) return openFile(CHECKOUT);
  const file = extractedPath(folder, embedded.contentHash);
  const isLarge = embedded.size > IN_MEMORY_BYTES;
  try {
    if (isLarge || who === "server" || isAsExtracted(file, embedded)) return openExtracted(file, embedded);
  } catch (cause) {
    // A data folder that is full, read-only or missing: a small snapshot does not need one.
    if (isLarge) throw cause instanceof SnapshotError ? cause : cannotExtract(file, embedded, cause);
  }
  return openBytes(INSIDE, embedded.read());
}

function cannotExtract(file: string, { size }: EmbeddedFile, cause: unknown): SnapshotError {
  return new SnapshotError(
    "missing",
    `Cannot put the embedded snapshot (${Math.round(size / 1_000_000)} MB) into ${file}: ${messageOf(cause)}. Make room there, or name another folder with --data-dir.`,
  );
}

/** What `scripts/build.ts` puts beside the code; null in a checkout. */
function embeddedFile(): EmbeddedFile | null {
  if (!IS_COMPILED) return null;
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
export const INSIDE = "inside this executable";

/** What to tell if it is damaged. */
export const DAMAGED_EXECUTABLE = `The dataset ${INSIDE} is damaged. Download execcomp again.`;

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

/** Whether the file matches the embedded snapshot. Its bytes are read only if it has changed since the last check. */
function isAsExtracted(file: string, { size, contentHash }: EmbeddedFile): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.size !== size) return false;
  if (readSealLine(readSealLineOf(file) ?? "")?.contentHash !== contentHash) return false;
  if (wasChecked(file)) return true;
  if (checkSeal(file)?.actualHash !== contentHash) return false;
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
    writeFileSync(part, bytes, { flag: "wx", mode: 0o600 });
    flush(part);
    if (checkSeal(part)?.actualHash !== contentHash) throw new SnapshotError("damaged", DAMAGED_EXECUTABLE);
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
