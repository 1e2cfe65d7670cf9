/**
 * Reads the dataset in a snapshot, whose tables are declared in `schema.ts`. The statements here are SQL by hand, prepared once:
 * every answer takes this path, and building a query takes as long as the rest of a keyed answer (`bench rows`).
 */
import { valueAt } from "../lib/checked-access.ts";
import type { SQLQueryBindings } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Dataset, DatasetInfo, SnapshotDb } from "./dataset.ts";
import { BoundedCache } from "../lib/cache.ts";
import type { Company } from "../domain/company.ts";
import { codeOf, ServiceError } from "../errors.ts";
import { companyRows, RECORD, type RecordLine } from "./company-rows.ts";
import { FORMAT, openToReadThrough, type OpenSnapshot } from "./open.ts";
import type { Seal } from "./seal.ts";
import { readBlobs } from "./columns/blobs.ts";
import { type Search, type SearchIndex, companySearch } from "./search.ts";

/** Companies kept: without, a company's page takes half as long again, as it looks at others. */
const CACHED_COMPANIES = 4096;

/** The dataset of an open snapshot. */
export function datasetOf({ database, seal, bytes }: OpenSnapshot, origin: DatasetInfo["origin"]): Dataset {
  const all = <Row>(sql: string, ...values: SQLQueryBindings[]): Row[] =>
    reading(() => database.query<Row, SQLQueryBindings[]>(sql).all(...values));
  let db: SnapshotDb | undefined;
  const rows = companyRows(all);
  const companies = new BoundedCache<string, Company | null>(CACHED_COMPANIES);
  const find = (by: string, text: string, key: string | number) =>
    companies.getOrMake(text, () => {
      const [line] = all<RecordLine>(by, key);
      return line === undefined ? null : rows.take(line);
    }) ?? undefined;
  let tickers: readonly string[] | undefined;
  let names: Search | undefined;
  const named = () => (names ??= companySearch(dataset, readBlobs<SearchIndex>(dataset, "search")));
  const info = readInfo(all, seal, origin, bytes);
  const dataset: Dataset = {
    ...rows,
    file: database.filename === ":memory:" ? null : fileOf(database.filename),
    info,
    all,
    read: (query) => reading(() => query((db ??= drizzle(database)))),
    findByCik: (cik) => find(BY_CIK, cik, Number(cik)),
    findBySymbol: (symbol) => find(BY_SYMBOL, `$${symbol}`, symbol),
    symbols: (cik) =>
      all<{ symbol: string }>("select symbol from symbols where cik = ? order by place", Number(cik)).map(
        ({ symbol }) => symbol,
      ),
    tickers() {
      tickers ??= all<{ ticker: string }>(
        "select ticker from companies where row_count > 0 and ticker <> '' order by ticker",
      ).map(({ ticker }) => ticker);
      return tickers;
    },
    search: (words, max, isForgiving) => named().search(words, max, isForgiving),
    nearestTicker: (mistyped) => named().nearestTicker(mistyped),
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
  const text = (key: string) => valueAt(values, key);
  const count = (key: string) => Number(valueAt(values, key));
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

const BY_CIK = `${RECORD} where c.cik = ?`;
const BY_SYMBOL = `${RECORD} join symbols s on s.cik = c.cik where s.symbol = ?`;

/** Turns SQLite's errors about an unreadable file into a refusal that names the operator's next step. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(codeOf(cause))) throw cause;
    throw new ServiceError(
      "unavailable",
      "The dataset cannot be read. The operator can check it with `execcomp data verify` and return to the previous one with `execcomp data rollback`.",
      { retryAfterSeconds: 60 },
    );
  }
}
