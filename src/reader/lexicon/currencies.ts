/** How a document states its currency: names, codes and signs in headers and cells, and statements around the table. */
import { lexiconOf } from "./entry.ts";

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
      /\b(?:amounts?|figures|numbers|compensation|table|dollars|stated|expressed|reported|presented|shown|denominated)\b[^.;()]{0,60}?\b(?:in|are)\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/i,
    "units.test: (in euros)":
      /\(\s*(?:all\s+)?(?:amounts\s+|figures\s+)?(?:are\s+)?(?:stated\s+|expressed\s+)?in\s+(?<what>(?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/i,
  },
  "single amounts": { "fixture 74": /\b(?:paid|convert|translat|exchange)/i },
  "one part": {
    "units.test: In this section all dollar amounts":
      /\b(?:this|the (?:following|above|next)) (?:section|table|paragraph|note|discussion|exhibit|annex|appendix)\b/i,
  },
  "whose dollar": {
    "units.test: “$” are to Canadian dollars": new RegExp(`["“]\\$["”]${UNTIL}${WHOSE}`, "i"),
    "units.test: references to dollars or $": new RegExp(
      `\\breferences? to ["“]?(?:\\$|dollars?)(?![a-z])${UNTIL}${WHOSE}`,
      "i",
    ),
    "units.test: all dollar amounts": new RegExp(
      `\\ball (?:dollar|monetary|currency) (?:amounts|figures|references|values)\\b${UNTIL}\\b(?:in|to) ${WHOSE}`,
      "i",
    ),
  },
});
