import { defineLexicon } from "./entry.ts";

/** What stands in the place of an amount that is none: the whole cell, tidied, signs of currencies off. */
export const NO_AMOUNT = defineLexicon<"dash" | "mis-encoded dash" | "word">("no-amount", [
  {
    means: "dash",
    pattern: /^[-\u2010-\u2015\u2212\ufe58\uff0d_ .\u00b7\u2022\u2026~]+$/,
    source: "amounts.test: —",
  },
  // A dash of one encoding read in another.
  {
    means: "mis-encoded dash",
    pattern: /^(?:[\u0096\u0097\ufffd?]|Ã?[¢â][^\dA-Za-z]*)+$/,
    source: "cells.test: mis-encoded",
  },
  { means: "word", pattern: /^(?:n\.?\s?\/?\s?[am]\.?(?:\s?[-–—]+)?|—+n\/a)$/i, source: "amounts.test: N/A" },
  { means: "word", pattern: /^(?:nil|none|not applicable)$/i, source: "amounts.test: Nil" },
]);

/** Signs of currencies in the cell of an amount. */
export const CURRENCY_SIGNS = defineLexicon("currency-signs", [
  {
    means: "dollar",
    pattern: /(?:US|U\.S\.|CA|CDN|C|A|AU|NZ|HK|NT|S|R|MX)?\s?[$＄]/,
    source: "amounts.test: US$ 1,500",
  },
  { means: "code", pattern: /USD|CAD|RMB|EUR|GBP|CHF|JPY/, source: "amounts.test: USD 1,500" },
  { means: "sign", pattern: /[€£¥]/, source: "fixture 08" },
]);
