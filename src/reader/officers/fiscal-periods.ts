/** Determines the first and last day of a table's fiscal years. */
import {
  daysBetween,
  fiscalYearEnding,
  isSameYearEnd,
  shiftDays,
  shiftYears,
  type DayRange,
  type FiscalYear,
} from "../../domain/fiscal-year.ts";
import type { EcdFact } from "../document/submission.ts";
import { readDate } from "../values/values.ts";

export type FiscalPeriods = ReadonlyMap<number, FiscalYear>;

/** The bounds of a claim about a whole fiscal year. */
export function ofYear({ first, last }: FiscalYear): { readonly from: DayRange; readonly to: DayRange } {
  return { from: { earliest: first, latest: first }, to: { earliest: last, latest: last } };
}

/**
 * Reads the dates of the fiscal years from the tagged periods of the compensation facts, the document's period, or words such
 * as `fiscal year ended September 27, 2025`. Other years are derived from the newest.
 */
export function readPeriods(
  years: readonly number[],
  facts: readonly EcdFact[],
  fiscalYearEnd: string | null,
  narrative: string,
  monthDay: string | null,
): FiscalPeriods {
  const newest = Math.max(...years);
  const byEnd = new Map(
    facts.filter((fact) => daysBetween(fact.start, fact.end) > 300).map((fact) => [fact.end, fact]),
  );
  const tagged = [...byEnd.values()].sort((a, b) => (a.end < b.end ? 1 : -1));
  const stated =
    tagged[0]?.end ??
    fiscalYearEnd ??
    wordedEnd(narrative, newest) ??
    weekdayEnd(narrative, newest) ??
    (monthDay === null ? null : `${newest}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`);
  const isPlausible = stated !== null && isDay(stated) && Math.abs(Number(stated.slice(0, 4)) - newest) <= 1;
  const newestEnd = isPlausible ? stated : `${newest}-12-31`;
  return new Map(
    years.map((year) => {
      const own = tagged[newest - year];
      const last = shiftYears(newestEnd, year - newest);
      const period =
        own !== undefined && isSameYearEnd(own.end, last)
          ? { first: own.start, last: own.end }
          : fiscalYearEnding(last, shiftYears(newestEnd, year - newest - 1));
      return [year, period];
    }),
  );
}

function isDay(day: string): boolean {
  return !Number.isNaN(Date.parse(`${day}T00:00:00Z`));
}

/** The last day of the newest fiscal year that the text gives most often. */
function wordedEnd(narrative: string, newest: number): string | null {
  const counts = new Map<string, number>();
  for (const match of narrative.matchAll(
    /\b(?:fiscal year|year|weeks|fiscal \d{4})[^.;]{0,40}?\bend(?:ed|ing)(?: on)?\s+([a-z]{3,9}\.?\s+\d{1,2},?\s+20\d\d)/gi,
  )) {
    const day = readDate(match[1] ?? "");
    if (day?.precision !== "day") continue;
    const year = Number(day.date.slice(0, 4));
    // `Fiscal 2013 ended February 2, 2013` names the year, so it outweighs other dates.
    const named = match[0].includes(`iscal ${newest}`) || match[0].includes(`iscal year ${newest}`);
    if (year === newest || (year === newest + 1 && Number(day.date.slice(5, 7)) <= 2))
      counts.set(day.date, (counts.get(day.date) ?? 0) + (named ? 100 : 1));
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? null;
}

/** `Our fiscal year ends on the last Saturday of September`: the end of that month. Months near the new year are ambiguous and not read. */
function weekdayEnd(narrative: string, newest: number): string | null {
  const month =
    /\bfiscal year\b[^.;]{0,30}\bends?\b[^.;]{0,20}\b(?:sun|mon|tues|wednes|thurs|fri|satur)day\b[^.;]{0,25}\b(?:of|in|to|nearest)\s+((?:march|april|may|june|july|august|september|october|november)(?:\s+\d{1,2})?)\b/i.exec(
      narrative,
    )?.[1];
  if (month === undefined) return null;
  const day = readDate(`${/\d/.test(month) ? month : `${month} 28`}, ${newest}`);
  return day?.precision === "day" ? day.date : null;
}

/**
 * The dates of the newest fiscal year if the text says that it is shorter than a year: `compensation … in respect of the
 * period commencing on August 7, 2025` (accession 0001140361-26-016758).
 */
export function readShortPeriod(text: string, year: FiscalYear): { start: string; end: string } | undefined {
  const phrase =
    /\b(?:in respect of|for|covers?|covering|during|reflects?) the (?:\w+ ){0,2}period\s+(?:from|commencing(?: on)?|beginning(?: on)?)\s+/gi;
  for (const match of text.matchAll(phrase)) {
    const around = text.slice(Math.max(0, match.index - 160), match.index + 260);
    if (!/compensat|salary|paid/i.test(around)) continue;
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 140);
    const start = readDate(rest);
    if (start === undefined || start.precision !== "day" || start.index > 4) continue;
    if (start.date < shiftDays(year.first, 20) || start.date > shiftDays(year.last, -20)) continue;
    const end = readDate(rest.slice(start.index + start.length));
    const last = end?.precision === "day" && end.index < 40 ? end.date : year.last;
    if (isSameYearEnd(last, year.last)) return { start: start.date, end: last };
  }
  return undefined;
}
