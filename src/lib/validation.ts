/**
 * Checks values against definitions. A definition's schema is made when it is first needed: arktype takes 20 ms to load, and
 * neither startup nor facts should wait for it.
 */
import type { Definition } from "./definition.ts";
import type { Infer } from "./schema.ts";

// Keyed by what they were made from; nothing else is stored.
const SCHEMAS = new WeakMap<object, Schema>();

/** The schema of a definition. @param define makes the definition, if it is made from something else */
export function schemaOf(of: Exclude<Definition, string>, define: () => Definition = () => of): Schema {
  return SCHEMAS.getOrInsertComputed(of, () => arktype().type.raw(define()));
}

/** The part of a schema that we use. */
interface Schema {
  (value: unknown): unknown;
  toJsonSchema(): object;
}

/** The part of arktype that we use; its own types would be inferred anew from each definition. */
interface Arktype {
  type: {
    raw(definition: unknown): Schema;
    errors: new () => Iterable<{ path: Iterable<PropertyKey>; expected: string; data: unknown }>;
  };
}

/** The library, loaded by the first caller. `require` because validation does not wait; the bundler resolves it too. */
function arktype(): Arktype {
  return require("./schema.ts") as Arktype;
}

/** What is wrong with a value: where, what was expected, and the part of the value. */
export function problemsOf(schema: Schema, value: unknown): Problem[] {
  const checked: unknown = schema(value);
  // Definitions change nothing, so what is as defined comes back itself.
  if (checked === value) return [];
  if (!(checked instanceof arktype().type.errors)) return [];
  return [...checked].map(({ path, expected, data }) => ({ path: [...path], expected, data }));
}

/** Parses a JSON text from outside. @throws Error that says what is not as defined */
export function parseAs<const Of extends Exclude<Definition, string>>(of: Of, json: string): Infer<Of> {
  const value: unknown = JSON.parse(json);
  const [problem] = problemsOf(schemaOf(of), value);
  if (problem !== undefined)
    throw new Error(`unexpected JSON: ${problem.path.join(".") || "the whole"} must be ${problem.expected}`);
  // As the schema found it.
  return value as Infer<Of>;
}

/** The invalid part of a value. */
export interface Problem {
  path: readonly PropertyKey[];
  /** In the definition's words. */
  expected: string;
  data: unknown;
}
