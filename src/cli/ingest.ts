import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { normalizeCik } from "../domain/company.ts";
import { INDEXES } from "../domain/selection.ts";
import { type FetchDeps, plan, type WantedCompany, type WantedFiling } from "../ingest/fetch-filings.ts";
import { createEdgar, type Edgar } from "../ingest/edgar/client.ts";
import { documentUrl } from "../ingest/edgar/submissions.ts";
import { fileRateLimiter, REQUESTS_PER_SECOND } from "../ingest/edgar/rate-limiter.ts";
import { findFiles } from "../ingest/from-dir.ts";
import { type IngestReport, reportLines, reportPage } from "../ingest/report.ts";
import { ingestFromEdgar, ingestFromFolder, type Progress, type RunOptions } from "../ingest/run.ts";
import { type Bounds, everybody, filersBetween, namedCompanies, pendingFilings } from "../ingest/targets.ts";
import { edgarFolder, openIngestContext, realClock, type IngestContext } from "../ingest/context.ts";
import { embeddedKnownProxies } from "../snapshot/embedded.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { openDataset } from "../snapshot/snapshots.ts";
import { type IngestProgress, readIngestProgress, writeIngestProgress } from "../admin/ingest-progress.ts";
import { byServer, recordOutside } from "./accounts.ts";
import { command, type FlagValues, type Io, UsageError } from "./command.ts";
import { readDay } from "./day.ts";

const FLAGS = {
  ticker: { value: "T,…", about: "These companies, by symbol; more symbols may follow." },
  cik: { value: "C,…", about: "These companies, by CIK." },
  since: {
    value: "DATE",
    about: "Companies that filed since that date (YYYY-MM-DD); with --ticker or --cik a bound.",
  },
  year: {
    value: "Y",
    about: "Companies that filed in that calendar year; with --ticker or --cik a bound.",
  },
  all: { about: "Every company in the SEC's symbol list." },
  pending: {
    about: "Every known filing that is not loaded yet, with the proxies of 2017 to 2021 of 5,810 companies.",
  },
  index: { value: "sp500", choices: INDEXES, about: "With --pending: members of the index at that time." },
  limit: { value: "N", about: "With --pending: at most so many filings, the newest first." },
  fromDir: {
    value: "DIR",
    about: "Read a folder or a mirror of EDGAR instead; nothing leaves the machine.",
  },
  years: { value: "N", about: "Fiscal years per company, newest first; default 1." },
  dryRun: { about: "List what would be fetched, and stop." },
  byServer,
  report: {
    value: "FILE",
    about:
      "Where to write the report, as FILE.html and FILE.json; default reports/ingest in the data folder.",
  },
} as const;

const MAX_YEARS = 100;

/** `execcomp ingest` */
export const ingest = command({
  name: "ingest",
  summary: "Read filings from EDGAR or a folder into a new snapshot.",
  details:
    "The new snapshot adds what was read to the one in use. A running server switches to it by itself; `execcomp data\n" +
    "rollback` returns to the previous one. An interrupted run continues where it stopped: documents are kept in the\n" +
    "data folder. All processes of a data folder together send EDGAR at most 8 requests a second.",
  operands: [{ name: "TICKER", about: "More symbols.", optional: true, many: true }],
  flags: FLAGS,
  settings: ["contact", "edgarWwwUrl", "edgarDataUrl"],
  examples: [
    [
      'ingest --ticker F,MAR --years 3 --contact "Ann Lee ann@example.com"',
      "Three fiscal years of two companies.",
    ],
    ["ingest --pending --index sp500 --since 2019-01-01", "Known filings of S&P 500 companies since 2019."],
    ["ingest --pending --dry-run", "The known filings that are not loaded yet."],
    ["ingest --year 2026", "A year of filings, some 6,000 documents."],
    ["ingest --from-dir ./filings", "From a folder, without a network."],
  ],
  async run({ flags, operands }, io) {
    const { dataDir } = io.loaded.config;
    const bounds = readBounds(flags, io);
    const dataset = openDataset(dataDir);
    const symbols = [...words(flags.ticker), ...operands];
    const asked = { flags, symbols, bounds };
    refuseWhatExcludes(asked);
    mkdirSync(dataDir, { recursive: true });
    const options = runOptions(io, flags, symbols);
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
    const wanted = await wantedOf(dataset, edgar, asked);
    const isLoaded = isNamed(asked) && !flags.pending ? () => false : loadedIn(dataset);
    if (flags.pending) io.note(pendingLine(wanted));
    if (flags.dryRun) return listPlan(context, edgar, wanted, isLoaded, io);
    return finish(await ingestFromEdgar(context, edgar, wanted, isLoaded, options), flags, io);
  },
});

/** What the command line asks for. */
interface Asked {
  flags: FlagValues<typeof FLAGS>;
  /** Of `--ticker`, and those behind it. */
  symbols: readonly string[];
  bounds: Bounds;
}

function isNamed({ flags, symbols }: Asked): boolean {
  return symbols.length > 0 || flags.cik !== undefined;
}

/** @throws UsageError for nothing to ingest, for two ways to say it, and for what narrows another one */
function refuseWhatExcludes(asked: Asked): void {
  const { flags } = asked;
  const named = isNamed(asked);
  const kinds = [named, flags.all, flags.pending, flags.fromDir !== undefined].filter(Boolean).length;
  const open = flags.since !== undefined || flags.year !== undefined;
  const noCik = words(flags.cik).find((cik) => normalizeCik(cik) === undefined);
  if (noCik !== undefined) {
    throw new UsageError(`Cannot read --cik ${JSON.stringify(noCik)}: expected 1 to 10 digits.`);
  }
  // Names narrow what is pending; all else excludes each other.
  if (kinds > (flags.pending && named ? 2 : 1))
    throw new UsageError("Give one of --ticker or --cik, --all, --pending, --from-dir.");
  if (!flags.pending && (flags.index !== undefined || flags.limit !== undefined))
    throw new UsageError("--index and --limit narrow --pending: give it too.");
  if (kinds === 0 && !open) {
    throw new UsageError(
      "Say what to ingest: --ticker, --cik, --since, --year, --all, --pending or --from-dir. See: execcomp help ingest",
    );
  }
}

/** The companies to fetch, each with its bounds. */
async function wantedOf(dataset: Dataset, edgar: Edgar, asked: Asked): Promise<readonly WantedCompany[]> {
  const { flags, symbols, bounds } = asked;
  const named = isNamed(asked)
    ? await namedCompanies(dataset, edgar, symbols, words(flags.cik), bounds)
    : null;
  if (flags.pending) {
    const ciks = (named ?? []).map(({ cik }) => cik);
    const narrowed = { ciks, index: flags.index ?? null, limit: readLimit(flags.limit) };
    return pendingFilings(dataset, bounds, narrowed, embeddedKnownProxies());
  }
  if (named !== null) return named;
  return flags.all ? everybody(dataset, bounds) : filersBetween(dataset, edgar, bounds);
}

function readLimit(limit: string | undefined): number | null {
  if (limit === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new UsageError(`Cannot read --limit ${JSON.stringify(limit)}: expected a whole number from 1.`);
}

/** `22105 filings of 5810 companies: about 58 minutes at 8 requests a second.` */
export function pendingLine(wanted: readonly WantedCompany[]): string {
  const filings = wanted.reduce((sum, { only }) => sum + (only?.length ?? 0), 0);
  // A company's list, then each document.
  const minutes = Math.ceil((filings + wanted.length) / REQUESTS_PER_SECOND / 60);
  return `${filings} filings of ${wanted.length} companies: about ${minutes} minute${minutes === 1 ? "" : "s"} at ${REQUESTS_PER_SECOND} requests a second.`;
}

function openEdgar(context: IngestContext, io: Io): Edgar {
  const { contact, offline, edgarWwwUrl, edgarDataUrl, dataDir } = io.loaded.config;
  if (offline)
    throw new OperatorError(
      "--offline is set, so nothing can be fetched. Use --from-dir, or drop --offline.",
    );
  if (contact === "") {
    throw new OperatorError(
      'EDGAR requires a name and a mail address with every request. Set --contact "Name mail@host" or EXECCOMP_CONTACT.',
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

function readBounds(
  flags: { years?: string | undefined; since?: string | undefined; year?: string | undefined },
  io: Io,
): Bounds {
  const { since, year } = flags;
  const years = flags.years === undefined ? 1 : /^\d{1,3}$/.test(flags.years) ? Number(flags.years) : 0;
  if (years < 1 || years > MAX_YEARS) {
    throw new UsageError(
      `Cannot read --years ${JSON.stringify(flags.years)}: expected a whole number from 1 to ${MAX_YEARS}.`,
    );
  }
  if (since !== undefined) readDay("--since", since);
  if (year !== undefined && !/^(19|20)\d\d$/.test(year)) {
    throw new UsageError(`Cannot read --year ${JSON.stringify(year)}: expected a calendar year.`);
  }
  if (since !== undefined && year !== undefined) throw new UsageError("Give --since or --year, not both.");
  const today = new Date(io.runtime.now()).toISOString().slice(0, 10);
  if (since !== undefined) return { years, from: since, until: today };
  if (year !== undefined) return { years, from: `${year}-01-01`, until: `${year}-12-31` };
  return { years, from: "", until: "" };
}

function words(list: string | undefined): string[] {
  return (list ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function runOptions(
  io: Io,
  flags: Readonly<Record<string, string | boolean | undefined>>,
  symbols: readonly string[],
): RunOptions {
  let shownAt = -1000;
  let toldUntilMs = 0;
  const told = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || value === false || name === "ticker" || name === "byServer"
      ? []
      : [value === true ? name : `${name} ${value}`],
  );
  const asked = [...(symbols.length > 0 ? [`ticker ${symbols.join(",")}`] : []), ...told].join(", ");
  const { dataDir } = io.loaded.config;
  let notedAt = io.runtime.monotonic();
  return {
    asked,
    monotonic: io.runtime.monotonic,
    onWait(untilMs) {
      // Every company under way meets the same cool-down: it is told once.
      if (untilMs === toldUntilMs) return;
      toldUntilMs = untilMs;
      io.status("");
      io.note(
        `EDGAR is rate limiting this address; continuing at ${new Date(untilMs).toISOString().slice(11, 19)} UTC.`,
      );
    },
    onProgress(progress) {
      const now = io.runtime.monotonic();
      if (now - shownAt < 100 && progress.done < progress.total) return;
      shownAt = now;
      io.status(progressLine(progress));
      if (now - notedAt < NOTE_MS) return;
      notedAt = now;
      writeIngestProgress(dataDir, progressOf(io, asked, progress));
    },
  };
}

/** How often pages hear of it. */
const NOTE_MS = 1000;

const NOTHING_YET: Progress = { done: 0, total: 0, documents: 0, rows: 0, problems: 0, bytes: 0, seconds: 0 };

function progressOf(io: Io, asked: string, { seconds, ...progress }: Progress): IngestProgress {
  const updatedAtMs = io.runtime.now();
  const startedAtMs = updatedAtMs - seconds * 1000;
  return {
    pid: process.pid,
    asked,
    state: "running",
    startedAtMs,
    updatedAtMs,
    seconds,
    ...progress,
    report: [],
    made: null,
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

async function noteStart(io: Io, asked: string, isServers: boolean): Promise<void> {
  writeIngestProgress(io.loaded.config.dataDir, progressOf(io, asked, NOTHING_YET));
  if (!isServers) await recordOutside(io, { act: "ingest_started", after: { asked } });
}

async function finish(
  report: IngestReport,
  { report: file, byServer: isServers }: { report?: string | undefined; byServer: boolean },
  io: Io,
): Promise<number> {
  io.status("");
  const { dataDir } = io.loaded.config;
  const made = report.companies.changed > 0 ? report.snapshot : null;
  const last = readIngestProgress(dataDir);
  if (last !== null) {
    const updatedAtMs = io.runtime.now();
    const documents = report.documents.seen;
    const ended = { state: "ended", done: last.total, documents, report: reportLines(report), made } as const;
    writeIngestProgress(dataDir, { ...last, ...ended, rows: report.rows, updatedAtMs });
  }
  if (made !== null && !isServers) {
    const after = { companies: report.companies.changed, rows: report.rows };
    await recordOutside(io, { act: "dataset_installed", subject: made, after });
  }
  const base = file?.replace(/\.(html|json)$/, "") ?? join(io.loaded.config.dataDir, "reports", "ingest");
  await Bun.write(`${base}.json`, `${JSON.stringify(report, null, 2)}\n`);
  await Bun.write(`${base}.html`, reportPage(report));
  if (io.json) io.printJson(report);
  else for (const line of [...reportLines(report), `Report: ${base}.html`]) io.print(line);
  const nothing =
    report.documents.parsed === 0 && report.documents.refused === 0 && report.failures.length > 0;
  return nothing ? 1 : 0;
}

function listFiles(paths: readonly string[], io: Io): number {
  if (io.json) io.printJson({ files: paths });
  else for (const path of [...paths, `${paths.length} files`]) io.print(path);
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
      const note = one.fallback ? "  (only when nothing else of the year has rows)" : "";
      io.print(`${one.filingDate.padEnd(10)}  ${one.form.padEnd(8)}  ${one.accession}  ${one.name}${note}`);
    }
    for (const { cik, why } of failures) io.note(`CIK ${cik}: ${why}`);
    io.print(
      `${listed.filter(({ fallback }) => !fallback).length} documents for ${wanted.length} companies would be fetched.`,
    );
  }
  return 0;
}

/** A known filing as EDGAR would list it; of some only the year is known. */
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
