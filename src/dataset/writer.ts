/**
 * Writes a snapshot file: every company's record is assembled, checked and inserted in a fixed order; the file is compacted,
 * sealed and put in place atomically. The same records produce the same bytes.
 */
import { elementAt, valueAt } from "../lib/checked-access.ts";
import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { and, eq, inArray, ne } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { normalizeSymbol } from "../domain/company.ts";
import type { Edition } from "../domain/edition.ts";
import { flush } from "../files.ts";
import { assemble, type Assembled } from "./assemble.ts";
import { coverageOf } from "./coverage.ts";
import { findViolations } from "./invariants.ts";
import { formerIdsOf } from "./people.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  type ListedCompany,
  newestKnown,
  NO_RECORD,
  printedYears,
  type Problem,
} from "./record.ts";
import { type DatasetInfo, observationKey, rowKey, type SnapshotDb } from "./dataset.ts";
import { ceoPayLines } from "./ceo-pay-records.ts";
import { type PeoTag, peoTagProblems } from "./peo-tags.ts";
import { NO_REFERENCE, type Reference } from "./reference-file.ts";
import { type CompanyJson, companyJson, rowTail, ROW_SHAPE, type ServedRow } from "./row-json.ts";
import { APPLICATION_ID, FORMAT } from "./open.ts";
import { insertOf, type RecordOf, tableStatements } from "./schema.ts";
import * as schema from "./schema.ts";
import { blankSeal, sealFile } from "./seal.ts";
import { buildSearchIndex } from "./search.ts";
import { buildColumns, garbageCollector } from "./columns/columns.ts";
import { buildPeople } from "./columns/people.ts";
import { blobsOf } from "./columns/blobs.ts";

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
export type Written = Pick<
  DatasetInfo,
  "contentHash" | "companies" | "companiesWithRows" | "filings" | "observations" | "rows"
>;

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
    return { ...written, contentHash: sealInto(packed, path) };
  } finally {
    clear();
  }
}

/** Seals a finished file and puts it in place. @returns its content hash */
export function sealInto(packed: string, path: string): string {
  const contentHash = sealFile(packed);
  flush(packed);
  renameSync(packed, path);
  flush(dirname(path));
  return contentHash;
}

/** Fills `building`, then copies its tables into `packed` in key order, so that a company's rows are adjacent. */
function build(building: string, packed: string, source: SnapshotSource): Omit<Written, "contentHash"> {
  const { edition } = source;
  const database = new Database(building, { create: true });
  try {
    for (const pragma of ["page_size = 4096", "synchronous = off", "locking_mode = exclusive"]) {
      database.run(`pragma ${pragma}`);
    }
    database.run(`pragma application_id = ${APPLICATION_ID}`);
    database.run(`pragma user_version = ${FORMAT}`);
    database.run("begin");
    for (const statement of tableStatements()) database.run(statement);
    const draft = new Draft(database);
    draft.insert(schema.seal, { id: 1, line: blankSeal({ edition, sequence: 1 }) });
    fill(draft, source);
    draft.layOut(edition);
    const written = draft.writeMeta({ edition, sequence: 1 });
    database.run("commit");
    database.run("vacuum into ?", [packed]);
    return written;
  } finally {
    database.close();
  }
}

function fill(draft: Draft, source: SnapshotSource): void {
  const { edition, listed, reference = NO_REFERENCE, peoTags = [], records } = source;
  const violations: string[] = [];
  const accessions = new Map<string, string>();
  const claims = new Map<string, string[]>();
  const listedNames = new Map(listed.map(({ cik, name }) => [cik, name]));
  const tags = Map.groupBy(peoTags, ({ cik }) => cik);
  const yearEnds = new Map(reference.registrants.map((one) => [one.cik, one.fiscalYearEnd]));
  const inserted = new Set<string>();
  const insert = (record: CompanyRecord, assembled = assemble(record)) => {
    const { cik } = record;
    inserted.add(cik);
    insertCompany(draft, record, assembled, listedNames.get(cik) ?? null);
    const facts = { fiscalYearEnd: yearEnds.get(cik) ?? null, edition };
    insertCeoPay(draft, record, assembled, { ...facts, tags: tags.get(cik) ?? [] });
  };
  for (const { cik, symbols } of listed)
    for (const one of symbols) draft.addSymbol({ cik, former: false, ...one });
  let last = "";
  for (const record of records) {
    const { cik } = record;
    if (cik <= last)
      violations.push(`${cik}: companies must be in ascending order of CIK; this one follows ${last}`);
    last = cik;
    const assembled = checked(record, assemble(record), tags.get(cik));
    violations.push(...findViolations(record, assembled));
    for (const { accession } of record.filings) {
      const other = accessions.get(accession);
      if (other !== undefined) violations.push(`${cik} ${accession}: also filed by ${other}`);
      accessions.set(accession, cik);
    }
    for (const { symbol, owner } of draft.addFiledSymbols(record))
      claims.getOrInsert(symbol, [owner]).push(cik);
    if (violations.length === 0) insert(record, assembled);
  }
  for (const [symbol, ciks] of claims)
    violations.push(
      `symbol ${symbol}: claimed by ${ciks.join(" and ")}, but assigned to none of them by the SEC's list`,
    );
  if (violations.length > 0) throw new InvariantError(violations);
  for (const one of reference.formerSymbols) draft.addSymbol({ ...one, exchange: null, former: true });
  // Those on the SEC's list without a known filing, then registrants that are no longer on it.
  for (const { cik, name } of [...listed, ...reference.registrants])
    if (name !== "" && !inserted.has(cik)) insert({ ...NO_RECORD, cik, name });
  insertReference(draft, reference);
  for (const of of tags.values()) insertTags(draft, of);
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

/**
 * Inserts everything about one company but what its principal executive officers were paid.
 * @param listedName on the SEC's list; null if it is not on it
 */
export function insertCompany(
  draft: Draft,
  record: CompanyRecord,
  assembled: Assembled,
  listedName: string | null,
): void {
  const { cik } = record;
  const ticker = draft.tickerOf(cik);
  const filings = [...record.filings].sort(byFilingDate);
  const last = Number(draft.value("select max(id) as value from filings") ?? 0);
  const numbers = new Map(filings.map(({ accession }, index) => [accession, last + 1 + index]));
  const number = (accession: string) => valueAt(numbers, accession);
  const newest = filings.at(-1);
  draft.insert(schema.companies, {
    ...record,
    ticker,
    rowCount: assembled.rows.length,
    newestFiling: newest === undefined ? null : number(newest.accession),
    listedName,
    filedSymbols: [...record.symbols].sort(),
  });
  for (const filing of filings)
    insertFiling(draft, number(filing.accession), filing, record, assembled.problems);
  insertObservations(draft, number, record, assembled.executiveIds);
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
  draft.insert(schema.companyRows, { cik, facts, years, json });
  insertRows(draft, cik, number, assembled, placed);
  const covered = coverageOf(record, assembled, ticker);
  if (covered !== null) draft.insert(schema.coverage, covered);
  for (const year of assembled.years) draft.insert(schema.years, { cik, ...year });
  for (const pin of assembled.pins) draft.insert(schema.executives, { cik, ...pin });
  for (const [alias, id] of formerIdsOf(assembled.pins))
    draft.insert(schema.formerIds, { alias, cik, executiveId: id });
}

function insertRows(
  draft: Draft,
  cik: string,
  number: (accession: string) => number,
  assembled: Assembled,
  placed: CompanyJson<ServedRow>["placed"],
): void {
  const problems = Map.groupBy(assembled.problems, ({ accession, position }) => `${accession} ${position}`);
  placed.forEach(({ row, start, length }, place) => {
    const { accession, position } = row.observation;
    const codes = new Set(problems.get(`${accession} ${position}`)?.map(({ code }) => code));
    draft.insert(schema.rows, {
      ...row,
      id: rowKey(Number(cik), place),
      cik,
      place,
      filing: number(accession),
      position,
      problems: codes.size === 0 ? null : [...codes].sort(),
      start,
      length,
    });
  });
}

function insertObservations(
  draft: Draft,
  number: (accession: string) => number,
  record: CompanyRecord,
  executiveIds: readonly string[],
): void {
  record.observations.forEach((row, index) => {
    draft.insert(schema.observations, {
      ...row,
      ...row.amounts,
      id: observationKey(number(row.accession), row.position),
      filing: number(row.accession),
      executiveId: elementAt(executiveIds, index),
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
  draft: Draft,
  id: number,
  filing: FilingRecord,
  record: CompanyRecord,
  problems: readonly Problem[],
): void {
  const ofFiling = (one: { accession: string }) => one.accession === filing.accession;
  draft.insert(schema.filings, {
    ...filing,
    id,
    cik: record.cik,
    fiscalYear: printedYears(record).get(filing.accession) ?? null,
    captions: Object.keys(filing.captions).length === 0 ? null : filing.captions,
    rowCount: record.observations.filter(ofFiling).length,
  });
  record.offices
    .filter(ofFiling)
    .forEach((span, place) => draft.insert(schema.offices, { ...span, filing: id, place }));
  for (const line of record.grids.filter(ofFiling))
    draft.insert(schema.grids, { ...line, id: null, filing: id });
  problems.filter(ofFiling).forEach((problem, place) => {
    const assembled = !record.problems.includes(problem);
    draft.insert(schema.problems, { ...problem, filing: id, place, assembled });
  });
}

/** Inserts the facts about registrants. */
function insertReference(draft: Draft, reference: Reference): void {
  for (const one of reference.registrants) {
    const { cik: _cik, name: _name, ...facts } = one;
    if (Object.values(facts).some((fact) => fact !== null)) draft.insert(schema.registrants, one);
  }
  for (const one of reference.sicCodes) draft.insert(schema.sicCodes, one);
  for (const of of Map.groupBy(reference.formerNames, ({ cik }) => cik).values())
    of.forEach((one, place) => draft.insert(schema.formerNames, { ...one, place }));
  for (const one of reference.successors) draft.insert(schema.successors, one);
  for (const of of Map.groupBy(reference.members, ({ cik }) => cik).values())
    of.forEach((one, place) => draft.insert(schema.indexMembers, { ...one, place, indexName: "sp500" }));
}

/** Inserts what the principal executive officers of a company were paid. */
export function insertCeoPay(draft: Draft, ...of: Parameters<typeof ceoPayLines>): void {
  for (const line of ceoPayLines(...of)) draft.insert(schema.ceoPay, line);
}

/** Inserts the tags of a company. */
export function insertTags(draft: Draft, tags: readonly PeoTag[]): void {
  for (const [place, tag] of tags.entries()) draft.insert(schema.peoTags, { ...tag, place });
}

/** A snapshot that is being made. Short statements are SQL by hand: drizzle takes 40 µs to build one that runs in 7, for each company (`growth`). */
export class Draft {
  private readonly inserts = new Map<SQLiteTable, (record: never) => void>();
  private readonly db: SnapshotDb;

  constructor(readonly database: Database) {
    this.db = drizzle(database);
  }

  read<Found>(query: (db: SnapshotDb) => Found): Found {
    return query(this.db);
  }

  readonly all = <Row>(sql: string, ...values: SQLQueryBindings[]): Row[] =>
    this.database.query<Row, SQLQueryBindings[]>(sql).all(...values);

  /** The column `value` of the first row; null if there is none. */
  value(sql: string, ...values: SQLQueryBindings[]): string | number | null {
    return this.all<{ value: string | number | null }>(sql, ...values)[0]?.value ?? null;
  }

  run(sql: string, ...values: SQLQueryBindings[]): void {
    this.database.query<unknown, SQLQueryBindings[]>(sql).run(...values);
  }

  insert<Of extends SQLiteTable>(table: Of, record: RecordOf<Of>): void {
    const insert = this.inserts.getOrInsertComputed(table, () => {
      const { statement, valuesOf } = insertOf(table);
      const prepared = this.database.prepare(statement);
      return (one) => void prepared.run(...valuesOf(one));
    });
    // The insert was made from this table.
    insert(record as never);
  }

  /** The first ticker of a company on the SEC's list, else the newest filing's, else a former one; empty if there is none. */
  tickerOf(cik: string): string {
    return String(
      this.value("select symbol as value from symbols where cik = ? and place = 0", Number(cik)) ?? "",
    );
  }

  /** Adds a ticker of a company, unless any company has it. */
  addSymbol({ symbol, ...one }: Omit<RecordOf<typeof schema.symbols>, "place">): void {
    const normal = normalizeSymbol(symbol);
    if (normal === "" || this.value("select 1 as value from symbols where symbol = ?", normal) !== null)
      return;
    const place = this.value("select count(*) as value from symbols where cik = ?", Number(one.cik));
    this.insert(schema.symbols, { ...one, symbol: normal, place: Number(place) });
  }

  /** Adds the tickers from a company's filings. @returns those that are former ones of another company */
  addFiledSymbols({ cik, filings, symbols }: CompanyRecord): { symbol: string; owner: string }[] {
    const filed = filings.toReversed().flatMap(({ symbol }) => symbol ?? []);
    const all = [...filed, ...symbols].map(normalizeSymbol);
    for (const symbol of all) this.addSymbol({ cik, symbol, exchange: null, former: true });
    const { symbol, cik: owner, former } = schema.symbols;
    return this.read((db) =>
      db
        .select({ symbol, owner })
        .from(schema.symbols)
        .where(and(inArray(symbol, all), eq(former, true), ne(owner, cik)))
        .orderBy(symbol)
        .all(),
    );
  }

  /** Replaces what the snapshot says about itself. @returns its counts */
  writeMeta({ edition, sequence }: Edition): Omit<Written, "contentHash"> {
    const count = (from: string) => Number(this.value(`select count(*) as value from ${from}`));
    const counts = {
      companies: count("companies"),
      companiesWithRows: count("companies where row_count > 0"),
      filings: count("filings"),
      observations: count("observations"),
      rows: count("rows"),
    };
    const { companiesWithRows, ...others } = counts;
    this.run("delete from meta");
    for (const [key, value] of Object.entries({
      ...others,
      edition,
      sequence,
      row_shape: ROW_SHAPE,
      newest_filing_date: this.newestFilingDate(),
      companies_with_rows: companiesWithRows,
    }))
      this.insert(schema.meta, { key, value: String(value) });
    return counts;
  }

  newestFilingDate(): string {
    return String(this.value("select max(filing_date) as value from filings") ?? "");
  }

  /** Replaces the blobs; the other tables are complete. */
  layOut(edition: string): void {
    this.run("delete from blobs");
    // One after the other: either takes as much memory as the rest of a compile.
    const rows = this.layOutRows(edition);
    garbageCollector(rows)(null);
    this.writeBlobs("search", buildSearchIndex(this), true);
  }

  /** @returns how many rows there are; the columns themselves are no longer needed */
  private layOutRows(edition: string): number {
    const columns = buildColumns(this, edition);
    this.writeBlobs("columns", columns, false);
    garbageCollector(columns.rows)(null);
    this.writeBlobs("people", buildPeople(columns), true);
    return columns.rows;
  }

  private writeBlobs(of: string, value: object, inPages: boolean): void {
    for (const { name, data } of blobsOf(of, value, inPages))
      this.run("insert into blobs (name, data) values (?, ?)", name, data);
  }
}
