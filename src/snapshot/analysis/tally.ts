/** How much a selection selects. */
import type { Columns } from "./columns.ts";

/** How much a selection selects. */
export interface Counts {
  rows: number;
  companies: number;
  company_years: number;
  /** Company-years whose own filing is not loaded: executives who had left may be missing. */
  incomplete_company_years: number;
}

/** What stands beside every answer over a selection. */
export interface Tallied {
  matched: Counts;
  /** Company-years by fiscal year. */
  fiscalYears: Readonly<Record<string, number>>;
}

/** Counts the company-years that are selected; they have to come ascending, each once. */
export class Tally {
  private companies = 0;
  private companyYears = 0;
  private incomplete = 0;
  private lastCompany = -1;
  private readonly byYear: Int32Array;

  constructor(private readonly columns: Columns) {
    this.byYear = new Int32Array(columns.fiscalYears.length);
  }

  /** One more. */
  add(companyYear: number): void {
    const { company, complete, yearPlace } = this.columns.companyYears;
    this.companyYears++;
    this.incomplete += 1 - (complete[companyYear] ?? 0);
    const of = company[companyYear] ?? 0;
    if (of !== this.lastCompany) this.companies++;
    this.lastCompany = of;
    const place = yearPlace[companyYear] ?? 0;
    this.byYear[place] = (this.byYear[place] ?? 0) + 1;
  }

  /** What was counted. @param rows how many are selected */
  counted(rows: number): Tallied {
    const { fiscalYears } = this.columns;
    return {
      matched: {
        rows,
        companies: this.companies,
        company_years: this.companyYears,
        incomplete_company_years: this.incomplete,
      },
      fiscalYears: Object.fromEntries(
        fiscalYears.flatMap((year, place) => {
          const count = this.byYear[place] ?? 0;
          return count === 0 ? [] : [[year, count]];
        }),
      ),
    };
  }
}

/** How many company-years and companies the rows are of, and the company-years by fiscal year. @param rows ascending */
export function countRows(columns: Columns, rows: Int32Array): Tallied {
  const { companyYear } = columns;
  const tally = new Tally(columns);
  let last = -1;
  for (let place = 0; place < rows.length; place++) {
    const year = companyYear[rows[place] ?? 0] ?? 0;
    if (year !== last) tally.add(year);
    last = year;
  }
  return tally.counted(rows.length);
}
