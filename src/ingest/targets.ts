/** Selects the companies of a run: named ones, all filers of a period, all registrants, or those with pending filings. */
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { OperatorError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { filingsToRead } from "../dataset/members.ts";
import {
  isMemberOn,
  knownAccessions,
  listedCompanies,
  type Membership,
  readCompanyFacts,
} from "../dataset/company-facts.ts";
import { readSecList, tableLines } from "../dataset/reference-file.ts";
import type { WantedCompany, WantedFiling } from "./fetch-filings.ts";
import { documentUrl, FORMS } from "./edgar/submissions.ts";
import { EDGAR_WWW, type Edgar, type Fetched } from "./edgar/client.ts";

/** Bounds that apply to every company of a run. */
export type Bounds = Pick<WantedCompany, "years" | "from" | "until">;

/**
 * Companies by ticker or CIK. Tickers that the dataset does not know are looked up in EDGAR's own list.
 *
 * @throws OperatorError for an unknown ticker
 */
export async function namedCompanies(
  dataset: Dataset,
  edgar: Edgar,
  symbols: readonly string[],
  ciks: readonly string[],
  bounds: Bounds,
): Promise<WantedCompany[]> {
  const found = new Map<string, WantedCompany>();
  const add = (cik: string, name?: string) => found.set(cik, wantedCompany(dataset, cik, bounds, name));
  for (const input of ciks) {
    const cik = normalizeCik(input);
    if (cik === undefined)
      throw new OperatorError(`Cannot read the CIK ${JSON.stringify(input)}: expected 1 to 10 digits.`);
    add(cik);
  }
  const unknown: string[] = [];
  for (const input of symbols) {
    const company = dataset.findBySymbol(normalizeSymbol(input));
    if (company === undefined) unknown.push(normalizeSymbol(input));
    else add(company.cik);
  }
  if (unknown.length > 0) {
    const list = await symbolList(edgar);
    for (const symbol of unknown) {
      const company = list.find(({ symbols: of }) => of.some((one) => one.symbol === symbol));
      if (company === undefined) throw unknownSymbol(dataset, symbol);
      add(company.cik, company.name);
    }
  }
  return [...found.values()];
}

/** All filers of a form that can contain the table in the quarters that the dates fall in, from EDGAR's quarterly indexes. */
export async function filersBetween(
  dataset: Dataset,
  edgar: Edgar,
  bounds: Bounds,
): Promise<WantedCompany[]> {
  const found = new Map<string, WantedCompany>();
  for (const { year, quarter } of quartersBetween(bounds.from, bounds.until)) {
    const path = `/Archives/edgar/full-index/${year}/QTR${quarter}/master.gz`;
    const got = await edgar.get(edgar.wwwUrl + path, { expect: "gzip", isUrgent: true });
    // A quarter that has just begun may have no index yet.
    if (got.kind === "missing") continue;
    for (const line of indexLines(bytesOf(got, path))) {
      const [number = "", name = "", form = "", date = ""] = line.split("|");
      const cik = normalizeCik(number);
      if (cik === undefined || !FORMS.includes(form) || date < bounds.from || date > bounds.until) continue;
      found.set(cik, wantedCompany(dataset, cik, bounds, name));
    }
  }
  return [...found.values()].sort((a, b) => (a.cik < b.cik ? -1 : 1));
}

/** All registrants on the SEC's ticker list. */
export function allRegistrants(dataset: Dataset, bounds: Bounds): WantedCompany[] {
  return listedCompanies(dataset).map((cik) => wantedCompany(dataset, cik, bounds));
}

/** @param name of a company that the dataset does not know */
function wantedCompany(dataset: Dataset, cik: string, bounds: Bounds, name = ""): WantedCompany {
  const company = dataset.findByCik(cik);
  return { cik, name: company?.name ?? name, newestKnown: company?.newestKnown ?? null, ...bounds };
}

/**
 * All filings that are known but were never read, newest first: those in the dataset, and the proxies of 2017 to 2021 whose
 * URLs are embedded in the executable (`knownProxies`, the text of `data/reference/known-proxies.tsv`).
 *
 * @param of `ciks`: only these companies, empty for all; `index`: only its members at the end of the year before the filing;
 *   `limit`: at most so many filings
 */
export function pendingFilings(
  dataset: Dataset,
  bounds: Bounds,
  of: { ciks: readonly string[]; index: string | null; limit: number | null },
  knownProxies: string,
): WantedCompany[] {
  const { ciks, index, limit } = of;
  const named = new Set(ciks);
  const stays = new Map<string, readonly Membership[]>();
  const isMember = (cik: string, year: number) => {
    const held = stays.get(cik) ?? readCompanyFacts(dataset, cik).memberships;
    stays.set(cik, held);
    return isMemberOn(held, `${year - 1}-12-31`);
  };
  const fits = ({ cik, filing }: PendingFiling) => {
    const { from, until } = bounds;
    const { filingDate, accession } = filing;
    const year = Number(filingDate?.slice(0, 4) ?? `20${accession.slice(11, 13)}`);
    // If only the year is known, EDGAR's list supplies the date later, and filings outside the bounds are left out then.
    const inTime =
      filingDate === null
        ? `${year}-12-31` >= from && (until === "" || `${year}-01-01` <= until)
        : filingDate >= from && (until === "" || filingDate <= until);
    return inTime && (named.size === 0 || named.has(cik)) && (index === null || isMember(cik, year));
  };
  const newest = ({ filing }: PendingFiling) =>
    filing.filingDate ?? `20${filing.accession.slice(11, 13)}-07-01`;
  const fitting = [...pendingOf(dataset), ...embeddedProxies(dataset, knownProxies)].filter(fits);
  const byAge = fitting.sort((a, b) => (newest(a) < newest(b) ? 1 : newest(a) > newest(b) ? -1 : 0));
  const chosen = limit === null ? byAge : byAge.slice(0, limit);
  // Newest first over all companies: those of known date before those of 2017 to 2021.
  return [...Map.groupBy(chosen, ({ cik, filing }) => `${cik} ${filing.filingDate === null}`)].map(
    ([key, filings]) => {
      const cik = key.slice(0, 10);
      return { ...wantedCompany(dataset, cik, bounds), only: filings.map(({ filing }) => filing) };
    },
  );
}

interface PendingFiling {
  cik: string;
  filing: WantedFiling;
}

function pendingOf(dataset: Dataset): PendingFiling[] {
  return filingsToRead(dataset).map(({ cik, accession, form, filingDate, url }) => {
    return { cik, filing: { accession, form, filingDate, url } };
  });
}

/** The embedded proxies that are not in the dataset. */
function embeddedProxies(dataset: Dataset, text: string): PendingFiling[] {
  const accessions = knownAccessions(dataset);
  return tableLines(text, "known-proxies").flatMap(([cik = "", accession = "", document = ""]) => {
    if (accessions.has(accession)) return [];
    const listed = { accession, form: "DEF 14A", filingDate: "", reportDate: "", primaryDocument: document };
    const url = documentUrl(EDGAR_WWW, cik, listed);
    return [{ cik, filing: { accession, form: "DEF 14A", filingDate: null, url } }];
  });
}

async function symbolList(edgar: Edgar) {
  const path = "/files/company_tickers_exchange.json";
  const got = await edgar.get(edgar.wwwUrl + path, { expect: "json", isUrgent: true });
  try {
    return readSecList(new TextDecoder().decode(bytesOf(got, path)));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`EDGAR's ticker list cannot be read: ${String(error)}.`);
  }
}

function bytesOf(got: Fetched, what: string): Uint8Array<ArrayBuffer> {
  if (got.kind === "ok") return got.bytes;
  const { why, untilMs } = got.kind === "unavailable" ? got : { why: `it answered ${got.kind}` };
  const blocked =
    untilMs !== undefined && `it is blocking this address until ${new Date(untilMs).toISOString()}`;
  throw new OperatorError(`Cannot get ${what} from EDGAR: ${blocked || why}.`);
}

function indexLines(bytes: Uint8Array<ArrayBuffer>): string[] {
  // Company names in older quarters are in Latin-1.
  return new TextDecoder("latin1").decode(bytes).split("\n");
}

function quartersBetween(from: string, until: string): { year: number; quarter: number }[] {
  const place = (date: string) =>
    Number(date.slice(0, 4)) * 4 + Math.floor((Number(date.slice(5, 7)) - 1) / 3);
  const [first, last] = [place(from), place(until)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({
    year: Math.floor((first + at) / 4),
    quarter: ((first + at) % 4) + 1,
  }));
}

function unknownSymbol(dataset: Dataset, symbol: string): OperatorError {
  const [cik] = dataset.search(symbol, 1);
  const meant = cik === undefined ? dataset.nearestTicker(symbol) : dataset.findByCik(cik);
  const hint =
    meant === undefined
      ? " To search: execcomp find WORDS"
      : ` Did you mean ${meant.name} (${meant.ticker})?`;
  return new OperatorError(`No ticker ${JSON.stringify(symbol)} in the dataset or on EDGAR.${hint}`);
}
