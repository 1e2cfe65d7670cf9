/**
 * Patterns that see what anybody sends. A pattern with two ways to divide a text takes the square of its length; what may be
 * long is only given to patterns that were looked at, and all others have its length checked first.
 */

/** Longest text for a pattern that nobody looked at. */
const MAX_LENGTH = 4200;

const PARTS = ["ratio%20of%20", "+", "1,", "a", "%20", "%C3%A9", "-", ".", "a%20", "%24", "1%20"];
/** The same as somebody sends it who writes no address. */
const PLAIN_PARTS = [
  "ratio of ",
  "+",
  "1,",
  "a",
  " ",
  "é",
  "-",
  ".",
  "a ",
  "$",
  "1 ",
  "\t",
  '"',
  "\\",
  "W/",
  ":",
  "0,",
  "[",
  "; ",
];

/** Long texts of one part each, for an address. */
export function longTexts(length: number): string[] {
  return repeated(PARTS, length);
}

/** Long texts of one part each, as they are. */
export function longPlainTexts(length: number): string[] {
  return repeated(PLAIN_PARTS, length);
}

function repeated(parts: readonly string[], length: number): string[] {
  return parts.map((part) => part.repeat(Math.floor(length / part.length)));
}

/** Each of them takes time in proportion to the text: one class repeated, or a fixed text. */
const LOOKED_AT: readonly RegExp[] = [
  // Of one class, or begins at one place and ends within a bound.
  /[%+]/,
  /^\?/,
  /\+/g,
  /\s+/y,
  /[,;\n]/y,
  /[^a-z0-9]+/g,
  /^\d{4}$/,
  /^\d{1,4}$/,
  /^[A-Za-z]{3}$/,
  /^[A-Za-z][A-Za-z0-9]$/,
  /^[a-z0-9-]{1,100}$/,
  /^[A-Za-z0-9_-]{1,60}$/,
  /^[^\p{C}[\]"]{0,79}[\p{L}\p{N}][^\p{C}[\]"]{0,79}$/u,
  /^-?\d+(\.\d+)?$/,
  /^(0|-?[1-9]\d*)$/,
  /^\s*([Cc][Ii][Kk])?[0-9]{1,10}\s*$/,
  // The closing bracket ends what may stand before it.
  /^\s*\[.*\]\s*$/s,
  // Over our own pages and documents.
  /[&<>"'\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  /^# .*\n+/,
  / ?\u25D0/g,
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
  /(?=<script src=)/,
  /<script\b/g,
  /[./]/g,
  /^[\0-\x7f]*$/,
  /['`\u2019\u2018\u00B4]/g,
  /[a-z0-9]+/g,
  /[a-z]/,
  /[^a-z0-9]/g,
  /^-/,
  /^[\d.]+$/,
  /\s+/g,
  /^https:/i,
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2028\u2029]/gu,
  // Both blanks are at the ends of what may be twenty characters long.
  /^\s*[!-+\--Z\\^-~]{1,20}\s*$/,
  // The start is fixed, and each part ends where the next one begins.
  /^\s*(\d{4})\s*(?:-|\u2013|\.\.+|:|,|to)\s*(\d{4})\s*$/,
  // Cursors and transactions: fixed lengths.
  /^([0-9a-f]{16})\.([0-9a-z]{1,13})\.(\d{1,9})$/,
  /^xc_ar_[0-9A-Za-z]{49}$/,
  // Headers, which have no line ends: the rest always matches.
  /^bearer(?:\s+(.*))?$/i,
  /^W\//,
  /-(gzip|zstd)"$/,
];

/** The same of packages, by how they begin: parameters of a media type, and the header of a trace. */
const LOOKED_AT_ELSEWHERE: readonly string[] = [
  "/; *([!#$%&'*+.^_`|~0-9A-Za-z-]+) *= *(",
  "/^(?!ff)[0-9a-f]{2}-(?!0{32})",
];

/** The patterns that nobody looked at and that were given a long text while something was done. */
export async function unknownPatterns(work: () => Promise<void>): Promise<string[]> {
  const seen = new Map<string, number>();
  // The built-in one, given back below.
  // oxlint-disable-next-line typescript/unbound-method -- called with the pattern it belongs to
  const { exec } = RegExp.prototype;
  // oxlint-disable-next-line no-extend-native -- only so is every pattern seen that is asked
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const { length } = String(text);
    const from = this.sticky || this.global ? this.lastIndex : 0;
    if (length - from > (seen.get(String(this)) ?? 0)) seen.set(String(this), length - from);
    return exec.call(this, text);
  };
  try {
    await work();
  } finally {
    // oxlint-disable-next-line no-extend-native -- as it was
    RegExp.prototype.exec = exec;
  }
  const known = new Set(LOOKED_AT.map(String));
  return [...seen].flatMap(([pattern, length]) =>
    length <= MAX_LENGTH ||
    known.has(pattern) ||
    LOOKED_AT_ELSEWHERE.some((beginning) => pattern.startsWith(beginning))
      ? []
      : pattern,
  );
}
