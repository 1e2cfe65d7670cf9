/** Problems of a row's cells and of its sum. */
import { problemOf, type CellPosition, type ProblemCode, type ReadingProblem } from "../../problem.ts";
import { hundredthsOf, isIrregular } from "../../values/amounts.ts";
import type { RowReading, Summed, Value } from "./row-reading.ts";
import { refsOf } from "../cells/slots.ts";

/** Largest difference attributed to rounding, in printed units. */
const ROUNDING = 3;
/** No one was ever paid more than this, in units of the currency. */
const IMPLAUSIBLE = 20_000_000_000;

/** Why a row cannot be used: its total is unreadable, or missing although there are amounts. */
export function whyUnusable({ row, label, total, parts, printed }: RowReading): ReadingProblem | undefined {
  if (total?.readings.length === 0) {
    return problemOf("row_unreadable", unreadable(total, "the total", label), refOf(row.table, total));
  }
  const hasTotal = total?.readings.some(({ kind }) => kind === "amount") ?? false;
  const isZero = ({ readings }: Value): boolean =>
    readings.length > 0 && readings.every((reading) => hundredthsOf(reading) === 0);
  return !hasTotal && printed && !parts.every(isZero)
    ? problemOf("total_missing", `No total in ${label}, although it has amounts`)
    : undefined;
}

/** Problems of single cells, then of the row's sum. */
export function rowProblems(summed: Summed): ReadingProblem[] {
  const { row, label, parts, readings, undecided, amounts, sum, gap, scale, total, doubled } = summed;
  const whole = amounts.total_compensation;
  const problems: ReadingProblem[] = [];
  const report = (code: ProblemCode, message: string, value?: Value): void =>
    void problems.push(problemOf(code, message, value === undefined ? null : refOf(row.table, value)));
  for (const value of parts.filter((one) => one.readings.length === 0)) {
    const code = value.ambiguous ? "cell_ambiguous" : "cell_unreadable";
    report(code, unreadable(value, value.meaning, label), value);
  }
  for (const { text, raw, row: at, x0 } of row.unassigned) {
    const cell = { table: row.table, row: at, column: x0, raw, caption: [] };
    problems.push(problemOf("cell_ambiguous", `"${text}" of ${label} is not under any column header`, cell));
  }
  const touching = parts.find(({ column, cells }) => column.touching || cells.some((cell) => cell.touching));
  if (touching !== undefined) {
    const what = touching.column.touching ? "headers" : "amounts";
    report(
      "cell_ambiguous",
      `Only one blank separates two ${what} of ${label}: ${quote(touching)} may be another column's`,
      touching,
    );
  }
  for (const value of summed.unknownColumns) {
    const unknown = `"${headerOf(value)}" of ${label} is not a column of Item 402(c)`;
    report("column_unknown", `${unknown}; its ${value.texts.join(" ")} is in unknown_component`, value);
  }
  for (const value of parts.filter(({ byPosition }) => byPosition)) {
    const message = `"${value.texts.join(" ")}" of ${label} is next to, not under, "${headerOf(value)}"`;
    report("column_by_position", message, value);
  }
  for (const [at, value] of parts.entries()) {
    if (!isIrregular(readings[at])) continue;
    const amount = hundredthsOf(readings[at]) / 100;
    const message = `"${value.texts.join(" ")}" of ${label} was read as ${amount}, which the total confirms`;
    report("cell_irregular", message, value);
  }
  if (undecided)
    report(
      "cell_ambiguous",
      `A cell of ${label} can be read in two ways, and the total does not settle which`,
    );
  const explained = summed.unknownReason === "column_unknown" && gap === summed.unknownSum;
  if (gap !== 0 && !explained) {
    const code = Math.abs(gap) <= ROUNDING * 100 * scale ? "rounding" : "sum_mismatch";
    const message = `The components of ${label} add up to ${sum / 100}, the printed total is ${whole / 100}`;
    report(code, message, total);
  }
  if (doubled !== undefined)
    report("doubled", `${doubled} of ${label} equals the sum of the other components`);
  if (Math.abs(whole) > IMPLAUSIBLE * 100)
    report("implausible_amount", `A total of ${whole / 100} in ${label}`);
  return problems;
}

function unreadable(value: Value, what: string, label: string): string {
  if (value.cells.some(({ controls }) => controls))
    return `${quote(value)} of ${label} is shown in another order or has control characters (${what})`;
  return value.ambiguous
    ? `${quote(value)} of ${label} may be in another column than that of ${what}`
    : `${quote(value)} of ${label} is not an amount (${what})`;
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
