import { decodeHTML } from "entities";

/** Characters that take no room: they stand between digits in real filings and must not break a number. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** Most texts are words of ASCII with single blanks between them: they are tidy as they are. */
const TIDY = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** Text with invisible characters gone and every run of blanks one space. */
export function tidy(text: string): string {
  if (TIDY.test(text)) return text;
  return text
    .replace(INVISIBLE, "")
    .replace(/[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+/g, " ")
    .trim();
}

/** Puts lines together: a word hyphenated at the end of one (`Presi-`, `dent`) is one word again, `President-` and `Finance` keep the mark. */
export function joinLines(lines: readonly string[]): string {
  return tidy(
    lines
      .filter((line) => line !== "")
      .join("\n")
      .replace(/(\p{L})-\s*\n\s*(?=\p{Lu})/gu, "$1-")
      .replace(/(?<!\b(?:vice|co|non|ex|self))(?<=\p{Ll}{3})-\s*\n\s*(?=\p{Ll}{2})/giu, ""),
  );
}

/** Only the letters, small: what a column header says however it is broken, hyphenated or marked. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]+/g, "");
}

/** Decodes the references that running text of filings holds; unknown ones become a blank. For narrative only: cells go through the tokenizer. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  // A document writes the same few over and over.
  const known = new Map<string, string>();
  return text.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]\w{1,30});?/gi, (_, name: string) => {
    const decoded = known.get(name) ?? decodeReference(`&${name};`);
    known.set(name, decoded);
    return decoded;
  });
}

function decodeReference(reference: string): string {
  const decoded = decodeHTML(reference);
  return decoded === reference ? " " : decoded.replace(/[\u00a0\u2000-\u200a\ufffd]/, " ");
}

/** Running text of a piece of HTML: block ends become blanks, inline tags nothing. */
export function stripTags(html: string): string {
  return tidy(
    decodeReferences(
      html
        .replace(/<!--[^>]*>/g, "")
        .replace(/<\/?(?:p|div|br|tr|td|th|li|h[1-6]|table|ul|ol|hr)\b[^<>]*>/gi, " ")
        .replace(/<[^<>]*>/g, ""),
    ),
  );
}

/** A stretch of a document without the tags that its two ends would cut. */
export function wholeTags(text: string, from: number, to: number): string {
  const cut = text.slice(Math.max(0, from), to);
  const close = cut.indexOf(">");
  const open = cut.indexOf("<");
  const start = close >= 0 && (open < 0 || close < open) ? close + 1 : 0;
  const last = cut.lastIndexOf("<");
  return cut.slice(start, last > cut.lastIndexOf(">") ? last : cut.length);
}
