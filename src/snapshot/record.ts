/**
 * What is known of one company, whatever it was read from: the shape of a file in `data/companies`, of an ingest's
 * result, and of what a snapshot gives back. `assemble.ts` turns it into served rows; nothing here is chosen yet.
 */
import type { EvidenceKind } from "../domain/officer-claims.ts";
import type { Cents } from "../domain/amount.ts";
import type { AmountField } from "../domain/row-fields.ts";

/** How a filing's rows came about: entered manually from the document, read by `src/reader`, or both, which agreed. */
export const HOW_READ = ["transcribed", "pipeline", "both"] as const;
/** One of `HOW_READ`. */
export type HowRead = (typeof HOW_READ)[number];

/** Where a filing stands: known but not read; read; read and found without a table that we take; not readable. */
export type FilingStatus = "pending" | "parsed" | "refused" | "failed";

/** Which disclosure the table follows: Item 402(a)-(k), or the scaled one of 402(l)-(r). */
export type Regime = "full" | "scaled";

/** One filing of the company, held or only known. */
export interface FilingRecord {
  /** `0001308179-26-000008`; unique over all companies. */
  accession: string;
  /** EDGAR's form type exactly; null while only the address is known. */
  form: string | null;
  /** YYYY-MM-DD */
  filingDate: string | null;
  /** End of the fiscal year that the filing reports on, YYYY-MM-DD. */
  periodEnd: string | null;
  /** ISO 4217 code of the table's amounts. */
  currency: string | null;
  regime: Regime | null;
  read: HowRead | null;
  status: FilingStatus;
  /** The registrant's symbol as the filing gives it. */
  symbol: string | null;
  url: string | null;
  /** Why it was refused or failed. */
  reason: string | null;
  /** SHA-256 of the document that the pipeline read, in hex. */
  sha256: string | null;
  /** Caption path of each column that an amount was read from, by `table:column`. */
  captions: Readonly<Record<string, string>>;
}

/** A cell of the document: ordinals of table, row and column (from 0, in the expanded grid) and the text as it stands. */
export type CellRef = readonly [table: number, row: number, column: number, raw: string];

/** The cells that a row was read from, by field. Several where a field is a sum of columns. */
export type CellsOf = Readonly<Partial<Record<AmountField | "name" | "role" | "year", readonly CellRef[]>>>;

/** Whether somebody held an office in a year, and on what that rests. */
export interface OfficeFlag {
  /** Null: undecided. */
  held: boolean | null;
  evidence: EvidenceKind;
  /** The words or the tag that decided; null where the title did. */
  because: string | null;
}

/** A term of office, as a filing dates it; open ends are null. */
export interface OfficeTerm {
  accession: string;
  /** As printed, without footnote marks. */
  name: string;
  office: "peo" | "pfo";
  /** YYYY-MM-DD */
  start: string | null;
  end: string | null;
  evidence: EvidenceKind;
  because: string;
}

/** A row of a copy of the filer's table: the cells that hold text, each with its first column in the expanded grid. */
export interface GridLine {
  accession: string;
  /** Ordinal of the table in the document, from 0. */
  table: number;
  /** From 0, in the expanded grid. */
  row: number;
  caption: boolean;
  cells: readonly (readonly [column: number, text: string])[];
}

/** One filing's word on one executive in one fiscal year. Never changed once read, never overwritten by another filing's. */
export interface Observation {
  accession: string;
  /** Place in the filing's table, from 1. */
  position: number;
  /** As printed, without footnote marks. */
  name: string;
  /** As printed beside the name. */
  role: string | null;
  fiscalYear: number;
  /** The year's text where it is not the bare year (`2024-25`, `FY25`, a date). */
  label: string | null;
  /** First and last day where the row covers less than a year. */
  period: { start: string; end: string } | null;
  amounts: Readonly<Record<AmountField, Cents>>;
  peo: OfficeFlag;
  pfo: OfficeFlag;
  /** The year was printed with no amount at all, total included. */
  placeholder: boolean;
  /** A remark of whoever read it. */
  note: string | null;
  /** Names of the checks that the row passed. */
  checks: readonly string[];
  cells: CellsOf | null;
}

/** A problem met with a filing, or with one of its rows. */
export interface Problem {
  accession: string;
  /** The row's place in the filing's table; null where the problem is the filing's. */
  position: number | null;
  /** Which step met it. */
  step: string;
  /** One of a closed list per step, such as `filer_arithmetic`. */
  code: string;
  /** For people: both sides of a disagreement, with their values. */
  message: string;
}

/** An id once given: this spelling in this company is this person, for ever. */
export interface Pin {
  executiveId: string;
  /** As `displayName` gives it. */
  spelling: string;
}

/** Everything known of one company. */
export interface CompanyRecord {
  /** Ten digits. */
  cik: string;
  name: string;
  /** MM-DD */
  fiscalYearEnd: string | null;
  /** Symbols that filings give or that were once the company's; the SEC's list is kept apart. */
  symbols: readonly string[];
  /** By filing date, then accession. */
  filings: readonly FilingRecord[];
  /** By filing as above, then position. */
  observations: readonly Observation[];
  pins: readonly Pin[];
  offices: readonly OfficeTerm[];
  /** Copies of the tables that the pipeline read, so that a cell can be shown without the document. */
  grids: readonly GridLine[];
  problems: readonly Problem[];
}

/** A line of the SEC's list `company_tickers_exchange.json`: one registrant with its symbols in the list's order. */
export interface ListedCompany {
  cik: string;
  name: string;
  symbols: readonly { symbol: string; exchange: string | null }[];
}

/** Forms that are not definitive: preliminary proxies and information statements. */
export function isDefinitive(form: string | null): boolean {
  return form !== null && !form.startsWith("PRE");
}

/** Order of filings: earlier first, a known date before an unknown one, then by accession. */
export function byFilingDate(a: FilingRecord, b: FilingRecord): number {
  const [left, right] = [a.filingDate ?? "", b.filingDate ?? ""];
  if (left !== right) return left < right ? -1 : 1;
  return a.accession < b.accession ? -1 : a.accession > b.accession ? 1 : 0;
}
