import { counted } from "../../lib/text.ts";
import { mkdirSync } from "node:fs";
import { OperatorError } from "../../errors.ts";
import { replaceFile } from "../../files.ts";
import {
  type FetchDeps,
  type Planned,
  type WantedCompany,
  asListed,
  plan,
} from "../../ingest/fetch-filings.ts";
import { REQUESTS_PER_SECOND, RateLimiter } from "../../ingest/edgar/rate-limiter.ts";
import { Edgar } from "../../ingest/edgar/client.ts";
import { documentUrl } from "../../ingest/edgar/submissions.ts";
import { ingestFrames, readFrameYears } from "../../ingest/xbrl-frames.ts";
import { findFiles } from "../../ingest/from-dir.ts";
import {
  type IngestReport,
  type Progress,
  type RunOptions,
  ingestFromEdgar,
  ingestFromFolder,
  outcomeOf,
  reportLines,
} from "../../ingest/run.ts";
import { type IngestContext, edgarFolder, openIngestContext, realClock } from "../../ingest/context.ts";
import { isDocumentRead } from "../../dataset/company-facts.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { type Io, UsageError, command, sameFolder } from "../command.ts";
import { INGEST_FLAGS, isNamed, readIngestArguments, wantedOf } from "./ingest-arguments.ts";
import { dirname, join } from "node:path";
import {
  type IngestProgress,
  PARTLY_DONE,
  readIngestProgress,
  writeIngestProgress,
} from "../../jobs/ingest.ts";
import { recordOutside } from "../accounts/accounts.ts";

/** `execcomp ingest` */
export const ingest = command({
  name: "ingest",
  summary: "Read filings from EDGAR or a folder into a new snapshot.",
  details:
    "The new snapshot adds the ingested filings to the one in use. A running server switches to it.\n" +
    "`execcomp data rollback` returns to the previous one. An interrupted run resumes: documents are\n" +
    "kept in the data folder. All processes of a data folder together send EDGAR at most 8 requests a second. Exits with 3 if some\n" +
    "documents were read and others failed, with 1 if none was read and some failed. A refused document, which has no table\n" +
    "that can be read, is not a failure.",
  operands: [{ name: "TICKER", about: "More symbols.", optional: true, many: true }],
  flags: INGEST_FLAGS,
  settings: ["contact", "edgarWwwUrl", "edgarDataUrl"],
  examples: [
    [
      'ingest --ticker F,MAR --years 3 --contact "Ann Lee ann@example.com"',
      "Three fiscal years of two companies.",
    ],
    ["ingest --pending --index sp500 --since 2019-01-01", "Known filings of S&P 500 companies since 2019."],
    [
      'ingest --pending --dry-run --contact "Ann Lee ann@example.com"',
      "The known filings that are not loaded yet.",
    ],
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
    if (!flags.dryRun) writeIngestProgress(dataDir, progressOf(io, options.request, NOTHING_YET));
    if (!flags.dryRun && !flags.byServer)
      await recordOutside(io, { act: "ingest_started", after: { asked: options.request } });
    using context = openIngestContext(dataDir, realClock(io.runtime));
    if (flags.fromDir !== undefined) {
      const files = findFiles(flags.fromDir);
      if (files.length === 0) io.note(`${flags.fromDir} has no document: no .htm, .html or .txt file.`);
      const paths = files.map(({ path }) => path);
      if (flags.dryRun) return io.answer({ files: paths }, [...paths, counted(paths.length, "file")]);
      const nameOf = (cik: string) => dataset.findByCik(cik)?.name ?? "";
      return finish(await ingestFromFolder(context, flags.fromDir, files, nameOf, options), flags, io);
    }
    const edgar = openEdgar(context, io);
    if (flags.frames !== undefined) return await runFrames(context, edgar, flags.frames, io);
    const selected = await wantedOf(dataset, edgar, request);
    const readsAgain = isNamed(request) && !flags.pending;
    const isLoaded = (accession: string) => !readsAgain && isDocumentRead(dataset, accession);
    if (flags.pending) io.note(pendingLine(selected));
    if (flags.dryRun) return listPlan(context, edgar, selected, isLoaded, io);
    return finish(await ingestFromEdgar(context, edgar, selected, isLoaded, options), flags, io);
  },
});

/** Requests the SEC's frames of tagged totals. @returns the exit code */
async function runFrames(context: IngestContext, edgar: Edgar, request: string, io: Io): Promise<number> {
  const thisYear = new Date(io.runtime.now()).getUTCFullYear();
  const years = readFrameYears(request, thisYear);
  if (years === undefined)
    throw new UsageError(
      `Cannot read --frames ${JSON.stringify(request)}: expected years such as 2022-${thisYear - 1}.`,
    );
  const onYear = (year: number) => io.status(`frame CY${year}`);
  const report = await ingestFrames(context, edgar, years, { request, onYear });
  io.status("");
  io.answer(report, [
    ...report.years.map(({ year, totals, unknown, missing }) =>
      missing ? `CY${year}: no such frame` : `CY${year}: ${counted(totals, "total")}, ${unknown} unknown`,
    ),
    `${counted(report.companies, "company")}, ${report.changed} with new totals; ${counted(report.requests, "request")}.`,
  ]);
  return report.companies === 0 ? 1 : 0;
}

/** `22,105 filings of 5,810 companies: about 58 minutes at 8 requests a second.` */
export function pendingLine(selected: readonly WantedCompany[]): string {
  const filings = selected.reduce((sum, { only }) => sum + (only?.length ?? 0), 0);
  const companies = new Set(selected.map(({ cik }) => cik)).size;
  // One list per company, plus its documents.
  const minutes = Math.ceil((filings + selected.length) / REQUESTS_PER_SECOND / 60);
  return `${counted(filings, "filing")} of ${counted(companies, "company")}: about ${counted(minutes, "minute")} at ${REQUESTS_PER_SECOND} requests a second.`;
}

function openEdgar(context: IngestContext, io: Io): Edgar {
  const { contact, offline, edgarWwwUrl, edgarDataUrl, dataDir } = io.loaded.config;
  if (offline)
    throw new OperatorError(
      "--offline is set, so nothing can be fetched. Use --from-dir, or remove --offline.",
    );
  if (contact === "")
    throw new OperatorError(
      'EDGAR requires a name and an e-mail address with every request. Set --contact "Name mail@host" or EXECCOMP_CONTACT.',
    );
  const { clock } = context;
  const rateLimiter = new RateLimiter(edgarFolder(dataDir), clock);
  let reportedUntilMs = 0;
  return new Edgar({
    runtime: io.runtime,
    clock,
    rateLimiter,
    contact,
    wwwUrl: edgarWwwUrl,
    dataUrl: edgarDataUrl,
    isPatient: true,
    needsNetwork: true,
    onWait(untilMs) {
      // Every company in progress hits the same cool-down; it is reported once.
      if (untilMs === reportedUntilMs) return;
      reportedUntilMs = untilMs;
      io.status("");
      const time = new Date(untilMs).toISOString().slice(11, 19);
      io.note(`EDGAR is rate limiting this address; continuing at ${time} UTC.`);
    },
  });
}

async function listPlan(
  context: IngestContext,
  edgar: Edgar,
  selected: readonly WantedCompany[],
  isLoaded: FetchDeps["isLoaded"],
  io: Io,
): Promise<void> {
  const listed: ReturnType<typeof plannedJson>[] = [];
  const failures: { cik: string; why: string }[] = [];
  for (const [at, one] of selected.entries()) {
    io.status(`${at}/${selected.length} companies`);
    const named = one.only?.map((filing) => ({ filing: asListed(filing), fallback: false }));
    const { name, planned, failure } = named
      ? { name: one.name, planned: named, failure: null }
      : await plan({ ...context, edgar, isLoaded }, one);
    if (failure !== null) failures.push({ cik: one.cik, why: failure });
    listed.push(...planned.map((filing) => plannedJson(edgar, one.cik, name, filing)));
  }
  io.status("");
  const documents = listed.filter(({ fallback }) => !fallback).length;
  if (!io.json) for (const { cik, why } of failures) io.note(`CIK ${cik}: ${why}`);
  io.answer({ planned: listed, failures }, [
    ...listed.map(({ filingDate, form, accession, name, fallback }) => {
      const note = fallback ? "  (only if no other filing of the year has rows)" : "";
      return `${filingDate.padEnd(10)}  ${form.padEnd(8)}  ${accession}  ${name}${note}`;
    }),
    `To fetch: ${counted(documents, "document")} for ${counted(selected.length, "company")}.`,
  ]);
}

function plannedJson(edgar: Edgar, cik: string, name: string, { filing, fallback }: Planned) {
  const { form, filingDate, accession } = filing;
  return { cik, name, form, filingDate, accession, url: documentUrl(edgar.wwwUrl, cik, filing), fallback };
}

/** Run options that show progress on a status line, and in a file for the admin pages. */
function runOptions(
  io: Io,
  flags: Readonly<Record<string, unknown>>,
  symbols: readonly string[],
): RunOptions {
  let shownAt = -1000;
  const listed = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || value === false || name === "ticker" || name === "byServer"
      ? []
      : [
          value === true
            ? name
            : `${name} ${Array.isArray(value) && value.length > 5 ? `${value.length} companies` : String(value)}`,
        ],
  );
  const request = [...(symbols.length > 0 ? [`ticker ${symbols.join(",")}`] : []), ...listed].join(", ");
  const { dataDir } = io.loaded.config;
  let notedAt = io.runtime.monotonic();
  return {
    request,
    monotonic: io.runtime.monotonic,
    onProgress(progress) {
      const now = io.runtime.monotonic();
      if (now - shownAt < 100 && progress.done < progress.total) return;
      shownAt = now;
      io.status(progressLine(progress));
      if (now - notedAt < NOTE_MS && progress.done < progress.total) return;
      notedAt = now;
      writeIngestProgress(dataDir, progressOf(io, request, progress));
    },
  };
}

/** Interval of updates to the progress file. */
const NOTE_MS = 1000;

const NOTHING_YET: Progress = {
  done: 0,
  total: 0,
  documents: 0,
  rows: 0,
  problems: 0,
  bytes: 0,
  seconds: 0,
  read: 0,
  refused: 0,
  failed: 0,
  reasons: [],
};

function progressOf(io: Io, request: string, { seconds, ...progress }: Progress): IngestProgress {
  const updatedAtMs = io.runtime.now();
  const startedAtMs = updatedAtMs - seconds * 1000;
  return {
    pid: process.pid,
    request,
    state: "running",
    startedAtMs,
    updatedAtMs,
    seconds,
    ...progress,
    reasons: progress.reasons.map(({ filings, ...reason }) => ({ ...reason, filings: [...filings] })),
    report: [],
    snapshot: null,
  };
}

/** `[#####-----] 12/30  14 files  180 rows  3 problems  12.3 MB/s  0:42 left` */
export function progressLine({ done, total, documents, rows, problems, bytes, seconds }: Progress): string {
  const width = 24;
  const full = total === 0 ? width : Math.floor((done / total) * width);
  const left = done === 0 ? null : ((total - done) * seconds) / done;
  const clock =
    left === null ? "" : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")} left`;
  const speed = (bytes / 1e6 / Math.max(seconds, 0.001)).toFixed(1);
  const bar = `[${"#".repeat(full)}${"-".repeat(width - full)}]`;
  return `${bar} ${done}/${total}  ${documents} files  ${rows} rows  ${problems} problems  ${speed} MB/s  ${clock}`.trimEnd();
}

/** Reports the result of a run: on the terminal, in a report file and in the audit log. @returns the exit code */
async function finish(
  report: IngestReport,
  { report: file, byServer: isServers }: { report?: string | undefined; byServer: boolean },
  io: Io,
): Promise<number> {
  io.status("");
  const { dataDir } = io.loaded.config;
  const snapshot = report.companies.changed > 0 ? report.snapshot : null;
  const last = readIngestProgress(dataDir);
  if (last !== null) {
    const updatedAtMs = io.runtime.now();
    const documents = report.documents.seen;
    const ended = {
      state: "ended",
      done: last.total,
      documents,
      report: reportLines(report, sameFolder(io.loaded)),
      snapshot,
    } as const;
    writeIngestProgress(dataDir, { ...last, ...ended, rows: report.rows, updatedAtMs });
  }
  if (snapshot !== null && !isServers) {
    const after = { companies: report.companies.changed, rows: report.rows };
    await recordOutside(io, { act: "dataset_installed", subject: snapshot, after });
  }
  const path = file ?? join(dataDir, "reports", "ingest.json");
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, `${JSON.stringify(report, null, 2)}\n`);
  io.answer(report, [...reportLines(report, sameFolder(io.loaded)), `Report: ${path}`], "    ");
  if (report.documents.failed + report.failures.length === 0) return 0;
  io.note(`${outcomeOf(report)}.`);
  return report.documents.read === 0 ? 1 : PARTLY_DONE;
}
