import { FOREIGN_HEADERS } from "../lexicon/column-headers.ts";
import { meaningOf, oldHeaders } from "./column-headers.ts";
import { carry } from "./continuation.ts";
import { isDataRow, PARTS, readHeader, readSections, type Section } from "./header.ts";
import { buildGrid, type Grid } from "./grid.ts";
import type { Located, Region } from "./locate.ts";
import { isTextual, textGrids, wholeText } from "./preformatted.ts";
import { isMoneyLike, readMoney } from "./amounts.ts";
import { readPeople, type Person } from "./people.ts";
import { readSlots, type SectionRows, type YearRow } from "./cells.ts";
import { letters, stripTags, tidy } from "../document/text.ts";

/** A table read as far as its grid allows, with how much it is like the Summary Compensation Table. */
export interface Candidate {
  readonly region: Region;
  readonly grid: Grid;
  readonly sections: readonly Section[];
  readonly read: readonly SectionRows[];
  readonly people: readonly Person[];
  readonly rows: readonly YearRow[];
  /** Text right before the table. */
  readonly heading: string;
  readonly score: number;
  /** What spoke for and against it. */
  readonly reasons: readonly string[];
  /** Why it cannot be the table, if so. */
  readonly wrong: "old_layout" | "foreign_layout" | "no_total" | "no_years" | "no_parts" | null;
}

const HEADING_CHARACTERS = 6000;

/** The running text that ends where the region starts. */
export function headingOf(text: string, region: Region, before: number): string {
  const from = Math.max(before, region.start - HEADING_CHARACTERS);
  const cut = text.slice(from, region.start);
  return stripTags(cut.slice(cut.indexOf(">") < 200 ? cut.indexOf(">") + 1 : 0)).slice(-700);
}

/** Reads one grid as if it were the table. */
export function readCandidate(text: string, located: Located, region: Region, grid: Grid): Candidate {
  const sections = readSections(grid);
  const previous = located.regions.findLast((one) => one.end <= region.start && one !== region);
  return assess(region, grid, sections, headingOf(text, region, previous?.end ?? 0));
}

/** Judges a grid with the columns that were read for it. */
export function assess(region: Region, grid: Grid, sections: readonly Section[], heading: string): Candidate {
  const read = sections.map((section) => readSlots(grid, section));
  const rows = read.flatMap((one) => one.years);
  const people = readPeople(read);
  const meanings = new Set(sections.flatMap((section) => section.columns.map((column) => column.meaning)));
  const captions = sections.flatMap((section) => section.columns.flatMap((column) => column.path));
  const reasons: string[] = [];
  let score = 0;
  const say = (points: number, reason: string): void => {
    score += points;
    reasons.push(`${points > 0 ? "+" : ""}${points} ${reason}`);
  };
  const parts = [...meanings].filter((meaning) => PARTS.has(meaning)).length;
  say(parts, `${parts} columns of Item 402(c)`);
  const all = letters(captions.join(" "));
  if (all.includes("allothercomp")) say(3, "all other compensation");
  if (/nonequityincentiveplan/.test(all)) say(2, "non-equity incentive plan");
  if (/stockawards|optionawards/.test(all)) say(2, "stock or option awards");
  if (/nameand?principalposition/.test(all)) say(2, "name and principal position");
  if (meanings.has("year")) say(2, "a column of years");
  const near =
    letters(heading.slice(-350)) + letters(sections.flatMap((section) => section.titles).join(" "));
  if (/summarycompensationtable|summarycompensation$|summaryofcompensation/.test(near)) say(5, "heading");
  const above = heading.slice(-260);
  if (
    /\b(?:realized|realizable|supplemental|alternative|annualized|performance year|total direct|target (?:total )?(?:direct )?compensation|not a substitute|differs? from|modified|adjusted|normalized|pro forma|reconciliation)\b/i.test(
      above,
    )
  )
    say(-5, "heading of another view of pay");
  if (/director compensation|compensation of (?:non-employee )?directors/i.test(above)) say(-5, "directors");
  const other = letters(captions.join(" "));
  if (/target|realiz|performanceyear|payversus|actuallypaid|annualized/.test(other))
    say(-5, "captions of another view of pay");
  const unknown = sections
    .flatMap((section) => section.columns)
    .filter((column) => column.meaning === "unknown").length;
  if (unknown > 1) say(-unknown, `${unknown} captions unknown to Item 402(c)`);
  const named = people.filter((person) => person.name !== "").length;
  if (named > 0) say(2, `${named} people`);
  const sums = rows.length === 0 ? 0 : rows.filter(adds).length / rows.length;
  say(Math.round(sums * 4), `${Math.round(sums * 100)}% of rows add up`);
  return { region, grid, sections, read, people, rows, heading, score, reasons, wrong: wrongOf() };

  function wrongOf(): Candidate["wrong"] {
    const old = oldHeaders(captions);
    if (FOREIGN_HEADERS.has(all, "canadian") && !/stockawards/.test(all)) return "foreign_layout";
    if (old.only > 0 && old.all >= 2 && !meanings.has("non_equity_incentive")) return "old_layout";
    if (!meanings.has("total_compensation")) return old.all > 0 ? "old_layout" : "no_total";
    if (parts < 1 || (!meanings.has("salary") && !/summarycompensation/.test(near) && parts < 3))
      return "no_parts";
    // Directors are paid fees: without a salary only the heading can tell the table from theirs.
    const fees = sections
      .flatMap((section) => section.columns)
      .every((column) => column.meaning !== "salary" || meaningOf(column.path) === "fees");
    if (fees && (!/summarycompensation/.test(near) || /director/i.test(above))) return "no_parts";
    return rows.length === 0 ? "no_years" : null;
  }
}

function adds(row: YearRow): boolean {
  let sum = 0;
  let total = 0;
  for (const slot of row.slots) {
    const reading = slot.torn ? undefined : readMoney(slot.texts)[0];
    const value = reading?.kind === "amount" ? reading.hundredths : 0;
    if (PARTS.has(slot.column.meaning)) sum += value;
    if (slot.column.meaning === "total_compensation") total = value;
  }
  return sum === total;
}

/** Builds the grids of all promising tables and reads them. */
export function readCandidates(text: string, located: Located): Candidate[] {
  const tables = located.candidates
    .filter((region) => region.kind === "table")
    .slice(0, 80)
    .map((region) => ({ region, grid: buildGrid(text, region, located.styles) }))
    .filter(({ grid }) => grid.rows.length > 0);
  return [...tables, ...textGrids(text, located)].map(({ region, grid }) =>
    readCandidate(text, located, region, grid),
  );
}

function gridOf(text: string, located: Located, region: Region): Grid {
  return isTextual(text, region) ? wholeText(text, region) : buildGrid(text, region, located.styles);
}

/** What follows the chosen table: tables that carry it on, and one that should have but could not be tied to its columns. */
export interface Continued {
  readonly tables: readonly Candidate[];
  readonly byOrder: readonly number[];
  readonly unread: Region | undefined;
}

/** Tables right after the chosen one that carry on without saying what their columns are, or with the same header. */
export function continuations(text: string, located: Located, chosen: Candidate): Continued {
  const tables: Candidate[] = [];
  const byOrder: number[] = [];
  let last = chosen;
  const at = located.regions.indexOf(chosen.region);
  for (const region of located.regions.slice(at + 1, at + 12)) {
    if (region.start < last.region.end) continue;
    const between = text.slice(last.region.end, region.start);
    if (between.length > 30_000) break;
    const words = stripTags(between.slice(between.indexOf(">") + 1));
    const section = last.sections.at(-1);
    if (words.length > 700 || section === undefined) break;
    const grid = gridOf(text, located, region);
    if (grid.rows.every((row) => row.every((cell) => cell.text === ""))) continue;
    const own = readSections(grid);
    if (own.length > 0) {
      const read = assess(region, grid, own, tidy(words));
      if (
        read.wrong !== null ||
        !samePath(read, chosen) ||
        isAnotherView(read) ||
        /\bdirectors?\b/i.test(words.slice(-120))
      )
        break;
      tables.push(read);
      last = read;
      continue;
    }
    const ways = carry(grid, section, last.grid.width).map((way) => ({
      way,
      read: assess(region, way.grid, [way.section], ""),
    }));
    const fit = ways.find(
      ({ read }) => read.rows.length > 0 && read.rows.filter(adds).length >= read.rows.length * 0.7,
    );
    if (fit !== undefined) {
      tables.push(fit.read);
      if (fit.way.byOrder) byOrder.push(region.ordinal);
      last = fit.read;
    } else if (isNoteTable(grid)) continue;
    else
      return { tables, byOrder, unread: likeRows(grid, chosen) && words.length < 250 ? region : undefined };
  }
  return { tables, byOrder, unread: undefined };
}

/** Tables right before the chosen one with the same header: pages of one table, of which a later one scored best. */
export function precedents(text: string, located: Located, chosen: Candidate): Candidate[] {
  const tables: Candidate[] = [];
  let next = chosen;
  const at = located.regions.indexOf(chosen.region);
  for (const region of located.regions.slice(Math.max(0, at - 6), Math.max(0, at)).toReversed()) {
    if (region.end > next.region.start) continue;
    const between = text.slice(region.end, next.region.start);
    if (between.length > 12_000) break;
    const words = stripTags(between.slice(between.indexOf(">") + 1));
    if (words.length > 250) break;
    const grid = gridOf(text, located, region);
    if (grid.rows.every((row) => row.every((cell) => cell.text === ""))) continue;
    const read = readCandidate(text, located, region, grid);
    if (
      read.wrong !== null ||
      !samePath(read, chosen) ||
      !sameCaptions(read, chosen) ||
      isAnotherView(read) ||
      sharesRows(read, chosen) ||
      read.rows.length === 0
    )
      break;
    tables.unshift(read);
    next = read;
  }
  return tables;
}

function isAnotherView(table: Candidate): boolean {
  return table.reasons.some((reason) => reason.includes("another view of pay"));
}

/** Whether two tables have a row of the same person and year: no page of a table repeats another one's. */
function sharesRows(one: Candidate, other: Candidate): boolean {
  const keys = (table: Candidate): string[] =>
    table.people.flatMap((person) => person.rows.map((row) => `${letters(person.name)} ${row.year.year}`));
  const known = new Set(keys(one));
  return keys(other).some((key) => known.has(key));
}

function sameCaptions(one: Candidate, other: Candidate): boolean {
  const words = (candidate: Candidate): string =>
    letters(candidate.sections[0]?.columns.flatMap((column) => column.path).join(" ") ?? "");
  return words(one) === words(other);
}

/** Whether a grid without captions has rows like those of the table: a year with most of its amounts, or any in as many columns. */
function likeRows(grid: Grid, chosen: Candidate): boolean {
  if (grid.width === chosen.grid.width && grid.width > 4 && grid.rows.some(isDataRow)) return true;
  const columns = chosen.sections[0]?.columns.length ?? 0;
  return grid.rows.some(
    (row, at) =>
      isDataRow(row, at) &&
      row.filter((cell) => cell.row === at && cell.text !== "" && isMoneyLike(cell.text)).length >=
        columns * 0.6,
  );
}

/** Captions in a table of their own, with the rows in the next one. */
export function headersApart(text: string, located: Located): { candidate: Candidate; byOrder: boolean }[] {
  const out: { candidate: Candidate; byOrder: boolean }[] = [];
  for (const header of located.headers.slice(0, 20)) {
    const next = located.regions.find((region) => region.start >= header.end);
    if (next === undefined || next.kind !== "table" || next.start - header.end > 4000) continue;
    const captions = buildGrid(text, header, located.styles);
    const section = readHeader(captions);
    const body = buildGrid(text, next, located.styles);
    if (section === undefined || readSections(body).length > 0) continue;
    const previous = located.regions.findLast((one) => one.end <= header.start);
    const heading = headingOf(text, header, previous?.end ?? 0);
    const ways = carry(body, section, captions.width).map((way) => ({
      candidate: assess(next, way.grid, [{ ...way.section, titles: section.titles }], heading),
      byOrder: way.byOrder,
    }));
    const fit = ways.find(
      ({ candidate }) =>
        candidate.wrong === null && candidate.rows.filter(adds).length >= candidate.rows.length * 0.7,
    );
    if (fit !== undefined) out.push(fit);
  }
  return out;
}

function isNoteTable(grid: Grid): boolean {
  return grid.rows.length <= 3 && !grid.rows.some((row, at) => isDataRow(row, at));
}

function samePath(one: Candidate, other: Candidate): boolean {
  const shape = (candidate: Candidate): string =>
    [...new Set(candidate.sections.flatMap((section) => section.columns.map((column) => column.meaning)))]
      .filter((meaning) => PARTS.has(meaning) || meaning === "total_compensation")
      .sort()
      .join();
  return shape(one) === shape(other);
}
