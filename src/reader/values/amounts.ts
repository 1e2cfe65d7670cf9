import { CURRENCY_SIGNS, FOOTNOTE_MARKERS, NO_AMOUNT, SCALES } from "../lexicon/amounts.ts";
import { tidy } from "../clean-text.ts";
import { isFootnoteMarker } from "./footnote-markers.ts";

/** One reading of a cell, or of the cells under one column header; null for a dash, `N/A`, `Nil`, or nothing at all. */
export type AmountReading = {
  /** Of the printed number, before scaling; fractions of them if millions have more decimals. */
  readonly hundredths: number;
  /** Whether its digits have irregular separators; such a reading needs confirmation by the row's sum. */
  readonly irregular: boolean;
} | null;

const CURRENCY = CURRENCY_SIGNS.anyOf("g");
const MARKERS_AT_AMOUNTS = FOOTNOTE_MARKERS.anyOf(
  "i",
  "bracketed",
  "symbol",
  "raised",
  "amount symbol",
).source;
/** Between markers: `(3),(4)`, `(3)-(5)`, `(a) and (b)`. */
const JOINED = "(?:\\s*(?:[,;&]|[-–]|and\\b))?\\s*";
const TRAILING = new RegExp(
  `(?:\\s*(?:${MARKERS_AT_AMOUNTS})(?:${JOINED}(?:${MARKERS_AT_AMOUNTS}))*)?[,;\\s]*$`,
  "i",
);
const LEADING = new RegExp(
  `^(?:${MARKERS_AT_AMOUNTS})(?:${JOINED}(?:${MARKERS_AT_AMOUNTS}))*\\s*(?=[-$€£\\d(—–])`,
  "i",
);
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

/** The amount of a reading; 0 for none. */
export function hundredthsOf(reading: AmountReading | undefined): number {
  return reading?.hundredths ?? 0;
}

/** Whether a cell contains only a currency sign, such as `$`, `US$` or `($`. */
export function isCurrencySign(text: string): boolean {
  return text.length < 8 && /[^\s(]/.test(text) && /^[\s(]*$/.test(text.replace(CURRENCY, ""));
}

/** Whether a cell could be an amount: digits, a dash or a word for nothing, but not the units of a header. */
export function isMoneyLike(text: string): boolean {
  if (text.length < 12 && text.includes("000") && SCALES.has(text, "thousands")) return false;
  const bare = tidy(text.replace(CURRENCY, ""));
  if (bare === "") return text !== "";
  return NO_AMOUNT.has(bare) || /^[(\s-]*[\d.]|^[([—–-]+\s*\d/.test(bare);
}

/**
 * Reads the cells under one column header in one row, from left to right: the most direct reading first; none if they contain
 * something other than an amount.
 *
 * @param scale units per printed unit; in millions, digits after a point are never a group of thousands
 */
export function readMoney(texts: readonly string[], scale = 1): readonly AmountReading[] {
  const parts = texts
    .map((text) => tidy(text.replace(CURRENCY, " ")))
    .filter((text) => text !== "" && text !== ")" && text !== "%")
    .join("\n")
    // `(` and `1,234` in separate cells; a bracket may close in a third or not at all.
    .replace(/^\(\n/gm, "(")
    .replace(/^\([\d,.]+$/gm, "$&)")
    .split("\n");
  const own = parts.length === 1 ? parts : parts.filter((part) => !isFootnoteMarker(part));
  const [first, ...others] = own.map((part) => readOne(part, scale));
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) return [first, ...others].every(([reading]) => reading === null) ? [null] : [];
  // Only markers: a small amount followed by a marker, or no amount.
  return [...readOne(parts[0] ?? "", scale), null];
}

/** Longest text read as an amount with markers; real ones are far shorter. */
const MAX_CHARACTERS = 200;

function readOne(text: string, scale: number): readonly AmountReading[] {
  if (text.length > MAX_CHARACTERS) return [];
  // `(6)` alone is a marker or a negative amount; the sum decides.
  const alone = /^\(\s*(\d{1,2})\s*\)$/.exec(text);
  if (alone !== null) return [null, amount(-Number(alone[1]) * 100)];
  const unmarked = text.replace(OPEN_MARKER, "").replace(TRAILING, "").replace(LEADING, "").trim();
  if (ZERO.test(unmarked)) return [amount(0)];
  if (unmarked === "" || NO_AMOUNT.has(unmarked)) return [null];
  const spaced = /^(\S+)\s+\d{1,2}$/.exec(unmarked)?.[1];
  const bare = spaced !== undefined && numeric(spaced, scale) !== undefined ? spaced : unmarked;
  const negative = /^\(\s*(.+?)\s*\)?$/.exec(bare) ?? /^[-‐‑‒–—−]\s*(.+)$/.exec(bare);
  const digits = (negative?.[1] ?? bare).replace(/(?<=[\d,.])\s+(?=[\d,.])/g, "");
  const sign = negative === null ? 1 : -1;
  const value = numeric(digits, scale);
  if (value !== undefined) return [amount(sign * value)];
  return irregular(digits).map((reading) => amount(sign * reading, true));
}

function amount(hundredths: number, irregular = false): AmountReading {
  return { hundredths: hundredths === 0 ? 0 : hundredths, irregular };
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
  // `1.450.000,00`: points between thousands, a comma before cents.
  const [cents] = /^\d{1,3}(?:\.\d{3})+,\d\d$/.exec(digits) ?? [];
  if (cents !== undefined)
    return [numeric(cents.replaceAll(".", "").replace(",", "."))].flatMap((one) => one ?? []);
  const glued = /^(\d{1,3}(?:,\d{3})+)\d{1,2}$/.exec(digits)?.[1];
  const isMixed = /^(?!0[.,])\d{1,3}(?:[.,]\d{1,4})+$/.test(digits) && /[.,].*[.,]|,|\.\d{3}$/.test(digits);
  return [glued, isMixed ? digits.replace(/[.,]/g, "") : ""].flatMap((text) => numeric(text ?? "") ?? []);
}
