import { expect, test } from "bun:test";
import { readInstalled } from "../../src/dataset/installed.ts";
import { type Progress, type Reason, reportLines } from "../../src/ingest/run.ts";
import { testFolder } from "../support/edgar-client.ts";
import { datasetIn, ingestRuns, ONE, smallFolder, tailsOf, THREE, TWO, wanted } from "./runs.ts";

const { run, replay } = ingestRuns();

test("the requested years are fetched newest first, including from older pages, and served with their true amounts", async () => {
  using folder = testFolder();
  const before = datasetIn(folder.path);
  replay().seen.splice(0);
  const report = await run(folder.path, [wanted(ONE), wanted(TWO, 4)]);
  expect(report.documents).toEqual({ seen: 5, read: 5, refused: 0, failed: 0, fromDisk: 0 });
  expect(report.companies).toEqual({ requested: 2, withRows: 2, changed: 2 });
  const rows = tailsOf(folder.path, ONE.cik);
  expect(
    rows.map(({ fiscal_year, salary, total_compensation }) => [fiscal_year, salary, total_compensation]),
  ).toEqual([
    [2025, 1_000_000, 1_000_000],
    [2024, 999_000, 999_000],
    [2023, 998_000, 998_000],
  ]);
  // Only the filing of 2025 is loaded: executives who had left by then are missing from the older years.
  expect(rows.map(({ complete }) => complete)).toEqual([true, false, false]);
  expect(rows[0].source.filing_url).toStartWith("https://www.sec.gov/Archives/edgar/data/900001/");
  const years = datasetIn(folder.path).years(TWO.cik);
  expect(years.map(({ fiscalYear, complete }) => [fiscalYear, complete])).toEqual([
    [2025, true],
    [2024, true],
    [2023, true],
    [2022, true],
    [2021, false],
    [2020, false],
  ]);
  // Everything that existed before is still there.
  const after = datasetIn(folder.path);
  expect(after.tickers()).toEqual([...before.tickers(), ONE.ticker, TWO.ticker].sort());
  expect(after.info.companiesWithRows).toBe(before.info.companiesWithRows + 2);
  for (const symbol of ["AAPL", "JPM"]) {
    const cik = before.findBySymbol(symbol)?.cik ?? "";
    expect(after.years(cik)).toEqual(before.years(cik));
  }
  const pages = replay()
    .seen.filter(({ path }) => path.includes("-submissions-"))
    .map(({ path }) => path);
  expect(pages).toEqual([
    "/submissions/CIK0000900002-submissions-001.json",
    "/submissions/CIK0000900002-submissions-002.json",
  ]);
});

test("a document missing at EDGAR is reported, and the year's annual report is read instead", async () => {
  using folder = smallFolder();
  const report = await run(folder.path, [wanted(THREE)]);
  expect(report.documents).toMatchObject({ read: 1, failed: 1 });
  expect(reportLines(report, " --data-dir pay").at(-1)).toContain("`execcomp data rollback --data-dir pay`");
  expect(report.withoutRows).toMatchObject([{ cik: THREE.cik, form: "DEF 14A", status: "failed" }]);
  expect(report.withoutRows[0]?.reason).toContain("404");
  const [row] = tailsOf(folder.path, THREE.cik);
  expect(row).toMatchObject({ fiscal_year: 2025, total_compensation: 3_000_000, source: { form: "10-K" } });
});

test("a second run within a day requests no document again and leaves the snapshot unchanged", async () => {
  using folder = smallFolder();
  await run(folder.path, [wanted(ONE, 2)]);
  const installed = readInstalled(folder.path);
  replay().seen.splice(0);
  const report = await run(folder.path, [wanted(ONE, 2)]);
  expect(replay().seen.map(({ path }) => path)).toEqual([`/submissions/CIK${ONE.cik}.json`]);
  expect(report.documents).toMatchObject({ read: 2, fromDisk: 2 });
  expect(report.companies.changed).toBe(0);
  expect(readInstalled(folder.path)).toEqual(installed);
});

test("a company whose list is unavailable is a separate failure; the others are read", async () => {
  using folder = smallFolder();
  replay().misbehave(new RegExp(`CIK${ONE.cik}`), "503", 4);
  const unknown = { ...wanted(ONE), cik: "0000900099" };
  let reasons: readonly Reason[] = [];
  const onProgress = (progress: Progress) => void ({ reasons } = progress);
  const report = await run(folder.path, [wanted(ONE), unknown, wanted(TWO)], { onProgress });
  expect(report.failures.map(({ cik }) => cik).sort()).toEqual([ONE.cik, "0000900099"]);
  expect(report.companies.withRows).toBe(1);
  expect(reportLines(report, "")[0]).toEndWith("; 2 companies failed.");
  expect(reasons.map(({ reason }) => reason).sort()).toEqual([
    "it could not be fetched",
    "it could not be fetched (answered 503)",
  ]);
  // A run that reads nothing does not claim that there is nothing to read.
  expect(reportLines(await run(folder.path, [unknown]), "").at(-1)).toBe(
    "No changes: the snapshot in use stays.",
  );
});
