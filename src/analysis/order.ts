/** Sorts the matched rows and returns a page of them. */
import { int32At } from "../lib/checked-access.ts";
import { isMeasure } from "../domain/row-fields.ts";
import type { SortKey } from "../domain/selection.ts";
import { TopK, byGroup } from "../dataset/arrays.ts";
import type { Columns } from "../dataset/columns/columns.ts";
import { firstRank, rankedOf } from "./measures.ts";
import type { Ranks } from "../dataset/arrays.ts";

/** Pages that end within this many rows are selected from the matching rows; for later ones the order of all rows is walked. */
const NEAR = 4096;

/**
 * Creates a function that returns a page of the matching rows in sort order; equal rows stay in row order. It caches the full
 * order for each sort key used by far pages, 4 bytes per row.
 * @param near maximum end of pages that are selected
 */
export function createPager(columns: Columns, near = NEAR) {
  const ranksByKey = new Map<string, Ranks>();
  const orders = new Map<string, Int32Array>();
  return (
    rows: Int32Array,
    { by, descending }: { by: SortKey; descending: boolean },
    offset: number,
    count: number,
  ): number[] => {
    // Rows without the measure come last in both directions.
    const key = isMeasure(by) && !descending ? `${by} ascending` : by;
    const ranks = ranksByKey.getOrInsertComputed(key, () => ranksBy(columns, by, descending));
    const end = Math.min(offset + count, rows.length);
    if (end <= near) return selectFirst(rows, ranks.rank, descending, end).slice(offset);
    const order = orders.getOrInsertComputed(key, () => byGroup(ranks.rank, null, ranks.count).members);
    const isPicked = new Uint8Array(columns.rows);
    // Index loops over typed arrays, here and below: iterators are five times as slow.
    for (let place = 0; place < rows.length; place++) isPicked[int32At(rows, place)] = 1;
    return pick(order, ranks.rank, descending, isPicked, offset, count);
  };
}

const ABOVE_ALL = 2 ** 31 - 1;

/** The first rows in sort order, in one pass: few rows rank before all those kept so far. */
function selectFirst(rows: Int32Array, rank: Int32Array, descending: boolean, count: number): number[] {
  if (count === 0) return [];
  const first = new TopK(count, (row) => int32At(rank, row), descending ? -1 : 1);
  // Inverting all bits of a rank gives its negative minus one: highest first without a multiplication.
  const flip = descending ? -1 : 0;
  for (let place = 0; ; place++) {
    const below = Math.min(first.below, ABOVE_ALL) + flip;
    place = nextBelow(rows, rank, flip, below, place);
    if (place === rows.length) return first.sorted();
    first.add(int32At(rows, place));
  }
}

// A loop without calls: with `keep` inside, it takes more than twice as long.
function nextBelow(rows: Int32Array, rank: Int32Array, flip: number, below: number, from: number): number {
  for (let place = from; place < rows.length; place++) {
    if ((int32At(rank, int32At(rows, place)) ^ flip) < below) return place;
  }
  return rows.length;
}

/** The selected rows of a page, walking the order forwards, or backwards with equal rows still ascending. */
function pick(
  order: Int32Array,
  rank: Int32Array,
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
    for (let at = 0; at < order.length && page.length < count; at++) take(int32At(order, at));
    return page;
  }
  for (let end = order.length; end > 0 && page.length < count;) {
    const last = rank[int32At(order, end - 1)];
    let begin = end - 1;
    while (begin > 0 && rank[int32At(order, begin - 1)] === last) begin--;
    for (let at = begin; at < end && page.length < count; at++) take(int32At(order, at));
    end = begin;
  }
  return page;
}

function ranksBy(columns: Columns, by: SortKey, descending: boolean): Ranks {
  const { companyYear, companyYears, name, nameRanks } = columns;
  switch (by) {
    case "fiscal_year":
      return { rank: expanded(companyYears.yearPlace, companyYear), count: columns.fiscalYears.length };
    case "company_name": {
      const { rank, count } = columns.companyRanks;
      return { rank: expanded(expanded(rank, companyYears.company), companyYear), count };
    }
    case "executive_name":
      return { rank: expanded(nameRanks.rank, name), count: nameRanks.count };
    default: {
      const column = rankedOf(columns, by);
      const { rank, values } = column;
      if (descending || firstRank(column) === 0) return { rank, count: values.length };
      return { rank: rank.map((one) => (one === 0 ? values.length : one)), count: values.length + 1 };
    }
  }
}

/** Looks up the rank of each element's owner. @param of the owner of each element */
function expanded(rank: Int32Array, of: Int32Array): Int32Array {
  const ranks = new Int32Array(of.length);
  for (let at = 0; at < ranks.length; at++) ranks[at] = int32At(rank, int32At(of, at));
  return ranks;
}
