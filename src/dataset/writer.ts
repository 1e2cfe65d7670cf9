/**
 * Writes a snapshot file: every company's record is assembled, checked and inserted in a fixed order; the file is compacted,
 * sealed and put in place atomically. The same records produce the same bytes.
 */
import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { flush } from "../files.ts";
import { assemble, type Assembled } from "./assemble.ts";
import { coverageOf } from "./coverage.ts";
import { findViolations } from "./invariants.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  type ListedCompany,
  newestKnown,
  NO_RECORD,
  type Problem,
} from "./record.ts";
import { observationKey, rowKey } from "./dataset.ts";
import { ceoPayLines } from "./ceo-pay.ts";
import { type PeoTag, peoTagProblems } from "./peo-tags.ts";
import { NO_REFERENCE, type Reference } from "./reference-file.ts";
import { type CompanyJson, companyJson, rowTail, ROW_SHAPE, type ServedRow } from "./row-json.ts";
import { APPLICATION_ID, FORMAT } from "./open.ts";
import { insertOf, type Line, type Table, tableStatements } from "./schema.ts";
import * as schema from "./schema.ts";
import { blankSeal, sealFile } from "./seal.ts";
import { SymbolBook } from "./symbols.ts";
import { buildSearchIndex } from "./search.ts";
import { buildColumns, collector } from "./columns/columns.ts";
import { laidOutBlobs } from "./columns/laid-out.ts";

/** The input of a snapshot. */
export interface SnapshotSource {
  /** Date of the data, YYYY-MM-DD: determines which of two snapshots is newer. */
  edition: string;
  listed: readonly ListedCompany[];
  /** Facts about registrants, if any. */
  reference?: Reference;
  /** Tagged totals of principal executive officers, if any. */
  peoTags?: readonly PeoTag[];
  /** By CIK, ascending. Consumed one at a time, so that a large dataset need not fit into memory. */
  records: Iterable<CompanyRecord>;
}

/** Counts of a written snapshot, and its hash. */
export interface Written {
  contentHash: string;
  companies: number;
  companiesWithRows: number;
  filings: number;
  observations: number;
  rows: number;
}

/** Violations of invariants; nothing was written. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
  constructor(readonly violations: readonly string[]) {
    const shown = violations.slice(0, 20).join("\n");
    const more = violations.length > 20 ? `\nand ${violations.length - 20} more` : "";
    super(`The data violates ${violations.length} invariants:\n${shown}${more}`);
  }
}

/**
 * Writes the snapshot to `path` atomically: an existing file is replaced only by a complete one.
 * @throws InvariantError with every violation found, each naming its row
 */
export function writeSnapshot(path: string, source: SnapshotSource): Written {
  const building = `${path}.building`;
  const packed = `${path}.packed`;
  // A connection may close late and leave its journal: `close` waits for statements not yet garbage-collected.
  const clear = () => {
    for (const left of [building, `${building}-journal`, packed, `${packed}-journal`]) {
      rmSync(left, { force: true });
    }
  };
  clear();
  try {
    const written = build(building, packed, source);
    const contentHash = sealFile(packed);
    flush(packed);
    renameSync(packed, path);
    flush(dirname(path));
    return { ...written, contentHash };
  } finally {
    clear();
  }
}

/** Fills `building`, then copies its tables into `packed` in key order, so that a company's rows are adjacent. */
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
    tables.insert(schema.seal, { id: 1, line: blankSeal({ edition: source.edition, sequence: 1 }) });
    const written = fill(tables, source);
    layOut(database, source.edition);
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
  const tags = Map.groupBy(source.peoTags ?? [], ({ cik }) => cik);
  const reference = source.reference ?? NO_REFERENCE;
  const yearEnds = new Map(reference.registrants.map((one) => [one.cik, one.fiscalYearEnd || null]));
  const insert = (record: CompanyRecord, assembled: Assembled, named: CompanyNames) => {
    const { cik } = record;
    insertCompany(tables, record, assembled, named, counts);
    const facts = { fiscalYearEnd: yearEnds.get(cik) ?? null, edition: source.edition };
    insertCeoPay(tables, record, assembled, { ...facts, tags: tags.get(cik) ?? [] });
  };
  for (const record of source.records) {
    if (record.cik <= last)
      violations.push(`${record.cik}: companies must be in ascending order of CIK; this one follows ${last}`);
    last = record.cik;
    const assembled = checked(record, assemble(record), tags.get(record.cik));
    violations.push(...findViolations(record, assembled));
    for (const { accession, filingDate } of record.filings) {
      const other = accessions.get(accession);
      if (other !== undefined) violations.push(`${record.cik} ${accession}: also filed by ${other}`);
      accessions.set(accession, record.cik);
      if ((filingDate ?? "") > newestFilingDate) newestFilingDate = filingDate ?? "";
    }
    book.add(record);
    known.add(record.cik);
    const listedName = listed.get(record.cik)?.name ?? null;
    listed.delete(record.cik);
    if (violations.length === 0)
      insert(record, assembled, { ticker: book.primaryOf(record.cik), listedName });
  }
  violations.push(...book.violations());
  if (violations.length > 0) throw new InvariantError(violations);
  for (const { symbol, cik } of reference.formerSymbols) book.addFormer(symbol, cik);
  const others = [
    ...[...listed.values()].map(({ cik, name, symbols }) => {
      return { cik, name, ticker: symbols[0]?.symbol ?? "", listedName: name };
    }),
    // Registrants that are no longer on the SEC's list and have no known filing.
    ...reference.registrants
      .filter(({ cik, name }) => name !== "" && !known.has(cik))
      .map(({ cik, name }) => ({ cik, name, ticker: book.primaryOf(cik), listedName: null })),
  ];
  for (const { cik, name, ...named } of others) {
    const record = { ...NO_RECORD, cik, name };
    insert(record, assemble(record), named);
  }
  insertReference(tables, reference);
  for (const of of tags.values()) insertTags(tables, of);
  for (const line of book.lines()) tables.insert(schema.symbols, line);
  insertMeta(tables, source.edition, newestFilingDate, counts);
  return counts;
}

function insertMeta(
  tables: Inserts,
  edition: string,
  newestFilingDate: string,
  counts: Omit<Written, "contentHash">,
): void {
  const recordedAt = `${edition}T00:00:00.000Z`;
  tables.insert(schema.editions, { seq: 1, contentHash: "", edition, recordedAt });
  for (const [key, value] of Object.entries({
    edition,
    sequence: "1",
    row_shape: ROW_SHAPE,
    newest_filing_date: newestFilingDate,
    companies: String(counts.companies),
    companies_with_rows: String(counts.companiesWithRows),
    filings: String(counts.filings),
    observations: String(counts.observations),
    rows: String(counts.rows),
  })) {
    tables.insert(schema.meta, { key, value });
  }
}

/** Adds the problems found by comparing a company's rows with tagged totals. */
export function checked(
  record: CompanyRecord,
  assembled: Assembled,
  tags: readonly PeoTag[] | undefined,
): Assembled {
  const found = peoTagProblems(record, assembled, tags ?? []);
  return found.length === 0 ? assembled : { ...assembled, problems: [...assembled.problems, ...found] };
}

/** What the SEC's list calls a company. */
interface CompanyNames {
  ticker: string;
  /** Null if it is not on the list. */
  listedName: string | null;
}

/**
 * Inserts everything about one company but what its principal executive officers were paid.
 *
 * @param counts is updated; its number of filings determines the ids of the new ones
 */
export function insertCompany(
  tables: Inserts,
  record: CompanyRecord,
  assembled: Assembled,
  { ticker, listedName }: CompanyNames,
  counts: Omit<Written, "contentHash">,
): void {
  const { cik } = record;
  const filings = [...record.filings].sort(byFilingDate);
  const numbers = new Map(filings.map(({ accession }, index) => [accession, counts.filings + 1 + index]));
  const number = (accession: string) => numbers.get(accession) ?? 0;
  counts.filings += filings.length;
  const newest = filings.at(-1);
  tables.insert(schema.companies, {
    ...record,
    ticker,
    rowCount: assembled.rows.length,
    newestFiling: newest === undefined ? null : number(newest.accession),
    listedName,
    filedSymbols: [...record.symbols].sort(),
  });
  for (const filing of filings)
    insertFiling(tables, number(filing.accession), filing, record, assembled.problems);
  insertObservations(tables, number, record, assembled.executiveIds);
  const rows = assembled.rows.map((row) => ({ ...row, tail: rowTail(record.cik, record.name, row) }));
  const { json, years, placed } = companyJson(ticker, rows, assembled.years);
  const facts = {
    cik,
    name: record.name,
    ticker,
    hasRows: placed.length > 0,
    newestKnown: newestKnown(filings),
    fiscalYearEnd: record.fiscalYearEnd,
  };
  tables.insert(schema.companyRows, { cik, facts, years, json });
  insertRows(tables, cik, number, assembled, placed);
  const covered = coverageOf(record, assembled, ticker);
  if (covered !== null) tables.insert(schema.coverage, covered);
  for (const year of assembled.years) tables.insert(schema.years, { cik, ...year });
  for (const pin of assembled.pins) tables.insert(schema.executives, { cik, ...pin });
  counts.companies++;
  counts.observations += record.observations.length;
  counts.rows += assembled.rows.length;
  if (assembled.rows.length > 0) counts.companiesWithRows++;
}

function insertRows(
  tables: Inserts,
  cik: string,
  number: (accession: string) => number,
  assembled: Assembled,
  placed: CompanyJson<ServedRow>["placed"],
): void {
  const problems = Map.groupBy(assembled.problems, ({ accession, position }) => `${accession} ${position}`);
  placed.forEach(({ row, start, length }, place) => {
    const { accession, position } = row.observation;
    const codes = new Set(problems.get(`${accession} ${position}`)?.map(({ code }) => code));
    tables.insert(schema.rows, {
      ...row,
      id: rowKey(Number(cik), place),
      cik,
      place,
      filing: number(accession),
      position,
      problems: [...codes].sort(),
      start,
      length,
    });
  });
}

function insertObservations(
  tables: Inserts,
  number: (accession: string) => number,
  record: CompanyRecord,
  executiveIds: readonly string[],
): void {
  record.observations.forEach((row, index) => {
    tables.insert(schema.observations, {
      ...row,
      ...row.amounts,
      id: observationKey(number(row.accession), row.position),
      filing: number(row.accession),
      executiveId: executiveIds[index] ?? "",
      periodStart: row.period?.start ?? null,
      periodEnd: row.period?.end ?? null,
      isPeo: row.peo.held,
      peoEvidence: row.peo.evidence,
      peoBecause: row.peo.because,
      isPfo: row.pfo.held,
      pfoEvidence: row.pfo.evidence,
      pfoBecause: row.pfo.because,
    });
  });
}

function insertFiling(
  tables: Inserts,
  id: number,
  filing: FilingRecord,
  record: CompanyRecord,
  problems: readonly Problem[],
): void {
  const rows = record.observations.filter(({ accession }) => accession === filing.accession);
  const newest = rows.reduce((year, row) => Math.max(year, row.fiscalYear), 0);
  tables.insert(schema.filings, {
    ...filing,
    id,
    cik: record.cik,
    fiscalYear: newest === 0 ? null : newest,
    rowCount: rows.length,
  });
  const ofFiling = (one: { accession: string }) => one.accession === filing.accession;
  record.offices
    .filter(ofFiling)
    .forEach((span, place) => tables.insert(schema.offices, { ...span, filing: id, place }));
  for (const line of record.grids.filter(ofFiling))
    tables.insert(schema.grids, { ...line, id: null, filing: id });
  problems.filter(ofFiling).forEach((problem, place) => {
    const assembled = !record.problems.includes(problem);
    tables.insert(schema.problems, { ...problem, filing: id, place, assembled });
  });
}

/** Inserts the facts about registrants. */
function insertReference(tables: Inserts, reference: Reference): void {
  for (const one of reference.registrants) {
    const { cik: _cik, name: _name, ...facts } = one;
    if (Object.values(facts).some((fact) => fact !== "")) tables.insert(schema.registrants, one);
  }
  for (const one of reference.sicCodes) tables.insert(schema.sicCodes, one);
  for (const of of Map.groupBy(reference.formerNames, ({ cik }) => cik).values())
    of.forEach((one, place) => tables.insert(schema.formerNames, { ...one, place }));
  for (const of of Map.groupBy(reference.members, ({ cik }) => cik).values())
    of.forEach((one, place) => tables.insert(schema.indexMembers, { ...one, place, indexName: "sp500" }));
}

/** Inserts what the principal executive officers of a company were paid. */
export function insertCeoPay(tables: Inserts, ...of: Parameters<typeof ceoPayLines>): void {
  for (const line of ceoPayLines(...of)) tables.insert(schema.ceoPay, line);
}

/** Inserts the tags of a company. */
export function insertTags(tables: Inserts, tags: readonly PeoTag[]): void {
  for (const [place, tag] of tags.entries()) tables.insert(schema.peoTags, { ...tag, place });
}

/** Prepared inserts. */
export class Inserts {
  private readonly inserts = new Map<Table, (line: never) => void>();

  constructor(private readonly database: Database) {}

  insert<Of extends Table>(table: Of, line: Line<Of>): void {
    const insert = this.inserts.getOrInsertComputed(table, () => {
      const { statement, valuesOf } = insertOf(table);
      const prepared = this.database.prepare(statement);
      return (one) => void prepared.run(...valuesOf(one));
    });
    // The insert was made from this table.
    insert(line as never);
  }
}

/** Replaces the laid-out values of a snapshot that is being made; its other tables are complete. */
export function layOut(database: Database, edition: string): void {
  const all = <Row>(sql: string, ...values: SQLQueryBindings[]) =>
    database.query<Row, SQLQueryBindings[]>(sql).all(...values);
  database.run("delete from laid_out");
  const insert = database.prepare("insert into laid_out (name, data) values (?, ?)");
  const write = <Of extends object>(of: string, value: Of): Of => {
    for (const { name, data } of laidOutBlobs(of, value)) insert.run(name, data);
    return value;
  };
  // One after the other: either takes as much memory as the rest of a compile.
  const { rows } = write("columns", buildColumns({ all }, edition));
  collector(rows)(null);
  write("search", buildSearchIndex({ all }));
  insert.finalize();
}
