import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchDeps, WantedCompany } from "../../src/ingest/fetch-filings.ts";
import type { IngestReport } from "../../src/ingest/report.ts";
import { ingestFromEdgar } from "../../src/ingest/run.ts";
import { openIngestContext } from "../../src/ingest/context.ts";
import { installFile, readInstalled } from "../../src/snapshot/installed.ts";
import { openDataset } from "../../src/snapshot/snapshots.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { testClock, testEdgar, testFolder } from "../support/edgar-client.ts";
import { type MadeCompany, madeCompany, madeCorpus, madeProxy } from "../support/edgar-made.ts";
import { testRuntime } from "../support/runtime.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const ONE = madeCompany(900_001, 2025, 6, 1_000_000);
const TWO = { ...madeCompany(900_002, 2025, 5, 2_000_000), pageSize: 2 };
/** Its newest proxy cannot be had; its annual report holds the table. */
const THREE: MadeCompany = withAnnualReport(madeCompany(900_003, 2025, 2, 3_000_000));

let replay: ReplayEdgar;
beforeAll(async () => {
  replay = await startReplay(madeCorpus([ONE, TWO, THREE]));
});
afterAll(() => replay.stop());

function withAnnualReport(company: MadeCompany): MadeCompany {
  const [proxy, ...older] = company.filings;
  if (proxy === undefined) throw new Error("no filings");
  const annual = {
    accession: "0000900003-26-900000",
    form: "10-K",
    filingDate: "2026-02-20",
    reportDate: "2025-12-31",
    primaryDocument: "annual.htm",
    document: madeProxy(company.name, 2025, 3_000_000),
  };
  return { ...company, filings: [{ ...proxy, document: null }, annual, ...older] };
}

const wanted = (company: MadeCompany, years = 1): WantedCompany => {
  return { cik: company.cik, name: "", years, from: "", until: "", known: null };
};

async function run(
  folder: string,
  companies: readonly WantedCompany[],
  options: { isLoaded?: FetchDeps["isLoaded"]; runtime?: ReturnType<typeof testRuntime> } = {},
): Promise<IngestReport> {
  const { edgar, runtime } = testEdgar(
    replay,
    folder,
    options.runtime === undefined ? {} : { runtime: options.runtime },
  );
  using context = openIngestContext(folder, testClock(runtime), 1);
  const told = { asked: "a test", monotonic: runtime.monotonic, onProgress: () => {} };
  return ingestFromEdgar(context, edgar, companies, options.isLoaded ?? (() => false), told);
}

/** A folder with a dataset of one company in use: each run writes all of it anew. */
function smallFolder() {
  const folder = testFolder();
  installFile(folder.path, writeTestSnapshot(folder.path, "small.sqlite"), "2026-05-01T00:00:00Z");
  return folder;
}

function datasetIn(dataDir: string) {
  return openDataset(dataDir);
}

const tailsOf = (dataDir: string, cik: string) =>
  datasetIn(dataDir)
    .years(cik)
    .flatMap(({ fiscalYear, complete, rowJson }) => {
      return rowJson.map((tail) => ({ fiscalYear, complete, ...JSON.parse(`{${tail}`) }));
    });

test("years asked for are fetched newest first, over older pages too, and served with their true amounts", async () => {
  using folder = testFolder();
  const before = datasetIn(folder.path);
  replay.seen.splice(0);
  const report = await run(folder.path, [wanted(ONE), wanted(TWO, 4)]);
  expect(report.documents).toEqual({ seen: 5, parsed: 5, refused: 0, failed: 0, fromDisk: 0 });
  expect(report.companies).toEqual({ asked: 2, withRows: 2, changed: 2 });
  const rows = tailsOf(folder.path, ONE.cik);
  expect(
    rows.map(({ fiscal_year, salary, total_compensation }) => [fiscal_year, salary, total_compensation]),
  ).toEqual([
    [2025, 1_000_000, 1_000_000],
    [2024, 999_000, 999_000],
    [2023, 998_000, 998_000],
  ]);
  // Only the filing of 2025 is held: those who had left by then are missing from the older years.
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
  // Everything that was there before is still there.
  const after = datasetIn(folder.path);
  expect(after.tickers()).toEqual([...before.tickers(), ONE.ticker, TWO.ticker].sort());
  expect(after.info.companiesWithRows).toBe(before.info.companiesWithRows + 2);
  for (const symbol of ["AAPL", "JPM"]) {
    const cik = before.findBySymbol(symbol)?.cik ?? "";
    expect(after.years(cik)).toEqual(before.years(cik));
  }
  const pages = replay.seen.filter(({ path }) => path.includes("-submissions-")).map(({ path }) => path);
  expect(pages).toEqual([
    "/submissions/CIK0000900002-submissions-001.json",
    "/submissions/CIK0000900002-submissions-002.json",
  ]);
});

test("a document that EDGAR does not have is reported, and the year's annual report is read instead", async () => {
  using folder = smallFolder();
  const report = await run(folder.path, [wanted(THREE)]);
  expect(report.documents).toMatchObject({ parsed: 1, failed: 1 });
  expect(report.refused).toMatchObject([{ cik: THREE.cik, form: "DEF 14A", status: "failed" }]);
  expect(report.refused[0]?.reason).toContain("404");
  const [row] = tailsOf(folder.path, THREE.cik);
  expect(row).toMatchObject({ fiscal_year: 2025, total_compensation: 3_000_000, source: { form: "10-K" } });
});

test("a second run within a day asks for no document again and leaves the snapshot as it is", async () => {
  using folder = smallFolder();
  await run(folder.path, [wanted(ONE, 2)]);
  const installed = readInstalled(folder.path);
  replay.seen.splice(0);
  const report = await run(folder.path, [wanted(ONE, 2)]);
  expect(replay.seen.map(({ path }) => path)).toEqual([`/submissions/CIK${ONE.cik}.json`]);
  expect(report.documents).toMatchObject({ parsed: 2, fromDisk: 2 });
  expect(report.companies.changed).toBe(0);
  expect(readInstalled(folder.path)).toEqual(installed);
});

test("two days later documents are asked for on condition; one that changed is read anew", async () => {
  using folder = smallFolder();
  const runtime = testRuntime();
  await run(folder.path, [wanted(ONE)], { runtime });
  const [newest] = ONE.filings;
  const path = `/Archives/edgar/data/900001/${newest?.accession.replaceAll("-", "")}/${newest?.primaryDocument}`;
  runtime.advance(2 * 24 * 3600_000);
  replay.seen.splice(0);
  await run(folder.path, [wanted(ONE)], { runtime });
  expect(replay.seen.find((one) => one.path === path)).toMatchObject({ status: 304 });

  runtime.advance(2 * 24 * 3600_000);
  replay.change(path, new TextEncoder().encode(madeProxy(ONE.name, 2025, 1_500_000)));
  const report = await run(folder.path, [wanted(ONE)], { runtime });
  expect(report.companies.changed).toBe(1);
  expect((await run(folder.path, [wanted(ONE)], { runtime })).companies.changed).toBe(0);
  const problems = datasetIn(folder.path).all("select code from problems where step = 'merge'");
  expect(problems).toEqual([{ code: "document_changed" }]);
  expect(tailsOf(folder.path, ONE.cik)[0]).toMatchObject({ salary: 1_500_000 });
});

test("a run that was killed goes on: what was fetched is not asked for again, and a line cut in half does no harm", async () => {
  using folder = smallFolder();
  await run(folder.path, [wanted(TWO, 3)]);
  const journal = join(folder.path, "edgar", "journal.jsonl");
  const lines = readFileSync(journal, "utf8");
  // Killed while the third entry was written, before any snapshot was made.
  writeFileSync(journal, lines.slice(0, -40));
  using fresh = smallFolder();
  for (const kept of ["raw", "readings", "edgar"]) {
    await Bun.$`cp -r ${join(folder.path, kept)} ${fresh.path}`.quiet();
  }
  replay.seen.splice(0);
  const report = await run(fresh.path, [wanted(TWO, 3)]);
  const documents = replay.seen.filter(({ path }) => path.includes("/Archives/"));
  expect(documents.length).toBe(1);
  expect(report.documents).toMatchObject({ parsed: 3, fromDisk: 2 });
  expect(readInstalled(fresh.path).current?.contentHash).toBe(
    readInstalled(folder.path).current?.contentHash ?? "",
  );
  expect(readdirSync(join(fresh.path, "edgar")).filter((name) => name.startsWith("run-"))).toEqual([]);
});

test("a known filing is fetched by itself, whatever its year; a list that cannot be had is a failure and no guess", async () => {
  using folder = smallFolder();
  const [, older] = ONE.filings;
  const known = (company: MadeCompany, filing: typeof older, form: string | null) => ({
    ...wanted(company),
    only: [
      {
        accession: filing?.accession ?? "",
        form,
        filingDate: null,
        url: `https://www.sec.gov/Archives/edgar/data/${Number(company.cik)}/${filing?.accession.replaceAll("-", "")}/${filing?.primaryDocument}`,
      },
    ],
  });
  await run(folder.path, [known(ONE, older, null)]);
  expect(
    datasetIn(folder.path)
      .years(ONE.cik)
      .map(({ fiscalYear }) => fiscalYear),
  ).toEqual([2024, 2023, 2022]);

  const lost: MadeCompany = { ...TWO, cik: TWO.cik };
  replay.misbehave(new RegExp(`CIK${TWO.cik}`), "503", 4);
  const report = await run(folder.path, [known(lost, TWO.filings[0], "DEF 14A")]);
  expect(report.failures.map(({ cik }) => cik)).toEqual([TWO.cik]);
});

test("what a killed run left on disk goes with the next one; what a running one holds stays", async () => {
  using folder = smallFolder();
  const edgar = join(folder.path, "edgar");
  mkdirSync(edgar, { recursive: true });
  const ended = Bun.spawnSync(["true"]).pid;
  for (const pid of [ended, 1]) writeFileSync(join(edgar, `run-${pid}.jsonl`), "{}");
  await run(folder.path, [wanted(ONE)]);
  expect(readdirSync(edgar).filter((name) => name.startsWith("run-"))).toEqual(["run-1.jsonl"]);
});

test("a cool-down in the middle is sat out, not failed", async () => {
  using folder = smallFolder();
  replay.misbehave(/proxy2025/, "block-page");
  const runtime = testRuntime();
  const begun = runtime.now();
  const report = await run(folder.path, [wanted(TWO, 2)], { runtime });
  expect(report.documents).toMatchObject({ parsed: 2, failed: 0 });
  expect(runtime.now() - begun).toBeGreaterThan(10 * 60_000);
});

test("a company whose list cannot be had is a failure of its own; the others are read", async () => {
  using folder = smallFolder();
  replay.misbehave(new RegExp(`CIK${ONE.cik}`), "503", 4);
  const unknown = { ...wanted(ONE), cik: "0000900099" };
  const report = await run(folder.path, [wanted(ONE), unknown, wanted(TWO)]);
  expect(report.failures.map(({ cik }) => cik).sort()).toEqual([ONE.cik, "0000900099"]);
  expect(report.companies.withRows).toBe(1);
});
