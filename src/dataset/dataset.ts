/** The interface of a dataset, and the numbering of its rows. */
import type { SQLQueryBindings } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { AvailableYear, Company, CoveredYear } from "../domain/company.ts";

/** Searches companies. @returns ten-digit CIKs, best match first */
export type CompanySearch = (words: string, max: number, isForgiving?: boolean) => string[];

/** Metadata of a dataset. */
export interface DatasetInfo {
  /** Embedded in the executable, or installed or ingested into the data folder. */
  origin: "embedded" | "installed";
  /** SHA-256 in hex over everything except the signature. */
  contentHash: string;
  /** The signer's public key in hex; null if unsigned. */
  signedBy: string | null;
  format: number;
  /** Date of the data, YYYY-MM-DD; a dataset with a later date is newer. */
  edition: string;
  /** Number among the editions it was made from; `editionName` of `edition.ts` is unique. */
  sequence: number;
  /** Filing date of the newest known filing, YYYY-MM-DD. */
  newestFilingDate: string;
  /** Number of companies with a known ticker or filing. */
  companies: number;
  companiesWithRows: number;
  /** Number of known filings, loaded or not. */
  filings: number;
  observations: number;
  /** Number of served rows. */
  rows: number;
  bytes: number;
}

/** A snapshot as drizzle sees it. */
export type SnapshotDb = BunSQLiteDatabase;

/** The read-only dataset that answers are served from. Every method refuses with `unavailable` if the file has become unreadable. */
export interface Dataset {
  readonly info: DatasetInfo;
  /** @param symbol in the SEC's spelling; current or former, of companies with or without rows */
  findBySymbol(symbol: string): Company | undefined;
  /** @param cik ten digits */
  findByCik(cik: string): Company | undefined;
  /** All symbols, present and former, that find the company. */
  symbols(cik: string): readonly string[];
  /** Primary tickers of companies with rows, ascending by code point. */
  tickers(): readonly string[];
  /** The fiscal years with rows, newest first. */
  fiscalYears(cik: string): readonly CoveredYear[];
  /** The same with their rows as JSON text. */
  years(cik: string): readonly AvailableYear[];
  /** Like `years`, but not cached: for reading many companies once. */
  yearsOnce(cik: string): readonly AvailableYear[];
  /** The rows of these years under a ticker: comma-separated JSON, in pieces to be concatenated. */
  rowsJson(cik: string, ticker: string, fiscalYears: readonly number[]): readonly Uint8Array[];
  /** The same as the body of an answer: `{"executive_compensation":[…]}`. */
  rowsBody(cik: string, ticker: string, fiscalYears: readonly number[]): Uint8Array<ArrayBuffer>;
  /** Searches companies by name, former name, ticker or CIK. @returns ten-digit CIKs, best match first */
  search: CompanySearch;
  /** The company with rows whose primary ticker is closest to a mistyped one (`nearest`). */
  nearestTicker(mistyped: string): Company | undefined;
  /** Path of the snapshot file; null if it is in memory. */
  readonly file: string | null;
  /** A query over the tables of `schema.ts`; for the readers in this folder. */
  read<Found>(query: (db: SnapshotDb) => Found): Found;
  /** Rows of a statement, prepared once: for what every answer needs, and for sums over all companies. */
  all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[];
}

/** Exclusive upper bound of the rows of a company and of a filing, as the keys of `rows` and `observations` encode them. */
export const MAX_ROWS = 4096;

/** Key of a served row: rows of a company are adjacent, in the order of the contract. */
export function rowKey(cik: number, place: number): number {
  return cik * MAX_ROWS + place;
}

/** The keys of a company's rows: the first, and the one after the last possible. */
export function rowKeys(cik: string | number): [from: number, to: number] {
  return [rowKey(Number(cik), 0), rowKey(Number(cik) + 1, 0)];
}

/** Key of an observation: rows of a filing are adjacent, in the order of its table. */
export function observationKey(filing: number, position: number): number {
  return filing * MAX_ROWS + position;
}

/** A CIK padded to ten digits. */
export function padCik(cik: number): string {
  return String(cik).padStart(10, "0");
}
