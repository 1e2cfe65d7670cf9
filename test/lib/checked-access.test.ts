import { expect, test } from "bun:test";
import { elementAt, float64At, int32At, uint16At, uint8At, valueAt } from "../../src/lib/checked-access.ts";

test("an element is returned, and a wrong index is an error that names array and index, never a number", () => {
  const words = ["a", "", "c"];
  expect([elementAt(words, 1), elementAt(words, 2)]).toEqual(["", "c"]);
  for (const index of [-1, 3, 0.5, Number.NaN])
    expect(() => elementAt(words, index)).toThrow(`Array of 3 has no element ${index}`);
  for (const [read, array] of [
    [int32At, new Int32Array([7, 0])],
    [float64At, new Float64Array([7, 0])],
    [uint16At, new Uint16Array([7, 0])],
    [uint8At, new Uint8Array([7, 0])],
  ] as const) {
    // Each function with its own kind of array.
    const at = (index: number) => (read as (of: typeof array, index: number) => number)(array, index);
    expect([at(0), at(1)]).toEqual([7, 0]);
    for (const index of [-1, 2, 1.5])
      expect(() => at(index)).toThrow(`${array.constructor.name} of 2 has no element ${index}`);
  }
});

test("a key that is not there is an error that names it", () => {
  const places = new Map([
    ["a", 0],
    ["b", 1],
  ]);
  expect([valueAt(places, "a"), valueAt(places, "b")]).toEqual([0, 1]);
  expect(() => valueAt(places, "c")).toThrow("a map of 2 has no key c");
});
