/** Lays out what questions across companies need, when a snapshot is made. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { buildSearchIndex } from "../company-names.ts";
import { buildColumns } from "./columns.ts";
import { laidOutBlobs } from "./laid-out.ts";

/** Replaces the laid-out values of a snapshot that is being made; its other tables are complete. */
export function layOut(database: Database, edition: string): void {
  const all = <Row>(sql: string, ...values: SQLQueryBindings[]) =>
    database.query<Row, SQLQueryBindings[]>(sql).all(...values);
  database.run("delete from laid_out");
  const insert = database.prepare("insert into laid_out (name, data) values (?, ?)");
  // One after the other: either takes as much memory as the rest of a compile.
  for (const { name, data } of laidOutBlobs("columns", buildColumns({ all }, edition)))
    insert.run(name, data);
  for (const { name, data } of laidOutBlobs("search", buildSearchIndex({ all }))) insert.run(name, data);
  insert.finalize();
}
