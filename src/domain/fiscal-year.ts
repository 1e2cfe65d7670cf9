/** The days of fiscal years: the one place where they are counted. Days are YYYY-MM-DD and compare as text. */

/** First and last day of a fiscal year. */
export interface FiscalYear {
  readonly first: string;
  readonly last: string;
}

/** The days that a date can mean: one for a day, all of a month or a year where no more is said. */
export interface DayRange {
  readonly earliest: string;
  readonly latest: string;
}

const DAY_MS = 86_400_000;

/** A day some whole days later, or earlier. */
export function shiftDays(day: string, days: number): string {
  return new Date(dayMs(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of another year; the last day of February stays the last. */
export function shiftYears(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) + years).padStart(4, "0");
  if (!/-02-2[89]$/.test(day)) return `${year}${day.slice(4)}`;
  const wasLast = shiftDays(day, 1).endsWith("-03-01");
  const last = shiftDays(`${year}-03-01`, -1);
  return wasLast ? last : `${year}${day.slice(4)}`;
}

/** Days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return (dayMs(to) - dayMs(from)) / DAY_MS;
}

/** Whether two days can be the end of one fiscal year: years of 52 and 53 weeks end some days apart. */
export function isSameYearEnd(one: string, other: string): boolean {
  return Math.abs(daysBetween(one, other)) < 20;
}

/** The day in the middle of what a date can mean. */
export function middleDay({ earliest, latest }: DayRange): string {
  return shiftDays(earliest, Math.floor(daysBetween(earliest, latest) / 2));
}

/** The fiscal year that ends on a day; it begins behind the end of the year before, where that is known. */
export function fiscalYearEnding(last: string, endBefore = shiftYears(last, -1)): FiscalYear {
  return { first: shiftDays(endBefore, 1), last };
}

/**
 * The days of a fiscal year, from the end of that year, else from another year's (52- or 53-week years move it by days,
 * which only a change of office in those very days would notice). Undefined without any end.
 */
export function fiscalYearOf(year: number, ends: ReadonlyMap<number, string>): FiscalYear | undefined {
  const nearest = [...ends].sort(([a], [b]) => Math.abs(a - year) - Math.abs(b - year))[0];
  if (nearest === undefined) return undefined;
  return fiscalYearEnding(shiftYears(nearest[1], year - nearest[0]), ends.get(year - 1));
}

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
