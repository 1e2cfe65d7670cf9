import { SQLiteError } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, OperatorError } from "../errors.ts";
import { shellWord } from "../lib/text.ts";

/** Kinds of failure of the store. */
export type FaultKind = "full" | "locked" | "readonly" | "damaged" | "io";

/** A failure of the store, described for the operator. */
export interface Fault {
  kind: FaultKind;
  /** What is wrong and what to do, with the file's name. */
  sentence: string;
}

/** Codes of SQLite and of the file system. */
const KINDS: readonly (readonly [code: RegExp, kind: FaultKind])[] = [
  // The log's shared memory cannot grow (SHMSIZE); SQLite does not report this as a full disk.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)|^(ENOSPC|EDQUOT)$/, "full"],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "locked"],
  [/^SQLITE_(READONLY|PERM|AUTH)|^(EROFS|EACCES|EPERM)$/, "readonly"],
  [/^SQLITE_(CORRUPT|NOTADB|SCHEMA)/, "damaged"],
  [/^SQLITE_(IOERR|CANTOPEN|NOMEM)|^(EIO|ENOENT|ENOTDIR)$/, "io"],
];

/** The fault behind an error; undefined if the error does not concern the store's health (a constraint, a bug). */
export function faultOf(error: unknown, path: string): Fault | undefined {
  // Errors about the folder or its lock are already written for the operator.
  if (error instanceof OperatorError) return { kind: "io", sentence: error.message };
  const sqlite = sqliteErrorOf(error);
  const failed = sqlite ?? error;
  if (!(failed instanceof Error)) return undefined;
  const code = codeOf(failed);
  // A missing table is reported as a plain error, but can only mean damage.
  const isMissing = sqlite?.message.startsWith("no such table") === true;
  const kind = KINDS.find(([codes]) => codes.test(code))?.[1] ?? (isMissing ? "damaged" : undefined);
  if (kind === undefined) return undefined;
  const cause = sqlite === undefined ? failed.message : `${code} ${failed.message}`;
  return { kind, sentence: sentenceOf(kind, path, cause) };
}

/** SQLite's error, unwrapped from drizzle's. */
export function sqliteErrorOf(error: unknown): SQLiteError | undefined {
  if (error instanceof SQLiteError) return error;
  return error instanceof Error && error.cause instanceof SQLiteError ? error.cause : undefined;
}

/** Whether another process holds a lock on the file. */
export function isBusy(error: unknown): boolean {
  return (sqliteErrorOf(error)?.code ?? "").startsWith("SQLITE_BUSY");
}

/** Whether the disk has run out of inodes rather than of space. */
export function hasNoInodes(path: string): boolean {
  try {
    const { files, ffree } = statfsSync(dirname(path));
    return files > 0 && ffree === 0;
  } catch {
    return false;
  }
}

/** The command that restores a file into this folder, which need not be the one that the command takes by itself. */
export function restoreInto(folder: string, file = "FILE"): string {
  return `execcomp restore ${file} --data-dir ${shellWord(folder)}`;
}

function sentenceOf(kind: FaultKind, path: string, cause: string): string {
  switch (kind) {
    case "full":
      return hasNoInodes(path)
        ? `No inodes are left to write ${path}: the disk cannot hold more files. Delete some; no restart needed.`
        : `No space is left to write ${path}. Free some space on the disk; no restart needed.`;
    case "locked":
      return `Another process has held ${path} locked for more than 5 seconds. Stop it (execcomp doctor shows what is running), then try again.`;
    case "readonly":
      return `${path} cannot be written. Give this user write permission to it and its folder, or choose another folder with --data-dir.`;
    case "damaged":
      return `${path} is damaged (${cause.trim()}). Stop the server and restore a backup with: ${restoreInto(dirname(path))}`;
    case "io":
      return `${path} cannot be read or written (${cause.trim()}). Check the disk and the folder (execcomp doctor).`;
  }
}
