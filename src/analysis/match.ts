/** Finds the rows of a selection, with their counts and coverage. */
import { elementAt, int32At, uint16At, uint8At, valueAt } from "../lib/checked-access.ts";
import type { Measure, AmountField } from "../domain/row-fields.ts";
import { lowerBound, upperBound } from "../dataset/arrays.ts";
import {
  type Columns,
  type CompanyColumn,
  evidenceTraits,
  OFFICE_BITS,
  PEO,
  PFO,
  TRAITS_A_CURRENCY,
} from "../dataset/columns/columns.ts";
import {
  companyMask,
  companyYearMask,
  latestYears,
  type ResolvedSelection,
  yearTest,
} from "./company-years.ts";
import { filterHighest, filterByYears, filterByRange, type Range } from "./match-loops.ts";
import { firstRank, rankedOf } from "./measures.ts";
import { isMemberOn } from "../dataset/company-facts.ts";

/** The result of matching a selection. */
export interface Match extends Tallied {
  /** Companies left out because their latest year ended too long ago. */
  stale: number;
  /** The CIKs with a selected row, if the selection names companies. */
  named: ReadonlySet<string> | null;
  /** Ascending. A view of the matcher's buffer, valid until the next match. */
  rows: Int32Array;
  /** Null unless the selection names an index. */
  index: IndexCoverage | null;
}

/**
 * Creates a matcher with a buffer for all row numbers: allocating it for every question would cost as much as the question.
 *
 * When few rows can match, as for a named person, only those are checked. Otherwise one loop over the matching company-years
 * keeps their rows. Each amount range is a loop over the remaining rows, and counting is another. The engine optimizes small
 * loops over typed arrays best.
 */
export function createMatcher(
  columns: Columns,
): (selection: ResolvedSelection, open?: Uint8Array | null) => Match {
  const rows = new Int32Array(columns.rows);
  const countMembers = memberCounter(columns);
  return (selection, open = null) => {
    const companies = companyMask(columns, selection);
    const isYear = yearTest(selection);
    const { mask: years, stale } = companyYearMask(columns, selection, companies, isYear);
    const wanted = wantedTraits(columns, selection);
    const isOfPeople = selection.executive.length > 0 || selection.executiveId !== null;
    let count = isOfPeople
      ? keepOfPeople(rows, columns, years, wanted, selection)
      : filterByYears(rows, columns, years, wanted);
    for (const range of amountRanges(columns, selection)) count = filterByRange(rows, count, range);
    if (open !== null) count = keepOpen(rows, count, open);
    const counted = countRows(columns, rows.subarray(0, count));
    if (selection.onePerCompanyYear) {
      // The counts stay the same otherwise: each counted company-year keeps one row.
      count = filterHighest(rows, count, columns);
    }
    const { index } = selection;
    const selected = rows.subarray(0, count);
    return {
      rows: selected,
      matched: { ...counted.matched, rows: count },
      fiscalYears: counted.fiscalYears,
      stale,
      named: selection.onlyNamed ? companiesOf(columns, selected) : null,
      index:
        index === null
          ? null
          : countMembers(companies, selection.years.length === 0 ? null : isYear, selection.evidence),
    };
  };
}

/** The CIKs of rows. */
export function companiesOf(
  { companyYear, companyYears, companies }: Columns,
  rows: Int32Array,
): Set<string> {
  const found = new Set<string>();
  for (const row of rows)
    found.add(elementAt(companies, int32At(companyYears.company, int32At(companyYear, row))).cik);
  return found;
}

/** Keeps the rows of people by words of the name or by id: they are few, so only they are checked. */
function keepOfPeople(
  rows: Int32Array,
  columns: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  { executive, executiveId }: ResolvedSelection,
): number {
  const { traits, companyYear, executiveId: ids, executiveIds, nameIndex, nameRows } = columns;
  const id = executiveId === null ? -1 : executiveIds.find(executiveId);
  if (executive.length === 0 && id < 0) return 0;
  const fits = (row: number) => years[int32At(companyYear, row)] !== 0 && wanted[uint16At(traits, row)] === 1;
  let count = 0;
  if (executive.length === 0) {
    for (let row = 0; row < ids.length; row++) if (ids[row] === id && fits(row)) rows[count++] = row;
    return count;
  }
  const { first, members } = nameRows;
  for (const name of new Set(executive.flatMap((words) => nameIndex.having(words)))) {
    const end = int32At(first, name + 1);
    for (let at = int32At(first, name); at < end; at++) {
      const row = int32At(members, at);
      if ((executiveId === null || ids[row] === id) && fits(row)) rows[count++] = row;
    }
  }
  rows.subarray(0, count).sort();
  return count;
}

/** The bits of `Columns.traits` that say how a row is known. */
const EVIDENCE_BITS = TRAITS_A_CURRENCY - 4;

/** 1 for each selected combination of currency, office and evidence, indexed by `Columns.traits`. */
function wantedTraits(
  { currencies }: Columns,
  { currency, office, evidence }: ResolvedSelection,
): Uint8Array {
  const known = evidence?.map(evidenceTraits);
  const isOffice = (bits: number) =>
    office === null || (office === "other" ? bits === 0 : (bits & (office === "peo" ? PEO : PFO)) !== 0);
  return Uint8Array.from({ length: currencies.length * TRAITS_A_CURRENCY }, (_, traits) => {
    const isCurrency = currency === null || currencies[Math.floor(traits / TRAITS_A_CURRENCY)] === currency;
    const isKnown = known === undefined || known.includes(traits & EVIDENCE_BITS);
    return isCurrency && isKnown && isOffice(traits & OFFICE_BITS) ? 1 : 0;
  });
}

/** Keeps the first `count` rows that are 1 in the mask. @returns how many */
function keepOpen(rows: Int32Array, count: number, open: Uint8Array): number {
  let size = 0;
  for (let place = 0; place < count; place++) {
    const row = int32At(rows, place);
    rows[size] = row;
    size += uint8At(open, row);
  }
  return size;
}

/** Combines the bounds of each amount into one range. */
function amountRanges(columns: Columns, { amounts }: ResolvedSelection): Range[] {
  const ranges = new Map<AmountField | Measure, Range>();
  for (const { field, bound, cents } of amounts) {
    const column = rankedOf(columns, field);
    const { rank, values } = column;
    const range = ranges.getOrInsert(field, { rank, low: firstRank(column), high: values.length - 1 });
    if (bound === "gte") range.low = Math.max(range.low, lowerBound(values, cents));
    if (bound === "gt") range.low = Math.max(range.low, upperBound(values, cents));
    if (bound === "lte") range.high = Math.min(range.high, upperBound(values, cents) - 1);
    if (bound === "lt") range.high = Math.min(range.high, lowerBound(values, cents) - 1);
  }
  return [...ranges.values()];
}

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

/** Counts the company-years and companies of rows, and company-years by fiscal year. @param rows ascending */
export function countRows({ companyYear, companyYears, fiscalYears }: Columns, rows: Int32Array): Tallied {
  const { company, complete, yearPlace } = companyYears;
  const byYear = new Int32Array(fiscalYears.length);
  let [years, completeYears, companies] = [0, 0, 0];
  let [last, lastCompany] = [-1, -1];
  for (let place = 0; place < rows.length; place++) {
    const of = int32At(companyYear, int32At(rows, place));
    if (of === last) continue;
    last = of;
    years++;
    completeYears += uint8At(complete, of);
    if (company[of] !== lastCompany) companies++;
    lastCompany = int32At(company, of);
    const year = int32At(yearPlace, of);
    byYear[year] = int32At(byYear, year) + 1;
  }
  return {
    matched: {
      rows: rows.length,
      companies,
      company_years: years,
      incomplete_company_years: years - completeYears,
    },
    fiscalYears: Object.fromEntries(
      fiscalYears.flatMap((year, place) => {
        const count = int32At(byYear, place);
        return count === 0 ? [] : [[year, count]];
      }),
    ),
  };
}

/** The rows of companies that have rows in every fiscal year of all rows. @param rows ascending */
export function rowsOfEveryYear({ companyYear, companyYears }: Columns, rows: Int32Array): Int32Array {
  const { company, yearPlace } = companyYears;
  const all = new Set<number>();
  const byCompany = new Map<number, Set<number>>();
  for (const row of rows) {
    const of = int32At(companyYear, row);
    const year = int32At(yearPlace, of);
    all.add(year);
    byCompany.getOrInsertComputed(int32At(company, of), () => new Set()).add(year);
  }
  return rows.filter((row) => byCompany.get(int32At(company, int32At(companyYear, row)))?.size === all.size);
}

/** The number of index members, and how many of them have no rows. */
export interface IndexCoverage {
  members: number;
  withoutRows: number;
}

/** Bits of a company and year; 0 means not a member. */
const MEMBER = 1;
const HAS_ROWS = 2;

/**
 * Counts the members of the index among the selected companies (1 for each; null: all) in the selected years (null: each
 * company's latest). Computes membership by year on first use. A member without rows in a year is judged on the day and month
 * of its own fiscal year end.
 */
function memberCounter(columns: MemberColumns) {
  const membership = new Map<string, ReturnType<typeof readMembership>>();
  return (
    selected: Uint8Array | null,
    isYear: ((year: number) => boolean) | null,
    evidence: ResolvedSelection["evidence"],
  ): IndexCoverage => {
    const { companies } = columns;
    const { years, byYear, latest, ever } = membership.getOrInsertComputed(String(evidence), () =>
      readMembership(columns, evidence),
    );
    const places = isYear === null ? [] : years.flatMap((year, place) => (isYear(year) ? [place] : []));
    const coverage = { members: 0, withoutRows: 0 };
    for (let company = 0; company < companies.length; company++) {
      if (selected !== null && selected[company] === 0) continue;
      let bits = uint8At(isYear === null ? latest : ever, company);
      if (isYear !== null && places.length < years.length) {
        const begin = company * years.length;
        bits = 0;
        for (let at = 0; at < places.length; at++) bits |= uint8At(byYear, begin + elementAt(places, at));
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
  const [oldest] = fiscalYears;
  if (oldest === undefined) return [];
  const starts = companies.flatMap(({ stays }) =>
    stays.flatMap(({ added, addedKnown }) => (addedKnown === 1 ? [] : Number(added.slice(0, 4)))),
  );
  const first = starts.reduce((least, year) => Math.min(least, year), oldest);
  const last = fiscalYears.at(-1) ?? first;
  const between = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return [...new Set([...between, ...fiscalYears])].sort((a, b) => a - b);
}

function readMembership(columns: MemberColumns, evidence: ResolvedSelection["evidence"]) {
  const { held, latest: newest } = latestYears(columns, evidence);
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
      if (held[year] === 0) continue;
      byYear[begin + valueAt(places, int32At(companyYears.fiscalYear, year))] =
        companyYears.member[year] === 1 ? MEMBER | HAS_ROWS : 0;
    }
  });
  const ever = Uint8Array.from(companies, (_, at) =>
    byYear.subarray(at * years.length, (at + 1) * years.length).reduce((all, one) => all | one, 0),
  );
  const latest = Uint8Array.from(companies, (company) => latestBits(columns, newest, company));
  return { years, byYear, ever, latest };
}

function latestBits(
  { companyYears }: Pick<Columns, "companyYears">,
  latest: Uint8Array,
  company: CompanyColumn,
): number {
  for (let year = company.firstYear; year < company.endYear; year++) {
    if (latest[year] === 1) return companyYears.member[year] === 1 ? MEMBER | HAS_ROWS : 0;
  }
  return company.stays.some(({ removed }) => removed === null) ? MEMBER : 0;
}
