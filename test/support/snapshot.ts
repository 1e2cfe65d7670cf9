import { join } from "node:path";
import { Database } from "bun:sqlite";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { openFile } from "../../src/snapshot/open.ts";
import type { Dataset } from "../../src/snapshot/dataset.ts";
import { datasetOf } from "../../src/snapshot/reader.ts";
import type { CompanyRecord } from "../../src/snapshot/record.ts";
import { REFERENCE_TABLES } from "../../src/snapshot/schema.ts";
import { EMPTY_SEAL, sealFile } from "../../src/snapshot/seal.ts";
import { writeSnapshot } from "../../src/snapshot/writer.ts";
import { testRecord } from "./record.ts";

/** Writes a snapshot of the records (one test company when none is given). Returns its path. */
export function writeTestSnapshot(
  folder: string,
  name: string,
  records?: CompanyRecord[],
  edition = "2026-01-01",
): string {
  const path = join(folder, name);
  writeSnapshot(path, {
    edition,
    listed: [
      { cik: "0000000042", name: "ACME CORP", symbols: [{ symbol: "ACME", exchange: "NYSE" }] },
      { cik: "0000000099", name: "LISTED ONLY", symbols: [{ symbol: "LIST", exchange: null }] },
    ],
    records: records ?? [testRecord()],
  });
  return path;
}

/** The dataset in a snapshot file. */
export function datasetIn(path: string): Dataset {
  return datasetOf(openFile(path), "installed");
}

/** Makes a snapshot what it was before format 2: without the facts of registrants. Returns its path. */
export function asFormat1(path: string): string {
  const database = new Database(path);
  for (const table of REFERENCE_TABLES) database.run(`drop table ${getTableConfig(table).name}`);
  database.run("update seal set line = ?", [EMPTY_SEAL]);
  database.run("pragma user_version = 1");
  database.run("vacuum");
  database.close();
  sealFile(path);
  return path;
}
