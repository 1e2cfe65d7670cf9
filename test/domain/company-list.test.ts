import { expect, test } from "bun:test";
import { readCompanyList } from "../../src/domain/company.ts";

test.each([
  ["aapl, msft;goog\n\tJPM  aapl", ["AAPL", "MSFT", "GOOG", "JPM"]],
  ["brk.b BRK/A", ["BRK.B", "BRK/A"]],
  ["CIK 320193, cik0001418302", ["CIK320193", "CIK0001418302"]],
  // The symbol CIK, and a number that is not a CIK.
  ["CIK, AAPL", ["CIK", "AAPL"]],
  ["CIK 12345678901", ["CIK", "12345678901"]],
  [" ,;\n", []],
  ["", []],
])("%p is %p", (text, entries) => expect(readCompanyList(text)).toEqual(entries));

test("a list has a maximum length, however long the text is", () => {
  const many = Array.from({ length: 5000 }, (_, n) => `X${n}`).join(" ");
  expect(readCompanyList(many)).toHaveLength(400);
});

test("a symbol cut off at the limit is dropped: it could be another company's", () => {
  const filled = (entry: string) => `${" ".repeat(3998 - "MSFT,".length)}MSFT,${entry}`;
  expect(readCompanyList(filled("AAPL"))).toEqual(["MSFT"]);
  expect(readCompanyList(`${" ".repeat(3990)}CIK 320193`)).toEqual(["CIK320193"]);
  expect(readCompanyList(`${" ".repeat(3992)}CIK 320193`)).toEqual([]);
});
