/** Numbers of rows by rank: what a question compares are small whole numbers, half the size of those that they stand for. */
import { foldToAscii } from "../../domain/executive.ts";
import { lowerBound } from "../binary-search.ts";

/** Of each row the rank of its number. */
export interface Ranked {
  /** Place in `values`. */
  rank: Int32Array<ArrayBuffer>;
  /** The different numbers, ascending. */
  values: Float64Array;
}

/** The numbers of all rows by rank. */
export function ranked(numbers: Float64Array): Ranked {
  const sorted = numbers.toSorted();
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[count++] = sorted[at] ?? 0;
  }
  const values = sorted.slice(0, count);
  const rank = new Int32Array(numbers.length);
  for (let row = 0; row < rank.length; row++) rank[row] = lowerBound(values, numbers[row] ?? 0);
  return { rank, values };
}

/** What rows are sorted by. */
export interface Ranks {
  /** Of each row, or of each text. */
  rank: Int32Array;
  /** How many there are. */
  count: number;
}

/** Places of texts in alphabetical order, case and accents ignored; the same for the same text. */
export function alphabetical(texts: readonly string[]): Ranks {
  const folded = texts.map((text) => foldToAscii(text).toLowerCase());
  const ranks = new Map([...new Set(folded)].sort().map((text, rank) => [text, rank]));
  return { rank: Int32Array.from(folded, (text) => ranks.get(text) ?? 0), count: ranks.size };
}

/** The number of a row. */
export function numberOf({ rank, values }: Ranked, row: number): number {
  return values[rank[row] ?? 0] ?? 0;
}
