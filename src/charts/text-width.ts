/** Estimates the width of text where it cannot be measured, to choose a font size, a line break or where to truncate. */

/** Widths of characters in a sans serif font, in ems; the last entry is the default. */
const WIDTHS: readonly (readonly [letters: RegExp, ems: number])[] = [
  [/[iljI.,:;'|!()[\] -]/, 0.31],
  [/[ft/r]/, 0.4],
  [/[mwMW@%&]/, 1.02],
  [/\p{Lu}/u, 0.7],
  [/[⺀-￿]/, 1.05],
  [/./su, 0.6],
];

/** Available width, and the largest and smallest acceptable font size. */
interface Fit {
  width: number;
  from: number;
  to: number;
}

const STEP = 2;
/** Maximum number of characters considered; no line is longer. */
const MAX_LETTERS = 300;

/**
 * Text that is safe to draw: single spaces, and no control characters (invalid in XML), direction changes or stray
 * combining marks.
 */
export function plainText(text: string): string {
  return text
    .slice(0, MAX_LETTERS)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .normalize("NFC")
    .replaceAll(/[\p{Cf}\p{Cn}\p{Co}\p{M}]/gu, "")
    .trim();
}

/** Estimated width of a text in pixels at a font size. */
export function widthOf(text: string, size: number): number {
  let ems = 0;
  for (const letter of text) ems += WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? 1;
  return ems * size;
}

/** One line in the largest size that fits, truncated with an ellipsis if the smallest does not. */
export function fitLine(given: string, { width, from, to }: Fit): { text: string; size: number } {
  const text = plainText(given);
  for (let size = from; size > to; size -= STEP) if (widthOf(text, size) <= width) return { text, size };
  return { text: truncate(text, width, to), size: to };
}

/** One line, or two of similar width if one would be too small. */
export function wrapLines(given: string, { width, from, to }: Fit): { lines: string[]; size: number } {
  const text = plainText(given);
  if (widthOf(text, to) <= width) {
    const { text: line, size } = fitLine(text, { width, from, to });
    return { lines: [line], size };
  }
  const words = text.split(" ");
  const breaks = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => widthOf(line, to)));
  const [lines = [text]] = breaks.toSorted((a, b) => longest(a) - longest(b));
  return { lines: lines.map((line) => truncate(line, width, to)), size: to };
}

function truncate(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text;
  const letters = [...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment);
  while (letters.length > 0 && widthOf(`${letters.join("")}…`, size) > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
