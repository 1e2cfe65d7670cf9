/**
 * Definitions of values, as data in arktype's language. The schema of a definition is made when it is first needed:
 * arktype takes 80 ms and 28 MB to load, which neither a start nor the facts have to wait for.
 */
/** An arktype definition: `"0 <= number.integer <= 100"`, `["===", "a", "b"]`, `{ "name?": "string" }`. */
export type Definition = string | RegExp | readonly unknown[] | { readonly [name: string]: unknown };

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A definition with words: what a value of it is. They complete "expected …". */
export function described(definition: Definition, words: string): readonly unknown[] {
  return [definition, "@", { description: words, expected: () => words }];
}

// Sorted by what they were made from; nothing else is remembered.
const SCHEMAS = new WeakMap<object, Schema>();

/** The schema of a definition. @param define how the definition is made, where it is made from something else */
export function schemaOf(of: Exclude<Definition, string>, define: () => Definition = () => of): Schema {
  return SCHEMAS.getOrInsertComputed(of, () => arktype().type.raw(define()));
}

/** What is used of a schema. */
interface Schema {
  (value: unknown): unknown;
  toJsonSchema(): object;
}

/** What is used of arktype, whose own types would be inferred anew from each definition. */
interface Arktype {
  type: { raw(definition: unknown): Schema };
  ArkErrors: new () => Iterable<{ path: Iterable<PropertyKey>; expected: string; data: unknown }>;
}

/** The library, loaded by the first caller. `require` because validation does not wait; the bundler resolves it too. */
function arktype(): Arktype {
  return require("./schema.ts") as Arktype;
}

/** What is wrong with a value: where, what was expected, and the part of the value; undefined if nothing is. */
export function problemsOf(schema: Schema, value: unknown): Problem[] {
  const checked: unknown = schema(value);
  if (!(checked instanceof arktype().ArkErrors)) return [];
  return [...checked].map(({ path, expected, data }) => ({ path: [...path], expected, data }));
}

/** A part of a value that is not as defined. */
export interface Problem {
  path: readonly PropertyKey[];
  /** In the definition's words. */
  expected: string;
  data: unknown;
}

/** The JSON schema of a definition. Words stay where they describe a member, and choices are an `enum`. */
export function jsonSchemaOf(definition: Exclude<Definition, string>): JsonSchema {
  return plain({ ...schemaOf(definition).toJsonSchema() });
}

function plain(schema: JsonSchema): JsonSchema {
  const { $schema: _, expected: _words, anyOf, ...rest } = schema;
  const choices = Array.isArray(anyOf) ? anyOf.map((one: JsonSchema) => one["const"]) : [];
  if (choices.length > 0 && choices.every((one) => typeof one === "string"))
    return { type: "string", enum: choices, ...plainMembers(rest) };
  if (typeof rest["const"] === "string") {
    const { const: only, ...others } = rest;
    return { type: "string", enum: [only], ...plainMembers(others) };
  }
  return { ...plainMembers(rest), ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(plain) } : {}) };
}

function plainMembers(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isObject(items) ? { items: plain(items) } : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, isObject(one) ? plain(one) : one]),
          ),
        }
      : {}),
  };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
