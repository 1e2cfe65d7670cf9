import type { GivenParameters } from "../domain/query.ts";
import { rowHead } from "../domain/row-text.ts";
import {
  PAGING_PARAMETERS,
  readPaging,
  readSelection,
  SELECTION_PARAMETERS,
  singleParameters,
} from "../domain/selection.ts";
import type { QueryResult } from "../snapshot/analysis/index.ts";
import { rowsOfFormat } from "../snapshot/company-rows.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { type AnalysisDeps, analysisOperation, countsOf, nameCompanies } from "./analysis.ts";
import { cursorBehind, offsetOf, readCursor, writeCursor } from "./cursor.ts";
import type { Answer } from "./operation.ts";

/** The parameters of the query operation. */
export const QUERY_PARAMETERS = [...SELECTION_PARAMETERS, ...PAGING_PARAMETERS];

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
    question: { kind: "query", selection: resolved, sort, offset, count: maxRows } as const,
    notFound,
    askedAs,
    /** The cursor of the page behind a result; null behind the last. */
    nextCursor({ keys, matched }: QueryResult): string | null {
      const next = offset + keys.length;
      const isLast = keys.length === 0 || next >= matched.rows;
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
    const { identity, question, notFound, askedAs, nextCursor } = readQuery(dataset, given);
    const finish = (result: QueryResult) => {
      const rest = JSON.stringify({
        ...countsOf(result),
        not_found: notFound,
        next_cursor: nextCursor(result),
      });
      return {
        json: `{"executive_compensation":[${rowsByKey(dataset, result.keys, askedAs)}],${rest.slice(1)}`,
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

/** Rows by their `rowKey` as JSON texts joined by commas, in the order of the keys. */
export function rowsByKey(
  dataset: Dataset,
  keys: readonly number[],
  askedAs: ReadonlyMap<string, string>,
): string {
  const lines = dataset.all<{ id: number; cik: string; ticker: string; tail: string }>(
    `select r.id, printf('%010d', r.cik) as cik, c.ticker, r.tail from json_each(?) k
      join ${rowsOfFormat(dataset.info.format)} r on r.id = k.value join companies c on c.cik = r.cik`,
    JSON.stringify(keys),
  );
  const byKey = new Map(lines.map((line) => [line.id, line]));
  return keys
    .flatMap((key) => {
      const line = byKey.get(key);
      if (line === undefined) return [];
      const ticker = askedAs.get(line.cik) ?? line.ticker;
      return [rowHead(ticker) + line.tail];
    })
    .join(",");
}
