import { readMoney } from "./amounts.ts";
import { stripTags, tidy } from "../document/text.ts";
import { problemOf, type ReadingProblem } from "../problem.ts";
import type { Candidate } from "./candidates.ts";

/** What the printed numbers stand for. */
export interface Units {
  /** 1, 1,000 or 1,000,000 units of the currency a printed one. */
  readonly scale: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The words that said so. */
  readonly scaleText: string | null;
  readonly unclear: boolean;
}

const THOUSANDS =
  /\b(?:in|stated in|expressed in)\s+(?:US |U\.S\. |Canadian )?(?:dollars\s+in\s+)?thousands\b|\(\s*\$?\s?(?:in )?(?:000s?|0{3}['’]?s)\s*\)|(?:[$€£¥]|\b(?:RMB|USD|CAD|EUR|GBP|HK\$|NIS))\s?['’]?000['’]?s?\b|\$\(000\)|['’]000s?\b|\b000['’]?s?\s+omitted\b|\((?:US)?\$\s?K\)|\([^()]{0,30}(?<!\b(?:shares|units) (?:in )?)\bthousands\)|\bthousands of (?:US |U\.S\. |Canadian )?dollars\b/i;
/** Words that speak of thousands in a way that is not known: rounding to the nearest one is no scale. */
const HINTS = /(?<!nearest )\bthousands?\b(?! of shares)|\b000['’]?s\b|\$K\b/i;
const MILLIONS = /\b(?:in|stated in|expressed in)\s+millions\b|\$\s?millions\b/i;

// No letter may follow a code, but figures may: `(RMB000)`.
const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Canadian dollars|C\$|CDN\$|CAD)(?![a-z])|C\$|Cdn\s?\$/i, "CAD"],
  [/€|\beuros?\b|\bEUR(?![a-z])/i, "EUR"],
  [/£|\bpounds? sterling\b|\bGBP(?![a-z])/i, "GBP"],
  [/\bRMB(?![a-z])|\bRenminbi\b|\bCNY(?![a-z])/i, "CNY"],
  [/\bHK\$|\bHong Kong dollars\b|\bHKD\b/i, "HKD"],
  [/\bA\$|\bAustralian dollars\b|\bAUD\b/i, "AUD"],
  [/\bSwiss francs\b|\bCHF\b/i, "CHF"],
  [/\bNew Israeli Shekels?\b|\bNIS\b|\bILS\b/i, "ILS"],
  [/¥|\bJapanese yen\b|\bJPY\b/i, "JPY"],
];

/** A salary printed above this is none in thousands. */
const MAX_IN_THOUSANDS = 20_000;
/** Where every salary is printed below this, thousands may be meant. */
const LEAST_IN_UNITS = 3000;

/** The salaries as they are printed, blanks left out. */
function salariesOf(table: Candidate): number[] {
  return table.rows
    .flatMap((row) => row.slots)
    .filter((slot) => slot.column.meaning === "salary" && !slot.ambiguous)
    .flatMap((slot) => {
      const [reading] = readMoney(slot.texts);
      return reading?.kind === "amount" && reading.hundredths > 0 ? [reading.hundredths / 100] : [];
    });
}

/** The words from the table's own heading on, or the last ones before the table. */
function aboveOf(heading: string): string {
  const at = heading.toLowerCase().lastIndexOf("summary compensation");
  return at >= 0 && heading.length - at < 600 ? heading.slice(at) : heading.slice(-220);
}

/** A remark below the table: `Note: dollar amounts in this table are in thousands.` */
const BELOW =
  /\b(?:amounts|figures|dollars|numbers|compensation|table)\b[^.;]{0,60}\bin thousands\b|\bin thousands of (?:US |U\.S\. |Canadian )?dollars\b|\(\s*(?:\$\s?)?in thousands\s*\)|[$]000s?\b/i;

/**
 * Reads scale and currency from the column headers, the title rows and the last words before the table; where they say
 * nothing of a scale, from the remarks below it.
 *
 * @param below the remarks below the table
 * @param dollar what a bare `$` stands for in this document, ISO 4217
 */
function readUnits(table: Candidate, below = "", dollar = "USD"): Units {
  const headers = table.sections.flatMap((section) =>
    section.columns.filter((column) => column.meaning !== "count").flatMap((column) => column.path),
  );
  const titles = table.sections.flatMap((section) => section.titles);
  const corner = [...headers, ...titles].join(" | ");
  const above = aboveOf(table.heading);
  const currency = currencyOf(corner, [above, below], dollar);
  const salaries = salariesOf(table);
  // Words around a table may speak of something else: nobody's salary is thousands of thousands of dollars.
  const small = currency !== "USD" || salaries.every((salary) => salary < MAX_IN_THOUSANDS);
  const inCorner = THOUSANDS.exec(corner);
  const said = inCorner ?? (small ? (THOUSANDS.exec(above) ?? BELOW.exec(below)) : null);
  const millions =
    MILLIONS.exec(corner) ??
    (/\(\s*(?:\$|dollars)?\s*in millions\s*\)\s*$/i.exec(above.trim()) === null
      ? null
      : MILLIONS.exec(above));
  const scale = said === null ? (millions === null ? 1 : 1_000_000) : 1000;
  const saying = headers.filter((header) => THOUSANDS.test(header)).length;
  const amounts = table.sections
    .flatMap((section) => section.columns)
    .filter((column) => column.meaning === "total_compensation" || column.meaning === "salary").length;
  return {
    scale,
    currency,
    scaleText: (said ?? millions)?.[0] ?? null,
    unclear:
      (scale === 1 &&
        table.people.length > 1 &&
        salaries.length > 1 &&
        salaries.every((salary) => salary < LEAST_IN_UNITS)) ||
      (said === null && HINTS.test(small ? `${corner} ${above.slice(-160)}` : corner)) ||
      (inCorner !== null && !small) ||
      (saying > 0 && saying < amounts),
  };
}

/** What the column headers say; without that, what the words around the table say of all its amounts. */
function currencyOf(corner: string, around: readonly string[], dollar: string): string {
  if (/US\$|U\.S\.\s?\$|USD|U\.S\. dollars/i.test(corner)) return "USD";
  const own = CURRENCIES.find(([pattern]) => pattern.test(corner));
  if (own !== undefined) return own[1];
  if (around.some((words) => /US\$|U\.S\. dollars/i.test(words))) return "USD";
  const said = around
    .flatMap((words) => words.split(/(?<=[.;])\s/))
    .filter((sentence) => !/\b(?:paid|convert|translat|exchange)/i.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(OF_ALL)].map((match) => match[1] ?? ""))
    .map((words) => CURRENCIES.find(([pattern]) => pattern.test(words))?.[1])
    .find((code) => code !== undefined);
  // A bare `$` in the column headers can be a dollar of Canada, Australia or Hong Kong, and nothing else.
  return said === undefined || (/\$/.test(corner) && !/^(?:CAD|AUD|HKD)$/.test(said)) ? dollar : said;
}

/** What the document says a bare `$` stands for: `all references to "$" are to Canadian dollars`. ISO 4217. */
function dollarOf(text: string): string {
  const canadian =
    /(?:["“]|&ldquo;|&#822[01];|&#14[78];|&quot;)\$(?:["”]|&rdquo;|&#822[01];|&#14[78];|&quot;)(?:[^.;<U]|<[^<>]{0,200}>){0,60}?\bCanadian dollars/i;
  return text.includes("Canadian") && canadian.test(text) ? "CAD" : "USD";
}

/** `All amounts are in Canadian dollars`, `(in thousands of euros)`, `expressed in RMB` */
const OF_ALL =
  /(?:\b(?:amounts?|figures|numbers|compensation|table|dollars|stated|expressed|reported|presented|shown|denominated)\b[^.;()]{0,60}?\b(?:in|are)|\(\s*(?:all\s+)?(?:amounts\s+|figures\s+)?(?:are\s+)?(?:stated\s+|expressed\s+)?in)\s+((?:(?:thousands|millions)\s+of\s+)?[^.;()]{1,30})/gi;

/** What the printed numbers of tables that belong together stand for, with what is doubtful about it. */
export function readTableUnits(
  text: string,
  tables: readonly [Candidate, ...Candidate[]],
): { units: Units; problems: ReadingProblem[] } {
  const units = readUnits(tables[0], remarksBelow(text, tables.at(-1) ?? tables[0]), dollarOf(text));
  return { units, problems: unitProblems(units) };
}

/** What stands in the table's rows behind its last year, and right below it. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const behind = region.closed ? stripTags(text.slice(region.end, region.end + 3000)).slice(0, 300) : "";
  return tidy([...inside.slice(0, 40), behind].join(" "));
}

function unitProblems({ unclear, scaleText }: Units): ReadingProblem[] {
  if (!unclear) return [];
  const message =
    scaleText === null
      ? "The words above the table speak of thousands in a way that is not known, or every salary is so small that thousands may be meant"
      : `Only some column headers say "${scaleText}"`;
  return [problemOf("units_unclear", "columns", message)];
}
