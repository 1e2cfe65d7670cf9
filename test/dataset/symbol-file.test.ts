import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { symbols, tableStatements } from "../../src/dataset/schema.ts";
import { readSecList, readSymbolFile } from "../../src/dataset/reference-file.ts";
import { Draft, writeSnapshot } from "../../src/dataset/writer.ts";
import { tempFolder } from "../support/folder.ts";
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
const listed = readSecList(JSON.stringify(SEC));

test("the SEC's list is read by registrant, with its symbols in the SEC's order; so is the file", () => {
  const text = [
    "cik\tname\tsymbols",
    "0000000007\tOdd Name Co\tODD-PA",
    "0000000042\tACME CORP\tACME:NYSE",
    "0001652044\tAlphabet Inc.\tGOOGL:Nasdaq GOOG:Nasdaq",
    "",
  ].join("\n");
  expect(readSymbolFile(text, "file")).toEqual(listed);
  expect(listed.map(({ cik }) => cik)).toEqual(["0000000007", "0000000042", "0001652044"]);
});

test("a row of the SEC's list may end before the exchange", () => {
  const [one] = readSecList('{"data":[[42,"Acme","acme"]]}');
  expect(one).toMatchObject({ cik: "0000000042", symbols: [{ symbol: "ACME", exchange: null }] });
});

test("a list or a file in another format is refused", () => {
  expect(() => readSecList('{"rows":[]}')).toThrow("data must be an array");
  expect(() => readSecList('{"data":[["42","ACME","ACME","NYSE"]]}')).toThrow("data.0.0 must be a number");
  expect(() => readSymbolFile("a\tb\n", "file")).toThrow("file:1");
  expect(() => readSymbolFile("cik\tname\tsymbols\n42\tACME\tACME\n", "file")).toThrow("file:2");
});

/** A snapshot that has the SEC's list only. */
function listedDraft(): Draft {
  const database = new Database(":memory:");
  for (const statement of tableStatements()) database.run(statement);
  const draft = new Draft(database);
  for (const { cik, symbols: of } of listed)
    for (const one of of) draft.addSymbol({ cik, ...one, former: false });
  return draft;
}
const linesOf = (draft: Draft) => draft.read((db) => db.select().from(symbols).orderBy(symbols.symbol).all());

test("the primary symbol is the first in the SEC's list, otherwise the newest filing's; former ones still find the company", () => {
  const draft = listedDraft();
  const acme = testRecord({ filings: [testFiling({ symbol: "OLDACME" })], symbols: ["ACM.A"] });
  const gone = testRecord({
    cik: "0000000043",
    filings: [testFiling({ year: 2024, symbol: "OLD" }), testFiling({ symbol: "NEW" })],
    symbols: [],
  });
  expect([acme, gone].flatMap((record) => draft.addFiledSymbols(record))).toEqual([]);
  expect([draft.tickerOf(acme.cik), draft.tickerOf(gone.cik)]).toEqual(["ACME", "NEW"]);
  const found = Object.fromEntries(
    linesOf(draft).map(({ symbol, cik, former }) => [symbol, [Number(cik), former]]),
  );
  expect(found["ACM-A"]).toEqual([42, true]);
  expect(found["OLDACME"]).toEqual([42, true]);
  expect(found["OLD"]).toEqual([43, true]);
  expect(found["GOOG"]).toEqual([1652044, false]);
});

test("a symbol that the list assigns to another company finds that one, and never its former owner", () => {
  const draft = listedDraft();
  const record = testRecord({
    cik: "0000000043",
    symbols: ["GOOG"],
    filings: [testFiling({ symbol: null })],
  });
  expect(draft.addFiledSymbols(record)).toEqual([]);
  expect(linesOf(draft).filter(({ symbol }) => symbol === "GOOG")).toEqual([
    { symbol: "GOOG", cik: "0001652044", place: 1, exchange: "Nasdaq", former: false },
  ]);
});

test("a former symbol that two companies claim is reported", () => {
  const draft = listedDraft();
  const of = (cik: string) => testRecord({ cik, filings: [], observations: [], symbols: ["GONE"] });
  expect(draft.addFiledSymbols(of("0000000043"))).toEqual([]);
  expect(draft.addFiledSymbols(of("0000000044"))).toEqual([{ symbol: "GONE", owner: "0000000043" }]);
  const records = ["0000000043", "0000000044", "0000000045"].map(of);
  const write = () =>
    writeSnapshot(join(tempFolder(), "claimed.sqlite"), { edition: "2026-01-01", listed, records });
  expect(write).toThrow(
    "symbol GONE: claimed by 0000000043 and 0000000044 and 0000000045, but assigned to none of them by the SEC's list",
  );
});
