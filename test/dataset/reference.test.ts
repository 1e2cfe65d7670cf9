/** The dataset's facts about registrants, and that an older snapshot without them still works. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { isMemberOn, readCompanyFacts, sectorOf } from "../../src/dataset/company-facts.ts";
import { FORMAT } from "../../src/dataset/open.ts";
import { openPatch } from "../../src/dataset/patch.ts";
import { readReference, tableLines } from "../../src/dataset/reference-file.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { asFormat, copyCompiledData, datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

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
  const current = members.filter(({ removed }) => removed === "");
  expect(current.length).toBe(503);
  expect(new Set(current.map(({ cik }) => cik)).size).toBe(500);
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

test("a snapshot of format 1 opens, answers, and knows no facts", () => {
  const old = datasetIn(asFormat(1, writeTestSnapshot(folder, "old.sqlite")));
  expect(old.info.format).toBe(1);
  expect(old.years("0000000042").length).toBeGreaterThan(0);
  expect(readCompanyFacts(old, "0000000042")).toMatchObject({ sic: null, sector: null, memberships: [] });
});

test("an ingest adds the embedded facts to a snapshot of format 1", () => {
  const base = asFormat(1, writeTestSnapshot(folder, "base.sqlite"));
  const out = join(folder, "upgraded.sqlite");
  const embedded = () => new Uint8Array(readFileSync(join(folder, "all.sqlite")));
  using patch = openPatch(base, out, embedded);
  patch.put(testRecord());
  patch.finish();
  const upgraded = datasetIn(out);
  expect(upgraded.info.format).toBe(FORMAT);
  expect(readCompanyFacts(upgraded, "0001326801").sector).toBe("communication_services");
  const names = (path: string) =>
    new Database(path, { readonly: true })
      .query("select name from sqlite_schema order by name")
      .values()
      .flat();
  expect(names(out)).toEqual(names(join(folder, "all.sqlite")));
});

test("a line with a different number of cells is refused with its place", () => {
  expect(() => tableLines("a\tb\n1\t2\n3\n", "file")).toThrow("file:3");
});
