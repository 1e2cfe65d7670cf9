import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { StatementValue, StoreDb } from "./work.ts";

/** Writes that join other commits. */
export interface RegularJob {
  /** Number of pending writes; the job may be skipped without any. */
  size(): number;
  /** Runs inside the transaction. */
  write(tx: StoreDb): Promise<void>;
  /** Called once after the transaction: with null if it is durable, else with the error. Must not throw. */
  settled(error: unknown): void;
}

/**
 * The writable store. While it is unusable, every access refuses with `unavailable`, and it is retried: it recovers
 * from a repair without a restart.
 */
export interface Store {
  read<T>(work: (db: StoreDb) => PromiseLike<T>): Promise<T>;
  /** Rows of one statement on a request's hot path; the embedded store has them at once. */
  rows<Row>(text: string, ...values: StatementValue[]): MaybePromise<Row[]>;
  /**
   * Runs work in a serializable transaction and resolves with its value once durable. If it throws, its writes are
   * rolled back. It may await statements and nothing else, and PostgreSQL may run it again after a conflict, so side
   * effects outside the store must be repeatable.
   */
  transact<T>(work: (tx: StoreDb) => PromiseLike<T>): Promise<T>;
  /** Adds a job that joins commits without causing any. */
  onEveryCommit(job: RegularJob): void;
  /** Commits as soon as possible, even if only regular jobs have writes. */
  scheduleCommit(): void;
  /** Commits within half a second, for writes that no caller waits for; they join other commits. */
  commitSoon(): void;
  /** Changes whenever cached account data may be stale. Refuses with `unavailable` if the store is known to be down. */
  generation(): number;
  /** The store's file; null if it is not a file. */
  readonly path: string | null;
  /**
   * Resolves after the first attempt to open it, successful or not. @throws OperatorError where it must not be opened
   */
  ready(): Promise<void>;
  /** The operator's message; null while the store works. */
  readonly failure: string | null;
  /** Writes pending data and closes. */
  close(): Promise<void>;
}
