/**
 * Facts about registrants from `data/reference`: tab-separated lines below a line of column names. Sources, licences and
 * the reliability of each list: `data/README.md`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Facts about a registrant; an empty string where the SEC's list has none. */
export interface Registrant {
  cik: string;
  /** Only if the SEC's ticker list does not contain the registrant. */
  name: string;
  /** Four digits. */
  sic: string;
  /** The SEC's own text, parts separated by `; `. */
  filerCategory: string;
  /** MM-DD */
  fiscalYearEnd: string;
  /** EDGAR's codes: `DE`, or `A1` for a Canadian province. */
  stateOfIncorporation: string;
  businessState: string;
}

/** A former name of a registrant, with the dates (YYYY-MM-DD) of its use. */
export interface FormerName {
  cik: string;
  name: string;
  usedFrom: string;
  usedUntil: string;
}

/** An index membership under one ticker. */
export interface IndexMember {
  cik: string;
  symbol: string;
  name: string;
  sector: string;
  /** YYYY-MM-DD */
  added: string;
  /** Whether `added` is the date of joining rather than the earliest known day. */
  addedKnown: boolean;
  /** The first day it was not a member; empty for a current member. */
  removed: string;
}

/** A registrant's former ticker that the SEC's list assigns to no one else. */
export interface FormerSymbol {
  symbol: string;
  cik: string;
}

/** The contents of `data/reference` that a snapshot contains. */
export interface Reference {
  registrants: readonly Registrant[];
  sicCodes: readonly { sic: string; description: string }[];
  formerNames: readonly FormerName[];
  members: readonly IndexMember[];
  formerSymbols: readonly FormerSymbol[];
}

/** An empty reference. */
export const NO_REFERENCE: Reference = {
  registrants: [],
  sicCodes: [],
  formerNames: [],
  members: [],
  formerSymbols: [],
};

/** Reads a folder of reference files. @throws Error naming the file and line if one is malformed */
export function readReference(folder: string): Reference {
  const names = ["registrants", "sic-codes", "former-names", "sp500", "former-symbols"];
  const [registrants, sicCodes, formerNames, members, formerSymbols] = names.map((name) =>
    tableLines(readFileSync(join(folder, `${name}.tsv`), "utf8"), `data/reference/${name}.tsv`),
  );
  return {
    registrants: (registrants ?? []).map(([cik = "", name = "", sic = "", filerCategory = "", ...more]) => {
      const [fiscalYearEnd = "", stateOfIncorporation = "", businessState = ""] = more;
      return { cik, name, sic, filerCategory, fiscalYearEnd, stateOfIncorporation, businessState };
    }),
    sicCodes: (sicCodes ?? []).map(([sic = "", description = ""]) => ({ sic, description })),
    formerNames: (formerNames ?? []).map(([cik = "", name = "", usedFrom = "", usedUntil = ""]) => {
      return { cik, name, usedFrom, usedUntil };
    }),
    members: (members ?? []).map(
      ([cik = "", symbol = "", name = "", sector = "", joined = "", left = ""]) => {
        const [added, removed] = [joined.replace("*", ""), left.replace("*", "")];
        return { cik, symbol, name, sector, added, addedKnown: !joined.endsWith("*"), removed };
      },
    ),
    formerSymbols: (formerSymbols ?? []).map(([symbol = "", cik = ""]) => ({ symbol, cik })),
  };
}

/** The cells of a table's lines, without the header. @throws Error naming the line if its number of cells differs */
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
