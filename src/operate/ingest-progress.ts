import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files.ts";

/** Progress of the last ingest of a data folder, written by the command and shown on pages. */
export interface IngestProgress {
  pid: number;
  /** The command line. */
  asked: string;
  state: "running" | "ended";
  startedAtMs: number;
  updatedAtMs: number;
  /** Companies, or files. */
  done: number;
  total: number;
  documents: number;
  rows: number;
  problems: number;
  bytes: number;
  seconds: number;
  /** Lines of the report; empty while running. */
  report: readonly string[];
  /** Content hash of the resulting dataset; null while running, and if nothing was new. */
  made: string | null;
}

/** Writes the progress. If that fails, it is not shown, and the ingest continues. */
export function writeIngestProgress(dataDir: string, progress: IngestProgress): void {
  const file = fileOf(dataDir);
  try {
    mkdirSync(join(dataDir, "reports"), { recursive: true });
    replaceFile(file, JSON.stringify(progress));
  } catch {
    // The folder is full or read-only; the ingest itself will report that.
  }
}

/** The last progress written; null if there is none or it is unreadable. */
export function readIngestProgress(dataDir: string): IngestProgress | null {
  try {
    // Written atomically by `writeIngestProgress`.
    return JSON.parse(readFileSync(fileOf(dataDir), "utf8")) as IngestProgress;
  } catch {
    return null;
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, "reports", "ingest-progress.json");
}
