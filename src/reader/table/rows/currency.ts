/** Determines the currency of a table from its headers, the text around it, the signs in its cells and the document. */
import { stripTags, sliceBetweenTags } from "../../text.ts";
import { CURRENCIES, CURRENCY_STATEMENTS, OTHER_DOLLARS } from "../../lexicon/currencies.ts";
import { isCurrencySign } from "../../values/amounts.ts";
import type { Candidate } from "../choice/candidates.ts";
import type { YearRow } from "../cells/cells.ts";
import { AMOUNTS } from "../header/columns.ts";

/** A currency, and evidence that it does not apply to every amount. */
interface CurrencyReading {
  /** ISO 4217. */
  readonly currency: string;
  readonly against: string | undefined;
}

/** Text that can name a currency or a scale. */
export interface TableText {
  /** Column headers and titles of the first section. */
  readonly header: string;
  readonly above: string;
  readonly below: string;
  /** Later headers, and bands between rows. */
  readonly inside: readonly string[];
  /** The document. */
  readonly text: string;
}

/** Currencies whose sign can be a bare `$`. */
const DOLLARS = /^(?:USD|CAD|AUD|NZD|HKD|SGD|TWD|MXN)$/;
/** Those that a document may call simply dollars. */
const OTHER_DOLLARS_CODES = /^(?:CAD|AUD|NZD|HKD|SGD)$/;
const OF_ALL = CURRENCY_STATEMENTS.entries
  .filter(({ means }) => means === "all amounts")
  .map(({ pattern }) => new RegExp(pattern.source, "gi"));

/** Reads the currency of the pages of one table. */
export function readCurrency(tables: readonly Candidate[], words: TableText): CurrencyReading {
  const { header, inside, text } = words;
  const own = CURRENCIES.find(header)?.means;
  const isYuan = own === "JPY" && !/JPY|\byen\b/i.test(header) && /\bRMB\b|\bRenminbi\b/i.test(text);
  const named = isYuan ? "CNY" : (own ?? saidAround(words));
  const signs = signsOf(tables);
  const signed = own === undefined ? currencyOfSigns(signs, header.includes("$")) : undefined;
  const currency = signed ?? named;
  const other =
    [...signs.codes].find((sign) => sign !== currency && !(sign === "$" && DOLLARS.test(currency))) ??
    inside.find((one) => isOther(one, currency));
  const against = isYuan && /\byen\b|\bJPY\b/i.test(text) ? "¥" : other;
  return { currency, against };
}

/** Whether a header or band names a currency other than the first header's. */
function isOther(words: string, currency: string): boolean {
  if (CURRENCY_STATEMENTS.has(words, "single amounts")) return false;
  const named = CURRENCIES.find(words)?.means;
  return named === undefined ? words.includes("$") && !DOLLARS.test(currency) : named !== currency;
}

/** The currency that the text around the table gives for all amounts, else the dollar that the document means. */
function saidAround({ header, above, below, text }: TableText): string {
  const around = [above, below];
  if (around.some((words) => CURRENCIES.has(words, "USD"))) return "USD";
  const said = around
    .flatMap((words) => words.split(/(?<=[.;])\s/))
    .filter((sentence) => !CURRENCY_STATEMENTS.has(sentence, "single amounts"))
    .flatMap((sentence) => OF_ALL.flatMap((pattern) => [...sentence.matchAll(pattern)]))
    .map((match) => CURRENCIES.find(match.groups?.["what"] ?? "")?.means)
    .find((code) => code !== undefined);
  // With a bare `$` in the column headers, the currency can only be a dollar.
  return said === undefined || (header.includes("$") && !OTHER_DOLLARS_CODES.test(said))
    ? dollarOf(text)
    : said;
}

/** Mentions of other dollars that are examined, and the characters read before and after each. */
const MAX_MENTIONS = 40;
const BEFORE = 400;
const AFTER = 60;

/** The meaning of a bare `$` in the document: `all references to "$" are to Canadian dollars`. ISO 4217; USD by default. */
function dollarOf(text: string): string {
  for (const { index, 0: named } of [...text.matchAll(OTHER_DOLLARS)].slice(0, MAX_MENTIONS)) {
    const words = stripTags(sliceBetweenTags(text, index - BEFORE, index + named.length + AFTER));
    const said = CURRENCY_STATEMENTS.find(words, "whose dollar")?.pattern.exec(words);
    // The sentence that says so, from the previous full stop.
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

/** The signs next to amounts: currencies, or a bare `$`. */
interface Signs {
  readonly codes: ReadonlySet<string>;
  /** Whether every person's first row has a sign, or only the first person's. */
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
    .filter(({ column }) => AMOUNTS.has(column.meaning))
    .flatMap((slot) => slot.cells)
    .filter(({ text }) => /\d/.test(text) || isCurrencySign(text));
  return new Set(
    cells.flatMap(({ text }) => CURRENCIES.find(text)?.means ?? (text.includes("$") ? "$" : [])),
  );
}

/** The only currency whose sign is next to the amounts, if the headers name none. */
function currencyOfSigns({ codes, regular }: Signs, isDollar: boolean): string | undefined {
  const [only, ...more] = codes;
  if (only === undefined || only === "$" || more.length > 0 || !regular) return undefined;
  return isDollar && !DOLLARS.test(only) ? undefined : only;
}
