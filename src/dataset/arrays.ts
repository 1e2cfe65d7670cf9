/**
 * Small structures over arrays of numbers: binary search, groups, numbering, the first of many, and columns by rank, whose ranks
 * are small integers, half the size of the numbers they replace; and typed arrays that are read a page at a time.
 */
import { elementAt, float64At, int32At, outOfBounds, valueAt } from "../lib/checked-access.ts";
import quickselect from "quickselect";
import { foldToAscii } from "../domain/executive.ts";

/** The number of values lower than the given one. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  // Not by `countBefore`: millions of functions made for `ranked` take 200 MB of a compile.
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? outOfBounds(ascending, middle)) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of values lower than or equal to the given one. */
export function upperBound(ascending: ArrayLike<number>, value: number): number {
  return countBefore(ascending.length, (at) => elementAt(ascending, at) <= value);
}

/** The number of leading elements for which `isBefore` holds, found by binary search. */
export function countBefore(things: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = things;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the ascending values contain a number. */
export function includes(ascending: ArrayLike<number>, value: number): boolean {
  return ascending[lowerBound(ascending, value)] === value;
}

/**
 * Selects the first of many numbers in some order, with ties in ascending order. Candidates are collected, and from time to
 * time those that can no longer be among the first are discarded. Numbers must be added in ascending order.
 */
export class TopK {
  /** Only numbers whose key times the sign is lower than this can still be among the first. */
  below = Infinity;
  private readonly candidates: number[] = [];
  private readonly room: number;

  /** @param count how many to select @param sign 1: lowest key first, -1: highest key first */
  constructor(
    private readonly count: number,
    private readonly key: (one: number) => number,
    private readonly sign: number,
  ) {
    // A small buffer is cut often and early, when a cut excludes most.
    this.room = Math.max(4 * count, 256);
  }

  /** Adds a candidate, whose key times the sign must be below `below`. */
  add(one: number): void {
    if (this.candidates.push(one) === this.room) this.cut();
  }

  /** The first numbers, in order. */
  sorted(): number[] {
    this.cut();
    return this.candidates.sort((a, b) => this.compare(a, b));
  }

  private cut(): void {
    const { candidates, count } = this;
    if (candidates.length <= count) return;
    quickselect(candidates, count - 1, 0, candidates.length - 1, (a, b) => this.compare(a, b));
    candidates.length = count;
    this.below = this.sign * this.key(elementAt(candidates, count - 1));
  }

  private compare(a: number, b: number): number {
    return this.sign * (this.key(a) - this.key(b)) || a - b;
  }
}

/** Numbers by group: the members of group `n` are in `members` from `first[n]` up to but excluding `first[n + 1]`, ascending. */
export interface Groups {
  first: Int32Array;
  members: Int32Array;
}

/**
 * Groups numbers by a counting sort.
 *
 * @param group the group of each member
 * @param members ascending; null: their indices
 */
export function byGroup(group: Int32Array, members: Int32Array | null, groups: number): Groups {
  const first = new Int32Array(groups + 1);
  for (let at = 0; at < group.length; at++) {
    const next = int32At(group, at) + 1;
    first[next] = int32At(first, next) + 1;
  }
  for (let at = 1; at < first.length; at++) first[at] = int32At(first, at) + int32At(first, at - 1);
  const free = first.slice();
  const placed = new Int32Array(group.length);
  for (let at = 0; at < group.length; at++) {
    const of = int32At(group, at);
    const place = int32At(free, of);
    placed[place] = members === null ? at : int32At(members, at);
    free[of] = place + 1;
  }
  return { first, members: placed };
}

/** Numbers words in the order of their first occurrence. */
export class Numbering {
  readonly words: string[] = [];
  private readonly places = new Map<string, number>();

  /** The number of a word; the next number if it is new. */
  of(word: string): number {
    const place = this.places.get(word);
    if (place !== undefined) return place;
    this.places.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

/** A column as ranks. */
export interface Ranked {
  /** Index in `values`, for each row. */
  rank: Int32Array<ArrayBuffer>;
  /** The distinct numbers, ascending. */
  values: Float64Array;
}

/** Converts a column to ranks. @param room for sorting, as long as the column: of several columns the same */
export function ranked(numbers: Float64Array, room = new Float64Array(numbers.length)): Ranked {
  room.set(numbers);
  const sorted = room.sort();
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[count++] = float64At(sorted, at);
  }
  const values = sorted.slice(0, count);
  const rank = new Int32Array(numbers.length);
  for (let row = 0; row < rank.length; row++) rank[row] = lowerBound(values, float64At(numbers, row));
  return { rank, values };
}

/** Ranks to sort by. */
export interface Ranks {
  /** For each row, or for each text. */
  rank: Int32Array;
  /** Number of distinct ranks. */
  count: number;
}

/** Alphabetical ranks of texts, ignoring case and accents; equal texts have equal ranks. */
export function alphabetical(texts: readonly string[]): Ranks {
  const folded = texts.map((text) => foldToAscii(text).toLowerCase());
  const ranks = new Map([...new Set(folded)].sort().map((text, rank) => [text, rank]));
  return { rank: Int32Array.from(folded, (text) => valueAt(ranks, text)), count: ranks.size };
}

/** The number of a row. */
export function numberOf({ rank, values }: Ranked, row: number): number {
  return float64At(values, int32At(rank, row));
}

/** The kinds of typed arrays in a snapshot. */
export const ARRAYS = { Uint8Array, Uint16Array, Int32Array, Float64Array } as const;

/** The name of a kind. */
export type ArrayName = keyof typeof ARRAYS;
/** An array of one of these kinds. */
export type NumberArray = Uint8Array | Uint16Array | Int32Array | Float64Array;

/** What a typed array and its pages have in common. */
export interface Numbers<Of extends NumberArray = NumberArray> {
  readonly length: number;
  at(place: number): number | undefined;
  slice(from: number, to: number): Of;
}

/** A number that must be there. @throws RangeError */
export function numberAt(numbers: Numbers, place: number): number {
  return numbers.at(place) ?? outOfBounds(numbers, place);
}

/** Numbers in a page, as a power of two: few enough for a look-up, enough for a record of SQLite. */
const PAGE_BITS = 13;
const PAGE = 1 << PAGE_BITS;

/** The pages of a typed array. */
export function pagesOf<Of extends NumberArray>(array: Of): Of[] {
  const pages: Of[] = [];
  // Of the same kind as the array.
  for (let from = 0; from < array.length; from += PAGE) pages.push(array.subarray(from, from + PAGE) as Of);
  return pages;
}

/** A typed array in pages, each read when a number of it is used first: a look-up by name needs a few of millions of numbers. */
export class PagedArray<Of extends NumberArray> implements Numbers<Of> {
  private readonly pages: (Of | undefined)[] = [];

  /** @param read a page; the kind of each is that of the array */
  constructor(
    private readonly make: new (length: number) => Of,
    readonly length: number,
    private readonly read: (page: number) => Of,
  ) {}

  at(place: number): number | undefined {
    return place < this.length ? this.page(place >> PAGE_BITS)[place & (PAGE - 1)] : undefined;
  }

  slice(from: number, to: number): Of {
    const first = from & (PAGE - 1);
    // Mostly the numbers are in one page.
    if (from < to && first + to - from <= PAGE)
      return this.page(from >> PAGE_BITS).subarray(first, first + to - from) as Of;
    const joined = new this.make(Math.max(to - from, 0));
    for (let at = from; at < to;) {
      const begin = at & (PAGE - 1);
      const part = this.page(at >> PAGE_BITS).subarray(begin, begin + to - at);
      joined.set(part, at - from);
      at += part.length;
    }
    return joined;
  }

  private page(page: number): Of {
    return (this.pages[page] ??= this.read(page));
  }
}
