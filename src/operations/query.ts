import { andThen } from "../domain/maybe-promise.ts";
import { type GivenParameters, singleParameters } from "../domain/parameters.ts";
import {
  MEASURES_PARAMETER,
  PAGING_PARAMETERS,
  readMeasures,
  readPaging,
  readSelection,
  SELECTION_PARAMETERS,
  SORT_KEYS,
} from "../domain/selection.ts";
import type { QueryResult } from "../analysis/index.ts";
import type { Dataset } from "../dataset/dataset.ts";
import {
  type AnalysisDeps,
  analysisOperation,
  countsOf,
  cursorBehind,
  nameCompanies,
  nextCursor,
  offsetOf,
  readCursor,
} from "./analysis.ts";
import { readAskedCeoPay } from "./ceo-pay.ts";
import { type Answer, listBody } from "./operation.ts";

/** The parameters of the query operation. */
export const QUERY_PARAMETERS = [...SELECTION_PARAMETERS, MEASURES_PARAMETER, ...PAGING_PARAMETERS];

/** Validates a query independently of a dataset; cursors are bound to `asked`. Refuses with `invalid_parameter`. */
function readAsked(given: GivenParameters) {
  const single = singleParameters(given, QUERY_PARAMETERS);
  const selection = readSelection(single);
  const paging = readPaging(single, SORT_KEYS, "total_compensation");
  const measures = readMeasures(single);
  return { selection, ...paging, measures, asked: JSON.stringify([selection, paging.sort]) };
}

/** Validates a query against a dataset. Refuses with `invalid_parameter`, `stale_cursor`. */
export function readQuery(dataset: Dataset, given: GivenParameters) {
  const { selection, sort, maxRows, cursor, measures, asked } = readAsked(given);
  const offset = readCursor(dataset, asked, cursor);
  const { resolved, notFound, askedAs } = nameCompanies(dataset, selection);
  return {
    identity: `${asked} ${offset} ${maxRows} ${measures.join()}`,
    question: {
      kind: "query",
      selection: resolved,
      sort,
      offset,
      count: maxRows,
      measures,
      askedAs,
    } as const,
    notFound,
    /** The cursor to the next page; null after the last. */
    nextOf: ({ count, matched }: QueryResult) =>
      nextCursor(dataset, asked, { offset, count, total: matched.rows }),
  };
}

/**
 * Rows across companies, sorted and paged. Costs `priceQuery` per page, nothing for a page without a row.
 * @see docs/contract.md, "Analysis"
 */
export function queryOperation(deps: AnalysisDeps) {
  const { priceQuery } = deps.prices;
  return analysisOperation(deps, "queryExecutiveCompensation", (given, dataset) => {
    const { identity, question, notFound, nextOf } = readQuery(dataset, given);
    return {
      identity,
      priceCredits: priceQuery,
      answer: () =>
        andThen(deps.analyst.ask(dataset, question), (result) => ({
          body: listBody("executive_compensation", result.rows, {
            ...(question.measures.length === 0 ? {} : { measures: result.measures }),
            ...countsOf(dataset, question.selection, result),
            not_found: notFound,
            next_cursor: nextOf(result),
          }),
          costCredits: result.count === 0 ? 0 : priceQuery,
        })),
    };
  });
}

/** Cursors for pages that a surface shortens. */
export function continuation({ snapshots }: Pick<AnalysisDeps, "snapshots">) {
  type Page = Pick<Answer, "dataset">;
  return {
    /**
     * The cursor after the first rows of a page of `query`.
     * @param given the parameters of the page
     * @param sent number of its rows that were sent
     */
    afterRows(page: Page, given: GivenParameters, sent: number): string {
      const { asked, cursor } = readAsked(given);
      return cursorBehind(page, asked, offsetOf(cursor) + sent);
    },
    /** The same after the first records of a page of CEO pay. */
    afterRecords(page: Page, given: GivenParameters, sent: number): string {
      const { asked, cursor } = readAskedCeoPay(given);
      return cursorBehind(page, asked, offsetOf(cursor) + sent);
    },
    /**
     * The position that a cursor names in another operation's answer; 0 without one. Refuses with `invalid_parameter`,
     * `stale_cursor`.
     */
    read: (question: string, cursor: string | null) => readCursor(snapshots.current(), question, cursor),
    /** A cursor to that position. */
    write: cursorBehind,
  };
}
