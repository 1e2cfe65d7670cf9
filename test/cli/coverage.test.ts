import { expect, test } from "bun:test";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const run = (...words: string[]) => cli(...words, { environment: { EXECCOMP_DATA_DIR: folder } });

test("coverage shows for each company which years are available and complete, and what is missing", async () => {
  const { code, json } = await run("coverage", "aapl", "ZTS", "--json");
  expect(code).toBe(0);
  // As `toJson` of coverage.ts writes it.
  const { companies } = json() as {
    companies: { ticker: string; years: unknown[]; gaps: string[]; rows: number }[];
  };
  const [apple, zoetis] = companies;
  expect(companies.map(({ ticker }) => ticker)).toEqual(["AAPL", "ZTS"]);
  expect(apple?.years[0]).toEqual({ fiscal_year: 2025, complete: true });
  expect(apple?.years.at(-1)).toEqual({ fiscal_year: 2020, complete: false });
  expect(apple?.gaps).toEqual(["incomplete years 2021, 2020"]);
  expect(zoetis?.rows).toBe(0);
  expect(zoetis?.gaps[0]).toMatch(/^its newest filing \S+ has not been read$/);
});

test("coverage for people marks partial years and what is not loaded; an unknown company is exit code 1", async () => {
  const { out, err } = await run("coverage", "AAPL", "ZTS");
  expect(out).toMatch(/^AAPL +Apple Inc\. +2025 2024 2023 2022 2021\* 2020\* +31  checked, typed /m);
  expect(out).toContain("not loaded");
  expect(err).toMatch(/\d+ of [\d,]+ companies have rows; [\d,]+ known filings are not loaded yet/);
  const { code, out: gaps } = await run("coverage", "--gaps");
  expect(code).toBe(0);
  expect(gaps.split("\n").length).toBeGreaterThan(300);
  expect((await run("coverage", "NOBODY")).code).toBe(1);
});

test("explain without a field shows what every filing says about a year, what was restated, and which one is served", async () => {
  const { out } = await run("explain", "COST", "2023", "richard-galanti");
  expect(out).toMatch(/^filed +2023-12-07 +2025-12-04\n/);
  expect(out).toMatch(/salary +866,346 +919,231 \*\n/);
  expect(out).toMatch(/bonus +16,000 +16,000\n/);
  const { json } = await run("explain", "COST", "2023", "richard-galanti", "--json");
  // As `toJson` of explain.ts writes it.
  const { filings } = json() as { filings: { salary: number; served: boolean }[] };
  expect(filings.map(({ salary, served }) => [salary, served])).toEqual([
    [866_346, false],
    [919_231, true],
  ]);
});

test("as of a day, only filings filed by then count", async () => {
  const early = await run("explain", "COST", "2023", "richard-galanti", "--as-of", "2024-01-01", "--json");
  expect((early.json() as { filings: unknown[] }).filings.length).toBe(1);
  // From the filing date on.
  for (const [day, filed] of [
    ["2025-12-03", 1],
    ["2025-12-04", 2],
  ] as const) {
    const told = await run("explain", "COST", "2023", "richard-galanti", "--as-of", day, "--json");
    expect([day, (told.json() as { filings: unknown[] }).filings.length]).toEqual([day, filed]);
  }
  const shown = await run("show", "COST", "--as-of", "2024-01-01", "--json", "--years", "1");
  const rowsIn = (out: string) => {
    // REST's body, whose schema the contract tests check.
    const body = JSON.parse(out) as {
      executive_compensation: { executive_id: string; salary: number; fiscal_year: number }[];
    };
    return body.executive_compensation;
  };
  const rows = rowsIn(shown.out);
  expect(new Set(rows.map(({ fiscal_year }) => fiscal_year))).toEqual(new Set([2023]));
  expect(rows.find(({ executive_id }) => executive_id === "richard-galanti")?.salary).toBe(866_346);
  const nobody = await run("show", "COST", "--as-of", "2001-01-01", "--json");
  expect(rowsIn(nobody.out)).toEqual([]);
  for (const day of ["2024-13-01", "2024-02-30", "yesterday"]) {
    const { code, err } = await run("show", "COST", "--as-of", day);
    expect([code, err.includes("expected a date such as")]).toEqual([2, true]);
  }
});

test("a near miss in the id suggests the right id, an unknown company the right symbol", async () => {
  const { code, err } = await run("explain", "AAPL", "2024", "tim-cok");
  expect([code, err.includes("Did you mean tim-cook?")]).toEqual([1, true]);
  expect((await run("explain", "AAPL", "20x4", "tim-cook")).code).toBe(2);
});

test("coverage --tickers prints one symbol per line, ascending, and the REST body as JSON", async () => {
  const lines = (await run("coverage", "--tickers")).out.trimEnd().split("\n");
  expect(lines).toContain("AAPL");
  expect(lines).toEqual(lines.toSorted());
  const rest = await run("get", "/api/executive-compensation/tickers");
  expect(rest.json()).toEqual({ resource: "executive_compensation", tickers: lines });
  expect((await run("coverage", "--tickers", "--json")).json()).toEqual(rest.json());
  const some = await run("coverage", "--tickers", "aapl", "ZTS");
  expect([some.code, some.out]).toEqual([0, "AAPL\n"]);
});

test("what is for the filings of a year is refused for one field", async () => {
  for (const words of [
    ["--as-of", "2025-01-01"],
    ["--format", "csv"],
  ]) {
    const { code, err } = await run("explain", "AAPL", "2025", "tim-cook", "salary", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(`${words[0]} is for explain without FIELD`)]);
  }
});
