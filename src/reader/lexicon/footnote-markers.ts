import { lexiconOf } from "./entry.ts";

/** One marker: a number, a letter, a doubled letter or a small Roman numeral. */
const ITEM = "(?:\\d{1,2}|[a-z]|aa|bb|cc|dd|[ivx]{1,4})";
const LIST = `${ITEM}(?:\\s*[,;&]\\s*${ITEM})*`;

/** Footnote markers after names, headers, years and amounts. */
export const FOOTNOTE_MARKERS = lexiconOf("footnote-markers", {
  bracketed: {
    "amounts.test: 2,000,000 (2)(3)": new RegExp(`[([{]\\s*${LIST}\\s*[)\\]}]`, "i"),
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
