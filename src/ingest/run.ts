/** A run of `execcomp ingest`: fetches or reads many companies or files concurrently, then commits them to the snapshot in use; its report. */
import { availableParallelism } from "node:os";
import { type DocumentEvent, type FetchDeps, fetchCompany, type WantedCompany } from "./fetch-filings.ts";
import type { Edgar } from "./edgar/client.ts";
import { type FoundFile, readFile } from "./from-dir.ts";
import { REFUSALS } from "../reader/parsed-filing.ts";
import { counted } from "../lib/text.ts";
import { commitFilings, type IngestContext } from "./context.ts";
import { type IngestedFiling, ingestedFiling, NO_CONTENT } from "./ingested-filing.ts";

/** The progress of a run. */
export interface Progress {
  /** Number of companies, or files. */
  done: number;
  total: number;
  documents: number;
  rows: number;
  problems: number;
  bytes: number;
  seconds: number;
  /** Documents whose rows were read, that have no table to read, and whose rows are unavailable or cannot be used. */
  read: number;
  refused: number;
  failed: number;
  reasons: readonly Reason[];
}

/** Why documents have no rows: how many, and the accession numbers of the first. */
export interface Reason {
  reason: string;
  n: number;
  filings: readonly string[];
}

/** A document without rows in the snapshot, and the reason. */
export interface WithoutRows {
  /** Accession number, or the path of a file. */
  filing: string;
  cik: string;
  company: string;
  form: string;
  filingDate: string;
  status: "refused" | "failed";
  reason: string;
}

/** The report of a run. */
export type IngestReport = Awaited<ReturnType<Run["commit"]>>;

/** Options and callbacks of a run. */
export interface RunOptions {
  /** The request in words, for the report. */
  request: string;
  /** Monotonic clock in milliseconds. */
  monotonic(): number;
  onProgress(progress: Progress): void;
}

/** Companies fetched concurrently: enough for the rate limit, rather than latency, to be the bottleneck. */
const COMPANIES_AT_A_TIME = 24;

/**
 * Fetches and reads the requested filings, and installs the new snapshot.
 *
 * @param isLoaded whether a filing need not be fetched
 */
export async function ingestFromEdgar(
  context: IngestContext,
  edgar: Edgar,
  wanted: readonly WantedCompany[],
  isLoaded: FetchDeps["isLoaded"],
  options: RunOptions,
): Promise<IngestReport> {
  const run = new Run(context, options, wanted.length);
  const deps: FetchDeps = {
    ...context,
    edgar,
    isLoaded,
    onDocument(event) {
      run.document(event);
      run.reportProgress();
    },
  };
  await inParallel(wanted, COMPANIES_AT_A_TIME, async (one) => {
    const { name, failure } = await fetchCompany(deps, one);
    if (failure !== null) run.failure(one.cik, name, failure);
    run.oneDone();
  });
  return await run.commit(wanted.length);
}

/** Reads the documents of a folder, and installs the new snapshot. */
export async function ingestFromFolder(
  context: IngestContext,
  folder: string,
  files: readonly FoundFile[],
  nameOf: (cik: string) => string,
  options: RunOptions,
): Promise<IngestReport> {
  const run = new Run(context, options, files.length);
  // One more than there are threads, so that no thread waits for the disk.
  await inParallel(files, availableParallelism() + 1, async (file) => {
    const { path, bytes, ingested, why } = await readFile(context, folder, file, nameOf);
    if (ingested === null) run.unplaced(path, bytes, why ?? "");
    else run.document({ ingested, given: file.given, bytes, fromDisk: true });
    run.oneDone();
  });
  return await run.commit(new Set(files.flatMap(({ given }) => given.cik ?? [])).size);
}

/** Filings that a reason names. */
const MAX_NAMED = 40;

/** `it could not be fetched (failed: no such host)`: the reason without the address, which would make each its own. */
function unfetched(why: string): string {
  const [, how] = /^https?:\S+ (.*)$/.exec(why) ?? [];
  return `it could not be fetched${how === undefined ? "" : ` (${how})`}`;
}

/** The state of every run: its counts, its uncommitted filings and its progress. */
class Run {
  /** By CIK. What was read from the documents is on disk until the end: memory use does not grow with their number. */
  private readonly filings = new Map<string, Kept[]>();
  private readonly begunMs: number;
  private readonly startedAt: string;
  private done = 0;
  /** Counts for the progress line. */
  private readonly now = { documents: 0, rows: 0, problems: 0, bytes: 0 };
  private readonly count = { read: 0, refused: 0, failed: 0, fromDisk: 0 };
  private readonly ofRows = { placeholders: 0, rowsWithProblems: 0 };
  private readonly checks = new Map<string, number>();
  private readonly problems = new Map<string, number>();
  private readonly withRows = new Set<string>();
  private readonly withoutRows: WithoutRows[] = [];
  private readonly reasons = new Map<string, { reason: string; n: number; filings: string[] }>();
  private readonly failures: { cik: string; company: string; why: string }[] = [];

  constructor(
    private readonly context: IngestContext,
    private readonly options: RunOptions,
    private readonly total: number,
  ) {
    this.begunMs = options.monotonic();
    this.startedAt = new Date(context.clock.now()).toISOString();
  }

  /** Counts a document and keeps it for the commit. */
  document({ ingested, given, bytes, fromDisk, why }: DocumentEvent): void {
    const { company, filing, observations, problems } = ingested;
    const { now, count, ofRows } = this;
    const rows = observations.length;
    this.filings.getOrInsert(company.cik, []).push({ ingested: withoutContent(ingested), given, rows });
    now.documents++;
    now.bytes += bytes;
    now.rows += rows;
    now.problems += problems.length;
    if (fromDisk) count.fromDisk++;
    for (const { code } of problems) bump(this.problems, code);
    for (const check of observations.flatMap(({ checks }) => checks)) bump(this.checks, check);
    ofRows.placeholders += observations.filter(({ placeholder }) => placeholder).length;
    ofRows.rowsWithProblems += new Set(problems.flatMap(({ position }) => position ?? [])).size;
    if (rows > 0) this.withRows.add(company.cik);
    const { accession, status, reason } = filing;
    if (status === "parsed") {
      count.read++;
      return;
    }
    this.noRows(ingested, status === "refused" ? status : "failed", why ?? reason ?? "failed");
    // What was found, or an address, would make each its own.
    const { refusal } = ingested;
    this.countReason(refusal === undefined ? unfetched(why ?? "") : REFUSALS[refusal], accession);
  }

  private noRows({ company, filing }: IngestedFiling, status: WithoutRows["status"], reason: string): void {
    this.count[status]++;
    const { accession, form, filingDate } = filing;
    const about = { filing: accession, cik: company.cik, company: company.name, form: form ?? "" };
    this.withoutRows.push({ ...about, filingDate: filingDate ?? "", status, reason });
  }

  /** Counts filings that were read and then left out as failures. */
  private leave(left: readonly { cik: string; accession: string; why: string }[]): void {
    for (const { cik, accession, why } of left) {
      const kept = this.filings.get(cik)?.find(({ ingested }) => ingested.filing.accession === accession);
      if (kept?.ingested.filing.status !== "parsed") continue;
      this.count.read--;
      this.now.rows -= kept.rows;
      this.noRows(kept.ingested, "failed", `its rows would violate an invariant of the data: ${why}`);
    }
  }

  private countReason(reason: string, filing: string): void {
    const of = this.reasons.getOrInsertComputed(reason, () => ({ reason, n: 0, filings: [] }));
    of.n++;
    if (of.filings.length < MAX_NAMED) of.filings.push(filing);
  }

  /** Counts a file that was read but cannot be assigned to a company or filing. */
  unplaced(path: string, bytes: number, why: string): void {
    this.now.documents++;
    this.now.bytes += bytes;
    this.count.failed++;
    const unknown = { cik: "", company: "", form: "", filingDate: "" };
    this.withoutRows.push({ filing: path, ...unknown, status: "failed", reason: why });
    this.countReason(why, path);
  }

  /** Notes why nothing, or not everything, of a company could be fetched. */
  failure(cik: string, company: string, why: string): void {
    this.failures.push({ cik, company, why });
    this.countReason(unfetched(why), company || `CIK ${cik}`);
  }

  /** Counts a finished company or file. */
  oneDone(): void {
    this.done++;
    this.reportProgress();
  }

  reportProgress(): void {
    const { done, total, now, count } = this;
    const { read, refused, failed } = count;
    const reasons = [...this.reasons.values()];
    const counts = { read, refused, failed: failed + this.failures.length, reasons };
    this.options.onProgress({ done, total, ...now, ...counts, seconds: this.seconds() });
  }

  /** Installs the new snapshot. */
  async commit(companies: number) {
    const { context, options, now } = this;
    const { dataDir, clock } = context;
    const done = await commitFilings(dataDir, clock, this.companies());
    this.leave(done.left);
    const seconds = this.seconds();
    const perSecond = (amount: number) => rounded(amount / Math.max(seconds, 0.001));
    return {
      /** The request in words. */
      request: options.request,
      startedAt: this.startedAt,
      seconds: rounded(seconds),
      companies: { requested: companies, withRows: this.withRows.size, changed: done.changed },
      documents: { seen: now.documents, ...this.count },
      bytes: now.bytes,
      megabytesPerSecond: perSecond(now.bytes / 1e6),
      documentsPerSecond: perSecond(now.documents),
      rows: now.rows,
      ...this.ofRows,
      /** Number of rows that passed each check. */
      checks: sorted(this.checks),
      problems: sorted(this.problems),
      withoutRows: this.withoutRows,
      /** Companies for which nothing could be fetched. */
      failures: this.failures,
      /** Content hash of the snapshot in use afterwards; null if nothing was new. */
      snapshot: done.contentHash,
    };
  }

  /** Companies by CIK, ascending, each with its parsed filings by accession number. */
  private async *companies(): AsyncGenerator<readonly [cik: string, filings: readonly IngestedFiling[]]> {
    for (const [cik, of] of [...this.filings].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const filings = await Promise.all(of.map((one) => this.withContent(one)));
      yield [cik, filings.sort((a, b) => (a.filing.accession < b.filing.accession ? -1 : 1))] as const;
    }
  }

  private async withContent({ ingested, given }: Kept) {
    const { company, filing } = ingested;
    if (filing.status !== "parsed" || filing.sha256 === null) return ingested;
    const parsed = await this.context.parseCache.get(filing.sha256, given);
    if (parsed === null) throw new Error(`what was read from ${filing.accession} is gone from the disk`);
    return ingestedFiling(company, filing, filing.sha256, parsed);
  }

  private seconds(): number {
    return (this.options.monotonic() - this.begunMs) / 1000;
  }
}

/** A filing until the commit, and how many rows were read. */
interface Kept extends Pick<DocumentEvent, "ingested" | "given"> {
  rows: number;
}

/** A filing without what was read from its document, which the parse cache has. */
function withoutContent(ingested: IngestedFiling): IngestedFiling {
  if (ingested.filing.status !== "parsed") return ingested;
  return { ...ingested, filing: { ...ingested.filing, captions: {} }, ...NO_CONTENT };
}

function bump(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function rounded(amount: number): number {
  return Math.round(amount * 10) / 10;
}

/** Processes all items with at most `width` concurrently, started in order. Rejects with the first error. */
async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

/** `13 read, 1 refused, 6 failed`: what came of the documents, and how many companies failed as a whole. */
export function outcomeOf({ documents: { seen, read, refused, failed }, failures }: IngestReport): string {
  // Counts of nothing ("0 failed") would hide why there is nothing.
  const ofDocuments =
    seen === 0 && failures.length > 0 ? [] : [`${read} read`, `${refused} refused`, `${failed} failed`];
  const ofCompanies = failures.length === 0 ? [] : [`${counted(failures.length, "company")} failed`];
  return [ofDocuments.join(", "), ...ofCompanies].filter((text) => text !== "").join("; ");
}

/** The report as a few lines for a terminal. @param folder appended to commands (see `sameFolder`) */
export function reportLines(report: IngestReport, folder: string): string[] {
  const { documents, companies } = report;
  const { length: unread } = report.failures;
  const lines = [
    `${counted(documents.seen, "document")} (${megabytes(report.bytes)}) in ${report.seconds} s: ${outcomeOf(report)}.`,
  ];
  if (documents.seen > 0)
    lines.push(
      `${counted(report.rows, "row")} for ${counted(companies.withRows, "company")}, ${report.rowsWithProblems} with a problem; ${counted(companies.changed, "company")} changed.`,
    );
  const reasons = Map.groupBy(report.withoutRows, ({ status, reason }) => `${status}: ${reason}`);
  for (const [reason, of] of [...reasons].slice(0, 8))
    lines.push(`  ${of.length} ${reason} (${of[0]?.filing})`);
  for (const { cik, company, why } of report.failures.slice(0, 8))
    lines.push(`  ${company || `CIK ${cik}`}: ${why}`);
  const { snapshot } = report;
  lines.push(
    companies.changed === 0
      ? `No changes: the snapshot in use ${unread + documents.failed > 0 ? "stays" : "is up to date"}.`
      : `Snapshot ${snapshot?.slice(0, 16)} is in use; \`execcomp data rollback${folder}\` returns to the previous one.`,
  );
  return lines;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
