/** Recognizes years in cells, and rows with years and amounts. */
import { YEAR_AT_END } from "../../lexicon/years.ts";
import { isMoneyLike } from "../../values/amounts.ts";
import { readYear, type YearLabel } from "../../values/years.ts";
import type { Cell } from "../grid/grid.ts";

/** Cells with a year, or with years stacked by line breaks. */
export function yearCells(row: readonly Cell[]): Cell[] {
  return row.filter((cell) => stackedYears(cell).length > 0);
}

/** The years of a cell: one, or one per line; empty if it contains anything else. */
export function stackedYears(cell: Cell): YearLabel[] {
  if (!/\d\d/.test(cell.text)) return [];
  const whole = readYear(cell.text);
  if (whole !== undefined) return [whole];
  if (cell.lines.length < 2) return [];
  const years = cell.lines.map((line) => readYear(line.text));
  const known = years.filter((year) => year !== undefined);
  return known.length === years.length ? known : [];
}

/** The year at the end of a cell that begins with something else, such as a name. */
export function trailingYear(cell: Cell): YearLabel | undefined {
  // Only the end is searched: a cell may contain a page of text.
  const tail = cell.text.slice(-40);
  const match = YEAR_AT_END.exec(tail);
  if (match === null) return undefined;
  const before = cell.text.length - tail.length + match.index;
  return /[a-z.)\]]/i.test(cell.text.slice(0, before)) ? readYear(match[1] ?? "") : undefined;
}

/** Whether the cell contains an amount, or one per line if years are stacked. */
function holdsMoney(cell: Cell): boolean {
  return (
    isMoneyLike(cell.text) || (cell.lines.length > 1 && cell.lines.every((line) => isMoneyLike(line.text)))
  );
}

/** Whether the row has amounts next to a year. */
export function isDataRow(row: readonly Cell[], at: number): boolean {
  const years = yearCells(row);
  const money = row.filter((cell) => !years.includes(cell) && holdsMoney(cell) && cell.row === at);
  const first = years[0];
  if (first !== undefined) {
    // Amounts such as `2000` look like years; a row with more years than amounts is a header.
    if (years.length > 1 && years.length > money.length) return false;
    // The year may follow all amounts.
    const behind = years.length === 1 && money.length >= 3 && money.every((cell) => cell.x1 <= first.x0);
    return behind || money.some((cell) => cell.x0 >= first.x1);
  }
  return (
    money.length >= 2 &&
    row.some((cell) => trailingYear(cell) !== undefined && money.every((one) => one.x0 >= cell.x1))
  );
}
