/**
 * Writes a snapshot file: every company's record assembled, checked and inserted in a fixed order, the file packed,
 * sealed and put in place at once. The same records give the same bytes.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database } from "bun:sqlite";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { AMOUNTS } from "../domain/components.ts";
import { assemble, type Assembled } from "./assemble.ts";
import { findViolations } from "./invariants.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  type ListedCompany,
  type Problem,
} from "./record.ts";
import { observationKey, rowKey } from "./reader.ts";
import { NO_REFERENCE, type Reference } from "./reference-file.ts";
import { rowTail } from "./row-json.ts";
import { APPLICATION_ID, FORMAT } from "./open.ts";
import { insertStatement, TABLES, tableStatements } from "./schema.ts";
import * as schema from "./schema.ts";
import { EMPTY_SEAL, sealFile } from "./seal.ts";
import { SymbolBook } from "./symbol-book.ts";

/** What a snapshot is made from. */
export interface SnapshotSource {
  /** Day of the data, YYYY-MM-DD: tells which of two snapshots is the newer. */
  edition: string;
  listed: readonly ListedCompany[];
  /** Facts of registrants; none where they are left out. */
  reference?: Reference;
  /** By CIK ascending. Taken one at a time, so that a large data set need not fit into memory. */
  records: Iterable<CompanyRecord>;
}

/** What was written. */
export interface Written {
  contentHash: string;
  companies: number;
  companiesWithRows: number;
  filings: number;
  observations: number;
  rows: number;
}

/** Rows that break the contract; nothing was written. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
  constructor(readonly violations: readonly string[]) {
    const shown = violations.slice(0, 20).join("\n");
    const more = violations.length > 20 ? `\nand ${violations.length - 20} more` : "";
    super(`The data breaks ${violations.length} of its promises:\n${shown}${more}`);
  }
}

/**
 * Writes the snapshot to `path`, atomically: a file already there is replaced only by a whole one.
 * @throws InvariantError with every violation found, each naming its row
 */
export function writeSnapshot(path: string, source: SnapshotSource): Written {
  const building = `${path}.building`;
  const packed = `${path}.packed`;
  for (const left of [building, packed]) rmSync(left, { force: true });
  try {
    const written = build(building, packed, source);
    const contentHash = sealFile(packed);
    flush(packed);
    renameSync(packed, path);
    flush(dirname(path));
    return { ...written, contentHash };
  } finally {
    for (const left of [building, packed]) rmSync(left, { force: true });
  }
}

/** Fills `building`, then copies its tables into `packed` in the order of their keys, so that a company's rows lie together. */
function build(building: string, packed: string, source: SnapshotSource): Omit<Written, "contentHash"> {
  const database = new Database(building, { create: true });
  try {
    for (const pragma of ["page_size = 4096", "synchronous = off", "locking_mode = exclusive"]) {
      database.run(`pragma ${pragma}`);
    }
    database.run(`pragma application_id = ${APPLICATION_ID}`);
    database.run(`pragma user_version = ${FORMAT}`);
    database.run("begin");
    for (const statement of tableStatements()) database.run(statement);
    const tables = new Inserts(database);
    tables.insert(schema.seal, 1, EMPTY_SEAL);
    const written = fill(tables, source);
    database.run("commit");
    database.run("vacuum into ?", [packed]);
    return written;
  } finally {
    database.close();
  }
}

function fill(tables: Inserts, source: SnapshotSource): Omit<Written, "contentHash"> {
  const counts = { companies: 0, companiesWithRows: 0, filings: 0, observations: 0, rows: 0 };
  const violations: string[] = [];
  const book = new SymbolBook(source.listed);
  const accessions = new Map<string, string>();
  let newestFilingDate = "";
  let last = "";
  const listed = new Map(source.listed.map((company) => [company.cik, company]));
  const known = new Set(listed.keys());
  for (const record of source.records) {
    if (record.cik <= last)
      violations.push(`${record.cik}: companies must come by ascending CIK, this one after ${last}`);
    last = record.cik;
    const assembled = assemble(record);
    violations.push(...findViolations(record, assembled));
    for (const { accession, filingDate } of record.filings) {
      const other = accessions.get(accession);
      if (other !== undefined) violations.push(`${record.cik} ${accession}: filed by ${other} too`);
      accessions.set(accession, record.cik);
      if ((filingDate ?? "") > newestFilingDate) newestFilingDate = filingDate ?? "";
    }
    book.add(record);
    known.add(record.cik);
    const listedName = listed.get(record.cik)?.name ?? null;
    listed.delete(record.cik);
    if (violations.length === 0) {
      insertCompany(tables, record, assembled, { ticker: book.primaryOf(record.cik), listedName }, counts);
    }
    counts.companies++;
  }
  violations.push(...book.violations());
  if (violations.length > 0) throw new InvariantError(violations);
  const reference = source.reference ?? NO_REFERENCE;
  for (const { symbol, cik } of reference.formerSymbols) book.addFormer(symbol, cik);
  for (const { cik, name, symbols } of listed.values()) {
    tables.insert(schema.companies, Number(cik), name, symbols[0]?.symbol ?? "", null, 0, null, name, "");
    counts.companies++;
  }
  for (const { cik, name } of reference.registrants) {
    // Whom the SEC's list no longer has, and of whom no filing is known.
    if (name === "" || known.has(cik)) continue;
    tables.insert(schema.companies, Number(cik), name, book.primaryOf(cik), null, 0, null, null, "");
    counts.companies++;
  }
  insertReference(tables, reference);
  for (const line of book.lines()) {
    tables.insert(
      schema.symbols,
      line.symbol,
      Number(line.cik),
      line.place,
      line.exchange,
      line.former ? 1 : 0,
    );
  }
  for (const [key, value] of Object.entries({
    edition: source.edition,
    newest_filing_date: newestFilingDate,
    companies: String(counts.companies),
    companies_with_rows: String(counts.companiesWithRows),
    filings: String(counts.filings),
    observations: String(counts.observations),
    rows: String(counts.rows),
  })) {
    tables.insert(schema.meta, key, value);
  }
  return counts;
}

/**
 * Inserts everything of one company.
 *
 * @param counts added to; its number of filings also numbers the new ones
 */
export function insertCompany(
  tables: Inserts,
  record: CompanyRecord,
  assembled: Assembled,
  { ticker, listedName }: { ticker: string; listedName: string | null },
  counts: Omit<Written, "contentHash">,
): void {
  const cik = Number(record.cik);
  const filings = [...record.filings].sort(byFilingDate);
  const numbers = new Map(filings.map(({ accession }, index) => [accession, counts.filings + 1 + index]));
  const number = (accession: string) => numbers.get(accession) ?? 0;
  counts.filings += filings.length;
  const newest = filings.at(-1);
  tables.insert(
    schema.companies,
    cik,
    record.name,
    ticker,
    record.fiscalYearEnd,
    assembled.rows.length,
    newest === undefined ? null : number(newest.accession),
    listedName,
    [...record.symbols].sort().join(" "),
  );
  for (const filing of filings)
    insertFiling(tables, cik, number(filing.accession), filing, record, assembled.problems);
  record.observations.forEach((row, index) => {
    tables.insert(
      schema.observations,
      observationKey(number(row.accession), row.position),
      number(row.accession),
      row.position,
      assembled.executiveIds[index] ?? "",
      row.name,
      row.role,
      row.fiscalYear,
      row.label,
      row.period?.start ?? null,
      row.period?.end ?? null,
      ...AMOUNTS.map((field) => row.amounts[field]),
      flag(row.peo.held),
      row.peo.evidence,
      row.peo.because,
      flag(row.pfo.held),
      row.pfo.evidence,
      row.pfo.because,
      row.placeholder ? 1 : 0,
      row.note,
      row.checks.join(" "),
      row.cells === null ? null : JSON.stringify(row.cells),
    );
  });
  assembled.rows.forEach((row, place) => {
    tables.insert(
      schema.rows,
      rowKey(cik, place),
      cik,
      place,
      row.fiscalYear,
      row.executiveId,
      number(row.filing.accession),
      row.observation.position,
      row.peoBasis,
      row.pfoBasis,
      rowTail(record.cik, record.name, row),
    );
  });
  for (const { fiscalYear, complete } of assembled.years) {
    tables.insert(schema.years, cik, fiscalYear, complete ? 1 : 0);
  }
  for (const pin of assembled.pins) tables.insert(schema.executives, cik, pin.executiveId, pin.spelling);
  counts.observations += record.observations.length;
  counts.rows += assembled.rows.length;
  if (assembled.rows.length > 0) counts.companiesWithRows++;
}

function insertFiling(
  tables: Inserts,
  cik: number,
  id: number,
  filing: FilingRecord,
  record: CompanyRecord,
  problems: readonly Problem[],
): void {
  const rows = record.observations.filter(({ accession }) => accession === filing.accession);
  const newest = rows.reduce((year, row) => Math.max(year, row.fiscalYear), 0);
  tables.insert(
    schema.filings,
    id,
    cik,
    filing.accession,
    filing.form,
    filing.filingDate,
    newest === 0 ? null : newest,
    filing.periodEnd,
    filing.currency,
    filing.regime,
    filing.read,
    filing.status,
    rows.length,
    filing.symbol,
    filing.url,
    filing.sha256,
    filing.reason,
    Object.keys(filing.captions).length === 0 ? null : JSON.stringify(filing.captions),
  );
  record.offices
    .filter(({ accession }) => accession === filing.accession)
    .forEach((span, place) => {
      const { office, name, start, end, evidence, because } = span;
      tables.insert(schema.offices, id, place, office, name, start, end, evidence, because);
    });
  for (const { accession, table, row, caption, cells } of record.grids) {
    if (accession !== filing.accession) continue;
    tables.insert(schema.grids, null, id, table, row, caption ? 1 : 0, JSON.stringify(cells));
  }
  problems
    .filter(({ accession }) => accession === filing.accession)
    .forEach((problem, place) => {
      const assembled = record.problems.includes(problem) ? 0 : 1;
      tables.insert(
        schema.problems,
        id,
        place,
        problem.position,
        assembled,
        problem.step,
        problem.code,
        problem.message,
      );
    });
}

/** Inserts the facts of registrants; an empty text of the files is null here. */
function insertReference(tables: Inserts, reference: Reference): void {
  const fact = (text: string) => (text === "" ? null : text);
  for (const one of reference.registrants) {
    const { cik, sic, filerCategory, fiscalYearEnd, stateOfIncorporation, businessState } = one;
    const facts = [sic, filerCategory, fiscalYearEnd, stateOfIncorporation, businessState].map(fact);
    if (facts.some((text) => text !== null)) tables.insert(schema.registrants, Number(cik), ...facts);
  }
  for (const [sic, description] of reference.sicCodes) tables.insert(schema.sicCodes, sic, description);
  const places = new Map<string, number>();
  const placeOf = (what: string) => {
    const place = places.get(what) ?? 0;
    places.set(what, place + 1);
    return place;
  };
  for (const { cik, name, usedFrom, usedUntil } of reference.formerNames) {
    const place = placeOf(`name ${cik}`);
    tables.insert(schema.formerNames, Number(cik), place, name, fact(usedFrom), fact(usedUntil));
  }
  for (const { cik, symbol, name, sector, added, addedKnown, removed } of reference.members) {
    tables.insert(
      schema.indexMembers,
      Number(cik),
      placeOf(`member ${cik}`),
      "sp500",
      symbol,
      name,
      sector,
      added,
      addedKnown ? 1 : 0,
      fact(removed),
    );
  }
}

function flag(value: boolean | null): number | null {
  return value === null ? null : value ? 1 : 0;
}

/** One prepared insert a table. */
export class Inserts {
  private readonly statements: ReadonlyMap<unknown, ReturnType<Database["prepare"]>>;

  constructor(database: Database) {
    this.statements = new Map(TABLES.map((table) => [table, database.prepare(insertStatement(table))]));
  }

  insert(table: SQLiteTable, ...values: (string | number | null)[]): void {
    const statement = this.statements.get(table);
    if (statement === undefined) throw new Error("a table that is not among TABLES");
    statement.run(...values);
  }
}

/** Makes what was written to the file, or the folder, outlast a power cut. */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
