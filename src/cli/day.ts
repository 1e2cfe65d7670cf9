import { UsageError } from "./command.ts";

/** Parses a date from the command line. @throws UsageError unless it is a calendar date as YYYY-MM-DD */
export function readDay(flag: string, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDay && new Date(text).toISOString().startsWith(text)) return text;
  throw new UsageError(`Cannot read ${flag} ${JSON.stringify(text)}: expected a date such as 2026-03-31.`);
}
