import { tidy } from "../document/text.ts";

/** A year as a table prints it. */
export interface YearLabel {
  readonly year: number;
  /** As printed, footnote marks off. */
  readonly label: string;
  /** The label names a period that is shorter than a year. */
  readonly partial: boolean;
  /** The date that the label holds, YYYY-MM-DD. */
  readonly end: string | null;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DASH = "[-‐‑‒–—−/]";
const LEAD =
  "(?:for )?(?:the )?(?:fiscal|fye?|cy|calendar|year|years|period|ended|ending|end|in|transition|tp|\\s|\\.|:|-)*";

const LONG_DATE = new RegExp(
  `^${LEAD}(${MONTH})\\s+(\\d{1,2})\\s*(?:st|nd|rd|th)?\\s*,?\\s*((?:19|20)\\d\\d)$`,
  "i",
);
const DAY_FIRST = new RegExp(`^${LEAD}(\\d{1,2})\\s+(${MONTH})\\s+((?:19|20)\\d\\d)$`, "i");
const MONTH_YEAR = new RegExp(`^${LEAD}(${MONTH})\\s*,?\\s*((?:19|20)\\d\\d)$`, "i");
const SHORT_DATE = /^(?:fye?\s*)?(\d{1,2})[/.-](\d{1,2})[/.-]((?:19|20)?\d\d)$/i;
const ISO_DATE = /^((?:19|20)\d\d)-(\d\d)-(\d\d)$/;
const PLAIN = new RegExp(`^${LEAD}((?:19|20)\\d\\d)$`, "i");
const TWO_DIGITS = /^(?:fiscal\s*(?:year)?|fye?|cy|year)\s*['’‘]?(\d\d)$/i;
const APOSTROPHE = /^['’‘](\d\d)$/;
const SPLIT = new RegExp(`^${LEAD}((?:19|20)\\d\\d)\\s*${DASH}\\s*((?:19|20)?\\d\\d)$`, "i");
const SPLIT_SHORT = new RegExp(`^(?:fiscal|fy|year|\\s)*['’‘]?(\\d\\d)\\s*${DASH}\\s*['’‘]?(\\d\\d)$`, "i");
const RANGE = new RegExp(
  `(?:${DASH}|to|through|until)\\s*(?:${MONTH}\\s+\\d{1,2}\\s*,?\\s*|\\d{1,2}/\\d{1,2}/)((?:19|20)\\d\\d)`,
  "i",
);
const PARTIAL =
  /\b(?:part|partial|stub|transition|successor|predecessor|short)\b|(?:19|20)\d\d\s*T\b|\bT(?:19|20)\d\d\b|\bTP\b|\bmonths?\b/i;

/** Reads the label of a fiscal year; undefined for anything that is none. A two-year label is named by its second year. */
export function readYear(printed: string): YearLabel | undefined {
  const text = tidy(printed);
  if (text.length < 2 || text.length > 70 || !/\d\d/.test(text) || /[$€£¥%]/.test(text)) return undefined;
  const label = unmark(text);
  const partial = PARTIAL.test(label);
  const bare = tidy(
    label
      .replace(
        /\((?:part|partial|stub|transition|successor|predecessor|short|(?:as )?(?:restated|revised|corrected|amended)|through|from|\d+\s*months)[^)]*\)?|\b(?:successor|predecessor|partial year|stub period|short year)\b/gi,
        " ",
      )
      .replace(/((?:19|20)\d\d)\s*T$/i, "$1")
      .replace(/^(?:tp\s+|t(?=(?:19|20)\d\d$))/i, "")
      .replace(/^\W+(?=[\w'’])|[\s*,:;.]+$/g, (mark) => (/['’]/.test(mark) ? mark : "")),
  );
  const make = (year: number, end: string | null, short = partial): YearLabel | undefined =>
    year >= 1985 && year <= 2100 ? { year, label, partial: short, end } : undefined;

  let match = PLAIN.exec(bare);
  if (match !== null) return make(Number(match[1]), null);
  match = LONG_DATE.exec(bare);
  if (match !== null) return make(Number(match[3]), date(match[3], monthOf(match[1]), match[2]));
  match = DAY_FIRST.exec(bare);
  if (match !== null) return make(Number(match[3]), date(match[3], monthOf(match[2]), match[1]));
  match = MONTH_YEAR.exec(bare);
  if (match !== null) return make(Number(match[2]), null);
  match = SHORT_DATE.exec(bare);
  if (match !== null) {
    const year = full(match[3] ?? "");
    return Number(match[1]) > 12
      ? make(year, date(year, match[2], match[1]))
      : make(year, date(year, match[1], match[2]));
  }
  match = ISO_DATE.exec(bare);
  if (match !== null) return make(Number(match[1]), date(match[1], match[2], match[3]));
  match = SPLIT.exec(bare);
  if (match !== null) {
    const [first, second] = [Number(match[1]), full(match[2] ?? "")];
    return second === first + 1 ? make(second, null) : undefined;
  }
  match = SPLIT_SHORT.exec(bare);
  if (match !== null) {
    const [first, second] = [full(match[1] ?? ""), full(match[2] ?? "")];
    return second === first + 1 ? make(second, null) : undefined;
  }
  match = TWO_DIGITS.exec(bare) ?? APOSTROPHE.exec(bare);
  if (match !== null) return make(full(match[1] ?? ""), null);
  match = RANGE.exec(bare);
  if (match !== null && /\d/.test(bare.slice(0, match.index)) === true)
    return make(Number(match[1]), null, true);
  return undefined;
}

/** Footnote marks behind a year: `2024(1)`, `2024*`, and a digit glued to it, `20241`. */
function unmark(text: string): string {
  const bare = tidy(
    text
      .replace(/[([]\s*(?:\d{1,2}|[a-z]|[ivx]{1,4})(?:\s*[,;]\s*(?:\d{1,2}|[a-z]))*\s*[)\]]/gi, "")
      .replace(/[*†‡§¶^⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾]+/g, ""),
  );
  return bare.replace(/^((?:19|20)\d\d)\d$/, "$1");
}

function full(digits: string): number {
  const value = Number(digits);
  return digits.length === 4 ? value : value < 70 ? 2000 + value : 1900 + value;
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1;
}

function date(
  year: string | number | undefined,
  month: string | number | undefined,
  day: string | number | undefined,
): string | null {
  const [m, d] = [Number(month), Number(day)];
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= 31)) return null;
  return `${year}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
}

/** A calendar date in running text, YYYY-MM-DD, and how exactly it is given; undefined where there is none. */
export function readDate(text: string):
  | {
      readonly date: string;
      readonly precision: "day" | "month" | "year";
      readonly index: number;
      readonly length: number;
    }
  | undefined {
  const day = new RegExp(`\\b(${MONTH})\\s+(\\d{1,2})\\s*,?\\s*((?:19|20)\\d\\d)\\b`, "i").exec(text);
  const numeric = /\b(\d{1,2})\/(\d{1,2})\/((?:19|20)\d\d)\b/.exec(text);
  const month = new RegExp(`\\b(${MONTH})\\s*,?\\s*(?:of\\s+)?((?:19|20)\\d\\d)\\b`, "i").exec(text);
  const year = /\b(?:in|since|from|until|fiscal|year|of)\s+((?:19|20)\d\d)\b/i.exec(text);
  const found = [day, numeric, month, year]
    .filter((match) => match !== null)
    .sort((a, b) => a.index - b.index)[0];
  if (found === undefined) return undefined;
  const at = { index: found.index, length: found[0].length };
  if (found === day) {
    const exact = date(day[3], monthOf(day[1]), day[2]);
    return exact === null ? undefined : { date: exact, precision: "day", ...at };
  }
  if (found === numeric) {
    const exact = date(numeric[3], numeric[1], numeric[2]);
    return exact === null ? undefined : { date: exact, precision: "day", ...at };
  }
  if (found === month)
    return {
      date: `${month[2]}-${String(monthOf(month[1])).padStart(2, "0")}-01`,
      precision: "month",
      ...at,
    };
  return { date: `${year?.[1] ?? ""}-01-01`, precision: "year", ...at };
}
