import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, dependentEnvironment } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import type { Program } from "./program.ts";
import type { Log } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import { currentMembers } from "../dataset/company-facts.ts";
import type { Snapshots } from "../dataset/snapshots.ts";

/**
 * What to ingest: named companies, known filings that are not loaded, or filings since a day (of all
 * companies if none is named).
 */
export type IngestRequest =
  | { kind: "companies"; symbols: readonly string[]; years: number }
  | { kind: "pending"; limit: number; index: "sp500" | null }
  | { kind: "since"; since: string; symbols: readonly string[]; ciks: readonly string[] };

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

/** Dependencies of scheduled ingests. */
export interface ScheduledIngestDeps {
  config: Pick<Config, "dataDir" | "ingestEvery" | "ingestIndex" | "ingestTicker">;
  ingests: IngestAdmin;
  snapshots: Pick<Snapshots, "current">;
  runtime: Pick<Runtime, "now" | "secret">;
  log: Log;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Delay of the first ingest, while the server is busy starting. */
const FIRST_MS = 10 * MINUTE_MS;
/** Delay after a failure, or while another ingest is running. */
const RETRY_MS = 60 * MINUTE_MS;
/** Random share of the interval, so that servers started together do not contact EDGAR together. */
const JITTER = 0.1;
/** EDGAR's indexes may list a filing a day or two late. */
const OVERLAP_MS = 2 * DAY_MS;
/** How far back the first ingest goes if the dataset has no filings. */
const FIRST_REACH_MS = 30 * DAY_MS;

/**
 * Ingests at the configured interval, counted from the last ingest of this data folder. @returns a function that stops it
 * @throws OperatorError naming the setting if nothing can be fetched
 */
export function scheduleIngests(deps: ScheduledIngestDeps): () => void {
  const { ingestEvery } = deps.config;
  if (ingestEvery === null) return () => {};
  if (deps.ingests.unavailable !== null)
    throw new OperatorError(`--ingest-every is set. ${deps.ingests.unavailable}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => void run(), ms + jitter(deps.runtime, ingestEvery));
    timer.unref();
  };
  const run = async () => wait((await ingestSince(deps)) ? ingestEvery : Math.min(RETRY_MS, ingestEvery));
  wait(Math.max(FIRST_MS, dueInMs(deps.config, deps.runtime.now())));
  return () => {
    clearTimeout(timer);
    deps.ingests.stop();
  };
}

/** Milliseconds until the next ingest is due; 0 if there was none yet. */
export function dueInMs(
  { dataDir, ingestEvery }: Pick<Config, "dataDir" | "ingestEvery">,
  nowMs: number,
): number {
  const last = readLast(dataDir);
  return last === null ? 0 : Math.max(0, last + (ingestEvery ?? 0) - nowMs);
}

/** Ingests filings since the last ingest, once. @returns whether it succeeded, so that the next one starts from now */
export async function ingestSince(deps: ScheduledIngestDeps): Promise<boolean> {
  const { config, ingests, log, runtime } = deps;
  if (ingests.status().running !== "no") {
    log.info("ingest_postponed", { reason: "another ingest is running" });
    return false;
  }
  const startedMs = runtime.now();
  const request = nextRequest(deps, startedMs);
  log.info("ingest_started", {
    since: request.since,
    companies: request.ciks.length + request.symbols.length,
  });
  try {
    await new Promise<void>((resolve) => ingests.start(request, resolve));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.error("ingest_failed", { message: error.message });
    return false;
  }
  const { failure, progress } = ingests.status();
  if (failure !== null) {
    log.error("ingest_failed", { message: failure });
    return false;
  }
  writeLast(config.dataDir, startedMs);
  log.info("ingest_ended", { documents: progress?.documents ?? 0, made: progress?.made ?? null });
  return true;
}

/** All filers since the last ingest, or the configured companies and index members. */
function nextRequest(
  { config, snapshots }: ScheduledIngestDeps,
  nowMs: number,
): IngestRequest & { kind: "since" } {
  const dataset = snapshots.current();
  const last = readLast(config.dataDir);
  const newest = dataset.info.newestFilingDate;
  const known = newest === "" ? new Date(nowMs - FIRST_REACH_MS).toISOString().slice(0, 10) : newest;
  const since = last === null ? known : new Date(last - OVERLAP_MS).toISOString().slice(0, 10);
  const ciks = config.ingestIndex === "" ? [] : currentMembers(dataset, config.ingestIndex);
  return { kind: "since", since, symbols: config.ingestTicker, ciks };
}

function jitter(runtime: Pick<Runtime, "secret">, everyMs: number): number {
  const [high = 0, low = 0] = runtime.secret(2);
  return Math.floor(((high * 256 + low) / 65_536) * JITTER * everyMs);
}

/** When the last ingest started; null if there was none, or its record cannot be read. */
function readLast(dataDir: string): number | null {
  try {
    const { startedMs }: { startedMs?: unknown } = JSON.parse(readFileSync(noteOf(dataDir), "utf8"));
    return typeof startedMs === "number" ? startedMs : null;
  } catch {
    return null;
  }
}

function writeLast(dataDir: string, startedMs: number): void {
  const file = noteOf(dataDir);
  mkdirSync(join(dataDir, "reports"), { recursive: true });
  replaceFile(file, JSON.stringify({ startedMs }));
}

function noteOf(dataDir: string): string {
  return join(dataDir, "reports", "ingest-every.json");
}
