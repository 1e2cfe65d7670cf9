/**
 * Parsers for the text of settings and query parameters. Plain functions rather than schemas: all settings are parsed
 * at startup, and loading the schema library would take longer than everything else (docs/decisions/executable.md).
 */

/** The result of parsing an invalid text. */
export class Unreadable {
  /** @param expected completes "expected …" */
  constructor(readonly expected: string) {}
}

/** Parses a text. */
export type ReadText<Value> = (text: string) => Value | Unreadable;

/** The value type of a `ReadText`. */
export type ReadAs<Read extends ReadText<unknown>> = Exclude<ReturnType<Read>, Unreadable>;

/** Accepts any text. */
export function anyText(text: string): string {
  return text;
}

/** Accepts one of several words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ReadText<Word> {
  const quoted = words.map((word) => `"${word}"`);
  const expected = [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter((part) => part !== "").join(" or ");
  return (text) => words.find((word) => word === text) ?? new Unreadable(expected);
}

/** Accepts a whole number within bounds, inclusive. */
export function wholeNumber(min: number, max: number): ReadText<number> {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : new Unreadable(`a whole number from ${min} to ${max}`);
  };
}

/** Accepts text that matches a pattern, unchanged. */
export function textLike(form: RegExp, expected: string): ReadText<string> {
  return (text) => (form.test(text) ? text : new Unreadable(expected));
}
