import { afterAll, beforeAll } from "bun:test";
import type { WantedCompany } from "../../src/ingest/fetch-filings.ts";
import type { IngestReport, RunOptions } from "../../src/ingest/run.ts";
import { ingestFromEdgar } from "../../src/ingest/run.ts";
import { openIngestContext } from "../../src/ingest/context.ts";
import { installFile } from "../../src/dataset/installed.ts";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { testClock, testEdgar, testFolder } from "../support/edgar-client.ts";
import { type MadeCompany, madeCompany, madeCorpus, madeProxy } from "../support/edgar-made.ts";
import { testRuntime } from "../support/runtime.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

/** Six years of proxies. */
export const ONE = madeCompany(900_001, 2025, 6, 1_000_000);
/** Five, most of them on older pages of its list. */
export const TWO = { ...madeCompany(900_002, 2025, 5, 2_000_000), pageSize: 2 };
/** Its newest proxy is unavailable; its annual report has the table. */
export const THREE: MadeCompany = withAnnualReport(madeCompany(900_003, 2025, 2, 3_000_000));

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

/** A company with the number of years to fetch. */
export const wanted = (company: MadeCompany, years = 1): WantedCompany => {
  return { cik: company.cik, name: "", years, from: "", until: "", newestKnown: null };
};

/** A folder with a one-company dataset in use: each run then writes all of it again. */
export function smallFolder() {
  const folder = testFolder();
  installFile(folder.path, writeTestSnapshot(folder.path, "small.sqlite"), "2026-05-01T00:00:00Z");
  return folder;
}

/** The current dataset of a data folder. */
export const datasetIn = (dataDir: string) => openDataset(dataDir);

/** Rows of a company, newest year first. */
export const tailsOf = (dataDir: string, cik: string) =>
  datasetIn(dataDir)
    .years(cik)
    .flatMap(({ fiscalYear, complete, rowJson }) => {
      return rowJson.map((tail) => ({ fiscalYear, complete, ...JSON.parse(`{${tail}`) }));
    });

/** A replayed EDGAR with these companies, for the tests of one file, and runs against it. */
export function ingestRuns() {
  let replay: ReplayEdgar;
  beforeAll(async () => {
    replay = await startReplay(madeCorpus([ONE, TWO, THREE]));
  });
  afterAll(() => replay.stop());

  async function run(
    folder: string,
    companies: readonly WantedCompany[],
    {
      onProgress = () => {},
      ...options
    }: Partial<Pick<RunOptions, "onProgress">> & {
      runtime?: ReturnType<typeof testRuntime>;
    } = {},
  ): Promise<IngestReport> {
    const { edgar, runtime } = testEdgar(replay, folder, { isPatient: true, ...options });
    using context = openIngestContext(folder, testClock(runtime), 1);
    const told = { request: "a test", monotonic: runtime.monotonic, onProgress };
    return ingestFromEdgar(context, edgar, companies, () => false, told);
  }

  return { run, replay: () => replay };
}
