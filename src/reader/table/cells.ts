import { YEAR_AT_END } from "../lexicon/years.ts";
import { PAGE_ARTIFACTS } from "../lexicon/page-artifacts.ts";
import { PARTS, rowText, stackedYears, trailingYear, type Column, type Section } from "./header.ts";
import { ownCells, type Cell, type Grid } from "./grid.ts";
import { isFootnoteMarker } from "./footnote-markers.ts";
import { isMoneyLike, isSign } from "./amounts.ts";
import { hasTitleWord } from "./names.ts";
import { splitName } from "./split-name.ts";
import type { CellPosition } from "../problem.ts";
import { tidy } from "../document/text.ts";
import { readYear, type YearLabel } from "./years.ts";

/** The cells of one row under one column header. */
export interface Slot {
  readonly column: Column;
  readonly cells: readonly Cell[];
  /** Text of each cell, or of its line where years are stacked. */
  readonly texts: readonly string[];
  /** No column header stood above: the column was told by its neighbours. */
  readonly byPosition: boolean;
  /** Cells lie under two column headers, or the lines do not match the years. */
  readonly ambiguous: boolean;
}

/** A year with its amounts, before anybody's name is tied to it. */
export interface YearRow {
  readonly row: number;
  /** Which of the stacked years of the row. */
  readonly line: number;
  readonly year: YearLabel;
  readonly section: Section;
  readonly slots: readonly Slot[];
  /** Amounts that stand under no column header at all. */
  readonly unassigned: readonly Cell[];
}

/** What stands in the name and position columns of a row, where a cell starts in it. */
export interface NameText {
  readonly row: number;
  readonly name: readonly Cell[];
  readonly position: readonly Cell[];
  /** The row holds running text over several columns: a note. */
  readonly note: boolean;
  /** What stands in the place of a year beside amounts, and reads as none. */
  readonly unread: string | undefined;
}

/** The rows of one section, read against its columns. */
export interface SectionRows {
  readonly table: number;
  readonly years: readonly YearRow[];
  readonly names: readonly NameText[];
  /** Rows with amounts whose label under the column header of years is none that we read. */
  readonly unread: readonly { readonly row: number; readonly label: string }[];
}

/** Ties the cells below a header to its columns. */
export function readSlots(grid: Grid, section: Section): SectionRows {
  const placed = grid.rows.map((row, at) =>
    at >= section.from && at < section.to ? alignRow(grid, row, at, section) : [],
  );
  const yearsAt = placed.map((row) => yearCellOf(row, section));
  const offsets = learnOffsets(placed, yearsAt, section);
  const lastYear = yearsAt.findLastIndex((cell) => cell !== undefined);
  let ended = false;
  const headers = new Set(section.headerRows.map((row) => rowText(grid.rows[row] ?? [])));
  const years: YearRow[] = [];
  const names: NameText[] = [];
  const unread: { row: number; label: string }[] = [];
  placed.forEach((row, at) => {
    if (row.length === 0) return;
    const yearCell = yearsAt[at];
    // A line of the header, printed again on the next page, names nobody.
    const again =
      yearCell === undefined && (headers.has(rowText(grid.rows[at] ?? [])) || isPageArtifact(row, at));
    // In fixed-width text what follows the last amounts after a blank line is the document going on.
    const behind = grid.kind === "text" && at > lastYear && (placed[at - 1] ?? []).length === 0;
    if (behind) ended = true;
    const money =
      yearCell === undefined
        ? []
        : row.filter(
            (cell) => cell !== yearCell.cell && cell.row === at && !isNameCell(cell, yearCell, section),
          );
    const paid = money.some((cell) => cell.lines.some((line) => isMoneyLike(line.text)));
    // A year at the end of a title (`Chief Financial Officer since July 2024`) is no label of a row without amounts;
    // one on a line of its own is.
    const within = yearCell?.inName === true && !paid && !endsWithYear(yearCell.cell);
    const label = within ? undefined : yearCell;
    const strange = label === undefined ? strangeLabel(row, at, section) : undefined;
    const text = { ...nameTextOf(row, at, label, section), unread: strange };
    // Behind the last year only the rest of a title can follow, and no title follows a note.
    if (text.note && at > lastYear) ended = true;
    if (!again && !ended) names.push(text);
    if (label === undefined) {
      if (strange !== undefined && !ended) unread.push({ row: at, label: strange });
      return;
    }
    if (label.cell.row !== at) return;
    // A year with nothing beside it is a row too: its cells were left blank.
    if (!paid && money.some((cell) => cell.text !== "")) return;
    const { slots, unassigned } = fill(money, section, offsets, grid.kind);
    label.years.forEach((year, line) => {
      years.push({
        row: at,
        line,
        year,
        section,
        slots: slots.map((slot) => lineOf(slot, line, label.years.length)),
        unassigned,
      });
    });
  });
  return { table: grid.table, years, names, unread };
}

/** The table's heading printed again, a page number, a link back to the contents: what a page break leaves inside a table. */
function isPageArtifact(row: readonly Cell[], at: number): boolean {
  const own = ownCells(row, at);
  if (/^(?:sub)?totals?:?$/i.test(own[0]?.text ?? "")) return true;
  return PAGE_ARTIFACTS.has(tidy(own.map((cell) => cell.text).join(" ")));
}

/** What stands under the column header of years beside at least two amounts, though it reads as no year. */
function strangeLabel(row: readonly Cell[], at: number, section: Section): string | undefined {
  const own = ownCells(row, at);
  const yearColumns = section.columns.filter((column) => column.meaning === "year");
  const label = own.find((cell) => under(cell, yearColumns).length > 0 && /\d/.test(cell.text));
  if (label === undefined) return undefined;
  const money = own.filter(
    (cell) => cell.x0 >= label.x1 && !isSign(cell.text) && /\d/.test(cell.text) && isMoneyLike(cell.text),
  );
  return money.length >= 2 ? label.text.slice(0, 60) : undefined;
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

function under(cell: Cell, columns: readonly Column[]): Column[] {
  return columns.filter((column) => Math.min(cell.x1, column.x1) > Math.max(cell.x0, column.x0));
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

function yearCellOf(row: readonly Cell[], section: Section): YearCell | undefined {
  const yearColumns = section.columns.filter((column) => column.meaning === "year");
  const own = row.filter((cell) => cell.text !== "");
  for (const cell of own) {
    if (under(cell, yearColumns).length === 0) continue;
    const years = stackedYears(cell);
    if (years.length > 0) return { cell, years, inName: false };
  }
  const amounts = section.columns.filter(
    (column) => PARTS.has(column.meaning) || column.meaning === "total_compensation",
  );
  const left = Math.min(...amounts.map((column) => column.x0));
  for (const cell of own) {
    if (under(cell, amounts).length > 0 && cell.x0 >= left) continue;
    const years = stackedYears(cell);
    if (years.length > 0) return { cell, years, inName: false };
  }
  for (const cell of own) {
    if (cell.x0 >= left) continue;
    const year = trailingYear(cell);
    if (year !== undefined) return { cell, years: [year], inName: true };
  }
  return undefined;
}

function isNameCell(cell: Cell, year: YearCell | undefined, section: Section): boolean {
  const spanned = under(cell, section.columns);
  if (spanned.some((column) => column.meaning === "name" || column.meaning === "position"))
    return !spanned.some((column) => PARTS.has(column.meaning)) || !isMoneyLike(cell.text);
  return spanned.length === 0 && year !== undefined && cell.x1 <= year.cell.x0;
}

function nameTextOf(
  row: readonly Cell[],
  at: number,
  year: YearCell | undefined,
  section: Section,
): Omit<NameText, "unread"> {
  const own = ownCells(row, at);
  const positions = section.columns.filter((column) => column.meaning === "position");
  const namesAt = section.columns.filter((column) => column.meaning === "name");
  const amounts = section.columns.filter(
    (column) =>
      PARTS.has(column.meaning) || column.meaning === "total_compensation" || column.meaning === "year",
  );
  const left = Math.min(...amounts.map((column) => column.x0));
  const name: Cell[] = [];
  const position: Cell[] = [];
  for (const cell of own) {
    if (isSign(cell.text) || (year !== undefined && cell === year.cell && !year.inName)) continue;
    if (namesAt.length > 0 && under(cell, positions).length > 0 && under(cell, namesAt).length === 0)
      position.push(cell);
    else if (
      under(cell, namesAt).length > 0 ||
      cell.x1 <= left ||
      (cell.x0 < left && under(cell, amounts).length === 0) ||
      // A band over the whole width, where no column header stands over the names.
      (namesAt.length === 0 && own.length === 1 && cell.x0 <= left)
    ) {
      name.push(year !== undefined && cell === year.cell ? withoutYear(cell) : cell);
    }
  }
  const words = own.filter(
    (cell) => /[a-z]{3}/i.test(cell.text) && (year === undefined || cell !== year.cell),
  );
  const longest = words.reduce((most, cell) => Math.max(most, isNameBand(cell) ? 0 : cell.text.length), 0);
  const marked =
    /^[([]?\s*(?:\d{1,2}|[a-z]|[*†‡]+)\s*[)\].]?$/i.test(own[0]?.text ?? "") &&
    own[1] !== undefined &&
    /[a-z]{3}/i.test(own[1].text) &&
    !/^(?:19|20)\d\d$/.test(own[0]?.text ?? "");
  const note =
    year === undefined &&
    (longest > 160 ||
      marked ||
      words.some((cell) => !name.includes(cell) && !position.includes(cell) && cell.text.length > 25) ||
      /^\s*[([]?\s*(?:\d{1,2}|[a-z]|[A-Z](?!\.)|[*†‡])\s*[)\].]\s+\S/.test(own[0]?.text ?? ""));
  return { row: at, name, position, note };
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
    .map((line, index) =>
      index === cell.lines.length - 1
        ? { ...line, text: cut(line.text), parts: [{ text: cut(line.text), bold: line.bold }] }
        : line,
    )
    .filter((line) => line.text !== "");
  return { ...cell, text: cut(cell.text), lines };
}

/** Which grid column holds which column header's amounts, where a column header stands right above. */
function learnOffsets(
  rows: readonly (readonly Cell[])[],
  years: readonly (YearCell | undefined)[],
  section: Section,
): Map<number, Column> {
  const offsets = new Map<number, Column>();
  const ambiguous = new Set<number>();
  rows.forEach((row, at) => {
    if (years[at] === undefined) return;
    let held: Column | undefined;
    for (const cell of row) {
      if (cell.text === "") continue;
      const spanned = under(cell, section.columns);
      if (isSign(cell.text)) {
        held = spanned.length === 1 ? spanned[0] : undefined;
        continue;
      }
      const column = spanned.length === 1 ? spanned[0] : spanned.length === 0 ? held : undefined;
      held = undefined;
      if (column === undefined || !isMoneyLike(cell.text) || isFootnoteMarker(cell.text)) continue;
      const known = offsets.get(cell.x0);
      if (known !== undefined && known !== column) ambiguous.add(cell.x0);
      offsets.set(cell.x0, column);
    }
  });
  for (const x of ambiguous) offsets.delete(x);
  return offsets;
}

interface Filling {
  cells: Cell[];
  byPosition: boolean;
  ambiguous: boolean;
}

function fill(
  cells: readonly Cell[],
  section: Section,
  offsets: ReadonlyMap<number, Column>,
  kind: Grid["kind"],
): { slots: Slot[]; unassigned: Cell[] } {
  const usable = section.columns.filter(
    (column) => column.meaning !== "name" && column.meaning !== "position" && column.meaning !== "year",
  );
  const filled = new Map<Column, Filling>();
  const put = (column: Column, cell: Cell, byPosition: boolean, ambiguous = false): void => {
    const slot = filled.get(column) ?? { cells: [], byPosition: false, ambiguous: false };
    slot.cells.push(cell);
    slot.byPosition ||= byPosition;
    slot.ambiguous ||= ambiguous;
    filled.set(column, slot);
  };
  const stray: Cell[] = [];
  let held: Column | undefined;
  for (const cell of cells) {
    if (cell.text === "") continue;
    const spanned = under(cell, usable);
    const sign = isSign(cell.text);
    const only = spanned[0];
    if (spanned.length === 1 && only !== undefined) put(only, cell, false);
    else if (spanned.length > 1) {
      const best = widest(cell, spanned, kind);
      if (best !== undefined) put(best, cell, false);
      else for (const column of spanned) put(column, cell, false, true);
    } else if (sign) {
      held = undefined;
      continue;
    } else {
      const known = offsets.get(cell.x0) ?? held;
      if (known !== undefined) put(known, cell, false);
      else stray.push(cell);
    }
    held = sign && spanned.length === 1 ? only : undefined;
  }
  const unassigned = stray.filter((cell) => {
    if (!isMoneyLike(cell.text) || isFootnoteMarker(cell.text)) return false;
    const free = nearest(cell, usable, (column) => !holdsAmount(filled.get(column)));
    if (free !== undefined) put(free, cell, kind === "table");
    return free === undefined;
  });
  const slots = [...filled].map(([column, slot]) => {
    const ordered = slot.cells.sort((a, b) => a.x0 - b.x0);
    return {
      column,
      cells: ordered,
      texts: ordered.map((cell) => cell.text),
      byPosition: slot.byPosition,
      ambiguous: slot.ambiguous,
    };
  });
  return { slots, unassigned };
}

function holdsAmount(filling: Filling | undefined): boolean {
  return (
    filling?.cells.some(
      (cell) => isMoneyLike(cell.text) && !isSign(cell.text) && !isFootnoteMarker(cell.text),
    ) ?? false
  );
}

/** The column header that covers clearly more of the cell than any other. */
function widest(cell: Cell, spanned: readonly Column[], kind: Grid["kind"]): Column | undefined {
  const covered = spanned
    .map((column) => ({ column, share: Math.min(cell.x1, column.x1) - Math.max(cell.x0, column.x0) }))
    .sort((a, b) => b.share - a.share);
  const [first, second] = covered;
  if (first === undefined) return undefined;
  if (second === undefined || first.share > second.share * (kind === "text" ? 1 : 1.5)) return first.column;
  if (kind === "table") return undefined;
  const middle = (cell.x0 + cell.x1) / 2;
  const near = [...spanned].sort(
    (a, b) => Math.abs((a.x0 + a.x1) / 2 - middle) - Math.abs((b.x0 + b.x1) / 2 - middle),
  );
  return near[0];
}

/** The free column nearest to the cell among the two beside it; undefined when neither is, or both are as near. */
function nearest(
  cell: Cell,
  columns: readonly Column[],
  free: (column: Column) => boolean,
): Column | undefined {
  const left = columns.filter((column) => column.x1 <= cell.x0).at(-1);
  const right = columns.find((column) => column.x0 >= cell.x1);
  const near = [left, right]
    .filter((column) => column !== undefined && free(column))
    .filter((column) => column !== undefined);
  const gap = (column: Column): number => (column.x1 <= cell.x0 ? cell.x0 - column.x1 : column.x0 - cell.x1);
  const [first, second] = near.sort((a, b) => gap(a) - gap(b));
  if (first === undefined || second === undefined) return first;
  return gap(first) === gap(second) ? undefined : first;
}

/** The part of a slot that belongs to one of several years stacked in the row. */
function lineOf(slot: Slot, line: number, count: number): Slot {
  if (count === 1) return slot;
  let ambiguous = slot.ambiguous;
  const texts = slot.cells.map((cell) => {
    if (cell.lines.length === count) return cell.lines[line]?.text ?? "";
    if (cell.paragraphs?.length === count) return cell.paragraphs[line] ?? "";
    if (
      cell.lines.every((one) => isSign(one.text) || isFootnoteMarker(one.text) || /^[\s)]*$/.test(one.text))
    )
      return "";
    ambiguous = true;
    return cell.text;
  });
  return { ...slot, texts, ambiguous };
}

/** Where the amount of a slot stands. */
export function refsOf(table: number, slot: Slot): CellPosition[] {
  return slot.cells
    .filter((cell) => !isSign(cell.text) || slot.cells.length === 1)
    .map((cell) => ({ table, row: cell.row, column: cell.x0, raw: cell.raw, caption: slot.column.path }));
}
