/** Parses JSON; undefined if invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 does not allow, even escaped. */
const NO_XML = /[^\P{Cc}\t\n\r]|[\ud800-\udfff\ufffe\uffff]/gu;

/** Escapes text for XML content and double-quoted attributes. @see https://www.w3.org/TR/xml/#charsets */
export function escapeXml(text: string): string {
  return text.replace(NO_XML, "").replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

/**
 * The result of parsing an invalid text. The parsers of settings and query parameters are plain functions rather than schemas: all
 * settings are parsed at startup, and loading the schema library would take longer than everything else (docs/decisions/executable.md).
 */
export class Unreadable {
  /**
   * @param expected completes "expected …"
   * @param part what could not be read, if it is not the whole text
   * @param hint a further sentence, with a leading space
   */
  constructor(
    readonly expected: string,
    readonly part?: string,
    readonly hint = "",
  ) {}
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

/** Orders texts by their code units, as `sort` does by default. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `1,234`. */
export const numeral = (count: number): string => count.toLocaleString("en-US");

/** `1 row`, `2 rows`, `3 companies`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${numeral(count)} ${plural(noun)}`;
}

/** `rows`, `companies`. */
export function plural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** A word as a shell reads it, for commands in messages that are to be copied. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
