/** JSON Schemas of the tools across companies: short, and in a form that all clients can read. */
import { type Parameter, parameterSchema } from "../../domain/parameters.ts";
import type { Definition } from "../../lib/definition.ts";
import { isObject, type JsonSchema as Schema, jsonSchemaOf } from "../../lib/json-schema.ts";
import type { Endpoint } from "../../operations/endpoint.ts";
import type { ObjectSchema } from "../tools.ts";

/** An object. @param required all members by default */
export function object(
  properties: Schema,
  required: readonly string[] = Object.keys(properties),
): ObjectSchema {
  return { type: "object", properties, required };
}

/** A string. */
export const STRING: Schema = { type: "string" };
/** A bound on an amount: `20000000`, or text such as `$20M`. */
const BOUND: Schema = { type: ["number", "string"] };
/** A string or null. `type: ["string", "null"]` would be shorter, but some clients cannot read it. */
export const NULLABLE_STRING: Schema = { anyOf: [STRING, { type: "null" }] };

/** A string with a description. */
export function string(description: string): Schema {
  return { type: "string", description };
}

/** A tool's arguments. @param others schema for arguments with other names; false if there are none */
export function inputOf(
  properties: Readonly<Record<string, Schema>>,
  others: Schema | false = false,
  required: readonly string[] = [],
): Schema & { type: "object" } {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: others,
  };
}

/** What each argument of a selection is, in fewer words than REST's. */
const SELECTION: Readonly<Record<string, string>> = {
  ticker: "Symbols or names, comma-separated",
  cik: "CIKs, comma-separated",
  fiscal_year: "Default latest",
  office: "CEOs, CFOs",
  executive: "Names, comma-separated",
  executive_id: "From a row",
  sector: "S&P 500 only",
  sic: "SIC code or first digits",
  index: "Member at fiscal year end",
  filer_category: "SEC's",
  state: "Code or name",
  reporting_currency: "ISO 4217",
  complete_only: "No incomplete years",
  one_per_company_year: "Highest total only",
  evidence: "Of linked, typed, collected (components unchecked)",
  doubtful: "Doubtful totals",
};

/**
 * The arguments of a tool: the parameters of its operations. Bounds have no description, as their names say all: clients drop what is
 * not declared. @param own what those behind the selection are: their words, too, since an order has dozens
 */
export function propertiesOf(
  operations: readonly Pick<Endpoint, "parameters">[],
  own: Readonly<Record<string, string>>,
): Record<string, Schema> {
  const all = operations.flatMap(({ parameters }) => parameters);
  const named = (name: string) => all.filter((one) => one.name === name);
  const schemaOf = (one: Parameter): Schema => {
    const { name, kind, default: fallback } = one;
    const { [name]: about = SELECTION[name] } = own;
    if (about === undefined && /_[gl]te?$/.test(name)) return kind === "number" ? BOUND : { type: "integer" };
    const schema = plain(one, about ?? one.about);
    if (!(name in own)) return schema;
    const { enum: _words, ...rest } = schema;
    // A client may send a default: every operation must take it.
    const isTaken = kind === "whole" && named(name).length === operations.length;
    return isTaken ? { ...rest, default: fallback } : rest;
  };
  const inOrder = [...all.filter(({ name }) => !(name in own)), ...Object.keys(own).flatMap(named)];
  return Object.fromEntries(inOrder.map((one) => [one.name, schemaOf(one)]));
}

/** The schema of a parameter without its pattern; the server reports what is wrong. */
export function plain(parameter: Parameter, description: string): Schema {
  // A list is commas in a text: models write both, and both are read.
  if (parameter.kind === "list") return { type: "string", description };
  const { type, enum: words, minimum, maximum, default: fallback } = parameterSchema(parameter);
  return {
    type,
    description,
    ...(words === undefined ? {} : { enum: words }),
    ...(typeof fallback === "string" && words === undefined ? { default: fallback } : {}),
    ...(minimum === undefined ? {} : { minimum, maximum }),
  };
}

/** The fields of a concise row. */
const CONCISE_FIELDS: ReadonlySet<string> = new Set([
  "ticker",
  "cik",
  "company_name",
  "fiscal_year",
  "executive_id",
  "executive_name",
  "is_peo",
  "is_pfo",
  "reporting_currency",
  "total_compensation",
]);

/** Whether concise rows always include a field. */
export function isConcise(field: string): boolean {
  return CONCISE_FIELDS.has(field);
}

/** How a tool's result differs from its operation's answer. */
interface Differences {
  /** Further members. */
  more?: Readonly<Record<string, Schema>>;
  /** Members that not every result has. */
  optional?: readonly string[];
  /** How many levels are described. */
  depth?: number;
}

/**
 * The schema of a result that is an operation's answer: the members that each answer has, without words, patterns and choices.
 * Others are allowed, and not worth their tokens.
 */
export function resultOf(
  answer: Exclude<Definition, string>,
  { more = {}, optional = [], depth = 1 }: Differences = {},
): ObjectSchema {
  const { properties, required } = typesOf(jsonSchemaOf(answer), depth);
  const always: string[] = Array.isArray(required) ? required : [];
  const own = always.map((name) => [name, isObject(properties) ? properties[name] : undefined]);
  const all = { ...Object.fromEntries(own), ...more };
  return object(
    all,
    Object.keys(all).filter((name) => !optional.includes(name)),
  );
}

function typesOf({ type, anyOf, items, properties, required }: Schema, depth: number): Schema {
  return {
    ...(type !== undefined && { type }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => typesOf(one, depth)) }),
    ...(depth > 0 && isObject(items) && { items: typesOf(items, depth) }),
    ...(depth > 0 &&
      isObject(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [
            name,
            typesOf(isObject(one) ? one : {}, depth - 1),
          ]),
        ),
        required,
      }),
  };
}
