/** Small structures over arrays of numbers: binary search, groups, numbering, and the first of many. */
import quickselect from "quickselect";

/** The number of values lower than the given one. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of values lower than or equal to the given one. */
export function upperBound(ascending: ArrayLike<number>, value: number): number {
  return countBefore(ascending.length, (at) => (ascending[at] ?? 0) <= value);
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
export class First {
  /** Only numbers whose key times the sign is lower than this can still be among the first. */
  below = Infinity;
  private readonly kept: number[] = [];
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
  keep(one: number): void {
    if (this.kept.push(one) === this.room) this.cut();
  }

  /** The first numbers, in order. */
  sorted(): number[] {
    this.cut();
    return this.kept.sort((a, b) => this.compare(a, b));
  }

  private cut(): void {
    const { kept, count } = this;
    if (kept.length <= count) return;
    quickselect(kept, count - 1, 0, kept.length - 1, (a, b) => this.compare(a, b));
    kept.length = count;
    this.below = this.sign * this.key(kept[count - 1] ?? 0);
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
export function grouped(group: Int32Array, members: Int32Array | null, groups: number): Groups {
  const first = new Int32Array(groups + 1);
  for (let at = 0; at < group.length; at++) {
    const next = (group[at] ?? 0) + 1;
    first[next] = (first[next] ?? 0) + 1;
  }
  for (let at = 1; at < first.length; at++) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
  const free = first.slice();
  const placed = new Int32Array(group.length);
  for (let at = 0; at < group.length; at++) {
    const of = group[at] ?? 0;
    const place = free[of] ?? 0;
    placed[place] = members === null ? at : (members[at] ?? 0);
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
    const known = this.places.get(word);
    if (known !== undefined) return known;
    this.places.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}
