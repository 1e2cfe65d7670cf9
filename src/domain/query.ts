import { ServiceError } from "../errors.ts";
import type { FiscalYear } from "./company.ts";
import { nearest } from "./nearest.ts";
import type { CompensationQuery, Parameter, ParameterInfo, QueryOf } from "./parameters.ts";
import { Unreadable } from "./text.ts";

/** Parameters as received: each name with all its values. */
export type GivenParameters = ReadonlyMap<string, readonly string[]>;

/** Parameters by name, each with a single value. */
export type SingleParameters = ReadonlyMap<string, string>;

/** The parameters with a single value each. Refuses unknown and repeated ones with `invalid_parameter`. */
export function singleParameters(given: GivenParameters, known: readonly ParameterInfo[]): SingleParameters {
  const names = known.map(({ name }) => name);
  const single = new Map<string, string>();
  for (const [name, values] of given) {
    if (!names.includes(name)) throw unknownParameter(name, names);
    const [value] = values;
    if (values.length > 1) {
      throw new ServiceError(
        "invalid_parameter",
        `Cannot read ${name}: it was given ${values.length} times, expected once.`,
      );
    }
    if (value !== undefined) single.set(name, value);
  }
  return single;
}

/**
 * Validates parameters against a list. Refuses with `invalid_parameter`, naming the parameter, its value and what was
 * expected: unknown and repeated names first, in order, then values in list order.
 */
export function readQuery<const Parameters extends readonly Parameter[]>(
  given: GivenParameters,
  parameters: Parameters,
): QueryOf<Parameters> {
  const single = singleParameters(given, parameters);
  const query: Record<string, unknown> = {};
  for (const { name, reads } of parameters) {
    const text = single.get(name);
    if (text === undefined) continue;
    const value = reads(text);
    if (value instanceof Unreadable) throw unreadable(name, text, value.expected);
    query[name] = value;
  }
  // Each value was read by the function that its type is inferred from.
  return query as QueryOf<Parameters>;
}

/** The refusal of a value. @param hint a further sentence, with a leading space */
export function unreadable(name: string, value: string, expected: string, hint = ""): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `Cannot read ${name} ${JSON.stringify(shorten(value))}: expected ${expected}.${hint}`,
  );
}

/** The refusal of an unknown parameter, with a suggestion if there is one. */
export function unknownParameter(name: string, known: readonly string[]): ServiceError {
  const meant = nearest(name, known) ?? otherName(name, known);
  const hint = meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${meant}?`;
  return new ServiceError("invalid_parameter", `Unknown parameter ${JSON.stringify(shorten(name))}. ${hint}`);
}

/** Common names for our parameters that spelling alone would not suggest. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  ticker: ["symbol", "symbols", "company", "companies", "stock"],
  fiscal_year: ["year", "years", "fy"],
  fiscal_year_gte: ["from_year", "start_year", "min_year", "year_from", "since"],
  fiscal_year_lte: ["to_year", "end_year", "max_year", "year_to", "until"],
  office: ["role", "title", "position", "officer"],
  executive: ["name", "person", "executive_name"],
  sector: ["industry"],
  sic: ["industry_code", "sic_code"],
  index: ["index_name", "universe"],
  total_compensation_gte: ["min_total", "min_compensation", "minimum", "total_gte"],
  total_compensation_lte: ["max_total", "max_compensation", "maximum", "total_lte"],
  reporting_currency: ["currency"],
  sort: ["sort_by", "order_by", "order", "orderby"],
  max_rows: ["limit", "top", "top_n", "count", "n", "page_size", "max_results"],
  cursor: ["offset", "page", "page_token", "next_cursor"],
  group_by: ["groups", "by", "group", "breakdown"],
  field: ["metric", "measure", "amount", "component"],
  rank_ticker: ["rank", "rank_company"],
  query: ["q", "text", "search", "keywords"],
  q: ["query", "text", "search", "keywords", "name"],
};

function otherName(name: string, known: readonly string[]): string | undefined {
  const asked = name.toLowerCase();
  return known.find((candidate) => OTHER_NAMES[candidate]?.includes(asked) === true);
}

/** A caller's text, shortened for a message. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The available years that a query selects, newest first: filtered, then limited. */
export function selectYears<Year extends FiscalYear>(
  available: readonly Year[],
  query: CompensationQuery,
  limit: number,
): readonly Year[] {
  const { fiscal_year, fiscal_year_gte, fiscal_year_lte, fiscal_year_gt, fiscal_year_lt } = query;
  const fits = ({ fiscalYear }: FiscalYear) =>
    (fiscal_year === undefined || fiscalYear === fiscal_year) &&
    (fiscal_year_gte === undefined || fiscalYear >= fiscal_year_gte) &&
    (fiscal_year_lte === undefined || fiscalYear <= fiscal_year_lte) &&
    (fiscal_year_gt === undefined || fiscalYear > fiscal_year_gt) &&
    (fiscal_year_lt === undefined || fiscalYear < fiscal_year_lt);
  return available.filter(fits).slice(0, limit);
}

/** Whether any selected year is older than the latest available one, which is what costs credits. */
export function reachesIntoHistory(
  available: readonly FiscalYear[],
  selected: readonly FiscalYear[],
): boolean {
  const latest = available[0]?.fiscalYear;
  return selected.some(({ fiscalYear }) => fiscalYear !== latest);
}

/** The selected years that may lack executives. */
export function incompleteYears(selected: readonly FiscalYear[]): readonly number[] {
  return selected.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
}
