import { elementAt } from "../../../lib/checked-access.ts";
import { isCurrencySign, isMoneyLike } from "../../values/amounts.ts";
import { isNote } from "../../values/footnote-markers.ts";
import { readYear } from "../../values/years.ts";
import { type Cell, type Grid, ownCells, textCell } from "../grid/grid.ts";
import { IMAGE, MAX_BLOCKS, isArtifact, namesTable } from "../heading/heading.ts";

/**
 * Adds a column with the year of the heading to a table without years: `2023 Summary Compensation Table`, `for the year ended
 * December 31, 2023`. Undefined unless the heading names the Summary Compensation Table and exactly one year.
 */
export function dateByHeading(grid: Grid, above: readonly string[]) {
  const heading = above
    .slice(above.lastIndexOf(IMAGE) + 1)
    .filter((block) => readYear(block) !== undefined || (!isNote(block) && !isArtifact(block)))
    .slice(-MAX_BLOCKS);
  const title = heading.findLastIndex(namesTable);
  if (title < 0) return undefined;
  const words = heading.slice(title).join(" ");
  const labels = heading.slice(title).flatMap((block) => readYear(block)?.year.toString() ?? []);
  const years = new Set([...labels, ...(words.match(/(?<!\d)20\d\d(?!\d)/g) ?? [])]);
  const [year] = years;
  const starts = grid.rows.map(amountsFrom);
  const first = starts.findIndex((start) => start !== undefined);
  const header = grid.rows.findLastIndex((row, at) => at < first && ownCells(row, at).length >= 3);
  if (years.size !== 1 || year === undefined || header < 0) return undefined;
  // Left of the first amounts and of their header, which may begin further left.
  const amounts = starts.filter((start) => start !== undefined);
  const at = Math.min(elementAt(ownCells(grid.rows[header], header), 1).x0, ...amounts);
  if (at <= 0) return undefined;
  const rows = grid.rows.map((row, index) => {
    // Room for a column at `at`.
    const moved = row.map((cell) => ({
      ...cell,
      x0: cell.x0 + Number(cell.x0 >= at),
      x1: cell.x1 + Number(cell.x1 > at),
    }));
    if (index !== header && starts[index] === undefined) return moved;
    const added = textCell(index, at, at + 1, index === header ? "Year" : year, "");
    return [...moved, added].sort((a, b) => a.x0 - b.x0);
  });
  return { grid: { ...grid, rows, width: grid.width + 1 }, words };
}

/** Where the amounts of a row begin; undefined unless it has text followed by two of them. */
function amountsFrom(row: readonly Cell[], at: number): number | undefined {
  const own = ownCells(row, at);
  const amounts = own.filter(({ text }) => isMoneyLike(text) && !isCurrencySign(text));
  if (amounts.length < 2 || own[0] === amounts[0] || !amounts.some(({ text }) => /\d/.test(text)))
    return undefined;
  return own.find((cell) => isCurrencySign(cell.text) || amounts.includes(cell))?.x0;
}
