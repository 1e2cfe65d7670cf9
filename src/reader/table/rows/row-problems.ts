/** What is wrong with the cells of a row, and with the row as a sum. */
import { problemOf, type CellPosition, type ProblemCode, type ReadingProblem } from "../../problem.ts";
import { hundredthsOf, isIrregular } from "../../values/amounts.ts";
import type { RowReading, Summed, Value } from "./row-reading.ts";
import { refsOf } from "../cells/slots.ts";

/** Differences up to this many units come from rounding. */
const ROUNDING = 3;
/** A total above this, in units, was never paid. */
const IMPLAUSIBLE = 20_000_000_000;

/** Why a row cannot be trusted at all: its total cannot be read, or there is none beside its amounts. */
export function whyUnusable({ row, label, total, parts, printed }: RowReading): ReadingProblem | undefined {
  if (total?.readings.length === 0) {
    const message = `Cannot read the total of ${label}: ${quote(total)}`;
    return told("row_unreadable", message, refOf(row.table, total));
  }
  const hasTotal = total?.readings.some(({ kind }) => kind === "amount") ?? false;
  const isZero = ({ readings }: Value): boolean =>
    readings.length > 0 && readings.every((reading) => hundredthsOf(reading) === 0);
  return !hasTotal && printed && !parts.every(isZero)
    ? told("total_missing", `No total in ${label}, though amounts are printed`)
    : undefined;
}

/** What is wrong with single cells, and then with the row as a sum. */
export function rowProblems(summed: Summed): ReadingProblem[] {
  const { row, label, parts, readings, undecided, amounts, sum, gap, scale, total, doubled } = summed;
  const whole = amounts.total_compensation;
  const problems: ReadingProblem[] = [];
  const tell = (code: ProblemCode, message: string, value?: Value): void =>
    void problems.push(told(code, message, value === undefined ? null : refOf(row.table, value)));
  for (const value of parts.filter((one) => one.readings.length === 0)) {
    const code = value.ambiguous ? "cell_ambiguous" : "cell_unreadable";
    tell(code, `Cannot read ${value.meaning} of ${label}: ${quote(value)}`, value);
  }
  for (const { text, raw, row: at, x0 } of row.unassigned) {
    const cell = { table: row.table, row: at, column: x0, raw, caption: [] };
    problems.push(told("cell_ambiguous", `"${text}" of ${label} stands under no column header`, cell));
  }
  for (const value of summed.unknownColumns) {
    const known = `"${headerOf(value)}" of ${label} is no column of Item 402(c)`;
    tell("column_unknown", `${known}; its ${value.texts.join(" ")} stands in unknown_component`, value);
  }
  for (const value of parts.filter(({ byPosition }) => byPosition)) {
    const message = `"${value.texts.join(" ")}" of ${label} stands beside, not under, "${headerOf(value)}"`;
    tell("column_by_position", message, value);
  }
  for (const [at, value] of parts.entries()) {
    if (!isIrregular(readings[at])) continue;
    const amount = hundredthsOf(readings[at]) / 100;
    const message = `"${value.texts.join(" ")}" of ${label} is read as ${amount}, which the total confirms`;
    tell("cell_irregular", message, value);
  }
  if (undecided)
    tell("cell_ambiguous", `A cell of ${label} can be read in two ways and no reading adds up to the total`);
  const explained = summed.unknownReason === "column_unknown" && gap === summed.unknownSum;
  if (gap !== 0 && !explained) {
    const code = Math.abs(gap) <= ROUNDING * 100 * scale ? "rounding" : "sum_mismatch";
    const message = `The components of ${label} add up to ${sum / 100}, the printed total is ${whole / 100}`;
    tell(code, message, total);
  }
  if (doubled !== undefined) tell("doubled", `${doubled} of ${label} equals the sum of the other components`);
  if (Math.abs(whole) > IMPLAUSIBLE * 100)
    tell("implausible_amount", `A total of ${whole / 100} in ${label}`);
  return problems;
}

function told(code: ProblemCode, message: string, cell: CellPosition | null = null): ReadingProblem {
  return problemOf(code, "reconcile", message, cell);
}

function refOf(table: number, value: Value): CellPosition | null {
  return refsOf(table, value)[0] ?? null;
}

function headerOf({ column }: Value): string {
  return column.path.join(" / ");
}

function quote({ texts }: Value): string {
  return `"${texts.join(" | ")}"`;
}
