import { daysBetween } from "../../domain/fiscal-year.ts";
import { DATES, PARTIAL_YEARS, RESTATED, YEAR_LABELS } from "../lexicon/years.ts";
import { stripFootnoteMarkers } from "./amounts.ts";
import { tidy } from "../text.ts";

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
      .replace(/((?:19|20)\d\d)\s*T$/i, "$1")
      .replace(/^(?:tp\s+|t(?=(?:19|20)\d\d$))/i, "")
      .replace(/^\W+(?=[\w'’])|[\s*,:;.]+$/g, (mark) => (/['’]/.test(mark) ? mark : "")),
  );
  const entry = YEAR_LABELS.find(bare);
  const match = entry?.pattern.exec(bare);
  if (entry === undefined || match?.groups === undefined) return undefined;
  const { groups } = match;
  const year = full(groups["year"] ?? "");
  const plain = { year, label, partial, restated: RESTATED.test(label), longer: false, end: null };
  if (year < 1985 || year > 2100) return undefined;
  switch (entry.means) {
    case "year":
      return plain;
    case "date":
      return { ...plain, end: date(year, monthOf(groups["month"]), groups["day"]) };
    case "numeric date": {
      const [first, second] = [groups["first"], groups["second"]];
      return { ...plain, end: Number(first) > 12 ? date(year, second, first) : date(year, first, second) };
    }
    case "two years": {
      const next = full(groups["next"] ?? "");
      return next === year + 1 ? { ...plain, year: next } : undefined;
    }
    case "range": {
      const from = readDate(bare.slice(0, match.index));
      const to = readDate(match[0]);
      if (!/\d/.test(bare.slice(0, match.index))) return undefined;
      const days = from === undefined || to === undefined ? 0 : daysBetween(from.date, to.date);
      return { ...plain, partial: days < 350, longer: days > 380 };
    }
  }
}

function full(digits: string): number {
  const value = Number(digits);
  return digits.length === 4 ? value : value < 70 ? 2000 + value : 1900 + value;
}

function monthOf(name: string | undefined): number {
  return /^\d/.test(name ?? "") ? Number(name) : MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1;
}

function date(
  year: string | number | undefined,
  month: string | number | undefined,
  day: string | number | undefined,
): string | null {
  const [m, d] = [Number(month), Number(day)];
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= 31)) return null;
  return `${year}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
}

/** A calendar date in running text, YYYY-MM-DD, with its precision and position. */
interface TextDate {
  readonly date: string;
  readonly precision: "day" | "month" | "year";
  readonly index: number;
  readonly length: number;
}

/** The first calendar date in running text. */
export function readDate(text: string): TextDate | undefined {
  const [found] = DATES.flatMap(({ precision, pattern }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ precision, match }];
  }).sort((a, b) => a.match.index - b.match.index);
  if (found === undefined) return undefined;
  const { 0: words, index, groups = {} } = found.match;
  const exact = date(groups["year"], monthOf(groups["month"] ?? "1"), groups["day"] ?? "1");
  return exact === null
    ? undefined
    : { date: exact, precision: found.precision, index, length: words.length };
}
