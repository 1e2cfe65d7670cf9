/** The ingest state in the data folder, and the function that commits parsed filings to the snapshot in use. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../runtime.ts";
import { OperatorError } from "../errors.ts";
import { type Lock, takeLock } from "../files.ts";
import { asFullDisk, requireRoom, installFile, readInstalled, snapshotFolder } from "../dataset/installed.ts";
import type { PeoTag } from "../dataset/peo-tags.ts";
import { copyCurrent, Patch } from "../dataset/patch.ts";
import type { Clock } from "./edgar/rate-limiter.ts";
import { Journal, ParseCache, RawStore, readerIdentity } from "./cache.ts";
import { merge } from "./merge.ts";
import type { IngestedFiling } from "./ingested-filing.ts";
import { WorkerPool } from "./worker-pool.ts";

/** Folders and threads shared by all of ingest. */
export interface IngestContext extends Disposable {
  dataDir: string;
  clock: Clock;
  raw: RawStore;
  journal: Journal;
  parseCache: ParseCache;
  workerPool: WorkerPool;
}

/** Opens the ingest context of a data folder. Threads are started by the first document. */
export function openIngestContext(
  dataDir: string,
  clock: Clock,
  threads = Math.max(1, availableParallelism()),
): IngestContext {
  const workerPool = new WorkerPool(threads);
  return {
    dataDir,
    clock,
    raw: new RawStore(join(dataDir, "raw")),
    journal: new Journal(join(edgarFolder(dataDir), "journal.jsonl")),
    parseCache: new ParseCache(join(dataDir, "readings"), readerIdentity()),
    workerPool,
    [Symbol.dispose]: () => workerPool[Symbol.dispose](),
  };
}

/** The folder of the journal, the cool-down and the rate limiter's slots. */
export function edgarFolder(dataDir: string): string {
  return join(dataDir, "edgar");
}

/** The system clock. */
export function realClock(runtime: Pick<Runtime, "now">): Clock {
  return {
    now: () => runtime.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

type Several<One> = Iterable<One> | AsyncIterable<One>;

/** Locked while a process writes a snapshot. */
const LOCK_FILE = "commit.lock";

/** How long to wait for another process to finish its snapshot. */
const LOCK_WAIT_MS = 120_000;

/**
 * Merges parsed filings into the snapshot in use and installs the result; running servers pick it up on their own. If
 * nothing is new, the installed snapshot is kept; if none is installed yet, the first is installed in any case.
 *
 * @param companies parsed filings by CIK, ascending; consumed one at a time
 * @returns what `commit` does, and the filings that were left out, with the invariant they would violate
 * @throws OperatorError if another process keeps the snapshots locked for two minutes
 */
export async function commitFilings(
  dataDir: string,
  clock: Clock,
  companies: Several<readonly [cik: string, filings: readonly IngestedFiling[]]>,
) {
  const left: { cik: string; accession: string; why: string }[] = [];
  const done = await commit(dataDir, clock, companies, (patch, [cik, filings]) => {
    const merged = merge(patch.record(cik), filings);
    left.push(...merged.left.map((one) => ({ cik, ...one })));
    const isNew = merged.changed && merged.record.filings.length > 0;
    if (isNew) patch.put(merged.record);
    const tags = filings.flatMap((filing) => filing.tags);
    return (tags.length > 0 && patch.putTags(cik, tags)) || isNew;
  });
  return { ...done, left };
}

/** Adds tagged totals to the snapshot in use, like `commitFilings`. */
export async function commitTags(
  dataDir: string,
  clock: Clock,
  companies: Iterable<readonly [cik: string, tags: readonly PeoTag[]]>,
) {
  return await commit(dataDir, clock, companies, (patch, [cik, tags]) => patch.putTags(cik, tags));
}

/**
 * Changes companies of the snapshot in use and installs the result.
 * @param change whether it changed anything
 * @returns content hash of the snapshot now in use, null if that is the embedded one and nothing was new; and how many
 *   companies have new data
 */
async function commit<Company>(
  dataDir: string,
  clock: Clock,
  companies: Several<Company>,
  change: (patch: Patch, company: Company) => boolean,
): Promise<{ contentHash: string | null; changed: number }> {
  const folder = snapshotFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const lock = await lockSnapshots(folder, clock);
  const out = join(folder, "ingested.sqlite");
  try {
    copyCurrent(dataDir, `${out}.building`);
    // Compacting writes a second copy.
    requireRoom(folder, statSync(`${out}.building`).size);
    using patch = new Patch(`${out}.building`, out);
    let changed = 0;
    let any = false;
    for await (const company of companies) {
      any = true;
      if (change(patch, company)) changed++;
    }
    const { current } = readInstalled(dataDir);
    if (!any || (changed === 0 && current !== null))
      return { contentHash: current?.contentHash ?? null, changed };
    const sealed = patch.finish();
    const { contentHash } = installFile(dataDir, out, new Date(clock.now()).toISOString(), { sealed });
    return { contentHash, changed };
  } catch (error) {
    throw asFullDisk(error, folder);
  } finally {
    rmSync(out, { force: true });
    lock.release();
  }
}

/** Waits for the lock on the snapshots. A process that is killed holds it no longer. */
async function lockSnapshots(folder: string, clock: Clock): Promise<Lock> {
  const file = join(folder, LOCK_FILE);
  const giveUpMs = clock.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = takeLock(file);
    if (lock !== null) return lock;
    if (clock.now() > giveUpMs)
      throw new OperatorError(
        `Another ingest has been writing its snapshot in ${folder} for two minutes. Wait for it to end, then try again: fetched filings are kept.`,
      );
    await clock.sleep(100);
  }
}
