/** Room on the disk for large files. */
import { statfsSync } from "node:fs";
import { OperatorError } from "../errors.ts";

/** Bytes that optional work leaves free: the accounts of a server on the same disk must be able to write. */
const RESERVE = 8 << 20;

/** Asks for room before optional work writes a large file. @throws OperatorError naming the folder */
export function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes + RESERVE) return;
  const megabytes = (size: number) => `${(size / 1e6).toFixed(1)} MB`;
  throw new OperatorError(
    `No space is left in ${folder}: ${megabytes(bytes + RESERVE)} are needed and ${megabytes(bavail * bsize)} are free. Free some space there, or use another folder (--data-dir).`,
  );
}

/** An error as a sentence that names the folder, if the reason is a full disk; otherwise the error itself. */
export function asFullDisk(error: unknown, folder: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) return error;
  return new OperatorError(`No space is left in ${folder}. Free some space there, then try again.`);
}
