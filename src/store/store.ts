import { BoundedCache } from "../lib/cache.ts";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/** Writes that join other commits. */
export interface RegularJob {
  /** Number of pending writes; the job may be skipped without any. */
  size(): number;
  /** Runs inside the transaction; may await statements and nothing else. */
  write(tx: StoreDb): Promise<void> | void;
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
  rows<Row>(text: string, ...values: StatementValue[]): Promise<Row[]> | Row[];
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

/** A value in a plain SQL statement. */
export type StatementValue = string | number | null;

type Builders = BaseSQLiteDatabase<"async", unknown, Record<string, never>>;

/**
 * Drizzle on a store or a transaction. Statements are SQLite's; PostgreSQL receives the same text with its own
 * placeholders. Typed as asynchronous: PostgreSQL has results later, SQLite at once.
 */
export interface StoreDb extends Pick<Builders, "select" | "insert" | "update" | "delete" | "$count"> {
  /**
   * Rows of a plain SQL statement, for hot paths and what the builder cannot express. Use the common subset of both
   * dialects, `?` for values, and double quotes for names that are not all lower case.
   */
  rows<Row>(text: string, ...values: StatementValue[]): PromiseLike<Row[]>;
}

/** Maximum delay of writes that no caller waits for, in ms, so that they join other commits. */
export const SOON_MS = 500;

/** Runs work once, some time after the first request for it. Does not keep the process running. */
export class Delayed {
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly delayMs: number,
    private readonly work: () => void,
  ) {}

  /** Has no effect while the work is due. */
  schedule(): void {
    if (this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.work();
    }, this.delayMs);
    this.timer.unref();
  }

  cancel(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

/** The first row of a plain SQL statement. */
export async function firstRow<Row>(statement: PromiseLike<Row[]>): Promise<Row | undefined> {
  return (await statement)[0];
}

/**
 * Values to be written with the next commit. While that is in progress, newer values wait for the following one; values
 * of a failed commit are queued again.
 */
export class WriteBehind<Key, Value> extends Map<Key, Value> {
  private underWay: ReadonlyMap<Key, Value> = new Map<Key, Value>();

  /** @param merge combines a failed value with a newer one; by default the newer one wins */
  constructor(private readonly merge: (failed: Value, newer: Value) => Value = (_failed, newer) => newer) {
    super();
  }

  /** Takes the pending values, inside the transaction of a commit. @param max maximum number, oldest first */
  take(max = Number.POSITIVE_INFINITY): ReadonlyMap<Key, Value> {
    const all = [...this];
    this.underWay = new Map(all.slice(0, max));
    this.clear();
    for (const [key, value] of all.slice(max)) this.set(key, value);
    return this.underWay;
  }

  /** Reports the outcome of that commit. */
  settled(error: unknown): void {
    const { underWay } = this;
    this.underWay = new Map();
    if (error === null) return;
    for (const [key, value] of underWay) {
      const newer = this.get(key);
      this.set(key, newer === undefined ? value : this.merge(value, newer));
    }
  }
}

/**
 * A bounded cache of store results about credentials. It is cleared when the store's generation changes, so that
 * changes by other processes apply to the next request.
 */
export class GenerationCache<Value> {
  private values: BoundedCache<string, Value>;
  private generation = -1;

  /** @param max maximum number of entries */
  constructor(private readonly max: number) {
    this.values = new BoundedCache(max);
  }

  /** The value cached in this generation. */
  get(key: string, generation: number): Value | undefined {
    if (generation !== this.generation) {
      this.values = new BoundedCache(this.max);
      this.generation = generation;
    }
    return this.values.get(key);
  }

  /** Caches a value read in a generation, unless a new one has started since. */
  set(key: string, value: Value, generation: number): void {
    if (generation === this.generation) this.keep(key, value);
  }

  /** Caches a value known to be current, such as one that this process has just written. */
  keep(key: string, value: Value): void {
    this.values.set(key, value);
  }
}
