/**
 * The served rows of a dataset as numeric columns, so that a question over all of them is a loop over arrays. Built when
 * the snapshot is made, and stored in it. 500,000 rows take about 55 MB.
 */
import { elementAt, int32At, valueAt } from "../../lib/checked-access.ts";
import { lastDayOf, shiftYears } from "../../domain/fiscal-year.ts";
import {
  type Measure,
  type AmountField,
  AMOUNTS,
  byAmount,
  ROW_EVIDENCE,
  type RowEvidence,
} from "../../domain/row-fields.ts";
import { EVIDENCE_SQL, isMemberOn, sectorOf } from "../company-facts.ts";
import { type Dataset, MAX_ROWS, padCik } from "../dataset.ts";
import { byGroup, type Groups, Numbering, alphabetical, type Ranked, ranked, type Ranks } from "../arrays.ts";
import { type WordIndex, wordIndex, packAscending, PackedTexts } from "./names.ts";
import { buildCeoPay, type CeoPayColumns } from "./ceo-pay-columns.ts";
import { readBlobs } from "./blobs.ts";
import { FILER_CATEGORIES } from "../../domain/selection.ts";
import { compareTexts } from "../../lib/text.ts";

/** Everything that questions are answered from. Row numbers ascend by CIK, fiscal year and executive_id. */
export interface Columns {
  rows: number;
  /** `rowKey` */
  key: Float64Array;
  /** Index of the row's company-year. */
  companyYear: Int32Array;
  /** Index in `currencies` times sixteen, plus the offices (1 PEO, 2 PFO), plus four times the index in `ROW_EVIDENCE`. */
  traits: Uint16Array;
  currencies: readonly string[];
  /** In cents. */
  amounts: Readonly<Record<AmountField, Ranked>>;
  /** Index in `executiveIds`, which ascend. */
  executiveId: Int32Array;
  executiveIds: PackedTexts;
  /** Index in `names`. */
  name: Int32Array;
  names: PackedTexts;
  /** The alphabetical rank of each name. Computed with the columns because it needs all names as strings. */
  nameRanks: Ranks;
  nameIndex: WordIndex;
  /** The rows of each name. */
  nameRows: Groups;
  companyYears: {
    /** Index in `companies`. */
    company: Int32Array;
    fiscalYear: Int32Array;
    /** Index in `fiscalYears`. */
    yearPlace: Int32Array;
    /** Index in `currencies`, if all its rows have the same; otherwise `SEVERAL`. */
    currency: Int32Array;
    /** First row; one extra element holds the total number of rows. */
    first: Int32Array;
    complete: Uint8Array;
    /** `evidenceBit` of each way in which its rows are known, added. */
    evidence: Uint8Array;
    /** Whether it is the company's latest year. */
    latest: Uint8Array;
    /** Whether it ended within the years before the edition that are comparable. */
    recent: Uint8Array;
    /** Whether the company was a member of the S&P 500 on the last day of the year. */
    member: Uint8Array;
  };
  /** The fiscal years that have rows, ascending. */
  fiscalYears: readonly number[];
  /** Companies with rows by CIK, then those of which only CEO pay is known, and index members. */
  companies: readonly CompanyColumn[];
  /** The alphabetical rank of each company's name. */
  companyRanks: Ranks;
  /** Index in `profiles`, for each company. */
  profile: Int32Array;
  profiles: readonly CompanyProfile[];
  /** Rows that cover less than a year. */
  shortRows: ReadonlySet<number>;
  /** Number of rows by how they are known. */
  known: Readonly<Record<RowEvidence, number>>;
  ceoPay: CeoPayColumns;
  /** Measures that were asked for (`measures.ts`). */
  measures: Map<Measure, Ranked>;
}

/** What the columns are made from: a served row, its filing and the observation it comes from. */
interface RowLine extends Readonly<Record<AmountField, number>> {
  id: number;
  cik: number;
  fiscal_year: number;
  executive_id: string;
  name: string;
  is_peo: number;
  is_pfo: number;
  currency: string | null;
  /** The newest fiscal year that the filing prints. */
  printed: number | null;
  period_end: string | null;
  filing_date: string | null;
  evidence: RowEvidence;
}

const NO_AMOUNTS = new Float64Array(0);
const ROWS_AT_A_TIME = 2048;
/** A collection takes up to half a second in a process with much else in memory: a small dataset goes without. */
const ROWS_WORTH_COLLECTING = 50_000;
/** Companies after which what was read is released. */
const COMPANIES_A_COLLECTION = 8000;

/** The columns in a snapshot. */
export function loadColumns(dataset: Dataset): Columns {
  return readBlobs<Columns>(dataset, "columns");
}

/** The fiscal years that have rows, newest first. */
export function fiscalYearsOf(dataset: Dataset): number[] {
  return loadColumns(dataset).fiscalYears.toReversed();
}

/** Builds the columns; about 4 µs per row. SQL by hand here: objects of drizzle's for each of millions of rows (`growth`). */
// oxlint-disable-next-line max-lines-per-function -- one pass over the rows fills every column
export function buildColumns(dataset: Pick<Dataset, "all">, edition: string): Columns {
  const count = dataset.all<{ n: number }>("select count(*) as n from rows")[0]?.n ?? 0;
  const collectGarbage = garbageCollector(count);
  const { companies, profile, profiles } = readCompanies(dataset);
  const oldest = shiftYears(edition, -STALE_YEARS);
  // First, while the columns of rows take no memory yet.
  const ceoPay = collectGarbage(buildCeoPay(dataset, companies, oldest));
  const byCik = new Map(companies.map((company, at) => [Number(company.cik), at]));
  const complete = new Set(
    dataset
      .all<{ key: number }>("select cik * 10000 + fiscal_year as key from years where complete = 1")
      .map(({ key }) => key),
  );
  const [currencies, ids, names] = [new Numbering(), new Numbering(), new Numbering()];
  const amounts = byAmount(() => new Float64Array(count));
  const columns = {
    key: new Float64Array(count),
    companyYear: new Int32Array(count),
    traits: new Uint16Array(count),
    executiveId: new Int32Array(count),
    name: new Int32Array(count),
  };
  const years: CompanyYear[] = [];
  const short = shortRowKeys(dataset);
  const shortRows = new Set<number>();
  let row = 0;
  const known = { linked: 0, typed: 0, collected: 0 };
  for (const rows of companyRows(dataset)) {
    const company = valueAt(byCik, elementAt(rows, 0).cik);
    const facts = elementAt(companies, company);
    facts.firstYear = years.length;
    for (const line of rows.sort(
      (a, b) => a.fiscal_year - b.fiscal_year || compareTexts(a.executive_id, b.executive_id),
    )) {
      const fiscalYear = line.fiscal_year;
      const currency = currencies.of(line.currency ?? "");
      const last = years.at(-1);
      if (last === undefined || last.company !== company || last.fiscalYear !== fiscalYear) {
        const lastDayOfYear = lastDayOf(
          fiscalYear,
          { printed: line.printed, periodEnd: line.period_end, filingDate: line.filing_date },
          facts.fiscalYearEnd,
        );
        years.push({
          company,
          isRecent: lastDayOfYear >= oldest,
          fiscalYear,
          first: row,
          currency,
          complete: complete.has(line.cik * 10_000 + fiscalYear),
          evidence: 0,
          member: isMemberOn(facts.stays, lastDayOfYear),
        });
      } else if (last.currency !== currency) last.currency = SEVERAL;
      columns.key[row] = line.id;
      if (short.has(line.id)) shortRows.add(row);
      columns.companyYear[row] = years.length - 1;
      columns.traits[row] =
        currency * TRAITS_A_CURRENCY +
        evidenceTraits(line.evidence) +
        (line.is_peo === 1 ? PEO : 0) +
        (line.is_pfo === 1 ? PFO : 0);
      known[line.evidence]++;
      const ofYear = years.at(-1);
      if (ofYear !== undefined) ofYear.evidence |= evidenceBit(line.evidence);
      columns.executiveId[row] = ids.of(line.executive_id);
      columns.name[row] = names.of(line.name);
      for (const field of AMOUNTS) amounts[field][row] = line[field];
      row++;
    }
    facts.endYear = years.length;
    if (company % COMPANIES_A_COLLECTION === 0) collectGarbage(null);
  }
  const room = new Float64Array(count);
  const executiveIds = collectGarbage(packAscending(ids.words));
  columns.executiveId.forEach((id, at) => (columns.executiveId[at] = int32At(executiveIds.places, id)));
  const fiscalYears = [...new Set(years.map(({ fiscalYear }) => fiscalYear))].sort((a, b) => a - b);
  const yearPlaces = new Map(fiscalYears.map((year, place) => [year, place]));
  return {
    rows: row,
    ...columns,
    amounts: byAmount((field) => {
      const value = ranked(amounts[field], room);
      amounts[field] = NO_AMOUNTS;
      return value;
    }),
    fiscalYears,
    currencies: currencies.words,
    executiveIds: executiveIds.texts,
    names: PackedTexts.of(names.words),
    nameRanks: collectGarbage(alphabetical(names.words)),
    nameIndex: collectGarbage(wordIndex(names.words)),
    nameRows: byGroup(columns.name, null, names.words.length),
    companyYears: {
      company: Int32Array.from(years, ({ company }) => company),
      fiscalYear: Int32Array.from(years, ({ fiscalYear }) => fiscalYear),
      yearPlace: Int32Array.from(years, ({ fiscalYear }) => valueAt(yearPlaces, fiscalYear)),
      currency: Int32Array.from(years, ({ currency }) => currency),
      first: Int32Array.from([...years.map(({ first }) => first), row]),
      complete: Uint8Array.from(years, (one) => (one.complete ? 1 : 0)),
      latest: Uint8Array.from(years, ({ company }, at) => (years[at + 1]?.company === company ? 0 : 1)),
      recent: Uint8Array.from(years, ({ isRecent }) => (isRecent ? 1 : 0)),
      evidence: Uint8Array.from(years, ({ evidence }) => evidence),
      member: Uint8Array.from(years, ({ member }) => (member ? 1 : 0)),
    },
    companies,
    companyRanks: alphabetical(companies.map(({ name }) => name)),
    profile,
    profiles,
    shortRows,
    known,
    ceoPay,
    measures: new Map(),
  };
}

/** Releases what was needed to make a value: the engine would keep as much as all columns take. @param rows of the dataset */
export function garbageCollector(rows: number): <Value>(value: Value) => Value {
  return (value) => {
    if (rows >= ROWS_WORTH_COLLECTING) Bun.gc(true);
    return value;
  };
}

/** The keys of rows that cover less than a year. */
function shortRowKeys(dataset: Pick<Dataset, "all">): Set<number> {
  const lines = dataset.all<{ id: number }>(
    `select r.id from problems p join filings f on f.id = p.filing
      join rows r on r.id >= f.cik * ${MAX_ROWS} and r.id < (f.cik + 1) * ${MAX_ROWS}
        and r.filing = p.filing and r.position = p.position
      where p.code = 'partial_period'`,
  );
  return new Set(lines.map(({ id }) => id));
}

/** Years before the edition after which a latest fiscal year is too old to be compared with others. */
const STALE_YEARS = 3;

interface CompanyYear {
  company: number;
  fiscalYear: number;
  first: number;
  currency: number;
  complete: boolean;
  evidence: number;
  member: boolean;
  isRecent: boolean;
}

/** Bit of `Columns.traits`: principal executive officer. */
export const PEO = 1;
/** Bit of `Columns.traits`: principal financial officer. */
export const PFO = 2;
/** Value of `Columns.companyYears.currency` when the rows differ: check each row. */
export const SEVERAL = -1;
/** Number of `Columns.traits` values per currency. */
export const TRAITS_A_CURRENCY = 16;
/** The bits of `Columns.traits` that are offices. */
export const OFFICE_BITS = PEO | PFO;

/** The part of `Columns.traits` that says how a row is known. */
export function evidenceTraits(evidence: RowEvidence): number {
  return 4 * ROW_EVIDENCE.indexOf(evidence);
}

/** How a row is known, of its `Columns.traits`. */
export function evidenceIn(traits: number): RowEvidence {
  return elementAt(ROW_EVIDENCE, (traits % TRAITS_A_CURRENCY) >> 2);
}

/** The bit of `Columns.companyYears.evidence`. */
export function evidenceBit(evidence: RowEvidence): number {
  return 1 << ROW_EVIDENCE.indexOf(evidence);
}

/** Yields the rows of each company in turn. */
function* companyRows(dataset: Pick<Dataset, "all">): Generator<RowLine[]> {
  let lines: RowLine[] = [];
  let after = -1;
  for (;;) {
    const batch = dataset.all<RowLine>(
      `select r.id, r.cik, r.fiscal_year, r.executive_id, r.name, r.is_peo, r.is_pfo, f.currency,
          f.fiscal_year as printed, f.period_end, f.filing_date, ${EVIDENCE_SQL} as evidence, ${AMOUNTS.map((name) => `o.${name}`).join(", ")}
        from rows r join filings f on f.id = r.filing join observations o on o.id = r.filing * ${MAX_ROWS} + r.position
        where r.id > ? order by r.id limit ${ROWS_AT_A_TIME}`,
      after,
    );
    for (const line of batch) {
      if (lines.length > 0 && lines[0]?.cik !== line.cik) {
        yield lines;
        lines = [];
      }
      lines.push(line);
    }
    after = batch.at(-1)?.id ?? after;
    if (batch.length < ROWS_AT_A_TIME) break;
  }
  if (lines.length > 0) yield lines;
}

/** A registrant that has rows or whose CEO pay is known, or that was a member of an index. */
export interface CompanyColumn {
  /** Ten digits. */
  cik: string;
  name: string;
  /** MM-DD */
  fiscalYearEnd: string;
  /** Index memberships; `addedKnown` is 0 where `added` is only the earliest known day. */
  stays: readonly { added: string; addedKnown: number; removed: string | null }[];
  /** Its company-years: indices from `firstYear` up to but excluding `endYear`, ascending by fiscal year. */
  firstYear: number;
  endYear: number;
}

/** The facts by which companies are selected and grouped. Shared by companies whose facts are equal. */
export interface CompanyProfile {
  sector: string | null;
  sic: string | null;
  /** EDGAR's code of the business address. */
  state: string | null;
  /** Values of `FILER_CATEGORIES`. */
  filerCategories: readonly string[];
}

/** Companies with rows by CIK, then the others. */
function readCompanies(dataset: Pick<Dataset, "all">) {
  type Stay = CompanyColumn["stays"][number] & { cik: number; sector: string };
  const stays = Map.groupBy(
    dataset.all<Stay>(
      "select cik, sector, added, added_known as addedKnown, removed from index_members where index_name = 'sp500'",
    ),
    ({ cik }) => cik,
  );
  const lines = dataset.all<CompanyLine>(
    `select c.cik, name, row_count, sic, filer_category, business_state as state, coalesce(c.fiscal_year_end, r.fiscal_year_end) as fiscal_year_end,
      exists (select 1 from ceo_pay p where p.id >= c.cik * ${MAX_ROWS} and p.id < (c.cik + 1) * ${MAX_ROWS}) as is_paid
      from companies c left join registrants r on r.cik = c.cik order by row_count = 0, c.cik`,
  );
  const relevant = lines.filter(
    ({ cik, row_count, is_paid }) => row_count > 0 || is_paid === 1 || stays.has(cik),
  );
  const numbers = new Numbering();
  const profiles: CompanyProfile[] = [];
  const profile = Int32Array.from(relevant, ({ cik, sic, state, filer_category }) => {
    const sector = sectorOf(stays.get(cik) ?? []);
    const number = numbers.of(JSON.stringify([sector, sic, state, filer_category]));
    profiles[number] ??= { sector, sic, state, filerCategories: categoriesOf(filer_category ?? "") };
    return number;
  });
  // Equal dates and empty lists are shared, to save memory.
  const days = new Map<string, string>();
  const oneOfEach = (day: string) => days.getOrInsert(day, day);
  const none: CompanyColumn["stays"] = [];
  const companies = relevant.map((line): CompanyColumn => ({
    cik: padCik(line.cik),
    name: line.name,
    fiscalYearEnd: oneOfEach(line.fiscal_year_end ?? "12-31"),
    stays: stays.get(line.cik) ?? none,
    firstYear: 0,
    endYear: 0,
  }));
  return { companies, profile, profiles };
}

interface CompanyLine {
  cik: number;
  name: string;
  row_count: number;
  /** Whether it has CEO pay. */
  is_paid: number;
  sic: string | null;
  filer_category: string | null;
  state: string | null;
  fiscal_year_end: string | null;
}

/** The values of `FILER_CATEGORIES` in the SEC's text. */
function categoriesOf(text: string): string[] {
  const parts = text.split("; ").map((part) => part.toLowerCase().replaceAll(/[^a-z]+/g, "_"));
  return FILER_CATEGORIES.filter((category) => parts.includes(category));
}
