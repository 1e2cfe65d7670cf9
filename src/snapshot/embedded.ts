/** The snapshot that the executable carries; in a checkout, the one that `scripts/compile-data.ts` made. */
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import knownProxies from "../../data/known-proxies.zst" with { type: "file" };
import peoTotals from "../../data/reference/peo-totals-sp500.tsv" with { type: "file" };
import path from "../../data/snapshot.sqlite" with { type: "file" };
import {
  extractOnce,
  IN_MEMORY_BYTES,
  openBytes,
  openFile,
  type OpenSnapshot,
  SnapshotError,
} from "./open.ts";

/**
 * Opens the embedded snapshot: in memory while it is small, else from a file that is extracted once and mapped.
 * @param folder where a large one is put; made by the caller
 * @throws SnapshotError
 */
export function openEmbedded(folder: string): OpenSnapshot {
  const { size } = statSync(path);
  if (size <= IN_MEMORY_BYTES) return openBytes("inside this executable", readFileSync(path));
  if (!path.startsWith("/$bunfs/") && !/^[A-Z]:[\\/]~BUN/i.test(path)) return openFile(path);
  // The bundler puts a hash of the content into the name: another snapshot has another file.
  const file = join(folder, `embedded-${basename(path)}`);
  try {
    extractOnce(file, size, () => readFileSync(path));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SnapshotError(
      "missing",
      `Cannot put the embedded snapshot (${Math.round(size / 1_000_000)} MB) into ${file}: ${reason}. Make room there, or name another folder with --data-dir.`,
    );
  }
  return openFile(file);
}

/** All bytes of the embedded snapshot. */
export function embeddedBytes(): Uint8Array<ArrayBuffer> {
  return readFileSync(path);
}

/** The text of `data/reference/known-proxies.tsv`, which only an ingest asks for. */
export function embeddedKnownProxies(): string {
  return new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(knownProxies)));
}

/** The text of `data/reference/peo-totals-sp500.tsv`, which whatever makes a snapshot holds its rows against. */
export function embeddedPeoTotals(): string {
  return readFileSync(peoTotals, "utf8");
}
