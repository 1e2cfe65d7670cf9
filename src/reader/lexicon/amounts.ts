import { lexiconOf } from "./entry.ts";

/** What stands in the place of an amount that is none: the whole cell, tidied, signs of currencies off. */
export const NO_AMOUNT = lexiconOf("no-amount", {
  dash: { "amounts.test: —": /^[-\u2010-\u2015\u2212\ufe58\uff0d_ .\u00b7\u2022\u2026~]+$/ },
  "mis-encoded dash": {
    // A dash of one encoding read in another.
    "cells.test: mis-encoded": /^(?:[\u0096\u0097\ufffd?]|Ã?[¢â][^\dA-Za-z]*)+$/,
  },
  word: {
    "amounts.test: N/A": /^(?:n\.?\s?\/?\s?[am]\.?(?:\s?[-–—]+)?|—+n\/a)$/i,
    "amounts.test: Nil": /^(?:nil|none|not applicable)$/i,
  },
});

/** Signs of currencies in the cell of an amount. */
export const CURRENCY_SIGNS = lexiconOf("currency-signs", {
  dollar: { "amounts.test: US$ 1,500": /(?:US|U\.S\.|CA|CDN|C|A|AU|NZ|HK|NT|S|R|MX)?\s?[$＄]/ },
  code: {
    "amounts.test: USD 1,500": /USD|CAD|RMB|EUR|GBP|CHF|JPY/,
    "amounts.test: SGD 1,500":
      /CNY|HKD|AUD|NZD|SGD|TWD|NTD|MXN|BRL|NIS|ILS|INR|KRW|MYR|THB|PHP|ZAR|SEK|NOK|DKK|PLN|IDR|VND|RUB|(?:RM|Rs\.?)(?=\s?\d)/,
  },
  sign: { "fixture 08": /[€£¥]/, "amounts.test: ₹1,500": /[₹₩₪฿₱₫₽]/ },
});
