import { UsageError } from "./command.ts";

/** A day that stands on the command line. @throws UsageError for anything but a day of the calendar as YYYY-MM-DD */
export function readDay(flag: string, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDay && new Date(text).toISOString().startsWith(text)) return text;
  throw new UsageError(`Cannot read ${flag} ${JSON.stringify(text)}: expected a date such as 2026-03-31.`);
}
