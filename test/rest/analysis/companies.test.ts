/** Companies by their usual names. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { findCompanies } from "../../../src/operations/companies.ts";
import { tempFolder } from "../../support/folder.ts";
import { testFiling, testRecord } from "../../support/record.ts";
import { refusalOf, type TestServer, startTestServer } from "../../support/server.ts";
import { datasetIn, writeTestSnapshot } from "../../support/snapshot.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.createKey();
});
afterAll(() => server.stop());

interface Found {
  ticker: string;
  cik: string;
  company_name: string;
  former_names: string[];
  fiscal_years: number[];
}
const get = (search: string) => server.get(`/api/companies?${search}`, { key });
const find = async (words: string, rows = 10) => {
  const answer = await get(`q=${encodeURIComponent(words)}&max_rows=${rows}`);
  // Each test checks the shape.
  return ((await answer.json()) as { companies: Found[] }).companies;
};

test.each([
  ["facebook", "META"],
  ["Facebook, Inc.", "META"],
  ["FB", "META"],
  ["apple", "AAPL"],
  ["applle", "AAPL"],
  ["appel", "AAPL"],
  ["APPLE INC", "AAPL"],
  ["microsft", "MSFT"],
  ["J P Morgan", "JPM"],
  ["jpmorgan chase & co.", "JPM"],
  ["ford", "F"],
  ["exxon", "XOM"],
  ["brk.b", "BRK-B"],
  ["united technologies", "RTX"],
  ["UTX", "RTX"],
  ["priceline", "BKNG"],
  ["cbs", "PARA"],
  ["320193", "AAPL"],
  ["CIK0000320193", "AAPL"],
  ["procter and gamble", "PG"],
  ["Procter&Gamble", "PG"],
  ["mcdonald's", "MCD"],
  ["walmrt", "WMT"],
  // Of several names of a company, the best match counts, not the last one.
  ["cheniere", "LNG"],
  // Matches within one word come before names that have both parts.
  ["ame ren", "AEE"],
])("the first result for %s is %s", async (words, ticker) => {
  expect((await find(words))[0]?.ticker).toBe(ticker);
});

test("square finds Block by its former name", async () => {
  const [first] = await find("square");
  expect(first?.company_name).toContain("Block");
  expect(first?.former_names.join()).toContain("Square");
});

test("companies without rows come after those with rows, with empty years", async () => {
  const found = await find("american", 100);
  const years = found.map(({ fiscal_years: of }) => of.length > 0);
  expect(years.indexOf(false)).toBeGreaterThan(0);
  expect(years.lastIndexOf(true)).toBeLessThan(years.indexOf(false));
  const few = await find("american", 2);
  expect(few.map(({ ticker }) => ticker)).toEqual(found.slice(0, 2).map(({ ticker }) => ticker));
});

test("known facts about a company are stated, unknown ones are null", async () => {
  expect((await find("META", 1))[0]).toMatchObject({
    ticker: "META",
    cik: "0001326801",
    company_name: "Meta Platforms, Inc.",
    former_names: ["Facebook Inc"],
    sic: "7370",
    sector: "communication_services",
    fiscal_year_end: "12-31",
  });
  expect((await find("TWTR", 1))[0]).toMatchObject({ sic: null, fiscal_years: [], latest_filing_date: null });
});

test("the latest filing date is that of the newest known filing, loaded or not", () => {
  const newer = testFiling({ year: 2026, status: "pending" });
  const accession = "0000000043-26-000001";
  const url = "https://www.sec.gov/Archives/edgar/data/43/000000004326000001/proxy.htm";
  const filings = [testFiling({ accession, url, year: 2026, status: "pending", symbol: "BETA" })];
  const only = testRecord({ cik: "0000000043", symbols: ["BETA"], filings, observations: [] });
  const companies = [testRecord({ filings: [testFiling(), newer] }), only];
  const dataset = datasetIn(writeTestSnapshot(tempFolder(), "known.sqlite", companies));
  const dateOf = (symbol: string) => findCompanies(dataset, symbol, 1)[0]?.latest_filing_date;
  expect([dateOf("ACME"), dateOf("BETA")]).toEqual(["2026-03-15", "2026-03-15"]);
});

test("nonsense finds nothing, costs nothing, and requires a key", async () => {
  expect(await find("qqxxzzqq")).toEqual([]);
  const answer = await get("q=apple");
  expect(answer.headers.get("credits-charged")).toBe("0");
  expect((await refusalOf(await server.get("/api/companies?q=apple"))).status).toBe(401);
});

test.each([
  ["", "Cannot read q"],
  ["q=", "Cannot read q"],
  [`q=${"a".repeat(101)}`, "Cannot read q"],
  ["q=a&max_rows=101", "from 1 to 100"],
  ["name=apple", "Unknown parameter"],
])("%s is a bad request", async (search, said) => {
  const { status, message } = await refusalOf(await get(search));
  expect([status, message]).toEqual([400, expect.stringContaining(said)]);
});
