import type { Column, Section } from "../header/columns.ts";
import { isDataRow, stackedYears, trailingYear } from "../header/data-rows.ts";
import { endedByOthers } from "../header/others.ts";
import type { Cell, Grid } from "../grid/grid.ts";
import { isFootnoteMarker } from "../../values/footnote-markers.ts";
import { isMoneyLike, isCurrencySign } from "../../values/amounts.ts";

/** A grid without column headers, with a section from an earlier header. */
export interface Continuation {
  readonly grid: Grid;
  readonly section: Section;
  /** The grids differ: columns were matched by number and order. */
  readonly byOrder: boolean;
}

/** Reads a grid without column headers under another's header: by position if the grids have the same width, and by order if every row fills every column. */
export function continueUnder(grid: Grid, section: Section, width: number): Continuation[] {
  if (!grid.rows.some((row, at) => isDataRow(row, at))) return [];
  const ways: { grid: Grid; byOrder: boolean }[] = [];
  if (grid.kind === "table" && grid.width === width) ways.push({ grid, byOrder: false });
  const ordered = realign(grid, section.columns);
  if (ordered !== undefined) ways.push({ grid: ordered, byOrder: true });
  return ways.flatMap((way) => {
    const whole = { ...section, headerRows: [], from: 0, to: way.grid.rows.length };
    return endedByOthers(way.grid, [whole]).map((under) => ({ ...way, section: under }));
  });
}

/** Moves the cells of each row under the columns in order; undefined if a row's amounts do not match the columns in number. */
function realign(grid: Grid, columns: readonly Column[]): Grid | undefined {
  const year = columns.find((column) => column.meaning === "year");
  const name = columns.find((column) => column.meaning === "name");
  const amounts = columns.filter(
    (column) => column !== year && column !== name && column.meaning !== "position",
  );
  if (year === undefined || name === undefined || amounts.length < 3) return undefined;
  const rows: Cell[][] = [];
  // A cell that spans rows must remain one object.
  const places = new Map<Cell, Cell>();
  for (const [at, row] of grid.rows.entries()) {
    const own = row.filter((cell) => cell.text !== "");
    const moved: Cell[] = [];
    const put = (cell: Cell, column: Column): void => {
      const place = places.get(cell) ?? { ...cell, x0: column.x0, x1: column.x1 };
      places.set(cell, place);
      moved.push(place);
    };
    const yearCell =
      own.find((cell) => stackedYears(cell).length > 0) ??
      own.find((cell) => trailingYear(cell) !== undefined);
    if (!isDataRow(row, at) || yearCell === undefined) {
      for (const cell of own) if (cell.x0 <= (own[0]?.x0 ?? 0)) put(cell, name);
      rows.push(moved);
      continue;
    }
    const money = own.filter(
      (cell) =>
        cell.x0 >= yearCell.x1 &&
        !isCurrencySign(cell.text) &&
        cell.text !== ")" &&
        (!isFootnoteMarker(cell.text) || /^\d+$/.test(cell.text)) &&
        isMoneyLike(cell.text),
    );
    if (money.length !== amounts.length) return undefined;
    for (const cell of own) if (cell.x1 <= yearCell.x0) put(cell, name);
    put(yearCell, year);
    for (const [index, cell] of money.entries()) put(cell, amounts[index] ?? year);
    rows.push(moved);
  }
  return { ...grid, rows, width: Math.max(...columns.map((column) => column.x1)) };
}
