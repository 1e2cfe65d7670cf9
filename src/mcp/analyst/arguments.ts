import { type ParameterInfo, type GivenParameters, unreadable } from "../../domain/parameters.ts";
import { MAX_ROWS } from "../../domain/selection.ts";
import { ServiceError } from "../../errors.ts";
import { digitsOf, kindOf, type ToolArguments } from "../calls.ts";
import { MAX_PAGE } from "./fitting.ts";
import { DETAILS } from "./tools.ts";

/** Verbosity of a result. */
export type Detail = (typeof DETAILS)[number];

/** Arguments of a query across companies: the operation's parameters, and those only the tool has. */
export interface Question {
  parameters: Map<string, readonly string[]>;
  detail: Detail;
  cursor: string | null;
}

/** The symbol of the one company that has a name; undefined for a symbol, and where the name is not certain. */
export type SymbolOf = (name: string) => string | undefined;

/**
 * Reads the arguments of a query. `null` counts as absent, numbers are equivalent to their digits, lists are joined by
 * commas, and words whose meaning is certain are accepted: `CFO`, `technology`, `Google`, `latest`. Refuses values that a
 * query string cannot express with `invalid_parameter`; the operation validates names and values.
 *
 * @param own arguments that only the tool has
 */
export function readQuestion(
  given: ToolArguments,
  known: readonly ParameterInfo[],
  own: readonly ("detail" | "cursor")[],
  symbolOf: SymbolOf,
): Question {
  const parameters = new Map<string, readonly string[]>();
  let detail: Detail = "concise";
  let cursor: string | null = null;
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || isLatest(name, value)) continue;
    if (name === "detail" && own.includes(name)) detail = readDetail(value);
    else if (name === "cursor" && own.includes(name)) cursor = textOf(name, value, STRING);
    else {
      const parameter = known.find((one) => one.name === name);
      // The operation refuses unknown names and suggests the intended one.
      const text = parameter === undefined ? "" : textOf(name, value, parameter.schema);
      parameters.set(name, [parameter === undefined ? "" : meant(parameter, text, symbolOf)]);
    }
  }
  const wanted = Number(parameters.get("max_rows")?.[0]);
  if (own.includes("detail") && wanted > MAX_PAGE && wanted <= MAX_ROWS)
    parameters.set("max_rows", [String(MAX_PAGE)]);
  return { parameters, detail, cursor };
}

/** Reads the argument of a tool that takes one text. Refuses with `invalid_parameter`. */
export function readText(given: ToolArguments, known: readonly ParameterInfo[]): GivenParameters {
  return readQuestion(given, known, [], () => undefined).parameters;
}

/** Whether an argument asks for the latest fiscal year, as an absent one does. */
export function isLatest(name: string, value: unknown): boolean {
  return name === "fiscal_year" && typeof value === "string" && value.trim().toLowerCase() === "latest";
}

/** Words for offices; `ceo` is none of the values and contained in none. */
const OFFICES: Readonly<Record<string, string>> = {
  ceo: "peo",
  chiefexecutive: "peo",
  chiefexecutiveofficer: "peo",
  principalexecutiveofficer: "peo",
  cfo: "pfo",
  chieffinancialofficer: "pfo",
  principalfinancialofficer: "pfo",
};

/** Fewer letters are not enough to tell a choice by a part of it. */
const MIN_PART = 4;

/** The value that a text means, if that is certain; the text itself otherwise. */
function meant({ name, schema }: ParameterInfo, text: string, symbolOf: SymbolOf): string {
  if (name === "ticker" || name === "rank_ticker") return symbolsOf(text, symbolOf);
  const { enum: choices } = schema as { enum?: readonly string[] };
  if (choices === undefined || choices.includes(text)) return text;
  const word = lettersOf(text);
  if (name === "office") return OFFICES[word] ?? text;
  const same = choices.filter((choice) => lettersOf(choice) === word);
  const having = word.length < MIN_PART ? [] : choices.filter((choice) => lettersOf(choice).includes(word));
  const [only, second] = same.length > 0 ? same : having;
  return only === undefined || second !== undefined ? text : only;
}

/** Symbols, with names of companies replaced by theirs. A name may have commas, too: `Amazon.com, Inc.` */
function symbolsOf(text: string, symbolOf: SymbolOf): string {
  return (
    symbolOf(text) ??
    text
      .split(",")
      .map((one) => symbolOf(one) ?? one)
      .join(",")
  );
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const STRING = { type: "string" };

function readDetail(value: unknown): Detail {
  const found = DETAILS.find((one) => one === value);
  if (found === undefined) throw unreadable("detail", String(value), `one of ${DETAILS.join(", ")}`);
  return found;
}

function textOf(name: string, value: unknown, schema: ParameterInfo["schema"]): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return digitsOf(value);
  if (typeof value === "boolean" && schema["type"] === "boolean") return String(value);
  if (Array.isArray(value) && schema["type"] === "string" && value.every(isWord)) return value.join(",");
  const expected = EXPECTED[String(schema["type"])] ?? "a string";
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read ${name}: got ${kindOf(value)}, expected ${expected}.`,
  );
}

const EXPECTED: Readonly<Record<string, string>> = {
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

function isWord(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
