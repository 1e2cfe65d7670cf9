import { daysBetween } from "../../domain/fiscal-year.ts";
import {
  CURRENCY_SIGNS,
  FOOTNOTE_MARKERS,
  MARKER_ITEM,
  NOTE_START,
  NO_AMOUNT,
  SCALES,
} from "../lexicon/amounts.ts";
import { BUSINESS_WORDS, NAME_PARTS, TITLE_WORDS } from "../lexicon/names.ts";
import { AS_REPORTED, DATES, PARTIAL_YEARS, RESTATED, YEAR_LABELS } from "../lexicon/years.ts";
import { tidy } from "../clean-text.ts";

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

const MARKERS = FOOTNOTE_MARKERS.anyOf("gi", "bracketed", "symbol", "raised");
const GLUED = FOOTNOTE_MARKERS.anyOf("giu", "glued");

/** Whether the text consists of footnote markers: `(6)`, `6`, `(2)(3)`, `a,b`, `*`. One or two digits alone count; a word does not. */
export function isFootnoteMarker(text: string): boolean {
  if (text.length > 24) return false;
  const items = text.split(/[\s,;&()[\]{}⁽⁾–-]+|(?<=[*†‡§¶#])(?=[^*†‡§¶#])/).filter((item) => item !== "");
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

/** A year as printed in a table. */
export interface YearLabel {
  readonly year: number;
  /** As printed, without footnote markers. */
  readonly label: string;
  /** The label names a period shorter than a year. */
  readonly partial: boolean;
  /** The label names a period longer than a year. */
  readonly longer: boolean;
  /** The label says that the amounts were restated. */
  readonly restated: boolean;
  /** The label says that they were reported before and may have been restated. */
  readonly previous: boolean;
  /** The date in the label, YYYY-MM-DD. */
  readonly end: string | null;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** Reads the label of a fiscal year; undefined if it is not one. `2024-25` is 2025. */
export function readYear(printed: string): YearLabel | undefined {
  const text = tidy(printed);
  if (text.length < 2 || text.length > 70 || !/\d\d/.test(text) || /[$€£¥%]/.test(text)) return undefined;
  // A digit attached to a year is also a marker: `20241`.
  const label = stripFootnoteMarkers(text).replace(/^((?:19|20)\d\d)\d$/, "$1");
  const partial = PARTIAL_YEARS.has(label);
  const bare = tidy(
    label
      .replace(
        /\((?:part|partial|stub|transition|successor|predecessor|short|through|from|\d+\s*months)[^)]*\)?|\b(?:successor|predecessor|partial year|stub period|short year)\b/gi,
        " ",
      )
      .replace(RESTATED, " ")
      .replace(AS_REPORTED, " ")
      // Actual and estimated.
      .replace(/((?:19|20)\d\d)\s?[AE]$/, "$1")
      .replace(/((?:19|20)\d\d)\s*T$/i, "$1")
      .replace(/^(?:tp\s+|t(?=(?:19|20)\d\d$))/i, "")
      .replace(/^\W+(?=[\w'’])|[\s*,:;.]+$/g, (mark) => (/['’]/.test(mark) ? mark : "")),
  );
  const entry = YEAR_LABELS.find(bare);
  const match = entry?.pattern.exec(bare);
  if (entry === undefined || match?.groups === undefined) return undefined;
  const { year: digits = "", next = "", month, day } = match.groups;
  const year = full(digits);
  const marks = { restated: RESTATED.test(label), previous: AS_REPORTED.test(label) };
  const plain = { year, label, partial, ...marks, longer: false, end: null };
  if (year < 1985 || year > 2100) return undefined;
  switch (entry.means) {
    case "year":
      return plain;
    case "date":
      return { ...plain, end: dateOf(year, month, day) };
    case "two years":
      return full(next) === year + 1 ? { ...plain, year: year + 1 } : undefined;
    case "range": {
      const start = bare.slice(0, match.index);
      const [from, to] = [readDate(start), readDate(match[0])];
      const days = from === undefined || to === undefined ? 0 : daysBetween(from.date, to.date);
      return /\d/.test(start) ? { ...plain, partial: days < 350, longer: days > 380 } : undefined;
    }
  }
}

function full(digits: string): number {
  const value = Number(digits);
  return digits.length === 4 ? value : value < 70 ? 2000 + value : 1900 + value;
}

/** A date as YYYY-MM-DD; null if there is none such. */
function dateOf(year: number, month = "", day = ""): string | null {
  const m = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const d = Number(day);
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= 31)) return null;
  return `${year}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
}

/** The first calendar date in running text, YYYY-MM-DD, with its precision and position. */
export function readDate(text: string) {
  const [found] = DATES.entries
    .flatMap(({ means: precision, pattern }) => {
      const match = pattern.exec(text);
      return match === null ? [] : [{ precision, match }];
    })
    .sort((a, b) => a.match.index - b.match.index);
  if (found === undefined) return undefined;
  const { 0: words, index, groups: { year, month = "1", day = "1" } = {} } = found.match;
  const date = dateOf(Number(year), month, day);
  return date === null ? undefined : { date, precision: found.precision, index, length: words.length };
}

/** Abbreviated offices that are also family names (`Alex Cho`, `Wei Cao`); in capitals they are offices. */
const ALSO_NAMES = /^c(?:oo|ao|ho|lo|to|io|mo|so|ro|co|do|po)$/i;

/** Whether a word occurs in titles, with or without its full stop. */
export function isTitleWord(word: string): boolean {
  return TITLE_WORDS.has(word) || TITLE_WORDS.has(`${word}.`);
}

/** Whether a word begins a title or is one. */
export function isOfficeWord(word: string): boolean {
  const bare = word.replace(/[,;.]+$|^[(]/g, "");
  if (ALSO_NAMES.test(bare)) return bare === bare.toUpperCase();
  // `V.P.-CFO`, `VP/Finance`
  if (bare.split(/[-–/]/).some((part) => /^(?:C[EFOTI]O|[ES]?VP)$/.test(part.replaceAll(".", ""))))
    return true;
  // `Officer-Family Dollar`
  if (/^(?:officer|president|director|treasurer|secretary|counsel)[-–]/i.test(bare)) return true;
  // `Sr.` is a suffix of the name as often.
  return !/^sr$/i.test(bare) && isTitleWord(bare);
}

/** Whether the text consists of suffixes and degrees: `Jr.`, `III`, `CPA`, `M.D., Ph.D.` */
export function isSuffix(text: string): boolean {
  const items = text.split(/[\s,]+/).filter((item) => item !== "");
  return items.length > 0 && items.every((item) => NAME_PARTS.has(item, "suffix"));
}

/** A name or title without footnote markers and `(continued)`. */
export function cleanName(text: string): string {
  return tidy(
    stripMarkersOfWords(text).replace(/\((?:cont(?:inued|['’]?d|\.)?)\)|\bcont(?:inued|['’]d)\b/gi, " "),
  ).replace(/\s+([,;])/g, "$1");
}

/** Loose punctuation around a name or a title. */
const EDGES = /^[\s,;:–—-]+|[\s,;:–—-]+$/g;

/** How much text looks like a person's name: 0 not at all, 1 possibly, 2 no evidence against it. */
export function nameLikeness(text: string): 0 | 1 | 2 {
  const bare = cleanName(text).replace(EDGES, "");
  if (bare.length < 3 || bare.length > 60 || /[\d$%@:/]|^[^()]*\)|\([^()]*$/.test(bare)) return 0;
  if (/\p{L}[–—]\p{L}/u.test(bare) && bare.split(/[–—]/).some((part) => hasTitleWord(part))) return 0;
  const parts = bare.split(/\s*,\s*/).filter((part) => !isSuffix(part));
  if (parts.length > 3 || /\b(?:inc|corp|llc|ltd|plc)\b/i.test(bare)) return 0;
  const words = bare.split(/[\s,]+/).filter((word) => word !== "" && !NAME_PARTS.has(word, "honorific"));
  const solid = words.filter(
    (word) => !NAME_PARTS.has(word, "suffix") && !/^["“”'‘’(].*["“”'‘’)]$/.test(word),
  );
  if (solid.length < 2 || solid.length > 6) return 0;
  for (const word of solid) {
    // `Michael J. Head`: the word after an initial is a family name, whatever else it means.
    const family = word === solid.at(-1) && solid.length > 2 && /^\p{Lu}\.$/u.test(solid.at(-2) ?? "");
    if (!family && isOfficeWord(word)) return 0;
    if (NAME_PARTS.has(word, "particle")) continue;
    if (!/^[\p{Lu}("“'‘]/u.test(word) && !/^(?:d['’]|o['’]|al-|el-)/i.test(word)) return 0;
  }
  const isBusiness = (word: string): boolean => BUSINESS_WORDS.has(word.replace(/[.;]+$/, ""));
  const business = solid.filter((word) => !NAME_PARTS.has(word, "particle") && isBusiness(word));
  if (business.length === 0 || solid.some((word) => /^\p{L}\.?$/u.test(word))) return 2;
  return BUSINESS_WORDS.has(solid[0] ?? "") || business.length === solid.length ? 0 : 1;
}

/** Whether the text contains a word used only in titles. */
export function hasTitleWord(text: string): boolean {
  return text.split(/[\s,;/()]+/).some((word) => {
    const bare = word.replace(/^[Cc]o-/, "").replaceAll(".", "");
    return ALSO_NAMES.test(bare) ? bare === bare.toUpperCase() : TITLE_WORDS.has(bare, "office");
  });
}

/** Whether a title is more than a director's. */
export function hasOfficerTitle(title: string): boolean {
  return hasTitleWord(
    title
      .replace(/\b(?:managing|executive) directors?\b/gi, "manager")
      .replace(/\b(?:(?:independent|outside|lead|non-?employee) )?directors?\b/gi, ""),
  );
}

/** A title without footnote markers and surrounding punctuation; null if nothing is left. */
export function cleanTitle(text: string): string | null {
  const bare = cleanName(text)
    .replace(EDGES, "")
    .replace(/^\((.*)\)$/, "$1");
  return bare === "" ? null : bare;
}
