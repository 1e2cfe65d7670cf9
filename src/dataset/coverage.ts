/** Which companies and years the dataset covers, and what is known to be missing. */
import type { KnownFiling } from "../domain/company.ts";
import { sectorOf } from "./company-facts.ts";
import type { Assembled } from "./assemble.ts";
import type { Dataset } from "./dataset.ts";
import { byFilingDate, type CompanyRecord, type FilingStatus, type HowRead } from "./record.ts";

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

/** A line as it is stored with its company; the sector is among the facts that are not from filings. */
type StoredLine = Omit<CoverageLine, "sector">;

/** The coverage of a company as JSON, made once when a snapshot is; null without a known filing. */
export function coverageJson(
  record: CompanyRecord,
  { rows, years, problems }: Assembled,
  ticker: string,
): string | null {
  const filings = [...record.filings].sort(byFilingDate);
  const newest = filings.at(-1);
  if (newest === undefined) return null;
  const statuses = { pending: 0, parsed: 0, refused: 0, failed: 0 };
  for (const { status } of filings) statuses[status]++;
  const known = new Set(filings.map(({ accession }) => accession));
  const checked = record.observations.map(({ checks }) => checks.join(" ")).filter((names) => names !== "");
  const { accession, form, filingDate, url, status } = newest;
  const line: StoredLine = {
    cik: record.cik,
    ticker,
    name: record.name,
    newestKnown:
      filingDate === null ? null : { accession, form, filingDate, url, isLoaded: status === "parsed" },
    years,
    filings: statuses,
    withoutUrl: filings.filter((filing) => filing.status === "parsed" && filing.url === null).length,
    read: [...new Set(filings.flatMap(({ read }) => read ?? []))].sort(),
    rows: rows.length,
    checkedRows: checked.length,
    checks: tally(checked.sort().flatMap((names) => names.split(" "))),
    problems: tally(problems.flatMap((one) => (known.has(one.accession) ? one.code : [])).sort()),
    missingYears: missing(years.map(({ fiscalYear }) => fiscalYear)),
  };
  return JSON.stringify(line);
}

/** Companies per batch: a few milliseconds, after which other work can run. */
const COMPANIES_A_BATCH = 64;

/** All companies with a known filing, by ticker; those without a ticker last. */
export function readCoverage(dataset: Dataset): CoverageLine[] {
  return [...coverageBatches(dataset)].flat();
}

/** Like `readCoverage`, yielding to the event loop after each batch. */
export async function readCoverageInBackground(dataset: Dataset): Promise<CoverageLine[]> {
  const lines: CoverageLine[] = [];
  for (const batch of coverageBatches(dataset)) {
    lines.push(...batch);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return lines;
}

/** Yields the coverage lines in batches. */
function* coverageBatches(dataset: Dataset): Generator<CoverageLine[]> {
  const stays = Map.groupBy(
    dataset.all<{ cik: number; sector: string; added: string; removed: string | null }>(
      "select cik, sector, added, removed from index_members order by cik, added, symbol",
    ),
    ({ cik }) => cik,
  );
  let after: [place: string, cik: number] = ["", -1];
  for (;;) {
    const stored = dataset.all<{ place: string; cik: number; json: string }>(
      "select place, cik, json from coverage where (place, cik) > (?, ?) order by place, cik limit ?",
      ...after,
      COMPANIES_A_BATCH,
    );
    const last = stored.at(-1);
    if (last === undefined) return;
    yield stored.map(({ cik, json }) => {
      // Written by `coverageJson`.
      const line = JSON.parse(json) as StoredLine;
      return { ...line, sector: line.rows > 0 ? sectorOf(stays.get(cik) ?? []) : null };
    });
    after = [last.place, last.cik];
  }
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

function tally(names: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const name of names) sums[name] = (sums[name] ?? 0) + 1;
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
