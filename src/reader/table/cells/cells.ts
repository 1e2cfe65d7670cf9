import { YEAR_AT_END } from "../../lexicon/years.ts";
import { PAGE_ARTIFACTS } from "../../lexicon/page-artifacts.ts";
import { PARTS, rowText, stackedYears, trailingYear, type Column, type Section } from "../header/header.ts";
import { ownCells, textCell, type Cell, type Grid } from "../grid/grid.ts";
import { isMoneyLike, isSign } from "../../values/amounts.ts";
import { isNote } from "../../values/footnote-markers.ts";
import { cleanName, hasTitleWord, nameLikeness } from "../../values/names.ts";
import { fill, learnEdges, learnOffsets, lineOf, under, type Slot } from "./slots.ts";
import { splitName } from "../names/split-name.ts";
import { SURNAME_HEADER, type Meaning } from "../../lexicon/column-headers.ts";
import { tidy } from "../../text.ts";
import { readYear, type YearLabel } from "../../values/years.ts";

/** A year with its amounts, before anybody's name is tied to it. */
export interface YearRow {
  readonly table: number;
  readonly row: number;
  readonly year: YearLabel;
  readonly section: Section;
  readonly slots: readonly Slot[];
  /** Amounts that stand under no column header at all. */
  readonly unassigned: readonly Cell[];
}

/** One row below a header: whom it names, and the years whose amounts it prints. */
export interface TableRow {
  readonly table: number;
  readonly row: number;
  /** What stands in the name and position columns, where a cell starts in this row; nothing in a note over several columns. */
  readonly name: readonly Cell[];
  readonly position: readonly Cell[];
  /** What stands in the place of a year beside amounts, and reads as none; empty where nothing stands there. */
  readonly unread: string | undefined;
  readonly years: readonly YearRow[];
}

/** Reads the rows below a header against its columns. */
export function readRows(grid: Grid, section: Section): TableRow[] {
  const placed = grid.rows.map((row, at) =>
    at >= section.from && at < section.to ? alignRow(grid, row, at, section) : [],
  );
  const places = placesOf(section);
  const yearsAt = placed.map((row) => yearCellOf(row, places));
  const dated = placed.filter((_, at) => yearsAt[at] !== undefined);
  const offsets = learnOffsets(dated, section);
  const edges = grid.kind === "text" ? learnEdges(dated, section) : undefined;
  const lastYear = yearsAt.findLastIndex((cell) => cell !== undefined);
  const headers = new Set(section.headerRows.map((row) => rowText(grid.rows[row] ?? [])));
  const rows: TableRow[] = [];
  for (const [at, row] of placed.entries()) {
    if (row.length === 0) continue;
    // In fixed-width text what follows the last amounts after a blank line is the document going on.
    if (grid.kind === "text" && at > lastYear && (placed[at - 1] ?? []).length === 0) break;
    const yearCell = yearsAt[at];
    const money =
      yearCell === undefined ? [] : row.filter((cell) => cell.row === at && isPay(cell, yearCell, section));
    const paid = money.some((cell) => cell.lines.some((line) => isMoneyLike(line.text)));
    // A year at the end of a title (`Chief Financial Officer since July 2024`) is no label of a row without amounts;
    // one on a line of its own is.
    const within = yearCell?.inName === true && !paid && !endsWithYear(yearCell.cell);
    const label = within ? undefined : yearCell;
    const names = namesOf(row, at, label, places);
    if (label !== undefined && !paid && isRemark(names?.name ?? [])) continue;
    // Behind the last year only the rest of a title can follow, and no title follows a note.
    if (names === undefined && at > lastYear) break;
    // A line of the header, printed again on the next page, names nobody.
    if (yearCell === undefined && (headers.has(rowText(grid.rows[at] ?? [])) || isPageArtifact(row, at)))
      continue;
    // A year's cell may span the rows of several people; one that spans the rows of a title has amounts beside its first alone.
    const beside = label?.cell.row === at || (paid && label?.years.length === 1);
    // A year with nothing beside it is a row too: its cells were left blank.
    const years = beside && (paid || money.every((cell) => cell.text === "")) ? label.years : [];
    const unread =
      label === undefined
        ? unreadLabel(row, at, places)
        : years.length === 0 && !label.inName && sumsIn(money, places).length >= 2
          ? label.cell.text.slice(0, 60)
          : undefined;
    const { slots, unassigned } = fill(years.length === 0 ? [] : money, section, {
      offsets,
      edges,
      kind: grid.kind,
    });
    const yearRows = years.map((year, line) => {
      const own = slots.map((slot) => lineOf(slot, line, years.length));
      return { table: grid.table, row: at, year, section, slots: own, unassigned };
    });
    rows.push({ table: grid.table, row: at, name: [], position: [], ...names, unread, years: yearRows });
  }
  return rows;
}

/** The table's heading printed again, a page number, a link back to the contents: what a page break leaves inside a table. */
function isPageArtifact(row: readonly Cell[], at: number): boolean {
  const own = ownCells(row, at);
  if (/^(?:sub)?totals?:?$/i.test(own[0]?.text ?? "")) return true;
  return PAGE_ARTIFACTS.has(tidy(own.map((cell) => cell.text).join(" ")));
}

/**
 * What stands in the place of a year beside at least two amounts, though it reads as none; empty where nothing does. Footnote
 * markers and small numbers beside words are no amounts where nothing stands in the place of a year.
 */
function unreadLabel(row: readonly Cell[], at: number, { years, amounts, left }: Places): string | undefined {
  const own = ownCells(row, at);
  const money = own.filter((cell) => !isSign(cell.text) && /\d/.test(cell.text) && isMoneyLike(cell.text));
  const label = own.find((cell) => under(cell, years).length > 0 && /\d/.test(cell.text));
  if (label !== undefined) {
    // Without the year's cell, the first amount is in its place.
    const beside = money.filter(
      (cell) => cell.x0 >= label.x1 || (cell === label && HUNDREDS.test(cell.text)),
    );
    return beside.length >= 2 ? label.text.slice(0, 60) : undefined;
  }
  return sumsIn(money, { amounts, left }).length >= 2 ? "" : undefined;
}

const HUNDREDS = /\d\W*\d\W*\d/;

/** The cells among those of amounts that hold three figures or more; where one is missing, all stand beside their headers. */
function sumsIn(
  cells: readonly Cell[],
  { amounts, left }: Pick<Places, "amounts" | "left">,
): readonly Cell[] {
  const right = Math.max(...amounts.map(({ x1 }) => x1));
  return cells.filter((cell) => HUNDREDS.test(cell.text) && cell.x0 >= left && cell.x0 < right);
}

/** Whether what stands in the place of a name begins like a note and names nobody: `* Prorated`. */
function isRemark([first, ...more]: readonly Cell[]): boolean {
  return (
    first !== undefined &&
    more.length === 0 &&
    isNote(first.text) &&
    nameLikeness(cleanName(first.text)) === 0
  );
}

interface YearCell {
  cell: Cell;
  years: YearLabel[];
  /** The year stands at the end of the name's cell. */
  inName: boolean;
}

/** Whether the last of a cell's lines is a year and nothing else. */
function endsWithYear(cell: Cell): boolean {
  return cell.lines.length > 1 && readYear(cell.lines.at(-1)?.text ?? "") !== undefined;
}

/** A row without its name cell stands one place too far left: it is moved back under its column headers. */
function alignRow(grid: Grid, row: readonly Cell[], at: number, section: Section): readonly Cell[] {
  if (grid.kind === "text") return row;
  const yearColumn = section.columns.find((column) => column.meaning === "year");
  const own = row.filter((cell) => cell.text !== "" && cell.row === at);
  const first = own[0];
  if (yearColumn === undefined || first === undefined || stackedYears(first).length === 0) return row;
  if (first.x1 > yearColumn.x0 || row.some((cell) => cell.row < at)) return row;
  if (own.slice(1).some((cell) => stackedYears(cell).length > 0 && under(cell, [yearColumn]).length > 0))
    return row;
  const end = row.at(-1)?.x1 ?? 0;
  const offset = grid.width - end;
  if (offset <= 0 || first.x0 + offset >= yearColumn.x1 || first.x1 + offset <= yearColumn.x0) return row;
  return row.map((cell) => ({ ...cell, x0: cell.x0 + offset, x1: cell.x1 + offset }));
}

/** The columns of a section by what they hold. */
interface Places {
  readonly years: readonly Column[];
  readonly names: readonly Column[];
  readonly positions: readonly Column[];
  readonly amounts: readonly Column[];
  /** Columns of something else in front of the names: `Registrant`, `No.` */
  readonly others: readonly Column[];
  /** Where the first amounts begin. */
  readonly left: number;
}

function placesOf({ columns }: Section): Places {
  const of = (...meanings: readonly Meaning[]): Column[] =>
    columns.filter(({ meaning }) => meanings.includes(meaning));
  const amounts = of(...PARTS, "total_compensation");
  const left = Math.min(...amounts.map(({ x0 }) => x0));
  const names = of("name");
  const others = of("unknown").filter(({ x1 }) => names.length > 0 && names.every(({ x0 }) => x1 <= x0));
  return { years: of("year"), names, positions: of("position"), amounts, others, left };
}

/** The cell with the year of a row: under its header, before the amounts, or at the end of the name's cell. */
function yearCellOf(
  row: readonly Cell[],
  { years: columns, names, amounts, left }: Places,
): YearCell | undefined {
  const own = row.filter((cell) => cell.text !== "");
  const before = own.filter((cell) => cell.x0 < left || under(cell, amounts).length === 0);
  for (const cell of [...own.filter((one) => under(one, columns).length > 0), ...before]) {
    const years = stackedYears(cell);
    if (years.length > 0) return { cell, years, inName: false };
  }
  for (const cell of own) {
    // In the years' own column, other words before a year make it another period: `YTD 2024`, `Target 2024`.
    if (
      cell.x0 >= left ||
      (columns.length > 0 && under(cell, columns).length > 0 && under(cell, names).length === 0)
    )
      continue;
    const year = trailingYear(cell);
    if (year !== undefined) return { cell, years: [year], inName: true };
  }
  return undefined;
}

/** Whether a cell of a year's row is neither the year nor in a column of names. */
function isPay(cell: Cell, year: YearCell, section: Section): boolean {
  const spanned = under(cell, section.columns);
  if (cell === year.cell) return false;
  if (spanned.some((column) => column.meaning === "name" || column.meaning === "position"))
    return spanned.some((column) => PARTS.has(column.meaning)) && isMoneyLike(cell.text);
  return spanned.length > 0 || cell.x1 > year.cell.x0;
}

/** The cells of a row that name somebody and those that give a position; undefined for a note. */
function namesOf(
  row: readonly Cell[],
  at: number,
  year: YearCell | undefined,
  { years, names: namesAt, positions, others, amounts: paid }: Places,
): Pick<TableRow, "name" | "position"> | undefined {
  const own = ownCells(row, at);
  const amounts = [...paid, ...years];
  const left = Math.min(...amounts.map((column) => column.x0));
  const name: Cell[] = [];
  const position: Cell[] = [];
  for (const cell of own) {
    if (isSign(cell.text) || (cell === year?.cell && !year.inName)) continue;
    const named = under(cell, namesAt).length > 0;
    if (!named && under(cell, others).length > 0) continue;
    if (namesAt.length > 0 && !named && under(cell, positions).length > 0) position.push(cell);
    else if (
      named ||
      cell.x1 <= left ||
      (cell.x0 < left && under(cell, amounts).length === 0) ||
      // A band over the whole width, where no column header stands over the names.
      (namesAt.length === 0 && own.length === 1 && cell.x0 <= left)
    )
      name.push(cell === year?.cell ? withoutYear(cell) : cell);
  }
  const whole = inOneCell(name, namesAt);
  const named = [...whole, ...position];
  return year === undefined && isNoteRow(own, named) ? undefined : { name: whole, position };
}

/** A name over two cells, `Example | Ann` under `Last Name | First Name`, in one. */
function inOneCell(name: readonly Cell[], columns: readonly Column[]): readonly Cell[] {
  const [left, right, ...more] = name;
  if (left === undefined || right === undefined || more.length > 0) return name;
  const surname = columns.findIndex(({ path }) => SURNAME_HEADER.test(path.at(-1) ?? ""));
  if (surname < 0 || columns.length !== 2) return name;
  const [given, family] = surname === 0 ? [right, left] : [left, right];
  return [textCell(left.row, left.x0, right.x1, `${given.text} ${family.text}`)];
}

/** Whether a row without a year is running text: long, behind a marker, or where nobody's name stands. */
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

/** Whether a cell starts with a name and goes on with a title, however long: no note does. */
function isNameBand(cell: Cell): boolean {
  const split = splitName(cell.lines);
  return (
    cell.text.length < 400 && split !== undefined && split.clear && hasTitleWord(split.title.slice(0, 60))
  );
}

function withoutYear(cell: Cell): Cell {
  const cut = (text: string): string =>
    readYear(text) === undefined ? tidy(text.replace(YEAR_AT_END, "")) : "";
  const lines = cell.lines
    .map((line, index) => (index === cell.lines.length - 1 ? { text: cut(line.text) } : line))
    .filter((line) => line.text !== "");
  return { ...cell, text: cut(cell.text), lines };
}
