/** What a dataset is to the program, and how its rows are numbered. */
import type { SQLQueryBindings } from "bun:sqlite";
import type { AvailableYear, Company, FiscalYear } from "../domain/company.ts";

/** Finds companies. @returns CIKs of ten digits, the likeliest first */
export type CompanySearch = (words: string, max: number) => string[];

/** What a dataset says of itself. */
export interface DatasetInfo {
  /** Inside the executable, or installed or ingested into the data folder. */
  origin: "embedded" | "installed";
  /** Hex SHA-256 over everything but the signature. */
  contentHash: string;
  /** Public key of whoever signed it, hex; null where nobody did. */
  signedBy: string | null;
  format: number;
  /** Day of the data, YYYY-MM-DD: of two datasets the later one is the newer. */
  edition: string;
  /** Filing date of the newest filing known, YYYY-MM-DD. */
  newestFilingDate: string;
  /** Every company known by symbol or filing. */
  companies: number;
  companiesWithRows: number;
  /** Known, held or not. */
  filings: number;
  observations: number;
  /** Served. */
  rows: number;
  bytes: number;
}

/** The read-only dataset that answers are served from. Every method refuses with `unavailable` when the file has become unreadable. */
export interface Dataset {
  readonly info: DatasetInfo;
  /** @param symbol in the SEC's spelling; present or former, with or without rows */
  findBySymbol(symbol: string): Company | undefined;
  /** @param cik ten digits */
  findByCik(cik: string): Company | undefined;
  /** Primary symbols of companies with rows, ascending by code point. */
  tickers(): readonly string[];
  /** The fiscal years of which there are rows, newest first. */
  fiscalYears(cik: string): readonly FiscalYear[];
  /** The same with their rows as text. */
  years(cik: string): readonly AvailableYear[];
  /** The same rows alone, in their order; not kept for who asks again. */
  rowTails(cik: string): readonly string[];
  /** The rows of these years under a symbol: JSON with a comma between two, in pieces to be joined. */
  rowsJson(cik: string, ticker: string, fiscalYears: readonly number[]): readonly Uint8Array[];
  /** Companies by name, former name, symbol or CIK, the likeliest first. @returns CIKs of ten digits */
  search: CompanySearch;
  /**
   * Undefined where a search answers at once. Else what it needs is being made, in slices between which others are answered,
   * once for all who wait for this. Who does not wait has the rest of it made in one go.
   */
  searchReady(): Promise<void> | undefined;
  /** Path of the snapshot's file; null for one that is held in memory. */
  readonly file: string | null;
  /** For the readers beside this one (`detail.ts`, `coverage.ts`, `record-reader.ts`): rows of a query, prepared once. */
  all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[];
}

/** Rows of a company, and of a filing, that the numbers of `rows` and `observations` leave room for. */
export const MAX_ROWS = 4096;

/** Number of a served row: rows of a company lie together, in the order of the contract. */
export function rowKey(cik: number, place: number): number {
  return cik * MAX_ROWS + place;
}

/** Number of an observation: rows of a filing lie together, in the order of its table. */
export function observationKey(filing: number, position: number): number {
  return filing * MAX_ROWS + position;
}

/** A CIK as answers spell it. */
export function padCik(cik: number): string {
  return String(cik).padStart(10, "0");
}
