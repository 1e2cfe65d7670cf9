/** Assigns the amounts of a row to columns. */
import { elementAt } from "../../../lib/checked-access.ts";
import { type AmountReading, isCurrencySign, isMoneyLike, readMoney } from "../../values/amounts.ts";
import type { YearLabel } from "../../values/years.ts";
import { isFootnoteMarker } from "../../values/footnote-markers.ts";
import { type Cell, type Grid, overlap } from "../grid/grid.ts";
import { type Section, type TableColumn } from "../header/header.ts";

/** The cells of one row under one column header. */
export interface Slot {
  readonly column: TableColumn;
  readonly cells: readonly Cell[];
  /** Text of each cell, or of one line if years are stacked. */
  readonly texts: readonly string[];
  /** The cell is not under a column header; the column was inferred from its neighbours. */
  readonly byPosition: boolean;
  /** A cell is under two column headers, or its lines do not match the years. */
  readonly ambiguous: boolean;
  /** Readings of the texts, the most direct first; empty if they contain something other than an amount. */
  readonly readings: readonly AmountReading[];
}

/** A year with its amounts, not yet assigned to a person. */
export interface YearRow {
  readonly table: number;
  readonly row: number;
  readonly year: YearLabel;
  readonly section: Section;
  readonly slots: readonly Slot[];
  /** Amounts that are not under any column header. */
  readonly unassigned: readonly Cell[];
}

/** The columns above a cell. */
export function under(cell: Cell, columns: readonly TableColumn[]): TableColumn[] {
  return columns.filter((column) => overlap(cell, column) > 0);
}

/** Whether a cell is under any of these columns. */
export function isUnder(cell: Cell, columns: readonly TableColumn[]): boolean {
  return under(cell, columns).length > 0;
}

/** Learns from amounts directly under a header which grid column belongs to which table column. */
export function learnOffsets(rows: Rows, { columns }: Section): ColumnByPlace {
  const places = new Map<number, Set<TableColumn>>();
  for (const row of rows)
    for (const { cell, spanned, signColumn } of cellsWithColumns(row, columns)) {
      const [column = signColumn, ...more] = spanned;
      if (column !== undefined && more.length === 0 && isAmount(cell))
        places.getOrInsert(cell.x0, new Set()).add(column);
    }
  const certain = [...places].filter(([, found]) => found.size === 1);
  return new Map(certain.flatMap(([x, found]) => [...found].map((column) => [x, column] as const)));
}

/** The cells of a row with the columns above each, and that of a currency sign right before it. */
function* cellsWithColumns(row: readonly Cell[], columns: readonly TableColumn[]) {
  let signColumn: TableColumn | undefined;
  for (const cell of row.filter(({ text }) => text !== "")) {
    const spanned = under(cell, columns);
    yield { cell, spanned, signColumn };
    signColumn = spanned.length === 1 && isCurrencySign(cell.text) ? spanned[0] : undefined;
  }
}

/**
 * Learns at which character each column's amounts end in fixed-width text; undefined unless there are as many ends as columns.
 * Amounts are aligned to the right there, and their headers are more often next to them than above them.
 */
function learnEdges(rows: Rows, section: Section): ColumnByPlace | undefined {
  const columns = amountColumns(section.columns);
  const [first] = columns;
  if (first === undefined) return undefined;
  const left = first.x0;
  const amounts = rows.flat().filter((cell) => cell.x1 > left && isLarge(cell));
  const sorted = [...new Set(amounts.map(endOf))].sort((a, b) => a - b);
  if (sorted.length !== columns.length) return undefined;
  return new Map(columns.map((column, at) => [elementAt(sorted, at), column]));
}

/**
 * The columns with amounts in two places under one header: two columns share the header. In a grid one row must have both, because
 * an amount may be in the cell of its currency sign.
 */
function crowdedColumns(rows: Rows, section: Section, kind: Grid["kind"]): Set<TableColumn> {
  const columns = amountColumns(section.columns);
  const endAt = (cell: Cell): number => (kind === "text" ? endOf(cell) : cell.x1);
  const below = Map.groupBy(rows.flat().filter(isLarge), (cell) => widest(cell, under(cell, columns), kind));
  return new Set(
    columns.filter((column) => {
      const cells = below.get(column) ?? [];
      const [start, end] = [Math.max(...cells.map(({ x0 }) => x0)), Math.min(...cells.map(endAt))];
      const left = cells.filter((cell) => endAt(cell) <= start);
      const right = cells.filter(({ x0 }) => x0 >= end);
      const both = left.some((one) => right.some((other) => one.row === other.row));
      return left.length > 1 && right.length > 1 && (kind === "text" || both);
    }),
  );
}

/** Whether a cell has an amount of three digits or more. */
function isLarge({ text }: Cell): boolean {
  return /\d\W?\d\d/.test(text) && isMoneyLike(text);
}

/** Where the digits of a cell of fixed-width text end: a footnote marker is printed behind them. */
function endOf({ x1, raw }: Cell): number {
  return x1 - (/(?<=\d)\s?(?:[,;]?\s?\(\d{1,2}\))+$/.exec(raw)?.[0].length ?? 0);
}

/** The columns other than names, positions and years, from left to right. */
export function amountColumns(columns: readonly TableColumn[]): readonly TableColumn[] {
  return columns.filter(({ meaning }) => meaning !== "name" && meaning !== "position" && meaning !== "year");
}

/** Rows of cells. */
type Rows = readonly (readonly Cell[])[];
/** A table column by grid column, or by the character at which its amounts end. */
type ColumnByPlace = ReadonlyMap<number, TableColumn>;

/** Positions of amounts learned from all rows of a table. */
type Learned = ReturnType<typeof learnColumns>;

/** Learns from the rows below a header that have a year. */
export function learnColumns(rows: Rows, section: Section, kind: Grid["kind"]) {
  const edges = kind === "text" ? learnEdges(rows, section) : undefined;
  const crowded = edges === undefined ? crowdedColumns(rows, section, kind) : new Set<TableColumn>();
  return { offsets: learnOffsets(rows, section), edges, crowded, kind };
}

/** Assigns the cells of a row to columns: by the header above, by position in other rows, or by neighbours. */
export function assignCells(cells: readonly Cell[], section: Section, learned: Learned) {
  const { offsets, edges, crowded, kind } = learned;
  const usable = amountColumns(section.columns);
  const placed: { column: TableColumn; cell: Cell; byPosition: boolean; ambiguous: boolean }[] = [];
  const stray: Cell[] = [];
  for (const { cell, spanned, signColumn } of cellsWithColumns(cells, usable)) {
    const sign = isCurrencySign(cell.text);
    const expected = sign ? undefined : (offsets.get(cell.x0) ?? signColumn);
    const column = spanned.length > 0 ? widest(cell, spanned, kind) : (expected ?? edges?.get(endOf(cell)));
    const ends = edges?.get(endOf(cell)) ?? column;
    const between = kind === "text" && edges === undefined && isBetween(cell, spanned, usable);
    const ambiguous = column === undefined || ends !== column || crowded.has(column) || between;
    const columns = column === undefined ? spanned : [column];
    placed.push(...columns.map((one) => ({ column: one, cell, byPosition: false, ambiguous })));
    if (columns.length === 0 && !sign) stray.push(cell);
  }
  const unassigned = stray.filter((cell) => {
    if (!isAmount(cell)) return false;
    const isFree = (column: TableColumn) =>
      !placed.some((one) => one.column === column && isAmount(one.cell));
    const column = nearest(cell, usable, isFree);
    // In fixed-width text dashes and markers are often beside their header; an amount is where it ends.
    const byPosition = kind === "table" || /\d/.test(cell.text);
    if (column !== undefined) placed.push({ column, cell, byPosition, ambiguous: false });
    return column === undefined;
  });
  const slots = [...Map.groupBy(placed, ({ column }) => column)].map(([column, some]) => {
    const own = some.map(({ cell }) => cell).sort((a, b) => a.x0 - b.x0);
    const byPosition = some.some((one) => one.byPosition);
    const ambiguous = some.some((one) => one.ambiguous);
    return read({ column, cells: own, texts: own.map(({ text }) => text), byPosition, ambiguous });
  });
  return { slots, unassigned };
}

function read(slot: Omit<Slot, "readings">): Slot {
  // What control characters leave of an amount is not what a person sees.
  const isUnclear = slot.ambiguous || slot.cells.some(({ controls }) => controls);
  return { ...slot, readings: isUnclear ? [] : readMoney(slot.texts) };
}

function isAmount({ text }: Cell): boolean {
  return isMoneyLike(text) && !isCurrencySign(text) && !isFootnoteMarker(text);
}

/** The column that covers clearly more of the cell than any other. */
function widest(cell: Cell, spanned: readonly TableColumn[], kind: Grid["kind"]): TableColumn | undefined {
  const share = (column: TableColumn): number => overlap(cell, column);
  const [first, second] = spanned.toSorted((a, b) => share(b) - share(a));
  if (first === undefined || second === undefined) return first;
  if (share(first) > share(second) * (kind === "text" ? 1 : 1.5)) return first;
  if (kind === "table") return undefined;
  const middle = (cell.x0 + cell.x1) / 2;
  const away = (column: TableColumn): number => Math.abs((column.x0 + column.x1) / 2 - middle);
  return spanned.toSorted((a, b) => away(a) - away(b))[0];
}

/** Whether an amount is barely under one header and close to another. */
function isBetween(cell: Cell, spanned: readonly TableColumn[], columns: readonly TableColumn[]): boolean {
  const [only, ...more] = spanned;
  if (only === undefined || more.length > 0 || !/\d\W?\d\d/.test(cell.text)) return false;
  if (overlap(cell, only) > MAX_EDGE) return false;
  return columns.some((column) => column !== only && -overlap(cell, column) <= MAX_GAP);
}

/** Characters of an amount under a header that may be coincidence, and those between it and another header. */
const MAX_EDGE = 2;
const MAX_GAP = 4;

/** The nearer free column of the two next to the cell; undefined if neither is free or both are equally near. */
function nearest(cell: Cell, columns: readonly TableColumn[], free: (column: TableColumn) => boolean) {
  const left = columns.findLast((column) => column.x1 <= cell.x0);
  const right = columns.find((column) => column.x0 >= cell.x1);
  const near = [left, right].filter((column) => column !== undefined).filter(free);
  const [first, second] = near.sort((a, b) => overlap(cell, b) - overlap(cell, a));
  if (first === undefined || second === undefined) return first;
  return overlap(cell, first) === overlap(cell, second) ? undefined : first;
}

/** The part of a slot for one of several stacked years. */
export function slotOfLine(slot: Slot, line: number, count: number): Slot {
  if (count === 1) return slot;
  const parts = slot.cells.map(({ lines, paragraphs = [] }) => {
    const printed = lines.map(({ text }) => text);
    const ofYears = [printed, paragraphs].find(({ length }) => length === count);
    const isSign = (text: string) => isCurrencySign(text) || isFootnoteMarker(text) || /^[\s)]*$/.test(text);
    return ofYears?.[line] ?? (printed.every(isSign) ? "" : undefined);
  });
  const texts = slot.cells.map(({ text }, at) => parts[at] ?? text);
  return read({ ...slot, texts, ambiguous: slot.ambiguous || parts.includes(undefined) });
}
