import { decodeHTML } from "entities";

/** ASCII words separated by single spaces, as most texts are, need no tidying. */
const TIDY = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** Zero-width and control characters. Real filings have the former between digits, where they must not split a number. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  /[\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Characters that a page must not show: NUL, ESC and their like, C1, and those that change the order of others. */
// oxlint-disable-next-line no-control-regex -- they are what is searched for
const CONTROLS =
  /[\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u202a-\u202e\u2066-\u2069]|[\u200e\u200f](?=\P{N}*\p{L})/u;

/** Whether text has control characters, which `tidy` removes. */
export function hasControls(text: string): boolean {
  return !TIDY.test(text) && CONTROLS.test(text);
}

/** Removes invisible characters and collapses whitespace. */
export function tidy(text: string): string {
  if (TIDY.test(text)) return text;
  return text
    .replace(INVISIBLE, "")
    .replace(/[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+/g, " ")
    .trim();
}

/** Joins lines. A word hyphenated at a line end (`Presi-`, `dent`) becomes one word; `President-` and `Finance` keep the hyphen. */
export function joinLines(lines: readonly string[]): string {
  return tidy(
    lines
      .filter((line) => line !== "")
      .join("\n")
      .replace(/(\p{L})-\s*\n\s*(?=\p{Lu})/gu, "$1-")
      .replace(/(?<!\b(?:vice|co|non|ex|self))(?<=\p{Ll}{3})-\s*\n\s*(?=\p{Ll}{2})/giu, ""),
  );
}

/** The lower-case letters alone: a column header reads the same however it is broken, hyphenated or marked. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]+/g, "");
}

/** Decodes character references in running text; unknown ones become a space. Cells are decoded by the tokenizer instead. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return decodeHTML(text).replace(/[\u00a0\u2000-\u200a\ufffd]|&[a-z]\w{1,30};/gi, " ");
}

/** A tag that separates blocks of text. */
export const BLOCK_TAG = /<\/?(?:p|div|br|tr|td|th|li|h[1-6]|table|ul|ol|hr|center)\b[^<>]*>/gi;

/** Turns HTML into running text: block tags become spaces, inline tags are dropped. */
export function stripTags(html: string): string {
  return tidy(
    decodeReferences(
      html
        .replace(/<!--[^>]*>/g, "")
        .replace(BLOCK_TAG, " ")
        .replace(/<[^<>]*>/g, ""),
    ),
  );
}

/** Slices a document without splitting a tag at either end. */
export function sliceBetweenTags(text: string, from: number, to: number): string {
  return text
    .slice(Math.max(0, from), to)
    .replace(/^[^<>]*>/, "")
    .replace(/<[^<>]*$/, "");
}
