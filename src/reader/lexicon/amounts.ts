import { CURRENCIES } from "./currencies.ts";
import { lexiconOf } from "./entry.ts";

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
