import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files.ts";

/** How far the last ingest of a data folder is, whoever started it: the command writes it, pages read it. */
export interface IngestProgress {
  pid: number;
  /** The command line in words. */
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
  /** What came of it, in lines for people; empty while it runs. */
  report: readonly string[];
  /** Content hash of the dataset that it made; null while it runs, and where nothing was new. */
  made: string | null;
}

/** Notes how far an ingest is. Where it cannot be written nobody sees it, and the ingest goes on. */
export function writeIngestProgress(dataDir: string, progress: IngestProgress): void {
  const file = fileOf(dataDir);
  try {
    mkdirSync(join(dataDir, "reports"), { recursive: true });
    replaceFile(file, JSON.stringify(progress));
  } catch {
    // A full or read-only folder: what is ingested fails by itself, with a sentence of its own.
  }
}

/** What was noted last; null where nothing was, or it cannot be read. */
export function readIngestProgress(dataDir: string): IngestProgress | null {
  try {
    // Written by `writeIngestProgress`, whole: by rename.
    return JSON.parse(readFileSync(fileOf(dataDir), "utf8")) as IngestProgress;
  } catch {
    return null;
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, "reports", "ingest-progress.json");
}
