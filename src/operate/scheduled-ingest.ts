/**
 * Ingests started by a running server: filings since the last ingest, at the configured interval, in a separate process. The
 * server switches to the result within a second.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { IngestAdmin, IngestRequest } from "./ingest.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import type { Log } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import { currentMembers } from "../dataset/company-facts.ts";
import type { Snapshots } from "../dataset/snapshots.ts";

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
