/** The snapshot embedded in the executable; in a checkout, the one made by `scripts/compile-data.ts`. */
import { messageOf } from "../errors.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import knownProxies from "../../data/known-proxies.zst" with { type: "file" };
import {
  type EmbeddedFile,
  extractedPath,
  INSIDE,
  isAsExtracted,
  openExtracted,
  openExtractedOrInMemory,
} from "./extracted.ts";
import { IN_MEMORY_BYTES, openBytes, openFile, type OpenSnapshot, SnapshotError } from "./open.ts";

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
