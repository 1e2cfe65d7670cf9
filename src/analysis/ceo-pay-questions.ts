/** Selects, orders and summarizes the records of `dataset/ceo-pay-records.ts` by their columns. */
import { elementAt, float64At, int32At, uint16At, uint8At } from "../lib/checked-access.ts";
import { formatAmount, unitsOf } from "../domain/amount.ts";
import { numberOf } from "../dataset/arrays.ts";
import type { RowEvidence } from "../domain/row-fields.ts";
import { type CeoPayGrouping, type CeoPaySort, isWithinBounds } from "../domain/ceo-pay-selection.ts";
import { type CeoPayRecord, isSurname, readCeoPayOf } from "../dataset/ceo-pay-records.ts";
import { isMemberOn } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import {
  type CeoPayColumns,
  DOUBTFUL,
  LATEST,
  MEMBER,
  STALE,
  TAGGED,
} from "../dataset/columns/ceo-pay-columns.ts";
import { type Columns, type CompanyColumn, evidenceIn, PEO } from "../dataset/columns/columns.ts";
import { companyMask, type ResolvedCeoPay, yearTest, askedYears, type Gap, gapOf } from "./company-years.ts";
import type { Sight } from "./sight.ts";
import { compareKeys, type Figures, figuresOf, type GroupKey, inOrder, profileKey } from "./statistics.ts";

/** A page of records. */
export interface CeoPayQuestion {
  kind: "ceo_pay";
  selection: ResolvedCeoPay;
  /** What its viewer may see; absent for everything. */
  sight?: Sight | null;
  sort: CeoPaySort;
  offset: number;
  count: number;
}

/** Statistics of the selected totals. */
export interface CeoPayStatisticsQuestion {
  kind: "ceo_pay_statistics";
  selection: ResolvedCeoPay;
  sight?: Sight | null;
  groupBy: readonly CeoPayGrouping[];
  /** Whether only companies count that have every fiscal year of the selection. */
  sameCompanies: boolean;
}

/** What every answer counts. */
export interface CeoPayCounts {
  matched: {
    records: number;
    companies: number;
    company_years: number;
    by_basis: { row: number; tag: number };
    /** Left out of `records`, or among them where they are included. */
    doubtful: number;
  };
  fiscalYears: Record<string, number>;
  /** Companies whose latest year ended too long ago. */
  stale: number;
  index: { members: number; without: number } | null;
  gaps: Gap[];
}

/** The answer to either question: records of the page, or groups. */
export interface CeoPayResult extends CeoPayCounts {
  /** Number of records in the page. */
  count: number;
  /** The records, or the groups, as JSON, joined by commas. */
  json: Uint8Array<ArrayBuffer>;
}

/**
 * Indices of the selected records, ascending, with what is left out and why. What is left out is left out whatever its amount,
 * and what is counted is what is answered: an answer that is free because nothing matches tells nothing of amounts.
 * @param isSame whether only companies count that have a record in every fiscal year of all
 */
function select(
  columns: Columns,
  dataset: Dataset,
  selection: ResolvedCeoPay,
  open: Uint8Array | null,
  isSame = false,
) {
  const { ceoPay: pay, companies } = columns;
  const { years, totals, index, onlyNamed } = selection;
  const isLatest = years.length === 0;
  const isYear = yearTest(selection);
  const mask = companyMask(columns, selection);
  const members = index === null ? null : membersOf(columns, dataset, mask, isLatest ? null : isYear);
  const isMember = memberTest(columns, dataset, selection);
  const currency = pay.currencies.indexOf(selection.currency);
  const [stale, doubted] = [new Set<number>(), new Set<number>()];
  const found: number[] = [];
  let doubtful = 0;
  for (let at = 0; at < pay.key.length; at++) {
    if (open !== null && open[at] === 0) continue;
    const [company, traits] = [int32At(pay.company, at), uint8At(pay.traits, at)];
    if (pay.currency[at] !== currency || (mask !== null && mask[company] !== 1)) continue;
    if (isLatest ? (traits & LATEST) === 0 : !isYear(int32At(pay.fiscalYear, at))) continue;
    if (members !== null && !isMember(at)) continue;
    if (isLatest && !onlyNamed && (traits & STALE) !== 0) {
      stale.add(company);
      continue;
    }
    const isDoubtful = (traits & DOUBTFUL) !== 0;
    const isLeftOut = isDoubtful && selection.doubtful === "exclude";
    if (isLeftOut) doubted.add(company);
    const isFound = !isLeftOut && isWithinBounds(float64At(pay.total, at), totals);
    if (isFound) found.push(at);
    if (isLeftOut || (isFound && isDoubtful)) doubtful++;
  }
  const all = selection.onePerCompanyYear === true ? highestOf(pay, found) : found;
  const kept = isSame ? ofEveryYear(pay, all) : all;
  const has = new Set(kept.map((at) => int32At(pay.company, at)));
  const without = members === null ? [] : [...members.difference(has)];
  const missing = isLatest ? without.map((at) => elementAt(companies, at).cik).sort() : [];
  const expected = [...new Set([...(onlyNamed ? selection.ciks : []), ...missing])];
  const counts: CeoPayCounts = {
    matched: { ...countsOf(pay, kept), doubtful },
    fiscalYears: byYear(pay, kept),
    stale: stale.size,
    index: members === null ? null : { members: members.size, without: without.length },
    gaps: gapsOf(columns, dataset, expected, { span: askedYears(years), has, doubted }),
  };
  return { found: kept, counts };
}

/** Whether a record's company counts as a member: with the latest year today, otherwise on the last day of the record's year. */
function memberTest(
  { ceoPay: pay, companies }: Columns,
  { info }: Dataset,
  { years }: ResolvedCeoPay,
): (at: number) => boolean {
  return years.length > 0
    ? (at) => (uint8At(pay.traits, at) & MEMBER) !== 0
    : (at) => isMemberOn(elementAt(companies, int32At(pay.company, at)).stays, info.edition);
}

/** The highest of each company-year. @param records ascending */
function highestOf({ companyYear, total }: CeoPayColumns, records: readonly number[]): number[] {
  const kept: number[] = [];
  for (const at of records) {
    const last = kept.at(-1) ?? -1;
    if (companyYear[last] !== companyYear[at]) kept.push(at);
    else if (float64At(total, at) > float64At(total, last)) kept[kept.length - 1] = at;
  }
  return kept;
}

/** The selected companies that are members of the index today, or were on the last day of one of the years. */
function membersOf(
  columns: Columns,
  { info }: Dataset,
  mask: Uint8Array | null,
  isYear: ((year: number) => boolean) | null,
): Set<number> {
  const isMember =
    isYear === null
      ? ({ stays }: CompanyColumn) => isMemberOn(stays, info.edition)
      : memberInYears(columns, isYear);
  const members = new Set<number>();
  columns.companies.forEach((company, at) => {
    if (mask !== null && mask[at] !== 1) return;
    if (company.stays.length > 0 && isMember(company, at)) members.add(at);
  });
  return members;
}

/** A member without a record in a year is judged on the day and month of its own fiscal year end. */
function memberInYears(
  { ceoPay }: Columns,
  isYear: (year: number) => boolean,
): (company: CompanyColumn, at: number) => boolean {
  const years = [...new Set(ceoPay.fiscalYear)].filter(isYear);
  const withRecord = new Map(years.map((year) => [year, new Set<number>()]));
  const members = new Set<number>();
  ceoPay.company.forEach((company, at) => {
    const ofYear = withRecord.get(int32At(ceoPay.fiscalYear, at));
    ofYear?.add(company);
    if (ofYear !== undefined && (uint8At(ceoPay.traits, at) & MEMBER) !== 0) members.add(company);
  });
  return ({ stays, fiscalYearEnd }, at) =>
    members.has(at) ||
    years.some((year) => !withRecord.get(year)?.has(at) && isMemberOn(stays, `${year}-${fiscalYearEnd}`));
}

/** @param ciks asked for */
function gapsOf(
  { ceoPay: { company, fiscalYear }, companies }: Columns,
  dataset: Dataset,
  ciks: readonly string[],
  { span, has, doubted }: { span: Gap["asked"]; has: ReadonlySet<number>; doubted: ReadonlySet<number> },
): Gap[] {
  if (ciks.length === 0) return [];
  const sought = new Set(ciks);
  const places = new Map<string, number>();
  const yearsOf = new Map<number, Set<number>>();
  companies.forEach(({ cik }, place) => {
    if (!sought.has(cik)) return;
    places.set(cik, place);
    yearsOf.set(place, new Set());
  });
  company.forEach((of, at) => yearsOf.get(of)?.add(int32At(fiscalYear, at)));
  return ciks.flatMap((cik) => {
    const place = places.get(cik) ?? -1;
    const held = [...(yearsOf.get(place) ?? [])].sort((a, b) => b - a);
    return (
      gapOf(dataset, cik, { span, held, isMatched: has.has(place), isDoubtful: doubted.has(place) }) ?? []
    );
  });
}

/** @param records ascending */
function countsOf({ company, companyYear, traits }: CeoPayColumns, records: readonly number[]) {
  const isFirst = (of: Int32Array) => (at: number, place: number) => of[at] !== of[records[place - 1] ?? -1];
  const tag = records.filter((at) => (uint8At(traits, at) & TAGGED) !== 0).length;
  return {
    records: records.length,
    companies: records.filter(isFirst(company)).length,
    company_years: records.filter(isFirst(companyYear)).length,
    by_basis: { row: records.length - tag, tag },
  };
}

/** The records of companies that have one in every fiscal year of all records. */
function ofEveryYear(pay: CeoPayColumns, found: readonly number[]): number[] {
  const yearsOf = Map.groupBy(found, (at) => int32At(pay.company, at));
  const all = new Set(found.map((at) => pay.fiscalYear[at])).size;
  const same = new Set(
    [...yearsOf].flatMap(([company, of]) =>
      new Set(of.map((at) => pay.fiscalYear[at])).size === all ? company : [],
    ),
  );
  return found.filter((at) => same.has(int32At(pay.company, at)));
}

function byYear(pay: CeoPayColumns, records: readonly number[]): Record<string, number> {
  const years = Map.groupBy(records, (at) => int32At(pay.fiscalYear, at));
  return Object.fromEntries(
    [...years].sort(([a], [b]) => a - b).map(([year, of]) => [year, countsOf(pay, of).company_years]),
  );
}

const encoder = new TextEncoder();

/** Places of the records of a selection. */
export function foundCeoPay(columns: Columns, dataset: Dataset, selection: ResolvedCeoPay): number[] {
  return select(columns, dataset, selection, null).found;
}

/** How many of the selected totals, the highest of each company-year, are of a row that is known in which way. */
export function evidenceOfTotals(
  columns: Columns,
  dataset: Dataset,
  selection: ResolvedCeoPay,
): Record<RowEvidence, number> {
  const known = { linked: 0, typed: 0, collected: 0 };
  for (const at of foundCeoPay(columns, dataset, { ...selection, onePerCompanyYear: true })) {
    const row = rowOfTotal(columns, at);
    if (row !== undefined) known[evidenceIn(uint16At(columns.traits, row))]++;
  }
  return known;
}

/** The row that a total is of. */
function rowOfTotal(
  { ceoPay: pay, companies, companyYear, companyYears, traits, amounts }: Columns,
  at: number,
): number | undefined {
  if ((uint8At(pay.traits, at) & TAGGED) !== 0) return undefined;
  const { firstYear, endYear } = elementAt(companies, int32At(pay.company, at));
  const end = int32At(companyYears.first, endYear);
  for (let row = int32At(companyYears.first, firstYear); row < end; row++) {
    const isOfYear = companyYears.fiscalYear[int32At(companyYear, row)] === pay.fiscalYear[at];
    const isPeo = (uint16At(traits, row) & PEO) !== 0;
    if (isOfYear && isPeo && numberOf(amounts.total_compensation, row) === pay.total[at]) return row;
  }
  return undefined;
}

/** Answers a question over the records. @param open 1 for each that its viewer may see; null for all */
export function askCeoPay(
  columns: Columns,
  dataset: Dataset,
  question: CeoPayQuestion | CeoPayStatisticsQuestion,
  open: Uint8Array | null,
): CeoPayResult {
  // A company counts once in statistics, with the highest total of a year.
  const isStatistics = question.kind === "ceo_pay_statistics";
  const selection = isStatistics ? { ...question.selection, onePerCompanyYear: true } : question.selection;
  const isSame = question.kind === "ceo_pay_statistics" && question.sameCompanies;
  const { found, counts } = select(columns, dataset, selection, open, isSame);
  const items =
    question.kind === "ceo_pay_statistics"
      ? statisticsOf(columns, found, question.groupBy, {
          isMember: memberTest(columns, dataset, selection),
          currency: selection.currency,
        })
      : pageOf(columns, dataset, found, question).map(recordJson);
  const json = encoder.encode(items.map((one) => JSON.stringify(one)).join(","));
  return { ...counts, count: items.length, json };
}

function pageOf(
  columns: Columns,
  dataset: Dataset,
  found: number[],
  { sort, offset, count }: CeoPayQuestion,
): CeoPayRecord[] {
  const { key } = columns.ceoPay;
  const page = found.sort(orderBy(columns, sort)).slice(offset, offset + count);
  return readCeoPayOf(
    dataset,
    page.map((at) => float64At(key, at)),
  );
}

function orderBy(
  { ceoPay: { company, fiscalYear, total }, companyRanks }: Columns,
  { by, descending }: CeoPaySort,
): (a: number, b: number) => number {
  const sign = descending ? -1 : 1;
  const difference = (of: Int32Array | Float64Array) => (a: number, b: number) =>
    elementAt(of, a) - elementAt(of, b);
  const [byYear, byTotal] = [difference(fiscalYear), difference(total)];
  // Records ascend by CIK.
  const ties = (a: number, b: number) =>
    company[a] === company[b] ? byYear(b, a) || byTotal(b, a) || a - b : a - b;
  const byName = (a: number, b: number) =>
    int32At(companyRanks.rank, int32At(company, a)) - int32At(companyRanks.rank, int32At(company, b));
  const compare = by === "company_name" ? byName : by === "peo_total" ? byTotal : byYear;
  return (a, b) => sign * compare(a, b) || ties(a, b);
}

/** A record as in answers. */
export function recordJson(record: CeoPayRecord) {
  const { cik, ticker } = record;
  return {
    ticker,
    cik,
    company_name: record.companyName,
    fiscal_year: record.fiscalYear,
    label_inferred: record.labelInferred,
    period_end: record.periodEnd,
    peo_name: record.peoName,
    surname_only: record.peoName !== null && isSurname(record.peoName),
    peo_total: unitsOf(record.cents),
    reporting_currency: record.currency,
    basis: record.basis,
    confirmed_by_tag: record.confirmedByTag,
    restated:
      record.restated === null
        ? null
        : {
            peo_total: unitsOf(record.restated.cents),
            accession: record.restated.accession,
            filing_date: record.restated.filingDate,
          },
    doubts: record.doubts,
    source: record.source,
    provider: record.provider,
    company_url: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}&type=DEF+14A`,
  };
}

/** What a newer proxy prints instead, for people. */
export function restatedText({
  peo_total: total,
  accession,
  filing_date: day,
}: NonNullable<ReturnType<typeof recordJson>["restated"]>): string {
  return `restated in the proxy of ${day}: ${formatAmount(total)} (${accession})`;
}

/** A record as a line of a table: the columns of the SQL view `ceo_pay` but `is_latest`, and `company_url`. */
export function flatRecord({
  doubts,
  restated,
  source,
  ...plain
}: ReturnType<typeof recordJson>): Readonly<Record<string, string | number | boolean | null>> {
  return {
    ...plain,
    restated_total: restated?.peo_total ?? null,
    restated_date: restated?.filing_date ?? null,
    doubts: doubts.length === 0 ? null : doubts.map(({ message }) => message).join("; "),
    source_accession: source?.accession ?? null,
    source_filing_url: source?.filing_url ?? null,
  };
}

/** Statistics of one group. */
export interface CeoPayGroup extends Figures {
  group: GroupKey;
  records: number;
  companies: number;
  company_years: number;
  by_basis: { row: number; tag: number };
}

function statisticsOf(
  { ceoPay: pay, profile, profiles }: Columns,
  records: readonly number[],
  groupBy: readonly CeoPayGrouping[],
  { isMember, currency }: { isMember(at: number): boolean; currency: string },
): CeoPayGroup[] {
  const ofProfiles = profiles.map(profileKey);
  const isByIndex = groupBy.includes("index");
  const keys = new Map<string, string>();
  const keyOf = (at: number) => {
    const [of, year] = [int32At(profile, int32At(pay.company, at)), int32At(pay.fiscalYear, at)];
    const index = isByIndex && isMember(at) ? "sp500" : "none";
    return keys.getOrInsertComputed(`${of} ${year} ${index}`, () =>
      JSON.stringify(inOrder(groupBy, { ...ofProfiles[of], fiscal_year: year, index })),
    );
  };
  return (
    [...Map.groupBy(records, keyOf)]
      // Written above.
      .map(([key, of]) => ({ key: JSON.parse(key) as GroupKey, of }))
      .sort((a, b) => compareKeys(a.key, b.key))
      .map(({ key, of }) => ({
        group: { ...key, reporting_currency: currency },
        ...countsOf(pay, of),
        ...figuresOf(Float64Array.from(of, (at) => float64At(pay.total, at)).sort()),
      }))
  );
}
