/** Finds where the rows of other people, or of another view of pay, begin inside a table. */
import { HEADINGS, ROW_LABELS } from "../../lexicon/headings.ts";
import { PAGE_ARTIFACTS } from "../../lexicon/page-artifacts.ts";
import { isNote } from "../../values/footnote-markers.ts";
import { hasOfficerTitle } from "../../values/names.ts";
import { isWholeWidth, ownCells, wordsOf, type Cell, type Grid } from "../grid/grid.ts";
import { splitName } from "../names/split-name.ts";
import { meaningOf } from "./column-headers.ts";
import type { Column, Section } from "./columns.ts";
import { isDataRow, stackedYears } from "./data-rows.ts";

/** A longer cell or block is a sentence, not a heading. */
export const MAX_HEADING = 120;

/** Ends the sections at a heading between rows that names other people or another view of pay, if amounts follow it. */
export function endedByOthers(grid: Grid, sections: readonly Section[]): Section[] {
  const lastData = grid.rows.findLastIndex((row, at) => isDataRow(row, at));
  for (const [at, section] of sections.entries())
    for (let row = section.from; row < Math.min(section.to, lastData); row++) {
      const [only, ...more] = ownCells(grid.rows[row], row);
      if (only === undefined || more.length > 0 || !isOthersHeading(grid, only, sections)) continue;
      return [...sections.slice(0, at), { ...section, to: row, endedBy: only.text.slice(0, 80) }];
    }
  return [...sections];
}

/** The text of a repeated header that shows that other people follow: a column that names them, or columns without a salary. */
export function othersHeader({ columns }: Section, again: Section): string | undefined {
  const known = new Set(columns.flatMap(({ path }) => path));
  const named = again.columns
    .flatMap(({ path }) => path)
    .find((text) => !known.has(text) && HEADINGS.has(text, "other_people", "others_only"));
  const paysSalary = (some: readonly Column[]): boolean =>
    some.some(({ meaning, path }) => meaning === "salary" && meaningOf(path) !== "fees");
  if (named !== undefined || !paysSalary(columns) || paysSalary(again.columns)) return named;
  return again.columns
    .map(({ path }) => path.at(-1))
    .join(", ")
    .slice(0, 80);
}

/** The line between the last amounts and a repeated header that names other people or introduces another table. */
export function introduction(grid: Grid, from: number, to: number): string | undefined {
  let note = false;
  for (let at = from; at < to; at++) {
    const text = wordsOf(ownCells(grid.rows[at], at));
    // In fixed-width text a note continues on the next lines.
    note = isNote(text) || (note && grid.kind === "text" && text !== "");
    const named = text.length > MIN_SENTENCE && HEADINGS.has(text, "other_people", "others_only");
    if (!note && (named || HEADINGS.has(text, "introduction", "other_view"))) return text.slice(0, 80);
  }
  return undefined;
}

/** A shorter line may be the end of a title: `and Chairman of the Board`. */
const MIN_SENTENCE = 40;

/** The end of a sentence, not of `Acme Inc.` or `Lakeside Bank, N.A.` */
const SENTENCE_END = /(?<!\b(?:inc|corp|co|ltd|n\.a|l\.p))[.;]$/i;

/** Whether the only cell of a row is a heading of other people, not part of a title such as `Board of` above `Directors`. */
function isOthersHeading(grid: Grid, cell: Cell, sections: readonly Section[]): boolean {
  const { text } = cell;
  if (text.length > MAX_HEADING || SENTENCE_END.test(text) || isNote(text)) return false;
  if (hasOfficerTitle(text) && !/\b(?:officers|executives|managers|relatives)\b/i.test(text)) return false;
  if (ROW_LABELS.has(text.replace(/:$/, ""), "group")) return false;
  const above = ownCells(grid.rows[cell.row - 1], cell.row - 1).findLast((one) => one.x0 <= cell.x0);
  const ends = above?.text ?? "";
  const isChair = /\bboard\b/i.test(text) && /\b(?:chair\w*|member)$/i.test(ends);
  const goesOn = isChair || /(?:,|&|-|\b(?:and|of|our|the|to))$/i.test(ends);
  if (ROW_LABELS.has(text, "other people") && !goesOn) return true;
  if (ROW_LABELS.has(text, "another view")) return true;
  const named = HEADINGS.has(text, "other_people", "others_only", "other_view");
  const isCompany = ROW_LABELS.has(text, "company");
  // A company's name ends a title, too: not below a row without words in the column of names.
  if (isCompany && above === undefined && isUnknownBand(grid, cell, sections)) return true;
  if (!isWholeWidth(cell, grid)) return named && /\bcompensation\b(?! committee)/i.test(text);
  return named || isCompany || isUnknownBand(grid, cell, sections);
}

/** Whether text over the whole width is an unknown heading. It is not a name, because the row below has its own. */
function isUnknownBand(grid: Grid, { text, rowEnd }: Cell, sections: readonly Section[]): boolean {
  const filled = (from: number): number =>
    grid.rows.findIndex((row, at) => at >= from && ownCells(row, at).length > 0);
  const below = filled(rowEnd);
  const data = grid.rows.findIndex((row, at) => at >= below && isDataRow(row, at));
  const again = sections.find(({ headerRows }) => headerRows.some((at) => at >= below && at < data));
  const next = again === undefined ? below : filled(again.from);
  // The year may be printed before the name.
  const first = ownCells(grid.rows[next], next).find((one) => stackedYears(one).length === 0);
  if (splitName(first?.lines ?? []) === undefined || /\d/.test(text)) return false;
  return !isPageLine(text) && !HEADINGS.has(text, "units", "title_row");
}

/** Whether a line is what a page break leaves inside a table: a running head, or the table's title. */
export function isPageLine(text: string): boolean {
  return PAGE_ARTIFACTS.has(text) || HEADINGS.has(text, "continued", "summary_compensation");
}
