import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/**
 * Work on a store, written once for both of them: it stops at every statement for the answer, which SQLite has at once
 * and PostgreSQL later. PostgreSQL may run it again from its start when another transaction came between: what it
 * changes outside the store must bear that.
 */
export type Work<T> = Generator<unknown, T, unknown>;

/** What a statement of our own text takes as a value. */
export type StatementValue = string | number | null;

type Builders = BaseSQLiteDatabase<"async", unknown, Record<string, never>>;

/**
 * Drizzle on a store, or on one transaction of it. The statements are SQLite's; PostgreSQL is given the same text with
 * its own placeholders. Typed as if every answer came later, so that none is used without `result`.
 */
export interface StoreDb extends Pick<Builders, "select" | "insert" | "update" | "delete"> {
  /**
   * Rows of a statement of our own text, for hot paths and what the builder cannot say: in words that both stores
   * understand, `?` for each value, names in double quotes where they are not all lower-case.
   */
  rows<Row>(text: string, ...values: StatementValue[]): PromiseLike<Row[]>;
}

/** The answer to a statement: `const row = yield* result(db.select()….get())`. */
export function* result<T>(statement: PromiseLike<T>): Work<T> {
  // Whoever runs the work hands back what the statement answered.
  return (yield statement) as T;
}

/** The first row of a statement of our own text. */
export function* firstRow<Row>(statement: PromiseLike<Row[]>): Work<Row | undefined> {
  return (yield* result(statement))[0];
}

/** Runs work where every statement is answered at once. */
export function runAtOnce<T>(work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) {
    if (step.value instanceof Promise)
      throw new Error("what runs in a transaction must not wait for anything");
    step = work.next(step.value);
  }
  return step.value;
}

/** Runs work where statements are waited for. */
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

/** Something made of a store's connection (prepared queries), kept as long as the same one is handed in. */
export function keptPer<T>(make: (db: StoreDb) => T): (db: StoreDb) => T {
  const made = new WeakMap<StoreDb, T>();
  return (db) => {
    let kept = made.get(db);
    if (kept === undefined) made.set(db, (kept = make(db)));
    return kept;
  };
}
