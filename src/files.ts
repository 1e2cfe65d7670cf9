/** Files that are whole or not there, and outlast a power cut. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** What a system or a file system says that cannot flush a folder at all. */
const CANNOT_FLUSH = new Set(["EPERM", "EINVAL", "EISDIR", "ENOTSUP"]);

/** Makes what was written to the file, or the folder, outlast a power cut. @throws the system's error */
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
 * Replaces a file as a whole: whoever reads it sees what it was or what it is now. It is not flushed.
 * @param mode of a file that is not there yet
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
