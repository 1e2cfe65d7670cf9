/**
 * Definitions of values, as data in arktype's syntax. These load arktype: `validation.ts`,
 * `json-schema.ts`.
 */
/** An arktype definition: `"0 <= number.integer <= 100"`, `["===", "a", "b"]`, `{ "name?": "string" }`. */
export type Definition = string | RegExp | readonly unknown[] | { readonly [name: string]: unknown };

/** A definition with a description of its values, which completes "expected …". */
export function described(definition: Definition, words: string): readonly unknown[] {
  return [definition, "@", { description: words, expected: () => words }];
}

/** A definition with a name, by which the OpenAPI document refers to it. */
export function named(name: string, definition: Definition): readonly unknown[] {
  return [definition, "@", { title: name }];
}

/** A value of a definition, or null. */
export function orNull(definition: Definition): readonly unknown[] {
  return [definition, "|", "null"];
}
