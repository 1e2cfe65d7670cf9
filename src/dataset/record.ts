/**
 * Everything known about one company, whatever its source: the form of a file in `data/companies`, of an ingest's result,
 * and of what is read back from a snapshot. `assemble.ts` chooses the served rows from it.
 */
import type { EvidenceKind } from "../domain/officer-claims.ts";
import type { KnownFiling } from "../domain/company.ts";
import type { Cents } from "../domain/amount.ts";
import type { AmountField, RowEvidence } from "../domain/row-fields.ts";
import { compareTexts } from "../lib/text.ts";

/**
 * How a filing was read: entered manually, read by `src/reader`, or both with the same result; or collected by others and proved
 * against the filer's tags (`scripts/proof.ts`).
 */
export const HOW_READ = ["transcribed", "pipeline", "both", "collected"] as const;
/** One of `HOW_READ`. */
export type HowRead = (typeof HOW_READ)[number];
/** How its amounts are known, in the words of pages. */
export const READ_AS: Readonly<Record<HowRead, string>> = {
  pipeline: "checked",
  transcribed: "typed",
  both: "typed and checked",
  collected: "collected",
};

/** The state of a filing: known but not read; read; read but without a suitable table; unreadable. */
export const FILING_STATUSES = ["pending", "parsed", "refused", "failed"] as const;
/** One of `FILING_STATUSES`. */
export type FilingStatus = (typeof FILING_STATUSES)[number];

/** The disclosure rules the table follows: Item 402(a)-(k), or the scaled rules of 402(l)-(r). */
export type Regime = "full" | "scaled";

/** A filing of the company, loaded or only known. */
export interface FilingRecord {
  /** `0001308179-26-000008`; unique over all companies. */
  accession: string;
  /** EDGAR's exact form type; null while only the URL is known. */
  form: string | null;
  /** YYYY-MM-DD */
  filingDate: string | null;
  /** End of the fiscal year that the filing reports on, YYYY-MM-DD. */
  periodEnd: string | null;
  /** ISO 4217 code of the table's amounts. */
  currency: string | null;
  /** The fiscal year that it reports on, where its rows do not tell: only some of a collected table are here. */
  fiscalYear: number | null;
  regime: Regime | null;
  read: HowRead | null;
  status: FilingStatus;
  /** The registrant's ticker according to the filing. */
  symbol: string | null;
  url: string | null;
  /** Why it was refused or failed. */
  reason: string | null;
  /** SHA-256 of the document that the pipeline read, in hex. */
  sha256: string | null;
  /** The column headers above each source column, from top to bottom, by `table:column`. */
  captions: Readonly<Record<string, string>>;
}

/** A filing that is known but not read, without what identifies it. */
export const NOT_READ = {
  periodEnd: null,
  currency: null,
  fiscalYear: null,
  regime: null,
  read: null,
  status: "pending",
  symbol: null,
  reason: null,
  sha256: null,
  captions: {},
} as const;

/** A cell of the document: indices of table, row and column (from 0, in the expanded grid) and its text as printed. */
export type CellRef = readonly [table: number, row: number, column: number, raw: string];

/** The source cells of a row by field; several where a field is a sum of columns. */
export type CellsOf = Readonly<Partial<Record<AmountField | "name" | "role" | "year", readonly CellRef[]>>>;

/** Whether a person held an office in a year, and the evidence. */
export interface OfficeFlag {
  /** Null if undecided. */
  held: boolean | null;
  evidence: EvidenceKind;
  /** The deciding text or tag; null if the title decided. */
  because: string | null;
}

/** A term of office dated by a filing; open ends are null. */
export interface OfficeTerm {
  accession: string;
  /** As printed, without footnote markers. */
  name: string;
  office: "peo" | "pfo";
  /** YYYY-MM-DD */
  start: string | null;
  end: string | null;
  evidence: EvidenceKind;
  because: string;
}

/** A row of the stored copy of the filer's table: its non-empty cells, each with its first column in the expanded grid. */
export interface GridLine {
  accession: string;
  /** Index of the table in the document, from 0. */
  table: number;
  /** From 0, in the expanded grid. */
  row: number;
  caption: boolean;
  cells: readonly (readonly [column: number, text: string])[];
}

/** What one filing says about one executive in one fiscal year. Never changed after reading, nor overwritten by other filings. */
export interface Observation {
  accession: string;
  /** Position in the filing's table, from 1. */
  position: number;
  /** As printed, without footnote markers. */
  name: string;
  /** As printed with the name. */
  role: string | null;
  fiscalYear: number;
  /** The year's text if it is more than a plain year (`2024-25`, `FY25`, a date). */
  label: string | null;
  /** First and last day if the row covers less than a year. */
  period: { start: string; end: string } | null;
  amounts: Readonly<Record<AmountField, Cents>>;
  peo: OfficeFlag;
  pfo: OfficeFlag;
  /** Whether the year was printed without any amount, even a total. */
  placeholder: boolean;
  /** A remark from whoever read the filing. */
  note: string | null;
  /** Names of the checks that the row passed. */
  checks: readonly string[];
  cells: CellsOf | null;
}

/** A problem with a filing or one of its rows. */
export interface Problem {
  accession: string;
  /** The row's position in the filing's table; null for a problem of the whole filing. */
  position: number | null;
  /** The step that found it. */
  step: string;
  /** From the step's closed list, such as `filer_arithmetic`. */
  code: string;
  /** Explanation for people: both sides of a difference, with their values. */
  message: string;
}

/** A permanently assigned id: within this company, this spelling always means this person. */
export interface Pin {
  executiveId: string;
  /** From `displayName`. */
  spelling: string;
}

/** Everything known about one company. */
export interface CompanyRecord {
  /** Ten digits. */
  cik: string;
  name: string;
  /** MM-DD */
  fiscalYearEnd: string | null;
  /** Tickers from filings and former tickers; the SEC's list is kept separately. */
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

/** A company of which nothing else is known. */
export const NO_RECORD = {
  fiscalYearEnd: null,
  symbols: [],
  filings: [],
  observations: [],
  pins: [],
  offices: [],
  grids: [],
  problems: [],
} as const;

/** An entry of the SEC's list `company_tickers_exchange.json`: one registrant with its tickers in the list's order. */
export interface ListedCompany {
  cik: string;
  name: string;
  symbols: readonly { symbol: string; exchange: string | null }[];
}

/** Whether a form is definitive: not a preliminary proxy or information statement. */
export function isDefinitive(form: string | null): boolean {
  return form !== null && !form.startsWith("PRE");
}

/** The newest of filings sorted by date, if its date is known. */
export function newestKnown(filings: readonly FilingRecord[]): KnownFiling | null {
  const newest = filings.at(-1);
  if (newest === undefined || newest.filingDate === null) return null;
  const { accession, form, filingDate, url, status } = newest;
  return { accession, form, filingDate, url, isLoaded: status === "parsed" };
}

/** The newest fiscal year in the table of each filing. */
export function printedYears({
  filings,
  observations,
}: Pick<CompanyRecord, "filings" | "observations">): Map<string, number> {
  const printed = new Map(filings.map(({ accession, fiscalYear }) => [accession, fiscalYear ?? 0]));
  for (const { accession, fiscalYear } of observations) {
    printed.set(accession, Math.max(printed.get(accession) ?? 0, fiscalYear));
  }
  return new Map([...printed].filter(([, year]) => year > 0));
}

/** How the rows of a filing are known. */
export function evidenceOf({ read }: FilingRecord, { cells }: Pick<Observation, "cells">): RowEvidence {
  return read === "collected" ? "collected" : cells === null ? "typed" : "linked";
}

/** Sorts filings by date, unknown dates first, then by accession number. */
export function byFilingDate(a: FilingRecord, b: FilingRecord): number {
  return compareTexts(a.filingDate ?? "", b.filingDate ?? "") || compareTexts(a.accession, b.accession);
}
