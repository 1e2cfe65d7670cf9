/** The snapshot that the executable carries; in a checkout, the one that `scripts/compile-data.ts` made. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import path from "../../data/snapshot.sqlite" with { type: "file" };
import { extractOnce, IN_MEMORY_BYTES, openBytes, openFile, type OpenSnapshot } from "./open.ts";

/**
 * Opens the embedded snapshot: in memory while it is small, else from a file that is extracted once and mapped.
 * @param folder where a large one is put; made by the caller
 * @throws SnapshotError
 */
export function openEmbedded(folder: string): OpenSnapshot {
  const { size } = statSync(path);
  if (size <= IN_MEMORY_BYTES) return openBytes("inside this executable", readFileSync(path));
  if (!path.startsWith("/$bunfs/") && !/^[A-Z]:[\\/]~BUN/i.test(path)) return openFile(path);
  const bytes = readFileSync(path);
  const name = new Bun.CryptoHasher("sha256").update(bytes.subarray(0, 65_536)).digest("hex").slice(0, 16);
  const file = join(folder, `embedded-${name}.sqlite`);
  extractOnce(file, bytes);
  return openFile(file);
}

/** All bytes of the embedded snapshot. */
export function embeddedBytes(): Uint8Array<ArrayBuffer> {
  return readFileSync(path);
}
