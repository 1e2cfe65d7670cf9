import { SQLiteError } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "../errors.ts";

/** Kinds of failure of the store. */
export type FaultKind = "full" | "locked" | "readonly" | "damaged" | "io";

/** A failure of the store, described for the operator. */
export interface Fault {
  kind: FaultKind;
  /** What is wrong and what to do, with the file's name. */
  sentence: string;
}

const KINDS: readonly (readonly [prefix: string, kind: FaultKind])[] = [
  ["SQLITE_FULL", "full"],
  ["SQLITE_BUSY", "locked"],
  ["SQLITE_LOCKED", "locked"],
  ["SQLITE_PROTOCOL", "locked"],
  ["SQLITE_READONLY", "readonly"],
  ["SQLITE_PERM", "readonly"],
  ["SQLITE_AUTH", "readonly"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
  ["SQLITE_SCHEMA", "damaged"],
  // The log's shared memory cannot grow; SQLite does not report this as a full disk.
  ["SQLITE_IOERR_SHMSIZE", "full"],
  ["SQLITE_IOERR", "io"],
  ["SQLITE_CANTOPEN", "io"],
  ["SQLITE_NOMEM", "io"],
];

/** Error codes of the file system. */
const SYSTEM_KINDS: Readonly<Record<string, FaultKind>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "readonly",
  EACCES: "readonly",
  EPERM: "readonly",
  EIO: "io",
  ENOENT: "io",
  ENOTDIR: "io",
};

/** The fault behind an error; undefined if the error does not concern the store's health (a constraint, a bug). */
export function faultOf(error: unknown, path: string): Fault | undefined {
  // Errors about the folder or its lock are already written for the operator.
  if (error instanceof OperatorError) return { kind: "io", sentence: error.message };
  const failed = sqliteErrorOf(error);
  if (failed === undefined) return systemFaultOf(error, path);
  const code = failed.code ?? "";
  const kind = KINDS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? missingTable(failed);
  if (kind === undefined) return undefined;
  return { kind, sentence: sentenceOf(kind, path, `${code} ${failed.message}`) };
}

function systemFaultOf(error: unknown, path: string): Fault | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const kind = SYSTEM_KINDS[String(error.code)];
  return kind === undefined ? undefined : { kind, sentence: sentenceOf(kind, path, error.message) };
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

/** A missing table is reported as a plain error, but can only mean damage. */
function missingTable(error: SQLiteError): FaultKind | undefined {
  return error.message.startsWith("no such table") ? "damaged" : undefined;
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
      return `${path} is damaged (${cause.trim()}). Stop the server and restore a backup with: execcomp restore FILE`;
    case "io":
      return `${path} cannot be read or written (${cause.trim()}). Check the disk and the folder (execcomp doctor).`;
  }
}
