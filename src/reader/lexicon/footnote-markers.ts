import { lexiconOf } from "./entry.ts";

/** What one marker is: a number, a letter or two of one kind, a small Roman number. */
const ITEM = "(?:\\d{1,2}|[a-z]|aa|bb|cc|dd|[ivx]{1,4})";
const LIST = `${ITEM}(?:\\s*[,;&]\\s*${ITEM})*`;

/** How filers mark that a note follows below the table. Markers stand behind names, headers, years and amounts. */
export const FOOTNOTE_MARKERS = lexiconOf("footnote-markers", {
  bracketed: {
    "amounts.test: 2,000,000 (2)(3)": new RegExp(`[([{]\\s*${LIST}\\s*[)\\]}]`, "i"),
    "names.test": /[([]\s*[*†‡§]+\s*[)\]]/,
  },
  symbol: { "amounts.test: 2024*": /[*†‡§¶^]+/ },
  raised: { "amounts.test: 2,000,000⁽²⁾": /[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾]+/ },
  "amount symbol": {
    // `#` in a header is a number of shares.
    "amounts.test: 2,000,000#": /[#+~®]+/,
  },
  glued: { "fixture 31": /(?<=\p{L}{2}|[a-z)]\.|\))\d{1,2}(?:\s?,\s?\d{1,2})*(?=\s|$|[,;])/u },
});

/** A line that can only be the text of a footnote: it begins with a marker. */
export const NOTE_START = new RegExp(
  `^(?:[([]\\s*(?:${ITEM}|[A-Z]|[*†‡§#]+)\\s*[)\\]]|[*†‡§]+|\\d{1,2}[.)]?\\s+(?=["“(]?\\p{Lu})|[a-z][.)]\\s|(?:[Ff]oot)?[Nn]otes?\\s?(?:\\d|:))`,
  "u",
);

/** One marker and nothing else, brackets apart. */
export const MARKER_ITEM = new RegExp(`^(?:${ITEM}|[*†‡§¶#+^~]{1,5}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})$`, "i");
