/** Fetches and reads the filings of a company: list, choose, fetch, read. */
import { basename } from "node:path/posix";
import type { KnownFiling } from "../domain/company.ts";
import {
  type Answered,
  type Clock,
  type Edgar,
  EDGAR_WWW,
  type Fetched,
  MAX_WAITS,
  waitingOut,
} from "./edgar/client.ts";
import {
  documentUrl,
  fetchDocument,
  filingYears,
  type ListedFiling,
  readOlderPage,
  readSubmissions,
  type Registrant,
} from "./edgar/submissions.ts";
import type { Known } from "../reader/pipeline.ts";
import { type Journal, obtain, type ParseCache, type RawStore } from "./cache.ts";
import type { ParsedFiling } from "../reader/parsed.ts";
import { type FilingIdentity, type IngestedFiling, ingestedFiling, unreadFiling } from "./ingested-filing.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** A company whose filings are requested. */
export interface WantedCompany {
  /** Ten digits. */
  cik: string;
  /** From the dataset; empty if it has none. */
  name: string;
  /** Stop after this many fiscal years with rows, newest first. */
  years: number;
  /** Only filings filed between these dates, inclusive; empty for no bound. */
  from: string;
  until: string;
  /** A filing known from the dataset, fetched if EDGAR's list is not available. */
  known: KnownFiling | null;
  /** Fetch only these filings, whatever their years. */
  only?: readonly WantedFiling[];
}

/** A filing that is known without EDGAR's list of its registrant. */
export interface WantedFiling {
  accession: string;
  form: string | null;
  /** YYYY-MM-DD; null if only the URL is known. */
  filingDate: string | null;
  url: string;
}

/** The result for one company. */
export interface FetchedCompany {
  cik: string;
  name: string;
  filings: readonly IngestedFiling[];
  /** Why nothing, or not everything, could be fetched; null on success. */
  failure: string | null;
  /** When EDGAR may be contacted again, if a cool-down is the reason. */
  coolingUntilMs: number;
}

/** Dependencies of `fetchCompany`. */
export interface FetchDeps {
  edgar: Edgar;
  clock: Clock;
  raw: RawStore;
  journal: Journal;
  parseCache: ParseCache;
  workerPool: WorkerPool;
  /** Whether a filing is loaded and need not be fetched again. */
  isLoaded(cik: string, accession: string): boolean;
  /** Whether to wait out a cool-down; otherwise it ends the company's fetch. */
  waitsForCoolDown: boolean;
  /** Called for every document, whether it was read or could not be fetched. */
  onDocument?(event: DocumentEvent): void;
  /** Called before waiting out a cool-down. */
  onWait?(untilMs: number): void;
  signal?: AbortSignal;
}

/** The result for one document. */
export interface DocumentEvent {
  ingested: IngestedFiling;
  bytes: number;
  /** Whether it came from the raw store, or EDGAR confirmed that the stored copy is current. */
  fromDisk: boolean;
}

/** Maximum additional years to try, when a year has filings but no rows. */
const MAX_EMPTY_YEARS = 2;

class Stopped extends Error {
  constructor(
    readonly why: string,
    readonly coolingUntilMs: number,
  ) {
    super(why);
  }
}

/** Fetches and reads the requested filings of one company. Never rejects because of EDGAR. */
export async function fetchCompany(deps: FetchDeps, wanted: WantedCompany): Promise<FetchedCompany> {
  const filings: IngestedFiling[] = [];
  const result = (name: string, failure: string | null, coolingUntilMs = 0): FetchedCompany => {
    return { cik: wanted.cik, name, filings, failure, coolingUntilMs };
  };
  let { name } = wanted;
  try {
    const registrant = await listing(deps, wanted);
    ({ name } = registrant);
    const company = companyOf(registrant);
    if (wanted.only !== undefined) {
      const { found, missing } = listedOf(registrant, wanted, wanted.only);
      for (const filing of found) {
        if (!deps.isLoaded(wanted.cik, filing.accession))
          filings.push(await fetchFiling(deps, company, filing));
      }
      return result(name, missing);
    }
    let withRows = 0;
    let emptyYears = 0;
    for (const year of filingYears(inRange(registrant.filings, wanted), registrant.fiscalYearEnd)) {
      if (withRows >= wanted.years || emptyYears > MAX_EMPTY_YEARS) break;
      const hasRows = await fetchYear(deps, company, year, filings);
      if (hasRows) withRows++;
      else emptyYears++;
    }
    return result(name, null);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return result(name, error.why, error.coolingUntilMs);
  }
}

/** The requested filings that EDGAR lists, within the date bounds, and a message about those it does not list. */
function listedOf(
  { filings }: Pick<Registrant, "filings">,
  wanted: WantedCompany,
  only: readonly WantedFiling[],
): { found: ListedFiling[]; missing: string | null } {
  const accessions = new Set(only.map(({ accession }) => accession));
  const listed = filings.filter(({ accession }) => accessions.has(accession));
  for (const { accession } of listed) accessions.delete(accession);
  const [first] = accessions;
  const more = accessions.size > 1 ? ` and ${accessions.size - 1} more` : "";
  return {
    found: inRange(listed, wanted),
    missing: first === undefined ? null : `EDGAR's list of its filings does not have ${first}${more}`,
  };
}

/** @returns whether any filing of the year has rows */
async function fetchYear(
  deps: FetchDeps,
  company: IngestedFiling["company"],
  year: ReturnType<typeof filingYears>[number],
  filings: IngestedFiling[],
): Promise<boolean> {
  let hasRows = false;
  for (const filing of year.expected) {
    if (deps.isLoaded(company.cik, filing.accession)) hasRows = true;
    else {
      const ingested = await fetchFiling(deps, company, filing);
      filings.push(ingested);
      if (ingested.observations.length > 0) hasRows = true;
    }
  }
  for (const filing of year.fallback) {
    if (hasRows || deps.isLoaded(company.cik, filing.accession)) return true;
    const ingested = await fetchFiling(deps, company, filing);
    filings.push(ingested);
    hasRows = ingested.observations.length > 0;
  }
  return hasRows;
}

/** A filing that would be fetched. */
export interface Planned {
  filing: ListedFiling;
  /** Whether it is fetched only if no other filing of its year has rows. */
  fallback: boolean;
}

/** The filings that `fetchCompany` would fetch. Only EDGAR's list of the registrant is requested. */
export async function plan(
  deps: FetchDeps,
  wanted: WantedCompany,
): Promise<{ name: string; planned: readonly Planned[]; failure: string | null }> {
  try {
    const { name, filings, fiscalYearEnd, cik } = await listing(deps, wanted);
    if (wanted.only !== undefined) {
      const { found, missing } = listedOf({ filings }, wanted, wanted.only);
      return { name, planned: found.map((filing) => ({ filing, fallback: false })), failure: missing };
    }
    const years = filingYears(inRange(filings, wanted), fiscalYearEnd).slice(0, wanted.years);
    const planned = years.flatMap(({ expected, fallback }) => [
      ...expected.map((filing) => ({ filing, fallback: false })),
      ...fallback.map((filing) => ({ filing, fallback: expected.length > 0 })),
    ]);
    return {
      name,
      planned: planned.filter((one) => !deps.isLoaded(cik, one.filing.accession)),
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { name: wanted.name, planned: [], failure: error.why };
  }
}

/** EDGAR's list of the registrant, with as many older pages as the requested years need. */
async function listing(deps: FetchDeps, wanted: WantedCompany): Promise<Registrant> {
  const { edgar, signal } = deps;
  const got = await withCoolDown(deps, () =>
    edgar.get(`${edgar.dataUrl}/submissions/CIK${wanted.cik}.json`, { expect: "json", signal }),
  );
  const known = knownFilings(wanted);
  if (got.kind === "missing" && known.length > 0) return fromKnown(wanted, known);
  if (got.kind === "missing") throw new Stopped(`EDGAR has no list of the filings of CIK ${wanted.cik}`, 0);
  const registrant = readSubmissions(bytesOf(got));
  if (registrant === null)
    throw new Stopped(`EDGAR's list of the filings of CIK ${wanted.cik} cannot be read`, 0);
  const filings = [...registrant.filings];
  for (const page of registrant.olderPages) {
    const { only } = wanted;
    const enough = only
      ? only.every(({ accession: one }) => filings.some(({ accession }) => accession === one))
      : filingYears(inRange(filings, wanted), registrant.fiscalYearEnd).length > wanted.years;
    if (enough || page.newestDate < wanted.from) break;
    const older = await withCoolDown(deps, () =>
      edgar.get(`${edgar.dataUrl}/submissions/${page.name}`, { expect: "json", signal }),
    );
    if (older.kind === "missing") continue;
    filings.push(...(readOlderPage(bytesOf(older)) ?? []));
  }
  return { ...registrant, filings };
}

/** The registrant's filings that are known without EDGAR's list; only those with a date. */
function knownFilings({ known, only }: WantedCompany): ListedFiling[] {
  const filings = only ?? (known === null || known.url === null ? [] : [{ ...known, url: known.url }]);
  return filings.flatMap(({ accession, form, filingDate, url }) =>
    filingDate === null
      ? []
      : { accession, form: form ?? "", filingDate, reportDate: "", primaryDocument: basename(url) },
  );
}

/** A registrant of which only filing URLs are known. */
function fromKnown({ cik, name }: WantedCompany, filings: readonly ListedFiling[]): Registrant {
  return { cik, name, tickers: [], fiscalYearEnd: null, filings, olderPages: [] };
}

function companyOf({ cik, name, tickers, fiscalYearEnd }: Registrant): IngestedFiling["company"] {
  return { cik, name, fiscalYearEnd, symbols: tickers };
}

function inRange(filings: readonly ListedFiling[], { from, until }: WantedCompany): ListedFiling[] {
  return filings.filter(({ filingDate }) => filingDate >= from && (until === "" || filingDate <= until));
}

/** Fetches and reads one filing's document, or records why it is not available. */
async function fetchFiling(
  deps: FetchDeps,
  company: IngestedFiling["company"],
  listed: ListedFiling,
): Promise<IngestedFiling> {
  const { accession, form, filingDate } = listed;
  const url = documentUrl(EDGAR_WWW, company.cik, listed);
  const facts: FilingIdentity = { accession, form: form === "" ? null : form, filingDate, url };
  const { cik, name: companyName } = company;
  const { edgar, signal } = deps;
  const document = await obtain(deps, { url, accession, cik, form, companyName, filingDate }, (held) =>
    withCoolDown(deps, () => fetchDocument(edgar, documentUrl(edgar.wwwUrl, cik, listed), { held, signal })),
  );
  if (document.kind === "unavailable" && !deps.waitsForCoolDown) throw new Stopped(document.why, 0);
  if (document.kind !== "held") {
    const isMissing = document.kind === "missing";
    const reason = isMissing ? `EDGAR answers 404 for ${url}` : document.why;
    const ingested = unreadFiling(
      company,
      facts,
      isMissing ? "failed" : "pending",
      isMissing ? reason : null,
    );
    const told = { ...ingested, filing: { ...ingested.filing, reason } };
    deps.onDocument?.({ ingested: told, bytes: 0, fromDisk: false });
    return ingested;
  }
  const { sha256, bytes, fromDisk } = document;
  const known: Known = { accession, cik, companyName, filingDate, ...(form === "" ? {} : { form }) };
  const parsed = await readDocument(deps, known, sha256, bytes);
  const ingested = ingestedFiling(company, facts, sha256, parsed);
  deps.onDocument?.({ ingested, bytes: bytes.length, fromDisk });
  return ingested;
}

/** Reads a document, or returns the cached result of the same reader for the same document. */
export async function readDocument(
  deps: Pick<FetchDeps, "parseCache" | "workerPool">,
  known: Known,
  sha256: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ParsedFiling> {
  const before = await deps.parseCache.get(sha256, known);
  if (before !== null) return before;
  const parsed = await deps.workerPool.read(bytes, known);
  // A reader that stopped may have run out of time, so it is tried again next time.
  if (parsed.reason !== "internal") await deps.parseCache.put(sha256, known, parsed);
  return parsed;
}

/** Waits out cool-downs, if the caller allows it. */
async function withCoolDown(deps: FetchDeps, ask: () => Promise<Fetched>): Promise<Answered> {
  const got = await waitingOut(deps, deps.waitsForCoolDown ? MAX_WAITS : 0, ask);
  if (got.kind !== "cooling") return got;
  const until = new Date(got.untilMs).toISOString().slice(11, 19);
  const why = `EDGAR is blocking this address; the next request will be after ${until} UTC`;
  throw new Stopped(why, got.untilMs);
}

function bytesOf(got: Answered): Uint8Array {
  if (got.kind === "ok") return got.bytes;
  throw new Stopped(got.kind === "unavailable" ? got.why : `EDGAR answered ${got.kind}`, 0);
}
