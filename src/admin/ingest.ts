import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { type IngestProgress, readIngestProgress } from "./ingest-progress.ts";
import { type Program, runProgram } from "./program.ts";

/** What to ingest: named companies, known filings that are not loaded, or what was filed since a day (by everybody, where none is named). */
export type IngestWish =
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

/** An ingest as a page shows it. */
export interface IngestStatus {
  /** Whether one runs now, and whether it is this server's own, which it can stop. */
  running: "no" | "own" | "another";
  progress: IngestProgress | null;
  /** Why this server's last one failed; null where it did not. */
  failure: string | null;
}

/** Ingests that a server starts, each in a process of its own; one at a time. */
export interface IngestAdmin {
  /** Null when filings can be fetched, else why not. */
  unavailable: string | null;
  status(): IngestStatus;
  /** @param ended told when it is over. @throws OperatorError while one runs, or when nothing can be fetched */
  start(wish: IngestWish, ended: () => void): void;
  /** Ends this server's own; what was fetched is kept, and the next one goes on from there. */
  stop(): boolean;
  /** Known filings that are not loaded, the newest first. @throws OperatorError */
  pending(limit: number): Promise<readonly PendingFiling[]>;
}

/** Fiscal years of a company that are read where all that was filed since a day is wanted. */
const SINCE_YEARS = "9";

/** A running process is believed for so long after its last word: its number may be another's by then. */
const SILENT_MS = 10 * 60_000;

/** @param program what starts this program; null where no further process can be started */
// oxlint-disable-next-line max-lines-per-function -- its methods share the state on disk
export function createIngestAdmin(
  program: Program | null,
  config: Pick<Config, "dataDir" | "contact" | "offline" | "edgarWwwUrl" | "edgarDataUrl">,
  now: () => number,
): IngestAdmin {
  const { dataDir, contact, offline, edgarWwwUrl, edgarDataUrl } = config;
  const unavailable = offline
    ? "--offline is set: nothing leaves this machine, so no filing can be fetched."
    : contact === ""
      ? 'EDGAR wants a name and a mail address with every request. Start the server with --contact "Name mail@host".'
      : program === null
        ? "This server cannot start a further process."
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
  let child: Bun.Subprocess<"ignore", "ignore", "pipe"> | null = null;
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
    start(wish, ended) {
      if (program === null || unavailable !== null) throw new OperatorError(unavailable ?? "");
      if (status().running !== "no")
        throw new OperatorError("An ingest is running. Wait for its end, or stop it.");
      failure = null;
      const started = Bun.spawn([...program, ...words(wordsOf(wish))], {
        stdin: "ignore",
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
      // Printed by `ingest --dry-run --json` of this same program.
      return (JSON.parse(out) as { planned: PendingFiling[] }).planned;
    },
  };
}

function wordsOf(wish: IngestWish): string[] {
  if (wish.kind === "companies") {
    return ["--ticker", wish.symbols.join(","), "--years", String(wish.years)];
  }
  if (wish.kind === "since") {
    const { since, symbols, ciks } = wish;
    const named = [
      ...(symbols.length === 0 ? [] : ["--ticker", symbols.join(",")]),
      ...(ciks.length === 0 ? [] : ["--cik", ciks.join(",")]),
    ];
    return ["--since", since, "--years", SINCE_YEARS, ...named];
  }
  const index = wish.index === null ? [] : ["--index", wish.index];
  return ["--pending", "--limit", String(wish.limit), ...index];
}

/** Waits for the end. @returns the last line that it said when it failed */
async function followUp(child: Bun.Subprocess<"ignore", "ignore", "pipe">): Promise<string | null> {
  const said = await Bun.readableStreamToText(child.stderr);
  const code = await child.exited;
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
