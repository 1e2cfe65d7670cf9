/** In which currency the amounts of a table are: by its headers, the words around it, the signs in its cells and the document. */
import { stripTags, sliceBetweenTags } from "../../text.ts";
import { CURRENCIES, CURRENCY_STATEMENTS, OTHER_DOLLARS } from "../../lexicon/currencies.ts";
import { isSign } from "../../values/amounts.ts";
import type { Candidate } from "../choice/candidates.ts";
import type { YearRow } from "../cells/cells.ts";
import { PARTS } from "../header/header.ts";

/** A currency, and what speaks against its being that of every amount. */
interface CurrencyReading {
  /** ISO 4217. */
  readonly currency: string;
  readonly against: string | undefined;
}

/** The words that can name a currency. */
interface Words {
  /** Column headers and titles of the first header. */
  readonly corner: string;
  /** What stands above and below the table. */
  readonly around: readonly string[];
  /** Later headers of the table, and bands between its rows. */
  readonly inside: readonly string[];
  /** The document. */
  readonly text: string;
}

/** Currencies whose sign may be a bare `$`. */
const DOLLARS = /^(?:USD|CAD|AUD|NZD|HKD|SGD|TWD|MXN)$/;
/** Those that a document may call dollars without more. */
const ELSEWHERE = /^(?:CAD|AUD|NZD|HKD|SGD)$/;
const OF_ALL = CURRENCY_STATEMENTS.entries
  .filter(({ means }) => means === "all amounts")
  .map(({ pattern }) => new RegExp(pattern.source, "gi"));

/** Reads the currency of tables that belong together. */
export function readCurrency(tables: readonly Candidate[], words: Words): CurrencyReading {
  const { corner, inside, text } = words;
  const own = CURRENCIES.find(corner)?.means;
  const isYuan = own === "JPY" && !/JPY|\byen\b/i.test(corner) && /\bRMB\b|\bRenminbi\b/i.test(text);
  const named = isYuan ? "CNY" : (own ?? saidAround(words));
  const signs = signsOf(tables);
  const signed = own === undefined ? currencyOfSigns(signs, corner.includes("$")) : undefined;
  const currency = signed ?? named;
  const other =
    [...signs.codes].find((sign) => sign !== currency && !(sign === "$" && DOLLARS.test(currency))) ??
    inside.find((one) => isOther(one, currency));
  const against = isYuan && /\byen\b|\bJPY\b/i.test(text) ? "¥" : other;
  return { currency, against };
}

/** Whether a header or a band names another currency than the first header. */
function isOther(words: string, currency: string): boolean {
  if (CURRENCY_STATEMENTS.has(words, "single amounts")) return false;
  const named = CURRENCIES.find(words)?.means;
  return named === undefined ? words.includes("$") && !DOLLARS.test(currency) : named !== currency;
}

/** What the words around the table say of all its amounts; without that, the dollar that the document means. */
function saidAround({ corner, around, text }: Words): string {
  if (around.some((words) => CURRENCIES.has(words, "USD"))) return "USD";
  const said = around
    .flatMap((words) => words.split(/(?<=[.;])\s/))
    .filter((sentence) => !CURRENCY_STATEMENTS.has(sentence, "single amounts"))
    .flatMap((sentence) => OF_ALL.flatMap((pattern) => [...sentence.matchAll(pattern)]))
    .map((match) => CURRENCIES.find(match.groups?.["what"] ?? "")?.means)
    .find((code) => code !== undefined);
  // A bare `$` in the column headers can be a dollar of Canada, Australia or Hong Kong, and nothing else.
  return said === undefined || (corner.includes("$") && !ELSEWHERE.test(said)) ? dollarOf(text) : said;
}

/** Places of a document at which other dollars are named that are looked at, and the characters before and behind each. */
const MAX_PLACES = 40;
const BEFORE = 400;
const BEHIND = 60;

/** What the document says a bare `$` stands for: `all references to "$" are to Canadian dollars`. ISO 4217. */
function dollarOf(text: string): string {
  for (const { index, 0: named } of [...text.matchAll(OTHER_DOLLARS)].slice(0, MAX_PLACES)) {
    const words = stripTags(sliceBetweenTags(text, index - BEFORE, index + named.length + BEHIND));
    const said = CURRENCY_STATEMENTS.find(words, "whose dollar")?.pattern.exec(words);
    // The sentence that says so, back to the full stop before it.
    const sentence =
      words
        .slice(0, (said?.index ?? 0) + (said?.[0].length ?? 0))
        .split(/[.;]\s/)
        .at(-1) ?? "";
    const whose = CURRENCY_STATEMENTS.has(sentence, "one part") ? undefined : said?.groups?.["whose"];
    if (whose !== undefined) return CURRENCIES.find(`${whose} dollars`)?.means ?? "USD";
  }
  return "USD";
}

/** The signs beside amounts: currencies, or a bare `$`. */
interface Signs {
  readonly codes: ReadonlySet<string>;
  /** Whether the first row of everybody has one, or that of the first person alone. */
  readonly regular: boolean;
}

function signsOf(tables: readonly Candidate[]): Signs {
  const found = new Map(tables.flatMap(({ rows }) => rows.map((row) => [row, signsIn(row)] as const)));
  const signed = [...found].filter(([, codes]) => codes.size > 0).map(([row]) => row);
  const firsts = tables.flatMap(({ people }) => people.flatMap(({ rows: [first] }) => first ?? []));
  return {
    codes: new Set([...found.values()].flatMap((codes) => [...codes])),
    regular: firsts.every((row) => signed.includes(row)) || (signed.length === 1 && signed[0] === firsts[0]),
  };
}

function signsIn(row: YearRow): ReadonlySet<string> {
  const cells = row.slots
    .filter(({ column: { meaning } }) => PARTS.has(meaning) || meaning === "total_compensation")
    .flatMap((slot) => slot.cells)
    .filter(({ text }) => /\d/.test(text) || isSign(text));
  return new Set(
    cells.flatMap(({ text }) => CURRENCIES.find(text)?.means ?? (text.includes("$") ? "$" : [])),
  );
}

/** The one currency whose sign stands beside the amounts, where the headers name none. */
function currencyOfSigns({ codes, regular }: Signs, isDollar: boolean): string | undefined {
  const [only, ...more] = codes;
  if (only === undefined || only === "$" || more.length > 0 || !regular) return undefined;
  return isDollar && !DOLLARS.test(only) ? undefined : only;
}
