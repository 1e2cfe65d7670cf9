/** Several consecutive runs: changed documents, a killed run, EDGAR blocking requests. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentIn } from "../support/snapshot.ts";
import { installedPath, readInstalled } from "../../src/dataset/installed.ts";
import { madeProxy, type MadeCompany } from "../support/edgar-made.ts";
import { testRuntime } from "../support/runtime.ts";
import { datasetIn, ingestRuns, ONE, smallFolder, tailsOf, TWO, wanted } from "./runs.ts";

const { run, replay } = ingestRuns();

test("two days later documents are requested conditionally; a changed one is read again", async () => {
  using folder = smallFolder();
  const runtime = testRuntime();
  await run(folder.path, [wanted(ONE)], { runtime });
  const [newest] = ONE.filings;
  const path = `/Archives/edgar/data/900001/${newest?.accession.replaceAll("-", "")}/${newest?.primaryDocument}`;
  runtime.advance(2 * 24 * 3600_000);
  replay().seen.splice(0);
  await run(folder.path, [wanted(ONE)], { runtime });
  expect(replay().seen.find((one) => one.path === path)).toMatchObject({ status: 304 });
  // Confirmed, it is fresh for another day.
  runtime.advance(3600_000);
  replay().seen.splice(0);
  await run(folder.path, [wanted(ONE)], { runtime });
  expect(replay().seen.map((one) => one.path)).not.toContain(path);

  runtime.advance(2 * 24 * 3600_000);
  replay().change(path, new TextEncoder().encode(madeProxy(ONE.name, 2025, 1_500_000)));
  const report = await run(folder.path, [wanted(ONE)], { runtime });
  expect(report.companies.changed).toBe(1);
  expect((await run(folder.path, [wanted(ONE)], { runtime })).companies.changed).toBe(0);
  const problems = datasetIn(folder.path).all("select code from problems where step = 'merge'");
  expect(problems).toEqual([{ code: "document_changed" }]);
  expect(tailsOf(folder.path, ONE.cik)[0]).toMatchObject({ salary: 1_500_000 });
});

test("a killed run continues: fetched documents are not requested again, and a truncated line does no harm", async () => {
  using folder = smallFolder();
  await run(folder.path, [wanted(TWO, 3)]);
  const journal = join(folder.path, "edgar", "journal.jsonl");
  const lines = readFileSync(journal, "utf8");
  // Killed while the third entry was being written, before any snapshot was made.
  writeFileSync(journal, lines.slice(0, -40));
  using fresh = smallFolder();
  for (const kept of ["raw", "readings", "edgar"]) {
    await Bun.$`cp -r ${join(folder.path, kept)} ${fresh.path}`.quiet();
  }
  replay().seen.splice(0);
  const report = await run(fresh.path, [wanted(TWO, 3)]);
  const documents = replay().seen.filter(({ path }) => path.includes("/Archives/"));
  expect(documents.length).toBe(1);
  expect(report.documents).toMatchObject({ read: 3, fromDisk: 2 });
  expect(contentIn(inUse(fresh.path))).toBe(contentIn(inUse(folder.path)));
});

test("a known filing is fetched directly, whatever its year; an unavailable list is a failure, not a guess", async () => {
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
  replay().misbehave(new RegExp(`CIK${TWO.cik}`), "503", 4);
  const report = await run(folder.path, [known(lost, TWO.filings[0], "DEF 14A")]);
  expect(report.failures.map(({ cik }) => cik)).toEqual([TWO.cik]);
});

test("a cool-down in the middle is waited out, not treated as a failure", async () => {
  using folder = smallFolder();
  replay().misbehave(/proxy2025/, "block-page");
  const runtime = testRuntime();
  const begun = runtime.now();
  const report = await run(folder.path, [wanted(TWO, 2)], { runtime });
  expect(report.documents).toMatchObject({ read: 2, failed: 0 });
  expect(runtime.now() - begun).toBeGreaterThan(10 * 60_000);
});

/** The path of the installed snapshot. */
function inUse(dataDir: string): string {
  const { current } = readInstalled(dataDir);
  if (current === null) throw new Error("nothing is installed");
  return installedPath(dataDir, current);
}
