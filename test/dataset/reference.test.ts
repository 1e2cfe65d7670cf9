/** The dataset's facts about registrants, and that an older snapshot without them still works. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMemberOn, readCompanyFacts, readSuccessor, sectorOf } from "../../src/dataset/company-facts.ts";
import { readReference, tableLines } from "../../src/dataset/reference-file.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const DATA = join(import.meta.dir, "../../data");
const folder = tempFolder();
const dataset = datasetIn(copyCompiledData(join(folder, "all.sqlite")));

test.each([
  ["FB", "0001326801"],
  ["UTX", "0000101829"],
  ["PCLN", "0001075531"],
  ["VIAC", "0000813828"],
  ["CBS", "0000813828"],
  ["FI", "0000798354"],
  ["TWTR", "0001418091"],
])("the former symbol %s finds CIK %s", (symbol, cik) => {
  expect(dataset.findBySymbol(symbol)?.cik).toBe(cik);
});

test("no symbol in the SEC's list finds another company", () => {
  const listed = tableLines(readFileSync(join(DATA, "symbols.tsv"), "utf8"), "symbols.tsv");
  const holders = new Map<string, Set<string>>();
  for (const [cik = "", , symbols = ""] of listed) {
    for (const word of symbols.split(" ")) {
      const [symbol = ""] = word.split(":");
      holders.set(symbol, (holders.get(symbol) ?? new Set()).add(cik));
    }
  }
  for (const [symbol, [cik = "", ...others]] of holders) {
    if (others.length === 0 && Number(cik) <= 100_000)
      expect([symbol, dataset.findBySymbol(symbol)?.cik]).toEqual([symbol, cik]);
  }
  expect(holders.size).toBeGreaterThan(8_000);
});

test("Meta's facts are known: SIC, sector, filer category, year end, states, former name, index", () => {
  const facts = readCompanyFacts(dataset, "0001326801");
  expect(facts).toMatchObject({
    sic: "7370",
    sector: "communication_services",
    filerCategory: "Large accelerated filer",
    fiscalYearEnd: "12-31",
    stateOfIncorporation: "DE",
    businessState: "CA",
  });
  expect(facts.sicDescription).toContain("Computer");
  expect(facts.formerNames.map(({ name }) => name)).toContain("Facebook Inc");
  expect(isMemberOn(facts.memberships, "2013-12-22")).toBe(false);
  expect(isMemberOn(facts.memberships, "2024-12-31")).toBe(true);
});

test("Exxon is a member under the CIK of its filings", () => {
  expect(isMemberOn(readCompanyFacts(dataset, "0000034088").memberships, "2024-12-31")).toBe(true);
  expect(readCompanyFacts(dataset, "0002115436").memberships).toEqual([]);
});

test("500 companies, not 503 symbols, are current members", () => {
  const { members } = readReference(join(DATA, "reference"));
  const current = members.filter(({ removed }) => removed === null);
  expect(current.length).toBe(503);
  expect(new Set(current.map(({ cik }) => cik)).size).toBe(500);
});

test("a successor is a registrant with rows and of nearly the name, and its predecessor has neither rows nor a symbol", () => {
  const { successors } = readReference(join(DATA, "reference"));
  expect(successors.length).toBeGreaterThan(0);
  for (const { cik, successor } of successors) {
    const [before, after] = [dataset.findByCik(cik), dataset.findByCik(successor)];
    expect([cik, before?.hasRows, before?.ticker, after?.hasRows]).toEqual([cik, false, "", true]);
    expect(after?.name.split(" ")[0]?.toUpperCase()).toContain(before?.name.split(" ")[0]?.toUpperCase());
    expect(readSuccessor(dataset, cik)?.successor).toBe(successor);
    expect(readSuccessor(dataset, successor)).toBeNull();
  }
});

test("the newest membership determines the sector, and the day of removal is not a day of membership", () => {
  const stays = [
    { sector: "financials", added: "2001-01-01", removed: "2019-05-01" },
    { sector: "industrials", added: "2019-05-01", removed: null },
    { sector: "energy", added: "2020-05-01", removed: "2021-05-01" },
  ];
  expect(sectorOf(stays)).toBe("industrials");
  expect(sectorOf([])).toBeNull();
  expect(isMemberOn([{ added: "2001-01-01", removed: "2019-05-01" }], "2019-05-01")).toBe(false);
  expect(isMemberOn([{ added: "2001-01-01", removed: "2019-05-01" }], "2001-01-01")).toBe(true);
});
