/** The rows that a selection selects, and what must be said beside them: how many, and what is missing. */
import type { AmountField } from "../../domain/row-fields.ts";
import type { Selection } from "../../domain/selection.ts";
import { isMemberOn } from "../company-facts.ts";
import { type Columns, type CompanyColumn, PEO, PFO, TRAITS_A_CURRENCY } from "./columns.ts";

/** A selection whose companies are looked up. */
export interface ResolvedSelection extends Omit<Selection, "tickers"> {
  /** Whether only the companies of `ciks` are meant, which may be none. */
  onlyNamed: boolean;
}

/** How much a selection selects. */
export interface Counts {
  rows: number;
  companies: number;
  company_years: number;
  /** Company-years whose own filing is not loaded: executives who had left may be missing. */
  incomplete_company_years: number;
}

/** What a selection selects. */
export interface Match {
  /** Ascending. Stands in the columns' room for it until the next match. */
  rows: Int32Array;
  matched: Counts;
  /** Company-years by fiscal year. */
  fiscalYears: Readonly<Record<string, number>>;
  /** Null where no index was asked for. */
  index: { members: number; withoutRows: number } | null;
}

/**
 * Selects: first the rows of the company-years that fit, then each further filter in a walk of its own over those left.
 * Small loops over one array are what the engine makes fast: 500,000 rows take some 3 ms.
 */
export function matchRows(columns: Columns, selection: ResolvedSelection): Match {
  const companies = companyMask(columns, selection);
  const isYear = yearTest(selection);
  const years = companyYearMask(columns, selection, companies, isYear);
  const rows = columns.room;
  const wanted = wantedTraits(columns, selection);
  let count =
    selection.executive.length > 0
      ? keepNamed(rows, columns, years, wanted, selection.executive)
      : keepTraits(rows, columns, years, wanted);
  if (selection.executiveId !== null) {
    const id = columns.executiveIds.indexOf(selection.executiveId);
    count = keepEqual(rows, count, columns.executiveId, id);
  }
  for (const { values, low, high } of amountRanges(columns, selection)) {
    count = keepRange(rows, count, values, low, high);
  }
  if (selection.onePerCompanyYear) {
    count = keepHighest(rows, count, columns.companyYear, columns.amounts.total_compensation);
  }
  const kept = rows.subarray(0, count);
  return {
    rows: kept,
    ...countRows(columns, kept),
    index: selection.index === null ? null : indexCoverage(columns, selection, companies, isYear),
  };
}

/** How many company-years and companies the rows are of, and the company-years by fiscal year, newest first. @param rows ascending */
export function countRows(
  { companyYear, companyYears }: Columns,
  rows: Int32Array,
): Pick<Match, "matched" | "fiscalYears"> {
  const { company, complete, fiscalYear } = companyYears;
  const matched: Counts = { rows: rows.length, companies: 0, company_years: 0, incomplete_company_years: 0 };
  const byYear = new Map<number, number>();
  let [lastYear, lastCompany] = [-1, -1];
  for (let place = 0; place < rows.length; place++) {
    const year = companyYear[rows[place] ?? 0] ?? 0;
    if (year === lastYear) continue;
    lastYear = year;
    matched.company_years++;
    if (complete[year] === 0) matched.incomplete_company_years++;
    const of = company[year] ?? 0;
    if (of !== lastCompany) matched.companies++;
    lastCompany = of;
    const fiscal = fiscalYear[year] ?? 0;
    byYear.set(fiscal, (byYear.get(fiscal) ?? 0) + 1);
  }
  const newest = [...byYear].sort(([a], [b]) => b - a);
  // Keys that look like numbers are written in ascending order whatever is done here.
  return { matched, fiscalYears: Object.fromEntries(newest) };
}

function companyYearMask(
  { companyYears }: Columns,
  selection: ResolvedSelection,
  companies: Uint8Array | null,
  isYear: (year: number) => boolean,
): Uint8Array {
  const { company, fiscalYear, complete, latest, member } = companyYears;
  const { completeOnly } = selection;
  const [onlyLatest, onlyMembers] = [selection.years.length === 0, selection.index !== null];
  const mask = new Uint8Array(fiscalYear.length);
  for (let at = 0; at < mask.length; at++) {
    const fits =
      (companies === null || companies[company[at] ?? 0] === 1) &&
      (onlyLatest ? latest[at] === 1 : isYear(fiscalYear[at] ?? 0)) &&
      (!completeOnly || complete[at] === 1) &&
      (!onlyMembers || member[at] === 1);
    mask[at] = fits ? 1 : 0;
  }
  return mask;
}

function keepTraits(rows: Int32Array, columns: Columns, years: Uint8Array, wanted: Uint8Array): number {
  const { traits, companyYears } = columns;
  const { first } = companyYears;
  let count = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === 0) continue;
    const end = first[at + 1] ?? 0;
    for (let row = first[at] ?? 0; row < end; row++) if (wanted[traits[row] ?? 0] === 1) rows[count++] = row;
  }
  return count;
}

function keepEqual(rows: Int32Array, count: number, column: Int32Array, value: number): number {
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    if (column[row] === value) rows[kept++] = row;
  }
  return kept;
}

/** Few people have the words in their name: their rows are looked at, not all. */
function keepNamed(
  rows: Int32Array,
  columns: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  words: readonly string[],
): number {
  const { traits, companyYear, nameRows, nameFirst } = columns;
  let count = 0;
  for (const name of namesWith(columns, words)) {
    const end = nameFirst[name + 1] ?? 0;
    for (let at = nameFirst[name] ?? 0; at < end; at++) {
      const row = nameRows[at] ?? 0;
      if (years[companyYear[row] ?? 0] === 1 && wanted[traits[row] ?? 0] === 1) rows[count++] = row;
    }
  }
  rows.subarray(0, count).sort();
  return count;
}

function keepRange(rows: Int32Array, count: number, values: Float64Array, low: number, high: number): number {
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    const value = values[row] ?? 0;
    if (value >= low && value <= high) rows[kept++] = row;
  }
  return kept;
}

/** Of each company-year the row with the highest value; of equal ones the first. */
function keepHighest(rows: Int32Array, count: number, companyYear: Int32Array, values: Float64Array): number {
  let kept = 0;
  let last = -1;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    const year = companyYear[row] ?? 0;
    if (year !== last) rows[kept++] = row;
    else if ((values[row] ?? 0) > (values[rows[kept - 1] ?? 0] ?? 0)) rows[kept - 1] = row;
    last = year;
  }
  return kept;
}

/** Which companies fit the facts asked for; null where all do. */
function companyMask(columns: Columns, selection: ResolvedSelection): Uint8Array | null {
  const { onlyNamed, sector, sic, filerCategory } = selection;
  if (!onlyNamed && sector === null && sic === null && filerCategory === null) return null;
  const named = new Set(selection.ciks);
  return Uint8Array.from(columns.companies, (company) =>
    (!onlyNamed || named.has(company.cik)) &&
    (sector === null || company.sector === sector) &&
    (sic === null || company.sic?.startsWith(sic) === true) &&
    (filerCategory === null || company.filerCategories.includes(filerCategory))
      ? 1
      : 0,
  );
}

function yearTest({ years }: ResolvedSelection): (year: number) => boolean {
  let [low, high] = [-Infinity, Infinity];
  for (const { bound, year } of years) {
    if (bound === "eq" || bound === "gte") low = Math.max(low, year);
    if (bound === "gt") low = Math.max(low, year + 1);
    if (bound === "eq" || bound === "lte") high = Math.min(high, year);
    if (bound === "lt") high = Math.min(high, year - 1);
  }
  return (year) => year >= low && year <= high;
}

/** Which combinations of currency and office are asked for, by `Columns.traits`. */
function wantedTraits({ currencies }: Columns, { currency, office }: ResolvedSelection): Uint8Array {
  const bit = office === null ? 0 : office === "peo" ? PEO : PFO;
  return Uint8Array.from({ length: currencies.length * TRAITS_A_CURRENCY }, (_, traits) => {
    const isCurrency = currencies[Math.floor(traits / TRAITS_A_CURRENCY)] === currency;
    return isCurrency && (bit === 0 || (traits & bit) !== 0) ? 1 : 0;
  });
}

/** The names that have every one of the words: one search through the text of all names, for the longest word. */
function namesWith({ nameText, nameStarts }: Columns, words: readonly string[]): number[] {
  const found: number[] = [];
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length).map((word) => ` ${word} `);
  for (let at = nameText.indexOf(longest); at >= 0;) {
    const name = lastAtMost(nameStarts, at);
    const end = nameStarts[name + 1] ?? nameText.length;
    const line = nameText.slice(nameStarts[name] ?? 0, end);
    if (others.every((word) => line.includes(word))) found.push(name);
    at = nameText.indexOf(longest, end);
  }
  return found;
}

/** Place of the last of the ascending numbers that is not above the limit. */
function lastAtMost(ascending: Int32Array, limit: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The bounds of each amount as one range of cents, both ends included. */
function amountRanges(columns: Columns, { amounts }: ResolvedSelection) {
  const ranges = new Map<AmountField, { values: Float64Array; low: number; high: number }>();
  for (const { field, bound, cents } of amounts) {
    const range = ranges.get(field) ?? { values: columns.amounts[field], low: -Infinity, high: Infinity };
    ranges.set(field, range);
    if (bound === "gte" || bound === "gt") range.low = Math.max(range.low, cents + (bound === "gt" ? 1 : 0));
    else range.high = Math.min(range.high, cents - (bound === "lt" ? 1 : 0));
  }
  return [...ranges.values()];
}

/**
 * How many members the index had in the years asked for, among the companies asked for, and of how many no row is held.
 * A member without rows in a year counts by the day and month of its own fiscal year end.
 */
function indexCoverage(
  columns: Columns,
  selection: ResolvedSelection,
  companies: Uint8Array | null,
  isYear: (year: number) => boolean,
): { members: number; withoutRows: number } {
  const { fiscalYear } = columns.companyYears;
  const asked = selection.years.length === 0 ? [] : [...new Set(fiscalYear)].filter(isYear);
  let [members, withoutRows] = [0, 0];
  columns.companies.forEach((one, at) => {
    if (companies !== null && companies[at] === 0) return;
    const { isMember, hasRows } =
      selection.years.length === 0 ? latestStay(columns, one) : stayIn(columns, one, asked);
    if (!isMember) return;
    members++;
    if (!hasRows) withoutRows++;
  });
  return { members, withoutRows };
}

interface Stay {
  isMember: boolean;
  hasRows: boolean;
}

function latestStay({ companyYears }: Columns, one: CompanyColumn): Stay {
  if (one.endYear > one.firstYear) {
    return { isMember: companyYears.member[one.endYear - 1] === 1, hasRows: true };
  }
  return { isMember: one.stays.some(({ removed }) => removed === null), hasRows: false };
}

function stayIn({ companyYears }: Columns, one: CompanyColumn, asked: readonly number[]): Stay {
  const held = new Map<number, boolean>();
  for (let at = one.firstYear; at < one.endYear; at++) {
    held.set(companyYears.fiscalYear[at] ?? 0, companyYears.member[at] === 1);
  }
  const stay = { isMember: false, hasRows: false };
  for (const year of asked) {
    const member = held.get(year) ?? isMemberOn(one.stays, `${year}-${one.fiscalYearEnd}`);
    if (!member) continue;
    stay.isMember = true;
    if (held.has(year)) stay.hasRows = true;
  }
  return stay;
}
