/**
 * The machinery of parameters: how one is declared (name, definition of the value with bounds and default, description) and
 * how a list of them is read. The lists stand with what they are about: `company-parameters.ts`, `years.ts`, `selection.ts`
 * and `ceo-pay-selection.ts`. REST, MCP, pages and commands validate against them, by the schema that they define; the
 * OpenAPI document, the tools' input schemas, the flags of commands and the property tests are generated from them. A query
 * becomes a selection, and bodies and entity tags depend only on that (`operations/answer.ts`), so no parameter can be
 * missing from a cache key.
 */
import { invalid, type ServiceError } from "../errors.ts";
import { nearest } from "./spellings.ts";
import { type Definition, described } from "../lib/definition.ts";
import { type JsonSchema, jsonSchemaOf } from "../lib/json-schema.ts";
import { type Problem, problemsOf, schemaOf } from "../lib/validation.ts";

/** How the text of a parameter becomes a value. */
export type ParameterKind = "text" | "whole" | "number" | "flag" | "list";

/** What the values of a parameter are. */
export interface ValuesOf<Value> {
  readonly kind: ParameterKind;
  /** A definition of the value. */
  readonly is: readonly unknown[];
  /** What it is, in words that complete "expected …". */
  readonly expected: string;
  /** The words among its values, which callers may write in any case. */
  readonly words?: readonly string[];
  readonly default?: Value;
  readonly examples?: readonly string[];
  /** A hint about an invalid text, with a leading space. */
  readonly hint?: (text: string) => string;
  /** Never set: it carries the type. */
  readonly value?: Value;
}

/** A parameter as documented and read. */
export interface Parameter<Value = unknown> extends ValuesOf<Value> {
  readonly name: string;
  /** Description in the reference. */
  readonly about: string;
  /** Whether there is no answer without it, for the reference; its operation refuses. */
  readonly required?: true;
}

/** Values with their definition, and what one is in words that complete "expected …". */
export function defined<Value>(
  kind: ParameterKind,
  definition: Definition,
  expected: string,
): ValuesOf<Value> {
  return { kind, is: described(definition, expected), expected };
}

/** A whole number within bounds. */
export function whole(
  min: number,
  max: number,
  fallback: number,
): ValuesOf<number> & { default: number; max: number } {
  const is = `${min} <= number.integer <= ${max}`;
  return { ...defined("whole", is, `a whole number from ${min} to ${max}`), default: fallback, max };
}

/** A text that matches a pattern. */
export function like(pattern: RegExp, expected: string): ValuesOf<string> {
  return defined("text", pattern, expected);
}

/** A text. @param expected what it is, and its length */
export function textUpTo(max: number, expected: string): ValuesOf<string> {
  return defined("text", `1 <= string <= ${max}`, expected);
}

/** One of several words. */
export function word<const Word extends string>(words: readonly Word[], fallback?: Word): ValuesOf<Word> {
  const one = defined<Word>("text", ["===", ...words], `one of ${words.join(", ")}`);
  return { ...one, words, ...(fallback !== undefined && { default: fallback }) };
}

/** Several values, comma-separated. @param expected the list in words, which also say at most how many */
export function listOf<Value>(of: ValuesOf<Value>, most: number, expected: string): ValuesOf<Value[]> {
  const list = [[of.is, "[]"], "&", `1 <= unknown[] <= ${most}`] as const;
  return { ...defined("list", list, expected), ...(of.words && { words: of.words }) };
}

/** Common synonyms of our words, by their letters. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ceo: "peo",
  ceos: "peo",
  chiefexecutive: "peo",
  chiefexecutiveofficer: "peo",
  principalexecutiveofficer: "peo",
  cfo: "pfo",
  cfos: "pfo",
  chieffinancialofficer: "pfo",
  principalfinancialofficer: "pfo",
  tech: "information_technology",
  technology: "information_technology",
  it: "information_technology",
  banks: "financials",
  financial: "financials",
  communications: "communication_services",
  total: "total_compensation",
};

/** `true` or `false`; false if absent. */
export const FLAG = { ...defined<boolean>("flag", "boolean", "one of true, false"), default: false };

/** Any whole number. */
export const WHOLE = defined<number>("whole", "number.integer", "a whole number");

/** The items of a list written as JSON, comma-separated: models send one where a text is expected. */
export function listAsText(text: string): string | undefined {
  return /^\s*\[.*\]\s*$/s.test(text) ? text.replaceAll(/["'[\]\s]/g, "") : undefined;
}

/** The values of a list of parameters; absent if not given. */
export type QueryOf<Parameters extends readonly Parameter[]> = {
  readonly [Name in Parameters[number]["name"]]?: NonNullable<
    Extract<Parameters[number], { name: Name }>["value"]
  >;
};

/** Parameters as received: each name with all its values. */
export type GivenParameters = ReadonlyMap<string, readonly string[]>;

/** Parameters as received once each. */
export function givenOnce(texts: Readonly<Record<string, string>>): GivenParameters {
  return new Map(Object.entries(texts).map(([name, text]) => [name, [text]]));
}

/** Parameters by name, each with a single value. */
export type SingleParameters = ReadonlyMap<string, string>;

/** The parameters with a single value each. Refuses unknown and repeated ones with `invalid_parameter`. */
export function singleParameters(
  given: GivenParameters,
  parameters: readonly Pick<Parameter, "name">[],
): SingleParameters {
  const single = new Map<string, string>();
  for (const [name, values] of given) {
    if (!parameters.some((one) => one.name === name))
      throw unknownParameter(
        name,
        parameters.map((one) => one.name),
      );
    const [value] = values;
    if (values.length > 1)
      throw invalid(`Cannot read ${name}: it was given ${values.length} times, expected once.`);
    if (value !== undefined) single.set(name, value);
  }
  return single;
}

/**
 * The values of the parameters that are given. Refuses with `invalid_parameter`, naming the first in the list that is
 * not as defined, its value, what was expected, and the word that was meant.
 */
export function readValues<const Parameters extends readonly Parameter[]>(
  given: SingleParameters,
  parameters: Parameters,
): QueryOf<Parameters> {
  const query: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const text = given.get(parameter.name);
    if (text !== undefined) query[parameter.name] = readValue(parameter, text);
  }
  // Each value is as its parameter defines it.
  return query as QueryOf<Parameters>;
}

/** A value by its schema. Operations share parameters, and a request needs few: each has a schema of its own, made when it is first given. */
function readValue(parameter: Parameter, text: string): unknown {
  const { name, kind, is, words, expected } = parameter;
  const value = valueOf(parameter, text);
  const [problem] = problemsOf(schemaOf(is), value);
  if (problem !== undefined) throw refusalOf(parameter, text, problem);
  const isTwice = kind === "list" && words && Array.isArray(value) && new Set(value).size < value.length;
  if (isTwice === true) throw unreadable(name, text, expected);
  return value;
}

/** The JSON schema of a parameter. */
export function parameterSchema(parameter: Omit<Parameter, "name" | "about" | "expected">): JsonSchema {
  const { description: _, ...schema } = jsonSchemaOf(parameter.is);
  const { default: byDefault, examples, kind, words } = parameter;
  // A choice is named once.
  const once = kind === "list" && words !== undefined && { uniqueItems: true };
  return {
    ...schema,
    ...once,
    ...(byDefault !== undefined && { default: byDefault }),
    ...(examples && { examples }),
  };
}

/** The value of a text; the text itself if it is invalid, which the schema then refuses. */
function valueOf({ kind, words }: Parameter, text: string): unknown {
  switch (kind) {
    case "whole":
      return /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text;
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case "flag":
      return FLAGS.get(folded(text)) ?? text;
    case "list":
      return text.split(",").map((one) => (words === undefined ? one : wordOf(words, one)));
    case "text":
      return words === undefined ? text : wordOf(words, text);
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

const folded = (text: string): string => text.trim().toLowerCase();
const wordOf = (words: readonly string[], text: string): string =>
  words.find((one) => one === folded(text)) ?? text;

/** The refusal of a parameter that is not as defined. */
function refusalOf(
  { name, words, expected, hint = () => "" }: Parameter,
  text: string,
  problem: Problem,
): ServiceError {
  const value = problem.path.length > 0 ? String(problem.data) : text;
  if (words === undefined) return unreadable(name, value, problem.expected, hint(text));
  return unreadable(name, value, expected, hintOf(words, value));
}

/** The word that was meant, as a sentence. */
function hintOf(words: readonly string[], text: string): string {
  const meant = wordMeant(words, text) ?? nearest(folded(text).replaceAll(/[^a-z0-9]+/g, "_"), words);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

/** The word that a text certainly means: written otherwise, as `S&P 500`, or by another name, as `CEO`; undefined for none. */
export function wordMeant<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  // A minus in front reverses an order.
  const [sign, letters] = [text.trimStart().startsWith("-") ? "-" : "", lettersOf(text)];
  return words.find(
    (one) =>
      one.startsWith("-") === (sign === "-") &&
      (lettersOf(one) === letters || one === `${sign}${OTHER_WORDS[letters] ?? ""}`),
  );
}

/** The letters and digits of a text, in small letters. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Like `readValues`, after refusing unknown and repeated names. */
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
