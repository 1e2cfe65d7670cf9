/** A run of `execcomp ingest`: many companies or files at a time, counted, then joined to the snapshot in use. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type FetchDeps, fetchCompany, type WantedCompany } from "./fetch-filings.ts";
import type { Edgar } from "./edgar/client.ts";
import { type FoundFile, readFile } from "./from-dir.ts";
import { createTally, type IngestReport } from "./report.ts";
import { fileSpill } from "./spill.ts";
import { commitFilings, edgarFolder, type IngestContext } from "./context.ts";

/** How far a run is. */
export interface Progress {
  /** Companies, or files. */
  done: number;
  total: number;
  documents: number;
  rows: number;
  problems: number;
  bytes: number;
  seconds: number;
}

/** What a run is told and tells. */
export interface RunOptions {
  /** The command line in words, for the report. */
  asked: string;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  onProgress(progress: Progress): void;
  /** EDGAR sends us away until then, and the run waits. */
  onWait?(untilMs: number): void;
  /** The bytes of the embedded snapshot, where another one than our own is meant. */
  embedded?: () => Uint8Array<ArrayBuffer>;
}

/** Companies under way at a time: enough that the rate limit, and not the distance to EDGAR, is the bound. */
const COMPANIES_AT_A_TIME = 24;

/**
 * Fetches and reads what is wanted, and puts the new snapshot in place.
 *
 * @param isLoaded filings that need not be asked for
 */
export async function ingestFromEdgar(
  context: IngestContext,
  edgar: Edgar,
  wanted: readonly WantedCompany[],
  isLoaded: FetchDeps["isLoaded"],
  options: RunOptions,
): Promise<IngestReport> {
  using run = openRun(context, options, wanted.length);
  const deps: FetchDeps = {
    ...context,
    edgar,
    waitsForCoolDown: true,
    isLoaded,
    ...(options.onWait === undefined ? {} : { onWait: options.onWait }),
    onDocument({ ingested, bytes, fromDisk }) {
      run.tally.document(ingested, bytes, fromDisk);
      run.tell();
    },
  };
  await inParallel(wanted, COMPANIES_AT_A_TIME, async (one) => {
    const { name, filings, failure } = await fetchCompany(deps, one);
    for (const ingested of filings) run.spill.add(ingested);
    if (failure !== null) run.tally.failure(one.cik, name, failure);
    run.oneDone();
  });
  return await run.commit(wanted.length);
}

/** Reads the documents of a folder, and puts the new snapshot in place. */
export async function ingestFromFolder(
  context: IngestContext,
  folder: string,
  files: readonly FoundFile[],
  nameOf: (cik: string) => string,
  options: RunOptions,
): Promise<IngestReport> {
  using run = openRun(context, options, files.length);
  // One more than there are threads, so that none waits for the disk.
  await inParallel(files, availableParallelism() + 1, async (file) => {
    const { path, bytes, parsed, ingested, why } = await readFile(context, folder, file, nameOf);
    if (ingested === null) run.tally.unplaced(path, bytes, parsed.rows.length, why ?? "");
    else {
      run.tally.document(ingested, bytes, true);
      run.spill.add(ingested);
    }
    run.oneDone();
  });
  return await run.commit(new Set(files.flatMap(({ known }) => known.cik ?? [])).size);
}

/** What every run has: what it counts and keeps until it is committed, and how far it is of so many. */
function openRun({ dataDir, clock }: IngestContext, options: RunOptions, total: number) {
  const tally = createTally();
  const begun = options.monotonic();
  const startedAt = new Date(clock.now()).toISOString();
  const spill = fileSpill(spillFile(dataDir));
  let done = 0;
  const tell = () => options.onProgress(progressOf(tally.now, done, total, options.monotonic() - begun));
  return {
    tally,
    spill,
    tell,
    /** A company, or a file. */
    oneDone() {
      done++;
      tell();
    },
    /** Puts the new snapshot in place. */
    async commit(companies: number): Promise<IngestReport> {
      const committed = await commitFilings(dataDir, clock, spill.companies(), options.embedded);
      const seconds = (options.monotonic() - begun) / 1000;
      return tally.report({ asked: options.asked, startedAt, seconds, companies }, committed);
    },
    [Symbol.dispose]: () => spill[Symbol.dispose](),
  };
}

function spillFile(dataDir: string): string {
  const folder = edgarFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder);
  return join(folder, `run-${process.pid}.jsonl`);
}

/** Runs that were killed leave their file behind: those whose process is gone are removed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^run-(\d+)\.jsonl$/.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isRunning(pid)) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function progressOf(
  { documents, rows, problems, bytes }: Pick<Progress, "documents" | "rows" | "problems" | "bytes">,
  done: number,
  total: number,
  elapsedMs: number,
): Progress {
  return { done, total, documents, rows, problems, bytes, seconds: elapsedMs / 1000 };
}

/** Does something with every item, at most `width` at a time, in order of start. The first error ends it. */
async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
