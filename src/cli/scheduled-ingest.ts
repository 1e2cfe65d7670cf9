/**
 * Ingests that a server starts by itself: what was filed since the last one, at a time of the server's own, in a process of
 * its own. The running server switches to what came of it within a second.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { IngestAdmin, IngestRequest } from "../admin/ingest.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import type { Log } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import { currentMembers } from "../snapshot/company-facts.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";

/** What scheduled ingests need. */
export interface ScheduledIngestDeps {
  config: Pick<Config, "dataDir" | "ingestEvery" | "ingestIndex" | "ingestTicker">;
  ingests: IngestAdmin;
  snapshots: Pick<Snapshots, "current">;
  runtime: Pick<Runtime, "now" | "secret">;
  log: Log;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A server that has just started has other things to do. */
const FIRST_MS = 10 * MINUTE_MS;
/** How long after a failure, or beside another ingest, it is tried again. */
const RETRY_MS = 60 * MINUTE_MS;
/** Share of the time between two that is left to chance: servers that were started together do not ask EDGAR together. */
const JITTER = 0.1;
/** EDGAR's indexes have a filing a day or two late. */
const OVERLAP_MS = 2 * DAY_MS;
/** How far back the first one looks where the dataset knows no filing. */
const FIRST_REACH_MS = 30 * DAY_MS;

/**
 * Ingests as often as is set, beginning where the last one of this data folder left off. @returns what ends it
 * @throws OperatorError when nothing can be fetched, naming the setting
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

/** How long until the next one is due; 0 where there was none yet. */
export function dueInMs(
  { dataDir, ingestEvery }: Pick<Config, "dataDir" | "ingestEvery">,
  nowMs: number,
): number {
  const last = readLast(dataDir);
  return last === null ? 0 : Math.max(0, last + (ingestEvery ?? 0) - nowMs);
}

/** Ingests once what was filed since the last one. @returns whether the next one goes on from now */
export async function ingestSince(deps: ScheduledIngestDeps): Promise<boolean> {
  const { config, ingests, log, runtime } = deps;
  if (ingests.status().running !== "no") {
    log.info("ingest_postponed", { reason: "another ingest is running" });
    return false;
  }
  const startedMs = runtime.now();
  const wish = wishOf(deps, startedMs);
  log.info("ingest_started", { since: wish.since, companies: wish.ciks.length + wish.symbols.length });
  try {
    await new Promise<void>((resolve) => ingests.start(wish, resolve));
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

/** Everybody who filed since, or those companies that are named and those of the index. */
function wishOf(
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

/** When the last one began; null where there was none, or the note cannot be read. */
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
