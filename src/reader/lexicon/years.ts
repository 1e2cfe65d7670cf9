import { defineLexicon } from "./entry.ts";

/** Words that stand before a year, alone or one after the other. `fiscal` ones also stand before two digits. */
export const PERIOD_WORDS = defineLexicon<"fiscal" | "other">("period-words", [
  { means: "fiscal", pattern: /fiscal/, source: "amounts.test: Fiscal 2026" },
  { means: "fiscal", pattern: /fye?/, source: "amounts.test: FY25" },
  { means: "fiscal", pattern: /fp/, source: "years.test: FP24" },
  { means: "fiscal", pattern: /cy/, source: "years.test: CY 2024" },
  { means: "fiscal", pattern: /calendar/, source: "years.test: Calendar 2024" },
  { means: "fiscal", pattern: /years?/, source: "amounts.test: Year ended December 31, 2019" },
  { means: "other", pattern: /for/, source: "years.test: For the year 2024" },
  { means: "other", pattern: /the/, source: "years.test: For the year 2024" },
  { means: "other", pattern: /in/, source: "years.test: In 2024" },
  { means: "other", pattern: /period/, source: "fixture 38" },
  { means: "other", pattern: /end(?:ed|ing)?/, source: "amounts.test: Year ended December 31, 2019" },
  { means: "other", pattern: /transition|tp/, source: "fixture 38" },
  {
    means: "other",
    pattern: /(?:q[1-4]|[1-4]q|h[12]|[12]h|(?:first|second|third|fourth) (?:quarter|half))(?: of)?/,
    source: "years.test: Q4 2024",
  },
  {
    means: "other",
    pattern: /(?:\d{1,2}|three|six|nine|twelve) months/,
    source: "years.test: nine months ended September 30, 2021",
  },
]);

const YEAR = "(?:19|20)\\d\\d";
/** A month's name or its abbreviation. */
export const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DASH = "[-‐‑‒–—−/]";
const FISCAL = PERIOD_WORDS.anyOf("i", "fiscal").source;
const LEAD = `(?:${PERIOD_WORDS.anyOf("i").source}|\\s|\\.|:|-)*`;

/** How a table prints a fiscal year, marks and qualifiers off; the groups hold its parts. The first that fits decides. */
export const YEAR_LABELS = defineLexicon<"year" | "date" | "numeric date" | "two years" | "range">(
  "year-labels",
  [
    { means: "year", pattern: new RegExp(`^${LEAD}(?<year>${YEAR})$`, "i"), source: "Item 402(c)(2)(ii)" },
    {
      means: "date",
      pattern: new RegExp(
        `^${LEAD}(?<month>${MONTH})\\s+(?<day>\\d{1,2})\\s*(?:st|nd|rd|th)?\\s*,?\\s*(?<year>${YEAR})$`,
        "i",
      ),
      source: "fixture 03",
    },
    {
      means: "date",
      pattern: new RegExp(`^${LEAD}(?<day>\\d{1,2})\\s+(?<month>${MONTH})\\s+(?<year>${YEAR})$`, "i"),
      source: "years.test: 30 June 2021",
    },
    {
      means: "year",
      pattern: new RegExp(`^${LEAD}${MONTH}\\s*,?\\s*(?<year>${YEAR})$`, "i"),
      source: "years.test: June 2021",
    },
    {
      means: "numeric date",
      pattern: /^(?:fye?\s*)?(?<first>\d{1,2})[/.-](?<second>\d{1,2})[/.-](?<year>(?:19|20)?\d\d)$/i,
      source: "amounts.test: 12/31/2024",
    },
    {
      means: "date",
      pattern: /^(?<year>(?:19|20)\d\d)-(?<month>\d\d)-(?<day>\d\d)$/,
      source: "years.test: 2024-12-31",
    },
    {
      means: "two years",
      pattern: new RegExp(`^${LEAD}(?<year>${YEAR})\\s*${DASH}\\s*(?<next>(?:19|20)?\\d\\d)$`, "i"),
      source: "amounts.test: 2024-25",
    },
    {
      means: "two years",
      pattern: new RegExp(
        `^(?:${FISCAL}|\\s)*['’‘]?(?<year>\\d\\d)\\s*${DASH}\\s*['’‘]?(?<next>\\d\\d)$`,
        "i",
      ),
      source: "years.test: FY24/25",
    },
    {
      means: "year",
      pattern: new RegExp(`^(?:${FISCAL})(?:\\s*(?:${FISCAL}))?\\s*['’‘]?(?<year>\\d\\d)$`, "i"),
      source: "amounts.test: FY25",
    },
    { means: "year", pattern: /^['’‘](?<year>\d\d)$/, source: "amounts.test: ’24" },
    {
      means: "range",
      pattern: new RegExp(
        `(?:${DASH}|to|through|until)\\s*(?:${MONTH}\\s+\\d{1,2}\\s*,?\\s*|\\d{1,2}/\\d{1,2}/)(?<year>${YEAR})`,
        "i",
      ),
      source: "fixture 38; calor-s1a-2023",
    },
  ],
);

/** How running text gives a date, and how exactly. */
export const DATES: readonly { readonly precision: "day" | "month" | "year"; readonly pattern: RegExp }[] = [
  {
    precision: "day",
    pattern: new RegExp(`\\b(?<month>${MONTH})\\s+(?<day>\\d{1,2})\\s*,?\\s*(?<year>${YEAR})\\b`, "i"),
  },
  { precision: "day", pattern: new RegExp(`\\b(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>${YEAR})\\b`) },
  {
    precision: "month",
    pattern: new RegExp(`\\b(?<month>${MONTH})\\s*,?\\s*(?:of\\s+)?(?<year>${YEAR})\\b`, "i"),
  },
  {
    precision: "year",
    pattern: new RegExp(`\\b(?:in|since|from|until|fiscal|year|of)\\s+(?<year>${YEAR})\\b`, "i"),
  },
];

/** Words in a year's label that say that it names less than a year, and how they stand beside it. */
export const PARTIAL_YEARS = defineLexicon<"qualifier" | "suffix">("partial-years", [
  {
    means: "qualifier",
    pattern: /\b(?:part|partial|stub|transition|successor|predecessor|short)\b|\bTP\b/i,
    source: "fixture 38",
  },
  {
    means: "qualifier",
    pattern: /(?<!\b(?:1[2-9]|[2-9]\d|twelve)[\s-]?)\bmonths?\b/i,
    source: "years.test: nine months",
  },
  {
    means: "qualifier",
    pattern: /\b(?:q[1-4]|h[12])\b|\b[1-4]q|\b[12]h|\b(?:quarter|half)\b/i,
    source: "years.test: Q4 2024",
  },
  { means: "suffix", pattern: /(?:19|20)\d\d\s*T\b|\bT(?:19|20)\d\d\b/, source: "years.test: 2024T" },
]);

/** Behind a year: its amounts are not those that were reported first. */
export const RESTATED = /\(?\b(?:as )?(?:restated|revised|corrected|amended)\b[^()]*\)?/i;

/** A year in running text, with the word before it and the second year behind it: `FY 2024`, `2024-25`. */
export const FISCAL_YEAR = `(?:(?:${FISCAL}) ?)?${YEAR}(?:[-–/]\\d\\d)?`;

/** A year at the end of a text that begins with something else, such as a name. */
export const YEAR_AT_END = new RegExp(`[\\s,–—-]+(${FISCAL_YEAR})(?:\\s*\\(\\d\\))?$`, "i");

/** Whether a text holds anything like a year: the first look at a table. */
export function speaksOfYears(text: string): boolean {
  return ANY_YEAR.test(text);
}

const ANY_YEAR = new RegExp(`${YEAR}|(?:${FISCAL})\\s?['’‘]?\\d\\d|['’‘]\\d\\d|\\d/\\d\\d\\b`, "i");
