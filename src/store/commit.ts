import type { Database, Statement } from "bun:sqlite";
import { isBusy, sqliteErrorOf } from "./faults.ts";

/** Something to write in a transaction shared with others. */
export interface CommitJob {
  /** How much it would write now: as long as that grows, a commit waits for more. With nothing it is left out. */
  size(): number;
  /** Runs inside the transaction; synchronous. What it wrote is undone when it throws. */
  write(): void;
  /**
   * Called once after the transaction ended: null when it is on disk, else why not. Must not throw.
   * @param isInDoubt the commit or its flush failed: what was written may turn up, or stand there already
   */
  settled(error: unknown, isInDoubt: boolean): void;
}

/** What the queue needs to know about its store. */
export interface CommitQueueOptions {
  /** The connection; throws while there is none. */
  client(): Database;
  monotonic(): number;
  /** How long a lock of another process is waited for, in ms. */
  lockWaitMs: number;
  /** Makes the error that callers see out of a failure that took the whole transaction down. */
  failed(error: unknown): unknown;
  /** Makes durable what was committed, away from the event loop, and tells the error where that fails. */
  flush(done: (error: unknown) => void): void;
  /** The same at once. @throws where that fails */
  flushNow(): void;
  /** Called after a commit whose flush failed, when everybody was told. */
  doubtful(): void;
  /** Called after every durable commit. @param jobs how much asked for it @param milliseconds how long it took */
  committed(jobs: number, milliseconds: number): void;
}

/** A transaction that is committed and not known to be on disk. */
interface Batch {
  asked: number;
  everyone: readonly CommitJob[];
  /** Of each of `everyone`, null where it is fine. */
  errors: readonly unknown[];
  startedMs: number;
}

/**
 * Turns that a commit waits for while each brings more, until as much asks as the last time: requests of one moment reach
 * us over a few turns, and a flush is dearer than a turn.
 */
const MAX_TURNS = 3;

/** Pauses between tries at a locked store, in ms; the last one repeats. */
const PAUSES_MS = [1, 2, 5, 10, 25];

/**
 * One commit a turn of the event loop: everything that asks in one turn goes to disk in one transaction, run by
 * `setImmediate`, when the requests that arrived together have all asked (a microtask would run after the first). Its flush
 * runs beside the event loop, which answers meanwhile whoever writes nothing; what asks until it has ended shares the next
 * transaction. There is never more than one that is not on disk.
 */
export class CommitQueue {
  private waiting: CommitJob[] = [];
  private readonly regulars: CommitJob[] = [];
  private scheduled = false;
  private lockedSinceMs: number | null = null;
  private tries = 0;
  private arrived = 0;
  private turns = 0;
  /** How much asked for the last commit. */
  private askedLast = 0;
  private flushing: Batch | null = null;
  private prepared: Prepared | null = null;

  constructor(private readonly options: CommitQueueOptions) {}

  /** Puts a job into this turn's transaction. */
  add(job: CommitJob): void {
    this.waiting.push(job);
    this.schedule();
  }

  /** A job that takes part in every transaction. */
  onEveryCommit(job: CommitJob): void {
    this.regulars.push(job);
  }

  /** Makes sure that this turn has a transaction. */
  schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    if (this.flushing === null) this.startGathering();
  }

  private startGathering(): void {
    this.arrived = 0;
    this.turns = 0;
    setImmediate(() => this.gather());
  }

  /** Lets the turn end first, and waits for the next ones as long as they bring more of what is expected. */
  private gather(): void {
    const asked = sizeOf(this.waiting);
    if (asked > this.arrived && asked < this.askedLast && this.turns < MAX_TURNS) {
      this.arrived = asked;
      this.turns += 1;
      setImmediate(() => this.gather());
      return;
    }
    this.run();
  }

  /** Commits now what is waiting, and flushes; a lock is not waited for. */
  close(): void {
    // Who is told may ask for another commit.
    do {
      this.lockedSinceMs = Number.NEGATIVE_INFINITY;
      const before = this.flushing;
      this.flushing = null;
      const last = this.commit();
      if (before === null && last === null) return;
      let failed: unknown = null;
      try {
        this.options.flushNow();
      } catch (error) {
        failed = error;
      }
      for (const batch of [before, last]) if (batch !== null) this.settle(batch, failed);
      if (failed !== null) return;
    } while (this.scheduled);
  }

  private run(): void {
    // A turn that was waited for when the store was closed.
    if (!this.scheduled) return;
    const batch = this.commit();
    if (batch === null) return;
    this.flushing = batch;
    this.options.flush((error) => {
      // Else it was closed meanwhile, which settled it.
      if (this.flushing !== batch) return;
      // Who is told may ask for another commit: it begins when all are told, and once.
      this.settle(batch, error);
      this.flushing = null;
      if (this.scheduled) this.startGathering();
    });
  }

  private settle({ asked, everyone, errors, startedMs }: Batch, failed: unknown): void {
    if (failed === null) {
      this.options.committed(asked, this.options.monotonic() - startedMs);
      everyone.forEach((job, index) => job.settled(errors[index] ?? null, false));
      return;
    }
    const told = this.options.failed(failed);
    for (const job of everyone) job.settled(told, true);
    this.options.doubtful();
  }

  /** Commits what is waiting. @returns what is to be flushed; null where nothing was committed */
  private commit(): Batch | null {
    this.scheduled = false;
    const jobs = this.waiting;
    let run: Prepared;
    try {
      run = this.statements();
      run.begin.run();
    } catch (error) {
      if (this.waitForLock(error)) return null;
      this.waiting = [];
      this.giveUp(jobs, error);
      return null;
    }
    this.lockedSinceMs = null;
    this.tries = 0;
    this.waiting = [];
    const startedMs = this.options.monotonic();
    const errors: unknown[] = [];
    const asked = sizeOf(jobs);
    this.askedLast = asked;
    const everyone = [...jobs, ...this.regulars.filter((job) => job.size() > 0)];
    try {
      for (const job of everyone) errors.push(runJob(run, job));
    } catch (error) {
      rollBack(run.client);
      this.giveUp(everyone, error);
      return null;
    }
    try {
      run.commit.run();
    } catch (error) {
      rollBack(run.client);
      overwriteLog(run.client);
      const told = this.options.failed(error);
      for (const job of everyone) job.settled(told, true);
      return null;
    }
    return { asked, everyone, errors, startedMs };
  }

  /** What every commit runs, prepared once a connection. */
  private statements(): Prepared {
    const client = this.options.client();
    if (this.prepared?.client === client) return this.prepared;
    const [begin, commit] = [client.query("BEGIN IMMEDIATE"), client.query("COMMIT")];
    const [savepoint, release] = [client.query("SAVEPOINT job"), client.query("RELEASE job")];
    return (this.prepared = { client, begin, commit, savepoint, release });
  }

  private giveUp(jobs: readonly CommitJob[], error: unknown): void {
    const told = this.options.failed(error);
    for (const job of jobs) job.settled(told, false);
  }

  /** Whether to come back later because another process writes: the event loop goes on meanwhile. */
  private waitForLock(error: unknown): boolean {
    if (!isBusy(error)) return false;
    const nowMs = this.options.monotonic();
    this.lockedSinceMs ??= nowMs;
    if (nowMs - this.lockedSinceMs >= this.options.lockWaitMs) {
      this.lockedSinceMs = null;
      this.tries = 0;
      return false;
    }
    const pauseMs = PAUSES_MS[Math.min(this.tries, PAUSES_MS.length - 1)] ?? 25;
    this.tries += 1;
    this.scheduled = true;
    setTimeout(() => this.run(), pauseMs);
    return true;
  }
}

/** Bun keeps the twenty statements that were asked for last. */
interface Prepared {
  client: Database;
  begin: Statement;
  commit: Statement;
  savepoint: Statement;
  release: Statement;
}

function sizeOf(jobs: readonly CommitJob[]): number {
  return jobs.reduce((sum, job) => sum + job.size(), 0);
}

/** Runs one job in a savepoint of its own. @returns its error, null when it is fine; throws what hurts all */
function runJob({ client, savepoint, release }: Prepared, job: CommitJob): unknown {
  savepoint.run();
  try {
    job.write();
  } catch (error) {
    // SQLite ends the whole transaction itself when the disk fails it: nothing to go back to.
    if (!client.inTransaction || isStorageError(error)) throw error;
    client.query("ROLLBACK TO job").run();
    release.run();
    return error;
  }
  release.run();
  return null;
}

function isStorageError(error: unknown): boolean {
  const failed = sqliteErrorOf(error);
  return failed !== undefined && !/^SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG|RANGE)/.test(failed.code ?? "");
}

/**
 * After a commit whose flush failed: its pages stand in the log, behind what the log's index counts, and whoever opens
 * the file next would take them for committed. The next transaction of this connection is written over them; that it
 * cannot be flushed either does not matter.
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

/** Ends a transaction that cannot be committed. */
export function rollBack(client: Database): void {
  try {
    if (client.inTransaction) client.query("ROLLBACK").run();
  } catch {
    // The connection is beyond that; the store makes a new one.
  }
}
