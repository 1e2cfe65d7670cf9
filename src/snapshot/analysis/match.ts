/** The rows that a selection selects, and what must be said beside them: how many, and what is missing. */
import type { AmountField } from "../../domain/row-fields.ts";
import type { Selection } from "../../domain/selection.ts";
import { includes } from "../binary-search.ts";
import { type Columns, PEO, PFO, SEVERAL, TRAITS_A_CURRENCY } from "./columns.ts";
import { type IndexCoverage, memberCounter } from "./membership.ts";
import { countCompanyYears, countRows, type Tallied } from "./tally.ts";

/** A selection whose companies are looked up. */
export interface ResolvedSelection extends Omit<Selection, "tickers" | "currency"> {
  /** Whether only the companies of `ciks` are meant, which may be none. */
  onlyNamed: boolean;
  /** ISO 4217; null for any, where no amounts are compared. */
  currency: string | null;
}

/** What a selection selects. */
export interface Match extends Tallied {
  /** Ascending. Stands in the matcher's room for them until the next match. */
  rows: Int32Array;
  /** Whether a row is one of `rows`. */
  selects(row: number): boolean;
  /** Null where no index was asked for. */
  index: IndexCoverage | null;
}

/** Finds what a selection selects. */
export type Matcher = (selection: ResolvedSelection) => Match;

/**
 * A matcher with room for the numbers of all rows: making it anew for every question costs as much as the question.
 *
 * Where few rows can match, those of a person, only they are looked at. Else one walk over the company-years that fit keeps
 * their rows, those in the first range of an amount where there is one. Each further range is a walk over the rows left, and
 * counting one over the company-years. Small loops over typed arrays are what the engine makes fast.
 */
export function createMatcher(columns: Columns): Matcher {
  const rows = new Int32Array(columns.rows);
  const room = { rows, years: new Int32Array(columns.companyYears.company.length) };
  let highest: Int32Array | undefined;
  const countMembers = memberCounter(columns);
  return (selection) => {
    const companies = companyMask(columns, selection);
    const isYear = yearTest(selection);
    const years = companyYearMask(columns, selection, companies, isYear);
    const wanted = wantedTraits(columns, selection);
    const ranges = amountRanges(columns, selection);
    const range = isOfPeople(selection) ? undefined : ranges.shift();
    const kept = isOfPeople(selection)
      ? { count: keepOfPeople(rows, columns, years, wanted, selection), years: null }
      : keepFitting(
          room,
          columns,
          years,
          wanted,
          range,
          selection.onePerCompanyYear && ranges.length === 0 ? (highest ??= highestRows(columns)) : null,
        );
    let { count } = kept;
    const isNarrowed = kept.years === null || ranges.length > 0;
    for (const range of ranges) count = keepRange(rows, count, range);
    const counted = isNarrowed
      ? countRows(columns, rows.subarray(0, count))
      : countCompanyYears(columns, kept.years, count);
    if (selection.onePerCompanyYear) {
      // Of every company-year counted one row stays.
      count = keepHighest(rows, count, columns);
    }
    const { index } = selection;
    const selected = rows.subarray(0, count);
    return {
      rows: selected,
      selects:
        isNarrowed || selection.onePerCompanyYear
          ? (row) => includes(selected, row)
          : rowTest(columns, years, wanted, range),
      matched: { ...counted.matched, rows: count },
      fiscalYears: counted.fiscalYears,
      index: index === null ? null : countMembers(companies, selection.years.length === 0 ? null : isYear),
    };
  };
}

/** In the mask of company-years: its rows have to be looked at one by one, or all are selected. */
const SOME = 1;
const ALL = 2;

function companyYearMask(
  { companyYears, currencies, fiscalYears }: Columns,
  selection: ResolvedSelection,
  companies: Uint8Array | null,
  isYear: (year: number) => boolean,
): Uint8Array {
  const { company, yearPlace, complete, latest, member, currency } = companyYears;
  const { completeOnly, office } = selection;
  const [onlyLatest, onlyMembers] = [selection.years.length === 0, selection.index !== null];
  const years = Uint8Array.from(fiscalYears, (year) => (isYear(year) ? 1 : 0));
  const isAny = selection.currency === null;
  const asked = currencies.indexOf(selection.currency ?? "");
  const whole = office === null ? ALL : SOME;
  const mask = new Uint8Array(company.length);
  for (let at = 0; at < mask.length; at++) {
    const fits =
      (companies === null || companies[company[at] ?? 0] === 1) &&
      (onlyLatest ? latest[at] === 1 : years[yearPlace[at] ?? 0] === 1) &&
      (!completeOnly || complete[at] === 1) &&
      (!onlyMembers || member[at] === 1);
    if (fits) mask[at] = currency[at] === SEVERAL ? SOME : isAny || currency[at] === asked ? whole : 0;
  }
  return mask;
}

/** Room for what `keepFitting` keeps. */
interface Room {
  rows: Int32Array;
  /** Company-years that have any of the rows. */
  years: Int32Array;
}

/**
 * Keeps the rows that fit of the company-years of the mask.
 * @param highest of each company-year the row that stands for all of it where nothing is asked of its rows; null: all stay
 */
function keepFitting(
  room: Room,
  { traits, companyYears: { first }, amounts }: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  range: Range | undefined,
  highest: Int32Array | null,
): { count: number; years: Int32Array } {
  const { rows, years: selected } = room;
  const { values, low, high } = range ?? { values: amounts.salary, low: -Infinity, high: Infinity };
  // One declaration each: taken from an array they take twice as long.
  let count = 0;
  let selectedYears = 0;
  for (let at = 0; at < years.length; at++) {
    if (years[at] === 0) continue;
    const before = count;
    const end = first[at + 1] ?? 0;
    // Each row is written and counted only where it fits: half of all rows in no order is what a branch guesses worst.
    if (years[at] === SOME) {
      for (let row = first[at] ?? 0; row < end; row++) {
        const value = values[row] ?? 0;
        rows[count] = row;
        count += Number(value >= low) & Number(value <= high) & (wanted[traits[row] ?? 0] ?? 0);
      }
    } else if (range !== undefined) {
      for (let row = first[at] ?? 0; row < end; row++) {
        const value = values[row] ?? 0;
        rows[count] = row;
        count += Number(value >= low) & Number(value <= high);
      }
    } else if (highest !== null) rows[count++] = highest[at] ?? 0;
    else for (let row = first[at] ?? 0; row < end; row++) rows[count++] = row;
    if (count > before) selected[selectedYears++] = at;
  }
  return { count, years: selected.subarray(0, selectedYears) };
}

function isOfPeople({ executive, executiveId }: ResolvedSelection): boolean {
  return executive.length > 0 || executiveId !== null;
}

/** What `keepFitting` asks of each row: cheaper than looking for it among those that were kept. */
function rowTest(
  { companyYear, traits }: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  range: Range | undefined,
): Match["selects"] {
  return (row) => {
    const value = range?.values[row] ?? 0;
    return (
      years[companyYear[row] ?? 0] !== 0 &&
      wanted[traits[row] ?? 0] === 1 &&
      (range === undefined || (value >= range.low && value <= range.high))
    );
  };
}

/** Few rows are of people with the words in their name, or with the id: only they are looked at. */
function keepOfPeople(
  rows: Int32Array,
  columns: Columns,
  years: Uint8Array,
  wanted: Uint8Array,
  { executive, executiveId }: ResolvedSelection,
): number {
  const { traits, companyYear, executiveId: ids, executiveIds, nameIndex } = columns;
  const id = executiveId === null ? -1 : executiveIds.indexOf(executiveId);
  if (executive.length === 0 && id < 0) return 0;
  const fits = (row: number) => years[companyYear[row] ?? 0] !== 0 && wanted[traits[row] ?? 0] === 1;
  let count = 0;
  if (executive.length === 0) {
    for (let row = 0; row < ids.length; row++) if (ids[row] === id && fits(row)) rows[count++] = row;
    return count;
  }
  const { first, members } = nameIndex.rows;
  for (const name of nameIndex.having(executive)) {
    const end = first[name + 1] ?? 0;
    for (let at = first[name] ?? 0; at < end; at++) {
      const row = members[at] ?? 0;
      if ((executiveId === null || ids[row] === id) && fits(row)) rows[count++] = row;
    }
  }
  rows.subarray(0, count).sort();
  return count;
}

function keepRange(rows: Int32Array, count: number, { values, low, high }: Range): number {
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    const value = values[row] ?? 0;
    if (value >= low && value <= high) rows[kept++] = row;
  }
  return kept;
}

/** Of each company-year the row with the highest total; of equal ones the first. */
function keepHighest(rows: Int32Array, count: number, { companyYear, amounts }: Columns): number {
  const totals = amounts.total_compensation;
  let kept = 0;
  let last = -1;
  let highest = 0;
  for (let place = 0; place < count; place++) {
    const row = rows[place] ?? 0;
    const year = companyYear[row] ?? 0;
    const total = totals[row] ?? 0;
    if (year === last && total <= highest) continue;
    if (year !== last) kept++;
    rows[kept - 1] = row;
    highest = total;
    last = year;
  }
  return kept;
}

/** Of every company-year the row that `keepHighest` keeps of all. */
function highestRows(columns: Columns): Int32Array {
  const rows = Int32Array.from({ length: columns.rows }, (_, row) => row);
  return rows.slice(0, keepHighest(rows, rows.length, columns));
}

/** Which companies fit the facts asked for; null where all do. */
function companyMask(columns: Columns, selection: ResolvedSelection): Uint8Array | null {
  const { onlyNamed, sector, sic, filerCategory } = selection;
  if (!onlyNamed && sector === null && sic === null && filerCategory === null) return null;
  const { companies, profile, profiles } = columns;
  const fitting = Uint8Array.from(profiles, (one) =>
    (sector === null || one.sector === sector) &&
    (sic === null || one.sic?.startsWith(sic) === true) &&
    (filerCategory === null || one.filerCategories.includes(filerCategory))
      ? 1
      : 0,
  );
  const named = new Set(selection.ciks);
  const mask = new Uint8Array(companies.length);
  for (let at = 0; at < mask.length; at++) {
    if (!onlyNamed || named.has(companies[at]?.cik ?? "")) mask[at] = fitting[profile[at] ?? 0] ?? 0;
  }
  return mask;
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
    const isCurrency = currency === null || currencies[Math.floor(traits / TRAITS_A_CURRENCY)] === currency;
    return isCurrency && (bit === 0 || (traits & bit) !== 0) ? 1 : 0;
  });
}

/** Values from one number of cents to another, both included. */
interface Range {
  values: Float64Array;
  low: number;
  high: number;
}

/** The bounds of each amount as one range. */
function amountRanges(columns: Columns, { amounts }: ResolvedSelection): Range[] {
  const ranges = new Map<AmountField, Range>();
  for (const { field, bound, cents } of amounts) {
    const range = ranges.get(field) ?? { values: columns.amounts[field], low: -Infinity, high: Infinity };
    ranges.set(field, range);
    if (bound === "gte" || bound === "gt") range.low = Math.max(range.low, cents + (bound === "gt" ? 1 : 0));
    else range.high = Math.min(range.high, cents - (bound === "lt" ? 1 : 0));
  }
  return [...ranges.values()];
}
