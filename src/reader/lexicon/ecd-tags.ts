/** Tags of the SEC's executive compensation taxonomy (ecd) for pay versus performance. */
import { defineLexicon } from "./entry.ts";

/** The tags that are read. */
export type EcdTag = "PeoName" | "PeoTotalCompAmt" | "NonPeoNeoAvgTotalCompAmt";

/** Tried on a tag's whole name. */
export const ECD_TAGS = defineLexicon<EcdTag>("ecd-tags", [
  { means: "PeoName", pattern: /^ecd:PeoName$/, source: "Item 402(v)(2)(ii); fixture 80" },
  { means: "PeoTotalCompAmt", pattern: /^ecd:PeoTotalCompAmt$/, source: "Item 402(v)(2)(ii); fixture 81" },
  {
    means: "NonPeoNeoAvgTotalCompAmt",
    pattern: /^ecd:NonPeoNeoAvgTotalCompAmt$/,
    source: "Item 402(v)(2)(iii); 0001552781-26-000164",
  },
]);
