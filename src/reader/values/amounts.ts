import {
  CURRENCY_SIGNS,
  FOOTNOTE_MARKERS,
  MARKER_ITEM,
  NO_AMOUNT,
  NOTE_START,
  SCALES,
} from "../lexicon/amounts.ts";
import { tidy } from "../text.ts";

/** One reading of a cell, or of the cells under one column header. */
export type AmountReading =
  /** Digits: hundredths of the printed number, before scaling; fractions of them if millions have more decimals. */
  | { readonly kind: "amount"; readonly hundredths: number; readonly irregular: boolean }
  /** A dash, `N/A`, `Nil`, or nothing at all. */
  | { readonly kind: "none" };

/** Readings of a cell, the most direct first; empty if it contains something other than an amount. */
type AmountReadings = readonly AmountReading[];

const CURRENCY = CURRENCY_SIGNS.anyOf("g");
const MARKERS_AT_AMOUNTS = FOOTNOTE_MARKERS.anyOf(
  "i",
  "bracketed",
  "symbol",
  "raised",
  "amount symbol",
).source;
const TRAILING = new RegExp(`(?:\\s*(?:${MARKERS_AT_AMOUNTS}))+$`, "i");
const LEADING = new RegExp(`^(?:(?:${MARKERS_AT_AMOUNTS})\\s*)+(?=[-$€£\\d(—–])`, "i");
/** A marker whose bracket closes in the next cell or not at all: `2,048,835(4`. */
const OPEN_MARKER = /(?<=\d)\s*[([]\s*(?:\d{1,2}|[a-z])$/i;
/** `-0-` */
const ZERO = /^[-‐‑‒–—−]\s*0\s*[-‐‑‒–—−]$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/;
const PLAIN = /^\d{1,13}(?:\.\d{1,2})?$|^\.\d{1,2}$/;

/** At this scale and above, a point is never a thousands separator. */
export const MILLION = 1_000_000;

/** `1.450` in millions; in units the point may separate thousands. */
const DECIMALS = /^\d{1,6}\.\d{3,6}$/;

const NONE: AmountReading = { kind: "none" };

/** The amount of a reading; 0 for none. */
export function hundredthsOf(reading: AmountReading | undefined): number {
  return reading?.kind === "amount" ? reading.hundredths : 0;
}

/** Whether an amount's digits have irregular separators; such a reading needs confirmation by the row's sum. */
export function isIrregular(reading: AmountReading | undefined): boolean {
  return reading?.kind === "amount" && reading.irregular;
}

/** Whether a cell contains only a currency sign, such as `$`, `US$` or `($`. */
export function isCurrencySign(text: string): boolean {
  return text.length < 8 && /[^\s(]/.test(text) && /^[\s(]*$/.test(text.replace(CURRENCY, ""));
}

/** Whether a cell could be an amount: digits, a dash or a word for nothing, but not the units of a header. */
export function isMoneyLike(text: string): boolean {
  if (text.length < 12 && text.includes("000") && SCALES.has(text, "thousands")) return false;
  const bare = tidy(text.replace(CURRENCY, ""));
  return bare === ""
    ? text !== ""
    : NO_AMOUNT.has(bare) || /^[(\s-]*[\d.]/.test(bare) || /^[([—–-]+\s*\d/.test(bare);
}

/**
 * Reads the cells under one column header in one row, from left to right.
 *
 * @param scale units per printed unit; in millions, digits after a point are never a group of thousands
 */
export function readMoney(texts: readonly string[], scale = 1): AmountReadings {
  const parts = join(
    texts
      .map((text) => tidy(text.replace(CURRENCY, " ")))
      .filter((text) => text !== "" && text !== ")" && text !== "%"),
  );
  if (parts.length === 0) return [NONE];
  if (parts.length === 1) return readOne(parts[0] ?? "", scale);
  const read = parts.map((part) => ({ part, readings: readOne(part, scale) }));
  const solid = read.filter(
    ({ part, readings }) => readings.some((reading) => reading.kind === "amount") && !isFootnoteMarker(part),
  );
  const rest = read.filter((one) => !solid.includes(one));
  if (solid.length === 1)
    return rest.every(({ part }) => isFootnoteMarker(part)) ? (solid[0]?.readings ?? []) : [];
  const dash = read.filter(({ part }) => !isFootnoteMarker(part));
  if (dash.length === 1) return dash[0]?.readings ?? [];
  if (dash.length > 1) return dash.every(({ readings }) => readings[0]?.kind === "none") ? [NONE] : [];
  // Only markers: a small amount followed by a marker, or no amount.
  return [...(read[0]?.readings ?? []), NONE];
}

/** Joins `(` and `1,234` from separate cells, and closes the bracket. */
function join(parts: readonly string[]): string[] {
  const out: string[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last !== undefined && /^[(]$/.test(last)) out[out.length - 1] = `${last}${part}`;
    else out.push(part);
  }
  return out.map((part) => (/^\([\d,.]+$/.test(part) ? `${part})` : part));
}

/** Longest text read as an amount with markers; real ones are far shorter. */
const MAX_CHARACTERS = 200;

function readOne(text: string, scale: number): AmountReadings {
  if (text.length > MAX_CHARACTERS) return [];
  let bare = tidy(text);
  if (/%/.test(bare)) return [];
  // `(6)` alone is a marker or a negative amount; the sum decides.
  const alone = /^\(\s*(\d{1,2})\s*\)$/.exec(bare);
  if (alone !== null) return [NONE, amount(-Number(alone[1]) * 100)];
  if (/^[[{]\s*\w{1,2}\s*[\]}]$|^\([a-z]\)$|^[*†‡§¶#^+~⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾]+$/i.test(bare)) return [NONE];
  bare = bare.replace(OPEN_MARKER, "").replace(TRAILING, "").replace(LEADING, "").trim();
  if (ZERO.test(bare)) return [amount(0)];
  if (bare === "" || NO_AMOUNT.has(bare)) return [NONE];
  const spaced = /^(\S+)\s+(\d{1,2})$/.exec(bare);
  if (spaced !== null && numeric(spaced[1] ?? "", scale) !== undefined) bare = spaced[1] ?? "";
  const negative = /^\(\s*(.+?)\s*\)?$/.exec(bare) ?? /^[-‐‑‒–—−]\s*(.+)$/.exec(bare);
  const digits = (negative?.[1] ?? bare).replace(/(?<=[\d,.])\s+(?=[\d,.])/g, "");
  const sign = negative === null ? 1 : -1;
  const value = numeric(digits, scale);
  if (value !== undefined) return [amount(sign * value)];
  return irregular(digits).map((reading) => ({ ...amount(sign * reading), irregular: true }));
}

function amount(hundredths: number): Extract<AmountReading, { kind: "amount" }> {
  return { kind: "amount", hundredths: hundredths === 0 ? 0 : hundredths, irregular: false };
}

function numeric(digits: string, scale = 1): number | undefined {
  if (scale >= MILLION && DECIMALS.test(digits)) return Number(digits) * 100;
  if (!GROUPED.test(digits) && !PLAIN.test(digits)) return undefined;
  const [whole = "", part = ""] = digits.replaceAll(",", "").split(".");
  const value = Number(whole === "" ? "0" : whole) * 100 + Number(part.padEnd(2, "0"));
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Readings of digits with irregular separators; one counts only if the row's sum confirms it. */
function irregular(digits: string): number[] {
  const out: number[] = [];
  const glued = /^(\d{1,3}(?:,\d{3})+)(\d{1,2})$/.exec(digits);
  if (glued !== null) {
    const value = numeric(glued[1] ?? "");
    if (value !== undefined) out.push(value);
  }
  // `1.450.000,00`: points between thousands, a comma before cents.
  const cents = /^(\d{1,3}(?:\.\d{3})+),(\d\d)$/.exec(digits);
  if (cents !== null) return [numeric(`${cents[1]?.replaceAll(".", "")}.${cents[2]}`) ?? 0];
  if (/^(?!0[.,])\d{1,3}(?:[.,]\d{1,4})+$/.test(digits) && /[.,].*[.,]|,|\.\d{3}$/.test(digits)) {
    const value = numeric(digits.replace(/[.,]/g, ""));
    if (value !== undefined) out.push(value);
  }
  return out;
}

const MARKERS = FOOTNOTE_MARKERS.anyOf("gi", "bracketed", "symbol", "raised");
const GLUED = FOOTNOTE_MARKERS.anyOf("giu", "glued");

/** Whether the text consists of footnote markers: `(6)`, `6`, `(2)(3)`, `a,b`, `*`. One or two digits alone count; a word does not. */
export function isFootnoteMarker(text: string): boolean {
  if (text.length > 24) return false;
  const items = text.split(/[\s,;&()[\]{}⁽⁾]+|(?<=[*†‡§¶#])(?=[^*†‡§¶#])/).filter((item) => item !== "");
  return (
    items.length > 0 &&
    items.length <= 8 &&
    items.every((item) => MARKER_ITEM.test(item)) &&
    !/^nil$/i.test(text)
  );
}

/** Removes footnote markers that are separate from the text: from a year, header or number. */
export function stripFootnoteMarkers(text: string): string {
  return tidy(text.replace(MARKERS, " "));
}

/** Removes all footnote markers from words, attached ones included: `Officer7`, `Smith (1)`. */
export function stripMarkersOfWords(text: string): string {
  return tidy(text.replace(MARKERS, " ").replace(GLUED, ""));
}

/** Whether a line begins with a marker, as a footnote does. */
export function isNote(line: string): boolean {
  return NOTE_START.test(line);
}
