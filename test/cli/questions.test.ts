/** `query`, `stats`, `compare` and `find`: answers of the operations, for people and scripts. */
import { describe, expect, test } from "bun:test";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { textTable } from "../../src/lib/text-table.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const ask = (...words: string[]) => cli(...words, { environment: { EXECCOMP_DATA_DIR: folder } });
const get = async (path: string) => JSON.parse((await ask("get", path)).out);

describe("query", () => {
  const words = ["query", "--office", "pfo", "--fiscal-year", "2024", "--max-rows", "3"];

  test("answers like REST, in every format", async () => {
    const body = await get("/api/executive-compensation/query?office=pfo&fiscal_year=2024&max_rows=3");
    expect((await ask(...words, "--json")).json()).toEqual(body);
    const rows = body.executive_compensation;
    const jsonl = (await ask(...words, "--format", "jsonl")).out.trimEnd().split("\n");
    expect(jsonl.map((line) => JSON.parse(line))).toEqual(rows);
    const csv = (await ask(...words, "--format", "csv")).out.trimEnd().split("\n");
    expect(csv).toHaveLength(4);
    expect(csv[0]).toStartWith("ticker,cik,company_name,");
    expect((await ask(...words, "--format", "md")).out.split("\n")[1]).toMatch(/^\| --- \|/);
  });

  test.each([
    ["--sort -total_change", ["total_change"]],
    ["--equity-share-gte 0.9 --sort total_change_percent", ["total_change_percent", "equity_share"]],
    ["--measures cash_share --sort -equity_share", ["cash_share", "equity_share"]],
    ["--sort salary", []],
  ])(
    "a table shows the measures that %s sorts or chooses by; a file has what was asked for",
    async (flags, shown) => {
      const of = async (format: string) =>
        (await ask("query", ...flags.split(" "), "--max-rows", "2", "--format", format)).out.split("\n")[0] ??
        "";
      const named = (head: string) =>
        [...head.matchAll(/\w+_(?:change|percent|share)\b/g)].map(([name]) => name);
      expect(named(await of("table"))).toEqual(shown);
      expect(named(await of("csv"))).toEqual([
        "pension_change",
        ...(flags.includes("--measures") ? ["cash_share"] : []),
      ]);
      const line = await of("jsonl");
      expect(Object.hasOwn(JSON.parse(line), "cash_share")).toBe(flags.includes("--measures"));
    },
  );

  test("names the highest-paid CFO with the filing, and says what is partial", async () => {
    const ran = await ask("query", "--office", "pfo", "--fiscal-year", "2024", "--max-rows", "1");
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/2024 +TSLA +Vaibhav Taneja +139,472,935 .*0001104659-25-090866/);
    expect(ran.err).toMatch(
      /\d+ rows from \d+ compan(y|ies) matched; \d+ of \d+ company-years are partial\./,
    );
    expect(ran.err).toContain("--cursor ");
  });

  test("reports the number of matches and further rows on standard error, in every format", async () => {
    for (const format of ["csv", "jsonl", "md"]) {
      const { err } = await ask(...words, "--format", format);
      expect(err).toMatch(/\d+ rows from \d+ compan(y|ies) matched/);
      expect(err).toContain("More rows: --cursor ");
    }
    expect((await ask(...words, "--json")).err).toBe("");
  });

  test("marks partial and short years, has a column for unreconciled amounts, and CSV has them by row", async () => {
    const ran = await ask("query", "--ticker", "SBUX,PSKY,AAPL", "--fiscal-year-gte", "2024");
    expect(ran.out).toMatch(/^2024 † +SBUX +Sara Kelly .* \(141,986\) /m);
    expect(ran.out).toMatch(/^2025 ‡ +PSKY +David Ellison/m);
    expect(ran.out).toMatch(/^2025 +AAPL +Tim Cook/m);
    expect(ran.err).toContain("† partial: that year's proxy statement has not been read");
    expect(ran.err).toContain("‡ covers less than a year");
    const csv = await ask("query", "--ticker", "SBUX,PSKY", "--fiscal-year-gte", "2024", "--format", "csv");
    expect(csv.out).toMatch(/^ticker,.*,year_complete,problems$/m);
    expect(csv.out).toMatch(/^"PSKY",.*,"david-ellison",.*,true,"partial_period"$/m);
    expect(csv.out).toMatch(/^"SBUX",.*,2024,.*,"sara-kelly",.*,false,"filer_arithmetic"$/m);
    expect(csv.err).not.toContain("†");
    expect((await ask("query", "--ticker", "AAPL")).out).not.toMatch(/Difference|[†‡]/);
  });

  test("the cursor continues after the last row", async () => {
    const first = (await ask(...words, "--json")).json() as { next_cursor: string };
    const next = await ask(
      "query",
      "--office",
      "pfo",
      "--fiscal-year",
      "2024",
      "--max-rows",
      "3",
      "--cursor",
      first.next_cursor,
      "--json",
    );
    expect(next.code).toBe(0);
    expect((next.json() as { executive_compensation: unknown[] }).executive_compensation).toHaveLength(3);
  });

  test("a wrong value is reported with the expected ones, exit 2", async () => {
    for (const wrong of [
      ["--sector", "nope"],
      ["--max-rows", "0"],
      ["--sort", "height"],
      ["--fiscal-year", "20x4"],
    ]) {
      const ran = await ask("query", ...wrong);
      expect([wrong, ran.code, ran.out]).toEqual([wrong, 2, ""]);
      expect(ran.err).toContain("expected");
    }
  });

  test("a file is written completely or not at all", async () => {
    const out = join(folder, "rows.csv");
    expect((await ask(...words, "--format", "csv", "--out", out)).out).toBe("");
    expect(readFileSync(out, "utf8").trimEnd().split("\n")).toHaveLength(4);
    expect((await ask(...words, "--out", "/nonexistent/rows.csv")).code).toBe(1);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    expect((await ask(...words, "--format", "csv", "--out", "-")).out).toStartWith("ticker,");
  });
});

test("stats answers like REST, and ranks a company", async () => {
  const query = "office=peo&sector=information_technology&rank_ticker=AAPL";
  const body = await get(`/api/executive-compensation/statistics?${query}`);
  const words = ["stats", "--office", "peo", "--sector", "information_technology", "--rank-ticker", "AAPL"];
  expect((await ask(...words, "--json")).json()).toEqual(body);
  const table = await ask(...words);
  expect(table.out).toContain("Median");
  expect(table.out).toMatch(/tim-cook 2025: 74,294,811, rank \d+, above \d+% of the others/);
  expect(
    (await ask("stats", "--group-by", "sector", "--format", "csv")).out.split("\n").length,
  ).toBeGreaterThan(10);
});

test("compare takes names and CIKs beside tickers, and names what it does not find in JSON too", async () => {
  const ran = await ask("compare", "apple", "0000789019", "nvidia", "NOPE", "--json");
  const { executive_compensation: rows, not_found: unknown } = ran.json() as {
    executive_compensation: { ticker: string }[];
    not_found: string[];
  };
  expect(rows.map(({ ticker }) => ticker).toSorted()).toEqual(["AAPL", "MSFT", "NVDA"]);
  expect(unknown).toEqual(["NOPE"]);
});

test("compare refuses a name that several companies have, and keeps the symbol that was asked for", async () => {
  const ran = await ask("compare", "AAPL,", "united");
  expect([ran.code, ran.out]).toEqual([1, ""]);
  expect(ran.err).toContain('"united" matches United ');
  expect((await ask("compare", "GOOG")).out).toContain("GOOG ");
});

test("people are part of the answer of find in every format, and the command shows their pay", async () => {
  const { code, out, err } = await ask("find", "tim", "coo");
  expect(code).toBe(0);
  expect(out).toMatch(/^Ticker +Executive +Company.*\nAAPL +Tim Cook +Apple Inc\. +2020-2025 +tim-cook/);
  const command = /: execcomp (.*)\n/.exec(err)?.[1] ?? "";
  expect((await ask(...command.split(" "))).out).toContain("74,294,811");
  expect((await ask("find", "facebook")).err).not.toContain("execcomp query");
  const person = {
    ticker: "AAPL",
    cik: "0000320193",
    company_name: "Apple Inc.",
    executive_id: "tim-cook",
    executive_name: "Tim Cook",
    fiscal_years: [2025, 2024, 2023, 2022, 2021, 2020],
  };
  expect((await ask("find", "tim coo", "--json")).json()).toEqual({ companies: [], people: [person] });
  expect(JSON.parse((await ask("find", "tim coo", "--format", "jsonl")).out)).toEqual(person);
  expect((await ask("find", "tim coo", "--format", "csv")).out).toContain('"tim-cook","Tim Cook","2025 2024');
  expect((await ask("find", "tim coo", "--format", "md")).out).toContain("| AAPL | Tim Cook |");
});

test("compare names companies without rows, and counts partial years", async () => {
  const { out, err } = await ask("compare", "aapl,MSFT", "SHW", "NOPE", "--fiscal-year", "2024");
  expect(out).toContain("Tim Cook");
  expect(err).toContain("2 rows from 2 companies matched; 1 of 2 company-years is partial.\n");
  expect(err).toContain(
    "Not found: NOPE. To search: execcomp find WORDS\nNo rows for SHW: none of its filings has been read yet; to fetch them: execcomp ingest SHW.\n",
  );
  expect((await ask("compare", "BRK.B", "--format", "json")).err).toBe("");
});

test("compare shows the office at each company, and names unknown companies", async () => {
  const ran = await ask("compare", "AAPL", "MSFT", "NOPE");
  expect(ran.out).toContain("Tim Cook");
  expect(ran.out).toContain("Satya Nadella");
  expect(ran.err).toContain("Not found: NOPE.");
  expect((await ask("compare", "AAPL", "--office", "pfo", "--fiscal-year", "2024")).out).toContain(
    "Luca Maestri",
  );
});

test("compare has companies in the order in which they are named, each with its newest known total, in every format", async () => {
  const words = ["compare", "msft", "MDT", "Apple", "--fiscal-year-gte", "2024"];
  const placesOf = (lines: readonly string[], pattern: RegExp) =>
    lines.flatMap((line) => pattern.exec(line)?.slice(1).join(" ") ?? []);
  const asked = ["2025 MSFT", "2024 MSFT", "2026 MDT", "2025 MDT", "2024 MDT", "2025 AAPL", "2024 AAPL"];
  const table = (await ask(...words)).out.split("\n");
  expect(placesOf(table, /^(20\d\d)[ †*]+(MSFT|MDT|AAPL) /)).toEqual(asked);
  const csv = (await ask(...words, "--format", "csv")).out.trim().split("\n");
  expect(placesOf(csv, /^"(\w+)",.*?,(20\d\d),/).map((one) => one.split(" ").toReversed().join(" "))).toEqual(
    asked,
  );
  // What is not known is empty, never a zero.
  const total = csv.find((line) => line.startsWith('"MDT"')) ?? "";
  expect(total).toMatch(/,"USD",,,,,,,,,\d+(\.\d+)?,/);
  type Line = { ticker: string; fiscal_year: number; basis?: string; salary?: number };
  const lines = (await ask(...words, "--format", "jsonl")).out.trim().split("\n");
  const records = lines.map((line): Line => JSON.parse(line));
  expect(records.map((one) => `${one.fiscal_year} ${one.ticker}`)).toEqual(asked);
  expect(
    records.filter(({ salary }) => salary === undefined).map(({ ticker, basis }) => [ticker, basis]),
  ).toEqual([["MDT", "tag"]]);
  const json = (await ask(...words, "--json")).json() as Record<string, Line[]>;
  expect(json["executive_compensation"]?.map(({ ticker }) => ticker)).toEqual(
    "MSFT MSFT MDT MDT AAPL AAPL".split(" "),
  );
  expect(json["ceo_pay"]?.some(({ ticker, fiscal_year: year }) => ticker === "MDT" && year === 2026)).toBe(
    true,
  );
  // CFOs have no other total than that of their row.
  expect((await ask("compare", "MDT", "--office", "cfo", "--json")).json()).not.toHaveProperty("ceo_pay");
});

test("compare takes bounds of years, and the office by the name that output gives it", async () => {
  const years = async (...words: string[]) => {
    const { out } = await ask("compare", "AAPL", "--format", "csv", ...words);
    return out
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => /"Tim Cook",.*?,(\d{4}),/.exec(line)?.[1] ?? line);
  };
  expect((await ask("compare", "AAPL", "--fiscal-year-gte", "2023", "--json")).json()).toMatchObject({
    matched: { company_years: 3 },
  });
  expect(await years("--fiscal-year-lt", "2022", "--fiscal-year-gte", "2021")).toHaveLength(1);
  for (const office of ["cfo", "pfo"]) {
    const { out } = await ask("compare", "AAPL", "--office", office, "--fiscal-year", "2024");
    expect([office, out.includes("Luca Maestri")]).toEqual([office, true]);
  }
  expect((await ask("query", "--ticker", "AAPL", "--office", "CEO")).out).toContain("Tim Cook");
});

test("a flag that leaves words out is suggested in full", async () => {
  const { code, err } = await ask("query", "--total-gte", "5");
  expect([code, err]).toEqual([2, expect.stringContaining("Did you mean --total-compensation-gte?")]);
});

test("find knows former names and informal ones", async () => {
  expect((await ask("find", "facebook")).out).toContain("META");
  // Companies that are merely spelled alike do not come before the person who is meant.
  const orderOf = async (...words: string[]) => {
    const { out } = await ask("find", ...words);
    return ["Elon Musk", "Murphy USA", "Ford Motor"]
      .filter((name) => out.includes(name))
      .toSorted((a, b) => out.indexOf(a) - out.indexOf(b));
  };
  expect(await orderOf("musk")).toEqual(["Elon Musk", "Murphy USA"]);
  expect((await orderOf("ford"))[0]).toBe("Ford Motor");
  expect((await ask("find", "j", "p", "morgan")).out).toContain("JPM");
  const none = await ask("find", "zzzzqqqq");
  expect([none.code, none.out]).toEqual([1, "No company or person found.\n"]);
});

test("on a narrow terminal a table omits the least important columns, and never the essential ones", () => {
  const columns = [
    { head: "A", align: "left", rank: 0, cell: () => "aaaa" },
    { head: "B", align: "left", rank: 2, cell: () => "bbbb" },
    { head: "C", align: "right", rank: 1, cell: () => "cc" },
  ] as const;
  expect(textTable(columns, [{}], null).split("\n")[0]).toBe("A     B      C");
  expect(textTable(columns, [{}], 12).split("\n")[0]).toBe("A      C");
  expect(textTable(columns, [{}], 1).split("\n")[0]).toBe("A");
  expect(textTable(columns, [{}], 12).split("\n").slice(-2)).toEqual(["(no room for", "  B)"]);
  const wide = [
    { head: "Name", align: "left", rank: 0, cell: () => "a name that goes on and on" },
    { head: "Amount", align: "right", rank: 0, cell: () => "123,456,789" },
  ] as const;
  // Texts are truncated, numbers never.
  expect(textTable(wide, [{}], 30).split("\n")[1]).toBe("a name that goes…  123,456,789");
});

describe("ceo-pay", () => {
  test("the ten highest-paid CEOs of the S&P 500, with basis, counts and what is missing", async () => {
    const words = ["ceo-pay", "--index", "sp500", "--max-rows", "10"];
    const body = await get("/api/ceo-pay?index=sp500&max_rows=10");
    expect((await ask(...words, "--json")).json()).toEqual(body);
    const { out, err } = await ask(...words);
    expect(out.trimEnd().split("\n").at(-10)).toMatch(/WELL +.*821,090,355 +row, confirmed/);
    expect(out).toMatch(/AVGO +.*Hock E. Tan +205,278,006 +row, confirmed/);
    expect(err).toMatch(
      /\d+ totals of 49\d companies matched: \d+ from the filing's table \(row\), \d+ only/,
    );
    expect(err).toContain("BX: no total is known");
    expect(err).toContain("`execcomp ingest --ticker KKR` loads the proxy of 2026-02-27");
    const csv = (await ask(...words, "--format", "csv")).out.trimEnd().split("\n");
    expect(csv).toHaveLength(11);
    const short = await ask("ceo-pay", "--ticker", "PSKY,AAPL");
    expect(short.err.match(/.* not a whole year\./g)).toEqual([
      "PSKY, fiscal 2025: Covers 2025-08-07 to 2025-12-31, not a whole year.",
    ]);
  });

  test("median CEO total by sector", async () => {
    const { out } = await ask("ceo-pay", "--index", "sp500", "--group-by", "sector", "--format", "csv");
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(12);
    expect(lines[0]).toContain("median");
  });
});

test("the README shows what the program prints", async () => {
  const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");
  const { out } = await ask("show", "AAPL");
  expect(readme).toContain(`\n${out.split("\n").slice(0, 5).join("\n")}\n`);
});
