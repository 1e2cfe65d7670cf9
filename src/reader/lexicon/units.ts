/** How a document states the scale of its amounts: in column headers, titles, text above and remarks below. */
import { CURRENCIES } from "./currencies.ts";
import { lexiconOf } from "./entry.ts";

/** Words of scale. `unclear` ones mention thousands without setting a scale; `… above` and `… below` count only there. */
export const SCALES = lexiconOf("scales", {
  thousands: {
    "units.test: in US dollars in thousands":
      /(?<!\b(?:shares|units) )\bin\s+(?:(?:US|U\.S\.|Canadian)\s+)?(?:dollars\s+in\s+)?thousands\b/i,
    "units.test: (in 000s)": /\(\s*\$?\s?(?:in )?000['’]?s?\s*\)/i,
    "fixture 08; units.test: RMB 000": /(?:[$€£¥]|\b(?:RMB|USD|CAD|EUR|GBP|HK\$|NIS))\s?['’]?000['’]?s?\b/i,
    "units.test: ’000": /['’]000s?\b/i,
    "fixture 59": /\b000['’]?s?\s+omitted\b/i,
    "units.test: ($K)": /\((?:US)?\$\s?K\)/i,
    "units.test: ($ thousands)": /\([^()]{0,30}(?<!\b(?:shares|units) (?:in )?)\bthousands\)/i,
    "units.test: Thousands of dollars": /\bthousands of (?:US |U\.S\. |Canadian )?dollars\b/i,
  },
  "thousands below": {
    "fixture 71": /\b(?:amounts|figures|dollars|numbers|compensation|table)\b[^.;]{0,60}\bin thousands\b/i,
    "units.test: Stated in thousands of dollars": /\bin thousands of (?:US |U\.S\. |Canadian )?dollars\b/i,
    "units.test: ($ in thousands)": /\(\s*(?:\$\s?)?in thousands\s*\)/i,
    "units.test: $000s": /[$]000s?\b/i,
  },
  "some years": {
    "cases: Amounts for years before 2025 are in thousands":
      /\b(?:before|prior to|until|through|other than|except)\s+(?:fiscal\s+)?(?:year\s+)?(?:19|20)\d\d\b[^.;]{0,60}\b(?:thousands|millions)\b|\b(?:thousands|millions)\b[^.;)]{0,40}\b(?:before|prior to|until|through|other than|except)\s+(?:for\s+)?(?:fiscal\s+)?(?:year\s+)?(?:19|20)\d\d\b/i,
  },
  remark: {
    // A line below the table that is only about units, and so is not the heading of the next section.
    "units.test: ($ in thousands)":
      /^\W*(?:(?:all|amounts|figures|dollars|stated|expressed|presented|pay|in|US)\b\s*|\$)/i,
  },
  "something else": {
    "units.test: The number of shares is in thousands":
      /\b(?:shares?|units|financial statements?|revenues?|sales)\b/i,
  },
  millions: {
    "units.test: in millions": /\bin\s+millions\b/i,
    "units.test: $ millions": /\$\s?millions\b/i,
  },
  "millions above": {
    // Sentences above a table mention millions of other things.
    "units.test: (in millions)": /\(\s*(?:\$|dollars)?\s*in millions\s*\)\s*$/i,
  },
  unclear: {
    // Rounding to the nearest thousand is not a scale.
    "fixture 72": /(?<!nearest )\bthousands?\b(?! of shares)/i,
    "units.test: 000s": /\b000['’]?s\b/i,
    "units.test: $K": /\$K\b/i,
  },
});

/** A unit in brackets after the words of a column header: `($ in thousands)`, `(RMB)`. */
export const BRACKETED_UNIT = new RegExp(
  `\\([^()]{0,14}(?:\\$|000|dollars|thousands|millions|${CURRENCIES.anyOf("i").source})[^()]{0,10}\\)`,
  "gi",
);
