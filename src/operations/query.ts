import type { Endpoint } from "./endpoint.ts";
import { type GivenParameters, readValues, singleParameters } from "../domain/parameters.ts";
import {
  DEFAULT_ROWS,
  MEASURES_PARAMETER,
  pagingBy,
  selectionOf,
  SELECTION_PARAMETERS,
  SORT_KEYS,
  sortOf,
} from "../domain/selection.ts";
import { ROWS } from "../domain/row-fields.ts";
import { named, orNull } from "../lib/definition.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type AnalysisDeps, nameCompanies, pricedOperation, readPage, ROW_COVERAGE } from "./analysis.ts";
import { missingOf } from "./empty.ts";
import { listBody } from "./operation.ts";

const PAGE = [
  MEASURES_PARAMETER,
  ...pagingBy(
    SORT_KEYS,
    "total_compensation",
    "sort key, prefixed with `-` for descending; names ignore case; ties by CIK, fiscal year, executive_id",
  ),
] as const;

/** The parameters of the query operation. */
export const QUERY_PARAMETERS = [...SELECTION_PARAMETERS, ...PAGE] as const;

const PAGE_OF_ROWS = named("QueryResponse", {
  ...ROWS,
  "measures?": [
    [{ "[string]": orNull("number") }, "[]"],
    "@",
    "the requested measures, one object for each row, in the rows' order; null where undefined",
  ],
  ...ROW_COVERAGE,
  next_cursor: orNull("string"),
});

export const queryEndpoint = {
  id: "queryExecutiveCompensation",
  path: "/api/executive-compensation/query",
  methods: ["GET"],
  caller: "credential",
  price: "priceQuestion",
  tag: "Analysis",
  summary: "Find rows across companies",
  description:
    "Rows of any companies and fiscal years, sorted, a page at a time, with how many rows, companies and company-years " +
    "matched and how many of these are incomplete (their own filing has not been read). Without a year filter, each " +
    "company's latest fiscal year. One credit per page, none if nothing matches.",
  parameters: QUERY_PARAMETERS,
  answer: {
    about: "One page of the selected rows, the total counts, and the cursor of the next page.",
    body: PAGE_OF_ROWS,
  },
  says: ["evidence", "credits"],
  refusals: ["402", "404", "410", "503"],
} as const satisfies Endpoint;

/** Validates a query. Refuses with `invalid_parameter`, `stale_cursor`, `unknown_company`. */
export function readQuery(dataset: Dataset, given: GivenParameters) {
  const query = readValues(singleParameters(given, QUERY_PARAMETERS), QUERY_PARAMETERS);
  const selection = selectionOf(query);
  const { max_rows: count = DEFAULT_ROWS, cursor } = query;
  const measures = [...new Set(query.measures)];
  const sort = sortOf(SORT_KEYS, query.sort ?? "-total_compensation");
  const identity = JSON.stringify([selection, sort]);
  const page = readPage(dataset, identity, cursor);
  const { offset } = page;
  const { resolved, notFound, askedAs, told } = nameCompanies(dataset, selection);
  return {
    identity: `${identity} ${offset} ${count} ${measures.join()}`,
    question: { kind: "query", selection: resolved, sort, offset, count, measures, askedAs } as const,
    notFound,
    told,
    page,
  };
}

/**
 * Rows across companies, sorted and paged. Costs `priceQuestion` per page, nothing for a page without a row.
 * @see docs/contract.md, "Analysis"
 */
export function queryOperation(deps: AnalysisDeps) {
  return pricedOperation(deps, queryEndpoint, ({ analyst }, dataset, given) => {
    const { identity, question, notFound, told, page } = readQuery(dataset, given);
    return {
      identity,
      cursorAfter: page.cursorAfter,
      async answer() {
        const result = await analyst.ask(dataset, question);
        const missing = await missingOf(dataset, analyst, question.selection, { result, notFound });
        return {
          body: listBody("executive_compensation", result.rows, {
            ...(question.measures.length === 0 ? {} : { measures: result.measures }),
            ...missing,
            ...told,
            next_cursor: page.next(result.count, result.matched.rows),
          }),
          matched: result.matched.rows,
          rowEvidence: result.evidence,
        };
      },
    };
  });
}
