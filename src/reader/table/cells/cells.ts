import { elementAt } from "../../../lib/checked-access.ts";
import { YEAR_AT_END } from "../../lexicon/years.ts";
import {
  AMOUNTS,
  type TableColumn,
  type Section,
  isDataRow,
  isPageLine,
  rowText,
  stackedYears,
  trailingYear,
} from "../header/header.ts";
import { type Cell, type Grid, ownCells, textCell, wordsOf } from "../grid/grid.ts";
import { hasTitleWord } from "../../values/names.ts";
import { isCurrencySign, isMoneyLike } from "../../values/amounts.ts";
import { isFootnoteMarker, isNote } from "../../values/footnote-markers.ts";
import { readYear } from "../../values/years.ts";
import {
  amountColumns,
  assignCells,
  isUnder,
  learnColumns,
  slotOfLine,
  under,
  type YearRow,
} from "./slots.ts";
import { splitName } from "../names/split-name.ts";
import { SURNAME_HEADER, type Meaning } from "../../lexicon/column-headers.ts";
import { tidy } from "../../clean-text.ts";

/** One row below a header: name, position and years with amounts. */
export interface TableRow {
  readonly table: number;
  readonly row: number;
  /** Cells in the name and position columns that begin in this row; none for a note over several columns. */
  readonly name: readonly Cell[];
  readonly position: readonly Cell[];
  /** Text next to amounts that should be a year but is not; empty if the place is blank. */
  readonly unread: string | undefined;
  readonly years: readonly YearRow[];
}

/** Reads the rows below a header against its columns. */
export function readRows(grid: Grid, section: Section): TableRow[] {
  const { from, to } = section;
  const placed = grid.rows.map((row, at) => (at >= from && at < to ? alignRow(grid, row, at, section) : []));
  const places = columnsByKind(section);
  const yearsAt = placed.map((row) => yearCellOf(row, places));
  const dated = placed.filter((_, at) => yearsAt[at] !== undefined);
  const learned = learnColumns(dated, section, grid.kind);
  const lastYear = yearsAt.findLastIndex((cell) => cell !== undefined);
  const headers = new Set(section.headerRows.map((row) => rowText(elementAt(grid.rows, row))));
  const rows: TableRow[] = [];
  for (const [at, row] of placed.entries()) {
    if (row.length === 0) continue;
    // In fixed-width text, what follows the last amounts after a blank line is not part of the table.
    if (grid.kind === "text" && at > lastYear && (placed[at - 1] ?? []).length === 0) break;
    const yearCell = yearsAt[at];
    const money = row.filter((cell) => cell.row === at && isPay(cell, yearCell, section, places));
    const paid = money.some((cell) => cell.lines.some((line) => isMoneyLike(line.text)));
    // A year at the end of a title (`Chief Financial Officer since July 2024`) is not the label of a row without amounts;
    // one on its own line is.
    const within = yearCell?.inName === true && !paid && yearCell.cell.lines.length === 1;
    const label = within ? undefined : yearCell;
    const names = namesOf(row, at, label, places);
    // `* Prorated`
    if (label !== undefined && !paid && isNote(names?.name[0]?.text ?? "")) continue;
    // After the last year only the rest of a title can follow, and not after a note.
    if (names === undefined && at > lastYear) break;
    // A header line repeated on the next page is not a name, nor is a page's number or a line of sums.
    if (yearCell === undefined) {
      const own = ownCells(row, at);
      const isRepeated = headers.has(rowText(row)) || isPageLine(wordsOf(own));
      if (isRepeated || /^(?:sub)?totals?:?$/i.test(own[0]?.text ?? "")) continue;
    }
    // A year's cell may span the rows of several people; one that spans the rows of a title has amounts next to its first row only.
    // A year with blank cells is also a row.
    const isRow = paid || (label?.cell.row === at && money.every((cell) => cell.text === ""));
    const years = isRow && label !== undefined ? label.years : [];
    const labelled = years.length === 0 && money.filter((cell) => isAmountInPlace(cell, places)).length >= 2;
    const beside = labelled ? label?.cell.text.slice(0, 60) : undefined;
    const unread = label === undefined ? unreadLabel(row, at, places) : beside;
    const { slots, unassigned } = assignCells(years.length === 0 ? [] : money, section, learned);
    const yearRows = years.map((year, line) => {
      const own = slots.map((slot) => slotOfLine(slot, line, years.length));
      return { table: grid.table, row: at, year, section, slots: own, unassigned };
    });
    rows.push({ table: grid.table, row: at, name: [], position: [], ...names, unread, years: yearRows });
  }
  return rows;
}

/**
 * Text next to at least two amounts that should be a year but is not; empty if the place is blank. In that case footnote
 * markers and small numbers do not count as amounts.
 */
function unreadLabel(row: readonly Cell[], at: number, places: ColumnsByKind): string | undefined {
  const own = ownCells(row, at);
  const money = own.filter(({ text }) => /\d/.test(text) && isMoneyLike(text));
  const label = own.find((cell) => isUnder(cell, places.years) && /\d/.test(cell.text));
  const beside = money.filter((cell) => {
    if (label === undefined) return isAmountInPlace(cell, places);
    // Without the year's cell, the first amount is in its place.
    return cell === label ? HUNDREDS.test(cell.text) : cell.x0 >= label.x1;
  });
  return beside.length >= 2 ? (label?.text.slice(0, 60) ?? "") : undefined;
}

const HUNDREDS = /\d\W*\d\W*\d/;

/** Whether a cell between the first and last amount column has three digits or more. A missing cell shifts the others off their headers. */
function isAmountInPlace({ text, x0 }: Cell, { left, right }: ColumnsByKind): boolean {
  return HUNDREDS.test(text) && x0 >= left && x0 < right;
}

/** Moves a row without its name cell, which is shifted to the left, back under its column headers. */
function alignRow(grid: Grid, row: readonly Cell[], at: number, section: Section): readonly Cell[] {
  if (grid.kind === "text") return row;
  const yearColumn = section.columns.find((column) => column.meaning === "year");
  const own = ownCells(row, at);
  const first = own[0];
  if (yearColumn === undefined || first === undefined || stackedYears(first).length === 0) return row;
  if (first.x1 > yearColumn.x0 || row.some((cell) => cell.row < at)) return row;
  if (own.slice(1).some((cell) => stackedYears(cell).length > 0 && isUnder(cell, [yearColumn]))) return row;
  const end = elementAt(row, row.length - 1).x1;
  const offset = grid.width - end;
  if (offset <= 0 || first.x0 + offset >= yearColumn.x1 || first.x1 + offset <= yearColumn.x0) return row;
  return row.map((cell) => ({ ...cell, x0: cell.x0 + offset, x1: cell.x1 + offset }));
}

/** The columns of a section by content. */
type ColumnsByKind = ReturnType<typeof columnsByKind>;

function columnsByKind({ columns }: Section) {
  const of = (wanted: Meaning): TableColumn[] => columns.filter(({ meaning }) => meaning === wanted);
  const amounts = columns.filter(({ meaning }) => AMOUNTS.has(meaning));
  // The edges of the amount columns.
  const left = Math.min(...amounts.map(({ x0 }) => x0));
  const right = Math.max(...amounts.map(({ x1 }) => x1));
  const names = of("name");
  /** Other columns to the left of the names: `Registrant`, `No.` */
  const others = of("unknown").filter(({ x1 }) => names.length > 0 && names.every(({ x0 }) => x1 <= x0));
  return { years: of("year"), names, positions: of("position"), amounts, others, left, right };
}

type YearCell = NonNullable<ReturnType<typeof yearCellOf>>;

/** The cell with a row's year: under the year header, before the amounts, or at the end of the name's cell (`inName`). */
function yearCellOf(row: readonly Cell[], { years: columns, amounts, left }: ColumnsByKind) {
  const own = row.filter((cell) => cell.text !== "");
  const before = own.filter((cell) => cell.x0 < left || !isUnder(cell, amounts));
  for (const cell of [...own.filter((one) => isUnder(one, columns)), ...before]) {
    const years = stackedYears(cell);
    if (years.length > 0) return { cell, years, inName: false };
  }
  for (const cell of own) {
    // In the years' own column, other words before a year make it another period: `YTD 2024`, `Target 2024`.
    if (cell.x0 >= left || isUnder(cell, columns)) continue;
    const year = trailingYear(cell);
    if (year !== undefined) return { cell, years: [year], inName: true };
  }
  return undefined;
}

/** Whether a cell in a year's row is neither the year nor in a name or position column. */
function isPay(cell: Cell, year: YearCell | undefined, section: Section, { left }: ColumnsByKind): boolean {
  if (year === undefined || cell === year.cell) return false;
  const spanned = under(cell, section.columns);
  if (spanned.length > 0) return spanned.every(({ meaning }) => meaning !== "name" && meaning !== "position");
  // The year may be in the last column, and an amount in front of it beside its header.
  return cell.x1 > Math.min(year.cell.x0, left);
}

/** The name and position cells of a row; undefined for a note. */
function namesOf(
  row: readonly Cell[],
  at: number,
  year: YearCell | undefined,
  { years, names: namesAt, positions, others, amounts: paid }: ColumnsByKind,
) {
  const own = ownCells(row, at);
  const amounts = [...paid, ...years];
  const left = Math.min(...amounts.map(({ x0 }) => x0));
  const name: Cell[] = [];
  const position: Cell[] = [];
  for (const cell of own) {
    if (isCurrencySign(cell.text) || (cell === year?.cell && !year.inName)) continue;
    const named = isUnder(cell, namesAt);
    if (!named && isUnder(cell, others)) continue;
    if (namesAt.length > 0 && !named && isUnder(cell, positions)) position.push(cell);
    else if (
      named ||
      (cell.x0 < left && !isUnder(cell, amounts)) ||
      // A band over the whole width, in a table without a name header.
      (namesAt.length === 0 && own.length === 1 && cell.x0 <= left)
    )
      name.push(cell === year?.cell ? withoutYear(cell) : cell);
  }
  const whole = inOneCell(name, namesAt);
  const named = [...whole, ...position];
  return year === undefined && isNoteRow(own, named) ? undefined : { name: whole, position };
}

/** Joins a name in two cells, `Example | Ann` under `Last Name | First Name`. */
function inOneCell(name: readonly Cell[], columns: readonly TableColumn[]): readonly Cell[] {
  const [left, right, ...more] = name;
  const surname = columns.findIndex(({ path }) => SURNAME_HEADER.test(path.at(-1) ?? ""));
  if (left === undefined || right === undefined || more.length > 0 || surname < 0) return name;
  const [given, family] = surname === 0 ? [right, left] : [left, right];
  return [textCell(left.row, left.x0, right.x1, `${given.text} ${family.text}`)];
}

/** Whether a row without a year is running text: long, after a marker, or outside the name column. */
function isNoteRow(own: readonly Cell[], named: readonly Cell[]): boolean {
  const words = own.filter((cell) => /[a-z]{3}/i.test(cell.text));
  const first = own[0]?.text ?? "";
  return (
    words.some((cell) => cell.text.length > 160 && !isNameBand(cell)) ||
    words.some((cell) => cell.text.length > 25 && !named.includes(cell)) ||
    (/^[([]?\s*(?:\d{1,2}|[a-z]|[*†‡]+)\s*[)\].]?$/i.test(first) && /[a-z]{3}/i.test(own[1]?.text ?? "")) ||
    /^\s*[([]?\s*(?:\d{1,2}|[a-z]|[A-Z](?!\.)|[*†‡])\s*[)\].]\s+\S/.test(first)
  );
}

/** Whether a long cell is a name and title, not a note. */
function isNameBand({ text, lines }: Cell): boolean {
  const split = text.length < 400 ? splitName(lines) : undefined;
  return split?.clear === true && hasTitleWord(split.title.slice(0, 60));
}

function withoutYear(cell: Cell): Cell {
  const cut = (text: string): string =>
    readYear(text) === undefined ? tidy(text.replace(YEAR_AT_END, "")) : "";
  const last = { text: cut(cell.lines.at(-1)?.text ?? "") };
  const lines = [...cell.lines.slice(0, -1), last].filter(({ text }) => text !== "");
  return { ...cell, text: cut(cell.text), lines };
}

/** Moves the cells of each row under the columns in order; undefined if a row's amounts do not match the columns in number. */
export function realign(grid: Grid, columns: readonly TableColumn[]): Grid | undefined {
  const year = columns.find((column) => column.meaning === "year");
  const name = columns.find((column) => column.meaning === "name");
  const amounts = amountColumns(columns);
  if (year === undefined || name === undefined || amounts.length < 3) return undefined;
  // A cell that spans rows must remain one object.
  const places = new Map<Cell, Cell>();
  const put = (cell: Cell, { x0, x1 }: TableColumn): Cell => places.getOrInsert(cell, { ...cell, x0, x1 });
  const rows = grid.rows.map((row, at) => {
    const own = row.filter((cell) => cell.text !== "");
    const yearCell = own.find((cell) => stackedYears(cell).length > 0) ?? own.find(trailingYear);
    if (yearCell === undefined || !isDataRow(row, at))
      return own.filter((cell) => cell.x0 <= elementAt(own, 0).x0).map((cell) => put(cell, name));
    const money = own.filter(
      ({ x0, text }) =>
        x0 >= yearCell.x1 &&
        !isCurrencySign(text) &&
        text !== ")" &&
        (!isFootnoteMarker(text) || /^\d+$/.test(text)) &&
        isMoneyLike(text),
    );
    if (money.length !== amounts.length) return undefined;
    const names = own.filter((cell) => cell.x1 <= yearCell.x0).map((cell) => put(cell, name));
    return [...names, put(yearCell, year), ...money.map((cell, index) => put(cell, amounts[index] ?? year))];
  });
  const width = Math.max(...columns.map(({ x1 }) => x1));
  return rows.every((row) => row !== undefined) ? { ...grid, rows, width } : undefined;
}
