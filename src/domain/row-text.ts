/**
 * Rows as JSON text. The snapshot stores each row without its first field, the ticker, which depends on the request and
 * is prepended to every row served.
 */
import type { AvailableYear } from "./company.ts";
import type { ExecutiveCompensation } from "./row-fields.ts";

/** The beginning of a row, up to where the stored text starts. */
export function rowHead(ticker: string): string {
  return `{"ticker":${JSON.stringify(ticker)},`;
}

/** Parses stored rows, with the requested symbol. */
export function readRows(ticker: string, rowJson: readonly string[]): ExecutiveCompensation[] {
  const head = rowHead(ticker);
  // The snapshot was compiled from rows of this type, and is verified by its content hash.
  return rowJson.map((tail) => JSON.parse(head + tail) as ExecutiveCompensation);
}

/** The rows of several years as comma-separated JSON, with the requested symbol. */
export function rowsOf(ticker: string, years: readonly AvailableYear[]): string {
  const head = rowHead(ticker);
  return years.flatMap(({ rowJson }) => rowJson.map((tail) => head + tail)).join(",");
}
