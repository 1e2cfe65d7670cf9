/** Names of the two offices of Item 402(a)(3), in titles and sentences. */
import { lexiconOf } from "./entry.ts";

const AND = "(?:\\s*[,/&]\\s*|\\s+and\\s+)";

const LEGAL = {
  peo: {
    "Item 402(a)(3)(i)": new RegExp(
      `principal executive(?:${AND}(?:principal\\s+)?(?:financial|accounting)){0,2}\\s+officer\\b`,
      "i",
    ),
  },
  pfo: {
    "Item 402(a)(3)(ii); 0001264931-18-000031: principal accounting and finance officer": new RegExp(
      `principal (?:(?:executive|accounting)${AND}(?:principal\\s+)?)?financ(?:ial|e)(?:${AND}(?:principal\\s+)?accounting)?\\s+officer\\b`,
      "i",
    ),
  },
};

/** The names that the rule itself uses. */
export const LEGAL_OFFICE_NAMES = lexiconOf("office-legal-names", LEGAL);

/** Matched at the beginning of a word. One name can mean both offices (`principal executive and financial officer`). */
export const OFFICE_NAMES = lexiconOf("office-names", {
  peo: {
    ...LEGAL.peo,
    "titles.test: President & Chief Executive Officer": /chief[\s-]+exec(?:utive\b|\.)(?:[\s-]+officer\b)?/i,
    "titles.test: Chairman and CEO": /c\.?\s?e\.?\s?o\b\.?/i,
    "Item 402(v)(2)(ii); fixture 76": /PEO\b/i,
  },
  pfo: {
    ...LEGAL.pfo,
    "titles.test: Chief Financial and Administrative Officer":
      /chief[\s-]+financ(?:ial|e)(?:\s*(?:and|&|,|\/)\s*(?:\w+\s+){0,3}?(?:and\s+)?\w+)?[\s-]+officer\b/i,
    "titles.test: Chief Accounting and Financial Officer":
      /chief[\s-]+\w+\s+(?:and|&)\s+financial\s+officer\b/i,
    "titles.test: CEO/CFO": /c\.?\s?f\.?\s?o\b\.?/i,
    "titles.test: President, PEO and PFO": /PFO\b/i,
    "titles.test: Finance Director": /(?:group\s+)?finance director\b/i,
    "titles.test: Chief Financial, Treasurer": /chief financial(?=\s*(?:,|$))/i,
  },
});
