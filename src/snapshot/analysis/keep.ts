/**
 * Walks that keep the numbers of the rows that fit. Small loops over few typed arrays are what the engine makes fast; all of them
 * write into room that is there already.
 */
import type { Columns } from "./columns.ts";
import { NONE, SOME } from "./company-years.ts";

/** Ranks of an amount from one to another, both included. */
export interface Range {
  rank: Int32Array;
  low: number;
  high: number;
}

/** Room for what `keepFitting` keeps. */
export interface Room {
  rows: Int32Array;
  /** Company-years that have any of the rows. */
  years: Int32Array;
}

/** How many rows were kept, and the company-years that have any of them. */
export interface Kept {
  count: number;
  years: Int32Array;
}

/**
 * Keeps the rows that fit of the company-years of the mask. One small walk for each kind of question: one that asks everything
 * has more arrays than the engine keeps at hand.
 * @param highest of each company-year the row that stands for all of it where nothing is asked of its rows; null: all stay
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

// Below, a row is written each time and counted only where it fits: half of all rows in no order is what a branch guesses
// worst. `| 0` tells the engine that a bound is whole, for the whole walk.

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
 * 1 or 0: outside, one of the differences is below zero. Without a branch, and without numbers above 2^31, which the engine
 * compares as doubles.
 */
function isWithin(rank: number, low: number, high: number): number {
  return 1 + (((rank - low) | (high - rank)) >> 31);
}

/** Keeps those of the first rows that are in a further range. @returns how many */
export function keepRange(rows: Int32Array, count: number, { rank, low, high }: Range): number {
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    rows[kept] = row;
    kept += isWithin(rank[row] ?? 0, low, high);
  }
  return kept;
}

/** Of each company-year the row with the highest total; of equal ones the first. */
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

/** Of every company-year the row that `keepHighest` keeps of all. */
export function highestRows(columns: Columns): Int32Array {
  const rows = Int32Array.from({ length: columns.rows }, (_, row) => row);
  return rows.slice(0, keepHighest(rows, rows.length, columns));
}
