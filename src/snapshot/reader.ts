import type { Company, HeldYear } from "../domain/company.ts";

/** What a dataset says of itself. */
export interface DatasetInfo {
  /** Hex SHA-256 over everything but the signature. */
  contentHash: string;
}

/** The read-only dataset that answers are served from. */
export interface Dataset {
  readonly info: DatasetInfo;
  /** @param symbol in the SEC's spelling; present or former, with or without rows */
  findBySymbol(symbol: string): Company | undefined;
  /** @param cik ten digits */
  findByCik(cik: string): Company | undefined;
  /** Primary symbols of companies with rows, ascending by code point. */
  tickers(): readonly string[];
  /** The fiscal years held, newest first. */
  years(cik: string): readonly HeldYear[];
}
