import type { Cents } from "../../../domain/amount.ts";
import {
  type AmountField,
  byAmount,
  type Component,
  COMPONENTS,
  PRINTED_COMPONENTS,
} from "../../../domain/row-fields.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import { type CellPosition, type ParsedRow, type ReadingProblem, problemOf } from "../../parsed.ts";
import { type AmountReading, MILLION, hundredthsOf, isMoneyLike, readMoney } from "../../values/values.ts";
import { type YearRow, type ColumnPlan, refsOf, type Slot } from "../cells/slots.ts";
import { PARTS } from "../header/header.ts";

/** The amounts of one row, with checks and problems. */
type ReadFields = "amounts" | "cells" | "unknownReason" | "blank" | "checks" | "problems";
export type Reconciled = Pick<ParsedRow, ReadFields>;

/** Reads one row's amounts and checks them against the printed total; a problem if the row cannot be used. */
export function reconcile(row: YearRow, plan: ColumnPlan, scale: number): Reconciled | ReadingProblem {
  const read = readRow(row, plan, scale);
  const { parts, total, blank } = read;
  const unusable = whyUnusable(read);
  if (unusable !== undefined) return unusable;
  const summed = sumUp(read);
  const { amounts, sum, gap, doubled, unknownReason, unknownColumns } = summed;
  const placed = parts.every((value) => !value.byPosition && !value.ambiguous) && row.unassigned.length === 0;
  const where = row.section.headerRows.length > 0 ? "" : " in the previous table";
  const equation = `${sum / 100} = ${amounts.total_compensation / 100}`;
  const detail = `${parts.length} columns under their headers${where}`;
  return {
    amounts,
    cells: cellsOf(row, [...parts, total ?? [], unknownColumns].flat()),
    unknownReason,
    blank,
    checks: blank
      ? [{ check: "sum_to_total", agrees: null, detail: "no amount is printed" }]
      : [
          { check: "sum_to_total", agrees: gap === 0, detail: equation },
          { check: "not_doubled", agrees: doubled === undefined, detail: doubled ?? "" },
          { check: "header_grid", agrees: placed, detail },
        ],
    problems: blank ? [] : [...rowProblems(summed)],
  };
}

/** One row as read, before it is checked against its total. */
type RowReading = ReturnType<typeof readRow>;

/** @param scale units of the currency per printed unit */
function readRow(row: YearRow, plan: ColumnPlan, scale: number) {
  const values = row.slots.map((slot) => ({
    ...slot,
    readings: scale < MILLION || slot.ambiguous ? slot.readings : readMoney(slot.texts, scale),
    meaning: plan(slot.column),
  }));
  const parts = values.filter(({ meaning }) => PARTS.has(meaning));
  /** Amounts under headers that are not in Item 402(c). */
  const unknown = values.filter(({ meaning, texts }) => meaning === "unknown" && texts.some(isMoneyLike));
  const total = values.find(({ meaning }) => meaning === "total_compensation");
  const isPrinted = ({ readings }: Value): boolean => readings.some((reading) => reading !== null);
  /** Whether any amount is printed for the year, apart from the total. */
  const printed =
    row.unassigned.length > 0 ||
    [...parts, ...unknown].some((value) => value.readings.length === 0 || isPrinted(value));
  const hasTotal = total !== undefined && isPrinted(total);
  /** The row's name in messages. */
  const label = `row ${row.row} (${row.year.label})`;
  return { row, label, scale, total, parts, unknown, printed, hasTotal, blank: !printed && !hasTotal };
}

/** A row checked against its total. */
type Summed = ReturnType<typeof sumUp>;

function sumUp(read: RowReading) {
  const { scale, parts, unknown, row } = read;
  const choice = chooseReadings(read);
  const amounts = byAmount(() => 0);
  for (const [at, { meaning }] of parts.entries())
    amounts[fieldOf(meaning)] += Math.round(hundredthsOf(choice.readings[at]) * scale);
  amounts.total_compensation = Math.round(hundredthsOf(choice.whole) * scale);
  const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
  const gap = amounts.total_compensation - sum;
  amounts.unknown_component = gap;
  const unknownSum = sumOf(unknown, scale);
  // Columns of unknown meaning that may explain the gap.
  const isHeld = unknownSum !== 0 || unknown.some((value) => value.readings.length === 0);
  const unknownColumns = isHeld && gap !== 0 ? unknown : [];
  const unreadable = parts.findLast((value) => value.readings.length === 0);
  let unknownReason: Reconciled["unknownReason"] = gap === 0 ? null : "filer_slip";
  if (unreadable?.ambiguous === false) unknownReason = "cell_unreadable";
  else if (unreadable !== undefined || row.unassigned.length > 0) unknownReason = "cell_ambiguous";
  else if (unknownColumns.length > 0) unknownReason = "column_unknown";
  const doubled = doubledOf(amounts, sum);
  return { ...read, ...choice, amounts, sum, gap, unknownColumns, unknownSum, unknownReason, doubled };
}

/** A component that equals the sum of all others: the total may have been read as a component. */
function doubledOf(amounts: Record<AmountField, Cents>, sum: Cents): Component | undefined {
  // Of two alike, none is the sum.
  if (COMPONENTS.filter((field) => amounts[field] !== 0).length <= 2) return undefined;
  return PRINTED_COMPONENTS.find((field) => amounts[field] > 0 && amounts[field] * 2 === sum);
}

function cellsOf({ table }: YearRow, values: readonly Value[]): Reconciled["cells"] {
  const cells: Partial<Record<AmountField, CellPosition[]>> = {};
  for (const value of values) (cells[fieldOf(value.meaning)] ??= []).push(...refsOf(table, value));
  return cells;
}

function fieldOf(meaning: Meaning): AmountField {
  const fields = [...PRINTED_COMPONENTS, "total_compensation"] as const;
  return fields.find((field) => field === meaning) ?? "unknown_component";
}

/** The cells of a row under one header, with the column's meaning. */
interface Value extends Slot {
  readonly meaning: Meaning;
}

/** Largest number of combinations of readings that are tried. */
const MAX_CHOICES = 4096;

/** The sum of some cells by their first readings, in cents. */
function sumOf(values: readonly Value[], scale: number): Cents {
  return values.reduce((all, { readings }) => all + Math.round(hundredthsOf(readings[0]) * scale), 0);
}

/** Chooses the combination of readings that adds up to the total; otherwise the first regular reading of every cell. */
function chooseReadings({ parts, unknown, total, scale, printed }: RowReading) {
  const totals = total?.readings ?? [];
  const options = [
    printed && totals.length > 1 ? totals.filter((reading) => reading !== null) : totals,
    ...parts.map(({ readings }) => readings),
  ].map((readings) => (readings.length === 0 ? [undefined] : readings));
  const size = options.reduce((product, readings) => product * readings.length, 1);
  const plain = {
    readings: parts.map(({ readings }) => readings.find((reading) => reading?.irregular !== true)),
    whole: options[0]?.[0],
    undecided: size > 1,
  };
  if (size > MAX_CHOICES) return plain;
  const extra = sumOf(unknown, scale);
  const picks = options.reduce<(AmountReading | undefined)[][]>(
    (some, readings) => readings.flatMap((reading) => some.map((pick) => [...pick, reading])),
    [[]],
  );
  const [fit, ...more] = picks.filter(([whole, ...readings]) => {
    const gap = (hundredthsOf(whole) - readings.reduce((all, one) => all + hundredthsOf(one), 0)) * scale;
    return gap === 0 || gap === extra;
  });
  if (fit === undefined) return plain;
  const [whole, ...readings] = fit;
  const isAlike = (pick: typeof fit): boolean =>
    readings.every((reading, at) => hundredthsOf(reading) === hundredthsOf(pick[at + 1]));
  return { readings, whole, undecided: !more.every(isAlike) };
}

/** Largest difference attributed to rounding, in printed units. */
const ROUNDING = 3;
/** No one was ever paid more than this, in units of the currency. */
const IMPLAUSIBLE = 20_000_000_000;

/** Why a row cannot be used: its total is unreadable, or missing although there are amounts. */
function whyUnusable({ row, label, total, parts, printed, hasTotal }: RowReading) {
  if (total?.readings.length === 0)
    return problemOf("row_unreadable", unreadable(total, "the total", label), refOf(row.table, total));
  const isZero = ({ readings }: Value): boolean =>
    readings.length > 0 && readings.every((reading) => hundredthsOf(reading) === 0);
  return !hasTotal && printed && !parts.every(isZero)
    ? problemOf("total_missing", `No total in ${label}, although it has amounts`)
    : undefined;
}

/** Problems of single cells, then of the row's sum. */
function* rowProblems(summed: Summed): Generator<ReadingProblem> {
  const { row, label, parts, readings, undecided, amounts, sum, gap, scale, total, doubled } = summed;
  const whole = amounts.total_compensation;
  const at = (value: Value | undefined) => refOf(row.table, value);
  for (const value of parts.filter((one) => one.readings.length === 0)) {
    const code = value.ambiguous ? "cell_ambiguous" : "cell_unreadable";
    yield problemOf(code, unreadable(value, value.meaning, label), at(value));
  }
  for (const { text, raw, row: line, x0 } of row.unassigned) {
    const cell = { table: row.table, row: line, column: x0, raw, caption: [] };
    yield problemOf("cell_ambiguous", `"${text}" of ${label} is not under any column header`, cell);
  }
  const touching = parts.find(({ column, cells }) => column.touching || cells.some((cell) => cell.touching));
  if (touching !== undefined) {
    const what = touching.column.touching ? "headers" : "amounts";
    const message = `Only one blank separates two ${what} of ${label}: ${quote(touching)} may be another column's`;
    yield problemOf("cell_ambiguous", message, at(touching));
  }
  for (const value of summed.unknownColumns) {
    const unknown = `"${headerOf(value)}" of ${label} is not a column of Item 402(c)`;
    const message = `${unknown}; its ${value.texts.join(" ")} is in unknown_component`;
    yield problemOf("column_unknown", message, at(value));
  }
  // A total beside its header shows that a cell is missing, and that any amount may be in its neighbour's column.
  for (const value of [...parts, total].filter((one) => one !== undefined)) {
    if (!value.byPosition) continue;
    const message = `"${value.texts.join(" ")}" of ${label} is next to, not under, "${headerOf(value)}"`;
    yield problemOf("column_by_position", message, at(value));
  }
  for (const [index, value] of parts.entries()) {
    if (readings[index]?.irregular !== true) continue;
    const amount = hundredthsOf(readings[index]) / 100;
    const message = `"${value.texts.join(" ")}" of ${label} was read as ${amount}, which the total confirms`;
    yield problemOf("cell_irregular", message, at(value));
  }
  const twoWays = `A cell of ${label} can be read in two ways, and the total does not settle which`;
  if (undecided) yield problemOf("cell_ambiguous", twoWays);
  const explained = summed.unknownReason === "column_unknown" && gap === summed.unknownSum;
  if (gap !== 0 && !explained) {
    const code = Math.abs(gap) <= ROUNDING * 100 * scale ? "rounding" : "sum_mismatch";
    const message = `The components of ${label} add up to ${sum / 100}, the printed total is ${whole / 100}`;
    yield problemOf(code, message, at(total));
  }
  if (doubled !== undefined)
    yield problemOf("doubled", `${doubled} of ${label} equals the sum of the other components`);
  if (Math.abs(whole) > IMPLAUSIBLE * 100)
    yield problemOf("implausible_amount", `A total of ${whole / 100} in ${label}`);
}

function unreadable(value: Value, what: string, label: string): string {
  const printed = `${quote(value)} of ${label}`;
  if (value.cells.some(({ controls }) => controls))
    return `${printed} is shown in another order or has control characters (${what})`;
  if (value.ambiguous) return `${printed} may be in another column than that of ${what}`;
  return `${printed} is not an amount (${what})`;
}

function refOf(table: number, value: Value | undefined): CellPosition | null {
  return value === undefined ? null : (refsOf(table, value)[0] ?? null);
}

function headerOf({ column }: Value): string {
  return column.path.join(" / ");
}

function quote({ texts }: Value): string {
  return `"${texts.join(" | ")}"`;
}
