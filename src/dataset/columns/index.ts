/** Lays out what questions across companies need, when a snapshot is made. */
import type { Database } from "bun:sqlite";
import type { Edition } from "../../domain/edition.ts";
import { buildSearchIndex } from "../company-names.ts";
import { datasetOf } from "../reader.ts";
import { buildColumns } from "./columns.ts";
import { laidOutBlobs } from "./laid-out.ts";

/** Replaces the laid-out values of a snapshot that is being made; its other tables are complete. */
export function layOut(database: Database, edition: Edition): void {
  const seal = { ...edition, contentHash: "", key: null, signature: null };
  const dataset = datasetOf({ database, seal, bytes: 0 }, "installed");
  database.run("delete from laid_out");
  const insert = database.prepare("insert into laid_out (name, data) values (?, ?)");
  const values = { columns: buildColumns(dataset), search: buildSearchIndex(dataset) };
  for (const [what, value] of Object.entries(values))
    for (const { name, data } of laidOutBlobs(what, value)) insert.run(name, data);
  insert.finalize();
}
