/** Amounts in different currencies are never drawn or compared as if they were in one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { EXAMPLE_ROW } from "../support/example-row.ts";
import { installFile } from "../../src/dataset/installed.ts";
import { tempFolder } from "../support/folder.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";
import { changeOf } from "../../src/web/parts/change.ts";

/** A company with one CEO and one filing per year. */
function companyOf(
  cik: string,
  symbol: string,
  years: Readonly<
    Record<number, { currency: string; salary: number; period?: { start: string; end: string } }>
  >,
) {
  const accessionOf = (year: number) => `${cik}-${String(year + 1).slice(2)}-000001`;
  const entries = Object.entries(years).map(([year, one]) => ({ year: Number(year), ...one }));
  return testRecord({
    cik,
    name: `${symbol} Corp`,
    symbols: [symbol],
    filings: entries.map(({ year, currency }) => {
      const accession = accessionOf(year);
      const url = `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/proxy.htm`;
      return testFiling({ year: year + 1, accession, currency, symbol, url });
    }),
    observations: entries.map(({ year, salary, period = null }) =>
      testRow(
        { accession: accessionOf(year), fiscalYear: year, name: "Ada Byrne", peo: OFFICE, period },
        { salary: salary * 100 },
      ),
    ),
  });
}

const dataDir = tempFolder();
let server: TestServer;
beforeAll(async () => {
  const records = [
    companyOf("0000000041", "HALF", {
      2023: { currency: "USD", salary: 2_000_002 },
      2024: { currency: "USD", salary: 1_000_001, period: { start: "2024-07-01", end: "2024-12-31" } },
    }),
    companyOf("0000000042", "ACME", {
      2022: { currency: "EUR", salary: 7_000_001 },
      2023: { currency: "USD", salary: 2_000_002 },
      2024: { currency: "USD", salary: 3_000_003 },
    }),
    companyOf("0000000043", "BETA", {
      2022: { currency: "USD", salary: 4_000_004 },
      2024: { currency: "USD", salary: 5_000_005 },
    }),
    companyOf("0000000044", "EURO", { 2024: { currency: "EUR", salary: 6_000_006 } }),
  ];
  installFile(dataDir, writeTestSnapshot(dataDir, "changed.sqlite", records), new Date(0).toISOString());
  server = await startTestServer({ dataDir });
});
afterAll(() => server.stop());

/** The titles and values of the charts on a page, and the rest of its text. */
async function shown(path: string) {
  const { text } = await openPage(server, path);
  const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? "";
  const described = [...main.matchAll(/<(title|desc) [^>]*>([^<]*)</g)].map(([, , one]) => one);
  const rest = withoutTags(main.replaceAll(/<svg[^]*?<\/svg>/g, "")).replaceAll(/\s+/g, " ");
  return { drawings: described.join(" "), rest };
}

test("a company's history charts the years in its newest currency, and names those in another", async () => {
  const { drawings, rest } = await shown("/t/ACME");
  expect(drawings).toContain("2M");
  expect(drawings).not.toMatch(/2022|7M/);
  expect(rest).toContain("2022 (EUR)");
  expect(rest).toContain("7,000,001");
  expect(rest).not.toContain("2023 (");
});

test("a change of pay is between consecutive whole years in one currency", async () => {
  const changes = async (path: string) => {
    const { text } = await openPage(server, path);
    const table = /<summary>Chart data[^]*?<\/table>/.exec(text)?.[0] ?? "";
    const lines = table.split('<th scope="row">').slice(1);
    // The fourth cell: names of CEO and CFO, total, change of the CEO.
    return lines.map(
      (line) =>
        `${line.trim().slice(0, 4)} ${withoutTags(line.split("<td")[4] ?? "")
          .replace(/^[^>]*>/, "")
          .trim()}`,
    );
  };
  expect(await changes("/t/ACME")).toEqual(["2024 ▲&#160;50%", "2023 n/a", "2022 n/a"]);
  expect(await changes("/t/BETA")).toEqual(["2024 n/a", "2022 n/a"]);
  const [before, row] = [2023, 2024].map((year) => ({ ...EXAMPLE_ROW, fiscal_year: year }));
  if (before === undefined || row === undefined) throw new Error("two rows");
  const short = { code: "partial_period", message: "" } as const;
  expect(changeOf({ ...row, total_compensation: row.total_compensation * 2 }, before, () => [])).toBe(100);
  expect(changeOf(row, before, (one) => (one === before ? [short] : []))).toBeNull();
  expect(changeOf(row, before, (one) => (one === row ? [short] : []))).toBeNull();
});

test("a year of less than twelve months is marked in the charts of years, their pictures and their table", async () => {
  const [page, person] = [await shown("/t/HALF"), await shown("/t/HALF/2024/ada-byrne")];
  for (const { drawings, rest } of [page, person]) {
    expect(drawings).toMatch(/2023[^‡]*2024‡/);
    expect(rest).toContain("‡ Less than a whole year.");
  }
  expect(page.rest).toContain("2024‡ Ada Byrne");
  const picture = await (await server.asOperator()("/t/HALF/chart?chart=years&format=svg")).text();
  expect(picture).toMatch(/2024‡[^]*‡ Less than a year\./);
});

test("the page of a person charts one currency, too", async () => {
  const { drawings, rest } = await shown("/t/ACME/2024/ada-byrne");
  expect(drawings).toContain("2M");
  expect(drawings).not.toMatch(/2022|7M/);
  expect(rest).toContain("2022 (EUR)");
  expect(rest).toContain("7,000,001");
});

test("a comparison is in the currency of its first company, year by year", async () => {
  const latest = await shown("/compare?t=BETA,ACME,EURO");
  expect(latest.drawings).toContain("BETA");
  expect(latest.drawings).toContain("ACME");
  expect(latest.drawings).not.toMatch(/EURO|7M|6M/);
  expect(latest.rest).toContain("different currency: EURO (EUR), ACME 2022 (EUR).");
  expect(latest.rest).not.toContain("6,000,006");
  const earlier = await shown("/compare?t=BETA,ACME&year=2022");
  expect(earlier.rest).toContain("4,000,004");
  expect(earlier.rest).not.toContain("7,000,001");
  expect(earlier.rest).not.toContain("No CEO");
});

test("the units of a company's table are of its currency", async () => {
  const [euro, beta] = await Promise.all(
    ["/t/EURO", "/t/BETA"].map(async (path) => (await openPage(server, path)).text),
  );
  for (const unit of ["EUR", "EUR thousands"]) expect(euro).toMatch(new RegExp(`>${unit}\\s*</a`));
  for (const unit of ["\\$", "\\$ thousands"]) expect(beta).toMatch(new RegExp(`>${unit}\\s*</a`));
  expect(euro).not.toContain("$ thousands");
});

test("selections and comparisons in another currency have units, charts and titles of it", async () => {
  const asked = "reporting_currency=eur&total_compensation_gte=1000";
  for (const path of [`/statistics?${asked}`, `/rankings?${asked}`, "/compare?companies=EURO"]) {
    const { text } = await openPage(server, path);
    const main = withoutTags(text.slice(text.indexOf("<main")));
    expect([path, main.includes("$")]).toEqual([path, false]);
    expect([path, main.includes("EUR thousands")]).toEqual([path, true]);
    if (path !== "/compare?companies=EURO") expect(text).toMatch(/<h1>[^<]* with at least EUR.1,000,/);
  }
});
