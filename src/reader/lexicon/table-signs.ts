/** Evidence for and against a table in the letters of its column headers and right above it. */
import { lexiconOf } from "./entry.ts";

/** Meanings are quoted in refusals. */
export const TABLE_SIGNS = lexiconOf("table-signs", {
  "all other compensation": { "Item 402(c)(2)(ix); judge.test": /allothercomp/ },
  "non-equity incentive plan": { "Item 402(c)(2)(vii); judge.test": /nonequityincentiveplan/ },
  "stock or option awards": { "Item 402(c)(2)(v) and (vi); judge.test": /stockawards|optionawards/ },
  "name and principal position": { "Item 402(c)(2)(i); judge.test": /nameand?principalposition/ },
  "column headers of another view of pay": {
    "judge.test: Realized Pay": /target|realiz|performanceyear|payversus|actuallypaid|annualized/,
  },
  heading: {
    "judge.test: Executive and Director Summary Compensation":
      /summarycompensationtable|summarycompensation$|summaryofcompensation/,
  },
});
