import { expect, test } from "bun:test";
import { SymbolBook, readSecList, readSymbolFile, writeSymbolFile } from "../../src/dataset/symbols.ts";
import { testFiling, testRecord } from "../support/record.ts";

const SEC = {
  fields: ["cik", "name", "ticker", "exchange"],
  data: [
    [1652044, "Alphabet Inc.", "GOOGL", "Nasdaq"],
    [42, "ACME CORP", "ACME", "NYSE"],
    [1652044, "Alphabet Inc.", "GOOG", "Nasdaq"],
    [7, "Odd  Name\tCo", "ODD-PA", null],
  ],
};
const listed = readSecList(SEC);

test("the SEC's list has one line per registrant, with its symbols in the SEC's order, and reads back", () => {
  const text = writeSymbolFile(listed);
  expect(text.split("\n")).toEqual([
    "cik\tname\tsymbols",
    "0000000007\tOdd Name Co\tODD-PA",
    "0000000042\tACME CORP\tACME:NYSE",
    "0001652044\tAlphabet Inc.\tGOOGL:Nasdaq GOOG:Nasdaq",
    "",
  ]);
  expect(readSymbolFile(text, "file")).toEqual(listed);
});

test("a list or a file in another format is refused", () => {
  expect(() => readSecList({ rows: [] })).toThrow("no `data` array");
  expect(() => readSecList({ data: [["42", "ACME", "ACME", "NYSE"]] })).toThrow("malformed");
  expect(() => readSymbolFile("a\tb\n", "file")).toThrow("file:1");
  expect(() => readSymbolFile("cik\tname\tsymbols\n42\tACME\tACME\n", "file")).toThrow("file:2");
});

test("the primary symbol is the first in the SEC's list, otherwise the newest filing's; former ones still find the company", () => {
  const book = new SymbolBook(listed);
  const acme = testRecord({ filings: [testFiling({ symbol: "OLDACME" })], symbols: ["ACM.A"] });
  const gone = testRecord({
    cik: "0000000043",
    filings: [testFiling({ year: 2024, symbol: "OLD" }), testFiling({ symbol: "NEW" })],
    symbols: [],
  });
  book.add(acme);
  book.add(gone);
  expect(book.primaryOf(acme.cik)).toBe("ACME");
  expect(book.primaryOf(gone.cik)).toBe("NEW");
  const found = Object.fromEntries(
    book.lines().map(({ symbol, cik, former }) => [symbol, [Number(cik), former]]),
  );
  expect(found["ACM-A"]).toEqual([42, true]);
  expect(found["OLDACME"]).toEqual([42, true]);
  expect(found["OLD"]).toEqual([43, true]);
  expect(found["GOOG"]).toEqual([1652044, false]);
  expect(book.violations()).toEqual([]);
});

test("a symbol that the list assigns to another company finds that one, and never its former owner", () => {
  const book = new SymbolBook(listed);
  book.add(testRecord({ cik: "0000000043", symbols: ["GOOG"], filings: [testFiling({ symbol: null })] }));
  expect(book.lines().filter(({ symbol }) => symbol === "GOOG")).toEqual([
    { symbol: "GOOG", cik: "0001652044", place: 1, exchange: "Nasdaq", former: false },
  ]);
});

test("a former symbol that two companies claim is reported", () => {
  const book = new SymbolBook(listed);
  book.add(testRecord({ cik: "0000000043", symbols: ["GONE"] }));
  book.add(testRecord({ cik: "0000000044", symbols: ["GONE"] }));
  expect(book.violations()).toContain(
    "symbol GONE: claimed by 0000000043 and 0000000044, but assigned to none of them by the SEC's list",
  );
});
