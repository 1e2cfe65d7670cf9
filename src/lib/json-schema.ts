/** JSON schemas of definitions. */
import type { Definition } from "./definition.ts";
import { schemaOf } from "./validation.ts";

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON schema of a definition. Descriptions stay with the member they describe, choices become an `enum`, and
 * members and choices keep the definition's order, which arktype does not.
 */
export function jsonSchemaOf(definition: Exclude<Definition, string>): JsonSchema {
  return plain({ ...schemaOf(definition).toJsonSchema() }, definition);
}

function plain(schema: JsonSchema, definition: unknown): JsonSchema {
  const { $schema: _, expected: _words, anyOf, enum: words, ...rest } = schema;
  if (Array.isArray(words)) return chosen(words, rest, definition);
  const { const: only, ...others } = rest;
  if (typeof only === "string") return chosen([only], others, definition);
  if (!Array.isArray(anyOf)) return nested(rest, definition);
  const branches: JsonSchema[] = anyOf;
  const choices = branches.flatMap(({ const: one }) => (typeof one === "string" ? [one] : []));
  const values = branches.filter(({ const: one }) => typeof one !== "string");
  if (values.length === 0) return chosen(choices, rest, definition);
  const first = choices.length === 0 ? [] : [chosen(choices, {}, definition)];
  // arktype repeats a union's description in its branches.
  const own = values.map(({ description: about, ...branch }) =>
    plain(about === rest["description"] ? branch : { ...branch, description: about }, definition),
  );
  return { anyOf: [...first, ...own], ...rest };
}

function chosen(words: readonly string[], rest: JsonSchema, definition: unknown): JsonSchema {
  const [choices = words] = partsOf(definition).filter((one) => Array.isArray(one) && isSame(one, words));
  return { type: "string", enum: choices, ...rest };
}

/** A schema with those of its items and members. */
function nested({ properties, required, ...schema }: JsonSchema, definition: unknown): JsonSchema {
  const { items, additionalProperties: others, ...rest } = schema;
  const given = isObject(properties) ? properties : {};
  const of = partsOf(definition).find((one) => isObject(one) && isSame(namesOf(one), Object.keys(given)));
  const defined = isObject(of) ? of : {};
  const names = isObject(of) ? namesOf(of) : Object.keys(given);
  const part = (one: unknown, by: unknown) => (isObject(one) ? plain(one, by) : one);
  const member = (name: string) => [name, part(given[name], defined[name] ?? defined[`${name}?`])];
  return {
    ...rest,
    ...(items !== undefined && { items: part(items, definition) }),
    ...(isObject(properties) && { properties: Object.fromEntries(names.map(member)) }),
    ...(Array.isArray(required) && { required: names.filter((name) => required.includes(name)) }),
    ...(others !== undefined && { additionalProperties: part(others, defined["[string]"]) }),
  };
}

/** The choices and the objects of a definition, not those of its members. */
function partsOf(definition: unknown): unknown[] {
  if (!Array.isArray(definition)) return [definition];
  const [first, operator, ...rest] = definition;
  if (first === "===") return [[operator, ...rest]];
  return [first, ...(operator === "@" ? [] : [operator, ...rest])].flatMap(partsOf);
}

function namesOf(definition: object): string[] {
  return Object.keys(definition).flatMap((name) => (name === "[string]" ? [] : name.replace(/\?$/, "")));
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

/** Whether a value is a schema, or another object. */
export function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
