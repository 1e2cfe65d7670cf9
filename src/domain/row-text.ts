/**
 * A row as text. The snapshot keeps each row's JSON from behind its first field on, because only the ticker is not known
 * before somebody asks: it is put in front of every row that is answered.
 */
import type { AvailableYear } from "./company.ts";
import type { ExecutiveCompensation } from "./row-fields.ts";

/** What stands in front of a stored row. */
export function rowHead(ticker: string): string {
  return `{"ticker":${JSON.stringify(ticker)},`;
}

/** Stored rows as values, under the symbol asked for. */
export function readRows(ticker: string, rowJson: readonly string[]): ExecutiveCompensation[] {
  const head = rowHead(ticker);
  // The snapshot is compiled from rows of this very shape, and its content hash vouches for it.
  return rowJson.map((tail) => JSON.parse(head + tail) as ExecutiveCompensation);
}

/** The rows of years as JSON texts joined by commas, each under the symbol asked for. */
export function rowsOf(ticker: string, years: readonly AvailableYear[]): string {
  const head = rowHead(ticker);
  return years.flatMap(({ rowJson }) => rowJson.map((tail) => head + tail)).join(",");
}
