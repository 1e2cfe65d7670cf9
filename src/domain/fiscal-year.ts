/** Fiscal year boundaries; all code that needs them uses this module. Days are YYYY-MM-DD and compare as text. */

/** First and last day of a fiscal year. */
export interface FiscalYear {
  readonly first: string;
  readonly last: string;
}

/** The days a date can mean: one day, or all days of a month or year. */
export interface DayRange {
  readonly earliest: string;
  readonly latest: string;
}

/** A day in ms. */
export const DAY_MS = 86_400_000;

/** The day a number of days later, or earlier if negative. */
export function shiftDays(day: string, days: number): string {
  return new Date(dayMs(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day in another year; the last day of February stays the last. */
export function shiftYears(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) + years).padStart(4, "0");
  if (!day.endsWith("-02-28") && !day.endsWith("-02-29")) return `${year}${day.slice(4)}`;
  const wasLast = shiftDays(day, 1).endsWith("-03-01");
  const last = shiftDays(`${year}-03-01`, -1);
  return wasLast ? last : `${year}${day.slice(4)}`;
}

/**
 * The last day of a fiscal year: the filing's period end, or for an earlier year of the same table the same day and month in
 * the earlier year. Without a period end, by the registrant's fiscal year end (`yearEndBefore`).
 *
 * @param printed the newest fiscal year that the filing prints
 * @param fiscalYearEnd MM-DD
 */
export function lastDayOf(
  fiscalYear: number,
  {
    printed,
    periodEnd,
    filingDate,
  }: { printed: number | null; periodEnd: string | null; filingDate: string | null },
  fiscalYearEnd: string,
): string {
  if (printed === null) return `${fiscalYear}-${fiscalYearEnd}`;
  if (periodEnd === null)
    return shiftYears(yearEndBefore(filingDate, printed, fiscalYearEnd), fiscalYear - printed);
  return shiftYears(periodEnd, fiscalYear - printed);
}

/** Number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return (dayMs(to) - dayMs(from)) / DAY_MS;
}

/** Whether two days can be the same fiscal year end: 52- and 53-week years end some days apart. */
export function isSameYearEnd(one: string, other: string): boolean {
  return Math.abs(daysBetween(one, other)) < 20;
}

/** The middle of the days a date can mean. */
export function middleDay({ earliest, latest }: DayRange): string {
  return shiftDays(earliest, Math.floor(daysBetween(earliest, latest) / 2));
}

/** The fiscal year ending on a day. It starts after the previous year end, if that is known. */
export function fiscalYearEnding(last: string, endBefore = shiftYears(last, -1)): FiscalYear {
  return { first: shiftDays(endBefore, 1), last };
}

/**
 * The days of a fiscal year, from its own end or the nearest known one. (A 52- or 53-week year shifts that by days,
 * which matters only to a change of office within them.) Undefined without any end.
 */
export function fiscalYearOf(year: number, ends: ReadonlyMap<number, string>): FiscalYear | undefined {
  const nearest = [...ends].sort(([a], [b]) => Math.abs(a - year) - Math.abs(b - year))[0];
  if (nearest === undefined) return undefined;
  return fiscalYearEnding(shiftYears(nearest[1], year - nearest[0]), ends.get(year - 1));
}

/** The last fiscal year end on or before a day. @param monthDay `MM-DD` */
export function lastYearEnd(day: string, monthDay: string): string {
  const end = shiftYears(`2000-${monthDay}`, Number(day.slice(0, 4)) - 2000);
  return end <= day ? end : shiftYears(end, -1);
}

/**
 * The last day of the fiscal year that a filing reports on: the registrant's year end before the filing, if a year ending then
 * may have that number, else in the calendar year of that number.
 * @param monthDay `MM-DD`
 */
export function yearEndBefore(filingDate: string | null, fiscalYear: number, monthDay: string): string {
  const ended = filingDate === null ? "" : lastYearEnd(filingDate, monthDay);
  const ahead = Number(ended.slice(0, 4)) - fiscalYear;
  // Only a year that ends in the first half of a calendar year may be called by the number of the one before.
  return ahead === 0 || (ahead === 1 && monthDay < "07-01") ? ended : `${fiscalYear}-${monthDay}`;
}

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
