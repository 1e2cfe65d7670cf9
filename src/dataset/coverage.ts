/** Which companies and years the dataset covers, and what is known to be missing. */
import type { KnownFiling } from "../domain/company.ts";
import { sectorOf } from "./company-facts.ts";
import { type Dataset, MAX_ROWS, padCik } from "./dataset.ts";
import type { FilingStatus, HowRead } from "./record.ts";

/** Coverage of a company with at least one known filing. */
export interface CoverageLine {
  cik: string;
  ticker: string;
  name: string;
  /** Sector of its latest index membership; null for a company without rows. */
  sector: string | null;
  newestKnown: KnownFiling | null;
  /** Newest first. */
  years: readonly { fiscalYear: number; complete: boolean }[];
  /** Number of filings by status. */
  filings: Readonly<Record<FilingStatus, number>>;
  /** Loaded filings whose document URL is unknown: their rows have no `filing_url`. */
  withoutUrl: number;
  /** The methods by which its loaded filings were read. */
  read: readonly HowRead[];
  rows: number;
  /** Number of checked rows in all its filings. */
  checkedRows: number;
  /** How many of them passed each check, by check name. */
  checks: Readonly<Record<string, number>>;
  /** Problems of filings and rows, by problem code. */
  problems: Readonly<Record<string, number>>;
  /** Years without rows between the oldest and the newest. */
  missingYears: readonly number[];
}

/** Companies per batch: a few milliseconds, after which other work can run. */
const COMPANIES_A_BATCH = 64;

/** All companies with a known filing, by ticker; those without a ticker last. */
export function readCoverage(dataset: Dataset): CoverageLine[] {
  return byTicker([...coverageBatches(dataset)].flat());
}

/** Like `readCoverage`, yielding to the event loop after each batch: half a million rows take a second. */
export async function readCoverageInBackground(dataset: Dataset): Promise<CoverageLine[]> {
  const lines: CoverageLine[] = [];
  for (const batch of coverageBatches(dataset)) {
    lines.push(...batch);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return byTicker(lines);
}

function byTicker(lines: CoverageLine[]): CoverageLine[] {
  // Tickers and CIKs are ASCII, so code unit order equals SQLite's order.
  const key = ({ ticker, cik }: CoverageLine) => `${ticker === "" ? "~" : ticker} ${cik}`;
  const keyed = new Map(lines.map((line) => [key(line), line]));
  return [...keyed.keys()].sort().flatMap((each) => keyed.get(each) ?? []);
}

/** Yields the coverage lines in batches, by CIK. */
function* coverageBatches(dataset: Dataset): Generator<CoverageLine[]> {
  for (let after = -1; ;) {
    const companies = dataset.all<CompanyLine>(
      `select companies.cik, ticker, name, companies.row_count, accession, form, filing_date, url, status
        from companies cross join filings on filings.id = newest_filing where companies.cik > ?
        order by companies.cik limit ?`,
      after,
      COMPANIES_A_BATCH,
    );
    const last = companies.at(-1);
    if (last === undefined) return;
    yield linesOf(dataset, companies, { from: after + 1, to: last.cik });
    after = last.cik;
  }
}

/** The coverage of the given companies. @param from the lowest CIK of the batch; `to` is the highest */
function linesOf(
  dataset: Dataset,
  companies: readonly CompanyLine[],
  { from, to }: { from: number; to: number },
): CoverageLine[] {
  const grouped = <Line extends { cik: number }>(sql: string) =>
    Map.groupBy(dataset.all<Line>(sql, from, to), ({ cik }) => cik);
  const years = grouped<{ cik: number; fiscal_year: number; complete: number }>(
    "select cik, fiscal_year, complete from years where cik between ? and ? order by cik, fiscal_year desc",
  );
  const filings = grouped<{ cik: number; status: FilingStatus; read: HowRead | null; count: number }>(
    "select cik, status, read, count(*) as count from filings where cik between ? and ? group by cik, status, read order by cik, read",
  );
  const unaddressed = grouped<{ cik: number; count: number }>(
    "select cik, count(*) as count from filings where cik between ? and ? and status = 'parsed' and url is null group by cik",
  );
  const problems = grouped<{ cik: number; code: string; count: number }>(
    `select cik, code, count(*) as count from filings cross join problems on filing = filings.id
      where cik between ? and ? group by cik, code order by cik, code`,
  );
  const checks = grouped<{ cik: number; checks: string; count: number }>(
    `select cik, checks, count(*) as count from filings cross join observations
      on observations.id >= filings.id * ${MAX_ROWS} and observations.id < (filings.id + 1) * ${MAX_ROWS}
      where cik between ? and ? and checks <> '' group by cik, checks`,
  );
  const stays = grouped<{ cik: number; sector: string; added: string; removed: string | null }>(
    "select cik, sector, added, removed from index_members where cik between ? and ? order by cik, added, symbol",
  );
  return companies.map((line) => {
    const held = (years.get(line.cik) ?? []).map(({ fiscal_year: fiscalYear, complete }) => ({
      fiscalYear,
      complete: complete === 1,
    }));
    const statuses = { pending: 0, parsed: 0, refused: 0, failed: 0 };
    for (const { status, count } of filings.get(line.cik) ?? []) statuses[status] += count;
    const checked = checks.get(line.cik) ?? [];
    return {
      cik: padCik(line.cik),
      ticker: line.ticker,
      name: line.name,
      sector: line.row_count > 0 ? sectorOf(stays.get(line.cik) ?? []) : null,
      newestKnown: newestKnownOf(line),
      years: held,
      filings: statuses,
      read: [...new Set((filings.get(line.cik) ?? []).flatMap(({ read }) => read ?? []))],
      rows: line.row_count,
      checks: tally(
        checked.flatMap(({ checks: names, count }) => names.split(" ").map((name) => [name, count] as const)),
      ),
      checkedRows: checked.reduce((sum, { count }) => sum + count, 0),
      withoutUrl: unaddressed.get(line.cik)?.[0]?.count ?? 0,
      problems: tally((problems.get(line.cik) ?? []).map(({ code, count }) => [code, count] as const)),
      missingYears: missing(held.map(({ fiscalYear }) => fiscalYear)),
    };
  });
}

function newestKnownOf(line: CompanyLine): KnownFiling | null {
  const { accession, form, filing_date: filingDate, url, status } = line;
  if (filingDate === null) return null;
  return { accession, form, filingDate, url, isLoaded: status === "parsed" };
}

/** Describes the known gaps of a company. */
export function gapsOf({ newestKnown, years, missingYears, filings, withoutUrl }: CoverageLine): string[] {
  const incomplete = years.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
  return [
    ...(newestKnown === null || newestKnown.isLoaded
      ? []
      : [`its newest filing ${newestKnown.accession} is not loaded`]),
    ...(incomplete.length === 0 ? [] : [`incomplete years ${incomplete.join(", ")}`]),
    ...(missingYears.length === 0 ? [] : [`no rows for ${missingYears.join(", ")}`]),
    ...(filings.failed === 0 ? [] : [`${filings.failed} filings failed`]),
    ...(withoutUrl === 0
      ? []
      : [`${withoutUrl} loaded ${withoutUrl === 1 ? "filing" : "filings"} without a URL`]),
  ];
}

interface CompanyLine {
  cik: number;
  ticker: string;
  name: string;
  row_count: number;
  accession: string;
  form: string | null;
  filing_date: string | null;
  url: string | null;
  status: FilingStatus;
}

function tally(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function missing(held: readonly number[]): number[] {
  const [newest = 0] = held;
  const oldest = held.at(-1) ?? 0;
  const known = new Set(held);
  return Array.from({ length: newest - oldest }, (_, index) => newest - index).filter(
    (year) => !known.has(year),
  );
}
