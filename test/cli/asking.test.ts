import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ExecutiveCompensationResponse } from "../support/row-types.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const ask = (...words: string[]) =>
  cli(...words, { environment: { EXECCOMP_DATA_DIR: join(folder, "none") } });
const rowsOf = (body: unknown) => ExecutiveCompensationResponse.assert(body).executive_compensation;

describe("show", () => {
  test("shows Apple's newest four years as a table, with the filing's link", async () => {
    const { code, out, err } = await ask("show", "AAPL");
    expect({ code, err }).toEqual({ code: 0, err: "2 earlier years: --years 6\n" });
    expect(out).toMatch(/Tim Cook, CEO .* 74,294,811\n/);
    for (const year of ["FY2025", "FY2024", "FY2023", "FY2022"]) expect(out).toContain(`\n${year} `);
    expect(out).not.toContain("FY2021");
    expect(out).toContain("https://www.sec.gov/Archives/edgar/data/320193/000130817926000008/");
  });

  test("a bound without --years shows every year that it selects; what --years leaves out is told", async () => {
    const yearsIn = ({ out }: { out: string }) => [...out.matchAll(/^FY(\d{4})/gm)].map(([, year]) => year);
    const bound = await ask("show", "AAPL", "--fiscal-year-gte", "2020");
    expect([yearsIn(bound), bound.err]).toEqual([["2025", "2024", "2023", "2022", "2021", "2020"], ""]);
    const both = await ask("show", "AAPL", "--fiscal-year-lte", "2024", "--years", "1");
    expect([yearsIn(both), both.err]).toEqual([["2024"], "4 earlier years: --years 5\n"]);
    expect((await ask("show", "AAPL", "--years", "6")).err).toBe("");
    const missing = await ask("show", "AAPL", "--fiscal-year-gte", "2018", "--fiscal-year-lte", "2021");
    expect(missing.err).toMatch(/^AAPL: 2020 to 2025 .*, 2018 to 2019 not .*\.\n$/);
  });

  test("a second company is compare's", async () => {
    const { code, err } = await ask("show", "AAPL", "MSFT");
    expect([code, err]).toEqual([2, expect.stringContaining("For several companies: execcomp compare.")]);
  });

  test("marks a year that may lack executives", async () => {
    const { out } = await ask("show", "TSLA", "--years", "2");
    expect(out).toMatch(/^FY2024 {2}/m);
    expect(out).toMatch(/^FY2023 † /m);
    expect(out).toContain("† partial");
  });

  test("get reports incomplete years and a newer filing on standard error", async () => {
    const tesla = await ask("get", "/api/executive-compensation?ticker=TSLA&limit=2");
    expect([tesla.code, tesla.err]).toEqual([0, "200\nIncomplete fiscal years: 2023\n"]);
    const expedia = await ask("get", "/t/EXPE/facts");
    expect(expedia.err).toContain('Newer filing, not read yet: "0001324424-26-000022"');
  });

  test("finds a company by any spelling of its symbol and by CIK", async () => {
    const [dot, cik, bare] = await Promise.all([
      ask("show", "brk.b", "--json"),
      ask("show", "CIK0001067983", "--json"),
      ask("show", "1067983", "--json"),
    ]);
    expect(rowsOf(dot.json())[0]?.ticker).toBe("BRK-B");
    expect(cik.out).toBe(dot.out);
    expect(bare.out).toBe(dot.out);
  });

  test("shows as many years as asked for", async () => {
    const body = (await ask("show", "AAPL", "--years", "1", "--format", "json")).json();
    expect([...new Set(rowsOf(body).map((row) => row.fiscal_year))]).toEqual([2025]);
    expect(body).toHaveProperty("incomplete_fiscal_years", []);
  });

  test("finds a company by one unambiguous name, and lists all that a word matches", async () => {
    expect((await ask("show", "aPPle", "--years", "1")).out).toContain("(AAPL)");
    const several = await ask("show", "american");
    expect([several.code, several.out]).toEqual([1, ""]);
    expect(several.err).toMatch(/"american" matches .*\(AXP\).*Specify one by its ticker/);
  });

  test("refuses an unknown symbol, exit 1, and prints no rows", async () => {
    const ran = await ask("show", "AAPLE");
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain('No ticker "AAPLE". Did you mean Apple Inc. (AAPL)?');
  });

  test.each(["0", "x", "101", "1.5"])("refuses --years %s as wrong usage", async (years) => {
    const ran = await ask("show", "AAPL", "--years", years);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(`--years "${years}": expected a whole number from 1 to 100`);
  });

  test("writes nothing into the data folder", () => {
    expect(existsSync(join(folder, "none", "store.sqlite"))).toBe(false);
  });
});

describe("a terminal", () => {
  const environment = { EXECCOMP_DATA_DIR: join(folder, "none") };

  test("without arguments, lists possible questions in lines that fit, and each has an answer", async () => {
    const { code, out } = await cli({ terminal: 80, environment });
    expect(code).toBe(0);
    for (const line of out.split("\n")) expect([line, line.length <= 80]).toEqual([line, true]);
    const questions = [
      ...out.matchAll(/^ {2}execcomp ((?:show|find|query|stats|compare|explain) .*?) {2,}/gm),
    ];
    expect(questions).toHaveLength(6);
    for (const [, question = ""] of questions)
      expect((await cli(...question.split(" "), { environment })).code).toBe(0);
  });
});

describe("get", () => {
  test("answers as the local operator: the body alone on standard output, the status on standard error", async () => {
    const ran = await ask("get", "/api/executive-compensation?ticker=AAPL");
    expect(ran).toMatchObject({ code: 0, err: "200\n" });
    const years = [...new Set(rowsOf(ran.json()).map((row) => row.fiscal_year))];
    expect(years).toEqual([2025, 2024, 2023, 2022]);
  });

  test("answers anonymously on request", async () => {
    const history = await ask("get", "/api/executive-compensation?ticker=AAPL", "--anonymous");
    expect(history).toMatchObject({ code: 1, err: "401\n" });
    expect(history.json()).toHaveProperty("error", "Unauthorized");
    expect(await ask("get", "/t/AAPL/facts", "--anonymous")).toMatchObject({ code: 0, err: "200\n" });
  });

  test.each([
    ["/api/executive-compensation?ticker=NOPENOPE", "404\n"],
    ["/api/executive-compensation?ticker=AAPL&limit=x", "400\n"],
    ["/nothing/here", "404\n"],
  ])("reports with exit code 1 that %s was refused", async (path, err) => {
    const ran = await ask("get", path);
    expect(ran).toMatchObject({ code: 1, err });
    expect(Object.keys(Object(ran.json())).toSorted()).toEqual(["error", "message"]);
  });

  test("refuses an invalid path, and two ways to send it at once", async () => {
    expect(await ask("get", "api/x")).toMatchObject({ code: 2, out: "" });
    expect(await ask("get", "/t/AAPL/facts", "--anonymous", "--key", "k")).toMatchObject({
      code: 2,
      out: "",
    });
  });
});

test("explain says once how collected amounts are known", async () => {
  const { out } = await ask("explain", "WELL", "2025", "shankh-mitra", "stock_awards");
  expect(out.match(/^Collected from the filing/gm)).toHaveLength(1);
});
