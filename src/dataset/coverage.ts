/** Which companies and years the dataset covers, and what is known to be missing. */
import { and, asc, count, eq, gt, lt, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { KnownFiling } from "../domain/company.ts";
import type { Assembled } from "./assemble.ts";
import type { Dataset } from "./dataset.ts";
import { coverage, type RecordOf } from "./schema.ts";
import { byFilingDate, type CompanyRecord, newestKnown, type FilingStatus, type HowRead } from "./record.ts";

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

/** The coverage of a company as a record of the snapshot; null without a known filing. */
export function coverageOf(
  record: CompanyRecord,
  { rows, years, problems }: Assembled,
  ticker: string,
): RecordOf<typeof coverage> | null {
  const filings = [...record.filings].sort(byFilingDate);
  if (filings.length === 0) return null;
  const statuses = { pending: 0, parsed: 0, refused: 0, failed: 0 };
  for (const { status } of filings) statuses[status]++;
  const accessions = new Set(filings.map(({ accession }) => accession));
  const checked = record.observations.map(({ checks }) => checks.join(" ")).filter((names) => names !== "");
  const line: StoredLine = {
    cik: record.cik,
    ticker,
    name: record.name,
    newestKnown: newestKnown(filings),
    years,
    filings: statuses,
    withoutUrl: filings.filter((filing) => filing.status === "parsed" && filing.url === null).length,
    read: [...new Set(filings.flatMap(({ read }) => read ?? []))].sort(),
    rows: rows.length,
    checkedRows: checked.length,
    checks: tally(checked.sort().flatMap((names) => names.split(" "))),
    problems: tally(problems.flatMap((one) => (accessions.has(one.accession) ? one.code : [])).sort()),
    missingYears: missing(years.map(({ fiscalYear }) => fiscalYear)),
  };
  return {
    cik: record.cik,
    place: ticker || "~",
    rows: rows.length,
    years: years.length,
    complete: years.filter(({ complete }) => complete).length,
    unloaded: statuses.pending,
    newestUnloaded: line.newestKnown?.isLoaded === false,
    checked: checked.length,
    reconciled: totalsReconciled(line.checks),
    manual: line.read.includes("transcribed"),
    collected: line.read.includes("collected"),
    name: record.name.toLowerCase(),
    json: JSON.stringify(line),
  };
}

/** How many rows passed a check of their total. The check of rows that were entered manually is called `sum`. */
export function totalsReconciled(checks: CoverageLine["checks"]): number {
  return (checks["sum_to_total"] ?? 0) + (checks["sum"] ?? 0);
}

/** Sums over all companies with a known filing; years and manual entries only of those with rows. */
export type CoverageSums = Record<
  | "companies"
  | "withRows"
  | "years"
  | "complete"
  | "unloaded"
  | "checked"
  | "reconciled"
  | "manual"
  | "collected"
  | "linked",
  number
>;

/** The sums of a dataset. */
export function coverageSums(dataset: Dataset): CoverageSums {
  const { years, complete, unloaded, checked, reconciled, manual, collected } = coverage;
  const total = (of: SQL | SQLWrapper | undefined) => sql<number>`total(${of})`;
  const sums = dataset.read((db) =>
    db
      .select({
        companies: count(),
        withRows: total(HAS_ROWS),
        years: total(years),
        complete: total(complete),
        unloaded: total(unloaded),
        checked: total(checked),
        reconciled: total(reconciled),
        manual: total(and(HAS_ROWS, manual)),
        collected: total(and(HAS_ROWS, collected)),
        linked: total(and(HAS_ROWS, not(manual), not(collected))),
      })
      .from(coverage)
      .get(),
  );
  if (sums === undefined) throw new Error("a sum has one line");
  return sums;
}

const HAS_ROWS = gt(coverage.rows, 0);
/** Of the latest index membership. By hand: among selected columns drizzle leaves out the names of tables, which a subquery needs. */
const SECTOR = sql<string | null>`(select sector from index_members m where m.cik = coverage.cik
  order by coalesce(removed, '9999') desc, added desc, symbol limit 1)`;

/** The lines of companies, by ticker; those without a ticker last. */
function readLines(
  dataset: Dataset,
  which?: SQL,
  page: { limit: number; offset: number } = ALL_LINES,
): CoverageLine[] {
  const lines = dataset.read((db) =>
    db
      .select({ json: coverage.json, sector: sql<string | null>`iif(${HAS_ROWS}, ${SECTOR}, null)` })
      .from(coverage)
      .where(which)
      .orderBy(asc(coverage.place), asc(coverage.cik))
      .limit(page.limit)
      .offset(page.offset)
      .all(),
  );
  // Written by `coverageOf`.
  return lines.map(({ json, sector }) => ({ ...(JSON.parse(json) as StoredLine), sector }));
}

const ALL_LINES = { limit: -1, offset: 0 };

/** All companies with a known filing, by ticker; those without a ticker last. */
export function readCoverage(dataset: Dataset): CoverageLine[] {
  return readLines(dataset);
}

/** What companies are selected by. */
const STATUSES = {
  rows: HAS_ROWS,
  complete: and(HAS_ROWS, eq(coverage.complete, coverage.years)),
  partial: lt(coverage.complete, coverage.years),
  pending: eq(coverage.newestUnloaded, true),
  all: undefined,
} as const;
/** One of them. */
export type CoverageStatus = keyof typeof STATUSES;

/** A selection of companies. */
export interface CoverageQuery {
  /** The beginning of a ticker, a part of a name or the end of a CIK, with any status; empty for all. */
  search: string;
  status: CoverageStatus;
  /** Empty for all. */
  sector: string;
}

/** One page of the selected companies, in the order of `readCoverage`. @param page from 1; the last one for any higher */
export function findCoverage(
  dataset: Dataset,
  { search, status, sector }: CoverageQuery,
  page: number,
  pageSize: number,
): { found: number; page: number; pages: number; lines: CoverageLine[] } {
  const where = and(
    search === "" ? STATUSES[status] : isSought(search.toLowerCase()),
    sector === "" ? undefined : and(HAS_ROWS, eq(SECTOR, sector)),
  );
  const found = dataset
    .read((db) => db.select({ n: count() }).from(coverage).where(where).all())
    .reduce((sum, { n }) => sum + n, 0);
  const pages = Math.max(1, Math.ceil(found / pageSize));
  const at = Math.min(Math.max(1, page), pages);
  const lines = readLines(dataset, where, { limit: pageSize, offset: (at - 1) * pageSize });
  return { found, page: at, pages, lines };
}

/** @param words in lower case */
function isSought(words: string): SQL | undefined {
  const { place, name, cik } = coverage;
  return or(
    sql`${place} <> '~' and substr(lower(${place}), 1, length(${words})) = ${words}`,
    sql`instr(${name}, ${words}) > 0`,
    sql`substr(printf('%010d', ${cik}), -length(${words})) = ${words}`,
  );
}

/** Describes the known gaps of a company. */
export function gapsOf({ newestKnown, years, missingYears, filings, withoutUrl }: CoverageLine): string[] {
  const incomplete = years.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
  return [
    ...(newestKnown === null || newestKnown.isLoaded
      ? []
      : [`its newest filing ${newestKnown.accession} has not been read`]),
    ...(incomplete.length === 0 ? [] : [`incomplete years ${incomplete.join(", ")}`]),
    ...(missingYears.length === 0 ? [] : [`nothing for ${missingYears.join(", ")}`]),
    ...(filings.failed === 0 ? [] : [`${filings.failed} filings failed`]),
    ...(withoutUrl === 0
      ? []
      : [`${withoutUrl} ${withoutUrl === 1 ? "filing" : "filings"} without an address`]),
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
  const years = new Set(held);
  return Array.from({ length: newest - oldest }, (_, index) => newest - index).filter(
    (year) => !years.has(year),
  );
}
