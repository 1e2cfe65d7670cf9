import { COMPONENTS, type AmountField, type Component } from "../../domain/row-fields.ts";
import type { Meaning } from "../lexicon/column-headers.ts";
import type { ColumnPlan } from "./column-plan.ts";
import { PARTS } from "./header.ts";
import { isMoneyLike, readMoney, type AmountReading } from "./amounts.ts";
import { chooseReadings, worth, type Choice, type Value } from "./choose-readings.ts";
import type { Cents } from "../../domain/amount.ts";
import type { Check, ParsedRow } from "../parsed.ts";
import type { CellPosition, ReadingProblem, ProblemCode } from "../problem.ts";
import { refsOf, type YearRow } from "./cells.ts";

/** The amounts of one row with what was checked. */
export interface Reconciled {
  readonly amounts: Record<AmountField, Cents>;
  readonly cells: Partial<Record<AmountField, readonly CellPosition[]>>;
  readonly unknownReason: ParsedRow["unknownReason"];
  /** No amount at all is printed. */
  readonly blank: boolean;
  readonly checks: readonly Check[];
  readonly problems: readonly ReadingProblem[];
}

/** A row's amounts, or why it has none that can be trusted. */
export type Outcome =
  | { readonly kind: "row"; readonly row: Reconciled }
  | { readonly kind: "dropped"; readonly problem: ReadingProblem };

/** Differences up to this many units come from rounding. */
const ROUNDING = 3;
/** A total above this, in units, was never paid. */
const IMPLAUSIBLE = 20_000_000_000;

function valuesOf(row: YearRow, plan: ColumnPlan): Value[] {
  return row.slots.map((slot) => ({
    slot,
    meaning: plan.get(slot.column) ?? slot.column.meaning,
    readings: slot.ambiguous ? [] : readMoney(slot.texts),
  }));
}

/** One row with what was read in it, before and after its total was looked at. */
interface RowReading {
  readonly table: number;
  readonly row: YearRow;
  /** How messages name the row. */
  readonly label: string;
  readonly scale: number;
  readonly total: Value | undefined;
  readonly parts: readonly Value[];
  /** Amounts under headers that Item 402(c) does not know. */
  readonly unknown: readonly Value[];
  /** Whether any amount is printed beside the year. */
  readonly printed: boolean;
}

interface Summed extends RowReading {
  readonly choice: Choice;
  readonly amounts: Record<AmountField, Cents>;
  readonly sum: Cents;
  /** What the printed total has over the components. */
  readonly gap: Cents;
  readonly unknownSum: Cents;
  readonly unknownReason: ParsedRow["unknownReason"];
}

/** Reads one row's amounts and holds them against the printed total. `scale` turns what is printed into units. */
export function reconcile(table: number, row: YearRow, plan: ColumnPlan, scale: number): Outcome {
  const values = valuesOf(row, plan);
  const read = readRow(table, row, values, scale);
  const unusable = whyUnusable(read);
  if (unusable !== undefined) return { kind: "dropped", problem: unusable };
  const totals = read.total?.readings ?? [];
  if (!read.printed && !totals.some(isAmountReading)) return { kind: "row", row: blankRow(table, values) };
  const summed = sumUp(read, chooseReadings(read.parts, read.unknown, totals, scale, read.printed));
  const { amounts, gap } = summed;
  return {
    kind: "row",
    row: {
      amounts,
      cells: cellsOf(summed),
      unknownReason: summed.unknownReason,
      blank: !read.printed && amounts.total_compensation === 0 && !totals.some(isAmountReading),
      checks: [
        {
          check: "sum_to_total",
          agrees: gap === 0,
          detail: `${summed.sum / 100} = ${amounts.total_compensation / 100}`,
        },
        { check: "not_doubled", agrees: doubledOf(summed) === undefined, detail: doubledOf(summed) ?? "" },
        {
          check: "header_grid",
          agrees:
            !read.parts.some(({ slot }) => slot.byPosition || slot.ambiguous) && row.unassigned.length === 0,
          detail: `${read.parts.length} columns under their headers`,
        },
      ],
      problems: [...cellProblems(summed), ...sumProblems(summed)],
    },
  };
}

function readRow(table: number, row: YearRow, values: readonly Value[], scale: number): RowReading {
  const parts = values.filter((value) => PARTS.has(value.meaning));
  const unknown = values.filter(
    (value) => value.meaning === "unknown" && value.slot.texts.some((text) => isMoneyLike(text)),
  );
  return {
    table,
    row,
    label: `row ${row.row} (${row.year.label})`,
    scale,
    total: values.find((value) => value.meaning === "total_compensation"),
    parts,
    unknown,
    printed:
      [...parts, ...unknown].some(
        (value) => value.readings.length === 0 || value.readings.some(isAmountReading),
      ) || row.unassigned.length > 0,
  };
}

/** Why a row cannot be trusted at all: its total cannot be read, or there is none beside its amounts. */
function whyUnusable({ table, label, total, parts, printed }: RowReading): ReadingProblem | undefined {
  if (total !== undefined && total.readings.length === 0)
    return problemOf(
      "row_unreadable",
      `Cannot read the total of ${label}: ${quote(total)}`,
      refOf(table, total),
    );
  const hasTotal = total?.readings.some(isAmountReading) ?? false;
  return !hasTotal && printed && !allZero(parts)
    ? problemOf("total_missing", `No total in ${label}, though amounts are printed`)
    : undefined;
}

function sumUp(read: RowReading, choice: Choice): Summed {
  const { scale, parts, unknown, row } = read;
  const amounts = zeros();
  for (const { value, reading } of choice.parts) amounts[fieldOf(value.meaning)] += worth(reading, scale);
  amounts.total_compensation = worth(choice.total, scale);
  const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
  const gap = amounts.total_compensation - sum;
  amounts.unknown_component = gap;
  const unknownSum = unknown.reduce((all, value) => all + worth(value.readings[0], scale), 0);
  const unreadable = parts.findLast((value) => value.readings.length === 0);
  const hasUnknown = unknownSum !== 0 || unknown.some((value) => value.readings.length === 0);
  const unknownReason =
    unreadable !== undefined
      ? unreadable.slot.ambiguous
        ? "cell_ambiguous"
        : "cell_unreadable"
      : row.unassigned.length > 0
        ? "cell_ambiguous"
        : gap === 0
          ? null
          : hasUnknown
            ? "column_unknown"
            : "filer_slip";
  return { ...read, choice, amounts, sum, gap, unknownSum, unknownReason };
}

/** Columns of unknown meaning that hold what the total has over the components. */
function unknownColumns({ unknown, unknownSum, gap }: Summed): readonly Value[] {
  const any = unknownSum !== 0 || unknown.some((value) => value.readings.length === 0);
  return any && gap !== 0 ? unknown : [];
}

function cellsOf(summed: Summed): Reconciled["cells"] {
  const { table, total, choice } = summed;
  const cells: Partial<Record<AmountField, CellPosition[]>> = {};
  for (const { value } of choice.parts)
    (cells[fieldOf(value.meaning)] ??= []).push(...refsOf(table, value.slot));
  if (total !== undefined) cells.total_compensation = refsOf(table, total.slot);
  for (const value of unknownColumns(summed))
    (cells.unknown_component ??= []).push(...refsOf(table, value.slot));
  return cells;
}

/** What is wrong with single cells. */
function cellProblems(summed: Summed): ReadingProblem[] {
  const { table, row, label, parts, choice } = summed;
  const at = (code: ProblemCode, message: string, value: Value): ReadingProblem =>
    problemOf(code, message, refOf(table, value));
  return [
    ...parts
      .filter((value) => value.readings.length === 0)
      .map((value) =>
        at(
          value.slot.ambiguous ? "cell_ambiguous" : "cell_unreadable",
          `Cannot read ${value.meaning} of ${label}: ${quote(value)}`,
          value,
        ),
      ),
    ...row.unassigned.map((cell) =>
      problemOf("cell_ambiguous", `"${cell.text}" of ${label} stands under no column header`, {
        table,
        row: cell.row,
        column: cell.x0,
        raw: cell.raw,
        caption: [],
      }),
    ),
    ...unknownColumns(summed).map((value) =>
      at(
        "column_unknown",
        `"${value.slot.column.path.join(" / ")}" of ${label} is no column of Item 402(c); its ${value.slot.texts.join(" ")} stands in unknown_component`,
        value,
      ),
    ),
    ...parts
      .filter((value) => value.slot.byPosition)
      .map((value) =>
        at(
          "column_by_position",
          `"${value.slot.texts.join(" ")}" of ${label} stands beside, not under, "${value.slot.column.path.join(" / ")}"`,
          value,
        ),
      ),
    ...choice.parts.flatMap(({ value, reading }) =>
      reading?.kind === "amount" && reading.irregular
        ? [
            at(
              "cell_irregular",
              `"${value.slot.texts.join(" ")}" of ${label} is read as ${reading.hundredths / 100}, which the total confirms`,
              value,
            ),
          ]
        : [],
    ),
  ];
}

/** What is wrong with the row as a sum. */
function sumProblems(summed: Summed): ReadingProblem[] {
  const { label, choice, amounts, sum, gap, scale, unknownSum, unknownReason, table, total } = summed;
  const problems: ReadingProblem[] = [];
  if (choice.undecided)
    problems.push(
      problemOf(
        "cell_ambiguous",
        `A cell of ${label} can be read in two ways and no reading adds up to the total`,
      ),
    );
  const explained = unknownReason === "column_unknown" && gap === unknownSum;
  if (gap !== 0 && !explained)
    problems.push(
      problemOf(
        Math.abs(gap) <= ROUNDING * 100 * Math.max(1, scale) ? "rounding" : "sum_mismatch",
        `The components of ${label} add up to ${sum / 100}, the printed total is ${amounts.total_compensation / 100}`,
        total === undefined ? null : refOf(table, total),
      ),
    );
  const doubled = doubledOf(summed);
  if (doubled !== undefined)
    problems.push(problemOf("doubled", `${doubled} of ${label} equals the sum of the other components`));
  if (Math.abs(amounts.total_compensation) > IMPLAUSIBLE * 100)
    problems.push(
      problemOf("implausible_amount", `A total of ${amounts.total_compensation / 100} in ${label}`),
    );
  return problems;
}

/** A component that equals the sum of all others: the total may have been read as one. */
function doubledOf({ amounts, sum }: Summed): Component | undefined {
  return COMPONENTS.find(
    (field) =>
      field !== "unknown_component" &&
      amounts[field] > 0 &&
      amounts[field] * 2 === sum &&
      COMPONENTS.filter((one) => one !== field && amounts[one] !== 0).length > 1,
  );
}

function problemOf(code: ProblemCode, message: string, cell: CellPosition | null = null): ReadingProblem {
  return { code, step: "reconcile", message, cell };
}

function refOf(table: number, value: Value): CellPosition | null {
  return refsOf(table, value.slot)[0] ?? null;
}

function quote(value: Value): string {
  return `"${value.slot.texts.join(" | ")}"`;
}

function isAmountReading(reading: AmountReading): boolean {
  return reading.kind === "amount";
}

function allZero(parts: readonly Value[]): boolean {
  return parts.every(
    (value) => value.readings.length > 0 && value.readings.every((reading) => worth(reading, 1) === 0),
  );
}

function zeros(): Record<AmountField, Cents> {
  return {
    salary: 0,
    bonus: 0,
    stock_awards: 0,
    option_awards: 0,
    non_equity_incentive: 0,
    pension_change: 0,
    other_comp: 0,
    unknown_component: 0,
    total_compensation: 0,
  };
}

function fieldOf(meaning: Meaning): AmountField {
  return isAmount(meaning) ? meaning : "unknown_component";
}

function isAmount(meaning: Meaning): meaning is Exclude<AmountField, "unknown_component"> {
  return PARTS.has(meaning) || meaning === "total_compensation";
}

function blankRow(table: number, values: readonly Value[]): Reconciled {
  const cells: Partial<Record<AmountField, CellPosition[]>> = {};
  for (const { meaning, slot } of values)
    if (isAmount(meaning)) (cells[meaning] ??= []).push(...refsOf(table, slot));
  return {
    amounts: zeros(),
    cells,
    unknownReason: null,
    blank: true,
    checks: [{ check: "sum_to_total", agrees: null, detail: "no amount is printed" }],
    problems: [],
  };
}
