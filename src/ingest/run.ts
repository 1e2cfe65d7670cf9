/** A run of `execcomp ingest`: fetches or reads many companies or files concurrently, then commits them to the snapshot in use. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type FetchDeps, fetchCompany, type WantedCompany } from "./fetch-filings.ts";
import type { Edgar } from "./edgar/client.ts";
import { type FoundFile, readFile } from "./from-dir.ts";
import { createTally, type IngestReport } from "./report.ts";
import { fileSpill } from "./cache.ts";
import { commitFilings, edgarFolder, type IngestContext } from "./context.ts";

/** The progress of a run. */
export interface Progress {
  /** Number of companies, or files. */
  done: number;
  total: number;
  documents: number;
  rows: number;
  problems: number;
  bytes: number;
  seconds: number;
}

/** Options and callbacks of a run. */
export interface RunOptions {
  /** The request in words, for the report. */
  asked: string;
  /** Monotonic clock in milliseconds. */
  monotonic(): number;
  onProgress(progress: Progress): void;
  /** Called when EDGAR blocks us and the run waits until then. */
  onWait?(untilMs: number): void;
  /** The bytes of the embedded snapshot, if not this program's own. */
  embedded?: () => Uint8Array<ArrayBuffer>;
}

/** Companies fetched concurrently: enough for the rate limit, rather than latency, to be the bottleneck. */
const COMPANIES_AT_A_TIME = 24;

/**
 * Fetches and reads the requested filings, and installs the new snapshot.
 *
 * @param isLoaded whether a filing need not be fetched
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
      run.reportProgress();
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

/** Reads the documents of a folder, and installs the new snapshot. */
export async function ingestFromFolder(
  context: IngestContext,
  folder: string,
  files: readonly FoundFile[],
  nameOf: (cik: string) => string,
  options: RunOptions,
): Promise<IngestReport> {
  using run = openRun(context, options, files.length);
  // One more than there are threads, so that no thread waits for the disk.
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

/** The state of every run: its counts, its uncommitted filings and its progress. */
function openRun({ dataDir, clock }: IngestContext, options: RunOptions, total: number) {
  const tally = createTally();
  const begun = options.monotonic();
  const startedAt = new Date(clock.now()).toISOString();
  const spill = fileSpill(spillFile(dataDir));
  let done = 0;
  const reportProgress = () =>
    options.onProgress(progressOf(tally.now, done, total, options.monotonic() - begun));
  return {
    tally,
    spill,
    reportProgress,
    /** Counts a finished company or file. */
    oneDone() {
      done++;
      reportProgress();
    },
    /** Installs the new snapshot. */
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

/** Removes the files of killed runs, whose processes no longer exist. */
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

/** Processes all items with at most `width` concurrently, started in order. Rejects with the first error. */
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
