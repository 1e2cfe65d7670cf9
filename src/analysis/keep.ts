/**
 * Loops that write the numbers of matching rows into preallocated arrays. The engine optimizes small loops over few typed
 * arrays best.
 */
import type { Columns } from "../dataset/columns/columns.ts";
import { NONE, SOME } from "./company-years.ts";

/** A range of an amount's ranks, both ends included. */
export interface Range {
  rank: Int32Array;
  low: number;
  high: number;
}

/** Preallocated output of `keepFitting`. */
export interface Room {
  rows: Int32Array;
  /** Company-years with at least one of the rows. */
  years: Int32Array;
}

/** The number of rows kept, and the company-years with at least one of them. */
export interface Kept {
  count: number;
  years: Int32Array;
}

/**
 * Writes the matching rows of the company-years in the mask. There is one small loop for each kind of question: a loop with
 * all conditions uses more arrays than the engine keeps in registers.
 * @param highest the row that represents each company-year when rows have no conditions of their own; null: keep all rows
 */
export function keepFitting(
  room: Room,
  columns: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  range: Range | undefined,
  highest: Int32Array | null,
): Kept {
  const { first } = columns.companyYears;
  if (years.includes(SOME)) {
    return range === undefined
      ? keepWanted(room, columns, years, wanted)
      : keepWantedInRange(room, columns, years, wanted, range);
  }
  if (range !== undefined) return keepInRange(room, first, years, range);
  return highest === null ? keepAll(room, first, years) : keepYears(room, years, highest);
}

// In the loops below a row is always written and only counted if it matches: with half of the rows matching in no order, a
// branch would be mispredicted most often. `| 0` tells the engine that a bound is an integer throughout the loop.

function keepWanted(
  { rows, years: selected }: Room,
  { traits, companyYears: { first } }: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
): Kept {
  let count = 0;
  let selectedYears = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === NONE) continue;
    const before = count;
    const end = first[at + 1] ?? 0;
    for (let row = first[at] ?? 0; row < end; row++) {
      rows[count] = row;
      count += wanted[traits[row] ?? 0] ?? 0;
    }
    if (count > before) selected[selectedYears++] = at;
  }
  return { count, years: selected.subarray(0, selectedYears) };
}

function keepWantedInRange(
  { rows, years: selected }: Room,
  { traits, companyYears: { first } }: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  range: Range,
): Kept {
  const { rank } = range;
  const low = range.low | 0;
  const high = range.high | 0;
  let count = 0;
  let selectedYears = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === NONE) continue;
    const before = count;
    const end = first[at + 1] ?? 0;
    for (let row = first[at] ?? 0; row < end; row++) {
      rows[count] = row;
      count += isWithin(rank[row] ?? 0, low, high) & (wanted[traits[row] ?? 0] ?? 0);
    }
    if (count > before) selected[selectedYears++] = at;
  }
  return { count, years: selected.subarray(0, selectedYears) };
}

function keepInRange(
  { rows, years: selected }: Room,
  first: Int32Array,
  years: Uint8Array,
  range: Range,
): Kept {
  const { rank } = range;
  const low = range.low | 0;
  const high = range.high | 0;
  let count = 0;
  let selectedYears = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === NONE) continue;
    const before = count;
    const end = first[at + 1] ?? 0;
    for (let row = first[at] ?? 0; row < end; row++) {
      rows[count] = row;
      count += isWithin(rank[row] ?? 0, low, high);
    }
    if (count > before) selected[selectedYears++] = at;
  }
  return { count, years: selected.subarray(0, selectedYears) };
}

function keepAll({ rows, years: selected }: Room, first: Int32Array, years: Uint8Array): Kept {
  let count = 0;
  let selectedYears = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === NONE) continue;
    const end = first[at + 1] ?? 0;
    for (let row = first[at] ?? 0; row < end; row++) rows[count++] = row;
    selected[selectedYears++] = at;
  }
  return { count, years: selected.subarray(0, selectedYears) };
}

function keepYears({ rows, years: selected }: Room, years: Uint8Array, highest: Int32Array): Kept {
  let count = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === NONE) continue;
    rows[count] = highest[at] ?? 0;
    selected[count++] = at;
  }
  return { count, years: selected.subarray(0, count) };
}

/**
 * 1 or 0: outside the range one of the two differences is negative. Without branches, and without numbers above 2^31, which
 * the engine would compare as doubles.
 */
function isWithin(rank: number, low: number, high: number): number {
  return 1 + (((rank - low) | (high - rank)) >> 31);
}

/** Keeps the first `count` rows that are also in another range. @returns how many */
export function keepRange(rows: Int32Array, count: number, { rank, low, high }: Range): number {
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    rows[kept] = row;
    kept += isWithin(rank[row] ?? 0, low, high);
  }
  return kept;
}

/** Keeps the row with the highest total of each company-year; the first one if totals are equal. @returns how many */
export function keepHighest(rows: Int32Array, count: number, { companyYear, amounts }: Columns): number {
  const totals = amounts.total_compensation.rank;
  let kept = 0;
  let last = -1;
  let highest = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    const year = companyYear[row] ?? 0;
    const total = totals[row] ?? 0;
    if (year === last && total <= highest) continue;
    if (year !== last) kept++;
    rows[kept - 1] = row;
    highest = total;
    last = year;
  }
  return kept;
}

/** The row that `keepHighest` keeps for each company-year when all rows are selected. */
export function highestRows(columns: Columns): Int32Array {
  const rows = Int32Array.from({ length: columns.rows }, (_, row) => row);
  return rows.slice(0, keepHighest(rows, rows.length, columns));
}
