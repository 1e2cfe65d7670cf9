/**
 * Loops that write the numbers of matching rows into a preallocated array. The engine optimizes small loops over few typed
 * arrays best. A row is always written and only counted if it matches: with half of the rows matching in no order, a branch
 * would be mispredicted most often.
 */
import { int32At, uint16At, uint8At } from "../lib/checked-access.ts";
import type { Columns } from "../dataset/columns/columns.ts";
import { NONE, SOME } from "./company-years.ts";

/** A range of an amount's ranks, both ends included. */
export interface Range {
  rank: Int32Array;
  low: number;
  high: number;
}

/**
 * Keeps only rows of the company-years in the mask.
 * @param wanted 1 or 0 for each value of `Columns.traits`, where not all rows of a company-year are selected
 * @returns how many
 */
export function filterByYears(
  rows: Int32Array,
  { traits, companyYears: { first } }: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
): number {
  let count = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === NONE) continue;
    const end = int32At(first, at + 1);
    if (years[at] === SOME) {
      for (let row = int32At(first, at); row < end; row++) {
        rows[count] = row;
        count += uint8At(wanted, uint16At(traits, row));
      }
    } else for (let row = int32At(first, at); row < end; row++) rows[count++] = row;
  }
  return count;
}

/** Keeps those of the first `count` rows that are also in a range. @returns how many */
export function filterByRange(rows: Int32Array, count: number, { rank, low, high }: Range): number {
  let size = 0;
  for (let place = 0; place < count; place++) {
    const row = int32At(rows, place);
    rows[size] = row;
    size += isWithin(int32At(rank, row), low, high);
  }
  return size;
}

/**
 * 1 or 0: outside the range one of the two differences is negative. Without branches, and without numbers above 2^31, which
 * the engine would compare as doubles.
 */
function isWithin(rank: number, low: number, high: number): number {
  return 1 + (((rank - low) | (high - rank)) >> 31);
}

/** Keeps the row with the highest total of each company-year; the first one if totals are equal. @returns how many */
export function filterHighest(rows: Int32Array, count: number, { companyYear, amounts }: Columns): number {
  const totals = amounts.total_compensation.rank;
  let size = 0;
  let last = -1;
  let highest = 0;
  for (let place = 0; place < count; place++) {
    const row = int32At(rows, place);
    const year = int32At(companyYear, row);
    const total = int32At(totals, row);
    if (year === last && total <= highest) continue;
    if (year !== last) size++;
    rows[size - 1] = row;
    highest = total;
    last = year;
  }
  return size;
}
