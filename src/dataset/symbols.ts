/**
 * Tickers: the SEC's list in the format of `data/symbols.tsv` (one line per registrant, by CIK, tickers in the SEC's order), and
 * which company each ticker means. The list has precedence; a former ticker maps to its company unless the list assigns it to
 * another.
 */
import type { ListedCompany, CompanyRecord } from "./record.ts";
import { normalizeSymbol } from "../domain/company.ts";

/** Formats `data/symbols.tsv`. */
export function writeSymbolFile(companies: readonly ListedCompany[]): string {
  const lines = [...companies]
    .sort((a, b) => (a.cik < b.cik ? -1 : 1))
    .map(({ cik, name, symbols }) => {
      const listed = symbols.map(({ symbol, exchange }) =>
        exchange === null ? symbol : `${symbol}:${exchange}`,
      );
      return [cik, name, listed.join(" ")].join("\t");
    });
  return `cik\tname\tsymbols\n${lines.join("\n")}\n`;
}

/** Parses `data/symbols.tsv`. @throws Error naming the line if one is malformed */
export function readSymbolFile(text: string, place: string): ListedCompany[] {
  const [head, ...lines] = text.split("\n");
  if (head !== "cik\tname\tsymbols") throw new Error(`${place}:1: expected the columns cik, name, symbols`);
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const [cik = "", name = "", symbols = "", more] = line.split("\t");
    if (!/^\d{10}$/.test(cik) || name === "" || symbols === "" || more !== undefined) {
      throw new Error(`${place}:${index + 2}: expected a CIK, a name and symbols, got "${line}"`);
    }
    return [
      {
        cik,
        name,
        symbols: symbols.split(" ").map((word) => {
          const [symbol = "", exchange = null] = word.split(":");
          return { symbol, exchange };
        }),
      },
    ];
  });
}

/** Parses the SEC's `company_tickers_exchange.json`, with tickers in its order. @throws Error if it is malformed */
export function readSecList(json: unknown): ListedCompany[] {
  const data = typeof json === "object" && json !== null && "data" in json ? json.data : undefined;
  if (!Array.isArray(data)) throw new Error("the SEC's symbol list has no `data` array");
  const companies = new Map<
    string,
    { cik: string; name: string; symbols: { symbol: string; exchange: string | null }[] }
  >();
  for (const row of data) {
    const [cik, name, symbol, exchange]: unknown[] = Array.isArray(row) ? row : [];
    if (typeof cik !== "number" || typeof name !== "string" || typeof symbol !== "string") {
      throw new Error(`the SEC's symbol list has a malformed row: ${JSON.stringify(row)}`);
    }
    const key = String(cik).padStart(10, "0");
    const company = companies.get(key) ?? { cik: key, name: name.replace(/\s+/g, " ").trim(), symbols: [] };
    const place = typeof exchange === "string" ? exchange : null;
    company.symbols.push({ symbol: symbol.toUpperCase(), exchange: place });
    companies.set(key, company);
  }
  return [...companies.values()].sort((a, b) => (a.cik < b.cik ? -1 : 1));
}

/** A ticker of a company. `place` orders a company's tickers; the primary one is 0. */
export interface SymbolLine {
  symbol: string;
  cik: string;
  place: number;
  exchange: string | null;
  former: boolean;
}

/** Collects the tickers of the SEC's list and of all filings. */
export class SymbolBook {
  private readonly book = new Map<string, SymbolLine>();
  private readonly counts = new Map<string, number>();
  private readonly primaries = new Map<string, string>();
  private readonly claims = new Map<string, string[]>();

  constructor(listed: readonly ListedCompany[]) {
    for (const { cik, symbols } of listed) {
      for (const { symbol, exchange } of symbols) this.put(normalizeSymbol(symbol), cik, exchange, false);
    }
  }

  /** Adds the tickers from the company's filings that the list assigns to no one. */
  add(record: CompanyRecord): void {
    const filed = record.filings.toReversed().flatMap(({ symbol }) => symbol ?? []);
    for (const one of [...filed, ...record.symbols]) {
      const symbol = normalizeSymbol(one);
      if (symbol === "") continue;
      const held = this.book.get(symbol);
      if (held === undefined) this.put(symbol, record.cik, null, true);
      else if (held.former && held.cik !== record.cik) {
        this.claims.set(symbol, [...(this.claims.get(symbol) ?? [held.cik]), record.cik]);
      }
    }
  }

  /** Adds a known former ticker of a company, if neither the list nor a filing assigns it to any company. */
  addFormer(symbol: string, cik: string): void {
    this.put(normalizeSymbol(symbol), cik, null, true);
  }

  /** The first ticker on the SEC's list, else the newest filing's, else a former one; empty if there is none. */
  primaryOf(cik: string): string {
    return this.primaries.get(cik) ?? "";
  }

  /** All tickers, ascending. */
  lines(): SymbolLine[] {
    return [...this.book.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  /** Former tickers claimed by several companies and assigned to none of them by the list. */
  violations(): string[] {
    return [...this.claims].map(
      ([symbol, ciks]) =>
        `symbol ${symbol}: claimed by ${ciks.join(" and ")}, but assigned to none of them by the SEC's list`,
    );
  }

  private put(symbol: string, cik: string, exchange: string | null, former: boolean): void {
    if (this.book.has(symbol)) return;
    const place = this.counts.get(cik) ?? 0;
    this.counts.set(cik, place + 1);
    if (place === 0) this.primaries.set(cik, symbol);
    this.book.set(symbol, { symbol, cik, place, exchange, former });
  }
}
