import type { ParsedFiling } from "./parsed.ts";

/** What the caller knows about a document besides its bytes; overrides what the document says. */
export interface Known {
  readonly form?: string;
  readonly accession?: string;
  readonly cik?: string;
  readonly companyName?: string;
  readonly filingDate?: string;
}

/**
 * Reads the Summary Compensation Table of one document: HTML, inline XBRL, text, or a full submission with its SGML header.
 * Never throws; the same bytes always give the same result.
 */
export function parseFiling(_bytes: Uint8Array, _known: Known = {}): ParsedFiling {
  return {
    status: "refused",
    reason: "no_table",
    reasonDetail: null,
    facts: {
      form: null,
      accession: null,
      cik: null,
      companyName: null,
      filingDate: null,
      fiscalYearEnd: null,
      ticker: null,
    },
    regime: null,
    rows: [],
    offices: [],
    problems: [],
    tables: [],
  };
}
