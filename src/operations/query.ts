import {
  PAGING_PARAMETERS,
  readPaging,
  readSelection,
  SELECTION_PARAMETERS,
  singleParameters,
} from "../domain/selection.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { type AnalysisDeps, analysisOperation, countsOf, nameCompanies } from "./analysis.ts";
import { readCursor, writeCursor } from "./cursor.ts";

/** The parameters of the query operation. */
export const QUERY_PARAMETERS = [...SELECTION_PARAMETERS, ...PAGING_PARAMETERS];

/**
 * Rows across companies, sorted, a page at a time. Costs `priceQuery` a page, nothing where no row matched.
 * @see docs/contract.md, "Analysis"
 */
export function queryOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, "queryExecutiveCompensation", (given, dataset) => {
    const single = singleParameters(given, QUERY_PARAMETERS);
    const selection = readSelection(single);
    const { sort, maxRows, cursor } = readPaging(single);
    const asked = JSON.stringify([selection, sort]);
    const offset = readCursor(dataset, asked, cursor);
    const { resolved, notFound, askedAs } = nameCompanies(dataset, selection);
    const answer = deps.analyst.query.bind(deps.analyst, dataset, {
      kind: "query",
      selection: resolved,
      sort,
      offset,
      count: maxRows,
    });
    return {
      identity: `${asked} ${offset} ${maxRows}`,
      answer() {
        const finish = (result: Awaited<ReturnType<typeof answer>>) => {
          const next = offset + result.keys.length;
          const isLast = result.keys.length === 0 || next >= result.matched.rows;
          const rest = JSON.stringify({
            ...countsOf(result),
            not_found: notFound,
            next_cursor: isLast ? null : writeCursor(dataset, asked, next),
          });
          return {
            json: `{"executive_compensation":[${rowsByKey(dataset, result.keys, askedAs)}],${rest.slice(1)}`,
            costCredits: result.matched.rows === 0 ? 0 : deps.prices.priceQuery,
          };
        };
        const result = answer();
        return result instanceof Promise ? result.then(finish) : finish(result);
      },
    };
  });
}

/** Rows by their `rowKey` as JSON texts joined by commas, in the order of the keys. */
export function rowsByKey(
  dataset: Dataset,
  keys: readonly number[],
  askedAs: ReadonlyMap<string, string>,
): string {
  const lines = dataset.all<{ id: number; cik: string; ticker: string; tail: string }>(
    `select r.id, printf('%010d', r.cik) as cik, c.ticker, r.tail from json_each(?) k
      join rows r on r.id = k.value join companies c on c.cik = r.cik`,
    JSON.stringify(keys),
  );
  const byKey = new Map(lines.map((line) => [line.id, line]));
  return keys
    .flatMap((key) => {
      const line = byKey.get(key);
      if (line === undefined) return [];
      const ticker = askedAs.get(line.cik) ?? line.ticker;
      return [`{"ticker":${JSON.stringify(ticker)},${line.tail}`];
    })
    .join(",");
}
