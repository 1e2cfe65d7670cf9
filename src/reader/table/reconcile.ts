import { COMPONENTS, PRINTED_COMPONENTS, type AmountField, type Component } from "../../domain/row-fields.ts";
import type { Meaning } from "../lexicon/column-headers.ts";
import type { ColumnPlan } from "./column-plan.ts";
import { PARTS } from "./header.ts";
import { isMoneyLike, readMoney } from "./amounts.ts";
import { chooseReadings, worth, type Choice, type Value } from "./choose-readings.ts";
import type { Cents } from "../../domain/amount.ts";
import type { Check, ParsedRow } from "../parsed.ts";
import type { CellPosition, ReadingProblem } from "../problem.ts";
import type { YearRow } from "./cells.ts";
import { cellProblems, sumProblems, whyUnusable } from "./row-problems.ts";
import { isAmountReading, type RowReading, type Summed } from "./row-reading.ts";
import { refsOf } from "./slots.ts";

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

function valuesOf(row: YearRow, plan: ColumnPlan): Value[] {
  return row.slots.map((slot) => ({
    slot,
    meaning: plan.get(slot.column) ?? slot.column.meaning,
    readings: slot.ambiguous ? [] : readMoney(slot.texts),
  }));
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
      blank: false,
      checks: [
        {
          check: "sum_to_total",
          agrees: gap === 0,
          detail: `${summed.sum / 100} = ${amounts.total_compensation / 100}`,
        },
        { check: "not_doubled", agrees: summed.doubled === undefined, detail: summed.doubled ?? "" },
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

function sumUp(read: RowReading, choice: Choice): Summed {
  const { scale, parts, unknown, row } = read;
  const amounts = zeros();
  for (const { value, reading } of choice.parts) amounts[fieldOf(value.meaning)] += worth(reading, scale);
  amounts.total_compensation = worth(choice.total, scale);
  const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
  const gap = amounts.total_compensation - sum;
  amounts.unknown_component = gap;
  const unknownSum = unknown.reduce((all, value) => all + worth(value.readings[0], scale), 0);
  const isHeld = unknownSum !== 0 || unknown.some((value) => value.readings.length === 0);
  const unknownColumns = isHeld && gap !== 0 ? unknown : [];
  const unreadable = parts.findLast((value) => value.readings.length === 0);
  let unknownReason: Summed["unknownReason"] = gap === 0 ? null : "filer_slip";
  if (unreadable?.slot.ambiguous === false) unknownReason = "cell_unreadable";
  else if (unreadable !== undefined || row.unassigned.length > 0) unknownReason = "cell_ambiguous";
  else if (unknownColumns.length > 0) unknownReason = "column_unknown";
  const doubled = doubledOf(amounts, sum);
  return { ...read, choice, amounts, sum, gap, unknownColumns, unknownSum, unknownReason, doubled };
}

function cellsOf(summed: Summed): Reconciled["cells"] {
  const { table, total, choice, unknownColumns } = summed;
  const cells: Partial<Record<AmountField, CellPosition[]>> = {};
  for (const { value } of choice.parts)
    (cells[fieldOf(value.meaning)] ??= []).push(...refsOf(table, value.slot));
  if (total !== undefined) cells.total_compensation = refsOf(table, total.slot);
  for (const value of unknownColumns) (cells.unknown_component ??= []).push(...refsOf(table, value.slot));
  return cells;
}

function doubledOf(amounts: Record<AmountField, Cents>, sum: Cents): Component | undefined {
  return PRINTED_COMPONENTS.find(
    (field) =>
      amounts[field] > 0 &&
      amounts[field] * 2 === sum &&
      COMPONENTS.filter((one) => one !== field && amounts[one] !== 0).length > 1,
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
