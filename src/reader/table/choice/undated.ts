import { isNote } from "../../values/footnote-markers.ts";
import { isMoneyLike, isCurrencySign } from "../../values/amounts.ts";
import { isArtifact } from "./between-tables.ts";
import { namesTable } from "./heading.ts";
import { ownCells, textCell, type Cell, type Grid } from "../grid/grid.ts";

/** A table without a year column, after the fiscal year of its heading was added to each row of amounts. */
interface Dated {
  readonly grid: Grid;
  /** The heading that names the year. */
  readonly words: string;
}

/** Blocks above a table that can be its heading and an introductory sentence. */
const MAX_BLOCKS = 3;

/**
 * Adds a column with the year of the heading to a table without years: `2023 Summary Compensation Table`, `for the year ended
 * December 31, 2023`. Undefined unless the heading names the Summary Compensation Table and exactly one year.
 */
export function dateByHeading(grid: Grid, above: readonly string[]): Dated | undefined {
  const heading = above.filter((block) => !isNote(block) && !isArtifact(block)).slice(-MAX_BLOCKS);
  const title = heading.findLastIndex(namesTable);
  if (title < 0) return undefined;
  const words = heading.slice(title).join(" ");
  const years = new Set(words.match(/\b20\d\d\b/g));
  const [year] = years;
  const first = grid.rows.findIndex(isAmountRow);
  const header = grid.rows.findLastIndex((row, at) => at < first && ownCells(row, at).length >= 3);
  // Left of the first amounts and of their header, which may begin further left.
  const at = Math.min(
    ownCells(grid.rows[header] ?? [], header)[1]?.x0 ?? 0,
    ...grid.rows.flatMap((row, index) => (isAmountRow(row, index) ? [firstAmount(row, index)] : [])),
  );
  if (years.size !== 1 || year === undefined || header < 0 || at <= 0) return undefined;
  const rows = grid.rows.map((row, index) => {
    const moved = row.map((cell) => shift(cell, at));
    const text = index === header ? "Year" : isAmountRow(row, index) ? year : undefined;
    return text === undefined
      ? moved
      : [...moved, textCell(index, at, at + 1, text, "")].sort((a, b) => a.x0 - b.x0);
  });
  return { grid: { ...grid, rows, width: grid.width + 1 }, words };
}

function isAmount(cell: Cell): boolean {
  return isMoneyLike(cell.text) && !isCurrencySign(cell.text);
}

/** Whether the row has text followed by two amounts. */
function isAmountRow(row: readonly Cell[], at: number): boolean {
  const own = ownCells(row, at);
  const amounts = own.filter(isAmount);
  return amounts.length >= 2 && amounts.some((cell) => /\d/.test(cell.text)) && own[0] !== amounts[0];
}

function firstAmount(row: readonly Cell[], at: number): number {
  return ownCells(row, at).find((cell) => isCurrencySign(cell.text) || isAmount(cell))?.x0 ?? 0;
}

/** Makes room for a column at `at`. */
function shift(cell: Cell, at: number): Cell {
  return { ...cell, x0: cell.x0 >= at ? cell.x0 + 1 : cell.x0, x1: cell.x1 > at ? cell.x1 + 1 : cell.x1 };
}
