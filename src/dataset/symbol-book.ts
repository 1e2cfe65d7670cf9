/** Maps tickers to companies. The SEC's list has precedence; a former ticker maps to its company unless the list assigns it to another. */
import { normalizeSymbol } from "../domain/company.ts";
import type { CompanyRecord, ListedCompany } from "./record.ts";

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
