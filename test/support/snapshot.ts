import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";
import { rowsOfFormat } from "../../src/dataset/company-rows.ts";
import { FORMAT, openFile } from "../../src/dataset/open.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { companyJson } from "../../src/dataset/row-json.ts";
import { REFERENCE_TABLES } from "../../src/dataset/schema.ts";
import { EMPTY_SEAL, sealFile } from "../../src/dataset/seal.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { testRecord } from "./record.ts";

/** Writes a snapshot of the records (default one test company). Returns its path. */
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

/** A copy of the snapshot compiled from `data/`. Returns its path. */
export function copyCompiledData(path: string): string {
  copyFileSync(join(import.meta.dir, "../../data/snapshot.sqlite"), path);
  return path;
}

/** The dataset in a snapshot file. */
export function datasetIn(path: string): Dataset {
  return datasetOf(openFile(path), "installed");
}

/** The table `rows` before format 3. */
const OLD_ROWS = `create table rows ("id" integer primary key, "cik" integer not null, "place" integer not null, "fiscal_year" integer not null, "executive_id" text not null, "filing" integer not null, "position" integer not null, "peo_ground" text not null, "pfo_ground" text not null, "tail" text not null) strict`;

/**
 * Converts a snapshot to an older format: before 3 each row has its own text, before 2 there are no facts about
 * registrants. Returns its path.
 */
export function asFormat(format: 1 | 2, path: string): string {
  const database = new Database(path);
  database.run(`create table kept as select * from ${rowsOfFormat(FORMAT)}`);
  for (const table of ["rows", "company_rows"]) database.run(`drop table ${table}`);
  database.run(OLD_ROWS);
  database.run(
    "insert into rows select id, cik, place, fiscal_year, executive_id, filing, position, peo_ground, pfo_ground, tail from kept",
  );
  database.run("drop table kept");
  for (const table of format === 1 ? REFERENCE_TABLES : [])
    database.run(`drop table ${getTableConfig(table).name}`);
  database.run("update seal set line = ?", [EMPTY_SEAL]);
  database.run(`pragma user_version = ${format}`);
  database.run("vacuum");
  database.close();
  sealFile(path);
  return path;
}

/** Changes the served rows of a snapshot to be forged; each row is passed as served, except for the ticker. */
export function forgeRows(database: Database, forge: (row: StoredRow, id: number) => StoredRow): void {
  const companies = database
    .query<{ cik: number; ticker: string }, []>("select cik, ticker from companies where row_count > 0")
    .all();
  for (const { cik, ticker } of companies) {
    const rows = database
      .query<{ id: number; fiscalYear: number; tail: string }, [number]>(
        `select id, fiscal_year as fiscalYear, tail from ${rowsOfFormat(FORMAT)} where cik = ? order by id`,
      )
      .all(cik)
      .map((row) => ({ ...row, tail: JSON.stringify(forge(JSON.parse(`{${row.tail}`), row.id)).slice(1) }));
    const years = [...new Set(rows.map(({ fiscalYear }) => fiscalYear))];
    const made = companyJson(
      ticker,
      rows,
      years.map((fiscalYear) => ({ fiscalYear, complete: true })),
    );
    database.run("update company_rows set years = ?, json = ? where cik = ?", [
      JSON.stringify(made.years),
      made.json,
      cik,
    ]);
    for (const { row, start, length } of made.placed) {
      database.run("update rows set start = ?, length = ? where id = ?", [start, length, row.id]);
    }
  }
}

type StoredRow = Omit<ExecutiveCompensation, "ticker">;
