/** The snapshot embedded in the executable; in a checkout, the one made by `scripts/compile-data.ts`. */
import { messageOf } from "../errors.ts";
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import knownProxies from "../../data/known-proxies.zst" with { type: "file" };
import path from "../../data/snapshot.sqlite" with { type: "file" };
import { extractedPath, INSIDE, openExtracted, openExtractedOrInMemory } from "./extracted.ts";
import { IN_MEMORY_BYTES, openBytes, openFile, type OpenSnapshot, SnapshotError } from "./open.ts";

/** Whether this is the compiled executable, whose embedded files SQLite cannot open, rather than a checkout. */
const IS_COMPILED = path.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN/i.test(path);

/**
 * Opens the embedded snapshot: in memory if it is small, otherwise from a file that is extracted once and mapped.
 * @param folder where a large snapshot is extracted to; must exist
 * @throws SnapshotError
 */
export function openEmbedded(folder: string): OpenSnapshot {
  const { size } = statSync(path);
  if (size <= IN_MEMORY_BYTES) return openBytes(INSIDE, readFileSync(path));
  if (!IS_COMPILED) return openFile(path);
  const file = extractedPath(folder, basename(path));
  try {
    return openExtracted(file, embeddedFile(size));
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause;
    const reason = messageOf(cause);
    throw new SnapshotError(
      "missing",
      `Cannot put the embedded snapshot (${Math.round(size / 1_000_000)} MB) into ${file}: ${reason}. Make room there, or name another folder with --data-dir.`,
    );
  }
}

/**
 * Like `openEmbedded`, but for a server: a small snapshot is mapped too if the folder is writable, which saves 9 MB of
 * memory and reading all of it at startup.
 * @throws SnapshotError
 */
export function openEmbeddedToServe(folder: string): OpenSnapshot {
  const { size } = statSync(path);
  if (!IS_COMPILED || size > IN_MEMORY_BYTES) return openEmbedded(folder);
  // The bundler puts a hash of the content into the name, so another snapshot has another file.
  return openExtractedOrInMemory(extractedPath(folder, basename(path)), embeddedFile(size));
}

/** The embedded snapshot. The build stores its hash next to the code (`scripts/build.ts`): reading it from the snapshot would copy all of it. */
function embeddedFile(size: number) {
  const contentHash = readFileSync(join(import.meta.dir, "snapshot.hash"), "utf8");
  return { size, contentHash, read: () => readFileSync(path) };
}

/** All bytes of the embedded snapshot. */
export function embeddedBytes(): Uint8Array<ArrayBuffer> {
  return readFileSync(path);
}

/** The text of `data/reference/known-proxies.tsv`, needed only for ingesting. */
export function embeddedKnownProxies(): string {
  return new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(knownProxies)));
}
