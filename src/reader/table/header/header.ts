/** Splits a table into headers and the rows below each. */
import type { Meaning } from "../../lexicon/column-headers.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { letters } from "../../text.ts";
import { hasTitleWord, nameLikeness } from "../../values/names.ts";
import { isWholeWidth, ownCells, wordsOf, type Cell, type Grid } from "../grid/grid.ts";
import { meaningOf } from "./column-headers.ts";
import { PARTS, readColumns, type Section } from "./columns.ts";
import { isDataRow, yearCells } from "./data-rows.ts";
import { endedByOthers, introduction, isPageLine, othersHeader } from "./others.ts";

const MAX_HEADER_ROWS = 40;
/** Splits the grid into headers and the rows below each. Empty if no header is found. */
export function readSections(grid: Grid): Section[] {
  const data = grid.rows.map((row, at) => isDataRow(row, at));
  const first = data.indexOf(true);
  let current = headerAbove(grid, 0, first);
  if (current === undefined) return [];
  const sections: Section[] = [];
  for (let at = first; at < grid.rows.length; at++) {
    if (data[at] === true || !looksLikeHeader(grid.rows[at] ?? [], at)) continue;
    // A header repeated inside the table: it extends to the next row of amounts.
    let start = at;
    while (start > current.from && data[start - 1] !== true && belongsToHeader(grid, start - 1, current))
      start--;
    while (at + 1 < grid.rows.length && data[at + 1] !== true) at++;
    const again = headerAbove(grid, start, Math.min(at + 1, start + MAX_HEADER_ROWS));
    if (again?.columns.some((column) => column.meaning === "total_compensation") !== true) continue;
    const endedBy =
      othersHeader(current, again) ?? introduction(grid, data.lastIndexOf(true, start) + 1, start);
    if (endedBy !== undefined) return endedByOthers(grid, [...sections, { ...current, to: start, endedBy }]);
    sections.push({ ...current, to: start });
    current = again;
  }
  return endedByOthers(grid, [...sections, current]);
}

/** Reads a table that contains only column headers. */
export function readHeader(grid: Grid): Section | undefined {
  return headerAbove(grid, 0, grid.rows.length);
}

/** Further columns of a header: the total, or fees instead of salaries. */
const PAID: ReadonlySet<Meaning> = new Set<Meaning>(["total_compensation", "fees"]);

function looksLikeHeader(row: readonly Cell[], at: number): boolean {
  const words = row.filter((cell) => cell.row === at && letters(cell.text) !== "");
  if (words.length < 3) return false;
  const known = words.map((cell) => meaningOf([cell.text]));
  return known.filter((meaning) => PARTS.has(meaning) || PAID.has(meaning)).length >= 2;
}

function belongsToHeader(grid: Grid, at: number, header: Section): boolean {
  const row = grid.rows[at] ?? [];
  const text = rowText(row);
  if (isPageLine(wordsOf(ownCells(row, at)))) return true;
  return text === "" || header.headerRows.some((row) => rowText(grid.rows[row] ?? []) === text);
}

/** The letters of a row's cells, for comparing rows of column headers. */
export function rowText(row: readonly Cell[]): string {
  return row.map((cell) => letters(cell.text)).join("");
}

/** The words in headers of the name column. */
const NAME_HEADER =
  /^(?:name|names|and|of|the|principal|positions?|title|titles|executive|executives|officers?|named|neo|neos|individual|s|during|fiscal|year|years|capacity|in|which|served|or|current|with|company|&)+$/;

/** Builds the columns of the header between row `start` and the first row of amounts at `end`; the section covers all rows below. */
function headerAbove(grid: Grid, start: number, end: number): Section | undefined {
  const cells: Cell[] = [];
  const titles: string[] = [];
  const rowsWithCells: number[] = [];
  let below = end;
  const lastFull = lastHeaderRow(grid, start, end);
  if (lastFull < 0) return undefined;
  for (let at = Math.max(start, end - MAX_HEADER_ROWS); at < end; at++) {
    const own = ownCells(grid.rows[at], at);
    // The first person's name and title may be between the column headers and the first amounts.
    if (at > lastFull && own.some(({ text }) => letters(text) !== "" && !isHeaderLabel(text))) {
      below = at;
      break;
    }
    const only = own[0];
    if (only === undefined) continue;
    if (own.length === 1 && isTitle(only, grid, at < lastFull)) {
      titles.push(only.text);
      continue;
    }
    const spelled = own.filter(
      (cell) => !/^\(?\s*[a-z]\s*\)?$/i.test(cell.text) && !isWholeWidth(cell, grid),
    );
    if (spelled.length === 0) continue;
    rowsWithCells.push(at);
    cells.push(...spelled);
  }
  const columns = readColumns(cells, grid.kind === "text" ? 1 : 0);
  if (columns.length < 3) return undefined;
  return { headerRows: rowsWithCells, columns, titles, from: below, to: grid.rows.length };
}

/** Whether text between the column headers and the first amounts is also a header, not a name or title. */
function isHeaderLabel(text: string): boolean {
  const isColumn = text.length < 60 && meaningOf([text]) !== "unknown" && !hasTitleWord(text);
  return isColumn || NAME_HEADER.test(letters(text));
}

/** The last row above the amounts with several column headers. */
function lastHeaderRow(grid: Grid, start: number, end: number): number {
  for (let at = end - 1; at >= start; at--) {
    const own = ownCells(grid.rows[at], at);
    // A name with an amount of its own, above the row of its year, is not a column header.
    const paid = own.some((cell) => /^\$?\s?\d{1,3}(?:,\d{3})+$/.test(cell.text));
    // Nor is a name with a year and no amounts.
    const dated =
      own.some((cell) => nameLikeness(cell.lines[0]?.text ?? "") === 2) && yearCells(own).length > 0;
    if (paid || dated) continue;
    if (own.length >= 3 && own.some((cell) => letters(cell.text) !== "" || /[$#]/.test(cell.text))) return at;
  }
  return -1;
}

function isTitle(cell: Cell, grid: Grid, above: boolean): boolean {
  if (isWholeWidth(cell, grid) || HEADINGS.has(cell.text, "title_row")) return true;
  const named = cell.text.length > 60 || HEADINGS.has(cell.text, "other_people", "others_only", "other_view");
  return above && named && meaningOf([cell.text]) === "unknown";
}
