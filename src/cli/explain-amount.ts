/** Where an amount of a row was read, for `execcomp explain`. */
import { formatAmount, unitsOf } from "../domain/amount.ts";
import type { AmountField } from "../domain/row-fields.ts";
import type { AmountSource } from "../snapshot/detail.ts";
import { filingJson, filingLines } from "./explain-filing.ts";

/** The cell, its filing and its table as JSON. */
export function amountJson(field: AmountField, { filing, observation, cells, grid }: AmountSource): object {
  return {
    field,
    amount: unitsOf(observation.amounts[field]),
    filing: filingJson(filing),
    read: filing.read,
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

/** The same as lines, the table with the cell marked. */
export function* amountLines(
  field: AmountField,
  { filing, observation, cells, grid }: AmountSource,
): Generator<string> {
  const amount = formatAmount(unitsOf(observation.amounts[field]));
  yield `${field} of ${observation.name}, ${observation.fiscalYear}: ${amount}`;
  yield* filingLines(filing);
  if (observation.cells === null) {
    yield "Entered manually from the filing; no cell reference. See the filing's Summary Compensation Table.";
    return;
  }
  if (cells.length === 0) {
    yield observation.amounts[field] === 0
      ? "No cell: the filer's table has no column for it, which means 0."
      : "No cell: it is the difference between the printed total and the sum of the other columns.";
    return;
  }
  for (const { cell, caption } of cells)
    yield `cell: table ${cell[0]}, row ${cell[1]}, column ${cell[2]}, under "${caption}": "${cell[3]}"`;
  yield "";
  yield* tableOf(cells, grid);
}

/** The filer's table with the cell in `>> <<`; columns as wide as they need, at most 28 characters. */
function* tableOf(cells: AmountSource["cells"], grid: AmountSource["grid"]): Generator<string> {
  const marked = new Set(cells.map(({ cell: [table, row, column] }) => `${table} ${row} ${column}`));
  const columns = [...new Set(grid.flatMap((line) => line.cells.map(([column]) => column)))].sort(
    (a, b) => a - b,
  );
  const shown = grid.map((line) => {
    const texts = new Map(
      line.cells.map(([column, text]) => [
        column,
        marked.has(`${line.table} ${line.row} ${column}`) ? `>>${text}<<` : shorten(text),
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

function shorten(text: string): string {
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
