/** Assigns the amounts of a row to columns. */
import type { Meaning } from "../../lexicon/column-headers.ts";
import {
  type AmountReading,
  type YearLabel,
  hundredthsOf,
  isCurrencySign,
  isFootnoteMarker,
  isMoneyLike,
  readMoney,
} from "../../values/values.ts";
import { type Cell, type Grid, overlap } from "../grid/grid.ts";
import { AMOUNTS, type Column, PARTS, type Section, meaningOf } from "../header/header.ts";

/** The cells of one row under one column header. */
export interface Slot {
  readonly column: Column;
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
export function under(cell: Cell, columns: readonly Column[]): Column[] {
  return columns.filter((column) => overlap(cell, column) > 0);
}

/** Whether a cell is under any of these columns. */
export function isUnder(cell: Cell, columns: readonly Column[]): boolean {
  return under(cell, columns).length > 0;
}

/** Learns from amounts directly under a header which grid column belongs to which table column. */
export function learnOffsets(rows: Rows, { columns }: Section): Columns {
  const places = new Map<number, Set<Column>>();
  for (const row of rows)
    for (const { cell, spanned, held } of placesOf(row, columns)) {
      const [column = held, ...more] = spanned;
      if (column !== undefined && more.length === 0 && isAmount(cell))
        places.getOrInsert(cell.x0, new Set()).add(column);
    }
  const certain = [...places].filter(([, found]) => found.size === 1);
  return new Map(certain.flatMap(([x, found]) => [...found].map((column) => [x, column] as const)));
}

/** The cells of a row with the columns above each, and that of a currency sign right before it. */
function* placesOf(row: readonly Cell[], columns: readonly Column[]) {
  let held: Column | undefined;
  for (const cell of row.filter(({ text }) => text !== "")) {
    const spanned = under(cell, columns);
    yield { cell, spanned, held };
    held = spanned.length === 1 && isCurrencySign(cell.text) ? spanned[0] : undefined;
  }
}

/**
 * Learns at which character each column's amounts end in fixed-width text; undefined unless there are as many ends as columns.
 * Amounts are aligned to the right there, and their headers are more often next to them than above them.
 */
function learnEdges(rows: Rows, section: Section): Columns | undefined {
  const columns = amountColumns(section.columns);
  const left = columns[0]?.x0 ?? 0;
  const amounts = rows.flat().filter((cell) => cell.x1 > left && isLarge(cell));
  const sorted = [...new Set(amounts.map(endOf))].sort((a, b) => a - b);
  if (sorted.length !== columns.length) return undefined;
  return new Map(columns.map((column, at) => [sorted[at] ?? 0, column]));
}

/**
 * The columns with amounts in two places under one header: two columns share the header. In a grid one row must have both, because
 * an amount may be in the cell of its currency sign.
 */
function crowdedColumns(rows: Rows, section: Section, kind: Grid["kind"]): Set<Column> {
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
export function amountColumns(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ meaning }) => meaning !== "name" && meaning !== "position" && meaning !== "year");
}

/** Rows of cells. */
type Rows = readonly (readonly Cell[])[];
/** A table column by grid column, or by the character at which its amounts end. */
type Columns = ReadonlyMap<number, Column>;

/** Positions of amounts learned from all rows of a table. */
type Learned = ReturnType<typeof learn>;

/** Learns from the rows below a header that have a year. */
export function learn(rows: Rows, section: Section, kind: Grid["kind"]) {
  const edges = kind === "text" ? learnEdges(rows, section) : undefined;
  const crowded = edges === undefined ? crowdedColumns(rows, section, kind) : new Set<Column>();
  return { offsets: learnOffsets(rows, section), edges, crowded, kind };
}

/** Assigns the cells of a row to columns: by the header above, by position in other rows, or by neighbours. */
export function fill(cells: readonly Cell[], section: Section, learned: Learned) {
  const { offsets, edges, crowded, kind } = learned;
  const usable = amountColumns(section.columns);
  const placed: { column: Column; cell: Cell; byPosition: boolean; ambiguous: boolean }[] = [];
  const stray: Cell[] = [];
  for (const { cell, spanned, held } of placesOf(cells, usable)) {
    const sign = isCurrencySign(cell.text);
    const expected = sign ? undefined : (offsets.get(cell.x0) ?? held);
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
    const isFree = (column: Column) => !placed.some((one) => one.column === column && isAmount(one.cell));
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
function widest(cell: Cell, spanned: readonly Column[], kind: Grid["kind"]): Column | undefined {
  const share = (column: Column): number => overlap(cell, column);
  const [first, second] = spanned.toSorted((a, b) => share(b) - share(a));
  if (first === undefined || second === undefined) return first;
  if (share(first) > share(second) * (kind === "text" ? 1 : 1.5)) return first;
  if (kind === "table") return undefined;
  const middle = (cell.x0 + cell.x1) / 2;
  const away = (column: Column): number => Math.abs((column.x0 + column.x1) / 2 - middle);
  return spanned.toSorted((a, b) => away(a) - away(b))[0];
}

/** Whether an amount is barely under one header and close to another. */
function isBetween(cell: Cell, spanned: readonly Column[], columns: readonly Column[]): boolean {
  const [only, ...more] = spanned;
  if (only === undefined || more.length > 0 || !/\d\W?\d\d/.test(cell.text)) return false;
  if (overlap(cell, only) > MAX_EDGE) return false;
  return columns.some((column) => column !== only && -overlap(cell, column) <= MAX_GAP);
}

/** Characters of an amount under a header that may be coincidence, and those between it and another header. */
const MAX_EDGE = 2;
const MAX_GAP = 4;

/** The nearer free column of the two next to the cell; undefined if neither is free or both are equally near. */
function nearest(cell: Cell, columns: readonly Column[], free: (column: Column) => boolean) {
  const left = columns.findLast((column) => column.x1 <= cell.x0);
  const right = columns.find((column) => column.x0 >= cell.x1);
  const near = [left, right].filter((column) => column !== undefined).filter(free);
  const [first, second] = near.sort((a, b) => overlap(cell, b) - overlap(cell, a));
  if (first === undefined || second === undefined) return first;
  return overlap(cell, first) === overlap(cell, second) ? undefined : first;
}

/** The part of a slot for one of several stacked years. */
export function lineOf(slot: Slot, line: number, count: number): Slot {
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

/** The meaning of each column: its header's, unless its amounts show that it is another one. */
export type ColumnPlan = (column: Column) => Meaning;

/** Largest difference attributed to rounding, in hundredths. */
const ROUNDING = 300;

/** Whether a column is one of those meant. */
type IsIn = (column: Column) => boolean;

/** The sum of a row's amounts in some columns, in hundredths before scaling. */
function sumIn({ slots }: YearRow, isIn: IsIn): number {
  const some = slots.filter(({ column }) => isIn(column));
  return some.reduce((sum, { readings }) => sum + hundredthsOf(readings[0]), 0);
}

/** The number of rows in which some columns add up to another. */
function countSums(rows: readonly YearRow[], whole: IsIn, isPart: IsIn, slack = ROUNDING): number {
  return rows.filter((row) => Math.abs(sumIn(row, whole) - sumIn(row, isPart)) <= slack).length;
}

/** Whether a column is the sum of others in every row, and not blank throughout. */
function isSum(rows: readonly YearRow[], whole: Column, isPart: IsIn): boolean {
  const isWhole: IsIn = (column) => column === whole;
  return countSums(rows, isWhole, isPart) === rows.length && rows.some((row) => sumIn(row, isWhole) !== 0);
}

/** Share of a table's rows that add up to their total, to the cent; 0 without rows. */
export function shareOfSums(rows: readonly YearRow[]): number {
  const plan = planColumns(rows);
  const isTotal: IsIn = (column) => plan(column) === "total_compensation";
  return countSums(rows, isTotal, (column) => PARTS.has(plan(column)), 0) / Math.max(rows.length, 1);
}

/**
 * Compares columns over all rows below each header. Of several columns with one meaning, it finds the sum of the others and the
 * total; it also finds the parts of a subtotal (`Annual Incentive`, `Long-Term Incentive`, `Total Non-Equity Incentive`).
 */
export function planColumns(rows: readonly YearRow[]): ColumnPlan {
  const found = new Map<Column, Meaning>();
  const plan: ColumnPlan = (column) => found.get(column) ?? column.meaning;
  const isPart: IsIn = (column) => PARTS.has(plan(column));
  for (const [columns, below] of Map.groupBy(rows, (row) => row.section.columns)) {
    for (const column of columns) explainSubtotal(below, columns, column, found);
    explainOther(below, columns, plan, found);
    for (const [meaning, several] of Map.groupBy(columns, plan)) {
      if (several.length < 2 || !AMOUNTS.has(meaning)) continue;
      const totals = columns.filter((column) => plan(column) === "total_compensation");
      const matches = (total: Column): number => countSums(below, (column) => column === total, isPart);
      let main: Column | undefined;
      if (meaning === "total_compensation") [main] = totals.toSorted((a, b) => matches(b) - matches(a));
      // If the totals include all columns of their components, equal grants of two kinds are not a sum and its parts.
      else if (!totals.some((total) => isSum(below, total, isPart)))
        main = several.find((one) => isSum(below, one, (other) => other !== one && several.includes(other)));
      if (main !== undefined)
        for (const column of several) if (column !== main) found.set(column, "subtotal");
    }
  }
  return plan;
}

/** Words of the other components, which a column of other pay does not name. */
const COMPONENT =
  /salar|bonus|stock|share|unit|option|award|equity|incentive|pension|deferred|dividend|total|cash|grant|retention|fee|gain|purchase|discount/i;

/**
 * All pay that no other column includes is other compensation (Item 402(c)(2)(ix)): columns of unknown meaning next to that column
 * are part of it if every row then adds up, and not without them.
 */
function explainOther(
  rows: readonly YearRow[],
  columns: readonly Column[],
  plan: ColumnPlan,
  found: Map<Column, Meaning>,
): void {
  const at = columns.findIndex((column) => plan(column) === "other_comp");
  const total = columns.find((column) => plan(column) === "total_compensation");
  const isLoose = (column: Column | undefined) =>
    column !== undefined && plan(column) === "unknown" && !COMPONENT.test(column.path.join(" "));
  const before = columns.slice(0, Math.max(0, at)).toReversed();
  const behind = columns.slice(at + 1);
  const beside = [before, behind].flatMap((side) => {
    const end = side.findIndex((column) => !isLoose(column));
    return end < 0 ? side : side.slice(0, end);
  });
  if (at < 0 || total === undefined || beside.length === 0) return;
  const isPart: IsIn = (column) => PARTS.has(plan(column));
  if (isSum(rows, total, isPart) || !isSum(rows, total, (one) => isPart(one) || beside.includes(one))) return;
  for (const column of beside) found.set(column, "other_comp");
}

/** If columns next to the total of a component add up to it in every row, the total is the component and they are its parts. */
function explainSubtotal(
  rows: readonly YearRow[],
  columns: readonly Column[],
  column: Column,
  plan: Map<Column, Meaning>,
): void {
  const own = column.path.at(-1) ?? "";
  const component = /\btotal\b/i.test(own) ? meaningOf([own.replace(/\btotal\b/i, "")]) : "unknown";
  if (!PARTS.has(component)) return;
  const isFree = ({ meaning }: Column) => meaning === "unknown" || meaning === component;
  const at = columns.indexOf(column);
  const parts = [columns.slice(0, at).toReversed(), columns.slice(at + 1)]
    .flatMap((beside) => beside.map((_, last) => beside.slice(0, last + 1)))
    .find((run) => run.length > 1 && run.every(isFree) && isSum(rows, column, (one) => run.includes(one)));
  if (parts === undefined) return;
  plan.set(column, component);
  for (const one of parts) plan.set(one, "subtotal");
}
