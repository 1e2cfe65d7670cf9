/** Which companies a run is about: named ones, everybody who filed in some time, everybody, or what is known and not held. */
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { nearest } from "../domain/nearest.ts";
import { OperatorError } from "../errors.ts";
import type { Dataset } from "../snapshot/reader.ts";
import { readSecList } from "../snapshot/symbol-file.ts";
import type { WantedCompany } from "./fetch-filings.ts";
import { FORMS } from "./edgar/choose.ts";
import type { Edgar, Fetched } from "./edgar/client.ts";

/** Bounds that every company of a run shares. */
export type Bounds = Pick<WantedCompany, "years" | "from" | "until">;

/**
 * Companies by symbol or CIK. A symbol that the dataset does not know is looked up in EDGAR's own list.
 *
 * @throws OperatorError for one that nobody knows
 */
export async function namedCompanies(
  dataset: Dataset,
  edgar: Edgar,
  symbols: readonly string[],
  ciks: readonly string[],
  bounds: Bounds,
): Promise<WantedCompany[]> {
  const found = new Map<string, WantedCompany>();
  const add = (cik: string, name: string) => {
    const known = dataset.findByCik(cik)?.newestKnown ?? null;
    found.set(cik, { cik, name, known, ...bounds });
  };
  for (const asked of ciks) {
    const cik = normalizeCik(asked);
    if (cik === undefined)
      throw new OperatorError(`Cannot read the CIK ${JSON.stringify(asked)}: expected 1 to 10 digits.`);
    add(cik, dataset.findByCik(cik)?.name ?? "");
  }
  const unknown: string[] = [];
  for (const asked of symbols) {
    const company = dataset.findBySymbol(normalizeSymbol(asked));
    if (company === undefined) unknown.push(normalizeSymbol(asked));
    else add(company.cik, company.name);
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

/** Everybody who filed a form that can carry the table in the quarters that the days touch, by EDGAR's quarterly indexes. */
export async function filersBetween(
  dataset: Dataset,
  edgar: Edgar,
  bounds: Bounds,
): Promise<WantedCompany[]> {
  const found = new Map<string, WantedCompany>();
  for (const { year, quarter } of quartersBetween(bounds.from, bounds.until)) {
    const path = `/Archives/edgar/full-index/${year}/QTR${quarter}/master.gz`;
    const got = await edgar.get(edgar.wwwUrl + path, { expect: "gzip" });
    // A quarter that has only just begun may have no index yet.
    if (got.kind === "missing") continue;
    for (const line of indexLines(bytesOf(got, path))) {
      const [number = "", name = "", form = "", date = ""] = line.split("|");
      const cik = normalizeCik(number);
      if (cik === undefined || !FORMS.includes(form) || date < bounds.from || date > bounds.until) continue;
      found.set(cik, { cik, name: dataset.findByCik(cik)?.name ?? name, known: null, ...bounds });
    }
  }
  return [...found.values()].sort((a, b) => (a.cik < b.cik ? -1 : 1));
}

/** Every registrant of the SEC's symbol list. */
export function everybody(dataset: Dataset, bounds: Bounds): WantedCompany[] {
  return dataset
    .all<{ cik: number; name: string }>(
      "select cik, name from companies where listed_name is not null order by cik",
    )
    .map(({ cik, name }) => {
      const padded = String(cik).padStart(10, "0");
      return { cik: padded, name, known: dataset.findByCik(padded)?.newestKnown ?? null, ...bounds };
    });
}

/** Every filing that is known and was never read. */
export function pendingFilings(dataset: Dataset, bounds: Bounds): WantedCompany[] {
  return dataset
    .all<{
      cik: number;
      name: string;
      accession: string;
      form: string | null;
      filing_date: string;
      url: string;
    }>(
      `select f.cik, c.name, f.accession, f.form, f.filing_date, f.url from filings f join companies c on c.cik = f.cik
       where f.status = 'pending' and f.url is not null and f.filing_date is not null order by f.cik, f.id`,
    )
    .map(({ cik, name, accession, form, filing_date: filingDate, url }) => ({
      cik: String(cik).padStart(10, "0"),
      name,
      known: { accession, form, filingDate, url, held: false },
      onlyKnown: true,
      ...bounds,
    }));
}

async function symbolList(edgar: Edgar) {
  const path = "/files/company_tickers_exchange.json";
  const got = await edgar.get(edgar.wwwUrl + path, { expect: "json" });
  try {
    return readSecList(JSON.parse(new TextDecoder().decode(bytesOf(got, path))));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`EDGAR's list of symbols cannot be read: ${String(error)}.`);
  }
}

function bytesOf(got: Fetched, what: string): Uint8Array<ArrayBuffer> {
  if (got.kind === "ok") return got.bytes;
  const why =
    got.kind === "cooling"
      ? `it told this address to stay away until ${new Date(got.untilMs).toISOString()}`
      : got.kind === "unavailable"
        ? got.why
        : `it answered ${got.kind}`;
  throw new OperatorError(`Cannot get ${what} from EDGAR: ${why}.`);
}

function indexLines(bytes: Uint8Array<ArrayBuffer>): string[] {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // Company names of older quarters are in Latin-1.
  return new TextDecoder("latin1").decode(isPacked ? Bun.gunzipSync(bytes) : bytes).split("\n");
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
  const meant = nearest(symbol, dataset.tickers());
  const name = meant === undefined ? undefined : dataset.findBySymbol(meant)?.name;
  const hint = name === undefined ? "" : ` Did you mean ${name} (${meant})?`;
  return new OperatorError(`No ticker ${JSON.stringify(symbol)}, here or at EDGAR.${hint}`);
}
