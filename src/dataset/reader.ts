/**
 * Reads the dataset in a snapshot. Statements are raw SQL, prepared once: every answer takes this path, and loading drizzle
 * alone would add 10 ms to the start. The tables are declared in `schema.ts`.
 */
import type { CompanySearch, Dataset, DatasetInfo } from "./dataset.ts";
import type { SQLQueryBindings } from "bun:sqlite";
import { BoundedCache } from "../domain/cache.ts";
import type { Company } from "../domain/company.ts";
import { ServiceError } from "../errors.ts";
import { companyRows, type RowsRecord } from "./company-rows.ts";
import { FORMAT, openToReadThrough, type OpenSnapshot } from "./open.ts";
import type { Seal } from "./seal.ts";
import { readLaidOut } from "./columns/laid-out.ts";
import { type SearchIndex, companySearch } from "./search.ts";

const CACHED_COMPANIES = 4096;

/** The dataset of an open snapshot. */
export function datasetOf({ database, seal, bytes }: OpenSnapshot, origin: DatasetInfo["origin"]): Dataset {
  const all = <Row>(sql: string, ...values: SQLQueryBindings[]): Row[] =>
    reading(() => database.query<Row, SQLQueryBindings[]>(sql).all(...values));
  const companies = new BoundedCache<string, Company | null>(CACHED_COMPANIES);
  const ciks = new BoundedCache<string, string>(CACHED_COMPANIES);
  let tickers: readonly string[] | undefined;
  const look = (sql: string, key: string | number): Company | null => {
    const [line] = all<RowsRecord & { facts: string }>(sql, key);
    if (line === undefined) return null;
    const company = companyOf(all, line.facts);
    rows.take(company.cik, line);
    return company;
  };
  const byCik = (cik: string) => companies.getOrMake(cik, () => look(BY_CIK, Number(cik))) ?? undefined;
  const rows = companyRows(all, (cik) => byCik(cik)?.ticker ?? "");
  let search: CompanySearch | undefined;
  const info = readInfo(all, seal, origin, bytes);
  const dataset: Dataset = {
    ...rows,
    file: database.filename === ":memory:" ? null : fileOf(database.filename),
    info,
    all,
    findByCik: byCik,
    findBySymbol(symbol) {
      const cik = ciks.getOrMake(symbol, () => {
        const found = look(BY_SYMBOL, symbol);
        return found === null ? "" : (companies.getOrMake(found.cik, () => found)?.cik ?? "");
      });
      return cik === "" ? undefined : byCik(cik);
    },
    tickers() {
      tickers ??= all<{ ticker: string }>(
        "select ticker from companies where row_count > 0 and ticker <> '' order by ticker",
      ).map(({ ticker }) => ticker);
      return tickers;
    },
    search(words, max) {
      search ??= companySearch(dataset, readLaidOut<SearchIndex>(dataset, "search"));
      return search(words, max);
    },
  };
  return dataset;
}

/**
 * The dataset over a connection of its own, for reading much of it once: pages read from a mapped file stay in this
 * process's memory, half a gigabyte after an export of half a million rows. A dataset in memory, or whose file no longer
 * exists, is returned as it is.
 */
export function readingThrough(dataset: Dataset): { dataset: Dataset; close(): void } {
  const unchanged = { dataset, close() {} };
  if (dataset.file === null) return unchanged;
  try {
    const snapshot = openToReadThrough(dataset.file);
    const close = () => snapshot.database.close();
    if (snapshot.seal.contentHash === dataset.info.contentHash)
      return { dataset: datasetOf(snapshot, dataset.info.origin), close };
    close();
    return unchanged;
  } catch {
    // Replaced or removed since; the open file is still fully readable.
    return unchanged;
  }
}

/** The path in the URI by which the snapshot was opened (`open.ts`). */
function fileOf(filename: string): string {
  return filename.startsWith("file:") ? decodeURIComponent(filename.slice(5).replace(/\?.*$/, "")) : filename;
}

type All = Dataset["all"];

function readInfo(
  all: All,
  { edition, sequence, contentHash, key: signedBy }: Seal,
  origin: DatasetInfo["origin"],
  bytes: number,
): DatasetInfo {
  const values = new Map(
    all<{ key: string; value: string }>("select key, value from meta").map(({ key, value }) => [key, value]),
  );
  const text = (key: string) => values.get(key) ?? "";
  const count = (key: string) => Number(values.get(key) ?? 0);
  return {
    origin,
    contentHash,
    signedBy,
    format: FORMAT,
    edition,
    sequence,
    newestFilingDate: text("newest_filing_date"),
    companies: count("companies"),
    companiesWithRows: count("companies_with_rows"),
    filings: count("filings"),
    observations: count("observations"),
    rows: count("rows"),
    bytes,
  };
}

/** All that an answer for one company needs, in one look-up: more statements cost more than the rest of a cold answer. */
const COMPANY = "select facts, years, json from company_rows c";
const BY_CIK = `${COMPANY} where c.cik = ?`;
const BY_SYMBOL = `${COMPANY} join symbols s on s.cik = c.cik where s.symbol = ?`;

function companyOf(all: All, facts: string): Company {
  // Written by `writer.ts`.
  const company = JSON.parse(facts) as Omit<Company, "symbols">;
  return {
    ...company,
    // Needed only by one page and by search, and four times as expensive as the rest.
    get symbols() {
      return all<{ symbol: string }>(
        "select symbol from symbols where cik = ? order by place",
        Number(company.cik),
      ).map(({ symbol }) => symbol);
    },
  };
}

/** Turns SQLite's errors about an unreadable file into a refusal that names the operator's next step. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(code)) throw cause;
    throw new ServiceError(
      "unavailable",
      "The dataset cannot be read. The operator can check it with `execcomp data verify` and return to the previous one with `execcomp data rollback`.",
      { retryAfterSeconds: 60 },
    );
  }
}
