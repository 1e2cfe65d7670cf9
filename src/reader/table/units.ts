import { hundredthsOf } from "./amounts.ts";
import { stripTags, tidy } from "../document/text.ts";
import { problemOf, type ReadingProblem } from "../problem.ts";
import { CURRENCIES, CURRENCY_STATEMENTS, SCALES } from "../lexicon/units.ts";
import { headingAbove, type Candidate } from "./candidates.ts";
import { readBoundary } from "./between-tables.ts";
import { namesTable } from "./heading.ts";
import type { Located, Region } from "./locate.ts";

/** What the printed numbers stand for. */
interface Units {
  /** 1, 1,000 or 1,000,000 units of the currency a printed one. */
  readonly scale: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly problems: readonly ReadingProblem[];
}

const THOUSANDS = SCALES.anyOf("i", "thousands");
const BELOW = SCALES.anyOf("i", "thousands below");
const MILLIONS = SCALES.anyOf("i", "millions");
const OF_ALL = CURRENCY_STATEMENTS.entries
  .filter(({ means }) => means === "all amounts")
  .map(({ pattern }) => new RegExp(pattern.source, "gi"));

/** A salary printed above this is none in thousands. */
const MAX_IN_THOUSANDS = 20_000;
/** Where every salary is printed below this, thousands may be meant. */
const LEAST_IN_UNITS = 3000;

/** The salaries as they are printed, blanks left out. */
function salariesOf(table: Candidate): number[] {
  return table.rows
    .flatMap((row) => row.slots)
    .filter((slot) => slot.column.meaning === "salary")
    .map((slot) => hundredthsOf(slot.readings[0]) / 100)
    .filter((salary) => salary > 0);
}

/** The words from the table's own heading on, or the last ones before the table. */
function aboveOf(heading: string): string {
  const at = heading.toLowerCase().lastIndexOf("summary compensation");
  return at >= 0 && heading.length - at < 600 ? heading.slice(at) : heading.slice(-220);
}

/**
 * Reads what the numbers of tables that belong together stand for, from the first one's column headers and title rows and the last
 * words before it; where they say nothing of a scale, from the remarks below.
 */
export function readUnits(located: Located, tables: readonly [Candidate, ...Candidate[]]): Units {
  const [table] = tables;
  const { columns, titles } = table;
  const headers = columns.filter(({ meaning }) => meaning !== "count").flatMap(({ path }) => path);
  const corner = [...headers, ...titles].join(" | ");
  const above = aboveOf(headingOf(located, table));
  const below = remarksBelow(located.text, tables.at(-1) ?? table);
  const currency = currencyOf(corner, [above, below], dollarOf(located.text));
  const salaries = salariesOf(table);
  // Words around a table may speak of something else: nobody's salary is thousands of thousands of dollars.
  const small = currency !== "USD" || salaries.every((salary) => salary < MAX_IN_THOUSANDS);
  const inCorner = THOUSANDS.exec(corner);
  const said = inCorner ?? (small ? (THOUSANDS.exec(above) ?? BELOW.exec(below)) : null);
  const millions =
    MILLIONS.exec(corner) ?? (SCALES.has(above.trim(), "millions above") ? MILLIONS.exec(above) : null);
  const scale = said === null ? (millions === null ? 1 : 1_000_000) : 1000;
  const saying = headers.filter((header) => THOUSANDS.test(header)).length;
  const amounts = columns.filter(({ meaning }) => meaning === "total_compensation" || meaning === "salary");
  const tiny =
    scale === 1 &&
    table.people.length > 1 &&
    salaries.length > 1 &&
    salaries.every((salary) => salary < LEAST_IN_UNITS);
  const unclear =
    tiny ||
    (said === null && SCALES.has(small ? `${corner} ${above.slice(-160)}` : corner, "unclear")) ||
    (inCorner !== null && !small) ||
    (saying > 0 && saying < amounts.length);
  const words = said ?? millions;
  const message =
    words === null
      ? "The words above the table speak of thousands in a way that is not known, or every salary is so small that thousands may be meant"
      : `Only some column headers say "${words[0]}"`;
  return { scale, currency, problems: unclear ? [problemOf("units_unclear", "columns", message)] : [] };
}

/** What the column headers say; without that, what the words around the table say of all its amounts. */
function currencyOf(corner: string, around: readonly string[], dollar: string): string {
  const own = CURRENCIES.find(corner);
  if (own !== undefined) return own.means;
  if (around.some((words) => CURRENCIES.has(words, "USD"))) return "USD";
  const said = around
    .flatMap((words) => words.split(/(?<=[.;])\s/))
    .filter((sentence) => !CURRENCY_STATEMENTS.has(sentence, "single amounts"))
    .flatMap((sentence) => OF_ALL.flatMap((pattern) => [...sentence.matchAll(pattern)]))
    .map((match) => CURRENCIES.find(match.groups?.["what"] ?? "")?.means)
    .find((code) => code !== undefined);
  // A bare `$` in the column headers can be a dollar of Canada, Australia or Hong Kong, and nothing else.
  return said === undefined || (corner.includes("$") && !/^(?:CAD|AUD|HKD)$/.test(said)) ? dollar : said;
}

/** What the document says a bare `$` stands for: `all references to "$" are to Canadian dollars`. ISO 4217. */
function dollarOf(text: string): string {
  return text.includes("Canadian") && CURRENCY_STATEMENTS.has(text, "dollar is Canadian") ? "CAD" : "USD";
}

/** Tables right before the first one that can hold its headers or a name, and no amount. */
const MAX_BEFORE = 3;
const CONTINUED = /\bcont(?:inu|['’]?d|\.)/i;

/** The words above a table; where nothing but a page break stands between it and one with headers of pay, those above that one, too. */
function headingOf(located: Located, { heading, region }: Candidate): string {
  let words = heading;
  let top = heading;
  let first = region;
  for (let step = 0; step < MAX_BEFORE && !(namesTable(top) && !CONTINUED.test(top)); step++) {
    const { start }: Region = first;
    const before = located.regions.findLast((one) => one.end <= start);
    if (before === undefined || ![...located.headers, ...located.candidates].includes(before)) break;
    if (readBoundary(located, before.end, start).kind !== "same") break;
    top = headingAbove(located, before).join(" ").slice(-700);
    // The title is the one above the first page; what is continued only repeats it.
    words = `${top} ${words.replace(/summary\s+compensation/gi, "")}`;
    first = before;
  }
  return words;
}

/** What stands in the table's rows behind its last year, and right below it. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const behind = region.closed ? stripTags(text.slice(region.end, region.end + 3000)).slice(0, 300) : "";
  return tidy([...inside.slice(0, 40), behind].join(" "));
}
