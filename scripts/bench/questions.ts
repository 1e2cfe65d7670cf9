/** Queries across companies from URL parameters, and the cost of answering one. */
import {
  PAGING_PARAMETERS,
  readPaging,
  readSelection,
  SELECTION_PARAMETERS,
  singleParameters,
} from "../../src/domain/selection.ts";
import type { QueryQuestion } from "../../src/analysis/index.ts";

/** A query on the columns. @param search parameters of a query, except `ticker` */
export function queryOf(search: string): QueryQuestion {
  const given = new Map([...new URLSearchParams(search)].map(([name, value]) => [name, [value]]));
  const single = singleParameters(given, [...SELECTION_PARAMETERS, ...PAGING_PARAMETERS]);
  const { tickers: _none, ...selection } = readSelection(single);
  const { sort, maxRows } = readPaging(single);
  return {
    kind: "query",
    selection: { ...selection, onlyNamed: selection.ciks.length > 0 },
    sort,
    offset: 0,
    count: maxRows,
    askedAs: new Map(),
  };
}

/** CPU time of all threads of this process so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
