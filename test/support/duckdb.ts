/** DuckDB, an independent reader of our exports; a development dependency that some machines cannot load. */

/** Rows of a query, each as an object of plain values: decimals and dates are text. */
export type DuckDb = (sql: string) => Promise<Record<string, unknown>[]>;

/** An in-memory database; undefined, with the reason printed, if DuckDB cannot be loaded. */
export async function openDuckDb(): Promise<DuckDb | undefined> {
  try {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } catch (error) {
    console.log(`not compared with DuckDB: ${String(error)}`);
    return undefined;
  }
}
