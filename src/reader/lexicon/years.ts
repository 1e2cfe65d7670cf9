import { lexiconOf } from "./lexicon.ts";

/** Words before a year, alone or in sequence. `fiscal` ones may also precede two digits. */
const PERIOD_WORDS = lexiconOf("period-words", {
  fiscal: {
    "amounts.test: Fiscal 2026": /fiscal/,
    "amounts.test: FY25": /fye?/,
    "years.test: FP24": /fp/,
    "years.test: CY 2024": /cy/,
    "years.test: Calendar 2024": /calendar/,
    "amounts.test: Year ended December 31, 2019": /years?/,
  },
  other: {
    "years.test: For the year 2024": [/for/, /the/],
    "years.test: In 2024": /in/,
    "fixture 38": [/period/, /transition|tp/],
    "amounts.test: Year ended December 31, 2019": /end(?:ed|ing)?/,
    "years.test: Q4 2024":
      /(?:q[1-4]|[1-4]q|h[12]|[12]h|(?:first|second|third|fourth) (?:quarter|half))(?: of)?/,
    "years.test: nine months ended September 30, 2021": /(?:\d{1,2}|three|six|nine|twelve) months/,
  },
});

const YEAR = "(?:19|20)\\d\\d";
/** A month's name or its abbreviation. */
export const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DASH = "[-‐‑‒–—−/]";
const FISCAL = PERIOD_WORDS.anyOf("i", "fiscal").source;
const LEAD = `(?:${PERIOD_WORDS.anyOf("i").source}|\\s|\\.|:|-)*`;

/** Labels of a fiscal year without markers and qualifiers; groups capture the parts. The first match wins. */
export const YEAR_LABELS = lexiconOf("year-labels", {
  year: {
    "Item 402(c)(2)(ii)": `^${LEAD}(?<year>${YEAR})$`,
    "years.test: June 2021": `^${LEAD}${MONTH}\\s*,?\\s*(?<year>${YEAR})$`,
    "amounts.test: FY25": `^(?:${FISCAL})(?:\\s*(?:${FISCAL}))?\\s*['’‘]?(?<year>\\d\\d)$`,
    "amounts.test: ’24": /^['’‘](?<year>\d\d)$/,
    "years.test: 2024 FY": `^(?<year>${YEAR})(?:\\s+(?:${FISCAL}))+$`,
  },
  date: {
    "fixture 03": `^${LEAD}(?<month>${MONTH})\\s+(?<day>\\d{1,2})\\s*(?:st|nd|rd|th)?\\s*,?\\s*(?<year>${YEAR})$`,
    "years.test: 30 June 2021": `^${LEAD}(?<day>\\d{1,2})\\s+(?<month>${MONTH})\\s+(?<year>${YEAR})$`,
    "years.test: 31-Dec-24": `^(?<day>\\d{1,2})-(?<month>${MONTH})-(?<year>(?:19|20)?\\d\\d)$`,
    // The month first, unless there is no such month.
    "amounts.test: 12/31/2024; years.test: Year ended 6/30/24": [
      `^${LEAD}(?<month>0?\\d|1[0-2])[/.-](?<day>\\d{1,2})[/.-](?<year>(?:19|20)?\\d\\d)$`,
      `^${LEAD}(?<day>\\d{1,2})[/.-](?<month>\\d{1,2})[/.-](?<year>(?:19|20)?\\d\\d)$`,
    ],
    "years.test: 2024-12-31": /^(?<year>(?:19|20)\d\d)-(?<month>\d\d)-(?<day>\d\d)$/,
  },
  "two years": {
    "amounts.test: 2024-25": `^${LEAD}(?<year>${YEAR})\\s*${DASH}\\s*(?<next>(?:19|20)?\\d\\d)$`,
    "years.test: FY24/25": `^(?:${FISCAL}|\\s)*['’‘]?(?<year>\\d\\d)\\s*${DASH}\\s*['’‘]?(?<next>\\d\\d)$`,
  },
  range: {
    "fixture 38; calor-s1a-2023": `(?:${DASH}|to|through|until)\\s*(?:${MONTH}\\s+\\d{1,2}\\s*,?\\s*|\\d{1,2}/\\d{1,2}/)(?<year>${YEAR})`,
  },
});

/** Dates in running text, by precision. */
export const DATES = lexiconOf("dates", {
  day: {
    "terms.test: on March 4, 2019": `\\b(?<month>${MONTH})\\s+(?<day>\\d{1,2})\\s*,?\\s*(?<year>${YEAR})\\b`,
    "cases: became our Chief Financial Officer on 3/4/2019": `\\b(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>${YEAR})\\b`,
  },
  month: { "terms.test: since March 2019": `\\b(?<month>${MONTH})\\s*,?\\s*(?:of\\s+)?(?<year>${YEAR})\\b` },
  year: { "terms.test: since 2009": `\\b(?:in|since|from|until|fiscal|year|of)\\s+(?<year>${YEAR})\\b` },
});

/** Any of these dates, or a bare year. */
export const ANY_DATE = new RegExp(`${DATES.anyOf("i", "day", "month").source}|\\b${YEAR}\\b`, "gi");

/** Words in a year's label that mean a period shorter than a year. */
export const PARTIAL_YEARS = lexiconOf("partial-years", {
  qualifier: {
    "fixture 38": /\b(?:part|partial|stub|transition|successor|predecessor|short)\b|\bTP\b/i,
    "years.test: 2024 (through March 31)": /(?:19|20)\d\d\s*\((?:through|from)\b/i,
    "years.test: nine months": /(?<!\b(?:1[2-9]|[2-9]\d|twelve)[\s-]?)\bmonths?\b/i,
    "years.test: Q4 2024": /\b(?:q[1-4]|h[12])\b|\b[1-4]q|\b[12]h|\b(?:quarter|half)\b/i,
  },
  suffix: { "years.test: 2024T": /(?:19|20)\d\d\s*T\b|\bT(?:19|20)\d\d\b/ },
});

/** Words after a year whose amounts are not those first reported. */
export const RESTATED = /\(?\b(?:as )?(?:restated|revised|corrected|amended)\b[^()]*\)?/i;

/** Words after a year whose amounts are those first reported. */
export const AS_REPORTED =
  /\(?\bas (?:previously|originally|first|initially) (?:reported|filed|presented|stated|disclosed)\b[^()]*\)?/i;

/** A year in running text, with its prefix and second year: `FY 2024`, `2024-25`. */
export const FISCAL_YEAR = `(?:(?:${FISCAL}) ?)?${YEAR}(?:[-–/]\\d\\d)?`;

/** A year at the end of text that begins with something else, such as a name. */
export const YEAR_AT_END = new RegExp(`[\\s,–—-]+(${FISCAL_YEAR})(?:\\s*\\(\\d\\))?$`, "i");

/** Anything like a year; a quick first test of a table. */
export const ANY_YEAR = new RegExp(
  `${YEAR}|(?:${FISCAL})\\s?['’‘]?\\d\\d|['’‘]\\d\\d|\\d/\\d\\d\\b|[a-z]-\\d\\d\\b`,
  "i",
);
