/** Lists of companies as people type them: a name that does not mean one company is never another one. */
import { expect, test } from "bun:test";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { findTyped, LOOK_UPS } from "../../src/operations/companies.ts";
import { tempFolder } from "../support/folder.ts";

const dataset = openDataset(tempFolder());

test.each([
  ["AAPL, MSFT, Foo Bar Inc", ["AAPL", "MSFT"], ["Foo Bar Inc"]],
  ["AAPL BAR FOOX", ["AAPL", "BAR"], ["FOOX"]],
  ["aapl msft", ["AAPL", "MSFT"], []],
  ["Johnson & Johnson; Nike, Inc.", ["JNJ", "NKE"], []],
  ["Coca Cola, Mircosoft", ["KO", "MSFT"], []],
  // Several companies begin with these words.
  ["Johnson, American", [], ["Johnson", "American"]],
  // Its words begin words of Barfresh Food.
  ["Bar Foo", [], ["Bar Foo"]],
])("%s", (typed, tickers, unknown) => {
  const read = findTyped(dataset, typed, LOOK_UPS);
  expect(read.found.map(({ ticker }) => ticker)).toEqual(tickers);
  expect(read.unknown).toEqual(unknown);
});

test("the former names of all that a name may mean are read at once", () => {
  const { read } = dataset;
  let reads = 0;
  dataset.read = (work) => {
    reads += 1;
    return read(work);
  };
  // Each has words of hundreds of companies.
  const { found } = findTyped(dataset, "Holdings Group, International Energy, Energy Holdings", LOOK_UPS);
  dataset.read = read;
  expect(found).toEqual([]);
  expect(reads).toBeLessThanOrEqual(3);
});
