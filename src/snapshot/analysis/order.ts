/** The rows in every order that can be asked for, made when it first is. */
import { foldToAscii } from "../../domain/executive.ts";
import type { SortKey } from "../../domain/selection.ts";
import type { Columns } from "./columns.ts";

/** Gives a page of some rows in some order. */
export type Pager = (
  rows: Int32Array,
  sort: { by: SortKey; descending: boolean },
  offset: number,
  count: number,
) => number[];

/** Up to so many rows are sorted as they are; more are picked from the order of all rows. */
const FEW = 4096;

/**
 * A pager that keeps the orders that were asked for: 4 bytes a row each.
 * @param few up to so many rows are sorted as they are
 */
export function createPager(columns: Columns, few = FEW): Pager {
  const keys = new Map<SortKey, (row: number) => number>();
  const orders = new Map<SortKey, Int32Array>();
  const isPicked = new Uint8Array(columns.rows);
  return (rows, { by, descending }, offset, count) => {
    const key = keys.get(by) ?? sortKey(columns, by);
    keys.set(by, key);
    if (rows.length <= few) {
      const values = Float64Array.from(rows, key);
      const places = Array.from(rows, (_, place) => place);
      const sign = descending ? -1 : 1;
      places.sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
      return places.slice(offset, offset + count).map((place) => rows[place] ?? 0);
    }
    const order = orders.get(by) ?? orderBy(columns.rows, key);
    orders.set(by, order);
    // A typed array is walked by number here and below: its iterator costs five times as much.
    for (let place = 0; place < rows.length; place++) isPicked[rows[place] ?? 0] = 1;
    const picked = pick(order, key, descending, isPicked, offset, count);
    isPicked.fill(0);
    return picked;
  };
}

/** All rows by key ascending, equal ones by row number. */
function orderBy(rows: number, key: (row: number) => number): Int32Array {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) values[row] = key(row);
  const ranks = new Map<number, number>();
  for (const value of values.toSorted()) if (!ranks.has(value)) ranks.set(value, ranks.size);
  // Rank and row number in one double: both are whole and their product is below 2^53 for 90 million rows.
  const packed = new Float64Array(rows);
  for (let row = 0; row < rows; row++) packed[row] = (ranks.get(values[row] ?? 0) ?? 0) * rows + row;
  packed.sort();
  const order = new Int32Array(rows);
  for (let place = 0; place < rows; place++) order[place] = (packed[place] ?? 0) % rows;
  return order;
}

/** The picked rows of a page, walking the order from its beginning, or from its end with equal ones still ascending. */
function pick(
  order: Int32Array,
  key: (row: number) => number,
  descending: boolean,
  isPicked: Uint8Array,
  offset: number,
  count: number,
): number[] {
  const page: number[] = [];
  let skip = offset;
  const take = (row: number) => {
    if (isPicked[row] === 0) return;
    if (skip > 0) skip--;
    else page.push(row);
  };
  if (!descending) {
    for (let at = 0; at < order.length && page.length < count; at++) take(order[at] ?? 0);
    return page;
  }
  for (let end = order.length; end > 0 && page.length < count;) {
    const value = key(order[end - 1] ?? 0);
    let begin = end - 1;
    while (begin > 0 && key(order[begin - 1] ?? 0) === value) begin--;
    for (let at = begin; at < end && page.length < count; at++) take(order[at] ?? 0);
    end = begin;
  }
  return page;
}

function sortKey(columns: Columns, by: SortKey): (row: number) => number {
  const { companyYear, companyYears, companies, name, names } = columns;
  const { company, fiscalYear } = companyYears;
  switch (by) {
    case "fiscal_year":
      return (row) => fiscalYear[companyYear[row] ?? 0] ?? 0;
    case "company_name": {
      const ranks = ranksOf(companies.map((one) => one.name));
      return (row) => ranks[company[companyYear[row] ?? 0] ?? 0] ?? 0;
    }
    case "executive_name": {
      const ranks = ranksOf(names);
      return (row) => ranks[name[row] ?? 0] ?? 0;
    }
    default: {
      const values = columns.amounts[by];
      return (row) => values[row] ?? 0;
    }
  }
}

/** Place of each text in alphabetical order, case and accents ignored; the same for the same text. */
function ranksOf(texts: readonly string[]): Int32Array {
  const folded = texts.map((text) => foldToAscii(text).toLowerCase());
  const ranks = new Map(
    [...new Set(folded)]
      .sort()
      .entries()
      .map(([rank, text]) => [text, rank]),
  );
  return Int32Array.from(folded, (text) => ranks.get(text) ?? 0);
}
