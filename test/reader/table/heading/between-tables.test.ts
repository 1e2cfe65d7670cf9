import { expect, test } from "bun:test";
import { blocksOf, judgeBlocks } from "../../../../src/reader/table/heading/heading.ts";

test("blocks are the lines that a reader sees", () => {
  expect(blocksOf("<p>one <b>two</b></p><br/><!-- no --><div>&nbsp;</div><p>three</p>")).toEqual([
    "one two",
    "three",
  ]);
  expect(blocksOf("one\ntwo\n\nthree")).toEqual(["one two", "three"]);
});

test.each([
  [[]],
  [["47", "Table of Contents"]],
  [["(1) Amounts are those of ASC Topic 718.", "and of the years before."]],
  [["(1)", "Amounts are those of the grant date and of no other day."]],
  [["SUMMARY COMPENSATION TABLE (continued)"]],
])("%j between two tables leaves them pages of one", (blocks) => {
  expect(judgeBlocks(blocks).words).toBeUndefined();
});

test.each([
  ["Director Compensation"],
  ["None of whom is an executive officer of the Company"],
  ["Compensation of our consultants"],
])("%j makes the second another company's or person's", (block) => {
  expect(judgeBlocks([block]).words).toBeDefined();
});

test("any other words leave it open, and are told", () => {
  expect(judgeBlocks(["47", "Our plans for the summer"])).toEqual({
    words: "Our plans for the summer",
    headed: false,
    nothing: false,
  });
});

test("what is printed on every page is no heading", () => {
  expect(judgeBlocks(["Acme Holdings 2025"], (block) => block.startsWith("Acme")).words).toBeUndefined();
});
