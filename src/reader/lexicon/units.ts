/** What says in which currency amounts are, and whether in thousands: column headers, titles, words above and remarks below. */
import { lexiconOf } from "./entry.ts";

/** Words of scale. `unclear` ones speak of thousands in a way that is not known; the others hold wherever, or only there. */
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
  millions: {
    "units.test: in millions": /\bin\s+millions\b/i,
    "units.test: $ millions": /\$\s?millions\b/i,
  },
  "millions above": {
    // Sentences above a table speak of millions of other things.
    "units.test: (in millions)": /\(\s*(?:\$|dollars)?\s*in millions\s*\)\s*$/i,
  },
  unclear: {
    // To round to the nearest thousand is no scale.
    "fixture 72": /(?<!nearest )\bthousands?\b(?! of shares)/i,
    "units.test: 000s": /\b000['’]?s\b/i,
    "units.test: $K": /\$K\b/i,
  },
});

/** Names, codes and signs of currencies. No letter may follow a code, but figures may: `(RMB000)`. */
export const CURRENCIES = lexiconOf("currencies", {
  USD: {
    "units.test: US$": /US\$|U\.S\.\s?\$|USD/,
    "units.test: U.S. dollars": /U\.S\. dollars/i,
  },
  CAD: {
    "fixture 73": /\bCanadian dollars(?![a-z])/i,
    "fixture 06; units.test: CAD": /C\$|Cdn\s?\$|\bCAD(?![a-z])/i,
  },
  EUR: { "units.test: euros": /€|\beuros?\b|\bEUR(?![a-z])/i },
  GBP: { "fixture 08": /£|\bpounds? sterling\b|\bGBP(?![a-z])/i },
  CNY: { "fixture 07": /\bRMB(?![a-z])|\bRenminbi\b|\bCNY(?![a-z])/i },
  HKD: { "units.test: HK$": /\bHK\$|\bHong Kong dollars\b|\bHKD\b/i },
  AUD: { "units.test: A$": /\bA\$|\bAustralian dollars\b|\bAUD\b/i },
  CHF: { "units.test: CHF": /\bSwiss francs\b|\bCHF\b/i },
  ILS: { "units.test: NIS": /\bNew Israeli Shekels?\b|\bNIS\b|\bILS\b/i },
  JPY: { "units.test: JPY": /¥|\bJapanese yen\b|\bJPY\b/i },
});

const DOLLAR_SIGN =
  '(?:["“]|&ldquo;|&#822[01];|&#14[78];|&quot;)\\$(?:["”]|&rdquo;|&#822[01];|&#14[78];|&quot;)';

/** Statements about currencies: of all amounts (group `what`), of single ones, and of what a bare `$` is. */
export const CURRENCY_STATEMENTS = lexiconOf("currency-statements", {
  "all amounts": {
    "units.test: All amounts are expressed in Canadian dollars.":
      /\b(?:amounts?|figures|numbers|compensation|table|dollars|stated|expressed|reported|presented|shown|denominated)\b[^.;()]{0,60}?\b(?:in|are)\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/i,
    "units.test: (in euros)":
      /\(\s*(?:all\s+)?(?:amounts\s+|figures\s+)?(?:are\s+)?(?:stated\s+|expressed\s+)?in\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/i,
  },
  "single amounts": { "fixture 74": /\b(?:paid|convert|translat|exchange)/i },
  "dollar is Canadian": {
    "units.test: “$” are to Canadian dollars": new RegExp(
      `${DOLLAR_SIGN}(?:[^.;<U]|<[^<>]{0,200}>){0,60}?\\bCanadian dollars`,
      "i",
    ),
  },
});

/** A unit in brackets, as it stands behind the words of a column header: `($ in thousands)`, `(RMB)`. */
export const BRACKETED_UNIT = new RegExp(
  `\\([^()]{0,14}(?:\\$|000|dollars|thousands|millions|${CURRENCIES.anyOf("i").source})[^()]{0,10}\\)`,
  "gi",
);
