import { expect, test } from "bun:test";
import { coordinate, shortAmount } from "../../src/charts/frame.ts";

test.each([
  [0, "0"],
  [950.5, "950.5"],
  [1000, "1K"],
  [-1234, "−1.2K"],
  [99_949, "99.9K"],
  [999_499, "999K"],
  [999_500, "1M"],
  [74_294_811, "74.3M"],
  [-250_000_000, "−250M"],
  [999_600_000, "1B"],
  [2_284_044_884, "2.3B"],
  [999_700_000_000, "1000B"],
])("%d is %s on an axis", (amount, text) => {
  expect(shortAmount(amount)).toBe(text);
});

test("a coordinate has at most one decimal", () => {
  expect([0, 1.04, 1.06, -2.5].map(coordinate)).toEqual(["0", "1", "1.1", "-2.5"]);
});
