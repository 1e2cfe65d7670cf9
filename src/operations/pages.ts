import { type Company, type AvailableYear, normalizeSymbol } from "../domain/company.ts";
import { type CoverageLine, gapsOf, readCoverage } from "../snapshot/coverage.ts";
import { readCompanyFacts } from "../snapshot/company-facts.ts";
import { yearsAsOf } from "../snapshot/detail.ts";
import type { DatasetInfo } from "../snapshot/dataset.ts";
import type { OperationDeps } from "./operation.ts";

type Snapshots = Pick<OperationDeps, "snapshots">;

/** The latest year of a company as a page shows it. */
export interface LatestYear {
  /** The symbol asked for, in the SEC's spelling. */
  ticker: string;
  /** Undefined for a symbol that nobody has. */
  company: Company | undefined;
  /** Undefined where no rows are held, or none were known on the day asked for. */
  latest: AvailableYear | undefined;
}

/**
 * What the page of a company shows: the latest fiscal year held, not metered, not counted. With a day, that same
 * year as the filings filed until then told it: earlier years need a credential here as everywhere.
 *
 * @param asOf YYYY-MM-DD; null for today
 */
export function findLatest({ snapshots }: Snapshots, asked: string, asOf: string | null): LatestYear {
  const dataset = snapshots.current();
  const ticker = normalizeSymbol(asked);
  const company = dataset.findBySymbol(ticker);
  const latest = company === undefined ? undefined : dataset.years(company.cik)[0];
  if (company === undefined || latest === undefined || asOf === null) return { ticker, company, latest };
  const then = yearsAsOf(dataset, company.cik, asOf).find(
    ({ fiscalYear }) => fiscalYear === latest.fiscalYear,
  );
  return { ticker, company, latest: then };
}

/** A company's line on the coverage page, with what it lacks in words. */
export type CoverageEntry = CoverageLine & { gaps: readonly string[]; sector: string | null };

/** Which years are available of every company of which a filing is known. Made anew for each dataset, and kept. */
export function coverageReader({
  snapshots,
}: Snapshots): () => { info: DatasetInfo; lines: readonly CoverageEntry[] } {
  let kept: { info: DatasetInfo; lines: readonly CoverageEntry[] } | undefined;
  return () => {
    const dataset = snapshots.current();
    if (kept?.info !== dataset.info) {
      const lines = readCoverage(dataset).map((line) => ({
        ...line,
        gaps: gapsOf(line),
        sector: line.rows > 0 ? readCompanyFacts(dataset, line.cik).sector : null,
      }));
      kept = { info: dataset.info, lines };
    }
    return kept;
  };
}
