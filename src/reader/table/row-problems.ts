/** What is wrong with the cells of a row, and with the row as a sum. */
import type { CellPosition, ProblemCode, ReadingProblem } from "../problem.ts";
import { problemOf as told } from "../problem.ts";
import { worth, type Value } from "./choose-readings.ts";
import { isAmountReading, type RowReading, type Summed } from "./row-reading.ts";
import { refsOf } from "./slots.ts";

/** Differences up to this many units come from rounding. */
const ROUNDING = 3;
/** A total above this, in units, was never paid. */
const IMPLAUSIBLE = 20_000_000_000;

/** Why a row cannot be trusted at all: its total cannot be read, or there is none beside its amounts. */
export function whyUnusable({ table, label, total, parts, printed }: RowReading): ReadingProblem | undefined {
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

/** What is wrong with single cells. */
export function cellProblems(summed: Summed): ReadingProblem[] {
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
    ...summed.unknownColumns.map((value) =>
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
export function sumProblems(summed: Summed): ReadingProblem[] {
  const { label, choice, amounts, sum, gap, scale, unknownSum, unknownReason, table, total, doubled } =
    summed;
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
  if (doubled !== undefined)
    problems.push(problemOf("doubled", `${doubled} of ${label} equals the sum of the other components`));
  if (Math.abs(amounts.total_compensation) > IMPLAUSIBLE * 100)
    problems.push(
      problemOf("implausible_amount", `A total of ${amounts.total_compensation / 100} in ${label}`),
    );
  return problems;
}

function problemOf(code: ProblemCode, message: string, cell: CellPosition | null = null): ReadingProblem {
  return told(code, "reconcile", message, cell);
}

function refOf(table: number, value: Value): CellPosition | null {
  return refsOf(table, value.slot)[0] ?? null;
}

function quote(value: Value): string {
  return `"${value.slot.texts.join(" | ")}"`;
}

function allZero(parts: readonly Value[]): boolean {
  return parts.every(
    (value) => value.readings.length > 0 && value.readings.every((reading) => worth(reading, 1) === 0),
  );
}
