/** A filing of which it is known that it exists. `held` says whether its rows are in the dataset. */
export interface KnownFiling {
  accession: string;
  /** EDGAR's form type, null where only the address is known. */
  form: string | null;
  /** YYYY-MM-DD */
  filingDate: string;
  url: string | null;
  held: boolean;
}

/** A registrant: one with rows, or one that only the SEC's symbol list knows. */
export interface Company {
  /** Ten digits. */
  cik: string;
  name: string;
  /** Primary symbol in the SEC's spelling, empty where there is none. */
  ticker: string;
  /** Every present and former symbol that finds this company. */
  symbols: readonly string[];
  hasRows: boolean;
  newestKnown: KnownFiling | null;
  /** Month and day as MM-DD, null where unknown. */
  fiscalYearEnd: string | null;
}

/** A fiscal year of which a company has rows. */
export interface FiscalYear {
  fiscalYear: number;
  /** Whether the filing of that year is held, so that nobody is missing. */
  complete: boolean;
}

/** A fiscal year with its rows. */
export interface AvailableYear extends FiscalYear {
  /** JSON of each row from after `{"ticker":"…",` to its end, in the order of `docs/contract.md`, "Rows". */
  rowJson: readonly string[];
}

/** The newest filing of a company where its rows are not loaded: what is served then may be old. */
export function newerFilingOf({ newestKnown }: Pick<Company, "newestKnown">): KnownFiling | null {
  return newestKnown === null || newestKnown.held ? null : newestKnown;
}

/** A symbol in the SEC's spelling: trimmed, capitals, `.` and `/` as `-`, nothing stripped. */
export function normalizeSymbol(asked: string): string {
  return asked.trim().toUpperCase().replaceAll(/[./]/g, "-");
}

/** Ten digits from a CIK with or without padding and `CIK` in front; undefined when it is none. */
export function normalizeCik(asked: string): string | undefined {
  const digits = /^(?:CIK)?(\d{1,10})$/i.exec(asked.trim())?.[1];
  return digits?.padStart(10, "0");
}
