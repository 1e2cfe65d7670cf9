/** Selects, orders and summarizes the records of `dataset/ceo-pay.ts`. */
import { unitsOf } from "../domain/amount.ts";
import { shiftYears } from "../domain/fiscal-year.ts";
import {
  type CeoPayGrouping,
  type CeoPaySelection,
  type CeoPaySort,
  isWithinBounds,
} from "../domain/ceo-pay.ts";
import { type CeoPayRecord, readCeoPay } from "../dataset/ceo-pay.ts";
import { isMemberOn, sectorOf } from "../dataset/company-facts.ts";
import { type Dataset, padCik } from "../dataset/dataset.ts";
import { categoriesOf, type CompanyProfile, readStays, STALE_YEARS } from "../dataset/columns/columns.ts";
import { hasProfile, yearTest } from "./company-years.ts";
import { askedYears, type Gap, gapOf } from "./gaps.ts";
import { alphabetical } from "../dataset/columns/ranked.ts";
import { compareKeys, type Figures, figuresOf, type GroupKey, inOrder, profileKey } from "./statistics.ts";

/** A selection whose tickers have been resolved to companies. */
export interface ResolvedCeoPay extends Omit<CeoPaySelection, "tickers"> {
  onlyNamed: boolean;
}

/** A page of records. */
export interface CeoPayQuestion {
  kind: "ceo_pay";
  selection: ResolvedCeoPay;
  sort: CeoPaySort;
  offset: number;
  count: number;
}

/** Statistics of the selected totals. */
export interface CeoPayStatisticsQuestion {
  kind: "ceo_pay_statistics";
  selection: ResolvedCeoPay;
  groupBy: readonly CeoPayGrouping[];
}

/** What every answer counts. */
export interface CeoPayCounts {
  matched: {
    records: number;
    companies: number;
    company_years: number;
    by_basis: { row: number; tag: number };
    /** Left out of `records` unless they were included. */
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

/** What companies are selected by. */
interface Facts extends CompanyProfile {
  fiscalYearEnd: string;
  stays: readonly { added: string; removed: string | null }[];
}

/** All records of a dataset with the facts of their companies. */
export interface CeoPayTable {
  records: readonly CeoPayRecord[];
  /** Alphabetical ranks of the records' companies. */
  nameRank: ReadonlyMap<CeoPayRecord, number>;
  factsOf(cik: string): Facts;
  /** Ten-digit CIKs of all companies that were ever a member of the index. */
  members: readonly string[];
  edition: string;
}

/** Reads the table; about 5 µs a record. */
export function ceoPayTable(dataset: Dataset): CeoPayTable {
  const records = readCeoPay(dataset);
  const stays = Map.groupBy(readStays(dataset), ({ cik }) => padCik(cik));
  const lines = new Map(
    dataset
      .all<{
        cik: number;
        sic: string | null;
        state: string | null;
        category: string | null;
        fye: string | null;
      }>(
        `select c.cik, sic, business_state as state, filer_category as category,
          coalesce(c.fiscal_year_end, r.fiscal_year_end) as fye from companies c left join registrants r on r.cik = c.cik
          where c.row_count > 0 or c.cik in (select cik from peo_tags) or c.cik in (select cik from index_members)`,
      )
      .map((line) => [padCik(line.cik), line]),
  );
  const facts = new Map<string, Facts>();
  const { rank } = alphabetical(records.map(({ companyName }) => companyName));
  return {
    records,
    nameRank: new Map(records.map((record, at) => [record, rank[at] ?? 0])),
    factsOf: (cik) =>
      facts.getOrInsertComputed(cik, () => {
        const line = lines.get(cik);
        const of = stays.get(cik) ?? [];
        return {
          sector: sectorOf(of),
          sic: line?.sic ?? null,
          state: line?.state ?? null,
          filerCategories: categoriesOf(line?.category ?? ""),
          fiscalYearEnd: line?.fye ?? "12-31",
          stays: of,
        };
      }),
    members: [...stays.keys()].sort(),
    edition: dataset.info.edition,
  };
}

/** The selected records, with what is left out and why. */
function select(table: CeoPayTable, dataset: Dataset, selection: ResolvedCeoPay) {
  const { years, currency, totals, index, onlyNamed } = selection;
  const oldest = shiftYears(table.edition, -STALE_YEARS);
  const isLatest = years.length === 0;
  const isYear = yearTest(selection);
  const isCompany = companyTest(table, selection);
  const [stale, doubted] = [new Set<string>(), new Set<string>()];
  let doubtful = 0;
  const found = table.records.filter((record) => {
    const { cik, lastDay, cents } = record;
    if (record.currency !== currency || !isCompany(cik)) return false;
    if (isLatest ? !record.isLatest : !isYear(record.fiscalYear)) return false;
    // The latest year is compared among today's members, another year among those of its last day.
    if (index !== null && !isMemberOn(table.factsOf(cik).stays, isLatest ? table.edition : lastDay))
      return false;
    if (!isWithinBounds(cents, totals)) return false;
    if (isLatest && !onlyNamed && lastDay < oldest) {
      stale.add(cik);
      return false;
    }
    if (record.doubts.length === 0 || selection.doubtful === "include") return true;
    doubtful++;
    doubted.add(cik);
    return false;
  });
  const has = new Set(found.map(({ cik }) => cik));
  const members = index === null ? null : membersOf(table, isCompany, isLatest ? null : isYear);
  const asked = [...new Set([...(onlyNamed ? selection.ciks : []), ...(isLatest ? (members ?? []) : [])])];
  const counts: CeoPayCounts = {
    matched: { ...countsOf(found), doubtful },
    fiscalYears: byYear(found),
    stale: stale.size,
    index:
      members === null
        ? null
        : { members: members.length, without: members.filter((cik) => !has.has(cik)).length },
    gaps: gapsOf(table, dataset, asked, { asked: askedYears(years), has, doubted }),
  };
  return { found, counts };
}

function companyTest(table: CeoPayTable, selection: ResolvedCeoPay): (cik: string) => boolean {
  const named = new Set(selection.ciks);
  return (cik) => (!selection.onlyNamed || named.has(cik)) && hasProfile(table.factsOf(cik), selection);
}

/** The selected companies that are members of the index today, or were on the last day of one of the years. */
function membersOf(
  table: CeoPayTable,
  isCompany: (cik: string) => boolean,
  isYear: ((year: number) => boolean) | null,
): string[] {
  const years = [...new Set(table.records.map(({ fiscalYear }) => fiscalYear))].filter((year) =>
    isYear?.(year),
  );
  return table.members.filter((cik) => {
    if (!isCompany(cik)) return false;
    const { stays, fiscalYearEnd } = table.factsOf(cik);
    const days = isYear === null ? [table.edition] : years.map((year) => `${year}-${fiscalYearEnd}`);
    return days.some((day) => isMemberOn(stays, day));
  });
}

function gapsOf(
  table: CeoPayTable,
  dataset: Dataset,
  ciks: readonly string[],
  { asked, has, doubted }: { asked: Gap["asked"]; has: ReadonlySet<string>; doubted: ReadonlySet<string> },
): Gap[] {
  const wanted = new Set(ciks);
  const known = Map.groupBy(
    table.records.filter(({ cik }) => wanted.has(cik)),
    ({ cik }) => cik,
  );
  return ciks.flatMap((cik) => {
    const years = new Set((known.get(cik) ?? []).map(({ fiscalYear }) => fiscalYear));
    const held = [...years].sort((a, b) => b - a);
    return gapOf(dataset, cik, { asked, held, isMatched: has.has(cik), isDoubtful: doubted.has(cik) }) ?? [];
  });
}

function countsOf(records: readonly CeoPayRecord[]) {
  const years = new Set(records.map(({ cik, lastDay }) => `${cik} ${lastDay}`));
  const row = records.filter(({ basis }) => basis === "row").length;
  return {
    records: records.length,
    companies: new Set(records.map(({ cik }) => cik)).size,
    company_years: years.size,
    by_basis: { row, tag: records.length - row },
  };
}

function byYear(records: readonly CeoPayRecord[]): Record<string, number> {
  const years = Map.groupBy(records, ({ fiscalYear }) => fiscalYear);
  return Object.fromEntries(
    [...years].sort(([a], [b]) => a - b).map(([year, of]) => [year, countsOf(of).company_years]),
  );
}

const encoder = new TextEncoder();

/** Answers a question over the table. */
export function askCeoPay(
  table: CeoPayTable,
  dataset: Dataset,
  question: CeoPayQuestion | CeoPayStatisticsQuestion,
): CeoPayResult {
  const { found, counts } = select(table, dataset, question.selection);
  const items =
    question.kind === "ceo_pay_statistics"
      ? statisticsOf(table, found, question.groupBy, question.selection.currency)
      : found
          .toSorted(orderBy(table, question.sort))
          .slice(question.offset, question.offset + question.count)
          .map(recordJson);
  const json = encoder.encode(items.map((one) => JSON.stringify(one)).join(","));
  return { ...counts, count: items.length, json };
}

function orderBy(
  { nameRank }: CeoPayTable,
  { by, descending }: CeoPaySort,
): (a: CeoPayRecord, b: CeoPayRecord) => number {
  const sign = descending ? -1 : 1;
  const ties = (a: CeoPayRecord, b: CeoPayRecord) =>
    a.cik < b.cik ? -1 : a.cik > b.cik ? 1 : b.fiscalYear - a.fiscalYear || b.cents - a.cents;
  if (by === "company_name")
    return (a, b) => sign * ((nameRank.get(a) ?? 0) - (nameRank.get(b) ?? 0)) || ties(a, b);
  const key = by === "peo_total" ? "cents" : "fiscalYear";
  return (a, b) => sign * (a[key] - b[key]) || ties(a, b);
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
    peo_total: unitsOf(record.cents),
    reporting_currency: record.currency,
    basis: record.basis,
    confirmed_by_tag: record.confirmedByTag,
    doubts: record.doubts,
    source: record.source,
    provider: record.provider,
    company_url: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}&type=DEF+14A`,
  };
}

/** A record as a line of a table: the columns of the SQL view `ceo_pay` but `is_latest`, and `company_url`. */
export function flatRecord({
  doubts,
  source,
  ...plain
}: ReturnType<typeof recordJson>): Readonly<Record<string, string | number | boolean | null>> {
  return {
    ...plain,
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
  table: CeoPayTable,
  records: readonly CeoPayRecord[],
  groupBy: readonly CeoPayGrouping[],
  currency: string,
): CeoPayGroup[] {
  const keyOf = ({ cik, fiscalYear, lastDay }: CeoPayRecord) => {
    const facts = table.factsOf(cik);
    const index = isMemberOn(facts.stays, lastDay) ? "sp500" : "none";
    return JSON.stringify(inOrder(groupBy, { ...profileKey(facts), fiscal_year: fiscalYear, index }));
  };
  return (
    [...Map.groupBy(records, keyOf)]
      // Written above.
      .map(([key, of]) => ({ key: JSON.parse(key) as GroupKey, of }))
      .sort((a, b) => compareKeys(a.key, b.key))
      .map(({ key, of }) => ({
        group: { ...key, reporting_currency: currency },
        ...countsOf(of),
        ...figuresOf(Float64Array.from(of, ({ cents }) => cents).sort()),
      }))
  );
}
