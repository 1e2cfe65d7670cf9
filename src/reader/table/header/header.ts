/** The columns of a table, from its header cells, and the rows below each header. */
import { elementAt } from "../../../lib/checked-access.ts";
import { PRINTED_COMPONENTS } from "../../../domain/row-fields.ts";
import { BRACKETED_UNIT } from "../../lexicon/amounts.ts";
import {
  COLUMN_HEADERS,
  FOREIGN_HEADERS,
  GROUP_HEADERS,
  type Meaning,
} from "../../lexicon/column-headers.ts";
import { HEADINGS, PAGE_ARTIFACTS, ROW_LABELS } from "../../lexicon/headings.ts";
import { YEAR_AT_END } from "../../lexicon/years.ts";
import { letters, tidy } from "../../clean-text.ts";
import { type YearLabel, readYear } from "../../values/years.ts";
import { hasOfficerTitle, hasTitleWord, nameLikeness } from "../../values/names.ts";
import { isMoneyLike } from "../../values/amounts.ts";
import { isNote, stripFootnoteMarkers } from "../../values/footnote-markers.ts";
import { type Cell, type Grid, type Range, isWholeWidth, overlap, ownCells, wordsOf } from "../grid/grid.ts";
import { splitName } from "../names/split-name.ts";

/** A column of the table, as defined by its headers. */
export interface TableColumn extends Range {
  /** Headers from the outermost group to the column's own. */
  readonly path: readonly string[];
  readonly meaning: Meaning;
  /** Its header touches another one. */
  readonly touching: boolean;
}

/** A header with the rows that it governs. */
export interface Section {
  readonly headerRows: readonly number[];
  readonly columns: readonly TableColumn[];
  /** Text over the whole width: titles, units, notes. */
  readonly titles: readonly string[];
  /** First row below the header and one past the last. */
  readonly from: number;
  readonly to: number;
  /** The heading inside the table at which it ends, because other people's rows follow. */
  readonly endedBy?: string;
}

/** Columns that add up to the total. */
export const PARTS: ReadonlySet<Meaning> = new Set(PRINTED_COMPONENTS);
/** The same and the total. */
export const AMOUNTS: ReadonlySet<Meaning> = new Set<Meaning>([...PARTS, "total_compensation"]);

/** A column while its cells are stacked. */
type ColumnDraft = { x0: number; x1: number; own: Cell[]; groups: Cell[] };

/** Stacks header cells into columns, from the lowest row up; a cell above several columns is their group. */
function stackColumns(cells: readonly Cell[], slack: number): TableColumn[] {
  const built: ColumnDraft[] = [];
  for (const cell of cells.toSorted((a, b) => b.rowEnd - a.rowEnd || a.x0 - b.x0)) {
    const under = built.filter((one) => overlap(one, cell) > 0);
    const only = under[0];
    if (only === undefined) built.push({ x0: cell.x0, x1: cell.x1, own: [cell], groups: [] });
    else if (under.length === 1) {
      only.own.unshift(cell);
      // Wide headers in preformatted text may overlap their neighbours; those of a grid do not.
      const x0 = Math.min(only.x0, cell.x0);
      const x1 = Math.max(only.x1, cell.x1);
      only.x0 = Math.max(x0, ...built.filter((one) => one.x1 <= only.x0).map((one) => one.x1 + slack));
      only.x1 = Math.min(x1, ...built.filter((one) => one.x0 >= only.x1).map((one) => one.x0 - slack));
    } else for (const one of under) one.groups.unshift(cell);
  }
  shareGroups(built);
  const isSpelled = (cell: Cell) => hasWords(cell) || cell.text.includes("#");
  const columns = built
    .filter(({ own, groups }) => groups.length > 0 || own.some(isSpelled))
    .map(({ x0, x1, own, groups }) => {
      const path = [...groups.map(({ text }) => text), own.map(({ text }) => text).join(" ")];
      return { x0, x1, path, meaning: meaningOf(path), touching: own.some((cell) => cell.touching) };
    })
    .sort((a, b) => a.x0 - b.x0);
  const basePay = columns.some(({ meaning }) => meaning === "salary") ? "unknown" : "salary";
  // Fees are a director's: never a salary, and part of no other component.
  const instead: Readonly<Partial<Record<Meaning, Meaning>>> = { base_pay: basePay, fees: "unknown" };
  return columns.map((column) => ({ ...column, meaning: instead[column.meaning] ?? column.meaning }));
}

function hasWords({ text }: Cell): boolean {
  return letters(headerWords(text)) !== "";
}

/** `Stock awards` above `#` with `$` next to it: the filer lost the column span, and the words belong to both. */
function shareGroups(built: readonly ColumnDraft[]): void {
  const sorted = built.toSorted((a, b) => a.x0 - b.x0);
  for (const [at, { own, groups }] of sorted.entries()) {
    const left = sorted[at - 1]?.own ?? [];
    const isNumber = left.some(({ text }) => /^\(?\s*#\s*\)?$/.test(text));
    const isValue = groups.length === 0 && own.every(({ text }) => /^\(?\s*\$\s*\)?$/.test(text));
    if (isNumber && isValue) groups.push(...left.filter(hasWords));
  }
}

/** A header without footnote markers and units. */
function headerWords(text: string): string {
  const unmarked = stripFootnoteMarkers(text.replace(BRACKETED_UNIT, " "));
  return tidy(unmarked.replace(/(?<=[a-z)])\s?\d{1,2}(?:\s*,\s*\d{1,2})*$/i, ""));
}

/** The meaning that group headers give to the columns below them, the nearest first. */
function groupMeaning(groups: readonly string[]): Meaning | undefined {
  const meanings = groups.map((group) => GROUP_HEADERS.find(letters(headerWords(group)))?.means);
  return meanings.findLast((meaning) => meaning !== undefined);
}

const ALWAYS: readonly Meaning[] = ["count", "name", "year", "salary"];

/** Meanings of a column's own header that override its group: `Options` under `Stock Awards` are not stock. */
const STAYS: Readonly<Partial<Record<Meaning, ReadonlySet<Meaning>>>> = {
  stock_awards: new Set([...ALWAYS, "option_awards"]),
  option_awards: new Set([...ALWAYS, "stock_awards"]),
  non_equity_incentive: new Set([...ALWAYS, "stock_awards", "option_awards"]),
  other_comp: new Set(ALWAYS),
  pension_change: new Set([...ALWAYS, "bonus", "stock_awards", "option_awards", "non_equity_incentive"]),
};

/** The meaning of a column, from its headers: outermost first, its own last. */
export function meaningOf(path: readonly string[]): Meaning {
  const own = path.at(-1) ?? "";
  const groups = path.slice(0, -1);
  const leaf = classify(own);
  const group = groupMeaning(groups);
  // Either a bonus in stock or a cash bonus.
  if (leaf === "bonus" && (group === "stock_awards" || group === "option_awards")) return "unknown";
  const stays = ![undefined, group].includes(groupMeaning([own]));
  if (group !== undefined && STAYS[group]?.has(leaf) !== true && !stays) return group;
  if (leaf !== "unknown") return leaf;
  return groups.length === 0 ? "unknown" : classify([...groups, own].join(" "));
}

/** The sign between two kinds of award in one column: "Stock/Option Awards" is both, "Stock Option Awards" is one. */
const STOCK_AND_OPTIONS =
  /(?<=\b(?:stock|shares?|equity|units?|awards?))\s*[/&+]\s*(?=(?:stock\s+)?options?\b)|(?<=\boptions?(?:\s+awards?)?)\s*[/&+]\s*(?=(?:restricted\s+)?(?:stock|shares?|units?)\b)/gi;

/** The meaning of a header in the form of `COLUMN_HEADERS`: lower-case letters, `#` and `%`, without currency and footnote markers. */
function classify(header: string): Meaning {
  const key = headerWords(header)
    .replace(/\bUS\b|\bU\.S\.|\bUSD\b|\bin (?:us )?dollars\b|\bin thousands\b/gi, "")
    .replace(STOCK_AND_OPTIONS, " and ")
    .toLowerCase()
    .replace(/[^a-z#%]+/g, "");
  return COLUMN_HEADERS.find(key)?.means ?? "unknown";
}

/** Counts headers of the table before December 2006: those unique to it, and all. */
export function oldHeaders(headers: readonly string[]): { only: number; all: number } {
  const words = headers.map((header) => letters(headerWords(header)));
  const found = new Set(words.flatMap((one) => FOREIGN_HEADERS.find(one, "old", "old_and_new") ?? []));
  return { only: [...found].filter(({ means }) => means === "old").length, all: found.size };
}

const MAX_HEADER_ROWS = 40;
/** Splits the grid into headers and the rows below each. Empty if no header is found. */
export function readSections(grid: Grid): Section[] {
  const data = grid.rows.map((row, at) => isDataRow(row, at));
  const first = data.indexOf(true);
  let current = headerAbove(grid, 0, first);
  if (current === undefined) return [];
  const sections: Section[] = [];
  for (let at = first; at < grid.rows.length; at++) {
    if (data[at] === true || !looksLikeHeader(elementAt(grid.rows, at), at)) continue;
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

function looksLikeHeader(row: readonly Cell[], at: number): boolean {
  const words = row.filter((cell) => cell.row === at && letters(cell.text) !== "");
  if (words.length < 3) return false;
  const meanings = words.map((cell) => meaningOf([cell.text]));
  return meanings.filter((meaning) => AMOUNTS.has(meaning) || meaning === "fees").length >= 2;
}

function belongsToHeader(grid: Grid, at: number, header: Section): boolean {
  const row = elementAt(grid.rows, at);
  const text = rowText(row);
  if (text === "" || isPageLine(wordsOf(ownCells(row, at)))) return true;
  return header.headerRows.some((row) => rowText(elementAt(grid.rows, row)) === text);
}

/** The letters of a row's cells, for comparing rows of column headers. */
export function rowText(row: readonly Cell[]): string {
  return row.map((cell) => letters(cell.text)).join("");
}

/** The words in headers of the name column. */
const NAME_HEADER =
  /^(?:name|names|and|of|the|principal|positions?|title|titles|executive|executives|officers?|named|neo|neos|individual|s|during|fiscal|year|years|capacity|in|which|served|or|current|with|company|&)+$/;

/**
 * Builds the columns of the header between row `start` and the first row of amounts at `end`, by default of a table that has only
 * headers; the section covers all rows below.
 */
export function headerAbove(grid: Grid, start = 0, end = grid.rows.length): Section | undefined {
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
    if (own.length === 1 && isTitleRow(only, grid, at < lastFull)) {
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
  const columns = stackColumns(cells, grid.kind === "text" ? 1 : 0);
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

function isTitleRow(cell: Cell, grid: Grid, above: boolean): boolean {
  if (isWholeWidth(cell, grid) || HEADINGS.has(cell.text, "title_row")) return true;
  const named = cell.text.length > 60 || HEADINGS.has(cell.text, "other_people", "others_only", "other_view");
  return above && named && meaningOf([cell.text]) === "unknown";
}

/** Cells with a year, or with years stacked by line breaks. */
function yearCells(row: readonly Cell[]): Cell[] {
  return row.filter((cell) => stackedYears(cell).length > 0);
}

/** The years of a cell: one, or one per line; empty if it contains anything else. */
export function stackedYears(cell: Cell): YearLabel[] {
  if (!/\d\d/.test(cell.text)) return [];
  const whole = readYear(cell.text);
  if (whole !== undefined) return [whole];
  if (cell.lines.length < 2) return [];
  const years = cell.lines.map((line) => readYear(line.text));
  return years.every((year) => year !== undefined) ? years : [];
}

/** The year at the end of a cell that begins with something else, such as a name. */
export function trailingYear(cell: Cell): YearLabel | undefined {
  // Only the end is searched: a cell may contain a page of text.
  return readYear(YEAR_AT_END.exec(cell.text.slice(-40))?.[1] ?? "");
}

/** Whether the cell contains an amount, or one per line if years are stacked. */
function holdsMoney({ text, lines }: Cell): boolean {
  return isMoneyLike(text) || (lines.length > 1 && lines.every((line) => isMoneyLike(line.text)));
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
  const before = row.filter((cell) => money.every((one) => one.x0 >= cell.x1));
  return money.length >= 2 && before.some((cell) => trailingYear(cell) !== undefined);
}

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

/** Whether a table has a column of salaries. */
export function paysSalary(columns: readonly TableColumn[]): boolean {
  return columns.some(({ meaning }) => meaning === "salary");
}

/** The text of a repeated header that shows that other people follow: a column that names them, or columns without a salary. */
function othersHeader({ columns }: Section, again: Section): string | undefined {
  const headers = new Set(columns.flatMap(({ path }) => path));
  const added = again.columns.flatMap(({ path }) => path).filter((text) => !headers.has(text));
  const named = added.find((text) => HEADINGS.has(text, "other_people", "others_only"));
  if (named !== undefined || !paysSalary(columns) || paysSalary(again.columns)) return named;
  return again.columns
    .map(({ path }) => path.at(-1))
    .join(", ")
    .slice(0, 80);
}

/** The line between the last amounts and a repeated header that names other people or introduces another table. */
function introduction(grid: Grid, from: number, to: number): string | undefined {
  for (let at = from; at < to; at++) {
    const text = wordsOf(ownCells(grid.rows[at], at));
    const named = text.length > MIN_SENTENCE && HEADINGS.has(text, "other_people", "others_only");
    if (!isNote(text) && (named || HEADINGS.has(text, "introduction", "other_view")))
      return text.slice(0, 80);
  }
  return undefined;
}

/** A shorter line may be the end of a title: `and Chairman of the Board`. */
const MIN_SENTENCE = 40;

/** The end of a sentence, not of `Acme Inc.` or `Lakeside Bank, N.A.` */
export const SENTENCE_END = /(?<!\b(?:inc|corp|co|ltd|n\.a|l\.p))[.;]$/i;

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
  if (ROW_LABELS.has(text, "another view") || (ROW_LABELS.has(text, "other people") && !goesOn)) return true;
  const named = HEADINGS.has(text, "other_people", "others_only", "other_view");
  const isCompany = ROW_LABELS.has(text, "company");
  // A company's name ends a title, too: not below a row without words in the column of names.
  if (isCompany && above === undefined && isUnknownBand(grid, cell, sections)) return true;
  if (!isWholeWidth(cell, grid)) return named && /\bcompensation\b(?! committee)/i.test(text);
  return named || isCompany || isUnknownBand(grid, cell, sections);
}

/** Whether text over the whole width is an unknown heading. It is not a name, because the row below has its own. */
function isUnknownBand(grid: Grid, { text, rowEnd }: Cell, sections: readonly Section[]): boolean {
  const filled = (from: number) =>
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
