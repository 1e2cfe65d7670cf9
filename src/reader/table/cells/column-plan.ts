import type { Meaning } from "../../lexicon/column-headers.ts";
import { hundredthsOf } from "../../values/amounts.ts";
import type { YearRow } from "./cells.ts";
import { meaningOf } from "../header/column-headers.ts";
import { PARTS, type Column } from "../header/columns.ts";

/** Columns whose amounts show that they mean something other than their header says. */
export type ColumnPlan = ReadonlyMap<Column, Meaning>;

/** Largest difference attributed to rounding, in hundredths. */
const ROUNDING = 300;

/** The amount of a row in one column, in hundredths before scaling; 0 if none. */
export function amountIn(row: YearRow, column: Column): number {
  return hundredthsOf(row.slots.find((slot) => slot.column === column)?.readings[0]);
}

/**
 * Compares columns over all rows below each header. Of several columns with one meaning, it finds the sum of the others and the
 * total; it also finds the parts of a subtotal (`Annual Incentive`, `Long-Term Incentive`, `Total Non-Equity Incentive`).
 */
export function planColumns(rows: readonly YearRow[]): ColumnPlan {
  const plan = new Map<Column, Meaning>();
  for (const [columns, below] of Map.groupBy(rows, (row) => row.section.columns)) {
    for (const column of columns) explainSubtotal(below, columns, column, plan);
    const byMeaning = Map.groupBy(columns, (column) => plan.get(column) ?? column.meaning);
    for (const [meaning, several] of byMeaning) {
      if (several.length < 2) continue;
      const kept =
        meaning === "total_compensation"
          ? bestTotal(below, several)
          : PARTS.has(meaning)
            ? sumAmong(below, several)
            : undefined;
      if (kept !== undefined) for (const column of several) if (column !== kept) plan.set(column, "subtotal");
    }
  }
  return plan;
}

/** If columns next to the total of a component add up to it in every row, the total is the component and they are its parts. */
function explainSubtotal(
  rows: readonly YearRow[],
  columns: readonly Column[],
  column: Column,
  plan: Map<Column, Meaning>,
): void {
  const component = componentOf(column);
  if (component === undefined) return;
  const at = columns.indexOf(column);
  for (const direction of [-1, 1]) {
    const parts: Column[] = [];
    for (let next = at + direction; ; next += direction) {
      const part = columns[next];
      if (part === undefined || (part.meaning !== "unknown" && part.meaning !== component)) break;
      parts.push(part);
      if (parts.length < 2 || !isSum(rows, column, parts)) continue;
      plan.set(column, component);
      for (const one of parts) plan.set(one, "subtotal");
      return;
    }
  }
}

/** The component whose total the header names. */
function componentOf(column: Column): Meaning | undefined {
  const own = column.path.at(-1) ?? "";
  if (!/\btotal\b/i.test(own) || column.meaning === "total_compensation") return undefined;
  const meaning = meaningOf([own.replace(/\btotal\b/i, "")]);
  return PARTS.has(meaning) ? meaning : undefined;
}

/** Whether a column is the sum of others in every row, and not blank throughout. */
function isSum(rows: readonly YearRow[], sum: Column, parts: readonly Column[]): boolean {
  let seen = false;
  for (const row of rows) {
    const own = amountIn(row, sum);
    const rest = parts.reduce((all, part) => all + amountIn(row, part), 0);
    if (Math.abs(own - rest) > ROUNDING) return false;
    seen ||= own !== 0 || rest !== 0;
  }
  return seen;
}

/** The column that equals the sum of the others of its meaning. */
function sumAmong(rows: readonly YearRow[], columns: readonly Column[]): Column | undefined {
  return columns.find((column) =>
    isSum(
      rows,
      column,
      columns.filter((other) => other !== column),
    ),
  );
}

/** The total column that matches the sum of components in the most rows. */
function bestTotal(rows: readonly YearRow[], columns: readonly Column[]): Column | undefined {
  const fits = columns.map((column) => ({
    column,
    count: rows.filter((row) => {
      const parts = row.section.columns
        .filter((one) => PARTS.has(one.meaning))
        .reduce((sum, one) => sum + amountIn(row, one), 0);
      return parts !== 0 && Math.abs(parts - amountIn(row, column)) <= ROUNDING;
    }).length,
  }));
  return fits.sort((a, b) => b.count - a.count)[0]?.column;
}
