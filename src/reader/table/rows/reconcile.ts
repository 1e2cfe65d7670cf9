import {
  COMPONENTS,
  PRINTED_COMPONENTS,
  type AmountField,
  type Component,
} from "../../../domain/row-fields.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import type { ColumnPlan } from "../cells/column-plan.ts";
import { AMOUNTS, PARTS } from "../header/columns.ts";
import { hundredthsOf, isMoneyLike, MILLION, readMoney } from "../../values/amounts.ts";
import type { Cents } from "../../../domain/amount.ts";
import type { ParsedRow } from "../../parsed.ts";
import type { CellPosition, ReadingProblem } from "../../problem.ts";
import type { YearRow } from "../cells/cells.ts";
import { rowProblems, whyUnusable } from "./row-problems.ts";
import { chooseReadings, sumOf, type RowReading, type Summed, type Value } from "./row-reading.ts";
import { refsOf } from "../cells/slots.ts";

/** The amounts of one row, with checks and problems. */
export type Reconciled = Pick<
  ParsedRow,
  "amounts" | "cells" | "unknownReason" | "blank" | "checks" | "problems"
>;

/** Reads one row's amounts and checks them against the printed total; a problem if the row cannot be used. */
export function reconcile(row: YearRow, plan: ColumnPlan, scale: number): Reconciled | ReadingProblem {
  const values = row.slots.map((slot) => ({
    ...slot,
    readings: scale < MILLION || slot.ambiguous ? slot.readings : readMoney(slot.texts, scale),
    meaning: plan.get(slot.column) ?? slot.column.meaning,
  }));
  const read = readRow(row, values, scale);
  const held = [...read.parts, ...(read.total === undefined ? [] : [read.total])];
  const unusable = whyUnusable(read);
  if (unusable !== undefined) return unusable;
  if (!read.printed && !(read.total?.readings ?? []).some(({ kind }) => kind === "amount"))
    return {
      amounts: zeros(),
      cells: cellsOf(row, held),
      unknownReason: null,
      blank: true,
      checks: [{ check: "sum_to_total", agrees: null, detail: "no amount is printed" }],
      problems: [],
    };
  const summed = sumUp(read);
  const { amounts, parts, doubled, unknownColumns } = summed;
  const placed = parts.every((value) => !value.byPosition && !value.ambiguous) && row.unassigned.length === 0;
  const equation = `${summed.sum / 100} = ${amounts.total_compensation / 100}`;
  return {
    amounts,
    cells: cellsOf(row, [...held, ...unknownColumns]),
    unknownReason: summed.unknownReason,
    blank: false,
    checks: [
      { check: "sum_to_total", agrees: summed.gap === 0, detail: equation },
      { check: "not_doubled", agrees: doubled === undefined, detail: doubled ?? "" },
      { check: "header_grid", agrees: placed, detail: `${parts.length} columns under their headers` },
    ],
    problems: rowProblems(summed),
  };
}

function readRow(row: YearRow, values: readonly Value[], scale: number): RowReading {
  const parts = values.filter((value) => PARTS.has(value.meaning));
  const unknown = values.filter((value) => value.meaning === "unknown" && value.texts.some(isMoneyLike));
  return {
    row,
    label: `row ${row.row} (${row.year.label})`,
    scale,
    total: values.find((value) => value.meaning === "total_compensation"),
    parts,
    unknown,
    printed:
      row.unassigned.length > 0 ||
      [...parts, ...unknown].some(
        ({ readings }) => readings.length === 0 || readings.some(({ kind }) => kind === "amount"),
      ),
  };
}

function sumUp(read: RowReading): Summed {
  const { scale, parts, unknown, row } = read;
  const choice = chooseReadings(read);
  const amounts = zeros();
  for (const [at, { meaning }] of parts.entries())
    amounts[fieldOf(meaning)] += Math.round(hundredthsOf(choice.readings[at]) * scale);
  amounts.total_compensation = Math.round(hundredthsOf(choice.whole) * scale);
  const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
  const gap = amounts.total_compensation - sum;
  amounts.unknown_component = gap;
  const unknownSum = sumOf(unknown, scale);
  const isHeld = unknownSum !== 0 || unknown.some((value) => value.readings.length === 0);
  const unknownColumns = isHeld && gap !== 0 ? unknown : [];
  const unreadable = parts.findLast((value) => value.readings.length === 0);
  let unknownReason: Summed["unknownReason"] = gap === 0 ? null : "filer_slip";
  if (unreadable?.ambiguous === false) unknownReason = "cell_unreadable";
  else if (unreadable !== undefined || row.unassigned.length > 0) unknownReason = "cell_ambiguous";
  else if (unknownColumns.length > 0) unknownReason = "column_unknown";
  const doubled = doubledOf(amounts, sum);
  return { ...read, ...choice, amounts, sum, gap, unknownColumns, unknownSum, unknownReason, doubled };
}

function cellsOf({ table }: YearRow, values: readonly Value[]): Reconciled["cells"] {
  const cells: Partial<Record<AmountField, CellPosition[]>> = {};
  for (const value of values) (cells[fieldOf(value.meaning)] ??= []).push(...refsOf(table, value));
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
  return AMOUNTS.has(meaning);
}
