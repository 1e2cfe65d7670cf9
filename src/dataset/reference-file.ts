/**
 * Facts about registrants from `data/reference` and their tickers from `data/symbols.tsv`: tab-separated lines below a line of
 * column names. Sources, licences and the reliability of each list: `data/README.md`. The SEC's own list of tickers is JSON.
 */
import { parseAs } from "../lib/validation.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { padCik } from "./dataset.ts";
import type { ListedCompany } from "./record.ts";
import type * as schema from "./schema.ts";
import type { RecordOf } from "./schema.ts";

/** The contents of `data/reference` that a snapshot contains. */
export interface Reference {
  /** The name is empty if the SEC's ticker list contains the registrant. */
  registrants: readonly (RecordOf<typeof schema.registrants> & { name: string })[];
  sicCodes: readonly RecordOf<typeof schema.sicCodes>[];
  /** With the dates (YYYY-MM-DD) of their use. */
  formerNames: readonly Omit<RecordOf<typeof schema.formerNames>, "place">[];
  members: readonly Omit<RecordOf<typeof schema.indexMembers>, "place" | "indexName">[];
  /** Former tickers that the SEC's list assigns to no one else. */
  formerSymbols: readonly { symbol: string; cik: string }[];
  successors: readonly RecordOf<typeof schema.successors>[];
}

/** An empty reference. */
export const NO_REFERENCE: Reference = {
  registrants: [],
  sicCodes: [],
  formerNames: [],
  members: [],
  formerSymbols: [],
  successors: [],
};

/** Reads a folder of reference files. @throws Error naming the file and line if one is malformed */
export function readReference(folder: string): Reference {
  const linesOf = (name: string) =>
    tableLines(readFileSync(join(folder, `${name}.tsv`), "utf8"), `data/reference/${name}.tsv`);
  return {
    registrants: linesOf("registrants").map(([cik = "", name = "", ...facts]) => {
      const [sic = null, filerCategory = null, fiscalYearEnd = null, ...states] = facts.map(orNull);
      const [stateOfIncorporation = null, businessState = null] = states;
      return { cik, name, sic, filerCategory, fiscalYearEnd, stateOfIncorporation, businessState };
    }),
    sicCodes: linesOf("sic-codes").map(([sic = "", description = ""]) => ({ sic, description })),
    formerNames: linesOf("former-names").map(([cik = "", name = "", usedFrom = "", usedUntil = ""]) => {
      return { cik, name, usedFrom: orNull(usedFrom), usedUntil: orNull(usedUntil) };
    }),
    members: linesOf("sp500").map(
      ([cik = "", symbol = "", name = "", sector = "", joined = "", left = ""]) => {
        const [added, removed] = [joined.replace("*", ""), orNull(left.replace("*", ""))];
        return { cik, symbol, name, sector, added, addedKnown: !joined.endsWith("*"), removed };
      },
    ),
    formerSymbols: linesOf("former-symbols").map(([symbol = "", cik = ""]) => ({ symbol, cik })),
    successors: linesOf("successors").map(([cik = "", successor = "", since = ""]) => {
      return { cik, successor, since: orNull(since) };
    }),
  };
}

function orNull(cell: string): string | null {
  return cell === "" ? null : cell;
}

/** Parses `data/symbols.tsv`: registrants by CIK, tickers in the SEC's order. @throws Error naming the line if one is malformed */
export function readSymbolFile(text: string, place: string): ListedCompany[] {
  if (!text.startsWith("cik\tname\tsymbols\n"))
    throw new Error(`${place}:1: expected the columns cik, name, symbols`);
  return tableLines(text, place).map(([cik = "", name = "", symbols = ""], index) => {
    if (!/^\d{10}$/.test(cik) || name === "" || symbols === "")
      throw new Error(`${place}:${index + 2}: expected a CIK, a name and symbols`);
    return {
      cik,
      name,
      symbols: symbols.split(" ").map((word) => {
        const [symbol = "", exchange = null] = word.split(":");
        return { symbol, exchange };
      }),
    };
  });
}

/** CIK, name and ticker; the exchange, which may be missing. */
const SEC_LIST = {
  data: [["number.integer", "string", "string", "...", "unknown[]"], "[]"],
} as const;

/** Parses the SEC's `company_tickers_exchange.json`, with tickers in its order. @throws Error if it is malformed */
export function readSecList(text: string): ListedCompany[] {
  const rows = parseAs(SEC_LIST, text).data.map(([cik, name, symbol, exchange]) => ({
    cik: padCik(cik),
    name: name.replace(/\s+/g, " ").trim(),
    symbol: symbol.toUpperCase(),
    exchange: typeof exchange === "string" ? exchange : null,
  }));
  return [...Map.groupBy(rows, ({ cik }) => cik)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([cik, of]) => ({
      cik,
      name: of[0]?.name ?? "",
      symbols: of.map(({ symbol, exchange }) => ({ symbol, exchange })),
    }));
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
