/**
 * How the text of a setting or of a query parameter becomes a value. Plain functions instead of schemas: every start
 * reads all settings, and the schema library alone would cost more of it than everything else together
 * (docs/decisions/executable.md).
 */

/** What a text is not. */
export class Unreadable {
  /** @param expected completes "expected …" */
  constructor(readonly expected: string) {}
}

/** Reads a text. */
export type ReadText<Value> = (text: string) => Value | Unreadable;

/** What a `ReadText` gives where it can. */
export type ReadAs<Read extends ReadText<unknown>> = Exclude<ReturnType<Read>, Unreadable>;

/** Any text, as it is. */
export function anyText(text: string): string {
  return text;
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ReadText<Word> {
  const quoted = words.map((word) => `"${word}"`);
  const expected = [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter((part) => part !== "").join(" or ");
  return (text) => words.find((word) => word === text) ?? new Unreadable(expected);
}

/** Digits of a number within bounds, both included. */
export function wholeNumber(min: number, max: number): ReadText<number> {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : new Unreadable(`a whole number from ${min} to ${max}`);
  };
}

/** A text of a form, as it is. */
export function textLike(form: RegExp, expected: string): ReadText<string> {
  return (text) => (form.test(text) ? text : new Unreadable(expected));
}
