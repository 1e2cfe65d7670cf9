/** Which companies and years the dataset has, and what it is known to lack. */
import type { KnownFiling } from "../domain/company.ts";
import { type Dataset, padCik } from "./dataset.ts";
import type { FilingStatus, HowRead } from "./record.ts";

/** One company of which a filing is known. */
export interface CoverageLine {
  cik: string;
  ticker: string;
  name: string;
  newestKnown: KnownFiling | null;
  /** Newest first. */
  years: readonly { fiscalYear: number; complete: boolean }[];
  /** How many filings have each status. */
  filings: Readonly<Record<FilingStatus, number>>;
  /** Loaded filings of which the document's address is unknown: their rows have no `filing_url`. */
  withoutUrl: number;
  /** How the filings that were read were read. */
  read: readonly HowRead[];
  rows: number;
  /** Rows of any filing that were checked. */
  checkedRows: number;
  /** How many of them passed each check, by name. */
  checks: Readonly<Record<string, number>>;
  /** Problems of filings and rows, by code. */
  problems: Readonly<Record<string, number>>;
  /** Years between the oldest and the newest that have no rows. */
  missingYears: readonly number[];
}

/** Every company of which a filing is known, by ticker, those without one last. */
export function readCoverage(dataset: Dataset): CoverageLine[] {
  const years = grouped(
    dataset.all<{ cik: number; fiscal_year: number; complete: number }>(
      "select cik, fiscal_year, complete from years order by cik, fiscal_year desc",
    ),
  );
  const filings = grouped(
    dataset.all<{ cik: number; status: FilingStatus; read: HowRead | null; count: number }>(
      "select cik, status, read, count(*) as count from filings group by cik, status, read order by cik, read",
    ),
  );
  const unaddressed = grouped(
    dataset.all<{ cik: number; count: number }>(
      "select cik, count(*) as count from filings where status = 'parsed' and url is null group by cik",
    ),
  );
  const problems = grouped(
    dataset.all<{ cik: number; code: string; count: number }>(
      "select cik, code, count(*) as count from problems join filings on filings.id = filing group by cik, code order by cik, code",
    ),
  );
  const checks = grouped(
    dataset.all<{ cik: number; checks: string; count: number }>(
      "select cik, checks, count(*) as count from observations join filings on filings.id = filing where checks <> '' group by cik, checks",
    ),
  );
  return dataset
    .all<CompanyLine>(
      `select companies.cik, ticker, name, companies.row_count, accession, form, filing_date, url, status
        from companies join filings on filings.id = newest_filing order by ticker = '', ticker, companies.cik`,
    )
    .map((line) => {
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
        newestKnown:
          line.filing_date === null
            ? null
            : {
                accession: line.accession,
                form: line.form,
                filingDate: line.filing_date,
                url: line.url,
                held: line.status === "parsed",
              },
        years: held,
        filings: statuses,
        read: [...new Set((filings.get(line.cik) ?? []).flatMap(({ read }) => read ?? []))],
        rows: line.row_count,
        checks: tally(
          checked.flatMap(({ checks: names, count }) =>
            names.split(" ").map((name) => [name, count] as const),
          ),
        ),
        checkedRows: checked.reduce((sum, { count }) => sum + count, 0),
        withoutUrl: unaddressed.get(line.cik)?.[0]?.count ?? 0,
        problems: tally((problems.get(line.cik) ?? []).map(({ code, count }) => [code, count] as const)),
        missingYears: missing(held.map(({ fiscalYear }) => fiscalYear)),
      };
    });
}

/** What a company is known to lack, in words. */
export function gapsOf({ newestKnown, years, missingYears, filings, withoutUrl }: CoverageLine): string[] {
  const incomplete = years.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
  return [
    ...(newestKnown === null || newestKnown.held
      ? []
      : [`its newest filing ${newestKnown.accession} is not loaded`]),
    ...(incomplete.length === 0 ? [] : [`incomplete years ${incomplete.join(", ")}`]),
    ...(missingYears.length === 0 ? [] : [`no rows for ${missingYears.join(", ")}`]),
    ...(filings.failed === 0 ? [] : [`${filings.failed} filings failed`]),
    ...(withoutUrl === 0
      ? []
      : [`${withoutUrl} loaded ${withoutUrl === 1 ? "filing" : "filings"} of unknown address`]),
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

function grouped<Line extends { cik: number }>(lines: readonly Line[]): Map<number, Line[]> {
  return Map.groupBy(lines, ({ cik }) => cik);
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
