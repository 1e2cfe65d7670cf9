import { counted } from "../../domain/text.ts";
import { mkdirSync } from "node:fs";
import { OperatorError } from "../../errors.ts";
import { type FetchDeps, plan, type WantedCompany, type WantedFiling } from "../../ingest/fetch-filings.ts";
import { createEdgar, type Edgar } from "../../ingest/edgar/client.ts";
import { documentUrl } from "../../ingest/edgar/submissions.ts";
import { fileRateLimiter, REQUESTS_PER_SECOND } from "../../ingest/edgar/client.ts";
import { ingestFrames, readFrameYears } from "../../ingest/frames.ts";
import { findFiles } from "../../ingest/from-dir.ts";
import { ingestFromEdgar, ingestFromFolder, type RunOptions } from "../../ingest/run.ts";
import { edgarFolder, openIngestContext, realClock, type IngestContext } from "../../ingest/context.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { command, type Io, UsageError } from "../command.ts";
import { INGEST_FLAGS, isNamed, readIngestArguments, wantedOf } from "./ingest-arguments.ts";
import { finish, noteStart, runOptions } from "./ingest-output.ts";

/** `execcomp ingest` */
export const ingest = command({
  name: "ingest",
  summary: "Read filings from EDGAR or a folder into a new snapshot.",
  details:
    "The new snapshot adds the ingested filings to the one in use. A running server switches to it; `execcomp data\n" +
    "rollback` returns to the previous one. An interrupted run continues where it stopped: documents are kept in the\n" +
    "data folder. All processes of a data folder together send EDGAR at most 8 requests a second.",
  operands: [{ name: "TICKER", about: "More symbols.", optional: true, many: true }],
  flags: INGEST_FLAGS,
  settings: ["contact", "edgarWwwUrl", "edgarDataUrl"],
  examples: [
    [
      'ingest --ticker F,MAR --years 3 --contact "Ann Lee ann@example.com"',
      "Three fiscal years of two companies.",
    ],
    ["ingest --pending --index sp500 --since 2019-01-01", "Known filings of S&P 500 companies since 2019."],
    ["ingest --pending --dry-run", "The known filings that are not loaded yet."],
    ["ingest --frames 2022-2025", "CEO totals as tagged, of some 1,500 companies a year: eight requests."],
    ["ingest --year 2026", "One year of filings, some 6,000 documents."],
    ["ingest --from-dir ./filings", "From a folder, without a network."],
  ],
  async run(given, io) {
    const { flags } = given;
    const { dataDir } = io.loaded.config;
    const request = readIngestArguments(given, io);
    const dataset = openDataset(dataDir);
    mkdirSync(dataDir, { recursive: true });
    const options = runOptions(io, flags, request.symbols);
    if (!flags.dryRun) await noteStart(io, options.asked, flags.byServer);
    using context = openIngestContext(dataDir, realClock(io.runtime));
    if (flags.fromDir !== undefined) {
      const files = findFiles(flags.fromDir);
      if (flags.dryRun)
        return listFiles(
          files.map(({ path }) => path),
          io,
        );
      const nameOf = (cik: string) => dataset.findByCik(cik)?.name ?? "";
      return finish(await ingestFromFolder(context, flags.fromDir, files, nameOf, options), flags, io);
    }
    const edgar = openEdgar(context, io);
    if (flags.frames !== undefined) return await runFrames(context, edgar, flags.frames, options, io);
    const wanted = await wantedOf(dataset, edgar, request);
    const isLoaded = isNamed(request) && !flags.pending ? () => false : loadedIn(dataset);
    if (flags.pending) io.note(pendingLine(wanted));
    if (flags.dryRun) return listPlan(context, edgar, wanted, isLoaded, io);
    return finish(await ingestFromEdgar(context, edgar, wanted, isLoaded, options), flags, io);
  },
});

/** Asks for the SEC's frames of tagged totals. @returns the exit code */
async function runFrames(
  context: IngestContext,
  edgar: Edgar,
  asked: string,
  { onWait }: Pick<RunOptions, "onWait">,
  io: Io,
): Promise<number> {
  const thisYear = new Date(io.runtime.now()).getUTCFullYear();
  const years = readFrameYears(asked, thisYear);
  if (years === undefined)
    throw new UsageError(
      `Cannot read --frames ${JSON.stringify(asked)}: expected years such as 2022-${thisYear - 1}.`,
    );
  const onYear = (year: number) => io.status(`frame CY${year}`);
  const report = await ingestFrames(context, edgar, years, { asked, onYear, onWait });
  io.status("");
  if (io.json) io.printJson(report);
  else {
    for (const { year, totals, unknown, missing } of report.years)
      io.print(
        missing ? `CY${year}: no such frame` : `CY${year}: ${counted(totals, "total")}, ${unknown} unknown`,
      );
    io.print(
      `${counted(report.companies, "company")}, ${report.changed} with new totals; ${counted(report.requests, "request")}.`,
    );
  }
  return report.companies === 0 ? 1 : 0;
}

/** `22,105 filings of 5,810 companies: about 58 minutes at 8 requests a second.` */
export function pendingLine(wanted: readonly WantedCompany[]): string {
  const filings = wanted.reduce((sum, { only }) => sum + (only?.length ?? 0), 0);
  const companies = new Set(wanted.map(({ cik }) => cik)).size;
  // One list per company, plus its documents.
  const minutes = Math.ceil((filings + wanted.length) / REQUESTS_PER_SECOND / 60);
  return `${counted(filings, "filing")} of ${counted(companies, "company")}: about ${counted(minutes, "minute")} at ${REQUESTS_PER_SECOND} requests a second.`;
}

function openEdgar(context: IngestContext, io: Io): Edgar {
  const { contact, offline, edgarWwwUrl, edgarDataUrl, dataDir } = io.loaded.config;
  if (offline)
    throw new OperatorError(
      "--offline is set, so nothing can be fetched. Use --from-dir, or remove --offline.",
    );
  if (contact === "") {
    throw new OperatorError(
      'EDGAR requires a name and an e-mail address with every request. Set --contact "Name mail@host" or EXECCOMP_CONTACT.',
    );
  }
  const { clock } = context;
  const rateLimiter = fileRateLimiter(edgarFolder(dataDir), clock);
  return createEdgar({
    runtime: io.runtime,
    clock,
    rateLimiter,
    contact,
    wwwUrl: edgarWwwUrl,
    dataUrl: edgarDataUrl,
  });
}

function loadedIn(dataset: Dataset): FetchDeps["isLoaded"] {
  return (_cik, accession) =>
    dataset.all("select 1 from filings where accession = ? and status = 'parsed'", accession).length > 0;
}

function listFiles(paths: readonly string[], io: Io): number {
  if (io.json) io.printJson({ files: paths });
  else for (const path of [...paths, counted(paths.length, "file")]) io.print(path);
  return 0;
}

async function listPlan(
  context: IngestContext,
  edgar: Edgar,
  wanted: readonly WantedCompany[],
  isLoaded: FetchDeps["isLoaded"],
  io: Io,
): Promise<number> {
  const listed: {
    cik: string;
    name: string;
    form: string;
    filingDate: string;
    accession: string;
    url: string;
    fallback: boolean;
  }[] = [];
  const failures: { cik: string; why: string }[] = [];
  for (const [at, one] of wanted.entries()) {
    io.status(`${at}/${wanted.length} companies`);
    const { name, planned, failure } = one.only
      ? { name: one.name, planned: one.only.map(asListed), failure: null }
      : await plan({ ...context, edgar, waitsForCoolDown: true, isLoaded }, one);
    if (failure !== null) failures.push({ cik: one.cik, why: failure });
    for (const { filing, fallback } of planned) {
      const { form, filingDate, accession } = filing;
      listed.push({
        cik: one.cik,
        name,
        form,
        filingDate,
        accession,
        url: documentUrl(edgar.wwwUrl, one.cik, filing),
        fallback,
      });
    }
  }
  io.status("");
  if (io.json) io.printJson({ planned: listed, failures });
  else {
    for (const one of listed) {
      const note = one.fallback ? "  (only if no other filing of the year has rows)" : "";
      io.print(`${one.filingDate.padEnd(10)}  ${one.form.padEnd(8)}  ${one.accession}  ${one.name}${note}`);
    }
    for (const { cik, why } of failures) io.note(`CIK ${cik}: ${why}`);
    io.print(
      `To fetch: ${counted(listed.filter(({ fallback }) => !fallback).length, "document")} for ${counted(wanted.length, "company")}.`,
    );
  }
  return 0;
}

/** A known filing in the form of EDGAR's list; for some only the year is known. */
function asListed({ accession, form, filingDate, url }: WantedFiling) {
  const filing = {
    accession,
    form: form ?? "",
    filingDate: filingDate ?? `20${accession.slice(11, 13)}`,
    reportDate: "",
    primaryDocument: url.split("/").at(-1) ?? "",
  };
  return { filing, fallback: false };
}
