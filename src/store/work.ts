import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/** A value in a plain SQL statement. */
export type StatementValue = string | number | null;

type Builders = BaseSQLiteDatabase<"async", unknown, Record<string, never>>;

/**
 * Drizzle on a store or a transaction. Statements are SQLite's; PostgreSQL receives the same text with its own
 * placeholders. Typed as asynchronous: PostgreSQL has results later, SQLite at once.
 */
export interface StoreDb extends Pick<Builders, "select" | "insert" | "update" | "delete"> {
  /**
   * Rows of a plain SQL statement, for hot paths and what the builder cannot express. Use the common subset of both
   * dialects, `?` for values, and double quotes for names that are not all lower case.
   */
  rows<Row>(text: string, ...values: StatementValue[]): PromiseLike<Row[]>;
}

/** The first row of a plain SQL statement. */
export async function firstRow<Row>(statement: PromiseLike<Row[]>): Promise<Row | undefined> {
  return (await statement)[0];
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
