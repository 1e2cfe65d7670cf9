/** Values of parameters that change every answer they are applied to, and what of an answer has to change. */
import { expect } from "bun:test";
import type { Parameter } from "../../src/domain/parameters.ts";

/** Allowed values, where not every value is. No row, company or total has those of a filter. */
const ALLOWED: Readonly<Record<string, string>> = {
  index: "sp500",
  filer_category: "smaller_reporting_company",
  sic: "0001",
  state: "QQ",
  reporting_currency: "XXX",
  limit: "1",
  max_rows: "1",
};

/** A value that is allowed, and that nobody has where a parameter allows one. */
export function tellingValue({
  name,
  kind,
  words,
  default: byDefault,
}: Omit<Parameter, "about" | "is" | "expected">): string {
  if (ALLOWED[name] !== undefined) return ALLOWED[name];
  if (kind === "flag") return "true";
  const other = words?.find((word) => word !== byDefault && word !== `-${byDefault}`);
  if (other !== undefined) return other;
  if (kind === "whole") return /_gte?$/.test(name) ? "9999" : "1900";
  if (kind === "number") return /_gte?$/.test(name) ? "999999999999" : "-999999999999";
  return name === "cik" ? "9999999999" : "zzzzq";
}

const LISTS = ["executive_compensation", "tickers", "statistics", "ceo_pay", "companies"] as const;

/**
 * The rows, groups or records of an answer; its text if it is not one JSON object. Counts beside them do not count: an answer may
 * repeat a filter that it does not apply.
 */
export function itemsOf(text: string): unknown {
  if (!text.startsWith("{") || text.trimEnd().includes("\n")) return text;
  const body: Record<string, unknown> = JSON.parse(text);
  const { measures, ranks } = body;
  const items = LISTS.map((name) => body[name]).find((one) => one !== undefined);
  expect(items).toBeArray();
  return [items, measures, ranks];
}
