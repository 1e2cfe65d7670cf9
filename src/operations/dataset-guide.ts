/** What an assistant needs to know about the dataset before querying it, and after an empty answer. */
import { symbolOf } from "../domain/company.ts";
import type { GivenParameters } from "../domain/parameters.ts";
import { VIEWS } from "../analysis/sql/views.ts";
import type { ExecutiveCompensation, FieldKind } from "../domain/row-fields.ts";
import { readSelection } from "../domain/selection.ts";
import { fiscalYearsOf } from "../dataset/columns/columns.ts";
import { coverageSums } from "../dataset/coverage.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { shortPeriods } from "../dataset/remarks.ts";
import { nameCompanies } from "./analysis.ts";
import type { CeoPayJson } from "./ceo-pay.ts";
import { companyMeant, type Understood } from "./company.ts";
import type { OperationDeps } from "./operation.ts";
import { rowsOfOfficers } from "./rows.ts";

/** Totals of the dataset. */
export type CoverageSummary = ReturnType<typeof summaryOf>;

/** Maximum number of companies whose years are listed after an empty answer. */
const MAX_TOLD = 5;

/** Describes the dataset in use; coverage is computed once per dataset. */
export function datasetGuide({ snapshots }: Pick<OperationDeps, "snapshots">) {
  const summaries = new WeakMap<Dataset, CoverageSummary>();
  return {
    coverage(): CoverageSummary {
      const dataset = snapshots.current();
      const summary = summaries.get(dataset) ?? summaryOf(dataset);
      summaries.set(dataset, summary);
      return summary;
    },
    /**
     * The fiscal years with rows of the companies in a selection, oldest first; of all companies, without a ticker, where
     * it names none or is invalid.
     */
    availableYears(given: GivenParameters): { ticker: string | null; years: readonly number[] }[] {
      const dataset = snapshots.current();
      const named = namedCompanies(dataset, given);
      if (named.length === 0) return [{ ticker: null, years: fiscalYearsOf(dataset).toReversed() }];
      return named.slice(0, MAX_TOLD).map((cik) => ({
        ticker: symbolOf({ ticker: dataset.findByCik(cik)?.ticker ?? "", cik }),
        years: dataset
          .fiscalYears(cik)
          .map(({ fiscalYear }) => fiscalYear)
          .toReversed(),
      }));
    },
    /** The company that a name was taken for; null for a symbol, and where no one company is meant. */
    understood: (name: string): Understood | null =>
      companyMeant(snapshots.current(), name)?.understood ?? null,
    /** A sentence for each company-year among the rows that is shorter than a year. */
    shortPeriods: (rows: readonly ExecutiveCompensation[]): string[] =>
      shortPeriodsOf(snapshots.current(), rows),
    /** The same for totals that stand for a row. */
    shortTotals: (totals: readonly CeoPayJson[]): string[] => shortTotalsOf(snapshots.current(), totals),
  };
}

function shortPeriodsOf(dataset: Dataset, rows: readonly ExecutiveCompensation[]): string[] {
  const remarks = shortPeriods(
    dataset,
    rows.map(({ cik }) => cik),
  );
  const lines = rows.flatMap((row) =>
    remarks(row).map(({ message }) => `${symbolOf(row)}, fiscal ${row.fiscal_year}: ${message}`),
  );
  return [...new Set(lines)];
}

/** A sentence for each of these totals that a row has and that is for less than a year. */
export function shortTotalsOf(dataset: Dataset, totals: readonly CeoPayJson[]): string[] {
  const rowOf = rowsOfOfficers(dataset);
  const ofRows = totals.filter(({ basis }) => basis === "row");
  return shortPeriodsOf(
    dataset,
    ofRows.flatMap((total) => rowOf(total) ?? []),
  );
}

function summaryOf(dataset: Dataset) {
  const { withRows: companies, years: companyYears, complete: completeCompanyYears } = coverageSums(dataset);
  const years = fiscalYearsOf(dataset);
  const [first, last] = [years.at(-1), years[0]];
  const isEmpty = first === undefined || last === undefined;
  // Without rows there are no years.
  return { companies, companyYears, completeCompanyYears, fiscalYears: isEmpty ? null : { first, last } };
}

function namedCompanies(dataset: Dataset, given: GivenParameters): readonly string[] {
  const naming = ["ticker", "cik"].flatMap((name) =>
    (given.get(name) ?? []).map((value) => [name, value] as const),
  );
  try {
    return nameCompanies(dataset, readSelection(new Map(naming))).resolved.ciks;
  } catch {
    return [];
  }
}

/** Describes the views, their columns and types and the SQL dialect, for authors of statements. */
export function describeSqlViews(): string {
  const views = VIEWS.map(
    ({ name, about, columns }) =>
      `${name} (${columns.map((column) => `${column.name} ${SQL_TYPES[column.kind]}`).join(", ")}): ${about}`,
  );
  return [
    "One statement that begins with SELECT, WITH or VALUES; SQLite's dialect with window and math functions and median().",
    "Amounts are in units of reporting_currency, dates are text as YYYY-MM-DD, flags are 1 and 0.",
    ...views,
  ].join("\n");
}

const SQL_TYPES: Readonly<Record<FieldKind, string>> = {
  text: "text",
  link: "text",
  date: "date",
  whole: "integer",
  flag: "flag",
  amount: "amount",
};
