/** Words that decide what a sentence about an office may be read for. */
import { defineLexicon } from "./entry.ts";

/**
 * Tried on a whole sentence: it tells of a time in another company (`elsewhere`, unless `here after all`), leaves open who took
 * which office or what came of it (`undecided`), is a signature, or says that the office is still held.
 */
export const SENTENCES = defineLexicon<
  "elsewhere" | "here after all" | "undecided" | "signature" | "still serves"
>("sentences", [
  {
    means: "elsewhere",
    pattern:
      /\bprior to (?:joining|that|his|her|this|serving)\b(?! (?:appointment|promotion|election) (?:as|to)\b)/i,
    source: "terms.test: Prior to joining us",
  },
  {
    means: "elsewhere",
    pattern: /\bpreviously\b.*\bat\b/i,
    source: "terms.test: She previously served at Foo",
  },
  {
    means: "elsewhere",
    pattern: /\bemployment agreement\b.*\bterm\b/i,
    source: "terms.test: Under her employment agreement",
  },
  { means: "here after all", pattern: /\bsucceed/i, source: "terms.test: to succeed Mr. Santos" },
  { means: "here after all", pattern: /day-to-day/i, source: "terms.test: the day-to-day" },
  { means: "undecided", pattern: /\brespectively\b/i, source: "terms.test: respectively" },
  { means: "undecided", pattern: /\bannounced?\b/i, source: "terms.test: announced" },
  { means: "undecided", pattern: /\bwould\b/i, source: "terms.test: would become" },
  { means: "signature", pattern: /\/s\//, source: "designations.test: /s/ Bettina Krause" },
  { means: "signature", pattern: /attorney-in-fact/i, source: "designations.test: Attorney-in-Fact" },
  {
    means: "signature",
    pattern: /pursuant to the requirements/i,
    source: "designations.test: Pursuant to the requirements",
  },
  {
    means: "still serves",
    pattern: /\b(?:has|have) (?:been|served|acted)\b[^.;]{0,160}\bsince\b/i,
    source: "offices-of-rows.test: has served since",
  },
]);
