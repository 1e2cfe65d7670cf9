import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { StatementValue, StoreDb, Work } from "./work.ts";

/** Something that is written with whatever else is committed. */
export interface RegularJob {
  /** How much it would write now; with nothing it may be left out. */
  size(): number;
  /** Runs inside the transaction. */
  write(tx: StoreDb): Work<void>;
  /** Called once after the transaction ended: null when it is on disk, else why not. Must not throw. */
  settled(error: unknown): void;
}

/**
 * The writable state, wherever it is kept. While it cannot be used every access refuses with `unavailable`, and it is
 * tried again: after a repair all is as before without a restart.
 */
export interface Store {
  /** Reads: at once where the store is in this process. */
  read<T>(work: (db: StoreDb) => Work<T>): MaybePromise<T>;
  /** Rows of one statement, for the road of a request: as `read` with `StoreDb.rows`. */
  rows<Row>(text: string, ...values: StatementValue[]): MaybePromise<Row[]>;
  /**
   * Runs work in a transaction and resolves with its value when that is on disk. When it throws, what it wrote is undone.
   * Transactions are as if one came after the other.
   */
  transact<T>(work: (tx: StoreDb) => Work<T>): Promise<T>;
  /** Takes part in commits, never the reason for one. */
  onEveryCommit(job: RegularJob): void;
  /** Commits with what else comes now, even when only regular jobs have something. */
  scheduleCommit(): void;
  /** Commits within half a second, for what nobody waits for: it goes with what is committed anyway. */
  commitSoon(): void;
  /**
   * Changes whenever what is kept in memory about accounts may be stale. Refuses with `unavailable` where that is known
   * at once.
   */
  generation(): number;
  /** The file that it is in; null where it is in none. */
  readonly path: string | null;
  /** Resolves once it was tried to open it, whether it can be used or not. @throws OperatorError where it must not be */
  ready(): Promise<void>;
  /** Null while all is well, else the sentence for the operator. */
  readonly failure: string | null;
  /** Writes what is waiting and closes. */
  close(): Promise<void>;
}
