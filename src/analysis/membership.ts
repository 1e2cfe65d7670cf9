/** Index membership by company and year, and which members have rows. */
import { isMemberOn } from "../dataset/company-facts.ts";
import type { Columns, CompanyColumn } from "../dataset/columns/columns.ts";

/** The number of index members, and how many of them have no rows. */
export interface IndexCoverage {
  members: number;
  withoutRows: number;
}

/** Bits of a company and year; 0 means not a member. */
const MEMBER = 1;
const HAS_ROWS = 2;

/**
 * Counts the members of the index in the selected years.
 * @param companies 1 for each selected company; null: all
 * @param isYear whether a fiscal year is selected; null: each company's latest
 */
export type CountMembers = (
  companies: Uint8Array | null,
  isYear: ((year: number) => boolean) | null,
) => IndexCoverage;

/**
 * Computes membership by year on first use. A member without rows in a year is judged on the day and month of its own fiscal
 * year end.
 */
export function memberCounter(columns: MemberColumns): CountMembers {
  const { companies } = columns;
  let known: ReturnType<typeof readMembership> | undefined;
  return (selected, isYear) => {
    const { years, byYear, latest, ever } = (known ??= readMembership(columns));
    const places = isYear === null ? [] : years.flatMap((year, place) => (isYear(year) ? [place] : []));
    const coverage = { members: 0, withoutRows: 0 };
    for (let company = 0; company < companies.length; company++) {
      if (selected !== null && selected[company] === 0) continue;
      let bits = (isYear === null ? latest : ever)[company] ?? 0;
      if (isYear !== null && places.length < years.length) {
        const begin = company * years.length;
        bits = 0;
        for (let at = 0; at < places.length; at++) bits |= byYear[begin + (places[at] ?? 0)] ?? 0;
      }
      if (bits === 0) continue;
      coverage.members++;
      if ((bits & HAS_ROWS) === 0) coverage.withoutRows++;
    }
    return coverage;
  };
}

type MemberColumns = Pick<Columns, "companies" | "companyYears" | "fiscalYears">;

/** The fiscal years with rows, and the years before them back to the earliest known index change. */
function memberYears({ companies, fiscalYears }: MemberColumns): number[] {
  const starts = companies.flatMap(({ stays }) =>
    stays.flatMap(({ added, addedKnown }) => (addedKnown === 1 ? [] : Number(added.slice(0, 4)))),
  );
  const first = starts.reduce((least, year) => Math.min(least, year), fiscalYears[0] ?? 0);
  const last = fiscalYears.at(-1) ?? first;
  const between = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return [...new Set([...between, ...fiscalYears])].sort((a, b) => a - b);
}

function readMembership(columns: MemberColumns) {
  const { companies, companyYears } = columns;
  const years = memberYears(columns);
  const places = new Map(years.map((year, place) => [year, place]));
  const byYear = new Uint8Array(companies.length * years.length);
  companies.forEach((company, at) => {
    const begin = at * years.length;
    if (company.stays.length === 0) return;
    years.forEach((year, place) => {
      if (isMemberOn(company.stays, `${year}-${company.fiscalYearEnd}`)) byYear[begin + place] = MEMBER;
    });
    for (let year = company.firstYear; year < company.endYear; year++) {
      byYear[begin + (places.get(companyYears.fiscalYear[year] ?? 0) ?? 0)] =
        companyYears.member[year] === 1 ? MEMBER | HAS_ROWS : 0;
    }
  });
  const ever = Uint8Array.from(companies, (_, at) =>
    byYear.subarray(at * years.length, (at + 1) * years.length).reduce((all, one) => all | one, 0),
  );
  const latest = Uint8Array.from(companies, (company) => latestBits(columns, company));
  return { years, byYear, ever, latest };
}

function latestBits({ companyYears }: Pick<Columns, "companyYears">, company: CompanyColumn): number {
  if (company.endYear > company.firstYear) {
    return companyYears.member[company.endYear - 1] === 1 ? MEMBER | HAS_ROWS : 0;
  }
  return company.stays.some(({ removed }) => removed === null) ? MEMBER : 0;
}
