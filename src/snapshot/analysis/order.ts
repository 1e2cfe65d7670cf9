/** A page of the matched rows in the order that is asked for. */
import { foldToAscii } from "../../domain/executive.ts";
import type { SortKey } from "../../domain/selection.ts";
import { First } from "../first.ts";
import type { Columns } from "./columns.ts";
import type { Match } from "./match.ts";

/** Gives a page of the rows that match, in some order; equal ones ascend. */
export type Pager = (
  match: Pick<Match, "rows" | "selects">,
  sort: { by: SortKey; descending: boolean },
  offset: number,
  count: number,
) => number[];

/** Pages that end within so many rows are selected from those that match; for later ones the order of all rows is walked. */
const NEAR = 4096;
/** So many rows that lead all rows in an order are kept with it: where many rows match, a first page is among them. */
const LEADING = 8192;
/** Looking whether a leading row matches takes as long as selecting from fewer rows than these. */
const ROWS_A_LOOK = 64;

/** What rows are sorted by: each has the value of its own number, or of its number in `of`. */
interface SortValues {
  values: Float64Array;
  of: Int32Array | null;
}

/**
 * A pager that keeps the orders that far pages asked for, 4 bytes a row each, and of every order the leading rows.
 * @param near up to where pages are selected
 * @param leading how many rows lead
 */
export function createPager(columns: Columns, near = NEAR, leading = LEADING): Pager {
  const known = new Map<SortKey, SortValues>();
  const orders = new Map<SortKey, Int32Array>();
  const leaders = new Map<string, Int32Array>();
  const leadingRows = (by: SortKey, values: SortValues, descending: boolean) => {
    const order = `${by} ${descending}`;
    const known = leaders.get(order);
    if (known !== undefined) return known;
    const all = Int32Array.from({ length: columns.rows }, (_, row) => row);
    const made = Int32Array.from(selectFirst(all, values, descending, leading));
    leaders.set(order, made);
    return made;
  };
  return ({ rows, selects }, { by, descending }, offset, count) => {
    const values = known.get(by) ?? sortValues(columns, by);
    known.set(by, values);
    const end = Math.min(offset + count, rows.length);
    if (end <= near) {
      const looks = Math.min(leading, Math.floor(rows.length / ROWS_A_LOOK));
      const found = looks < end ? null : firstAmong(leadingRows(by, values, descending), looks, selects, end);
      return (found ?? selectFirst(rows, values, descending, end)).slice(offset);
    }
    const order = orders.get(by) ?? orderBy(columns.rows, keyOf(values));
    orders.set(by, order);
    const isPicked = new Uint8Array(columns.rows);
    // A typed array is walked by number here and below: its iterator costs five times as much.
    for (let place = 0; place < rows.length; place++) isPicked[rows[place] ?? 0] = 1;
    return pick(order, keyOf(values), descending, isPicked, offset, count);
  };
}

/** The first rows that are selected; null where too few are among the first that lead. */
function firstAmong(
  leading: Int32Array,
  looks: number,
  selects: Match["selects"],
  count: number,
): number[] | null {
  const found: number[] = [];
  for (let at = 0; at < looks && found.length < count; at++) {
    const row = leading[at] ?? 0;
    if (selects(row)) found.push(row);
  }
  return found.length === count ? found : null;
}

/** The first rows in the order: one walk, in which few rows are better than all that were kept before them. */
function selectFirst(rows: Int32Array, by: SortValues, descending: boolean, count: number): number[] {
  const sign = descending ? -1 : 1;
  const first = new First(count, keyOf(by), sign);
  if (count === 0) return [];
  if (by.of === null) offerValues(first, rows, by.values, sign);
  else offerShared(first, rows, by.values, by.of, sign);
  return first.sorted();
}

// Two walks, each over arrays of one kind: one that calls for a row's value takes three times as long.
function offerValues(first: First, rows: Int32Array, values: Float64Array, sign: number): void {
  let { below } = first;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0;
    if (sign * (values[row] ?? 0) < below) {
      first.keep(row);
      below = first.below;
    }
  }
}

function offerShared(
  first: First,
  rows: Int32Array,
  values: Float64Array,
  of: Int32Array,
  sign: number,
): void {
  let { below } = first;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0;
    if (sign * (values[of[row] ?? 0] ?? 0) < below) {
      first.keep(row);
      below = first.below;
    }
  }
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

function keyOf({ values, of }: SortValues): (row: number) => number {
  return of === null ? (row) => values[row] ?? 0 : (row) => values[of[row] ?? 0] ?? 0;
}

function sortValues(columns: Columns, by: SortKey): SortValues {
  const { companyYear, companyYears, companies, name, names } = columns;
  switch (by) {
    case "fiscal_year":
      return { values: Float64Array.from(companyYears.fiscalYear), of: companyYear };
    case "company_name": {
      const ranks = ranksOf(companies.map((one) => one.name));
      return { values: Float64Array.from(companyYears.company, (of) => ranks[of] ?? 0), of: companyYear };
    }
    case "executive_name":
      return { values: ranksOf(names), of: name };
    default:
      return { values: columns.amounts[by], of: null };
  }
}

/** Place of each text in alphabetical order, case and accents ignored; the same for the same text. */
function ranksOf(texts: readonly string[]): Float64Array {
  const folded = texts.map((text) => foldToAscii(text).toLowerCase());
  const ranks = new Map(
    [...new Set(folded)]
      .sort()
      .entries()
      .map(([rank, text]) => [text, rank]),
  );
  return Float64Array.from(folded, (text) => ranks.get(text) ?? 0);
}
