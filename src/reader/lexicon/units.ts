/** What says in which currency amounts are, and whether in thousands: column headers, titles, words above and remarks below. */
import { defineLexicon } from "./entry.ts";

/** Words of scale. `unclear` ones speak of thousands in a way that is not known; the others hold wherever, or only there. */
export const SCALES = defineLexicon<
  "thousands" | "thousands below" | "millions" | "millions above" | "unclear"
>("scales", [
  {
    means: "thousands",
    pattern: /(?<!\b(?:shares|units) )\bin\s+(?:(?:US|U\.S\.|Canadian)\s+)?(?:dollars\s+in\s+)?thousands\b/i,
    source: "units.test: in US dollars in thousands",
  },
  { means: "thousands", pattern: /\(\s*\$?\s?(?:in )?000['’]?s?\s*\)/i, source: "units.test: (in 000s)" },
  {
    means: "thousands",
    pattern: /(?:[$€£¥]|\b(?:RMB|USD|CAD|EUR|GBP|HK\$|NIS))\s?['’]?000['’]?s?\b/i,
    source: "fixture 08; units.test: RMB 000",
  },
  { means: "thousands", pattern: /['’]000s?\b/i, source: "units.test: ’000" },
  { means: "thousands", pattern: /\b000['’]?s?\s+omitted\b/i, source: "fixture 59" },
  { means: "thousands", pattern: /\((?:US)?\$\s?K\)/i, source: "units.test: ($K)" },
  {
    means: "thousands",
    pattern: /\([^()]{0,30}(?<!\b(?:shares|units) (?:in )?)\bthousands\)/i,
    source: "units.test: ($ thousands)",
  },
  {
    means: "thousands",
    pattern: /\bthousands of (?:US |U\.S\. |Canadian )?dollars\b/i,
    source: "units.test: Thousands of dollars",
  },
  {
    means: "thousands below",
    pattern: /\b(?:amounts|figures|dollars|numbers|compensation|table)\b[^.;]{0,60}\bin thousands\b/i,
    source: "fixture 71",
  },
  {
    means: "thousands below",
    pattern: /\bin thousands of (?:US |U\.S\. |Canadian )?dollars\b/i,
    source: "units.test: Stated in thousands of dollars",
  },
  {
    means: "thousands below",
    pattern: /\(\s*(?:\$\s?)?in thousands\s*\)/i,
    source: "units.test: ($ in thousands)",
  },
  { means: "thousands below", pattern: /[$]000s?\b/i, source: "units.test: $000s" },
  { means: "millions", pattern: /\bin\s+millions\b/i, source: "units.test: in millions" },
  { means: "millions", pattern: /\$\s?millions\b/i, source: "units.test: $ millions" },
  // Sentences above a table speak of millions of other things.
  {
    means: "millions above",
    pattern: /\(\s*(?:\$|dollars)?\s*in millions\s*\)\s*$/i,
    source: "units.test: (in millions)",
  },
  // To round to the nearest thousand is no scale.
  { means: "unclear", pattern: /(?<!nearest )\bthousands?\b(?! of shares)/i, source: "fixture 72" },
  { means: "unclear", pattern: /\b000['’]?s\b/i, source: "units.test: 000s" },
  { means: "unclear", pattern: /\$K\b/i, source: "units.test: $K" },
]);

/** Names, codes and signs of currencies. No letter may follow a code, but figures may: `(RMB000)`. */
export const CURRENCIES = defineLexicon<
  "USD" | "CAD" | "EUR" | "GBP" | "CNY" | "HKD" | "AUD" | "CHF" | "ILS" | "JPY"
>("currencies", [
  { means: "USD", pattern: /US\$|U\.S\.\s?\$|USD/, source: "units.test: US$" },
  { means: "USD", pattern: /U\.S\. dollars/i, source: "units.test: U.S. dollars" },
  { means: "CAD", pattern: /\bCanadian dollars(?![a-z])/i, source: "fixture 73" },
  { means: "CAD", pattern: /C\$|Cdn\s?\$|\bCAD(?![a-z])/i, source: "fixture 06; units.test: CAD" },
  { means: "EUR", pattern: /€|\beuros?\b|\bEUR(?![a-z])/i, source: "units.test: euros" },
  { means: "GBP", pattern: /£|\bpounds? sterling\b|\bGBP(?![a-z])/i, source: "fixture 08" },
  { means: "CNY", pattern: /\bRMB(?![a-z])|\bRenminbi\b|\bCNY(?![a-z])/i, source: "fixture 07" },
  { means: "HKD", pattern: /\bHK\$|\bHong Kong dollars\b|\bHKD\b/i, source: "units.test: HK$" },
  { means: "AUD", pattern: /\bA\$|\bAustralian dollars\b|\bAUD\b/i, source: "units.test: A$" },
  { means: "CHF", pattern: /\bSwiss francs\b|\bCHF\b/i, source: "units.test: CHF" },
  { means: "ILS", pattern: /\bNew Israeli Shekels?\b|\bNIS\b|\bILS\b/i, source: "units.test: NIS" },
  { means: "JPY", pattern: /¥|\bJapanese yen\b|\bJPY\b/i, source: "units.test: JPY" },
]);

const DOLLAR_SIGN =
  '(?:["“]|&ldquo;|&#822[01];|&#14[78];|&quot;)\\$(?:["”]|&rdquo;|&#822[01];|&#14[78];|&quot;)';

/** Statements about currencies: of all amounts (group `what`), of single ones, and of what a bare `$` is. */
export const CURRENCY_STATEMENTS = defineLexicon<"all amounts" | "single amounts" | "dollar is Canadian">(
  "currency-statements",
  [
    {
      means: "all amounts",
      pattern:
        /\b(?:amounts?|figures|numbers|compensation|table|dollars|stated|expressed|reported|presented|shown|denominated)\b[^.;()]{0,60}?\b(?:in|are)\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/i,
      source: "units.test: All amounts are expressed in Canadian dollars.",
    },
    {
      means: "all amounts",
      pattern:
        /\(\s*(?:all\s+)?(?:amounts\s+|figures\s+)?(?:are\s+)?(?:stated\s+|expressed\s+)?in\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/i,
      source: "units.test: (in euros)",
    },
    { means: "single amounts", pattern: /\b(?:paid|convert|translat|exchange)/i, source: "fixture 74" },
    {
      means: "dollar is Canadian",
      pattern: new RegExp(`${DOLLAR_SIGN}(?:[^.;<U]|<[^<>]{0,200}>){0,60}?\\bCanadian dollars`, "i"),
      source: "units.test: “$” are to Canadian dollars",
    },
  ],
);

/** A unit in brackets, as it stands behind the words of a column header: `($ in thousands)`, `(RMB)`. */
export const BRACKETED_UNIT = new RegExp(
  `\\([^()]{0,14}(?:\\$|000|dollars|thousands|millions|${CURRENCIES.anyOf("i").source})[^()]{0,10}\\)`,
  "gi",
);
