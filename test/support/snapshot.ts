import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "bun:sqlite";
import { getTableName } from "drizzle-orm";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";
import { ROWS_WITH_TAIL } from "../../src/dataset/company-rows.ts";
import { openFile } from "../../src/dataset/open.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { companyJson } from "../../src/dataset/row-json.ts";
import { TABLES } from "../../src/dataset/schema.ts";
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

/** A hash of everything in a snapshot except its seal. */
export function contentIn(path: string): string {
  const { database } = openFile(path);
  const hasher = new Bun.CryptoHasher("sha256");
  for (const table of TABLES.map((table) => getTableName(table)).filter((name) => name !== "seal")) {
    hasher.update(JSON.stringify(database.query(`select * from ${table} order by 1, 2`).values()));
  }
  database.close();
  return hasher.digest("hex");
}

/** The dataset in a snapshot file. */
export function datasetIn(path: string): Dataset {
  return datasetOf(openFile(path), "installed");
}

/** Changes the served rows of a snapshot to be forged; each row is passed as served, except for the ticker. */
export function forgeRows(database: Database, forge: (row: StoredRow) => StoredRow): void {
  const companies = database
    .query<{ cik: number; ticker: string }, []>("select cik, ticker from companies where row_count > 0")
    .all();
  for (const { cik, ticker } of companies) {
    const rows = database
      .query<{ id: number; fiscalYear: number; tail: string }, [number]>(
        `select id, fiscal_year as fiscalYear, tail from ${ROWS_WITH_TAIL} where cik = ? order by id`,
      )
      .all(cik)
      .map((row) => ({ ...row, tail: JSON.stringify(forge(JSON.parse(`{${row.tail}`))).slice(1) }));
    const years = [...new Set(rows.map(({ fiscalYear }) => fiscalYear))];
    const company = companyJson(
      ticker,
      rows,
      years.map((fiscalYear) => ({ fiscalYear, complete: true })),
    );
    database.run("update company_rows set years = ?, json = ? where cik = ?", [
      JSON.stringify(company.years),
      company.json,
      cik,
    ]);
    for (const { row, start, length } of company.placed) {
      database.run("update rows set start = ?, length = ? where id = ?", [start, length, row.id]);
    }
  }
}

type StoredRow = Omit<ExecutiveCompensation, "ticker">;
