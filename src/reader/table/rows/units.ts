import { hundredthsOf, MILLION } from "../../values/amounts.ts";
import { tidy } from "../../text.ts";
import { problemOf, type ReadingProblem } from "../../problem.ts";
import { SCALES } from "../../lexicon/units.ts";
import { headingAbove, type Candidate } from "../choice/candidates.ts";
import { readCurrency, type TableText } from "./currency.ts";
import { blocksOf, readBoundary } from "../choice/between-tables.ts";
import { isNote } from "../../values/footnote-markers.ts";
import { ownCells } from "../grid/grid.ts";
import type { Column, Section } from "../header/columns.ts";
import { MAX_HEADING } from "../header/others.ts";
import { beginsTable } from "../choice/heading.ts";
import type { Located, Region } from "../grid/locate.ts";

/** The scale and currency of printed numbers. */
interface Units {
  /** Units of the currency per printed unit: 1, 1,000 or 1,000,000. */
  readonly scale: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly problems: readonly ReadingProblem[];
}

const THOUSANDS = SCALES.anyOf("i", "thousands");
const BELOW = SCALES.anyOf("i", "thousands below");
const MILLIONS = SCALES.anyOf("i", "millions");
/** A salary printed above this is not in thousands. */
const MAX_IN_THOUSANDS = 20_000;
/** If every salary is printed below this, thousands may be meant. */
const LEAST_IN_UNITS = 3000;
/** Characters of the remarks below a table that are read. */
const MAX_REMARKS = 1000;

/** The salaries as printed, except 0. */
function salariesOf(table: Candidate): number[] {
  return table.rows
    .flatMap((row) => row.slots)
    .filter((slot) => slot.column.meaning === "salary")
    .map((slot) => hundredthsOf(slot.readings[0]) / 100)
    .filter((salary) => salary > 0);
}

/** The text from the table's own title on, or the last 220 characters before the table. */
function aboveOf(heading: string): string {
  const at = heading.toLowerCase().lastIndexOf("summary compensation");
  return at >= 0 && heading.length - at < 600 ? heading.slice(at) : heading.slice(-220);
}

/**
 * Reads the scale and currency of the pages of one table from the first page's column headers, titles and the text right above it;
 * if these give no scale, from the remarks below.
 */
export function readUnits(located: Located, tables: readonly [Candidate, ...Candidate[]]): Units {
  const [table] = tables;
  const above = aboveOf(headingOf(located, table));
  const below = remarksBelow(located.text, tables.at(-1) ?? table);
  const [header = "", ...headers] = tables.flatMap(({ sections }) => sections).map(headerOf);
  const inside = [...headers, ...tables.flatMap(bandsOf)];
  const words: TableText = { header, above, below, inside, text: located.text };
  const { currency, against } = readCurrency(tables, words);
  const { scale, unclear } = readScale(table, words, currency);
  const otherScale = inside.find((words) => ![undefined, scale].includes(scaleIn(words)));
  const doubts = unclear === undefined ? [] : [unclear];
  if (against !== undefined) doubts.push(`Some amounts may not be in ${currency}: "${against.slice(0, 80)}"`);
  if (otherScale !== undefined)
    doubts.push(`Some amounts have a scale of their own: "${otherScale.slice(0, 80)}"`);
  return {
    scale,
    currency,
    problems: doubts.map((message) => problemOf("units_unclear", message)),
  };
}

/** The column headers and titles of a section. */
function headerOf({ columns, titles }: Section): string {
  return [...headersOf(columns), ...titles].join(" | ");
}

function headersOf(columns: readonly Column[]): readonly string[] {
  return columns.filter(({ meaning }) => meaning !== "count").flatMap(({ path }) => path);
}

/** Text alone on a row between the first and the last year; it may apply to the rows below it. */
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

/** The scale named in text. */
function scaleIn(words: string): number | undefined {
  return THOUSANDS.test(words) ? 1000 : MILLIONS.test(words) ? MILLION : undefined;
}

/** Reads the units per printed unit, with doubts. */
function readScale(
  table: Candidate,
  { header, above, below }: TableText,
  currency: string,
): { scale: number; unclear: string | undefined } {
  const columns = table.sections[0]?.columns ?? table.columns;
  const salaries = salariesOf(table);
  const under = (limit: number): boolean => currency !== "USD" || salaries.every((salary) => salary < limit);
  // Text around a table may be about something else: no salary is tens of millions of dollars.
  const small = under(MAX_IN_THOUSANDS);
  const inHeader = THOUSANDS.exec(header);
  const saidAbove = small ? THOUSANDS.exec(above) : null;
  const saidBelow = small ? BELOW.exec(below) : null;
  const said = inHeader ?? saidAbove ?? (under(LEAST_IN_UNITS) ? saidBelow : null);
  const millions =
    MILLIONS.exec(header) ?? (SCALES.has(above.trim(), "millions above") ? MILLIONS.exec(above) : null);
  const scale = said === null ? (millions === null ? 1 : MILLION) : 1000;
  const saying = headersOf(columns).filter((one) => THOUSANDS.test(one)).length;
  const amounts = columns.filter(({ meaning }) => meaning === "total_compensation" || meaning === "salary");
  const tiny =
    scale === 1 &&
    table.people.length > 1 &&
    salaries.length > 1 &&
    salaries.every((salary) => salary < LEAST_IN_UNITS);
  const someYears = SCALES.find(`${header} | ${above}`, "some years")?.pattern.exec(
    `${header} | ${above}`,
  )?.[0];
  const vague = SCALES.has(small ? `${header} ${above.slice(-160)}` : header, "unclear");
  let unclear: string | undefined;
  if (someYears !== undefined)
    return { scale: 1, unclear: `"${someYears}" gives only some years another scale` };
  if (inHeader !== null && !small) unclear = `The salaries are too large for "${inHeader[0]}" in the headers`;
  else if (saying > 0 && saying < amounts.length) unclear = "Only some column headers mention thousands";
  else if (tiny) unclear = "Every salary is so small that thousands may be meant";
  else if (said === null && (saidBelow !== null || vague))
    unclear = "The text around the table mentions thousands unclearly";
  return { scale, unclear };
}

/** Tables right before the first one that may contain only its headers or a name. */
const MAX_BEFORE = 3;

/** The text above a table and, if only a page break separates it from a table with pay headers, the text above that one. */
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
    // The title above the first page counts; later ones repeat it.
    words = `${top} ${words.replace(/summary\s+compensation/gi, "")}`;
    first = before;
  }
  return words;
}

/** Text in the rows after the last year and right below the table, except sentences about something else. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const behind = region.closed
    ? blocksOf(text.slice(region.end, region.end + 3000).split(/<table\b/i, 1)[0] ?? "")
    : [];
  // A line without a full stop is the heading of the next section, unless it is only about units.
  const remarks = behind.filter(
    (block) => isNote(block) || /[.;]$/.test(block) || SCALES.has(block, "remark"),
  );
  return tidy([...inside.slice(0, 40), ...remarks].join(" ").slice(0, MAX_REMARKS))
    .split(/(?<=[.;])\s/)
    .filter((sentence) => !SCALES.has(sentence.replace(/\bexcept\b.*/i, ""), "something else"))
    .join(" ");
}
