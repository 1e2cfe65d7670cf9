/**
 * Values against their definitions. The schema of a definition is made when it is first needed: arktype takes 80 ms and
 * 28 MB to load, which neither a start nor the facts have to wait for.
 */
import type { Definition } from "./definition.ts";
import type { type } from "./schema.ts";

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

/** The value of a JSON text from outside. @throws Error that says what in it is not as defined */
export function parseAs<const Of extends Exclude<Definition, string>>(of: Of, json: string): type.infer<Of> {
  const value: unknown = JSON.parse(json);
  const [problem] = problemsOf(schemaOf(of), value);
  if (problem !== undefined)
    throw new Error(`unexpected JSON: ${problem.path.join(".") || "the whole"} must be ${problem.expected}`);
  // As the schema found it.
  return value as type.infer<Of>;
}

/** A part of a value that is not as defined. */
export interface Problem {
  path: readonly PropertyKey[];
  /** In the definition's words. */
  expected: string;
  data: unknown;
}
