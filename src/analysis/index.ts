/** Answers questions over all rows of one dataset from columns. Pure computation: the caller decides on which thread. */
import { elementAt, float64At, int32At, uint16At, valueAt } from "../lib/checked-access.ts";
import { type Measure, MEASURE_UNIT, type AmountField, rowHead } from "../domain/row-fields.ts";
import type { SortKey } from "../domain/selection.ts";
import { type LatestFiling, latestFilings } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import {
  askCeoPay,
  type CeoPayQuestion,
  type CeoPayResult,
  type CeoPayStatisticsQuestion,
  evidenceOfTotals,
  foundCeoPay,
} from "./ceo-pay-questions.ts";
import { type Columns, evidenceTraits, loadColumns } from "../dataset/columns/columns.ts";
import { newestRows, type PeopleByName } from "../dataset/columns/people.ts";
import { readBlobs } from "../dataset/columns/blobs.ts";
import { rankedOf, UNDEFINED } from "./measures.ts";
import { createPager } from "./order.ts";
import type { ResolvedCeoPay, ResolvedSelection } from "./company-years.ts";
import {
  companiesOf,
  countRows,
  createMatcher,
  type IndexCoverage,
  type Match,
  rowsOfEveryYear,
} from "./match.ts";
import { createMasks, freshIn, type Masks, type Opening, type Sight, tellsChanges } from "./sight.ts";
import type { TypedWord } from "../dataset/columns/names.ts";
import { numberOf } from "../dataset/arrays.ts";
import { type GroupStatistics, type Rank, statisticsOf, type StatisticsQuestion } from "./statistics.ts";
import { ROWS_WITH_TAIL } from "../dataset/company-rows.ts";

/** Coverage reported with every answer over a selection. */
export interface Coverage extends Pick<Match, "matched" | "fiscalYears" | "stale" | "named"> {
  /** Null unless the selection names an index. */
  index: IndexCoverage | null;
  /** Selected companies of which nobody is known to have been CFO; only of statistics by office. */
  withoutCfo?: number;
}

/** A page of the rows of a selection. */
export interface QueryQuestion {
  kind: "query";
  selection: ResolvedSelection;
  /** What its viewer may see; absent for everything. */
  sight?: Sight | null;
  sort: { by: SortKey; descending: boolean };
  offset: number;
  count: number;
  /** Figures to return next to the rows. */
  measures?: readonly Measure[];
  /** The ticker each company was requested by, keyed by CIK. */
  askedAs: ReadonlyMap<string, string>;
}

/** The page. Its JSON is made on the answering thread, so that the requesting thread only sends it. */
export interface QueryResult extends Coverage {
  /** Number of rows in the page. */
  count: number;
  /** The rows as JSON, joined by commas. */
  rows: Uint8Array<ArrayBuffer>;
  /** The requested measures of each row, null where undefined. */
  measures: Partial<Record<Measure, number | null>>[];
  /** Whether one of the rows is collected. */
  evidence: RowNote;
}

/** `collected` if a row is. */
type RowNote = "collected" | null;

/** Statistics over the rows of a selection. */
export interface StatisticsQuestionOf {
  kind: "statistics";
  selection: ResolvedSelection;
  question: Omit<StatisticsQuestion, "currency">;
  /** Whether only companies count that have every fiscal year of the selection. */
  sameCompanies?: boolean;
}

/** The statistics. */
export interface StatisticsResult extends Coverage {
  /** Whether a row behind the figures is collected. */
  evidence: RowNote;
  /** `{"statistics":[…],"ranks":[…]`, made of `GroupStatistics` and `Rank`; left open so that more members can follow. */
  json: Uint8Array<ArrayBuffer>;
}

/** Several statistics over the rows of one selection, which are found once, and the first values of an amount. */
export interface FiguresQuestion {
  kind: "figures";
  selection: ResolvedSelection;
  sight?: Sight | null;
  /** Whether only companies count that have every fiscal year of the selection. */
  sameCompanies?: boolean;
  questions: readonly StatisticsQuestionOf["question"][];
  /** In this order. */
  values: { by: AmountField; descending: boolean; count: number } | null;
}

/** The statistics of each question, and the values in units of the currency. */
export interface FiguresResult extends Coverage {
  tables: { statistics: GroupStatistics[]; ranks: Rank[] }[];
  values: number[];
}

/** People by what was typed of their names: half words, nicknames, typing errors. */
export interface PeopleQuestion {
  kind: "people";
  words: readonly TypedWord[];
  forgiving: boolean;
  max: number;
}

/** What tells a row from all others. */
export interface OpenRow {
  cik: string;
  fiscal_year: number;
  executive_id: string;
}

/** A question, as sent to the worker. */
export type AnalysisQuestion =
  | QueryQuestion
  | StatisticsQuestionOf
  | FiguresQuestion
  /** Every row of a selection. */
  | { kind: "keys"; selection: ResolvedSelection }
  /** What the home page tells of the dataset: reads every filing. */
  | { kind: "latest_filings"; filings: number }
  /** Words of executives' names that a mistyped word, folded, may mean. */
  | { kind: "names"; near: string }
  | PeopleQuestion
  /** Which rows of companies somebody may see. */
  | { kind: "open_rows"; sight: Sight; ciks: readonly string[] }
  /** How many rows and totals an opening holds, and how many of them could not be seen before. */
  | { kind: "fresh"; sight: Sight; opening: Opening }
  | CeoPayQuestion
  | CeoPayStatisticsQuestion
  /** How the totals of a selection are known. */
  | { kind: "ceo_pay_evidence"; selection: ResolvedCeoPay };

/** The result of each kind of question. */
export interface ResultOf {
  /** The latest filings, newest first, and how many rows are known in which way. */
  latest_filings: { filings: LatestFiling[]; known: Columns["known"] };
  query: QueryResult;
  statistics: StatisticsResult;
  figures: FiguresResult;
  /** The rows as `rowKey`s, ordered by CIK, fiscal year and executive_id. */
  keys: Coverage & { keys: Float64Array<ArrayBuffer> };
  /** Ascending. */
  names: { words: string[] };
  /** The newest row of each person as JSON, joined by commas, newest years first, then by name. */
  people: { rows: Uint8Array<ArrayBuffer> };
  open_rows: { open: OpenRow[] };
  fresh: { matched: number; fresh: number };
  ceo_pay: CeoPayResult;
  ceo_pay_statistics: CeoPayResult;
  /** Number of totals that are of a row, by how it is known. */
  ceo_pay_evidence: { known: Columns["known"] };
}
/** A result, as returned by the worker. */
export type AnalysisResult = ResultOf[keyof ResultOf];

/** Answers questions over the rows of one dataset. */
export interface Analysis {
  ask(question: AnalysisQuestion): AnalysisResult;
}

const encoder = new TextEncoder();

function measuresOf(
  columns: Columns,
  row: number,
  measures: readonly Measure[],
): QueryResult["measures"][number] {
  return Object.fromEntries(
    measures.map((name) => {
      const value = numberOf(rankedOf(columns, name), row);
      return [name, value === UNDEFINED ? null : value / MEASURE_UNIT[name]];
    }),
  );
}

/**
 * Prepares to answer questions over the dataset's rows; the columns are read from the snapshot.
 * @param columns existing columns of the same rows, if any
 */
export function analysisOf(dataset: Dataset, columns = loadColumns(dataset)): Analysis {
  const match = createMatcher(columns);
  const page = createPager(columns);
  const masks = createMasks(columns, {
    rowsOf: (selection) => match(selection).rows,
    totalsOf: (selection) => foundCeoPay(columns, dataset, selection),
  });
  let peopleByName: PeopleByName | undefined;
  const people = () => (peopleByName ??= readBlobs<PeopleByName>(dataset, "people"));
  return {
    ask(question) {
      if (question.kind === "latest_filings")
        return { filings: latestFilings(dataset, question.filings), known: columns.known };
      if (question.kind === "names") return { words: columns.nameIndex.near(question.near) };
      if (question.kind === "ceo_pay" || question.kind === "ceo_pay_statistics")
        return askCeoPay(columns, dataset, question, question.sight ? masks(question.sight).totals : null);
      if (question.kind === "ceo_pay_evidence")
        return { known: evidenceOfTotals(columns, dataset, question.selection) };
      if (question.kind === "fresh") return freshIn(masks, question.sight, question.opening);
      if (question.kind === "open_rows")
        return { open: openRowsOf(columns, masks(question.sight).rows, question.ciks) };
      if (question.kind === "people") {
        const { words, forgiving, max } = question;
        const keys = newestRows(
          people(),
          columns.nameIndex.typed(words, forgiving),
          columns.nameRanks.rank,
          max,
        );
        return { rows: encoder.encode(rowsByKey(dataset, keys, new Map())) };
      }
      const { selection } = question;
      const open = "sight" in question && question.sight ? maskOf(masks(question.sight), question) : null;
      const withoutCfo = question.kind === "statistics" ? companiesWithoutCfo(match, question) : undefined;
      const { rows, ...matched } = match(selection, open);
      const coverage = { ...matched, ...(withoutCfo !== undefined && { withoutCfo }) };
      switch (question.kind) {
        case "query": {
          const found = page(rows, question.sort, question.offset, question.count);
          return { ...coverage, ...pageOfRows(columns, dataset, found, question) };
        }
        case "figures":
          return { ...coverage, ...figuresOfRows(columns, page, rows, question) };
        case "keys": {
          const keys = new Float64Array(rows.length);
          for (let at = 0; at < keys.length; at++) keys[at] = float64At(columns.key, int32At(rows, at));
          return { ...coverage, keys };
        }
        case "statistics": {
          const counted = question.sameCompanies === true ? rowsOfEveryYear(columns, rows) : rows;
          const counts = question.sameCompanies === true ? countsOf(columns, counted, selection) : {};
          const of = { ...question.question, currency: currencyOf(selection) };
          const json = JSON.stringify(statisticsOf(columns, counted, of)).slice(0, -1);
          return { ...coverage, ...counts, json: encoder.encode(json), evidence: knownOf(columns, counted) };
        }
      }
    },
  };
}

/** A page of a query: its rows, their measures, and whether one is collected. */
function pageOfRows(
  columns: Columns,
  dataset: Dataset,
  found: readonly number[],
  { askedAs, measures = [] }: QueryQuestion,
): Omit<QueryResult, keyof Coverage> {
  const keys = found.map((row) => float64At(columns.key, row));
  return {
    count: keys.length,
    rows: encoder.encode(rowsByKey(dataset, keys, askedAs)),
    measures: measures.length === 0 ? [] : found.map((row) => measuresOf(columns, row, measures)),
    evidence: knownOf(columns, found),
  };
}

/** Whether one of the rows is collected. */
function knownOf({ traits }: Columns, rows: ArrayLike<number>): RowNote {
  for (let at = 0; at < rows.length; at++)
    if ((uint16At(traits, elementAt(rows, at)) & COLLECTED_TRAITS) !== 0) return "collected";
  return null;
}
const COLLECTED_TRAITS = evidenceTraits("collected");

/** What an answer counts, of the rows that are left. */
function countsOf(columns: Columns, rows: Int32Array, { onlyNamed }: ResolvedSelection) {
  return { ...countRows(columns, rows), named: onlyNamed ? companiesOf(columns, rows) : null };
}

/**
 * Of statistics of CFOs, or by office: the selected companies of which nobody is known to have been CFO, whatever the CFO's
 * amounts and name are.
 */
function companiesWithoutCfo(
  match: ReturnType<typeof createMatcher>,
  { selection, question }: StatisticsQuestionOf,
): number | undefined {
  if (selection.office !== "pfo" && !question.groupBy.includes("office")) return undefined;
  const anybody = { ...selection, amounts: [], executive: [], executiveId: null };
  const companies = (office: "pfo" | null) => match({ ...anybody, office }).matched.companies;
  return companies(null) - companies("pfo");
}

/** The statistics of each question over rows, and the first values of an amount. */
function figuresOfRows(
  columns: Columns,
  page: ReturnType<typeof createPager>,
  rows: Int32Array,
  { values, questions, selection, sameCompanies = false }: FiguresQuestion,
): Pick<FiguresResult, "tables" | "values"> {
  const currency = currencyOf(selection);
  const counted = sameCompanies ? rowsOfEveryYear(columns, rows) : rows;
  const found = values === null ? [] : page(counted, values, 0, values.count);
  const amounts = columns.amounts[values?.by ?? "total_compensation"];
  return {
    tables: questions.map((one) => statisticsOf(columns, counted, { ...one, currency })),
    values: found.map((row) => numberOf(amounts, row) / 100),
  };
}

/** The rows that a question may take: where it tells changes, those whose change may be seen. */
function maskOf({ rows, changes }: Masks, question: QueryQuestion | FiguresQuestion): Uint8Array {
  const by = question.kind === "query" ? question.sort.by : undefined;
  return tellsChanges(question.selection, by) ? changes : rows;
}

function openRowsOf(columns: Columns, open: Uint8Array, ciks: readonly string[]): OpenRow[] {
  const { companies, companyYears, executiveId, executiveIds } = columns;
  const sought = new Set(ciks);
  return companies.flatMap(({ cik, firstYear, endYear }) => {
    if (!sought.has(cik)) return [];
    const found: OpenRow[] = [];
    for (let year = firstYear; year < endYear; year++) {
      const fiscalYear = int32At(companyYears.fiscalYear, year);
      for (let row = int32At(companyYears.first, year); row < int32At(companyYears.first, year + 1); row++) {
        if (open[row] === 1)
          found.push({
            cik,
            fiscal_year: fiscalYear,
            executive_id: executiveIds.at(int32At(executiveId, row)),
          });
      }
    }
    return found;
  });
}

function currencyOf({ currency }: ResolvedSelection): string {
  if (currency === null) throw new Error("statistics over amounts in different currencies");
  return currency;
}

/**
 * Rows by `rowKey` as JSON texts joined by commas, in the order of the keys. SQL by hand: every page of rows takes this path (`growth`).
 * @param askedAs the ticker each company was requested by, keyed by CIK
 */
function rowsByKey(dataset: Dataset, keys: readonly number[], askedAs: ReadonlyMap<string, string>): string {
  const lines = dataset.all<{ id: number; cik: string; ticker: string; tail: string }>(
    `select r.id, printf('%010d', r.cik) as cik, c.ticker, r.tail from json_each(?) k
      join ${ROWS_WITH_TAIL} r on r.id = k.value join companies c on c.cik = r.cik`,
    JSON.stringify(keys),
  );
  const byKey = new Map(lines.map((line) => [line.id, line]));
  return keys
    .map((key) => {
      const line = valueAt(byKey, key);
      const ticker = askedAs.get(line.cik) ?? line.ticker;
      return rowHead(ticker) + line.tail;
    })
    .join(",");
}
