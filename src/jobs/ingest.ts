import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/settings.ts";
import { messageOf, OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { type Program, repeat, runProgram } from "./program.ts";
import type { Log } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import type { Definition } from "../lib/definition.ts";
import { parseAs } from "../lib/validation.ts";
import { currentMembers } from "../dataset/company-facts.ts";
import type { Snapshots } from "../dataset/snapshots.ts";
import { DAY_MS } from "../domain/fiscal-year.ts";

/**
 * What to ingest: named companies, known filings that are not loaded, or filings since a day (of all
 * companies if none is named).
 */
export type IngestRequest =
  | { kind: "companies"; symbols: readonly string[]; years: number }
  | { kind: "pending"; limit: number; index: "sp500" | null }
  | { kind: "since"; since: string; symbols: readonly string[]; ciks: readonly string[] }
  | ({ kind: "members" } & MemberLoad);

/** The newest filings of an index's members that are not loaded. */
export interface MemberLoad {
  ciks: readonly string[];
  /** The filings to load: those of these companies since that day. */
  since: string;
  filings: number;
}

/** An ingest as shown on a page. */
export interface IngestStatus {
  /** Whether an ingest is running, and whether this server started it and can stop it. */
  running: "no" | "own" | "another";
  progress: IngestProgress | null;
  /** Why this server's last ingest failed; null if it did not. */
  failure: string | null;
  /** What it could not load, if it loaded the rest; null if nothing. */
  warning: string | null;
  /** The last load of an index's members, if no other ingest was started since; null without one. */
  load: { filings: number; contact: string } | null;
}

/** Runs ingests for the server, one at a time, each in a separate process. */
export type IngestAdmin = ReturnType<typeof createIngestAdmin>;

/** Fiscal years per company for an ingest of filings since a day. */
const SINCE_YEARS = "9";

/**
 * After this long without progress, a process is no longer considered running, because its pid may have been reused.
 */
const SILENT_MS = 10 * 60_000;

/** The contact that ingests from these pages send to the SEC, and why nothing can be fetched. */
function fetching(
  program: Program | null,
  config: Pick<Config, "dataDir" | "contact" | "offline" | "edgarWwwUrl" | "edgarDataUrl">,
) {
  const { dataDir, offline, edgarWwwUrl, edgarDataUrl } = config;
  const contact = () => config.contact || (readNote(dataDir, LOAD, LOAD_NOTE)?.contact ?? "");
  const unavailable = (): string | null =>
    offline
      ? "--offline is set, so filings cannot be fetched."
      : program === null
        ? "This server cannot start another process."
        : contact() === ""
          ? 'EDGAR requires a name and e-mail address with every request. Start the server with --contact "Name mail@host", or give them on Set up.'
          : null;
  const edgar = ["--edgar-www-url", edgarWwwUrl, "--edgar-data-url", edgarDataUrl];
  const words = () => ["--by-server", "--data-dir", dataDir, "--contact", contact(), ...edgar];
  return { contact, unavailable, words };
}

/** The last ingest of a data folder. @param isOwn whether this server runs one */
function lastIngest(
  dataDir: string,
  nowMs: number,
  isOwn: boolean,
): Pick<IngestStatus, "running" | "progress" | "load"> {
  const progress = readIngestProgress(dataDir);
  const isRunning =
    progress !== null &&
    progress.state === "running" &&
    nowMs - progress.updatedAtMs < SILENT_MS &&
    isAlive(progress.pid);
  const load = readNote(dataDir, LOAD, LOAD_NOTE);
  const isLoads = load !== null && (progress === null || progress.request.includes(`since ${load.since}`));
  const running = isOwn ? "own" : isRunning ? "another" : "no";
  return { running, progress, load: isLoads ? load : null };
}

/** @param program command line that starts this program; null if no process can be started */
export function createIngestAdmin(
  program: Program | null,
  config: Pick<Config, "dataDir" | "contact" | "offline" | "edgarWwwUrl" | "edgarDataUrl">,
  now: () => number,
) {
  const { dataDir, offline } = config;
  const { contact, unavailable, words } = fetching(program, config);
  let own: AbortController | null = null;
  let ended: Ended = { failure: null, warning: null };
  let isStopped = false;
  const status = (): IngestStatus => ({ ...lastIngest(dataDir, now(), own !== null), ...ended });
  return {
    /** Why filings cannot be fetched; null if they can. */
    get unavailable() {
      return unavailable();
    },
    /** The contact sent to the SEC: as configured, or as given for the last load; empty without one. */
    get contact() {
      return contact();
    },
    /** Whether the server is offline. */
    offline,
    status,
    /** Loads missing filings of an index's members. @param given the contact for the SEC, kept for later ingests */
    load(members: MemberLoad, given: string, onEnd: () => void): void {
      const { filings, since } = members;
      if (status().running === "no") writeNote(dataDir, LOAD, { filings, since, contact: given });
      this.start({ kind: "members", ...members }, onEnd);
    },
    /** @param onEnd called when it has ended. @throws OperatorError while one is running, or if nothing can be fetched */
    start(request: IngestRequest, onEnd: () => void): void {
      const why = unavailable();
      if (program === null || why !== null) throw new OperatorError(why ?? "");
      if (status().running !== "no")
        throw new OperatorError("An ingest is running. Wait for it to end, or stop it.");
      const { signal } = (own = new AbortController());
      ended = { failure: null, warning: null };
      isStopped = false;
      void (async () => {
        const result = await runToEnd(program, ["ingest", ...wordsOf(request), ...words()], signal);
        // Whoever stopped it knows why it ended.
        ended = isStopped ? { failure: null, warning: null } : result;
        own = null;
        onEnd();
      })();
    },
    /** Stops this server's ingest. Fetched filings are kept, and the next ingest continues from there. */
    stop(): boolean {
      own?.abort();
      isStopped = own !== null;
      return isStopped;
    },
  };
}

/** How an ingest ended: the last line of its output, if it failed in whole or in part. */
type Ended = Pick<IngestStatus, "failure" | "warning">;

/** Runs an ingest to its end. Some failed filings are only a warning: they remain listed as not loaded. */
async function runToEnd(program: Program, words: string[], stop: AbortSignal): Promise<Ended> {
  try {
    const { code, err, signal } = await runProgram(program, words, { signal: stop });
    const output = err.split("\n").at(-1) || "It failed.";
    if (code === 0) return { failure: null, warning: null };
    if (code === PARTLY_DONE) return { failure: null, warning: output };
    return { failure: signal === null ? output : `It was stopped (${signal}).`, warning: null };
  } catch (error) {
    return { failure: messageOf(error), warning: null };
  }
}

function wordsOf(request: IngestRequest): string[] {
  if (request.kind === "companies")
    return ["--ticker", request.symbols.join(","), "--years", String(request.years)];
  if (request.kind === "since") {
    const { since, symbols, ciks } = request;
    const named = [
      ...(symbols.length === 0 ? [] : ["--ticker", symbols.join(",")]),
      ...(ciks.length === 0 ? [] : ["--cik", ciks.join(",")]),
    ];
    return ["--since", since, "--years", SINCE_YEARS, ...named];
  }
  if (request.kind === "members")
    return ["--pending", "--since", request.since, "--cik", request.ciks.join(",")];
  const index = request.index === null ? [] : ["--index", request.index];
  return ["--pending", "--limit", String(request.limit), ...index];
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
export type IngestProgress = ReturnType<typeof parseAs<typeof PROGRESS_NOTE>>;

/** Such a note. */
const PROGRESS_NOTE = {
  pid: "number",
  request: ["string", "@", "the command line"],
  state: ["===", "running", "ended"],
  startedAtMs: "number",
  updatedAtMs: "number",
  done: ["number", "@", "companies, or files"],
  total: "number",
  documents: "number",
  rows: "number",
  problems: "number",
  bytes: "number",
  seconds: "number",
  "read?": ["number", "@", "documents with rows"],
  "refused?": ["number", "@", "documents without any"],
  "failed?": ["number", "@", "documents that cannot be fetched"],
  "reasons?": [
    [{ reason: "string", n: "number", filings: "string[]" }, "[]"],
    "@",
    "why documents have no rows: the reason, how many, and some of them",
  ],
  report: ["string[]", "@", "lines; empty while running"],
  snapshot: [
    "string | null",
    "@",
    "content hash of the resulting dataset; null while running, and if nothing was new",
  ],
} as const;

/** What `load` writes. */
const LOAD_NOTE = { filings: "number", since: "string", contact: "string" } as const;

/** What a scheduled ingest writes. */
const SCHEDULED_NOTE = { startedMs: "number" } as const;

/** Exit code of an ingest in which some filings failed. */
export const PARTLY_DONE = 3;

const PROGRESS = "ingest-progress.json";
/** The last load of an index's members. */
const LOAD = "load.json";
/** When the last scheduled ingest started. */
const SCHEDULED = "ingest-every.json";

/** Writes the progress. If that fails, it is not shown, and the ingest continues. */
export function writeIngestProgress(dataDir: string, progress: IngestProgress): void {
  try {
    writeNote(dataDir, PROGRESS, progress);
  } catch {
    // The folder is full or read-only; the ingest itself will report that.
  }
}

/** The last progress written; null if there is none or it is unreadable. */
export function readIngestProgress(dataDir: string): IngestProgress | null {
  return readNote(dataDir, PROGRESS, PROGRESS_NOTE);
}

function writeNote(dataDir: string, name: string, note: object): void {
  mkdirSync(join(dataDir, "reports"), { recursive: true });
  replaceFile(join(dataDir, "reports", name), JSON.stringify(note));
}

/** A note; null if there is none, or it cannot be read. */
function readNote<const Of extends Exclude<Definition, string>>(dataDir: string, name: string, of: Of) {
  try {
    return parseAs(of, readFileSync(join(dataDir, "reports", name), "utf8"));
  } catch {
    return null;
  }
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
  const pause = (ms: number) => ms + jitter(deps.runtime, ingestEvery);
  const firstMs = Math.max(FIRST_MS, dueInMs(deps.config, deps.runtime.now()));
  const end = repeat(pause(firstMs), async () =>
    pause((await ingestSince(deps)) ? ingestEvery : Math.min(RETRY_MS, ingestEvery)),
  );
  return () => {
    end();
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
  const { since, ciks, symbols } = request;
  log.info("ingest_started", { since, companies: ciks.length + symbols.length });
  await new Promise<void>((resolve) => ingests.start(request, resolve));
  const { failure, warning, progress } = ingests.status();
  if (failure !== null) {
    log.error("ingest_failed", { message: failure });
    return false;
  }
  if (warning !== null) log.warn("ingest_partly_failed", { message: warning });
  writeNote(config.dataDir, SCHEDULED, { startedMs });
  log.info("ingest_ended", { documents: progress?.documents ?? 0, made: progress?.snapshot ?? null });
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
  const newestOrFirst = newest === "" ? new Date(nowMs - FIRST_REACH_MS).toISOString().slice(0, 10) : newest;
  const since = last === null ? newestOrFirst : new Date(last - OVERLAP_MS).toISOString().slice(0, 10);
  const ciks = config.ingestIndex === "" ? [] : currentMembers(dataset, config.ingestIndex);
  return { kind: "since", since, symbols: config.ingestTicker, ciks };
}

function jitter(runtime: Pick<Runtime, "secret">, everyMs: number): number {
  const [high = 0, low = 0] = runtime.secret(2);
  return Math.floor(((high * 256 + low) / 65_536) * JITTER * everyMs);
}

/** When the last ingest started; null if there was none, or its record cannot be read. */
function readLast(dataDir: string): number | null {
  return readNote(dataDir, SCHEDULED, SCHEDULED_NOTE)?.startedMs ?? null;
}
