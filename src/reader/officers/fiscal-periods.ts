import type { EcdFact } from "../document/inline-xbrl.ts";
import { readDate } from "../table/years.ts";

/** First and last day of a fiscal year, YYYY-MM-DD. */
export interface Period {
  readonly start: string;
  readonly end: string;
  /** The document itself gives the dates; otherwise they were counted from another year or taken to be the calendar's. */
  readonly stated: boolean;
}

/** The days of each fiscal year that a table prints. */
export type Periods = ReadonlyMap<number, Period>;

const DAY = 86_400_000;

/** Shifts a day by whole days, YYYY-MM-DD. */
export function shiftDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/**
 * The fiscal years' days: from the tagged periods of the compensation facts, the period of the document, or words such as
 * `fiscal year ended September 27, 2025`; the other years are counted from them.
 */
export function readPeriods(
  years: readonly number[],
  facts: readonly EcdFact[],
  fiscalYearEnd: string | null,
  narrative: string,
  monthDay: string | null,
): Periods {
  const periods = new Map<number, Period>();
  const newest = Math.max(...years);
  const tagged = [
    ...new Map(
      facts
        .filter((fact) => fact.name !== "AdjToCompAmt" && length(fact) > 300)
        .map((fact) => [fact.end, fact]),
    ).values(),
  ].sort((a, b) => (a.end < b.end ? 1 : -1));
  const top = tagged[0];
  const anchor =
    top === undefined
      ? (fiscalYearEnd ??
        wordedEnd(narrative, newest) ??
        weekdayEnd(narrative, newest) ??
        (monthDay === null ? null : `${newest}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`))
      : top.end;
  const valid =
    anchor !== null &&
    !Number.isNaN(Date.parse(`${anchor}T00:00:00Z`)) &&
    Math.abs(Number(anchor.slice(0, 4)) - newest) <= 1
      ? anchor
      : `${newest}-12-31`;
  for (const year of years) {
    const own = tagged[newest - year];
    const expected = back(valid, newest - year);
    if (own !== undefined && Math.abs(Date.parse(own.end) - Date.parse(expected)) < 20 * DAY)
      periods.set(year, { start: own.start, end: own.end, stated: true });
    else
      periods.set(year, {
        start: shiftDays(back(valid, newest - year + 1), 1),
        end: expected,
        stated: valid === anchor && year === newest,
      });
  }
  return periods;
}

function length(fact: EcdFact): number {
  return (Date.parse(fact.end) - Date.parse(fact.start)) / DAY;
}

function back(day: string, years: number): string {
  const moved = `${String(Number(day.slice(0, 4)) - years).padStart(4, "0")}${day.slice(4)}`;
  return Number.isNaN(Date.parse(`${moved}T00:00:00Z`)) || moved.endsWith("02-29")
    ? `${moved.slice(0, 4)}-02-28`
    : moved;
}

/** The last day of the newest fiscal year, as the text says it most often. */
function wordedEnd(narrative: string, newest: number): string | null {
  const counts = new Map<string, number>();
  for (const match of narrative.matchAll(
    /\b(?:fiscal year|year|weeks|fiscal \d{4})[^.;]{0,40}?\bend(?:ed|ing)(?: on)?\s+([a-z]{3,9}\.?\s+\d{1,2},?\s+20\d\d)/gi,
  )) {
    const day = readDate(match[1] ?? "");
    if (day?.precision !== "day") continue;
    const year = Number(day.date.slice(0, 4));
    // `Fiscal 2013 ended February 2, 2013` names the year itself.
    const named = match[0].includes(`iscal ${newest}`) || match[0].includes(`iscal year ${newest}`);
    if (year === newest || (year === newest + 1 && Number(day.date.slice(5, 7)) <= 2))
      counts.set(day.date, (counts.get(day.date) ?? 0) + (named ? 100 : 1));
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? null;
}

/** `Our fiscal year ends on the last Saturday of September`: the end of that month; what ends near a new year is left open. */
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
 * The dates of a newest fiscal year that the text says is shorter than a year: `compensation … in respect of the period
 * commencing on August 7, 2025` (accession 0001140361-26-016758). Undefined where it says nothing of the kind.
 */
export function readShortPeriod(text: string, year: Period): { start: string; end: string } | undefined {
  const phrase =
    /\b(?:in respect of|for|covers?|covering|during|reflects?) the (?:\w+ ){0,2}period\s+(?:from|commencing(?: on)?|beginning(?: on)?)\s+/gi;
  for (const match of text.matchAll(phrase)) {
    const around = text.slice(Math.max(0, match.index - 160), match.index + 260);
    if (!/compensat|salary|paid/i.test(around)) continue;
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 140);
    const start = readDate(rest);
    if (start === undefined || start.precision !== "day" || start.index > 4) continue;
    if (start.date < shiftDays(year.start, 20) || start.date > shiftDays(year.end, -20)) continue;
    const end = readDate(rest.slice(start.index + start.length));
    const last = end?.precision === "day" && end.index < 40 ? end.date : year.end;
    if (Math.abs(Date.parse(last) - Date.parse(year.end)) < 20 * DAY) return { start: start.date, end: last };
  }
  return undefined;
}
