import type { Cents } from "../domain/amount.ts";
import type { EvidenceKind, OfficerClaim } from "../domain/officer-claims.ts";
import type { AmountField } from "../domain/row-fields.ts";

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
export function refusedFiling(reason: RefusalReason, detail: string, facts = NO_FACTS): ParsedFiling {
  const nothing = { regime: null, rows: [], offices: [], taggedYears: [], problems: [], tables: [] };
  return { status: "refused", reason, reasonDetail: detail, facts, ...nothing };
}

/** Why a document was refused. Closed: a report, a page and a test have one sentence for each. */
export const REFUSALS = {
  empty: "the document is empty",
  not_a_document: "the bytes are neither HTML nor text (an archive, an image, a PDF or damaged data)",
  too_large: "the document exceeds the size limit",
  too_costly: "reading the document would take far more work than any real filing",
  foreign_form: "a form for foreign private issuers, which has no Item 402 Summary Compensation Table",
  fund_form: "a form for investment companies, which have no Summary Compensation Table",
  preliminary_form: "a preliminary proxy statement: its figures may still change",
  foreign_layout: "the Canadian table (share-based and option-based awards), not the table of Item 402(c)",
  old_layout: "the table required before 15 December 2006 (long-term compensation, no total column)",
  no_table: "no Summary Compensation Table was found",
  image_only: "the document mentions the table, but contains no text that could be it",
  no_total: "the table found has no total column",
  rows_unreadable: "a table was found, but none of its rows could be read",
  columns_unclear: "a table was found, but its amounts could not be assigned to its columns",
  ambiguous: "several tables could be the Summary Compensation Table, and they differ",
  internal: "the reader failed on this document; please report this bug",
} as const;
export type RefusalReason = keyof typeof REFUSALS;

/** What can be wrong with a filing, row or cell, by the step of the pipeline that finds it. Closed, like `REFUSALS`. */
const PROBLEMS_BY_STEP = {
  locate: {
    several_tables: "more than one table could be the right one; the one with the highest score was read",
    table_untitled:
      "the text above the table mentions neither executives nor officers; it was identified by its columns alone",
    table_left_out:
      "an adjacent table with the same columns was left out: it is, or may be, about other people or another view of pay",
    continuation_unread: "the next table looks like a continuation, but could not be matched to the columns",
    header_apart: "the column headers are in a separate table, matched to the columns by number and order",
    year_from_heading: "the table has no year column; the only fiscal year in its heading was used",
  },
  grid: {
    truncated: "the document ends inside the table",
    table_cut: "the table exceeds the maximum size; its end was left out",
  },
  columns: {
    units_unclear: "it is not clear from the document in which currency or units the amounts are",
  },
  people: {
    name_missing: "amounts with a year, but no name could be matched to them",
    name_unclear: "it is not certain where the name ends and the title begins",
    title_too_long: "the title has more than 300 characters; its end was left out",
    control_characters: "the name or title has control characters, which were left out",
  },
  rows: {
    row_unreadable: "a row with a year could not be read and was left out",
    duplicate_row: "the table prints one person's year twice with different amounts",
    repeated_row: "the table prints one person's year twice, with the same amounts",
    partial_period: "the row covers less than a year",
    year_unclear: "the label of the year can be read in two ways, or is far from the other years",
  },
  reconcile: {
    sum_mismatch: "the components do not add up to the printed total",
    rounding: "the components differ from the printed total by an amount that rounding explains",
    doubled: "one component equals the sum of all the others: the total may have been read as a component",
    total_missing: "amounts are printed without a total",
    cell_unreadable: "the cell has text that is not an amount",
    cell_ambiguous: "the cell can be read in two ways, and the sum does not decide between them",
    cell_irregular: "the digit separators are irregular; the printed total confirms the amount",
    column_unknown: "a column with amounts has a header that Item 402(c) does not define",
    column_by_position:
      "the cell is not below any column header; it was assigned to the only free column next to it",
    implausible_amount: "an amount is larger than any ever paid: the units may be misread",
    ecd_peo_total: "the total tagged for the principal executive officer differs from the table's",
    ecd_average: "the tagged average of the others' totals differs from the table's",
  },
  offices: {
    peo_unclear: "it is not certain who was principal executive officer in this year",
    pfo_unclear: "it is not certain who was principal financial officer in this year",
    ecd_unclear: "a tagged total cannot be tied to one fiscal year, person, unit or amount",
    ecd_peo_name: "the tagged principal executive officer is not in the table",
  },
} as const;
type Step = keyof typeof PROBLEMS_BY_STEP;

export type ProblemCode = { [S in Step]: keyof (typeof PROBLEMS_BY_STEP)[S] }[Step];

// Every code is listed under one step.
const STEPS = Object.entries(PROBLEMS_BY_STEP) as [Step, Partial<Record<ProblemCode, string>>][];
const STEP_OF = Object.fromEntries(
  STEPS.flatMap(([step, codes]) => Object.keys(codes).map((code) => [code, step])),
) as Record<ProblemCode, Step>;

/** A sentence for each problem code. */
export const PROBLEMS = Object.assign({}, ...STEPS.map(([, codes]) => codes)) as Record<ProblemCode, string>;

/** Where in the document an amount was read. */
export interface CellPosition {
  /** Index of the table or preformatted block in the document, from 0. */
  readonly table: number;
  /** Row of the expanded grid, from 0; in preformatted text the line of the block. */
  readonly row: number;
  /** First grid column of the cell, from 0; in preformatted text the first character of the cell. */
  readonly column: number;
  /** Text of the cell as printed, footnote markers included. */
  readonly raw: string;
  /** Column headers above the cell, outermost first. */
  readonly caption: readonly string[];
}

/** Something wrong or doubtful. A problem never changes a number. */
export interface ReadingProblem {
  readonly code: ProblemCode;
  readonly step: Step;
  /** What was found and where, with both sides of a disagreement. */
  readonly message: string;
  readonly cell: CellPosition | null;
}

/** Makes a problem; without a cell it concerns a row or the whole filing. */
export function problemOf(
  code: ProblemCode,
  message: string,
  cell: CellPosition | null = null,
): ReadingProblem {
  return { code, step: STEP_OF[code], message, cell };
}

/** Adds a problem to those of the document. */
export type ReportProblem = typeof problemOf;

/** Adds problems to a list. */
export function reportInto(problems: ReadingProblem[]): ReportProblem {
  return (...found) => {
    const problem = problemOf(...found);
    problems.push(problem);
    return problem;
  };
}

/**
 * The limit of the work spent on one document: twenty times what the largest real filing needs, a few seconds of CPU. The reader has no
 * clock, and the same bytes must always give the same result, so steps whose cost depends on the document count it in characters
 * examined, or their equivalent.
 */
export const MAX_WORK = 60_000_000;

/** People of a table who are searched for in the text; no real table has more. The search costs people × text. */
export const MAX_PEOPLE = 60;

/** Thrown by `Work.spend`; the pipeline turns it into a refusal. */
export class TooMuchWork extends Error {}

/** Costs of steps, in characters. */
export const COST = {
  /** All officer frames, per character of a sentence. */
  frames: 15,
  /** Weighing one claim. */
  claim: 20,
  /** Finding one tag, or one occurrence of a running head. */
  match: 10,
  /** Searching one character for a fixed text. */
  search: 1 / 50,
  /** Examining the lines around a possible header. */
  header: 1000,
  /** Reading one cell, or the words around one name. */
  cell: 300,
} as const;

/** Counts the work done for one document. */
export class Work {
  spent = 0;

  constructor(private readonly limit = MAX_WORK) {}

  /** Counts work about to be done; throws `TooMuchWork` beyond the limit. */
  spend(characters: number): void {
    this.spent += characters;
    if (this.spent > this.limit) throw new TooMuchWork(`more than ${this.limit} characters of work`);
  }
}
