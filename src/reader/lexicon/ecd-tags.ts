/** Tags of the SEC's executive compensation taxonomy (ecd) for pay versus performance. */
import { lexiconOf } from "./entry.ts";

/** The tags that the reader uses. */
export type EcdTag = "PeoName" | "PeoTotalCompAmt" | "NonPeoNeoAvgTotalCompAmt";

/** Matched against a tag's whole name. */
export const ECD_TAGS = lexiconOf("ecd-tags", {
  PeoName: { "Item 402(v)(2)(ii); fixture 80": /^ecd:PeoName$/ },
  PeoTotalCompAmt: { "Item 402(v)(2)(ii); fixture 81": /^ecd:PeoTotalCompAmt$/ },
  NonPeoNeoAvgTotalCompAmt: { "Item 402(v)(2)(iii); 0001552781-26-000164": /^ecd:NonPeoNeoAvgTotalCompAmt$/ },
});
