/** Files that are written completely or not at all, and survive a power failure. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Errors from systems and file systems that cannot flush a directory. */
const CANNOT_FLUSH = new Set(["EPERM", "EINVAL", "EISDIR", "ENOTSUP"]);

/** Flushes a file or folder to disk. @throws the system's error */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!CANNOT_FLUSH.has(code)) throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file atomically: readers see the old content or the new. Does not flush.
 * @param mode permissions of a new file
 */
export function replaceFile(file: string, text: string, mode = 0o666): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, text, { mode });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
