import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, dependentEnvironment } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { type Program, runProgram } from "./program.ts";

/**
 * What to ingest: named companies, known filings that are not loaded, or filings since a day (of all
 * companies if none is named).
 */
export type IngestRequest =
  | { kind: "companies"; symbols: readonly string[]; years: number }
  | { kind: "pending"; limit: number; index: "sp500" | null }
  | { kind: "since"; since: string; symbols: readonly string[]; ciks: readonly string[] };

/** A known filing that is not loaded. */
export interface PendingFiling {
  name: string;
  form: string;
  filingDate: string;
  accession: string;
}

/** An ingest as shown on a page. */
export interface IngestStatus {
  /** Whether an ingest is running, and whether this server started it and can stop it. */
  running: "no" | "own" | "another";
  progress: IngestProgress | null;
  /** Why this server's last ingest failed; null if it did not. */
  failure: string | null;
}

/** Runs ingests for the server, one at a time, each in a separate process. */
export interface IngestAdmin {
  /** Why filings cannot be fetched; null if they can. */
  unavailable: string | null;
  status(): IngestStatus;
  /** @param ended called when it has ended. @throws OperatorError while one is running, or if nothing can be fetched */
  start(request: IngestRequest, ended: () => void): void;
  /** Stops this server's ingest. Fetched filings are kept, and the next ingest continues from there. */
  stop(): boolean;
  /** Known filings that are not loaded, newest first. @throws OperatorError */
  pending(limit: number): Promise<readonly PendingFiling[]>;
}

/** Fiscal years per company for an ingest of filings since a day. */
const SINCE_YEARS = "9";

/**
 * After this long without progress, a process is no longer considered running, because its pid may have been reused.
 */
const SILENT_MS = 10 * 60_000;

/** @param program command line that starts this program; null if no process can be started */
// oxlint-disable-next-line max-lines-per-function -- its methods share the state on disk
export function createIngestAdmin(
  program: Program | null,
  config: Pick<Config, "dataDir" | "contact" | "offline" | "edgarWwwUrl" | "edgarDataUrl">,
  now: () => number,
): IngestAdmin {
  const { dataDir, contact, offline, edgarWwwUrl, edgarDataUrl } = config;
  const unavailable = offline
    ? "--offline is set, so filings cannot be fetched."
    : contact === ""
      ? 'EDGAR requires a name and e-mail address with every request. Start the server with --contact "Name mail@host".'
      : program === null
        ? "This server cannot start another process."
        : null;
  const words = (asked: readonly string[]) => [
    "ingest",
    ...asked,
    "--by-server",
    "--data-dir",
    dataDir,
    "--contact",
    contact,
    "--edgar-www-url",
    edgarWwwUrl,
    "--edgar-data-url",
    edgarDataUrl,
  ];
  let child: Bun.Subprocess<"pipe", "ignore", "pipe"> | null = null;
  let failure: string | null = null;
  const status = (): IngestStatus => {
    const progress = readIngestProgress(dataDir);
    const isRunning =
      progress !== null &&
      progress.state === "running" &&
      now() - progress.updatedAtMs < SILENT_MS &&
      isAlive(progress.pid);
    return { running: child !== null ? "own" : isRunning ? "another" : "no", progress, failure };
  };
  return {
    unavailable,
    status,
    start(request, ended) {
      if (program === null || unavailable !== null) throw new OperatorError(unavailable ?? "");
      if (status().running !== "no")
        throw new OperatorError("An ingest is running. Wait for it to end, or stop it.");
      failure = null;
      const started = Bun.spawn([...program, ...words(wordsOf(request))], {
        env: dependentEnvironment(),
        stdin: "pipe",
        stdout: "ignore",
        stderr: "pipe",
      });
      child = started;
      void (async () => {
        failure = await followUp(started);
        child = null;
        ended();
      })();
    },
    stop() {
      child?.kill("SIGTERM");
      return child !== null;
    },
    async pending(limit) {
      if (program === null || unavailable !== null) throw new OperatorError(unavailable ?? "");
      const asked = ["--pending", "--limit", String(limit), "--dry-run", "--json"];
      const { code, out, err } = await runProgram(program, words(asked));
      if (code !== 0) throw new OperatorError(err);
      // Printed by `ingest --dry-run --json` of this program.
      return (JSON.parse(out) as { planned: PendingFiling[] }).planned;
    },
  };
}

function wordsOf(request: IngestRequest): string[] {
  if (request.kind === "companies") {
    return ["--ticker", request.symbols.join(","), "--years", String(request.years)];
  }
  if (request.kind === "since") {
    const { since, symbols, ciks } = request;
    const named = [
      ...(symbols.length === 0 ? [] : ["--ticker", symbols.join(",")]),
      ...(ciks.length === 0 ? [] : ["--cik", ciks.join(",")]),
    ];
    return ["--since", since, "--years", SINCE_YEARS, ...named];
  }
  const index = request.index === null ? [] : ["--index", request.index];
  return ["--pending", "--limit", String(request.limit), ...index];
}

/** Waits for the process to end. @returns the last line of its output if it failed */
async function followUp(child: Bun.Subprocess<"pipe", "ignore", "pipe">): Promise<string | null> {
  const said = await Bun.readableStreamToText(child.stderr);
  const code = await child.exited;
  await child.stdin.end();
  if (code === 0) return null;
  if (child.signalCode !== null) return `It was stopped (${child.signalCode}).`;
  const last = Bun.stripANSI(said).trim().split("\n").at(-1) ?? "";
  return last === "" ? "It failed." : last;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

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
