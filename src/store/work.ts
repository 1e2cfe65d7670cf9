import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/**
 * Work on a store, written once for both kinds as a generator: it yields each statement and receives the result, which
 * SQLite has at once and PostgreSQL later. PostgreSQL may run it again after a conflict, so side effects outside the
 * store must be repeatable.
 */
export type Work<T> = Generator<unknown, T, unknown>;

/** A value in a plain SQL statement. */
export type StatementValue = string | number | null;

type Builders = BaseSQLiteDatabase<"async", unknown, Record<string, never>>;

/**
 * Drizzle on a store or a transaction. Statements are SQLite's; PostgreSQL receives the same text with its own
 * placeholders. Typed as asynchronous, so that results are only used through `result`.
 */
export interface StoreDb extends Pick<Builders, "select" | "insert" | "update" | "delete"> {
  /**
   * Rows of a plain SQL statement, for hot paths and what the builder cannot express. Use the common subset of both
   * dialects, `?` for values, and double quotes for names that are not all lower case.
   */
  rows<Row>(text: string, ...values: StatementValue[]): PromiseLike<Row[]>;
}

/** The result of a statement: `const row = yield* result(db.select()….get())`. */
export function* result<T>(statement: PromiseLike<T>): Work<T> {
  // The runner passes back the statement's result.
  return (yield statement) as T;
}

/** The first row of a plain SQL statement. */
export function* firstRow<Row>(statement: PromiseLike<Row[]>): Work<Row | undefined> {
  return (yield* result(statement))[0];
}

/** Runs work on synchronous results. */
export function runAtOnce<T>(work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) {
    if (step.value instanceof Promise)
      throw new Error("what runs in a transaction must not wait for anything");
    step = work.next(step.value);
  }
  return step.value;
}

/** Runs work and awaits each statement. */
export async function runWaiting<T>(work: Work<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value;
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}

/** Caches a value derived from a store's connection, such as prepared queries, per connection. */
export function memoizePerDb<T>(make: (db: StoreDb) => T): (db: StoreDb) => T {
  const made = new WeakMap<StoreDb, T>();
  return (db) => {
    let kept = made.get(db);
    if (kept === undefined) made.set(db, (kept = make(db)));
    return kept;
  };
}
