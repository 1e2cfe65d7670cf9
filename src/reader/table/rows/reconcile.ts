import { AMOUNTS, byAmount, COMPONENTS, PRINTED_COMPONENTS } from "../../../domain/row-fields.ts";
import {
  type CellPosition,
  type ParsedRow,
  type ProblemCode,
  type ReadingProblem,
  problemOf,
} from "../../parsed-filing.ts";
import {
  type AmountReading,
  MILLION,
  hundredthsOf,
  isCurrencySign,
  isMoneyLike,
  readMoney,
} from "../../values/amounts.ts";
import type { Slot, YearRow } from "../cells/slots.ts";
import type { ColumnPlan } from "../cells/column-plan.ts";

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
  const cells: Partial<Record<Value["field"], CellPosition[]>> = {};
  for (const { field, places } of [...parts, total ?? [], unknownColumns].flat())
    (cells[field] ??= []).push(...places);
  return {
    amounts,
    cells,
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

/** The cells of a row under one header, with the field that they are read into. */
type Value = ReturnType<typeof readSlot>[number];

/** Nothing for a column that is no amount of the table. */
function readSlot(slot: Slot, { table }: YearRow, plan: ColumnPlan, scale: number) {
  const { cells, column, texts, ambiguous } = slot;
  const meaning = plan(column);
  const field = meaning === "unknown" ? "unknown_component" : AMOUNTS.find((one) => one === meaning);
  if (field === undefined) return [];
  const readings = scale < MILLION || ambiguous ? slot.readings : readMoney(texts, scale);
  const places = cells
    .filter(({ text }) => !isCurrencySign(text) || cells.length === 1)
    .map(({ row, x0, raw }): CellPosition => ({ table, row, column: x0, raw, caption: column.path }));
  return [{ ...slot, field, readings, places }];
}

/** One row as read, before it is checked against its total. */
type RowReading = ReturnType<typeof readRow>;

/** @param scale units of the currency per printed unit */
function readRow(row: YearRow, plan: ColumnPlan, scale: number) {
  const values = row.slots.flatMap((slot) => readSlot(slot, row, plan, scale));
  const total = values.find(({ field }) => field === "total_compensation");
  const parts = values.filter(({ field }) => field !== "total_compensation" && field !== "unknown_component");
  /** Amounts under headers that are not in Item 402(c). */
  const unknown = values.filter(
    ({ field, texts }) => field === "unknown_component" && texts.some(isMoneyLike),
  );
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
  const cents = (reading: AmountReading | undefined) => Math.round(hundredthsOf(reading) * scale);
  for (const [at, { field }] of parts.entries()) amounts[field] += cents(choice.readings[at]);
  amounts.total_compensation = cents(choice.whole);
  const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
  const gap = amounts.total_compensation - sum;
  amounts.unknown_component = gap;
  // Columns of unknown meaning that may explain the gap.
  const isHeld = choice.extra !== 0 || unknown.some((value) => value.readings.length === 0);
  const unknownColumns = isHeld && gap !== 0 ? unknown : [];
  const unreadable = parts.findLast((value) => value.readings.length === 0);
  let unknownReason: Reconciled["unknownReason"] = gap === 0 ? null : "filer_slip";
  if (unreadable?.ambiguous === false) unknownReason = "cell_unreadable";
  else if (unreadable !== undefined || row.unassigned.length > 0) unknownReason = "cell_ambiguous";
  else if (unknownColumns.length > 0) unknownReason = "column_unknown";
  // A component that equals the sum of all others may be the total; of two alike, none is the sum.
  const several = COMPONENTS.filter((field) => amounts[field] !== 0).length > 2;
  const isSum = (field: (typeof PRINTED_COMPONENTS)[number]) =>
    amounts[field] > 0 && amounts[field] * 2 === sum;
  const doubled = several ? PRINTED_COMPONENTS.find(isSum) : undefined;
  return { ...read, ...choice, amounts, sum, gap, unknownColumns, unknownReason, doubled };
}

/** Largest number of combinations of readings that are tried. */
const MAX_CHOICES = 4096;

/** Chooses the combination of readings that adds up to the total; otherwise the first regular reading of every cell. */
function chooseReadings({ parts, unknown, total, scale, printed }: RowReading) {
  const totals = total?.readings ?? [];
  const options = [
    printed ? totals.filter((reading) => reading !== null) : totals,
    ...parts.map(({ readings }) => readings),
  ].map((readings) => (readings.length === 0 ? [undefined] : readings));
  const size = options.reduce((product, readings) => product * readings.length, 1);
  /** The sum of the unknown columns by their first readings, in cents. */
  const extra = unknown.reduce((all, { readings }) => all + Math.round(hundredthsOf(readings[0]) * scale), 0);
  const regular = parts.map(({ readings }) => readings.find((reading) => reading?.irregular !== true));
  const plain = { readings: regular, whole: options[0]?.[0], undecided: size > 1, extra };
  if (size > MAX_CHOICES) return plain;
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
  return { readings, whole, undecided: !more.every(isAlike), extra };
}

/** Largest difference attributed to rounding, in printed units. */
const ROUNDING = 3;
/** No one was ever paid more than this, in units of the currency. */
const IMPLAUSIBLE = 20_000_000_000;

/** Why a row cannot be used: its total is unreadable, or missing although there are amounts. */
function whyUnusable({ label, total, parts, printed, hasTotal }: RowReading) {
  if (total?.readings.length === 0)
    return problemOf("row_unreadable", unreadable(total, "the total", label), total.places[0]);
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
  const of = (code: ProblemCode, { places }: Value, message: string) => problemOf(code, message, places[0]);
  for (const value of parts.filter((one) => one.readings.length === 0))
    yield of(
      value.ambiguous ? "cell_ambiguous" : "cell_unreadable",
      value,
      unreadable(value, value.field, label),
    );
  for (const { text, raw, row: line, x0 } of row.unassigned) {
    const cell = { table: row.table, row: line, column: x0, raw, caption: [] };
    yield problemOf("cell_ambiguous", `"${text}" of ${label} is not under any column header`, cell);
  }
  const touching = parts.find(({ column, cells }) => column.touching || cells.some((cell) => cell.touching));
  if (touching !== undefined) {
    const what = touching.column.touching ? "headers" : "amounts";
    const message = `Only one blank separates two ${what} of ${label}: ${quote(touching)} may be another column's`;
    yield of("cell_ambiguous", touching, message);
  }
  for (const value of summed.unknownColumns) {
    const unknown = `"${headerOf(value)}" of ${label} is not a column of Item 402(c)`;
    yield of("column_unknown", value, `${unknown}; its ${value.texts.join(" ")} is in unknown_component`);
  }
  // A total beside its header shows that a cell is missing, and that any amount may be in its neighbour's column.
  for (const value of [...parts, total ?? []].flat().filter(({ byPosition }) => byPosition)) {
    const message = `"${value.texts.join(" ")}" of ${label} is next to, not under, "${headerOf(value)}"`;
    yield of("column_by_position", value, message);
  }
  for (const [index, value] of parts.entries()) {
    if (readings[index]?.irregular !== true) continue;
    const amount = hundredthsOf(readings[index]) / 100;
    const message = `"${value.texts.join(" ")}" of ${label} was read as ${amount}, which the total confirms`;
    yield of("cell_irregular", value, message);
  }
  const twoWays = `A cell of ${label} can be read in two ways, and the total does not settle which`;
  if (undecided) yield problemOf("cell_ambiguous", twoWays);
  const explained = summed.unknownReason === "column_unknown" && gap === summed.extra;
  if (gap !== 0 && !explained) {
    const code = Math.abs(gap) <= ROUNDING * 100 * scale ? "rounding" : "sum_mismatch";
    const message = `The components of ${label} add up to ${sum / 100}, the printed total is ${whole / 100}`;
    yield problemOf(code, message, total?.places[0]);
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

function headerOf({ column }: Value): string {
  return column.path.join(" / ");
}

function quote({ texts }: Value): string {
  return `"${texts.join(" | ")}"`;
}
