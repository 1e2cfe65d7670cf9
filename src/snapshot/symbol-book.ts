/** Which symbol finds which company. The SEC's list comes first; a former symbol finds its company unless the list gives it to another. */
import { normalizeSymbol } from "../domain/company.ts";
import type { CompanyRecord, ListedCompany } from "./record.ts";

/** One symbol. `place` orders a company's symbols, the primary one at 0. */
export interface SymbolLine {
  symbol: string;
  cik: string;
  place: number;
  exchange: string | null;
  former: boolean;
}

/** Gathers the symbols of the SEC's list and of every company's filings. */
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

  /** Adds the symbols that the company's filings give, where the list gives them to nobody. */
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

  /** Adds a symbol that a company is known to have had, where neither the list nor a filing gives it to anybody. */
  addFormer(symbol: string, cik: string): void {
    this.put(normalizeSymbol(symbol), cik, null, true);
  }

  /** The first symbol of the SEC's list, else the newest filing's, else a former one; empty where there is none. */
  primaryOf(cik: string): string {
    return this.primaries.get(cik) ?? "";
  }

  /** All symbols, ascending. */
  lines(): SymbolLine[] {
    return [...this.book.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  /** Former symbols that two companies claim and the list gives to neither. */
  violations(): string[] {
    return [...this.claims].map(
      ([symbol, ciks]) =>
        `symbol ${symbol}: claimed by ${ciks.join(" and ")}, and by neither in the SEC's list`,
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
