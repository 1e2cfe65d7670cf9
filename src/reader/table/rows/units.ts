import { hundredthsOf, MILLION } from "../../values/amounts.ts";
import { tidy } from "../../text.ts";
import { problemOf, type ReadingProblem } from "../../problem.ts";
import { SCALES } from "../../lexicon/units.ts";
import { headingAbove, type Candidate } from "../choice/candidates.ts";
import { readCurrency } from "./currency.ts";
import { blocksOf, readBoundary } from "../choice/between-tables.ts";
import { isNote } from "../../values/footnote-markers.ts";
import { ownCells } from "../grid/grid.ts";
import { MAX_HEADING, type Column, type Section } from "../header/header.ts";
import { beginsTable } from "../choice/heading.ts";
import type { Located, Region } from "../grid/locate.ts";

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
/** A salary printed above this is none in thousands. */
const MAX_IN_THOUSANDS = 20_000;
/** Where every salary is printed below this, thousands may be meant. */
const LEAST_IN_UNITS = 3000;
/** Characters of the remarks below a table that are looked at. */
const MAX_REMARKS = 1000;

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
  const above = aboveOf(headingOf(located, table));
  const below = remarksBelow(located.text, tables.at(-1) ?? table);
  const [corner = "", ...headers] = tables.flatMap(({ sections }) => sections).map(cornerOf);
  const inside = [...headers, ...tables.flatMap(bandsOf)];
  const { currency, against } = readCurrency(tables, {
    corner,
    around: [above, below],
    inside,
    text: located.text,
  });
  const { scale, unclear } = readScale(table, { corner, above, below, isDollars: currency === "USD" });
  const otherScale = inside.find((words) => ![undefined, scale].includes(scaleIn(words)));
  const doubts = [
    ...unclear,
    ...(against === undefined
      ? []
      : [`Some amounts may be in another currency than ${currency}: "${against.slice(0, 80)}"`]),
    ...(otherScale === undefined
      ? []
      : [`Some amounts have a scale of their own: "${otherScale.slice(0, 80)}"`]),
  ];
  return {
    scale,
    currency,
    problems: doubts.map((message) => problemOf("units_unclear", "columns", message)),
  };
}

/** What the column headers and titles of a section say. */
function cornerOf({ columns, titles }: Section): string {
  return [...headersOf(columns), ...titles].join(" | ");
}

function headersOf(columns: readonly Column[]): readonly string[] {
  return columns.filter(({ meaning }) => meaning !== "count").flatMap(({ path }) => path);
}

/** What stands alone on a row between those of the first and the last year: it may speak of the rows below it. */
function bandsOf({ grid, rows }: Candidate): readonly string[] {
  const years = rows.map(({ row }) => row);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return grid.rows.slice(first + 1, last).flatMap((row, at) => {
    const [only, ...more] = ownCells(row, first + 1 + at);
    return only === undefined || more.length > 0 || isNote(only.text)
      ? []
      : [only.text.slice(0, MAX_HEADING)];
  });
}

/** The scale that words name, if they do. */
function scaleIn(words: string): number | undefined {
  return THOUSANDS.test(words) ? 1000 : MILLIONS.test(words) ? MILLION : undefined;
}

/** Where a scale may be named, and whether amounts are dollars of the United States. */
interface ScaleWords {
  readonly corner: string;
  readonly above: string;
  readonly below: string;
  readonly isDollars: boolean;
}

/** How many units a printed one is, with what is doubtful about it. */
function readScale(
  table: Candidate,
  { corner, above, below, isDollars }: ScaleWords,
): { scale: number; unclear: readonly string[] } {
  const columns = table.sections[0]?.columns ?? table.columns;
  const salaries = salariesOf(table);
  const under = (limit: number): boolean => !isDollars || salaries.every((salary) => salary < limit);
  // Words around a table may speak of something else: nobody's salary is thousands of thousands of dollars.
  const small = under(MAX_IN_THOUSANDS);
  const inCorner = THOUSANDS.exec(corner);
  const saidAbove = small ? THOUSANDS.exec(above) : null;
  const saidBelow = small ? BELOW.exec(below) : null;
  const said = inCorner ?? saidAbove ?? (under(LEAST_IN_UNITS) ? saidBelow : null);
  const millions =
    MILLIONS.exec(corner) ?? (SCALES.has(above.trim(), "millions above") ? MILLIONS.exec(above) : null);
  const scale = said === null ? (millions === null ? 1 : MILLION) : 1000;
  const saying = headersOf(columns).filter((header) => THOUSANDS.test(header)).length;
  const amounts = columns.filter(({ meaning }) => meaning === "total_compensation" || meaning === "salary");
  const tiny =
    scale === 1 &&
    table.people.length > 1 &&
    salaries.length > 1 &&
    salaries.every((salary) => salary < LEAST_IN_UNITS);
  const unclear =
    tiny ||
    (said === null && saidBelow !== null) ||
    (said === null && SCALES.has(small ? `${corner} ${above.slice(-160)}` : corner, "unclear")) ||
    (inCorner !== null && !small) ||
    (saying > 0 && saying < amounts.length);
  const words = said ?? millions;
  const message =
    words === null
      ? "The words around the table speak of thousands in a way that is not known, or every salary is so small that thousands may be meant"
      : `Only some column headers say "${words[0]}"`;
  return { scale, unclear: unclear ? [message] : [] };
}

/** Tables right before the first one that can hold its headers or a name, and no amount. */
const MAX_BEFORE = 3;

/** The words above a table; where nothing but a page break stands between it and one with headers of pay, those above that one, too. */
function headingOf(located: Located, { heading, region }: Candidate): string {
  let words = heading;
  let top = heading;
  let first = region;
  for (let step = 0; step < MAX_BEFORE && !beginsTable(top); step++) {
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

/** What stands in the table's rows behind its last year, and right below it: nothing that is about something else. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const behind = region.closed
    ? blocksOf(text.slice(region.end, region.end + 3000).split(/<table\b/i, 1)[0] ?? "")
    : [];
  // A heading without a full stop is that of the next part, unless it is all about units.
  const remarks = behind.filter(
    (block) => isNote(block) || /[.;]$/.test(block) || SCALES.has(block, "remark"),
  );
  return tidy([...inside.slice(0, 40), ...remarks].join(" ").slice(0, MAX_REMARKS))
    .split(/(?<=[.;])\s/)
    .filter((sentence) => !SCALES.has(sentence.replace(/\bexcept\b.*/i, ""), "something else"))
    .join(" ");
}
