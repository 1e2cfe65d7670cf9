/** Numeric columns by rank: ranks are small integers, half the size of the numbers they replace. */
import { foldToAscii } from "../../domain/executive.ts";
import { lowerBound } from "../arrays.ts";

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
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[count++] = sorted[at] ?? 0;
  }
  const values = sorted.slice(0, count);
  const rank = new Int32Array(numbers.length);
  for (let row = 0; row < rank.length; row++) rank[row] = lowerBound(values, numbers[row] ?? 0);
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
  return { rank: Int32Array.from(folded, (text) => ranks.get(text) ?? 0), count: ranks.size };
}

/** The number of a row. */
export function numberOf({ rank, values }: Ranked, row: number): number {
  return values[rank[row] ?? 0] ?? 0;
}
