/**
 * The text format of a company in `data/companies`: blocks of tab-separated lines, each below a `[block]` line and a line of
 * column names. One line per observation, with blocks and lines in a fixed order, so that diffs are readable.
 * `readCompanyFile(writeCompanyFile(record))` returns an equal record.
 */
import { AMOUNTS } from "../../src/domain/row-fields.ts";

/** The columns of each block, in file order. */
export const COLUMNS = {
  company: ["cik", "name", "fiscal_year_end", "symbols"],
  filings: [
    "accession",
    "form",
    "filing_date",
    "period_end",
    "currency",
    "regime",
    "read",
    "status",
    "rows",
    "symbol",
    "url",
    "sha256",
    "reason",
  ],
  executives: ["executive_id", "spelling"],
  rows: [
    "position",
    "fiscal_year",
    "executive_name",
    "executive_role",
    ...AMOUNTS,
    "peo",
    "peo_because",
    "pfo",
    "pfo_because",
    "placeholder",
    "label",
    "period",
    "checks",
    "note",
  ],
  captions: ["column", "caption"],
  cells: ["position", "cells"],
  offices: ["office", "name", "start", "end", "evidence", "because"],
  grid: ["table", "row", "caption", "cells"],
  problems: ["position", "step", "code", "message"],
} as const;

/** The name of a block. */
export type Block = keyof typeof COLUMNS;

/** Whether a name is the name of a block. */
export function isBlock(name: string): name is Block {
  return Object.hasOwn(COLUMNS, name);
}

/** The path of a company's file in the data folder: a hundred subfolders by the last two digits of the CIK. */
export function companyPath(cik: string): string {
  return `companies/${cik.slice(-2)}/${cik}.txt`;
}
