/** Finds out from the amounts which columns are sums or parts of others. */
import type { Meaning } from "../../lexicon/column-headers.ts";
import { hundredthsOf } from "../../values/amounts.ts";
import { AMOUNTS, PARTS, type TableColumn, meaningOf } from "../header/header.ts";
import type { YearRow } from "./slots.ts";

/** The meaning of each column: its header's, unless its amounts show that it is another one. */
export type ColumnPlan = (column: TableColumn) => Meaning;

/** Largest difference attributed to rounding, in hundredths. */
const ROUNDING = 300;

/** Whether a column is one of those meant. */
type IsIn = (column: TableColumn) => boolean;

/** The sum of a row's amounts in some columns, in hundredths before scaling. */
function sumIn({ slots }: YearRow, isIn: IsIn): number {
  const some = slots.filter(({ column }) => isIn(column));
  return some.reduce((sum, { readings }) => sum + hundredthsOf(readings[0]), 0);
}

/** The number of rows in which some columns add up to another. */
function countSums(rows: readonly YearRow[], whole: IsIn, isPart: IsIn, slack = ROUNDING): number {
  return rows.filter((row) => Math.abs(sumIn(row, whole) - sumIn(row, isPart)) <= slack).length;
}

/** Whether a column is the sum of others in every row, and not blank throughout. */
function isSum(rows: readonly YearRow[], whole: TableColumn, isPart: IsIn): boolean {
  const isWhole: IsIn = (column) => column === whole;
  return countSums(rows, isWhole, isPart) === rows.length && rows.some((row) => sumIn(row, isWhole) !== 0);
}

/** Share of a table's rows that add up to their total, to the cent; 0 without rows. */
export function shareOfSums(rows: readonly YearRow[]): number {
  const plan = planColumns(rows);
  const isTotal: IsIn = (column) => plan(column) === "total_compensation";
  return countSums(rows, isTotal, (column) => PARTS.has(plan(column)), 0) / Math.max(rows.length, 1);
}

/**
 * Compares columns over all rows below each header. Of several columns with one meaning, it finds the sum of the others and the
 * total; it also finds the parts of a subtotal (`Annual Incentive`, `Long-Term Incentive`, `Total Non-Equity Incentive`).
 */
export function planColumns(rows: readonly YearRow[]): ColumnPlan {
  const found = new Map<TableColumn, Meaning>();
  const plan: ColumnPlan = (column) => found.get(column) ?? column.meaning;
  const isPart: IsIn = (column) => PARTS.has(plan(column));
  for (const [columns, below] of Map.groupBy(rows, (row) => row.section.columns)) {
    for (const column of columns) explainSubtotal(below, columns, column, found);
    explainOther(below, columns, plan, found);
    for (const [meaning, several] of Map.groupBy(columns, plan)) {
      if (several.length < 2 || !AMOUNTS.has(meaning)) continue;
      const totals = columns.filter((column) => plan(column) === "total_compensation");
      const matches = (total: TableColumn): number => countSums(below, (column) => column === total, isPart);
      let main: TableColumn | undefined;
      if (meaning === "total_compensation") [main] = totals.toSorted((a, b) => matches(b) - matches(a));
      // If the totals include all columns of their components, equal grants of two kinds are not a sum and its parts.
      else if (!totals.some((total) => isSum(below, total, isPart)))
        main = several.find((one) => isSum(below, one, (other) => other !== one && several.includes(other)));
      if (main !== undefined)
        for (const column of several) if (column !== main) found.set(column, "subtotal");
    }
  }
  return plan;
}

/** Words of the other components, which a column of other pay does not name. */
const COMPONENT =
  /salar|bonus|stock|share|unit|option|award|equity|incentive|pension|deferred|dividend|total|cash|grant|retention|fee|gain|purchase|discount/i;

/**
 * All pay that no other column includes is other compensation (Item 402(c)(2)(ix)): columns of unknown meaning next to that column
 * are part of it if every row then adds up, and not without them.
 */
function explainOther(
  rows: readonly YearRow[],
  columns: readonly TableColumn[],
  plan: ColumnPlan,
  found: Map<TableColumn, Meaning>,
): void {
  const at = columns.findIndex((column) => plan(column) === "other_comp");
  const total = columns.find((column) => plan(column) === "total_compensation");
  const isUnclaimed = (column: TableColumn | undefined) =>
    column !== undefined && plan(column) === "unknown" && !COMPONENT.test(column.path.join(" "));
  const before = columns.slice(0, Math.max(0, at)).toReversed();
  const behind = columns.slice(at + 1);
  const beside = [before, behind].flatMap((side) => {
    const end = side.findIndex((column) => !isUnclaimed(column));
    return end < 0 ? side : side.slice(0, end);
  });
  if (at < 0 || total === undefined || beside.length === 0) return;
  const isPart: IsIn = (column) => PARTS.has(plan(column));
  if (isSum(rows, total, isPart) || !isSum(rows, total, (one) => isPart(one) || beside.includes(one))) return;
  for (const column of beside) found.set(column, "other_comp");
}

/** If columns next to the total of a component add up to it in every row, the total is the component and they are its parts. */
function explainSubtotal(
  rows: readonly YearRow[],
  columns: readonly TableColumn[],
  column: TableColumn,
  plan: Map<TableColumn, Meaning>,
): void {
  const own = column.path.at(-1) ?? "";
  const component = /\btotal\b/i.test(own) ? meaningOf([own.replace(/\btotal\b/i, "")]) : "unknown";
  if (!PARTS.has(component)) return;
  const isFree = ({ meaning }: TableColumn) => meaning === "unknown" || meaning === component;
  const at = columns.indexOf(column);
  const parts = [columns.slice(0, at).toReversed(), columns.slice(at + 1)]
    .flatMap((beside) => beside.map((_, last) => beside.slice(0, last + 1)))
    .find((run) => run.length > 1 && run.every(isFree) && isSum(rows, column, (one) => run.includes(one)));
  if (parts === undefined) return;
  plan.set(column, component);
  for (const one of parts) plan.set(one, "subtotal");
}
