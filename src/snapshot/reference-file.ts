/**
 * What is known of registrants besides their filings, as `data/reference` keeps it: tab-separated lines under a line of
 * column names. Sources, licences and how far to trust each list: `data/README.md`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A registrant's own facts; an empty string where the SEC's list has none. */
export interface Registrant {
  cik: string;
  /** Only where the SEC's symbol list does not have the registrant. */
  name: string;
  /** Four digits. */
  sic: string;
  /** The SEC's own text, parts separated by `; `. */
  filerCategory: string;
  /** MM-DD */
  fiscalYearEnd: string;
  /** EDGAR's codes: `DE`, and `A1` for a province of Canada. */
  stateOfIncorporation: string;
  businessState: string;
}

/** A name that a registrant had, with the days (YYYY-MM-DD) of its use. */
export interface FormerName {
  cik: string;
  name: string;
  usedFrom: string;
  usedUntil: string;
}

/** One stay of one symbol in an index. */
export interface IndexMember {
  cik: string;
  symbol: string;
  name: string;
  sector: string;
  /** YYYY-MM-DD */
  added: string;
  /** Whether `added` is the day of joining, not only the first day known. */
  addedKnown: boolean;
  /** The first day on which it was no member; empty for a current one. */
  removed: string;
}

/** A symbol that a registrant had and the SEC's list gives to nobody. */
export interface FormerSymbol {
  symbol: string;
  cik: string;
}

/** Everything of `data/reference` that a snapshot holds. */
export interface Reference {
  registrants: readonly Registrant[];
  sicCodes: readonly (readonly [sic: string, description: string])[];
  formerNames: readonly FormerName[];
  members: readonly IndexMember[];
  formerSymbols: readonly FormerSymbol[];
}

/** No facts at all. */
export const NO_REFERENCE: Reference = {
  registrants: [],
  sicCodes: [],
  formerNames: [],
  members: [],
  formerSymbols: [],
};

/** The files of `data/reference` that a snapshot is made from. */
const REFERENCE_FILES = [
  "registrants.tsv",
  "sic-codes.tsv",
  "former-names.tsv",
  "sp500.tsv",
  "former-symbols.tsv",
] as const;

/** Reads a folder of reference files. @throws Error naming file and line that is not of its form */
export function readReference(folder: string): Reference {
  const [registrants, sicCodes, formerNames, members, formerSymbols] = REFERENCE_FILES.map((name) =>
    tableLines(readFileSync(join(folder, name), "utf8"), `data/reference/${name}`),
  );
  return {
    registrants: (registrants ?? []).map(([cik = "", name = "", sic = "", filerCategory = "", ...more]) => {
      const [fiscalYearEnd = "", stateOfIncorporation = "", businessState = ""] = more;
      return { cik, name, sic, filerCategory, fiscalYearEnd, stateOfIncorporation, businessState };
    }),
    sicCodes: (sicCodes ?? []).map(([sic = "", description = ""]) => [sic, description]),
    formerNames: (formerNames ?? []).map(([cik = "", name = "", usedFrom = "", usedUntil = ""]) => ({
      cik,
      name,
      usedFrom,
      usedUntil,
    })),
    members: (members ?? []).map(
      ([cik = "", symbol = "", name = "", sector = "", added = "", removed = ""]) => ({
        cik,
        symbol,
        name,
        sector,
        added: added.replace("*", ""),
        addedKnown: !added.endsWith("*"),
        removed: removed.replace("*", ""),
      }),
    ),
    formerSymbols: (formerSymbols ?? []).map(([symbol = "", cik = ""]) => ({ symbol, cik })),
  };
}

/** The cells of a table's lines, below its line of column names. @throws Error naming the line that has another number of cells */
export function tableLines(text: string, place: string): string[][] {
  const [head = "", ...lines] = text.replace(/\n$/, "").split("\n");
  const columns = head.split("\t").length;
  return lines.map((line, index) => {
    const cells = line.split("\t");
    if (cells.length !== columns) {
      throw new Error(`${place}:${index + 2}: ${cells.length} cells, expected ${columns}`);
    }
    return cells;
  });
}
