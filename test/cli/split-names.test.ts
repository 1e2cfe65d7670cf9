/** Names of companies as a shell hands them over, a word each: the company that is meant, or a refusal, and never another one. */
import { expect, test } from "bun:test";
import { lookUpCompany } from "../../src/cli/questions/lookup.ts";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { companyMeant } from "../../src/operations/company.ts";
import { namesOfWords } from "../../src/operations/typed-names.ts";
import { elementAt } from "../../src/lib/checked-access.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const dataset = openDataset(folder);
const companies = dataset.tickers().flatMap((ticker) => dataset.findBySymbol(ticker) ?? []);
const ask = (line: string) => cli(...line.split(" "), { environment: { EXECCOMP_DATA_DIR: folder } });
const ciksOf = (text: string) =>
  namesOfWords(dataset, text.split(" ")).map((name) => lookUpCompany(dataset, name)?.company.cik);

test("every company is found by its name, word by word, with and without commas, in any case", () => {
  for (const { name, cik } of companies)
    for (const typed of [name, name.toLowerCase(), name.toUpperCase(), name.replaceAll(",", "")])
      expect([typed, ciksOf(typed)]).toEqual([typed, [cik]]);
});

test("names and symbols may follow one another", () => {
  for (let at = 1; at < companies.length; at += 5) {
    const [a, b] = [elementAt(companies, at - 1), elementAt(companies, at)];
    for (const typed of [
      `${a.name} ${b.name}`,
      `${a.name}, ${b.name}`,
      `${a.ticker} ${b.name}`,
      `${a.name} ${b.ticker}`,
    ])
      expect([typed, ciksOf(typed)]).toEqual([typed, [a.cik, b.cik]]);
  }
});

test.each([
  ["amazon.com, inc.", ["AMZN"]],
  ["apple, microsoft", ["AAPL", "MSFT"]],
  ["Apple Inc. , Nike, Inc.", ["AAPL", "NKE"]],
  ["apple inc microsoft corp", ["AAPL", "MSFT"]],
  [", AAPL,, MSFT,", ["AAPL", "MSFT"]],
  ["Eli Lilly & Co. and Aon PLC", ["LLY", "AON"]],
  // HOME and FORD were symbols of other companies.
  ["Home Depot ford", ["HD", "F"]],
  // Symbols are companies of their own, and DE is Deere's; V F is also a name.
  ["V F", ["V", "F"]],
  ["ko,de caterpillar de", ["KO", "DE", "CAT"]],
])("compare %s", async (words, tickers) => {
  const { out, err } = await ask(`compare ${words} --format csv`);
  const rows = out.trim().split("\n").slice(1);
  expect([...new Set(rows.map((row) => /^"?([\w-]+)/.exec(row)?.[1]))]).toEqual(tickers);
  expect(err).not.toContain("No rows for");
});

test.each([
  ["compare Bank of Amerca", 'No company "Bank of Amerca". Did you mean Bank of America Corporation (BAC)?'],
  ["compare Home Depo AAPL,", "Not found: DEPO. Did you mean The Home Depot, Inc. (HD)?"],
  ["compare inc.", "No company matches INC-. To search: execcomp find WORDS"],
  ["show amazn inc.", 'No company "amazn inc.". Did you mean Amazon.com, Inc. (AMZN)?'],
  ["show AAPL, MSFT", "For several companies: execcomp compare."],
])("%s is refused with what is near", async (line, message) => {
  expect((await ask(line)).err).toContain(message);
});

test("every command that takes one company takes the words of its name", async () => {
  const titled = expect.stringContaining("Amazon.com, Inc. (AMZN)");
  for (const words of ["amazon.com, inc.", "Amazon.com Inc", "amazon.com , inc."])
    expect((await ask(`show ${words} --years 1`)).out).toEqual(titled);
  expect((await ask("show procter & gamble --years 1")).out).toContain("(PG)");
  expect((await ask("explain amazon.com, inc. 2025 andrew-jassy")).out).toContain("Andrew R. Jassy");
  expect((await ask("coverage nike, inc. --format csv")).out).toMatch(/^"NKE",/m);
  expect((await ask("find amazon.com, inc.")).out).toContain("AMZN");
});

test("a name is the same company to every flag, and no other one is said to have no rows", async () => {
  for (const line of ["query --ticker ford", "stats --ticker ford --rank-ticker ford", "query --ticker Ford"])
    expect((await ask(line)).err).not.toContain("No rows for");
  const { err } = await cli("query", "--ticker", "gap, inc.", { environment: { EXECCOMP_DATA_DIR: folder } });
  expect(err).toContain("No rows for GAP:");
  expect(err).not.toContain("Not found");
});

test("letters alone are no company unless its name begins with them", () => {
  for (const typed of ["R&D", "r d", "H D R"])
    expect([typed, lookUpCompany(dataset, typed)?.company.name]).toEqual([typed, undefined]);
  expect(lookUpCompany(dataset, "D R")?.company.ticker).toBe("DHI");
});

test("each & of a name is looked for between the words that it stands between", () => {
  const nameOf = (typed: string) => companyMeant(dataset, typed)?.company.name;
  expect(nameOf("h&m hennes & mauritz")).toBe("H&M HENNES & MAURITZ AB");
  for (const typed of ["h&m henn&es mauritz", "h&m hennesm&auritz"])
    expect([typed, nameOf(typed)]).toEqual([typed, undefined]);
});
