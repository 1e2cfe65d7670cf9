import type { Cents } from "../domain/amount.ts";
import type { AmountField } from "../domain/row-fields.ts";
import type { EvidenceKind, OfficerClaim } from "../domain/officer-claims.ts";
import type { CellPosition, ReadingProblem, RefusalReason } from "./problem.ts";

/** Why a person is or is not flagged as PEO or PFO in one year. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** The decisive words or tag, shortened; empty for `none`. */
  readonly text: string;
  readonly claims: readonly OfficerClaim[];
}

/** The result of one check of a row. `agrees` is null when the filing has nothing to compare with. */
export interface Check {
  readonly check: "sum_to_total" | "not_doubled" | "header_grid" | "ecd_peo_total" | "ecd_average";
  readonly agrees: boolean | null;
  /** Both sides, as printed. */
  readonly detail: string;
}

/** One executive's year as one filing reports it. Fields of the served row keep the contract's spelling. */
export interface ParsedRow {
  /** Position in the table, from 1, placeholders included. */
  readonly position: number;
  readonly executive_id: string;
  readonly executive_name: string;
  /** The name as printed in the cell, footnote markers included. */
  readonly printedName: string;
  readonly executive_role: string | null;
  readonly fiscal_year: number;
  /** The label of the year as printed, such as `2024-25` or `Fiscal 2026`. */
  readonly yearLabel: string;
  /** Last day of the fiscal year, YYYY-MM-DD, if the document states it. */
  readonly periodEnd: string | null;
  /** First and last day, if the row covers less than a year. */
  readonly period: { readonly start: string; readonly end: string } | null;
  /** ISO 4217. */
  readonly reporting_currency: string;
  /** The eight components and the printed total, in cents. `unknown_component` makes them add up. */
  readonly amounts: Readonly<Record<AmountField, Cents>>;
  /** The cells that each amount was read from; absent for a column that the filer left out. */
  readonly cells: Readonly<Partial<Record<AmountField, readonly CellPosition[]>>>;
  /** Why `unknown_component` is not 0; null if it is 0. */
  readonly unknownReason: "column_unknown" | "cell_unreadable" | "cell_ambiguous" | "filer_slip" | null;
  /** A year without any amount for a person who held neither office: an observation, not a row. */
  readonly placeholder: boolean;
  /** No amount is printed for the year, not even a total. */
  readonly blank: boolean;
  readonly is_peo: boolean;
  readonly is_pfo: boolean;
  readonly peoEvidence: Evidence;
  readonly pfoEvidence: Evidence;
  readonly checks: readonly Check[];
  readonly problems: readonly ReadingProblem[];
}

/** Facts about the filing; null if unknown. */
export interface FilingFacts {
  readonly form: string | null;
  readonly accession: string | null;
  readonly cik: string | null;
  readonly companyName: string | null;
  /** YYYY-MM-DD. */
  readonly filingDate: string | null;
  /** Last day of the newest fiscal year reported, YYYY-MM-DD. */
  readonly fiscalYearEnd: string | null;
  /** Trading symbol tagged on the cover page. */
  readonly ticker: string | null;
}

/** A tagged principal executive officer of one fiscal year. */
interface TaggedPeo {
  /** As tagged, often only a family name; null if no tagged name can be tied to the total. */
  readonly name: string | null;
  /** The member of the officer's facts, such as `aapl:TimCookMember`; null for facts without one. */
  readonly member: string | null;
  /** The Summary Compensation Table's total in cents; null if the tags give none or several. A tagged 0 may mean unknown. */
  readonly total: Cents | null;
  /** Digits that are exact after the decimal point (`-3`: thousands); null if exact. */
  readonly decimals: number | null;
}

/** One fiscal year of a filing's pay-versus-performance tags. */
export interface TaggedYear {
  /** First and last day, YYYY-MM-DD. */
  readonly start: string;
  readonly end: string;
  /** ISO 4217; null if the units differ or are not a currency. */
  readonly currency: string | null;
  readonly peos: readonly TaggedPeo[];
  /** The average total of the other named officers, in cents: a check, never served. */
  readonly othersAverage: Cents | null;
}

/** A compact copy of the filer's table. `explain` needs no document. */
export interface TableCopy {
  readonly table: number;
  /** The non-empty cells of each grid row: first column and text. */
  readonly rows: readonly (readonly (readonly [column: number, text: string])[])[];
  readonly headerRows: readonly number[];
}

/** The result of reading one document. */
export interface ParsedFiling {
  readonly status: "parsed" | "refused";
  readonly reason: RefusalReason | null;
  /** What was found, in a sentence. */
  readonly reasonDetail: string | null;
  readonly facts: FilingFacts;
  /** The full table of 402(c) or the scaled one of 402(n) (two years, no pension column). */
  readonly regime: "full" | "scaled" | null;
  readonly rows: readonly ParsedRow[];
  /** Dated claims from the text about who held the offices. */
  readonly offices: readonly OfficerClaim[];
  /** The totals tagged for principal executive officers, by fiscal year, newest first; also of a refused filing. */
  readonly taggedYears: readonly TaggedYear[];
  readonly problems: readonly ReadingProblem[];
  readonly tables: readonly TableCopy[];
}

/** The facts of a document that could not be opened. */
const NO_FACTS: FilingFacts = {
  form: null,
  accession: null,
  cik: null,
  companyName: null,
  filingDate: null,
  fiscalYearEnd: null,
  ticker: null,
};

/** The result for a document that was refused. */
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
    taggedYears: [],
    problems: [],
    tables: [],
  };
}
