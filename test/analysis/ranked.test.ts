/** Ranks represent numbers: the same order, and the number can be restored. */
import { expect, test } from "bun:test";
import { numberOf, ranked } from "../../src/dataset/arrays.ts";

test("each row has the rank of its number among the distinct ones", () => {
  const numbers = Float64Array.of(5, -250, 0, 5, 231_000_000_000, 0, 1e15, -250);
  const { rank, values } = ranked(numbers);
  expect(Array.from(values)).toEqual([-250, 0, 5, 231_000_000_000, 1e15]);
  expect(Array.from(rank)).toEqual([2, 0, 1, 2, 3, 1, 4, 0]);
  numbers.forEach((number, row) => expect(numberOf({ rank, values }, row)).toBe(number));
  expect(ranked(new Float64Array(0)).values).toHaveLength(0);
});
