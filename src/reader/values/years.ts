import { daysBetween } from "../../domain/fiscal-year.ts";
import { AS_REPORTED, DATES, PARTIAL_YEARS, RESTATED, YEAR_LABELS } from "../lexicon/years.ts";
import { tidy } from "../clean-text.ts";
import { stripFootnoteMarkers } from "./footnote-markers.ts";

/** A year as printed in a table. */
export interface YearLabel {
  readonly year: number;
  /** As printed, without footnote markers. */
  readonly label: string;
  /** The label names a period shorter than a year. */
  readonly partial: boolean;
  /** The label names a period longer than a year. */
  readonly longer: boolean;
  /** The label says that the amounts were restated. */
  readonly restated: boolean;
  /** The label says that they were reported before and may have been restated. */
  readonly previous: boolean;
  /** The date in the label, YYYY-MM-DD. */
  readonly end: string | null;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** Reads the label of a fiscal year; undefined if it is not one. `2024-25` is 2025. */
export function readYear(printed: string): YearLabel | undefined {
  const text = tidy(printed);
  if (text.length < 2 || text.length > 70 || !/\d\d/.test(text) || /[$€£¥%]/.test(text)) return undefined;
  // A digit attached to a year is also a marker: `20241`.
  const label = stripFootnoteMarkers(text).replace(/^((?:19|20)\d\d)\d$/, "$1");
  const partial = PARTIAL_YEARS.has(label);
  const bare = tidy(
    label
      .replace(
        /\((?:part|partial|stub|transition|successor|predecessor|short|through|from|\d+\s*months)[^)]*\)?|\b(?:successor|predecessor|partial year|stub period|short year)\b/gi,
        " ",
      )
      .replace(RESTATED, " ")
      .replace(AS_REPORTED, " ")
      // Actual and estimated.
      .replace(/((?:19|20)\d\d)\s?[AE]$/, "$1")
      .replace(/((?:19|20)\d\d)\s*T$/i, "$1")
      .replace(/^(?:tp\s+|t(?=(?:19|20)\d\d$))/i, "")
      .replace(/^\W+(?=[\w'’])|[\s*,:;.]+$/g, (mark) => (/['’]/.test(mark) ? mark : "")),
  );
  const entry = YEAR_LABELS.find(bare);
  const match = entry?.pattern.exec(bare);
  if (entry === undefined || match?.groups === undefined) return undefined;
  const { year: digits = "", next = "", month, day } = match.groups;
  const year = full(digits);
  const marks = { restated: RESTATED.test(label), previous: AS_REPORTED.test(label) };
  const plain = { year, label, partial, ...marks, longer: false, end: null };
  if (year < 1985 || year > 2100) return undefined;
  switch (entry.means) {
    case "year":
      return plain;
    case "date":
      return { ...plain, end: dateOf(year, month, day) };
    case "two years":
      return full(next) === year + 1 ? { ...plain, year: year + 1 } : undefined;
    case "range": {
      const start = bare.slice(0, match.index);
      const [from, to] = [readDate(start), readDate(match[0])];
      const days = from === undefined || to === undefined ? 0 : daysBetween(from.date, to.date);
      return /\d/.test(start) ? { ...plain, partial: days < 350, longer: days > 380 } : undefined;
    }
  }
}

function full(digits: string): number {
  const value = Number(digits);
  return digits.length === 4 ? value : value < 70 ? 2000 + value : 1900 + value;
}

/** A date as YYYY-MM-DD; null if there is none such. */
function dateOf(year: number, month = "", day = ""): string | null {
  const m = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const d = Number(day);
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= 31)) return null;
  return `${year}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
}

/** The first calendar date in running text, YYYY-MM-DD, with its precision and position. */
export function readDate(text: string) {
  const [found] = DATES.entries
    .flatMap(({ means: precision, pattern }) => {
      const match = pattern.exec(text);
      return match === null ? [] : [{ precision, match }];
    })
    .sort((a, b) => a.match.index - b.match.index);
  if (found === undefined) return undefined;
  const { 0: words, index, groups: { year, month = "1", day = "1" } = {} } = found.match;
  const date = dateOf(Number(year), month, day);
  return date === null ? undefined : { date, precision: found.precision, index, length: words.length };
}
