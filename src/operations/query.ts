import type { GivenParameters } from "../domain/query.ts";
import {
  PAGING_PARAMETERS,
  readPaging,
  readSelection,
  SELECTION_PARAMETERS,
  singleParameters,
} from "../domain/selection.ts";
import type { QueryResult } from "../snapshot/analysis/index.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { type AnalysisDeps, analysisOperation, countsOf, nameCompanies } from "./analysis.ts";
import { cursorBehind, offsetOf, readCursor, writeCursor } from "./cursor.ts";
import { type Answer, encode, joined } from "./operation.ts";

/** The parameters of the query operation. */
export const QUERY_PARAMETERS = [...SELECTION_PARAMETERS, ...PAGING_PARAMETERS];

const BEFORE_ROWS = encode('{"executive_compensation":[');

/** What a query asks, whatever the dataset; `asked` is what a cursor is bound to. Refuses with `invalid_parameter`. */
function readAsked(given: GivenParameters) {
  const single = singleParameters(given, QUERY_PARAMETERS);
  const selection = readSelection(single);
  const paging = readPaging(single);
  return { selection, ...paging, asked: JSON.stringify([selection, paging.sort]) };
}

/** Reads a query against a dataset. Refuses with `invalid_parameter`, `stale_cursor`. */
export function readQuery(dataset: Dataset, given: GivenParameters) {
  const { selection, sort, maxRows, cursor, asked } = readAsked(given);
  const offset = readCursor(dataset, asked, cursor);
  const { resolved, notFound, askedAs } = nameCompanies(dataset, selection);
  return {
    identity: `${asked} ${offset} ${maxRows}`,
    question: { kind: "query", selection: resolved, sort, offset, count: maxRows, askedAs } as const,
    notFound,
    /** The cursor of the page behind a result; null behind the last. */
    nextCursor({ count, matched }: QueryResult): string | null {
      const next = offset + count;
      const isLast = count === 0 || next >= matched.rows;
      return isLast ? null : writeCursor(dataset, asked, next);
    },
  };
}

/**
 * Rows across companies, sorted, a page at a time. Costs `priceQuery` a page, nothing where no row matched.
 * @see docs/contract.md, "Analysis"
 */
export function queryOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, "queryExecutiveCompensation", (given, dataset) => {
    const { identity, question, notFound, nextCursor } = readQuery(dataset, given);
    const finish = (result: QueryResult) => {
      const rest = JSON.stringify({
        ...countsOf(result),
        not_found: notFound,
        next_cursor: nextCursor(result),
      });
      return {
        json: joined([BEFORE_ROWS, result.rows, encode(`],${rest.slice(1)}`)]),
        costCredits: result.matched.rows === 0 ? 0 : deps.prices.priceQuery,
      };
    };
    return {
      identity,
      answer() {
        const result = deps.analyst.query(dataset, question);
        return result instanceof Promise ? result.then(finish) : finish(result);
      },
    };
  });
}

/** Cursors for pages that a surface cuts shorter than the operation made them. */
export interface Continuation {
  /**
   * The cursor behind the first rows of a page of `query`.
   * @param given the parameters that the page answers
   * @param sent how many of its rows were sent
   */
  afterRows(page: Pick<Answer, "etag">, given: GivenParameters, sent: number): string;
  /** The place in an answer of another operation that its cursor names; 0 without one. Refuses with `invalid_parameter`, `stale_cursor`. */
  read(question: string, cursor: string | null): number;
  /** A cursor for that place in an answer. */
  write(answer: Pick<Answer, "etag">, question: string, place: number): string;
}

/** Makes cursors for the dataset in use. */
export function continuation({ snapshots }: Pick<AnalysisDeps, "snapshots">): Continuation {
  return {
    afterRows(page, given, sent) {
      const { asked, cursor } = readAsked(given);
      return cursorBehind(page, asked, offsetOf(cursor) + sent);
    },
    read: (question, cursor) => readCursor(snapshots.current(), question, cursor),
    write: cursorBehind,
  };
}
