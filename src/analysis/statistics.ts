/**
 * Statistics of a selection by group. Percentiles interpolate between order statistics (Excel's PERCENTILE.INC, R's type 7);
 * the percentile of a rank is Excel's PERCENTRANK.INC without its truncation to three digits. Amounts are rounded to cents.
 */
import { elementAt, float64At, int32At, uint16At, uint8At } from "../lib/checked-access.ts";
import { isMeasure, type Measure, MEASURE_UNIT, type AmountField } from "../domain/row-fields.ts";
import type { Grouping } from "../domain/selection.ts";
import { byGroup, lowerBound, upperBound, numberOf } from "../dataset/arrays.ts";
import { type Columns, type CompanyProfile, PEO, PFO, OFFICE_BITS } from "../dataset/columns/columns.ts";
import { firstRank, rankedOf } from "./measures.ts";
import { type Counts, countRows } from "./match.ts";

/** The values that define a group, by name; null where a fact is unknown. */
export type GroupKey = Readonly<Record<string, string | number | null>>;

/** Names of the figures of a group. */
export const FIGURES = ["sum", "min", "p10", "p25", "median", "mean", "p75", "p90", "max"] as const;

/** The figures of a group, in units of the currency. */
export type Figures = Record<(typeof FIGURES)[number], number>;

/** Statistics of one group. */
export interface GroupStatistics extends Counts, Figures {
  group: GroupKey;
}

/** The rank of a row in its group. */
export interface Rank {
  cik: string;
  executive_id: string;
  fiscal_year: number;
  /** The group it is ranked in; absent if there is only one. */
  group?: GroupKey;
  value: number;
  /** 1 is the highest; equal values share a rank. */
  rank: number;
  /** Share of the other values that are lower, 0 to 1. */
  percentile: number;
}

/** The statistics to compute over a selection. */
export interface StatisticsQuestion {
  field: AmountField | Measure;
  groupBy: readonly Grouping[];
  /** The company whose rows are ranked. */
  rankCik: string | null;
  /** A value of a company that is not in the selection, to be ranked against it and itself. */
  rankValue?: number | null;
  currency: string;
}

/** Groups, sorted by their keys in the requested order (years newest first, unknown last), and the ranks. */
export function statisticsOf(
  columns: Columns,
  rows: Int32Array,
  { field, groupBy, rankCik, rankValue = null, currency }: StatisticsQuestion,
): { statistics: GroupStatistics[]; ranks: Rank[] } {
  const { companyYear, companyYears, companies } = columns;
  const column = rankedOf(columns, field);
  const { rank, values } = column;
  const unit = isMeasure(field) ? MEASURE_UNIT[field] : 100;
  // Rows without the measure are not part of its statistics.
  const groups = gather(
    columns,
    firstRank(column) === 0 ? rows : rows.filter((row) => rank[row] !== 0),
    groupBy,
  );
  const statistics: GroupStatistics[] = [];
  const ranks: Rank[] = [];
  for (const { key, rows: members } of groups) {
    const ascending = new Int32Array(members.length);
    // Index loops over typed arrays, here and below: iterators are five times as slow.
    for (let place = 0; place < ascending.length; place++)
      ascending[place] = int32At(rank, int32At(members, place));
    ascending.sort();
    const sorted = new Float64Array(members.length);
    for (let place = 0; place < sorted.length; place++)
      sorted[place] = float64At(values, int32At(ascending, place));
    const group = { ...key, reporting_currency: currency };
    statistics.push({ group, ...countRows(columns, members).matched, ...figuresOf(sorted, unit) });
    if (rankValue !== null) ranks.push(rankOfValue(sorted, rankValue, unit));
    for (const row of rankCik === null ? [] : members) {
      const year = int32At(companyYear, row);
      const cik = elementAt(companies, int32At(companyYears.company, year)).cik;
      if (cik !== rankCik) continue;
      const value = numberOf(column, row);
      ranks.push({
        cik,
        executive_id: columns.executiveIds.at(int32At(columns.executiveId, row)),
        fiscal_year: int32At(companyYears.fiscalYear, year),
        ...(groupBy.length === 0 ? {} : { group }),
        value: value / unit,
        rank: 1 + sorted.length - upperBound(sorted, value),
        percentile: sorted.length === 1 ? 1 : lowerBound(sorted, value) / (sorted.length - 1),
      });
    }
  }
  return { statistics, ranks };
}

/** The rank of a value among others and itself. */
function rankOfValue(sorted: Float64Array, value: number, unit: number): Rank {
  const scaled = Math.round(value * unit);
  return {
    cik: "",
    executive_id: "",
    fiscal_year: 0,
    value,
    rank: 1 + sorted.length - upperBound(sorted, scaled),
    percentile: sorted.length === 0 ? 1 : lowerBound(sorted, scaled) / sorted.length,
  };
}

/** The value at a percentile of ascending values, interpolated linearly. @param share 0 to 1 */
export function percentileOf(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = float64At(sorted, below);
  const high = float64At(sorted, Math.min(below + 1, sorted.length - 1));
  return low + (high - low) * (place - below);
}

/** The figures of ascending whole numbers. @param unit how many of them are one: amounts are in cents */
export function figuresOf(sorted: Float64Array, unit = 100): Figures {
  let sum = 0;
  for (let place = 0; place < sorted.length; place++) sum += float64At(sorted, place);
  const rounded = (value: number) => Math.round(value) / unit;
  const at = (share: number) => rounded(percentileOf(sorted, share));
  return {
    sum: sum / unit,
    min: at(0),
    p10: at(0.1),
    p25: at(0.25),
    median: at(0.5),
    mean: rounded(sum / sorted.length),
    p75: at(0.75),
    p90: at(0.9),
    max: at(1),
  };
}

interface Group {
  key: GroupKey;
  rows: Int32Array;
}

/** The rows of each group, ascending. */
function gather(columns: Columns, rows: Int32Array, groupBy: readonly Grouping[]): Group[] {
  if (rows.length === 0) return [];
  if (groupBy.length === 0) return [{ key: {}, rows }];
  const ofYear = companyYearGroups(columns, groupBy);
  const byOffice = groupBy.includes("office");
  const numbers = new Map<string, number>();
  const keys: GroupKey[] = [];
  const numberOf = (key: GroupKey) =>
    numbers.getOrInsertComputed(JSON.stringify(key), () => keys.push(key) - 1);
  // For each group of company-years, its groups by office, or the one group without offices.
  const slots = ofYear.keys.map((key) =>
    byOffice
      ? OFFICES.map((office) => numberOf(inOrder(groupBy, { ...key, office })))
      : [numberOf(inOrder(groupBy, key))],
  );
  const [group, members] = [new Int32Array(2 * rows.length), new Int32Array(2 * rows.length)];
  let count = 0;
  const put = (row: number, of = 0) => {
    group[count] = of;
    members[count++] = row;
  };
  const { companyYear, traits } = columns;
  for (let place = 0; place < rows.length; place++) {
    const row = int32At(rows, place);
    const of = slots[int32At(ofYear.group, int32At(companyYear, row))] ?? [];
    const offices = byOffice ? uint16At(traits, row) & OFFICE_BITS : PEO;
    // A person who held both offices counts in both.
    if (offices === 0) put(row, of[2]);
    if ((offices & PEO) !== 0) put(row, of[0]);
    if ((offices & PFO) !== 0) put(row, of[1]);
  }
  const found = byGroup(group.subarray(0, count), members.subarray(0, count), keys.length);
  return keys
    .map((key, at) => ({ key, rows: found.members.subarray(found.first[at], found.first[at + 1]) }))
    .filter((one) => one.rows.length > 0)
    .sort((a, b) => compareKeys(a.key, b.key));
}

const OFFICES = ["peo", "pfo", "other"] as const;

/** The group of each company-year by all requested criteria except the office. */
function companyYearGroups(columns: Columns, groupBy: readonly Grouping[]) {
  const { company, fiscalYear, member } = columns.companyYears;
  const [byYear, byIndex] = [groupBy.includes("fiscal_year"), groupBy.includes("index")];
  const ofProfiles = columns.profiles.map((profile) => inOrder(groupBy, profileKey(profile)));
  const distinct = new Map<string, number>();
  const places = Int32Array.from(ofProfiles, (key, at) => distinct.getOrInsert(JSON.stringify(key), at));
  const isIndexKnown = columns.companies.some(({ stays }) => stays.length > 0);
  const numbers = new Map<number, number>();
  const keys: GroupKey[] = [];
  const group = new Int32Array(fiscalYear.length);
  for (let at = 0; at < group.length; at++) {
    const year = byYear ? int32At(fiscalYear, at) : 0;
    const profile = int32At(places, int32At(columns.profile, int32At(company, at)));
    const isMember = byIndex ? uint8At(member, at) : 0;
    // A unique code for each combination.
    const code = (year * ofProfiles.length + profile) * 2 + isMember;
    group[at] = numbers.getOrInsertComputed(code, () => {
      const index = isIndexKnown ? (isMember === 1 ? "sp500" : "none") : null;
      return keys.push({ ...ofProfiles[profile], fiscal_year: year, index }) - 1;
    });
  }
  return { group, keys };
}

/** What a company is grouped by, besides index. The SEC's filer categories are not exclusive: the first of the list decides. */
export function profileKey({ sector, sic, state, filerCategories }: CompanyProfile): GroupKey {
  return { sector, sic2: sic?.slice(0, 2) ?? null, state, filer_category: filerCategories[0] ?? null };
}

/** The requested part of a key, in the requested order. */
export function inOrder(groupBy: readonly Grouping[], key: GroupKey): GroupKey {
  return Object.fromEntries(groupBy.map((name) => [name, key[name] ?? null]));
}

/** Orders years newest first, offices as in `OFFICES`, texts by code point, unknown last. */
export function compareKeys(a: GroupKey, b: GroupKey): number {
  for (const name of Object.keys(a)) {
    const [left, right] = [a[name] ?? null, b[name] ?? null];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    if (typeof left === "number" && typeof right === "number") return right - left;
    if (name === "office")
      return OFFICES.findIndex((one) => one === left) - OFFICES.findIndex((one) => one === right);
    return left < right ? -1 : 1;
  }
  return 0;
}
