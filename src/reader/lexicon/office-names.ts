/** How filers name the two offices of Item 402(a)(3), in titles and in sentences. */
import { defineLexicon, type Entry } from "./entry.ts";

const AND = "(?:\\s*[,/&]\\s*|\\s+and\\s+)";

const LEGAL: readonly Entry<"peo" | "pfo">[] = [
  {
    means: "peo",
    pattern: new RegExp(
      `principal executive(?:${AND}(?:principal\\s+)?(?:financial|accounting)){0,2}\\s+officer\\b`,
      "i",
    ),
    source: "Item 402(a)(3)(i)",
  },
  {
    means: "pfo",
    pattern: new RegExp(
      `principal (?:(?:executive|accounting)${AND}(?:principal\\s+)?)?financ(?:ial|e)(?:${AND}(?:principal\\s+)?accounting)?\\s+officer\\b`,
      "i",
    ),
    source: "Item 402(a)(3)(ii); 0001264931-18-000031: principal accounting and finance officer",
  },
];

/** The names that the rule itself gives the offices. */
export const LEGAL_OFFICE_NAMES = defineLexicon<"peo" | "pfo">("office-legal-names", LEGAL);

/** Each is tried behind a word's beginning; one name can be both offices (`principal executive and financial officer`). */
export const OFFICE_NAMES = defineLexicon<"peo" | "pfo">("office-names", [
  ...LEGAL,
  {
    means: "peo",
    pattern: /chief[\s-]+exec(?:utive\b|\.)(?:[\s-]+officer\b)?/i,
    source: "titles.test: President & Chief Executive Officer",
  },
  { means: "peo", pattern: /c\.?\s?e\.?\s?o\b\.?/i, source: "titles.test: Chairman and CEO" },
  { means: "peo", pattern: /PEO\b/i, source: "Item 402(v)(2)(ii); fixture 76" },
  {
    means: "pfo",
    pattern:
      /chief[\s-]+financ(?:ial|e)(?:\s*(?:and|&|,|\/)\s*(?:\w+\s+){0,3}?(?:and\s+)?\w+)?[\s-]+officer\b/i,
    source: "titles.test: Chief Financial and Administrative Officer",
  },
  {
    means: "pfo",
    pattern: /chief[\s-]+\w+\s+(?:and|&)\s+financial\s+officer\b/i,
    source: "titles.test: Chief Accounting and Financial Officer",
  },
  { means: "pfo", pattern: /c\.?\s?f\.?\s?o\b\.?/i, source: "titles.test: CEO/CFO" },
  { means: "pfo", pattern: /PFO\b/i, source: "titles.test: President, PEO and PFO" },
  {
    means: "pfo",
    pattern: /(?:group\s+)?finance director\b/i,
    source: "titles.test: Finance Director",
  },
  {
    means: "pfo",
    pattern: /chief financial(?=\s*(?:,|$))/i,
    source: "titles.test: Chief Financial, Treasurer",
  },
]);
