/** What an assistant should know of the dataset in use before it asks, and after an answer without rows. */
import type { GivenParameters } from "../domain/query.ts";
import { readSelection } from "../domain/selection.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { nameCompanies } from "./analysis.ts";
import type { OperationDeps } from "./operation.ts";

/** How much the dataset has. */
export interface CoverageSummary {
  companies: number;
  companyYears: number;
  completeCompanyYears: number;
  /** Null where there are no rows at all. */
  fiscalYears: { first: number; last: number } | null;
}

/** Fiscal years that have rows, oldest first. */
export interface AvailableYears {
  /** Null: of all companies. */
  ticker: string | null;
  years: readonly number[];
}

/** Companies of which the years are told after an answer without rows. */
const MAX_TOLD = 5;

/** What the guide answers. */
export interface DatasetGuide {
  coverage(): CoverageSummary;
  /** The years of the companies that a selection names, or of all. Never refuses: what cannot be read names nobody. */
  availableYears(given: GivenParameters): AvailableYears[];
}

/** Reads the guide from the dataset in use; the coverage is kept with it. */
export function datasetGuide({ snapshots }: Pick<OperationDeps, "snapshots">): DatasetGuide {
  const known = new WeakMap<Dataset, CoverageSummary>();
  return {
    coverage() {
      const dataset = snapshots.current();
      const summary = known.get(dataset) ?? summaryOf(dataset);
      known.set(dataset, summary);
      return summary;
    },
    availableYears(given) {
      const dataset = snapshots.current();
      const named = namedCompanies(dataset, given);
      if (named.length === 0) return [{ ticker: null, years: allYears(dataset) }];
      return named.slice(0, MAX_TOLD).map((cik) => ({
        ticker: dataset.findByCik(cik)?.ticker || `CIK ${cik}`,
        years: dataset
          .years(cik)
          .map(({ fiscalYear }) => fiscalYear)
          .sort((a, b) => a - b),
      }));
    },
  };
}

function summaryOf(dataset: Dataset): CoverageSummary {
  const [line] = dataset.all<{
    companies: number;
    years: number;
    complete: number | null;
    first: number | null;
    last: number | null;
  }>(
    `select count(distinct cik) as companies, count(*) as years, sum(complete) as complete,
      min(fiscal_year) as first, max(fiscal_year) as last from years`,
  );
  const { companies = 0, years = 0, complete = null, first = null, last = null } = line ?? {};
  return {
    companies,
    companyYears: years,
    completeCompanyYears: complete ?? 0,
    fiscalYears: first === null || last === null ? null : { first, last },
  };
}

function namedCompanies(dataset: Dataset, given: GivenParameters): string[] {
  const naming = new Map(
    ["ticker", "cik"].flatMap((name) => {
      const value = given.get(name)?.[0];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  if (naming.size === 0) return [];
  try {
    return [...nameCompanies(dataset, readSelection(naming)).resolved.ciks];
  } catch {
    return [];
  }
}

function allYears(dataset: Dataset): number[] {
  return dataset
    .all<{ year: number }>("select distinct fiscal_year as year from years order by fiscal_year")
    .map(({ year }) => year);
}
