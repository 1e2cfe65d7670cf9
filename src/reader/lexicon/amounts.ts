/** Amounts, currencies, scales and footnote markers as they are printed. */
import { lexiconOf } from "./lexicon.ts";

/** Names, codes and signs of currencies. A code may be followed by digits (`(RMB000)`), but not by a letter. */
export const CURRENCIES = lexiconOf("currencies", {
  USD: {
    "units.test: US$": /US\$|U\.S\.\s?\$|USD/,
    "units.test: U.S. dollars": /\b(?:U\.S\.|US|United States) dollars/i,
  },
  CAD: {
    "fixture 73": /\bCanadian (?:dollars|currency)(?![a-z])/i,
    "fixture 06; units.test: CAD": /(?<![A-Z])CA?\$|\bCdn\.?\s?\$|\bCDN\s?\$|\bCAD(?![a-z])/,
  },
  EUR: { "units.test: euros": /€|\b[Ee]uros?\b|\bEUR(?![a-z])/ },
  GBP: { "fixture 08": /£|\b[Pp]ounds? [Ss]terling\b|\bGBP(?![a-z])/ },
  CNY: { "fixture 07": /\bRMB(?![a-z])|\b[Rr]enminbi\b|\bCNY(?![a-z])/ },
  HKD: { "units.test: HK$": /\bHK\$|\b(?:Hong Kong|HK) dollars\b|\bHKD(?![a-z])/ },
  AUD: { "units.test: A$": /(?<![A-Z])AU?\$|\bAustralian dollars\b|\bAUD(?![a-z])/ },
  NZD: { "units.test: NZ$": /\bNZ\$|\bNew Zealand dollars\b|\bNZD(?![a-z])/ },
  SGD: { "units.test: S$": /(?<![A-Z.])SG?\$|\bSingapore dollars\b|\bSGD(?![a-z])/ },
  TWD: { "units.test: NT$": /\bNT\$|\bNew Taiwan dollars\b|\b(?:TWD|NTD)(?![a-z])/ },
  MXN: { "units.test: MX$": /\b(?:MX|Mex)\$|\bMexican pesos\b|\bMXN(?![a-z])/ },
  BRL: { "units.test: R$": /(?<![A-Z])R\$|\bBrazilian reais\b|\bBRL(?![a-z])/ },
  CHF: { "units.test: CHF": /\bSwiss francs\b|\bCHF(?![a-z])/i },
  ILS: { "units.test: NIS": /₪|\b(?:New )?Israeli Shekels?\b|\bNIS(?![a-z])|\bILS(?![a-z])/i },
  INR: { "units.test: INR": /₹|\bIndian rupees\b|\bINR(?![a-z])|(?<=^|\(|\s)Rs\.?(?=\s?\d|\)|$)/ },
  KRW: { "units.test: KRW": /₩|\bKorean [Ww]on\b|(?<=\()[Ww]on(?=\))|\bKRW(?![a-z])/ },
  MYR: { "units.test: MYR": /\b(?:Malaysian )?[Rr]inggit\b|\bMYR(?![a-z])|(?<=^|\(|\s)RM(?=\s?\d|\)|$)/ },
  THB: { "units.test: THB": /฿|\b(?:Thai )?[Bb]aht\b|\bTHB(?![a-z])/ },
  PHP: { "units.test: PHP": /₱|\bPhilippine pesos\b|\bPHP(?![a-z])/ },
  ZAR: { "units.test: ZAR": /\bSouth African rands?\b|\bZAR(?![a-z])/i },
  SEK: { "units.test: SEK": /\bSwedish kron(?:or|a)\b|\bSEK(?![a-z])/i },
  NOK: { "units.test: NOK": /\bNorwegian kron(?:er|e)\b|\bNOK(?![a-z])/i },
  DKK: { "units.test: DKK": /\bDanish kron(?:er|e)\b|\bDKK(?![a-z])/i },
  PLN: { "units.test: PLN": /\bPolish z[lł]oty\b|\bPLN(?![a-z])/ },
  IDR: { "units.test: IDR": /\b(?:Indonesian )?[Rr]upiah\b|\bIDR(?![a-z])/ },
  VND: { "units.test: VND": /₫|\bVietnamese dong\b|\bVND(?![a-z])/ },
  RUB: { "units.test: RUB": /₽|\b[Rr](?:o)?ubles\b|\bRUB(?![a-z])/ },
  JPY: { "units.test: JPY": /¥|\bJapanese yen\b|\bJPY(?![a-z])/i },
});

/** Dollars other than those of the United States. The lookbehind is faster: it tries only words that end in `dollars` or `currency`. */
export const OTHER_DOLLARS =
  /(?:dollars?|currency)\b(?<=\b(?:Canadian|Australian|New Zealand|Hong Kong|Singapore)(?:\s|&nbsp;|&#160;)+(?:dollars?|currency))/gi;

/** The rest of a statement up to the country of its dollars, without mention of the United States. */
const UNTIL = "(?:(?!\\bU\\.?S\\b|\\bUnited\\b)[^.;]){0,90}?";
const WHOSE = "\\b(?<whose>Canadian|Australian|New Zealand|Hong Kong|Singapore) (?:dollars?|currency)\\b";

/**
 * Statements about currencies: for all amounts (group `what`), for single amounts, for one part of the document, and what a
 * bare `$` means (group `whose`).
 */
export const CURRENCY_STATEMENTS = lexiconOf("currency-statements", {
  "all amounts": {
    "units.test: All amounts are expressed in Canadian dollars.":
      /\b(?:amounts?|figures|numbers|compensation|table|dollars|stated|expressed|reported|presented|shown|denominated)\b[^.;()]{0,60}?\b(?:in|are)\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,60})/i,
    "units.test: (in euros)":
      /\(\s*(?:all\s+)?(?:amounts\s+|figures\s+)?(?:are\s+)?(?:stated\s+|expressed\s+)?in\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,60})/i,
  },
  "single amounts": { "fixture 74": /\b(?:paid|convert|translat|exchange)/i },
  convenience: {
    "units.test: Total (US$ equivalent)": /\b(?:equivalent|convenience|convert\w*|translat\w*|unaudited)\b/i,
  },
  "one part": {
    "units.test: In this section all dollar amounts":
      /\b(?:this|the (?:following|above|next)) (?:section|table|paragraph|note|discussion|exhibit|annex|appendix)\b/i,
  },
  "whose dollar": {
    "units.test: “$” are to Canadian dollars": `["“]\\$["”]${UNTIL}${WHOSE}`,
    "units.test: references to dollars or $": `\\breferences? to ["“]?(?:\\$|dollars?)(?![a-z])${UNTIL}${WHOSE}`,
    "units.test: all dollar amounts": `\\ball (?:dollar|monetary|currency) (?:amounts|figures|references|values)\\b${UNTIL}\\b(?:in|to) ${WHOSE}`,
  },
});

/** Text printed instead of an amount. Matched against a whole cell, tidied and without currency signs. */
export const NO_AMOUNT = lexiconOf("no-amount", {
  dash: { "amounts.test: —": /^[-\u2010-\u2015\u2212\ufe58\uff0d_ .\u00b7\u2022\u2026~]+$/ },
  "mis-encoded dash": {
    // A dash decoded with the wrong encoding.
    "cells.test: mis-encoded": /^(?:[\u0096\u0097\ufffd?]|Ã?[¢â][^\dA-Za-z]*)+$/,
  },
  word: {
    "amounts.test: N/A": /^(?:n\.?\s?\/?\s?[am]\.?(?:\s?[-–—]+)?|—+n\/a)$/i,
    "amounts.test: Nil": /^(?:nil|none|not applicable)$/i,
  },
});

const CODES = new Set(CURRENCIES.entries.map(({ means }) => means));

/** Currency signs in the cell of an amount. */
export const CURRENCY_SIGNS = lexiconOf("currency-signs", {
  dollar: { "amounts.test: US$ 1,500": /(?:US|U\.S\.|CA|CDN|C|A|AU|NZ|HK|NT|S|R|MX)?\s?[$＄]/ },
  code: {
    "amounts.test: USD 1,500": new RegExp([...CODES].join("|")),
    "amounts.test: RMB 1,500": /RMB|NTD|NIS|(?:RM|Rs\.?)(?=\s?\d)/,
  },
  sign: { "fixture 08": /[€£¥]/, "amounts.test: ₹1,500": /[₹₩₪฿₱₫₽]/ },
});

/** A sign or code of a currency beside a scale. */
const MONEY_SIGN = "(?:(?:US|U\\.S\\.|CA|C|A|HK)?\\s?[$€£]|USD|CAD|EUR|GBP|RMB|CNY)";
/** `$K`, `K$`, `kUSD`, `K` */
const K = `(?:${MONEY_SIGN}\\s?(?:in\\s+)?K(?:['’]?s)?|K\\s?${MONEY_SIGN})`;
const DOLLARS_OF = "(?:(?:US|U\\.S\\.|Canadian)\\s+)?dollars\\b|(?:US|U\\.S\\.\\s?|CA|C)?\\$";

/** Words of scale. `unclear` ones mention thousands without setting a scale; `… above` and `… below` count only there. */
export const SCALES = lexiconOf("scales", {
  thousands: {
    "units.test: in US dollars in thousands":
      /(?<!\b(?:shares|units) )\bin\s+(?:(?:US|U\.S\.|Canadian)\s+)?(?:dollars\s+in\s+)?thousands\b/i,
    "units.test: (in 000s)": /\(\s*\$?\s?(?:in )?000['’]?s?\s*\)/i,
    "fixture 08; units.test: RMB 000": /(?:[$€£¥]|\b(?:RMB|USD|CAD|EUR|GBP|HK\$|NIS))\s?['’]?000['’]?s?\b/i,
    "units.test: ’000": /['’]000s?\b/i,
    "fixture 59": /\b000['’]?s?\s+omitted\b/i,
    "units.test: ($K)": [`\\((?:[^()]{0,30}\\s)?(?:${K}|in\\s+K(?:['’]?s)?)\\)`, `\\bin\\s+${K}(?![\\w$])`],
    "units.test: (dollars in 000s)":
      /\b(?:dollars|amounts|figures|[$€£])\s+in\s+[$€£]?\s?(?:1,)?000['’]?s?\b/i,
    // `($1,000)` in a sentence is an amount.
    "units.test: ($1,000s)":
      /\(\s*(?:in\s+)?[$€£]?\s?1,000['’]?s\s*\)|\(\s*(?:in\s+)?[$€£]\s?1,000\s*\)(?=\s*(?:\||$))/i,
    "units.test: (in thousand dollars)": `\\bin\\s+thousand\\s+(?:${DOLLARS_OF})`,
    "units.test: ($ in thous.)":
      /\([^()]{0,20}[$€£][^()]{0,10}\bthous(?:and)?\.?\)|\(\s*in\s+[$€£]\s?thous(?:and)?\.?\)/i,
    "units.test: ($ thousands)": /\([^()]{0,30}(?<!\b(?:shares|units) (?:in )?)\bthousands\)/i,
    "units.test: Thousands of dollars": `\\bthousands\\s+of\\s+(?:${DOLLARS_OF})`,
  },
  "thousands below": {
    "fixture 71": /\b(?:amounts|figures|dollars|numbers|compensation|table)\b[^.;]{0,60}\bin thousands\b/i,
    "units.test: Stated in thousands of dollars": /\bin thousands of (?:US |U\.S\. |Canadian )?dollars\b/i,
    "units.test: ($ in thousands)": /\(\s*(?:\$\s?)?in thousands\s*\)/i,
    "units.test: $000s": /[$]000s?\b/i,
    "units.test: (in $K)": `(?:^\\W*|\\bin\\s+)\\(?${K}(?![\\w$])`,
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
  `\\([^()]{0,14}(?:\\$|000|dollars|thousands|millions|\\bK\\b|${CURRENCIES.anyOf("i").source})[^()]{0,10}\\)`,
  "gi",
);

/** One marker: a number, a letter, a doubled letter or a small Roman numeral. */
const ITEM = "(?:\\d{1,2}|[a-z]|aa|bb|cc|dd|[ivx]{1,4})";
const LIST = `${ITEM}(?:\\s*[,;&]\\s*${ITEM})*`;

/** Footnote markers after names, headers, years and amounts. */
export const FOOTNOTE_MARKERS = lexiconOf("footnote-markers", {
  bracketed: {
    "amounts.test: 2,000,000 (2)(3)": `[([{]\\s*${LIST}\\s*[)\\]}]`,
    "names.test": /[([]\s*[*†‡§]+\s*[)\]]/,
  },
  symbol: { "amounts.test: 2024*": /[*†‡§¶^]+/ },
  raised: { "amounts.test: 2,000,000⁽²⁾": /[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾]+/ },
  "amount symbol": {
    // In a header, `#` means a number of shares.
    "amounts.test: 2,000,000#": /[#+~®]+/,
  },
  glued: { "fixture 31": /(?<=\p{L}{2}|[a-z)]\.|\))\d{1,2}(?:\s?,\s?\d{1,2})*(?=\s|$|[,;])/u },
});

/** The beginning of a footnote's text: a marker. */
export const NOTE_START = new RegExp(
  `^(?:[([]\\s*(?:${ITEM}|[A-Z]|[*†‡§#]+)\\s*[)\\]]|[*†‡§]+|\\d{1,2}[.)]?\\s+(?=["“(]?\\p{Lu})|[a-z][.)]\\s|(?:[Ff]oot)?[Nn]otes?\\s?(?:\\d|:))`,
  "u",
);

/** A single marker without brackets. */
export const MARKER_ITEM = new RegExp(`^(?:${ITEM}|[*†‡§¶#+^~]{1,5}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})$`, "i");
