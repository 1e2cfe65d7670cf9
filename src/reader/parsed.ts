import type { Cents } from "../domain/amount.ts";
import type { AmountField } from "../domain/row-fields.ts";
import type { EvidenceKind, OfficerClaim } from "../domain/officer-claims.ts";
import type { CellPosition, ReadingProblem, RefusalReason } from "./problem.ts";

/** Why a person is, or is not, flagged as PEO or PFO in one year. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** The words or the tag that decided, short; empty for `none`. */
  readonly text: string;
  /** The claims that decided. */
  readonly claims: readonly OfficerClaim[];
}

/** A result of one of the checks of a row; `agrees` null when the filing has nothing to compare with. */
export interface Check {
  readonly check: "sum_to_total" | "not_doubled" | "header_grid" | "ecd_peo_total" | "ecd_average";
  readonly agrees: boolean | null;
  /** Both sides, as printed. */
  readonly detail: string;
}

/** One executive and year as one filing prints it. Fields of the served row keep the contract's spelling. */
export interface ParsedRow {
  /** Place in the table, from 1, placeholders counted. */
  readonly position: number;
  readonly executive_id: string;
  readonly executive_name: string;
  /** The name as it stands in the cell, marks included. */
  readonly printedName: string;
  readonly executive_role: string | null;
  readonly fiscal_year: number;
  /** The label of the year as printed, such as `2024-25` or `Fiscal 2026`. */
  readonly yearLabel: string;
  /** Last day of the fiscal year, YYYY-MM-DD, where the document tells. */
  readonly periodEnd: string | null;
  /** First and last day where the row covers less than a year. */
  readonly period: { readonly start: string; readonly end: string } | null;
  /** ISO 4217. */
  readonly reporting_currency: string;
  /** The eight components and the printed total, in cents; they add up by construction. */
  readonly amounts: Readonly<Record<AmountField, Cents>>;
  /** The cells that each amount was read from; none for a column that the filer left out. */
  readonly cells: Readonly<Partial<Record<AmountField, readonly CellPosition[]>>>;
  /** Why `unknown_component` is not 0, or null. */
  readonly unknownReason: "column_unknown" | "cell_unreadable" | "cell_ambiguous" | "filer_slip" | null;
  /** A year printed without any amount for someone who held neither office: an observation, not a row. */
  readonly placeholder: boolean;
  /** No amount at all is printed for the year, total included. */
  readonly blank: boolean;
  readonly is_peo: boolean;
  readonly is_pfo: boolean;
  readonly peoEvidence: Evidence;
  readonly pfoEvidence: Evidence;
  readonly checks: readonly Check[];
  readonly problems: readonly ReadingProblem[];
}

/** What the document says about itself; null where it does not. */
export interface FilingFacts {
  readonly form: string | null;
  readonly accession: string | null;
  readonly cik: string | null;
  readonly companyName: string | null;
  /** YYYY-MM-DD. */
  readonly filingDate: string | null;
  /** Last day of the newest fiscal year reported, YYYY-MM-DD. */
  readonly fiscalYearEnd: string | null;
  /** Trading symbol tagged on the cover. */
  readonly ticker: string | null;
}

/** A compact copy of the filer's table, so that `explain` works without the document. */
export interface TableCopy {
  readonly table: number;
  /** By row of the expanded grid: the first column and the text of each cell that holds text. */
  readonly rows: readonly (readonly (readonly [column: number, text: string])[])[];
  /** Grid rows that hold column headers. */
  readonly headerRows: readonly number[];
}

/** The one result of reading one document. */
export interface ParsedFiling {
  readonly status: "parsed" | "refused";
  readonly reason: RefusalReason | null;
  /** The reason in a sentence, with what was seen. */
  readonly reasonDetail: string | null;
  readonly facts: FilingFacts;
  /** Full 402(c) table, or the scaled one of 402(n) (two years, no pension column). */
  readonly regime: "full" | "scaled" | null;
  readonly rows: readonly ParsedRow[];
  /** When its people held the offices, as the text dates it. */
  readonly offices: readonly OfficerClaim[];
  readonly problems: readonly ReadingProblem[];
  readonly tables: readonly TableCopy[];
}

/** What is known of a document that could not be opened. */
const NO_FACTS: FilingFacts = {
  form: null,
  accession: null,
  cik: null,
  companyName: null,
  filingDate: null,
  fiscalYearEnd: null,
  ticker: null,
};

/** A document that is not read, with the reason. */
export function refusedFiling(
  reason: RefusalReason,
  detail: string,
  facts: FilingFacts = NO_FACTS,
): ParsedFiling {
  return {
    status: "refused",
    reason,
    reasonDetail: detail,
    facts,
    regime: null,
    rows: [],
    offices: [],
    problems: [],
    tables: [],
  };
}
