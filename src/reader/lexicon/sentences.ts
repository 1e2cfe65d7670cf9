/** Words that decide whether a sentence about an office can be used. */
import { lexiconOf } from "./entry.ts";

/**
 * Matched against a whole sentence. It is about another company (`elsewhere`, unless `here after all`), leaves open who took
 * which office or whether it happened (`undecided`), is a signature, or says that the office is still held.
 */
export const SENTENCES = lexiconOf("sentences", {
  elsewhere: {
    "terms.test: Prior to joining us":
      /\bprior to (?:joining|that|his|her|this|serving)\b(?! (?:appointment|promotion|election) (?:as|to)\b)/i,
    "terms.test: She previously served at Foo": /\bpreviously\b.*\bat\b/i,
    "terms.test: Under her employment agreement": /\bemployment agreement\b.*\bterm\b/i,
  },
  "here after all": {
    "terms.test: to succeed Mr. Santos": /\bsucceed/i,
    "terms.test: the day-to-day": /day-to-day/i,
  },
  undecided: {
    "terms.test: respectively": /\brespectively\b/i,
    "terms.test: announced": /\bannounced?\b/i,
    "terms.test: would become": /\bwould\b/i,
  },
  signature: {
    "designations.test: /s/ Bettina Krause": /\/s\//,
    "designations.test: Attorney-in-Fact": /attorney-in-fact/i,
    "designations.test: Pursuant to the requirements": /pursuant to the requirements/i,
  },
  "still serves": {
    "offices-of-rows.test: has served since": /\b(?:has|have) (?:been|served|acted)\b[^.;]{0,160}\bsince\b/i,
  },
});
