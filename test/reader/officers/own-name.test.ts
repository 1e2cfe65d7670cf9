import { expect, test } from "bun:test";
import { companyWordsOf, isOwnWord, ownName } from "../../../src/reader/officers/titles.ts";

test.each([
  ["Acme Holdings, Inc.", "the Company", true],
  ["Acme Holdings, Inc.", "Acme", true],
  ["Acme Holdings, Inc.", "Acme Resources", false],
  ["International Paper Company", "International Paper", true],
  ["International Paper Company", "International Shipping", false],
  ["International Business Machines Corporation", "IBM", true],
  ["Walmart Inc.", "Walmart U.S.", false],
  ["NextEra Energy, Inc.", "NextEra Energy Resources", false],
  ["PG&E Corporation", "PG&E", true],
  ["Acme, Inc.", "Acme’s board", false],
  ["Acme, Inc.", "Acme since May 2020", true],
])("to %s, %j is itself: %p", (company, text, isItself) => {
  expect(ownName(text, companyWordsOf(company))).toBe(isItself);
});

test("a word that many names have is no company's own", () => {
  const words = companyWordsOf("Acme International Group");
  expect(["Acme", "International", "Group", "Other"].filter((word) => isOwnWord(word, words))).toEqual([
    "Acme",
  ]);
});
