/**
 * Makes a new snapshot from an existing one by replacing some companies. Only those are assembled again, so the work grows
 * with what was read, not with the size of the dataset.
 */
import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { getTableName } from "drizzle-orm";
import { normalizeSymbol } from "../domain/company.ts";
import { assemble } from "./assemble.ts";
import { embeddedBytes, embeddedPeoTotals } from "./embedded.ts";
import { installedPath, readInstalled } from "./installed.ts";
import { findViolations } from "./invariants.ts";
import { FORMAT } from "./open.ts";
import { type PeoTotals, readPeoTotals } from "./peo-totals.ts";
import type { CompanyRecord } from "./record.ts";
import { openFile, requireWhole } from "./open.ts";
import { MAX_ROWS, rowKey } from "./dataset.ts";
import { readRecord } from "./record-reader.ts";
import { rowsOfFormat } from "./company-rows.ts";
import { companyJson } from "./row-json.ts";
import { companyRows, insertOf, REFERENCE_TABLES, rows, tableStatement } from "./schema.ts";
import { EMPTY_SEAL, sealFile } from "./seal.ts";
import { flush } from "../files.ts";
import { checked, insertCompany, InvariantError, Inserts } from "./writer.ts";

/** A snapshot being built. Discarded unless `finish` is called. */
export interface Patch extends Disposable {
  /** The current record of a company. @param cik ten digits */
  record(cik: string): CompanyRecord | undefined;
  /**
   * Replaces the record of a company.
   *
   * @throws InvariantError if the record violates an invariant; nothing has changed then
   */
  put(record: CompanyRecord): void;
  /** Compacts and seals the snapshot and moves it into place. @returns its content hash */
  finish(): string;
}

/**
 * Up to this many changed companies, the file is not compacted: later patches reuse the space they free. Compacting half a
 * million rows takes 3 of the 7 seconds that a company on demand would take (docs/performance.md).
 */
const MAX_UNCOMPACTED = 20;

/**
 * Copies the snapshot in use, installed or embedded, to a file. Every byte of the copy is verified: a patch of a damaged
 * snapshot would be sealed anew and pass verification.
 * @throws SnapshotError
 */
export function copyCurrent(dataDir: string, to: string, embedded = embeddedBytes): void {
  const { current } = readInstalled(dataDir);
  if (current === null) writeFileSync(to, embedded());
  else copyFileSync(installedPath(dataDir, current), to);
  requireWhole(to);
  openFile(to).database.close();
}

/** Upgrades a snapshot of an older format to the current one. */
function upgrade(database: Database, embedded: () => Uint8Array<ArrayBuffer>): void {
  const format = formatOf(database);
  if (format >= FORMAT) return;
  if (format < 2) addReference(database, embedded);
  joinRows(database, format);
  database.run(`pragma user_version = ${FORMAT}`);
}

function formatOf(database: Database): number {
  return database.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;
}

/** Adds the facts about registrants from the embedded snapshot. */
function addReference(database: Database, embedded: () => Uint8Array<ArrayBuffer>): void {
  for (const table of REFERENCE_TABLES) database.run(tableStatement(table));
  const carried = Database.deserialize(embedded(), { readonly: true });
  try {
    if (formatOf(carried) < 2) return;
    for (const table of REFERENCE_TABLES) {
      const insert = database.prepare(insertOf(table).statement);
      // Both tables were made by `tableStatement`, so their columns are in the same order.
      const lines = carried.query<unknown, []>(`select * from ${getTableName(table)}`).values();
      // `values` is typed for any driver; these tables contain only text, numbers and nulls.
      for (const line of lines) insert.run(...(line as (string | number | null)[]));
    }
  } finally {
    carried.close();
  }
}

/** Joins each company's row texts, which were in a column of `rows` before format 3. */
function joinRows(database: Database, format: number): void {
  database.run("alter table rows rename to old_rows");
  for (const table of [rows, companyRows]) database.run(tableStatement(table));
  const insertRow = database.prepare(
    `insert into rows select id, cik, place, fiscal_year, executive_id, filing, position, peo_ground, pfo_ground,
      reported_year, is_peo, is_pfo, ?, ? from ${rowsOfFormat(format, { table: "old_rows" })} where id = ?`,
  );
  const insertCompanyRows = database.prepare("insert into company_rows values (?, ?, ?)");
  const companies = database
    .query<{ cik: number; ticker: string }, []>(
      "select cik, ticker from companies where row_count > 0 order by cik",
    )
    .all();
  const oldRows = database.query<{ id: number; fiscalYear: number; tail: string }, [number, number]>(
    "select id, fiscal_year as fiscalYear, tail from old_rows where id >= ? and id < ? order by id",
  );
  const oldYears = database.query<{ fiscalYear: number; complete: number }, [number]>(
    "select fiscal_year as fiscalYear, complete from years where cik = ? order by fiscal_year desc",
  );
  for (const { cik, ticker } of companies) {
    const { json, years, placed } = companyJson(
      ticker,
      oldRows.all(rowKey(cik, 0), rowKey(cik + 1, 0)),
      oldYears.all(cik).map(({ fiscalYear, complete }) => ({ fiscalYear, complete: complete === 1 })),
    );
    insertCompanyRows.run(cik, JSON.stringify(years), json);
    for (const { row, start, length } of placed) insertRow.run(start, length, row.id);
  }
  for (const statement of [insertRow, insertCompanyRows, oldRows, oldYears]) statement.finalize();
  database.run("drop table old_rows");
}

/**
 * Opens a patch. The same puts on the same base in the same order produce the same bytes.
 *
 * @param building a copy of the base; it is modified and deleted afterwards
 * @param out path of the finished snapshot
 * @param embedded the bytes of the embedded snapshot, read only if the base has an older format
 */
// oxlint-disable-next-line max-lines-per-function -- its methods share one transaction
export function openPatch(building: string, out: string, embedded = embeddedBytes): Patch {
  const packed = `${out}.packed`;
  const database = new Database(building);
  // If the process is killed, the file is never used: neither a journal nor flushing is needed.
  for (const pragma of ["journal_mode = memory", "synchronous = off"]) {
    database.run(`pragma ${pragma}`);
  }
  database.run("begin");
  const run = (sql: string, ...values: SQLQueryBindings[]) => void database.query(sql).run(...values);
  const all = <Row>(sql: string, ...values: SQLQueryBindings[]) =>
    database.query<Row, SQLQueryBindings[]>(sql).all(...values);
  const one = (sql: string, ...values: SQLQueryBindings[]) =>
    all<{ value: string | number | null }>(sql, ...values)[0]?.value ?? null;
  run("update seal set line = ?", EMPTY_SEAL);
  upgrade(database, embedded);
  const inserts = new Inserts(database);
  let lastFiling = Number(one("select max(id) as value from filings") ?? 0);
  let puts = 0;
  let totals: PeoTotals | undefined;
  let open = true;
  const close = () => {
    if (open) database.close();
    open = false;
    for (const left of [building, packed]) rmSync(left, { force: true });
  };

  /** Adds the record's tickers that no other company has. @returns the primary one */
  function addSymbols(record: CompanyRecord): string {
    const cik = Number(record.cik);
    const filed = record.filings.toReversed().flatMap(({ symbol }) => symbol ?? []);
    for (const spelling of [...filed, ...record.symbols]) {
      const symbol = normalizeSymbol(spelling);
      if (symbol === "") continue;
      const place = Number(one("select count(*) as value from symbols where cik = ?", cik) ?? 0);
      run("insert or ignore into symbols values (?, ?, ?, null, 1)", symbol, cik, place);
    }
    return String(one("select symbol as value from symbols where cik = ? order by place limit 1", cik) ?? "");
  }

  return {
    record: (cik) => readRecord({ all }, cik),

    put(record) {
      puts++;
      totals ??= readPeoTotals(embeddedPeoTotals());
      const assembled = checked(record, assemble(record), totals);
      const violations = findViolations(record, assembled);
      if (violations.length > 0) throw new InvariantError(violations);
      const cik = Number(record.cik);
      const listedName = one("select listed_name as value from companies where cik = ?", cik);
      const named = {
        ticker: addSymbols(record),
        listedName: listedName === null ? null : String(listedName),
      };
      const mine = "in (select id from filings where cik = ?)";
      for (const statement of [
        `delete from observations where id in (select o.id from filings f join observations o
          on o.id >= f.id * ${MAX_ROWS} and o.id < (f.id + 1) * ${MAX_ROWS} where f.cik = ?)`,
        ...["offices", "grids", "problems"].map((table) => `delete from ${table} where filing ${mine}`),
        ...["filings", "years", "executives", "company_rows", "companies"].map(
          (table) => `delete from ${table} where cik = ?`,
        ),
      ]) {
        run(statement, cik);
      }
      run("delete from rows where id >= ? and id < ?", rowKey(cik, 0), rowKey(cik + 1, 0));
      const counts = { companies: 0, companiesWithRows: 0, filings: lastFiling, observations: 0, rows: 0 };
      insertCompany(inserts, record, assembled, named, counts);
      lastFiling = counts.filings;
    },

    finish() {
      const count = (key: string, from: string) =>
        run(`insert or replace into meta values (?, (select count(*) || '' from ${from}))`, key);
      count("companies", "companies");
      count("companies_with_rows", "companies where row_count > 0");
      for (const table of ["filings", "observations", "rows"]) count(table, table);
      const newest = String(one("select max(filing_date) as value from filings") ?? "");
      const edition = String(one("select value from meta where key = 'edition'") ?? "");
      run("insert or replace into meta values ('newest_filing_date', ?)", newest);
      // The date of the data: a snapshot with a newer filing than its base is newer than its base.
      run("insert or replace into meta values ('edition', ?)", edition > newest ? edition : newest);
      database.run("commit");
      rmSync(packed, { force: true });
      if (puts > MAX_UNCOMPACTED) database.run("vacuum into ?", [packed]);
      database.close();
      open = false;
      if (puts <= MAX_UNCOMPACTED) renameSync(building, packed);
      const contentHash = sealFile(packed);
      flush(packed);
      renameSync(packed, out);
      flush(dirname(out));
      close();
      return contentHash;
    },

    [Symbol.dispose]: close,
  };
}
