import type { EcdFact } from "../../document/submission.ts";
import { CURRENCIES, CURRENCY_STATEMENTS, OTHER_DOLLARS, SCALES } from "../../lexicon/amounts.ts";
import { sliceBetweenTags, stripTags, tidy } from "../../clean-text.ts";
import { MILLION, hundredthsOf, isCurrencySign } from "../../values/amounts.ts";
import { isNote } from "../../values/footnote-markers.ts";
import type { YearRow } from "../cells/slots.ts";
import { aboveFirstPage, blocksOf } from "../heading/heading.ts";
import type { TablePages } from "../choice/choose.ts";
import type { Candidate } from "../choice/judge.ts";
import { type Located, ownCells } from "../grid/grid.ts";
import { AMOUNTS, type TableColumn, MAX_HEADING } from "../header/header.ts";

const THOUSANDS = SCALES.anyOf("i", "thousands");
const BELOW = SCALES.anyOf("i", "thousands below");
const MILLIONS = SCALES.anyOf("i", "millions");
/** A salary printed above this is not in thousands. */
const MAX_IN_THOUSANDS = 20_000;
/** If every salary is printed below this, thousands may be meant. */
const LEAST_IN_UNITS = 3000;
/** A salary printed above this is not in millions. */
const MAX_IN_MILLIONS = 100;
/** Characters of the remarks below a table that are read. */
const MAX_REMARKS = 1000;

/**
 * Reads the scale and currency of the pages of one table from the first page's column headers, titles and the text right above it;
 * if these give no scale, from the remarks below. The scale is in units of the currency per printed unit, the currency ISO 4217.
 */
export function readUnits(
  located: Located,
  tables: TablePages,
  tagged: readonly Pick<EcdFact, "currency">[],
) {
  const [table] = tables;
  // The title above the first page counts; later ones repeat it.
  const first = aboveFirstPage(located, table.region, table.above).slice(0, -table.above.length || undefined);
  const own = first.length === 0 ? table.heading : table.heading.replace(/summary\s+compensation/gi, "");
  const heading = `${first.join(" ").slice(-700)} ${own}`;
  const title = heading.toLowerCase().lastIndexOf("summary compensation");
  // From the table's own title on.
  const above = heading.slice(title >= 0 && heading.length - title < 600 ? title : -220);
  const below = remarksBelow(located.text, tables.at(-1) ?? table);
  const [header = "", ...headers] = tables
    .flatMap(({ sections }) => sections)
    .map(({ columns, titles }) => [...headersOf(columns), ...titles].join(" | "));
  const inside = [...headers, ...tables.flatMap(bandsOf)];
  const words: TableText = { header, above, below, inside, text: located.text };
  const { currency, against } = readCurrency(tables, words, tagged);
  const { scale, unclear } = readScale(table, words, currency);
  const otherScale = inside.find((words) => ![undefined, scale].includes(scaleIn(words)));
  const doubt = (message: string) => located.report("units_unclear", message);
  if (unclear !== undefined) doubt(unclear);
  if (against !== undefined) doubt(`Some amounts may not be in ${currency}: "${against.slice(0, 80)}"`);
  if (otherScale !== undefined) doubt(`Some amounts have a scale of their own: "${otherScale.slice(0, 80)}"`);
  return { scale, currency };
}

/** Text that can name a currency or a scale. */
type TableText = Readonly<Record<"header" | "above" | "below" | "text", string>> & {
  /** Later headers, and bands between rows. */
  readonly inside: readonly string[];
};

function headersOf(columns: readonly TableColumn[]): readonly string[] {
  return columns.filter(({ meaning }) => meaning !== "count").flatMap(({ path }) => path);
}

/** Text alone on a row between the first and the last year; it may apply to the rows below it. */
function bandsOf({ grid, rows }: Candidate): readonly string[] {
  const years = rows.map(({ row }) => row);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return grid.rows.slice(first + 1, last).flatMap((row, at) => {
    const [text = "", ...more] = ownCells(row, first + 1 + at).map((cell) => cell.text);
    return text === "" || more.length > 0 || isNote(text) ? [] : [text.slice(0, MAX_HEADING)];
  });
}

function scaleIn(words: string): number | undefined {
  return THOUSANDS.test(words) ? 1000 : MILLIONS.test(words) ? MILLION : undefined;
}

/** Reads the units per printed unit, with doubts. */
function readScale(table: Candidate, { header, above, below }: TableText, currency: string) {
  const columns = table.sections[0]?.columns ?? table.columns;
  const slots = table.rows.flatMap((row) => row.slots.filter(({ column }) => column.meaning === "salary"));
  const printed = slots.map(({ readings }) => hundredthsOf(readings[0]) / 100);
  const salaries = printed.filter((salary) => salary > 0);
  const under = (limit: number): boolean => currency !== "USD" || salaries.every((salary) => salary < limit);
  // Text around a table may be about something else: no salary is tens of millions of dollars.
  const small = under(MAX_IN_THOUSANDS);
  const inHeader = THOUSANDS.exec(header);
  const foundAbove = small ? THOUSANDS.exec(above) : null;
  const foundBelow = small ? BELOW.exec(below) : null;
  const found = inHeader ?? foundAbove ?? (under(LEAST_IN_UNITS) ? foundBelow : null);
  const millions =
    MILLIONS.exec(header) ?? (SCALES.has(above.trim(), "millions above") ? MILLIONS.exec(above) : null);
  const scale = found === null ? (millions === null ? 1 : MILLION) : 1000;
  const inThousands = headersOf(columns).filter((one) => THOUSANDS.test(one)).length;
  const amounts = columns.filter(({ meaning }) => meaning === "total_compensation" || meaning === "salary");
  const several = table.people.length > 1 && salaries.length > 1;
  const tiny = scale === 1 && several && salaries.every((salary) => salary < LEAST_IN_UNITS);
  const around = `${header} | ${above}`;
  const someYears = SCALES.find(around, "some years")?.pattern.exec(around)?.[0];
  const nearby = small ? `${header} ${above.slice(-160)}` : header;
  const vague = foundBelow !== null || SCALES.has(nearby, "unclear");
  const doubts: readonly [boolean, string][] = [
    [someYears !== undefined, `"${someYears}" gives only some years another scale`],
    [inHeader !== null && !small, `The salaries are too large for "${inHeader?.[0]}" in the headers`],
    [scale === MILLION && !under(MAX_IN_MILLIONS), "The salaries are too large for millions"],
    [inThousands > 0 && inThousands < amounts.length, "Only some column headers mention thousands"],
    [tiny, "Every salary is so small that thousands may be meant"],
    [found === null && vague, "The text around the table mentions thousands unclearly"],
  ];
  const unclear = doubts.find(([isDoubted]) => isDoubted)?.[1];
  return { scale: someYears === undefined ? scale : 1, unclear };
}

/** Text in the rows after the last year and right below the table, except sentences about something else. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const [behind = ""] = text.slice(region.end, region.end + 3000).split(/<table\b/i, 1);
  // A line without a full stop is the heading of the next section, unless it is only about units.
  const remarks = blocksOf(region.closed ? behind : "").filter(
    (block) => isNote(block) || /[.;]$/.test(block) || SCALES.has(block, "remark"),
  );
  return tidy([...inside.slice(0, 40), ...remarks].join(" ").slice(0, MAX_REMARKS))
    .split(/(?<=[.;])\s/)
    .filter((sentence) => !SCALES.has(sentence.replace(/\bexcept\b.*/i, ""), "something else"))
    .join(" ");
}

/** Currencies whose sign can be a bare `$`. */
const DOLLARS = /^(?:USD|CAD|AUD|NZD|HKD|SGD|TWD|MXN)$/;
const OF_ALL = CURRENCY_STATEMENTS.entries
  .filter(({ means }) => means === "all amounts")
  .map(({ pattern }) => new RegExp(pattern.source, "gi"));

/**
 * Reads the currency of the pages of one table, with evidence against it. Statements about all amounts come first, then the
 * signs of most headers, the signs of the amounts, what the document means by a dollar, and the registrant's tags.
 */
function readCurrency(tables: TablePages, words: TableText, tagged: readonly Pick<EcdFact, "currency">[]) {
  const { inside, text } = words;
  const rows = tables.flatMap((table) => table.rows);
  const signs = new Set(rows.flatMap(signsIn));
  const { columns, titles } = tables[0].sections[0] ?? tables[0];
  const headers = signsOfHeaders(columns);
  const counts = [...Map.groupBy(headers, (sign) => sign)].toSorted(
    ([, one], [, two]) => two.length - one.length,
  );
  const [most] = counts[0] ?? [];
  const own = most === "$" ? undefined : most;
  const [stated, ...others] = new Set(statedIn(words, tables[0].above.slice(-3), titles));
  const isOpen = stated === undefined && own === undefined;
  const beside = isOpen ? currencyOfSigns(tables, rows, [...signs], most === "$") : undefined;
  const isSpelled = headersOf(columns).some((one) => /JPY|\byen\b/i.test(one));
  const isYuan = own === "JPY" && !isSpelled && /\bRMB\b|\bRenminbi\b/i.test(text);
  const [unit, ...units] = new Set(tagged.flatMap((fact) => fact.currency ?? []));
  const registrant = units.length === 0 ? unit : undefined;
  const found = stated ?? (isYuan ? "CNY" : own) ?? beside ?? dollarOf(text, words);
  const currency = found ?? registrant ?? "USD";
  // A `$` can be the sign of any dollar.
  const isAgainst = (sign: string | undefined) =>
    sign !== undefined && sign !== (isYuan ? "JPY" : currency) && !(sign === "$" && DOLLARS.test(currency));
  const other =
    [...others, ...headers, ...signs, registrant].find(isAgainst) ??
    inside.find((one) => isOther(one, currency));
  return { currency, against: isYuan && /\byen\b|\bJPY\b/i.test(text) ? "¥" : other };
}

/** The currency, or a bare `$`, in the header of each amount, apart from columns that only translate another one. */
function signsOfHeaders(columns: readonly TableColumn[]): readonly string[] {
  const signs = columns
    .filter(({ meaning }) => AMOUNTS.has(meaning))
    .map(({ path, meaning }) => ({ isTotal: meaning === "total_compensation", words: path.join(" ") }))
    .filter(({ words }) => !CURRENCY_STATEMENTS.has(words, "convenience"))
    .map(({ isTotal, words }) => ({ isTotal, sign: signIn(words) }));
  // Of two totals in two currencies, the one that no other column shares is a translation.
  const hasTwo = signs.filter(({ isTotal }) => isTotal).length > 1;
  const isShared = (one: string | undefined) => signs.some(({ isTotal, sign }) => !isTotal && sign === one);
  return signs.flatMap(({ isTotal, sign }) => (isTotal && hasTwo && !isShared(sign) ? [] : (sign ?? [])));
}

/** The currency that words name or a bare `$`. */
function signIn(words: string): string | undefined {
  return CURRENCIES.find(words)?.means ?? (words.includes("$") ? "$" : undefined);
}

/** Whether a header or band names a currency other than the first header's. */
function isOther(words: string, currency: string): boolean {
  if (CURRENCY_STATEMENTS.has(words, "single amounts")) return false;
  const named = CURRENCIES.find(words)?.means;
  return named === undefined ? words.includes("$") && !DOLLARS.test(currency) : named !== currency;
}

/** The currencies that sentences, and captions in brackets, give for all amounts. */
function statedIn(
  { above, below }: TableText,
  blocks: readonly string[],
  titles: readonly string[],
): readonly string[] {
  const sentences = [above, below, ...titles]
    .flatMap((words) => words.replaceAll("U.S.", "US").split(/(?<=[.;])\s/))
    .filter((sentence) => !CURRENCY_STATEMENTS.has(sentence, "single amounts"));
  const named = sentences.flatMap((sentence) => OF_ALL.flatMap((pattern) => [...sentence.matchAll(pattern)]));
  const captions = [...blocks, ...titles].flatMap((block) =>
    block.length < MAX_HEADING ? (block.match(/\([^()]+\)/g) ?? []) : [],
  );
  return [...named.map((match) => match.groups?.["what"] ?? ""), ...captions].flatMap(
    (words) => firstIn(words) ?? [],
  );
}

/** The currency named first in words. */
function firstIn(words: string): string | undefined {
  const found = CURRENCIES.entries.map(({ means, pattern }) => ({ means, at: words.search(pattern) }));
  return found.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)[0]?.means;
}

/** Mentions of other dollars that are examined, and the characters read before and after each. */
const MAX_MENTIONS = 40;
const BEFORE = 400;
const AFTER = 60;

/** The meaning of a bare `$` in the document: `all references to "$" are to Canadian dollars`. ISO 4217; undefined if it gives none. */
function dollarOf(text: string, { above, below }: TableText): string | undefined {
  for (const words of [above, below]) {
    const whose = CURRENCY_STATEMENTS.find(words, "whose dollar")?.pattern.exec(words)?.groups?.["whose"];
    if (whose !== undefined) return CURRENCIES.find(`${whose} dollars`)?.means;
  }
  for (const { index, 0: named } of [...text.matchAll(OTHER_DOLLARS)].slice(0, MAX_MENTIONS)) {
    const words = stripTags(sliceBetweenTags(text, index - BEFORE, index + named.length + AFTER));
    const match = CURRENCY_STATEMENTS.find(words, "whose dollar")?.pattern.exec(words);
    if (match?.groups?.["whose"] === undefined) continue;
    // The sentence that says so, from the previous full stop.
    const sentences = words.slice(0, match.index + match[0].length).split(/[.;]\s/);
    if (!CURRENCY_STATEMENTS.has(sentences.at(-1) ?? "", "one part"))
      return CURRENCIES.find(`${match.groups["whose"]} dollars`)?.means;
  }
  return undefined;
}

/** The signs next to a row's amounts: currencies, or a bare `$`. */
function signsIn({ slots }: YearRow): readonly string[] {
  const cells = slots.flatMap((slot) => (AMOUNTS.has(slot.column.meaning) ? slot.cells : []));
  const signed = cells.filter(({ text }) => /\d/.test(text) || isCurrencySign(text));
  return signed.flatMap(({ text }) => signIn(text) ?? []);
}

/** The only currency whose sign is next to the amounts, if the headers name none. */
function currencyOfSigns(
  tables: readonly Candidate[],
  rows: readonly YearRow[],
  [only, ...more]: readonly string[],
  isDollar: boolean,
): string | undefined {
  if (only === undefined || only === "$" || more.length > 0) return undefined;
  const firsts = tables.flatMap(({ people }) => people.flatMap(({ rows: [first] }) => first ?? []));
  const signed = rows.filter((row) => signsIn(row).length > 0);
  // Every person's first row has a sign, or only the first person's.
  const regular =
    firsts.every((row) => signed.includes(row)) || (signed.length === 1 && signed[0] === firsts[0]);
  return regular && (!isDollar || DOLLARS.test(only)) ? only : undefined;
}
