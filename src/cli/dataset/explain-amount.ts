/** Explains the source of an amount, for `execcomp explain`. */
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import type { AmountField } from "../../domain/row-fields.ts";
import type { AmountSource } from "../../dataset/detail.ts";
import type { Remark } from "../../dataset/remarks.ts";
import { filingJson, filingLines } from "./explain-filing.ts";
import { shortened } from "../text-table.ts";

/** The source cells, their filing and their table as JSON. */
export function amountJson(
  field: AmountField,
  { filing, observation, cells, grid }: AmountSource,
  remarks: readonly Remark[],
): object {
  return {
    field,
    amount: unitsOf(observation.amounts[field]),
    filing: filingJson(filing),
    read: filing.read,
    problems: remarks,
    cells: cells.map(({ cell: [table, row, column, raw], caption }) => ({
      table,
      row,
      column,
      raw,
      caption,
    })),
    table: grid.map(({ table, row, caption, cells: texts }) => ({ table, row, caption, cells: texts })),
  };
}

/** The same as text, with the cells marked in the table. @param width of the terminal; null if there is none */
export function* amountLines(
  field: AmountField,
  { filing, observation, cells, grid }: AmountSource,
  remarks: readonly Remark[],
  width: number | null,
): Generator<string> {
  const amount = formatAmount(unitsOf(observation.amounts[field]));
  yield `${field} of ${observation.name}, ${observation.fiscalYear}: ${amount}`;
  yield* filingLines(filing);
  for (const { message } of remarks) yield message;
  if (observation.cells === null) {
    yield "Entered manually from the filing; no cell reference. See the filing's Summary Compensation Table.";
    return;
  }
  if (cells.length === 0) {
    yield observation.amounts[field] === 0
      ? "No cell reference: the filer's table has no column for this amount, so it is 0."
      : "No cell reference: the amount is the difference between the printed total and the sum of the other columns.";
    return;
  }
  for (const { cell, caption } of cells)
    yield `cell: table ${cell[0]}, row ${cell[1]}, column ${cell[2]}, under "${caption}": "${cell[3]}"`;
  yield "";
  yield* tableOf(cells, grid, width);
}

/** Truncates text, but never an amount. */
function shortenedWords(text: string, most: number): string {
  return /[A-Za-z]{2}/.test(text) ? shortened(text, most) : text;
}

/** Maximum width of text in cells: the first of these at which the table fits is used. */
const TEXT_WIDTHS = [28, 20, 14, 10, 7] as const;

/** The filer's table with the source cells in `>> <<`. */
function* tableOf(
  cells: AmountSource["cells"],
  grid: AmountSource["grid"],
  width: number | null,
): Generator<string> {
  const tables = TEXT_WIDTHS.map((most) => [...linesOf(cells, grid, most)]);
  const fits = (lines: readonly string[]) => lines.every((line) => line.length <= (width ?? Infinity));
  for (const line of tables.find(fits) ?? tables.at(-1) ?? []) yield shortened(line, width);
}

function* linesOf(cells: AmountSource["cells"], grid: AmountSource["grid"], most: number): Generator<string> {
  const marked = new Set(cells.map(({ cell: [table, row, column] }) => `${table} ${row} ${column}`));
  const columns = [...new Set(grid.flatMap((line) => line.cells.map(([column]) => column)))].sort(
    (a, b) => a - b,
  );
  const shown = grid.map((line) => {
    const texts = new Map(
      line.cells.map(([column, text]) => [
        column,
        marked.has(`${line.table} ${line.row} ${column}`) ? `>>${text}<<` : shortenedWords(text, most),
      ]),
    );
    return { line, texts };
  });
  const widths = new Map(
    columns.map((column) => [column, Math.max(...shown.map(({ texts }) => texts.get(column)?.length ?? 0))]),
  );
  let before = true;
  for (const { line, texts } of shown) {
    if (before && !line.caption)
      yield "-".repeat(
        Math.min(
          160,
          [...widths.values()].reduce((sum, width) => sum + width + 1, 0),
        ),
      );
    before = line.caption;
    yield columns
      .map((column) => (texts.get(column) ?? "").padEnd(widths.get(column) ?? 0))
      .join(" ")
      .trimEnd();
  }
}
