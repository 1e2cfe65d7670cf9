/** Questions over all rows of one dataset, answered from columns. Plain computation: who calls decides in which thread. */
import type { SortKey } from "../../domain/selection.ts";
import type { Dataset } from "../dataset.ts";
import { buildColumns } from "./columns.ts";
import { createMatcher, type ResolvedSelection } from "./match.ts";
import type { IndexCoverage } from "./membership.ts";
import { createPager } from "./order.ts";
import type { Tallied } from "./tally.ts";
import { type GroupStatistics, type Rank, statisticsOf, type StatisticsQuestion } from "./statistics.ts";

/** What must be said beside any answer over a selection. */
export interface Coverage extends Tallied {
  /** Null where no index was asked for. */
  index: IndexCoverage | null;
}

/** A page of rows, by their `rowKey`. */
export interface QueryResult extends Coverage {
  keys: number[];
}

/** Figures by group, and ranks. */
export interface StatisticsResult extends Coverage {
  statistics: GroupStatistics[];
  ranks: Rank[];
}

/** A page of the rows of a selection. */
export interface QueryQuestion {
  kind: "query";
  selection: ResolvedSelection;
  sort: { by: SortKey; descending: boolean };
  offset: number;
  count: number;
}

/** Figures over the rows of a selection. */
export interface StatisticsQuestionOf {
  kind: "statistics";
  selection: ResolvedSelection;
  question: Omit<StatisticsQuestion, "currency">;
}

/** Every row of a selection. */
export interface KeysQuestion {
  kind: "keys";
  selection: ResolvedSelection;
}

/** The rows of a selection by their `rowKey`, by CIK, fiscal year and executive_id. */
export interface KeysResult extends Coverage {
  keys: Float64Array;
}

/** A question: what crosses to the thread. */
export type AnalysisQuestion = QueryQuestion | StatisticsQuestionOf | KeysQuestion;
/** Its answer: what crosses back. */
export type AnalysisResult = QueryResult | StatisticsResult | KeysResult;

/** Answers questions over the rows of one dataset. */
export interface Analysis {
  ask(question: AnalysisQuestion): AnalysisResult;
}

/** Reads the dataset's rows into columns: 4 µs a row, then ready for any question. */
export function analysisOf(dataset: Dataset): Analysis {
  const columns = buildColumns(dataset);
  const match = createMatcher(columns);
  const page = createPager(columns);
  return {
    ask(question) {
      const { selection } = question;
      const { rows, ...coverage } = match(selection);
      if (question.kind === "query") {
        const found = page(rows, question.sort, question.offset, question.count);
        return { ...coverage, keys: found.map((row) => columns.key[row] ?? 0) };
      }
      if (question.kind === "keys") {
        const keys = new Float64Array(rows.length);
        for (let at = 0; at < keys.length; at++) keys[at] = columns.key[rows[at] ?? 0] ?? 0;
        return { ...coverage, keys };
      }
      const { currency } = selection;
      return { ...coverage, ...statisticsOf(columns, rows, { ...question.question, currency }) };
    },
  };
}
