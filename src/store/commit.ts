import type { Database } from "bun:sqlite";
import { faultOf, isBusy, sqliteErrorOf } from "./faults.ts";
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";

/** Writes that share a transaction with others. */
export interface CommitJob {
  /** Number of pending writes. A commit waits while this grows; jobs without any may be skipped. */
  size(): number;
  /** Runs inside the transaction; may await statements and nothing else. If it fails, its writes are rolled back. */
  write(): Promise<void> | void;
  /**
   * Called once after the transaction: with null if it is durable, else with the error. Must not throw.
   * @param isInDoubt the commit or its flush failed, so the writes may already be in the file, or appear later
   */
  settled(error: unknown, isInDoubt: boolean): void;
}

/** What the queue needs from its store. */
export interface CommitQueueOptions {
  /** The connection; throws if there is none. */
  client(): Database;
  monotonic(): number;
  /** How long to wait for another process's lock, in ms. */
  lockWaitMs(): number;
  /** Converts an error that failed the whole transaction into the one callers see. */
  failed(error: unknown): unknown;
  /** Makes commits durable. */
  log: Pick<LogFlush, "start" | "now">;
  /** Called after a commit whose flush failed, once all jobs have been notified. */
  doubtful(): void;
  /** Called after each durable commit. @param jobs number of writes @param milliseconds duration */
  committed(jobs: number, milliseconds: number): void;
}

/** A committed transaction that may not be durable yet. */
interface Batch {
  size: number;
  everyone: readonly CommitJob[];
  /** For each of `everyone`, its error or null. */
  errors: readonly unknown[];
  startedMs: number;
}

/**
 * Event loop turns to wait while each adds writes, until there are as many as in the last commit: concurrent requests
 * arrive over a few turns, and a flush costs more than a turn.
 */
const MAX_TURNS = 3;

/** Delays between attempts on a locked store, in ms; the last one repeats. */
const PAUSES_MS = [1, 2, 5, 10, 25];

/**
 * Group commit: all writes of one turn of the event loop share a transaction. It runs in `setImmediate`, when all
 * requests of the turn have been handled; a microtask would run after the first. The flush runs off the event loop,
 * which meanwhile serves requests that do not write; writes that arrive before it ends share the next transaction. At
 * most one transaction is not yet durable.
 */
export class CommitQueue {
  private waiting: CommitJob[] = [];
  private readonly regulars: CommitJob[] = [];
  private scheduled = false;
  /** The transaction that is being written. */
  private writing: Promise<Batch | null> | null = null;
  private lockedSinceMs: number | null = null;
  private tries = 0;
  private arrived = 0;
  private turns = 0;
  /** Number of writes in the last commit. */
  private askedLast = 0;
  private flushing: Batch | null = null;

  constructor(private readonly options: CommitQueueOptions) {}

  /** Adds a job to this turn's transaction. */
  add(job: CommitJob): void {
    this.waiting.push(job);
    this.schedule();
  }

  /** Adds a job that takes part in every transaction. */
  onEveryCommit(job: CommitJob): void {
    this.regulars.push(job);
  }

  /** Ensures that this turn has a transaction. */
  schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    if (this.flushing === null && this.writing === null) this.startGathering();
  }

  private startGathering(): void {
    this.arrived = 0;
    this.turns = 0;
    const gather = () => this.gather();
    if (this.tries === 0) setImmediate(gather);
    else setTimeout(gather, PAUSES_MS[Math.min(this.tries, PAUSES_MS.length) - 1]);
  }

  /** Waits for the end of the turn, and for following turns while they add expected writes. */
  private gather(): void {
    const size = sizeOf(this.waiting);
    if (size > this.arrived && size < this.askedLast && this.turns < MAX_TURNS) {
      this.arrived = size;
      this.turns += 1;
      setImmediate(() => this.gather());
      return;
    }
    void this.run();
  }

  /** Commits and flushes immediately, without waiting for locks. */
  async close(): Promise<void> {
    await this.writing;
    // Notified jobs may schedule another commit.
    do {
      this.lockedSinceMs = Number.NEGATIVE_INFINITY;
      const before = this.flushing;
      this.flushing = null;
      const last = await this.commit();
      if (before === null && last === null) return;
      let failed: unknown = null;
      try {
        this.options.log.now();
      } catch (error) {
        failed = error;
      }
      for (const batch of [before, last]) if (batch !== null) this.settle(batch, failed);
      if (failed !== null) return;
    } while (this.scheduled);
  }

  private async run(): Promise<void> {
    // Left over from before the store was closed.
    if (!this.scheduled) return;
    this.writing = this.commit();
    const batch = await this.writing;
    this.writing = null;
    if (batch === null) {
      if (this.scheduled) this.startGathering();
      return;
    }
    this.flushing = batch;
    this.options.log.start((error) => {
      // Otherwise `close` has settled it.
      if (this.flushing !== batch) return;
      // Notified jobs may schedule another commit, which starts once all have been notified.
      this.settle(batch, error);
      this.flushing = null;
      if (this.scheduled) this.startGathering();
    });
  }

  private settle({ size, everyone, errors, startedMs }: Batch, failed: unknown): void {
    if (failed === null) {
      this.options.committed(size, this.options.monotonic() - startedMs);
      everyone.forEach((job, index) => job.settled(errors[index] ?? null, false));
      return;
    }
    this.giveUp(everyone, failed, true);
    this.options.doubtful();
  }

  /** Commits the waiting jobs, or schedules that again. @returns what to flush; null if nothing was committed */
  private async commit(): Promise<Batch | null> {
    this.scheduled = false;
    const jobs = this.waiting;
    let client: Database;
    try {
      client = this.options.client();
      client.query("BEGIN IMMEDIATE").run();
    } catch (error) {
      if (this.waitForLock(error)) return null;
      this.waiting = [];
      return this.giveUp(jobs, error, false);
    }
    this.lockedSinceMs = null;
    this.tries = 0;
    this.waiting = [];
    const startedMs = this.options.monotonic();
    const errors: unknown[] = [];
    const size = sizeOf(jobs);
    this.askedLast = size;
    const everyone = [...jobs, ...this.regulars.filter((job) => job.size() > 0)];
    try {
      for (const job of everyone) errors.push(await runJob(client, job));
    } catch (error) {
      rollBack(client);
      return this.giveUp(everyone, error, false);
    }
    try {
      client.query("COMMIT").run();
    } catch (error) {
      rollBack(client);
      overwriteLog(client);
      return this.giveUp(everyone, error, true);
    }
    return { size, everyone, errors, startedMs };
  }

  private giveUp(jobs: readonly CommitJob[], error: unknown, isInDoubt: boolean): null {
    const cause = this.options.failed(error);
    for (const job of jobs) job.settled(cause, isInDoubt);
    return null;
  }

  /** Whether to retry later because another process holds the lock. The event loop is not blocked. */
  private waitForLock(error: unknown): boolean {
    if (!isBusy(error)) return false;
    const nowMs = this.options.monotonic();
    this.lockedSinceMs ??= nowMs;
    if (nowMs - this.lockedSinceMs >= this.options.lockWaitMs()) {
      this.lockedSinceMs = null;
      this.tries = 0;
      return false;
    }
    this.tries += 1;
    this.scheduled = true;
    return true;
  }
}

function sizeOf(jobs: readonly CommitJob[]): number {
  return jobs.reduce((sum, job) => sum + job.size(), 0);
}

/** Runs one job in its own savepoint. @returns its error or null; throws errors that affect the whole transaction */
async function runJob(client: Database, job: CommitJob): Promise<unknown> {
  client.query("SAVEPOINT job").run();
  try {
    const written = job.write();
    if (written !== undefined) await withoutWaiting(written);
  } catch (error) {
    // On disk errors SQLite rolls back the whole transaction itself.
    if (!client.inTransaction || isStorageError(error)) throw error;
    client.query("ROLLBACK TO job").run();
    client.query("RELEASE job").run();
    return error;
  }
  client.query("RELEASE job").run();
  return null;
}

/**
 * SQLite has the results of statements at once, so that a job that awaits nothing else ends before the event loop's next
 * turn: nobody else reads or writes within its transaction. @throws Error if it took longer
 */
async function withoutWaiting(written: Promise<void>): Promise<void> {
  let isLate = false;
  const nextTurn = setImmediate(() => {
    isLate = true;
  });
  try {
    await written;
  } finally {
    clearImmediate(nextTurn);
  }
  if (isLate) throw new Error("what runs in a transaction must not wait for anything but statements");
}

function isStorageError(error: unknown): boolean {
  const failed = sqliteErrorOf(error);
  return failed !== undefined && !/^SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG|RANGE)/.test(failed.code ?? "");
}

/**
 * Cleans up after a commit whose flush failed: its pages are in the log, past the end that the log's index records, and
 * the next process to open the file would treat them as committed. This transaction overwrites them; it does not matter
 * that it cannot be flushed either.
 */
function overwriteLog(client: Database): void {
  try {
    client.query("BEGIN IMMEDIATE").run();
    client.run("CREATE TABLE __overwrite (filler)");
    client.run("DROP TABLE __overwrite");
    client.query("COMMIT").run();
  } catch {
    rollBack(client);
  }
}

/** Rolls back a transaction that cannot be committed. */
export function rollBack(client: Database): void {
  try {
    if (client.inTransaction) client.query("ROLLBACK").run();
  } catch {
    // The connection is unusable; the store will open a new one.
  }
}

/**
 * Makes commits durable off the event loop: SQLite writes them to its log without syncing (`synchronous=NORMAL`), and
 * another thread syncs the log before they are acknowledged.
 * @see docs/performance.md, "What a charge waits for"
 */
export class LogFlush {
  private file: number | null = null;
  private underWay = false;
  private isNeeded = true;
  private readonly over: number[] = [];

  /** @param path of the database; its log has the same name plus `-wal` while a connection is open */
  constructor(private readonly path: string) {}

  /**
   * Takes over syncing for a new connection. Without a log (on a file system without shared memory), SQLite continues
   * to sync every commit, as it does until this is called.
   */
  takeOver(client: Database): void {
    const mode = client.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get();
    this.isNeeded = mode?.journal_mode === "wal";
    if (this.isNeeded) client.run("PRAGMA synchronous = NORMAL");
  }

  /** Syncs the commits so far, and reports when they are durable, or the fault. */
  start(done: (fault: unknown) => void): void {
    if (!this.isNeeded) return done(null);
    try {
      this.file ??= openSync(`${this.path}-wal`, "r+");
    } catch (error) {
      return done(this.faultFor(error));
    }
    this.underWay = true;
    fdatasync(this.file, (error) => {
      this.underWay = false;
      for (const file of this.over.splice(0)) closeSync(file);
      done(error === null ? null : this.faultFor(error));
    });
  }

  /** The same, synchronously. @throws the system's error */
  now(): void {
    if (!this.isNeeded) return;
    this.file ??= openSync(`${this.path}-wal`, "r+");
    fdatasyncSync(this.file);
  }

  /** Any error is a fault of the store: it is unknown what part of the log is durable. */
  private faultFor(error: unknown): unknown {
    if (faultOf(error, this.path) !== undefined) return error;
    return Object.assign(new Error(`The log cannot be flushed: ${String(error)}`), { code: "EIO" });
  }

  /** Forgets the log, because the next connection may have a different one. */
  reset(): void {
    if (this.file === null) return;
    // While a flush runs, closing would let another file reuse the descriptor.
    if (this.underWay) this.over.push(this.file);
    else closeSync(this.file);
    this.file = null;
  }
}
