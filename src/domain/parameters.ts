/**
 * The query parameters of the operations: name, schema (with bounds and default), parser and description. REST and MCP
 * validate against these lists; the OpenAPI document, the tools' input schemas, the flags of commands and the property
 * tests are generated from them. A query becomes a selection, and bodies and entity tags depend only on that
 * (`operations/answer.ts`), so no parameter can be missing from a cache key.
 */
import { invalid, type ServiceError } from "../errors.ts";
import { type FiscalYear, normalizeCik, normalizeSymbol } from "./company.ts";
import { nearest } from "./spellings.ts";
import { oneOf, type ReadAs, type ReadText, textLike, Unreadable, wholeNumber } from "./text.ts";

/** A parameter as documented. */
export interface ParameterInfo {
  readonly name: string;
  /** Description in the reference. */
  readonly about: string;
  /** JSON Schema of the value in JSON. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A parameter as documented and read. */
export interface Parameter extends ParameterInfo {
  /** Parses the text of a query parameter. */
  readonly reads: ReadText<unknown>;
}

/** A parameter of the compensation or tickers operation. */
export interface CompanyParameter extends Parameter {
  /** Which values request more than the latest fiscal year, which needs a credential. */
  readonly history: "never" | "above 1" | "always";
  /** Description for models that call a tool. */
  readonly aboutForModels: string;
}

/** A whole number within bounds. */
export function whole(min: number, max: number, fallback: number) {
  const schema = { type: "integer", minimum: min, maximum: max, default: fallback } as const;
  return { schema, reads: wholeNumber(min, max) };
}

/** A text that matches a pattern. @param more further members of the schema */
export function like(pattern: RegExp, expected: string, more: ParameterInfo["schema"] = {}) {
  return { schema: { type: "string", ...more, pattern: pattern.source }, reads: textLike(pattern, expected) };
}

/** One of several words, in any case. */
export function word<const Word extends string>(words: readonly Word[], fallback?: Word) {
  const reads = (text: string): Word | Unreadable => {
    const folded = text.trim().toLowerCase();
    const found = words.find((one) => one === folded);
    if (found !== undefined) return found;
    const joined = folded.replaceAll(/[^a-z0-9]+/g, "_");
    const meant = OTHER_WORDS[joined] ?? words.find((one) => one === joined) ?? nearest(joined, words);
    const hint = words.some((one) => one === meant) ? ` Did you mean ${meant}?` : "";
    return new Unreadable(`one of ${words.join(", ")}`, text, hint);
  };
  return { schema: { type: "string", enum: words, ...(fallback && { default: fallback }) }, reads };
}

/** Common synonyms of our words, folded. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ceo: "peo",
  ceos: "peo",
  chief_executive_officer: "peo",
  cfo: "pfo",
  cfos: "pfo",
  chief_financial_officer: "pfo",
  s_p_500: "sp500",
  s_p500: "sp500",
  tech: "information_technology",
  technology: "information_technology",
  it: "information_technology",
  healthcare: "health_care",
  banks: "financials",
  financial: "financials",
  communications: "communication_services",
  total: "total_compensation",
};

/** `true` or `false`; false if absent. */
export const FLAG = { schema: { type: "boolean", default: false }, reads: word(["true", "false"]).reads };

function year<const Name extends string>(name: Name, about: string, words: string) {
  return {
    name,
    schema: { type: "integer" },
    // Any whole number: a year without data selects nothing, or bounds the years.
    reads: (text: string) => (/^-?\d+$/.test(text) ? Number(text) : new Unreadable("a whole number")),
    history: "always",
    about,
    aboutForModels: `Only fiscal years ${words}. Applied before limit. Needs sign-in or an API key.`,
  } as const;
}

/** The filters on the fiscal year. */
export const YEAR_FILTERS = [
  year("fiscal_year", "exact fiscal year", "equal to this one"),
  year("fiscal_year_gte", "fiscal year greater than or equal", "equal to or later than this one"),
  year("fiscal_year_lte", "fiscal year less than or equal", "equal to or earlier than this one"),
  year("fiscal_year_gt", "fiscal year greater than", "later than this one"),
  year("fiscal_year_lt", "fiscal year less than", "earlier than this one"),
] as const;

/** Maximum number of fiscal years; the default applies with a credential. */
export const YEARS_LIMIT = {
  name: "limit",
  ...whole(0, 100, 4),
  history: "above 1",
  about: "maximum number of fiscal years; all executives of each are returned",
  aboutForModels:
    "Maximum number of fiscal years to return, newest first; not rows. Default 4 with sign-in or an API key, 1 without. " +
    "More than 1 needs sign-in or an API key.",
} as const;

/** Maximum number of symbols. */
export const TICKERS_LIMIT = {
  name: "limit",
  ...whole(1, 5000, 5000),
  history: "never",
  about: "maximum number of tickers",
  aboutForModels: "Maximum number of tickers to return.",
} as const;

/** A ticker symbol in the SEC's spelling; undefined for another text. */
export function readTicker(text: string): string | undefined {
  const symbol = normalizeSymbol(text);
  return /^[\x21-\x7e]{1,20}$/.test(symbol) ? symbol : undefined;
}

/** A text that holds a list as JSON writes it: models send it where a text is due. */
export function listAsText(text: string): string | undefined {
  return /^\s*\[.*\]\s*$/s.test(text) ? text.replaceAll(/["'[\]\s]/g, "") : undefined;
}

function readOneTicker(text: string): string | Unreadable | undefined {
  const several = listAsText(text) ?? text;
  if (!several.includes(",") && several === text) return readTicker(text);
  const hint = ` For several companies ask query (/api/executive-compensation/query, query_executive_compensation) with ticker=${shorten(several)}.`;
  return new Unreadable("one ticker symbol", undefined, hint);
}

/** The parameters of the compensation operation. @see docs/contract.md, "Parameters" */
export const COMPENSATION_PARAMETERS = [
  {
    name: "ticker",
    history: "never",
    schema: { type: "string", pattern: "^\\s*[\\x21-\\x7e]{1,20}\\s*$" },
    reads: (text: string) => readOneTicker(text) ?? new Unreadable("a ticker symbol"),
    about: "ticker symbol, in any case; required when `cik` is absent",
    aboutForModels: "Ticker symbol, any case, such as AAPL or BRK-B. Give this or cik.",
  },
  {
    name: "cik",
    history: "never",
    schema: { type: "string", pattern: "^\\s*([Cc][Ii][Kk])?[0-9]{1,10}\\s*$" },
    reads: (text: string) => normalizeCik(text) ?? new Unreadable("1 to 10 digits"),
    about: "SEC Central Index Key, with or without padding; required when `ticker` is absent",
    aboutForModels: "SEC Central Index Key, 1 to 10 digits, such as 320193. Give this or ticker.",
  },
  {
    name: "period",
    history: "never",
    schema: { type: "string", enum: ["annual"], default: "annual" },
    reads: oneOf("annual"),
    about: "time period of the data",
    aboutForModels: "Always annual.",
  },
  YEARS_LIMIT,
  ...YEAR_FILTERS,
] as const satisfies readonly CompanyParameter[];

/** The parameters of the tickers operation. */
export const TICKERS_PARAMETERS = [TICKERS_LIMIT] as const satisfies readonly CompanyParameter[];

/** The parsed values of a list of parameters; absent if not given. */
export type QueryOf<Parameters extends readonly Parameter[]> = {
  readonly [Name in Parameters[number]["name"]]?: ReadAs<
    Extract<Parameters[number], { name: Name }>["reads"]
  >;
};

/** A query of the compensation operation. */
export type CompensationQuery = QueryOf<typeof COMPENSATION_PARAMETERS>;

/** Whether a value requests more than the latest fiscal year. */
export function reachesHistory({ history }: CompanyParameter, value: unknown): boolean {
  if (value === undefined || history === "never") return false;
  return history === "always" || Number(value) > 1;
}

/** Parameters as received: each name with all its values. */
export type GivenParameters = ReadonlyMap<string, readonly string[]>;

/** Parameters by name, each with a single value. */
export type SingleParameters = ReadonlyMap<string, string>;

/** The parameters with a single value each. Refuses unknown and repeated ones with `invalid_parameter`. */
export function singleParameters(
  given: GivenParameters,
  parameters: readonly ParameterInfo[],
): SingleParameters {
  const names = parameters.map(({ name }) => name);
  const single = new Map<string, string>();
  for (const [name, values] of given) {
    if (!names.includes(name)) throw unknownParameter(name, names);
    const [value] = values;
    if (values.length > 1)
      throw invalid(`Cannot read ${name}: it was given ${values.length} times, expected once.`);
    if (value !== undefined) single.set(name, value);
  }
  return single;
}

/** The value of a parameter, if it is given. Refuses with `invalid_parameter`, naming parameter and value. */
export function readValue<Read extends ReadText<unknown>>(
  given: SingleParameters,
  { name, reads }: { readonly name: string; readonly reads: Read },
): ReadAs<Read> | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const value = reads(text);
  if (value instanceof Unreadable) throw unreadable(name, value.part ?? text, value.expected, value.hint);
  // Anything else that the function returns.
  return value as ReadAs<Read>;
}

/** The values of the parameters that are given, read in the order of the list. */
export function readValues<const Parameters extends readonly Parameter[]>(
  given: SingleParameters,
  parameters: Parameters,
): QueryOf<Parameters> {
  const query: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = readValue(given, parameter);
    if (value !== undefined) query[parameter.name] = value;
  }
  // Each value was read by the function that its type is inferred from.
  return query as QueryOf<Parameters>;
}

/** The same after unknown and repeated names were refused, in their order. */
export function readQuery<const Parameters extends readonly Parameter[]>(
  given: GivenParameters,
  parameters: Parameters,
): QueryOf<Parameters> {
  return readValues(singleParameters(given, parameters), parameters);
}

/** The refusal of a value. @param hint a further sentence, with a leading space */
export function unreadable(name: string, value: string, expected: string, hint = ""): ServiceError {
  return invalid(`Cannot read ${name} ${JSON.stringify(shorten(value))}: expected ${expected}.${hint}`);
}

/** The refusal of an unknown parameter, with a suggestion if there is one. */
function unknownParameter(name: string, names: readonly string[]): ServiceError {
  const isOther = (one: string) => OTHER_NAMES[one]?.includes(name.toLowerCase()) === true;
  const meant = nearest(name, names) ?? names.find(isOther);
  const hint = meant === undefined ? `Known are ${names.join(", ")}.` : `Did you mean ${meant}?`;
  return invalid(`Unknown parameter ${JSON.stringify(shorten(name))}. ${hint}`);
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

/** How many of the available years a query selects and its limit leaves out. */
export function yearsLeftOut(
  available: readonly FiscalYear[],
  query: CompensationQuery,
  selected: readonly FiscalYear[],
): number {
  return selectYears(available, query, Infinity).length - selected.length;
}

/** The selected years that may lack executives. */
export function incompleteYears(selected: readonly FiscalYear[]): readonly number[] {
  return selected.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
}
