/** Questions over all rows of one dataset, answered from columns. Plain computation: who calls decides in which thread. */
import type { AmountField } from "../../domain/row-fields.ts";
import type { SortKey } from "../../domain/selection.ts";
import type { Dataset } from "../dataset.ts";
import { buildColumns } from "./columns.ts";
import type { ResolvedSelection } from "./company-years.ts";
import { createMatcher } from "./match.ts";
import type { IndexCoverage } from "./membership.ts";
import { createPager } from "./order.ts";
import { numberOf } from "./ranked.ts";
import { rowsByKey } from "./rows.ts";
import { statisticsOf, type StatisticsQuestion } from "./statistics.ts";
import type { Tallied } from "./tally.ts";

/** What must be said beside any answer over a selection. */
export interface Coverage extends Tallied {
  /** Null where no index was asked for. */
  index: IndexCoverage | null;
}

/** A page of the rows of a selection. */
export interface QueryQuestion {
  kind: "query";
  selection: ResolvedSelection;
  sort: { by: SortKey; descending: boolean };
  offset: number;
  count: number;
  /** By CIK the symbol that a company was asked by. */
  askedAs: ReadonlyMap<string, string>;
}

/** The page. Text is made where the question is answered, so that who asks only sends it on. */
export interface QueryResult extends Coverage {
  /** How many rows it has. */
  count: number;
  /** The rows as JSON, joined by commas. */
  rows: Uint8Array<ArrayBuffer>;
}

/** Figures over the rows of a selection. */
export interface StatisticsQuestionOf {
  kind: "statistics";
  selection: ResolvedSelection;
  question: Omit<StatisticsQuestion, "currency">;
}

/** The figures. */
export interface StatisticsResult extends Coverage {
  /** `{"statistics":[…],"ranks":[…]`, of `GroupStatistics` and `Rank`; more members may follow. */
  json: Uint8Array<ArrayBuffer>;
}

/** The first values of an amount in a selection. */
export interface ValuesQuestion {
  kind: "values";
  selection: ResolvedSelection;
  sort: { by: AmountField; descending: boolean };
  count: number;
}

/** The values, in units of the currency. */
export interface ValuesResult extends Coverage {
  values: number[];
}

/** Every row of a selection. */
export interface KeysQuestion {
  kind: "keys";
  selection: ResolvedSelection;
}

/** The rows of a selection by their `rowKey`, by CIK, fiscal year and executive_id. */
export interface KeysResult extends Coverage {
  keys: Float64Array<ArrayBuffer>;
}

/** A question: what crosses to the thread. */
export type AnalysisQuestion = QueryQuestion | StatisticsQuestionOf | ValuesQuestion | KeysQuestion;
/** Its answer: what crosses back. */
export type AnalysisResult = QueryResult | StatisticsResult | ValuesResult | KeysResult;

/** Answers questions over the rows of one dataset. */
export interface Analysis {
  ask(question: AnalysisQuestion): AnalysisResult;
}

const encoder = new TextEncoder();

/**
 * Reads the dataset's rows into columns: 4 µs a row, then ready for any question.
 * @param columns those of the same rows, where somebody has read them
 */
export function analysisOf(dataset: Dataset, columns = buildColumns(dataset)): Analysis {
  const match = createMatcher(columns);
  const page = createPager(columns);
  return {
    ask(question) {
      const { selection } = question;
      const { rows, selects, ...coverage } = match(selection);
      switch (question.kind) {
        case "query": {
          const found = page({ rows, selects }, question.sort, question.offset, question.count);
          const keys = found.map((row) => columns.key[row] ?? 0);
          const text = rowsByKey(dataset, keys, question.askedAs);
          return { ...coverage, count: keys.length, rows: encoder.encode(text) };
        }
        case "values": {
          const amounts = columns.amounts[question.sort.by];
          const found = page({ rows, selects }, question.sort, 0, question.count);
          return { ...coverage, values: found.map((row) => numberOf(amounts, row) / 100) };
        }
        case "keys": {
          const keys = new Float64Array(rows.length);
          for (let at = 0; at < keys.length; at++) keys[at] = columns.key[rows[at] ?? 0] ?? 0;
          return { ...coverage, keys };
        }
        case "statistics": {
          const { currency } = selection;
          if (currency === null) throw new Error("figures over amounts of different currencies");
          const found = statisticsOf(columns, rows, { ...question.question, currency });
          return { ...coverage, json: encoder.encode(JSON.stringify(found).slice(0, -1)) };
        }
      }
    },
  };
}
