/** Counts of a selection. */
import type { Columns } from "../dataset/columns/columns.ts";

/** Number of rows, companies and company-years. */
export interface Counts {
  rows: number;
  companies: number;
  company_years: number;
  /** Company-years whose own filing is not loaded: executives who left may be missing. */
  incomplete_company_years: number;
}

/** Counts reported with every answer over a selection. */
export interface Tallied {
  matched: Counts;
  /** Company-years by fiscal year. */
  fiscalYears: Readonly<Record<string, number>>;
}

/**
 * Counts company-years and their companies.
 * @param selected company-years with a selected row, ascending, without duplicates
 * @param rows number of selected rows
 */
export function countCompanyYears(columns: Columns, selected: Int32Array, rows: number): Tallied {
  const { company, complete, yearPlace } = columns.companyYears;
  const byYear = new Int32Array(columns.fiscalYears.length);
  let companies = 0;
  let completeYears = 0;
  let lastCompany = -1;
  for (let place = 0; place < selected.length; place++) {
    const companyYear = selected[place] ?? 0;
    completeYears += complete[companyYear] ?? 0;
    const of = company[companyYear] ?? 0;
    if (of !== lastCompany) companies++;
    lastCompany = of;
    const year = yearPlace[companyYear] ?? 0;
    byYear[year] = (byYear[year] ?? 0) + 1;
  }
  return {
    matched: {
      rows,
      companies,
      company_years: selected.length,
      incomplete_company_years: selected.length - completeYears,
    },
    fiscalYears: Object.fromEntries(
      columns.fiscalYears.flatMap((year, place) => {
        const count = byYear[place] ?? 0;
        return count === 0 ? [] : [[year, count]];
      }),
    ),
  };
}

/** Counts the company-years and companies of rows, and company-years by fiscal year. @param rows ascending */
export function countRows(columns: Columns, rows: Int32Array): Tallied {
  const { companyYear, companyYears } = columns;
  const selected = new Int32Array(Math.min(rows.length, companyYears.company.length));
  let count = 0;
  let last = -1;
  for (let place = 0; place < rows.length; place++) {
    const year = companyYear[rows[place] ?? 0] ?? 0;
    if (year !== last) selected[count++] = year;
    last = year;
  }
  return countCompanyYears(columns, selected.subarray(0, count), rows.length);
}
