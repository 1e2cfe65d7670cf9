/** Fetches and reads the filings of a company: list, choose, fetch, read. */
import { basename } from "node:path/posix";
import type { KnownFiling } from "../domain/company.ts";
import { type Edgar, EDGAR_WWW, type Fetched } from "./edgar/client.ts";
import {
  documentUrl,
  fetchDocument,
  type FilingYear,
  filingYears,
  type ListedFiling,
  readOlderPage,
  readSubmissions,
  type Registrant,
} from "./edgar/submissions.ts";
import type { GivenFacts } from "../reader/pipeline.ts";
import { obtain } from "./cache.ts";
import type { IngestContext } from "./context.ts";
import type { ParsedFiling } from "../reader/parsed-filing.ts";
import { type FilingIdentity, type IngestedFiling, ingestedFiling, unreadFiling } from "./ingested-filing.ts";

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
  newestKnown: KnownFiling | null;
  /** Fetch only these filings, whatever their years. */
  only?: readonly WantedFiling[];
}

/** A filing that is known without EDGAR's list of its registrant. */
export type WantedFiling = FilingIdentity & { url: string };

/** Dependencies of `fetchCompany`. */
export interface FetchDeps extends Omit<IngestContext, "dataDir" | typeof Symbol.dispose> {
  /** If it is not patient, a document that is not available ends the company's fetch. */
  edgar: Edgar;
  /** Whether a filing is loaded and need not be fetched again. */
  isLoaded(accession: string): boolean;
  /** Called for every document, whether it was read or could not be fetched. */
  onDocument?(event: DocumentEvent): void;
  signal?: AbortSignal;
}

/** The result for one document. */
export interface DocumentEvent {
  ingested: IngestedFiling;
  /** What was known when it was read. */
  given: GivenFacts;
  bytes: number;
  /** Whether it came from the raw store, or EDGAR confirmed that the stored copy is current. */
  fromDisk: boolean;
  /** Why it could not be fetched. */
  why?: string;
}

/** Maximum additional years to try, when a year has filings but no rows. */
const MAX_EMPTY_YEARS = 2;

class Stopped extends Error {
  constructor(
    why: string,
    readonly coolingUntilMs = 0,
  ) {
    super(why);
  }
}

/**
 * Fetches and reads the requested filings of one company. Never rejects because of EDGAR: `failure` says why nothing, or not
 * everything, could be fetched, and `coolingUntilMs` when EDGAR may be contacted again if a cool-down is the reason.
 */
export async function fetchCompany(deps: FetchDeps, wanted: WantedCompany) {
  const filings: IngestedFiling[] = [];
  let { name } = wanted;
  try {
    const registrant = await listing(deps, wanted);
    ({ name } = registrant);
    const { cik, fiscalYearEnd, tickers: symbols } = registrant;
    const { years, failure } = wantedYears(registrant, wanted);
    let withRows = 0;
    let emptyYears = 0;
    for (const year of years) {
      if (withRows >= wanted.years || emptyYears > MAX_EMPTY_YEARS) break;
      const hasRows = await fetchYear(deps, { cik, name, fiscalYearEnd, symbols }, year, filings);
      if (hasRows) withRows++;
      else emptyYears++;
    }
    return { name, filings, failure, coolingUntilMs: 0 };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { name, filings, failure: error.message, coolingUntilMs: error.coolingUntilMs };
  }
}

/**
 * The registrant's filings within the date bounds, by fiscal year. Those that are named are one year, whatever their own, with
 * a message about any that EDGAR does not list.
 */
function wantedYears(
  { filings, fiscalYearEnd }: Registrant,
  wanted: WantedCompany,
): { years: FilingYear[]; failure: string | null } {
  const within = inRange(filings, wanted);
  if (wanted.only === undefined) return { years: filingYears(within, fiscalYearEnd), failure: null };
  const named = new Set(wanted.only.map(({ accession }) => accession));
  const missing = named.difference(new Set(filings.map(({ accession }) => accession)));
  const [first] = missing;
  const more = missing.size > 1 ? ` and ${missing.size - 1} more` : "";
  return {
    years: [{ endsIn: 0, expected: within.filter(({ accession }) => named.has(accession)), fallback: [] }],
    failure: first === undefined ? null : `EDGAR's list of its filings does not have ${first}${more}`,
  };
}

/** @returns whether any filing of the year has rows */
async function fetchYear(
  deps: FetchDeps,
  company: IngestedFiling["company"],
  { expected, fallback }: FilingYear,
  filings: IngestedFiling[],
): Promise<boolean> {
  const isWithRows = async (filing: ListedFiling) => {
    if (deps.isLoaded(filing.accession)) return true;
    const ingested = await fetchFiling(deps, company, filing);
    filings.push(ingested);
    return ingested.observations.length > 0;
  };
  let hasRows = false;
  for (const filing of expected) if (await isWithRows(filing)) hasRows = true;
  for (const filing of fallback) hasRows ||= await isWithRows(filing);
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
    const registrant = await listing(deps, wanted);
    const { years, failure } = wantedYears(registrant, wanted);
    const planned = years
      .slice(0, wanted.years)
      .flatMap(({ expected, fallback }) => [
        ...expected.map((filing) => ({ filing, fallback: false })),
        ...fallback.map((filing) => ({ filing, fallback: expected.length > 0 })),
      ]);
    const isNew = ({ filing }: Planned) => !deps.isLoaded(filing.accession);
    return { name: registrant.name, planned: planned.filter(isNew), failure };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { name: wanted.name, planned: [], failure: error.message };
  }
}

/** EDGAR's list of the registrant, with as many older pages as the requested years need. */
async function listing({ edgar, signal }: FetchDeps, wanted: WantedCompany): Promise<Registrant> {
  const { cik, name, only, years, from } = wanted;
  const get = (file: string) => edgar.get(`${edgar.dataUrl}/submissions/${file}`, { expect: "json", signal });
  const got = await get(`CIK${cik}.json`);
  if (got.kind === "missing") {
    const filings = knownFilings(wanted);
    if (filings.length === 0) throw new Stopped(`EDGAR has no list of the filings of CIK ${cik}`);
    return { cik, name, tickers: [], fiscalYearEnd: null, filings, olderPages: [] };
  }
  const registrant = readSubmissions(bytesOf(got));
  if (registrant === null) throw new Stopped(`EDGAR's list of the filings of CIK ${cik} cannot be read`);
  const filings = [...registrant.filings];
  for (const page of registrant.olderPages) {
    const enough = only
      ? only.every(({ accession: one }) => filings.some(({ accession }) => accession === one))
      : filingYears(inRange(filings, wanted), registrant.fiscalYearEnd).length > years;
    if (enough || page.newestDate < from) break;
    const older = await get(page.name);
    if (older.kind !== "missing") filings.push(...(readOlderPage(bytesOf(older)) ?? []));
  }
  return { ...registrant, filings };
}

/** The registrant's filings that are known without EDGAR's list; only those with a date. */
function knownFilings({ newestKnown: newest, only }: WantedCompany): ListedFiling[] {
  const filings = only ?? (newest === null || newest.url === null ? [] : [{ ...newest, url: newest.url }]);
  return filings.filter(({ filingDate }) => filingDate !== null).map(asListed);
}

/** A known filing in the form of EDGAR's list; for some only the year is known. */
export function asListed({ accession, form, filingDate, url }: WantedFiling): ListedFiling {
  const year = `20${accession.slice(11, 13)}`;
  const primaryDocument = basename(url);
  return { accession, form: form ?? "", filingDate: filingDate ?? year, reportDate: "", primaryDocument };
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
  const { edgar, signal, onDocument } = deps;
  const { accession, form, filingDate } = listed;
  const { cik, name: companyName } = company;
  const url = documentUrl(EDGAR_WWW, cik, listed);
  const facts: FilingIdentity = { accession, form: form === "" ? null : form, filingDate, url };
  const given: GivenFacts = { accession, cik, companyName, filingDate, ...(form === "" ? {} : { form }) };
  const document = await obtain(deps, url, (validators) =>
    fetchDocument(edgar, documentUrl(edgar.wwwUrl, cik, listed), { validators, signal }),
  );
  if (document.kind === "unavailable" && (document.untilMs !== undefined || !edgar.isPatient))
    throw new Stopped(document.why, document.untilMs);
  if (document.kind === "available") {
    const { sha256, bytes, fromDisk } = document;
    const parsed = await readDocument(deps, given, sha256, bytes);
    const ingested = ingestedFiling(company, facts, sha256, parsed);
    onDocument?.({ ingested, given, bytes: bytes.length, fromDisk });
    return ingested;
  }
  const isMissing = document.kind === "missing";
  const why = isMissing ? `EDGAR answers 404 for ${url}` : document.why;
  const ingested = unreadFiling(company, facts, isMissing ? "failed" : "pending", isMissing ? why : null);
  onDocument?.({ ingested, given, bytes: 0, fromDisk: false, why });
  return ingested;
}

/** Reads a document, or returns the cached result of the same reader for the same document. */
export async function readDocument(
  deps: Pick<FetchDeps, "parseCache" | "workerPool">,
  given: GivenFacts,
  sha256: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ParsedFiling> {
  const before = await deps.parseCache.get(sha256, given);
  if (before !== null) return before;
  const parsed = await deps.workerPool.read(bytes, given);
  // A reader that stopped may have run out of time, so it is tried again next time.
  if (parsed.reason !== "internal") await deps.parseCache.put(sha256, given, parsed);
  return parsed;
}

function bytesOf(got: Fetched): Uint8Array {
  if (got.kind === "ok") return got.bytes;
  if (got.kind === "unavailable") throw new Stopped(got.why, got.untilMs);
  throw new Stopped(`EDGAR answered ${got.kind}`);
}
