/** What speaks for and against a table in the letters of its column headers, and right above it. */
import { defineLexicon } from "./entry.ts";

/** The meaning is what a refusal says of it. */
export const TABLE_SIGNS = defineLexicon<
  | "all other compensation"
  | "non-equity incentive plan"
  | "stock or option awards"
  | "name and principal position"
  | "column headers of another view of pay"
  | "heading"
>("table-signs", [
  { means: "all other compensation", pattern: /allothercomp/, source: "Item 402(c)(2)(ix); judge.test" },
  {
    means: "non-equity incentive plan",
    pattern: /nonequityincentiveplan/,
    source: "Item 402(c)(2)(vii); judge.test",
  },
  {
    means: "stock or option awards",
    pattern: /stockawards|optionawards/,
    source: "Item 402(c)(2)(v) and (vi); judge.test",
  },
  {
    means: "name and principal position",
    pattern: /nameand?principalposition/,
    source: "Item 402(c)(2)(i); judge.test",
  },
  {
    means: "column headers of another view of pay",
    pattern: /target|realiz|performanceyear|payversus|actuallypaid|annualized/,
    source: "judge.test: Realized Pay",
  },
  {
    means: "heading",
    pattern: /summarycompensationtable|summarycompensation$|summaryofcompensation/,
    source: "judge.test: Executive and Director Summary Compensation",
  },
]);
