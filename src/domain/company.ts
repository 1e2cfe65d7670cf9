import { type Definition, orNull } from "../lib/definition.ts";

/** A CIK in an answer. */
export const CIK: Definition = /^[0-9]{10}$/;
/** A day in an answer, YYYY-MM-DD. */
export const DATE: Definition = ["string", "@", { format: "date" }];
/** A company in an answer. */
export const COMPANY = { ticker: "string", cik: CIK, company_name: "string" } as const;

/** A filing known to exist. `isLoaded` says whether its rows are in the dataset. */
export interface KnownFiling {
  accession: string;
  /** EDGAR's form type; null if only the address is known. */
  form: string | null;
  /** YYYY-MM-DD */
  filingDate: string;
  url: string | null;
  isLoaded: boolean;
}

/** A registrant, with rows or known only from the SEC's symbol list. */
export interface Company {
  /** Ten digits. */
  cik: string;
  name: string;
  /** Primary symbol in the SEC's spelling; empty if there is none. */
  ticker: string;
  hasRows: boolean;
  newestKnown: KnownFiling | null;
  /** Month and day as MM-DD; null if unknown. */
  fiscalYearEnd: string | null;
}

/** The symbol, or `CIK 0000320193` of a registrant without one. */
export function symbolOf({ ticker, cik }: Pick<Company, "ticker" | "cik">): string {
  return ticker === "" ? `CIK ${cik}` : ticker;
}

/** `Apple Inc. (AAPL)` */
export function labelOf(company: Pick<Company, "name" | "ticker" | "cik">): string {
  return `${company.name} (${symbolOf(company)})`;
}

/** A fiscal year for which a company has rows. */
export interface CoveredYear {
  fiscalYear: number;
  /** Whether no executive is missing: that year's own filing is loaded, or the filer's tagged average confirms it. */
  complete: boolean;
  /** Whether it has a collected row (`ROW_EVIDENCE`). */
  collected?: true;
}

/** A fiscal year with its rows. */
export interface AvailableYear extends CoveredYear {
  /** JSON of each row, without the leading `{"ticker":"…",`, in the order of `docs/contract.md`, "Rows". */
  rowJson: readonly string[];
}

/** The company's newest filing if its rows are not loaded, so that the served rows may be outdated; else null. */
export function newerFilingOf({ newestKnown }: Pick<Company, "newestKnown">): KnownFiling | null {
  return newestKnown === null || newestKnown.isLoaded ? null : newestKnown;
}

/** Such a filing in an answer, or null. */
export const NEWER_FILING = orNull({
  accession: "string",
  form: [orNull("string"), "@", "EDGAR's form type; null where only the address is known"],
  filing_date: DATE,
  filing_url: orNull("string"),
});

/** A company's newer filing in an answer, or null. */
export function newerFilingJson(company: Pick<Company, "newestKnown">) {
  const newer = newerFilingOf(company);
  if (newer === null) return null;
  const { accession, form, filingDate, url } = newer;
  return { accession, form, filing_date: filingDate, filing_url: url };
}

/** A symbol in the SEC's spelling: trimmed, upper case, `.` and `/` replaced by `-`. */
export function normalizeSymbol(text: string): string {
  return text.trim().toUpperCase().replaceAll(/[./]/g, "-");
}

/** A CIK as ten digits, from any padding and with or without `CIK` in front; undefined if invalid. */
export function normalizeCik(text: string): string | undefined {
  const digits = /^(?:CIK)?(\d{1,10})$/i.exec(text.trim())?.[1];
  return digits?.padStart(10, "0");
}

/** Maximum number of companies in a comparison. */
export const MAX_COMPARED = 20;

/** Maximum characters and entries read from a list: twice the allowed number, so that an excess is reported. */
const MAX_LIST = 4000;
const MAX_ENTRIES = 400;

/**
 * The distinct entries of a list, in order and in upper case. Separators are commas, semicolons and whitespace, except
 * that `CIK 320193` is one entry, `CIK320193`.
 */
export function readCompanyList(text: string): string[] {
  // Drop the last entry where the text is cut: its beginning could be another company's symbol.
  const read = text.length > MAX_LIST ? text.slice(0, MAX_LIST).replace(/(CIK\s*)?[^\s,;]*$/i, "") : text;
  const entries = read.toUpperCase().match(/CIK\s*\d{1,10}(?=[\s,;]|$)|[^\s,;]+/g) ?? [];
  return [...new Set(entries.map((entry) => entry.replaceAll(/\s/g, "")))].slice(0, MAX_ENTRIES);
}
