import { isNote } from "./footnote-markers.ts";
import { officeOfTitle } from "../officers/titles.ts";
import { FOREIGN_HEADERS, type Meaning } from "../lexicon/column-headers.ts";
import { amountIn, planColumns } from "./column-plan.ts";
import { meaningOf, oldHeaders } from "./column-headers.ts";
import { PARTS, readSections, type Section } from "./header.ts";
import { buildGrid, type Grid } from "./grid.ts";
import type { Located, Region } from "./locate.ts";
import { isTextual, textGrids, wholeText } from "./preformatted.ts";
import { readPeople, type Person } from "./people.ts";
import { readSlots, type SectionRows, type YearRow } from "./cells.ts";
import { letters } from "../document/text.ts";
import { blocksOf, isArtifact, namesTable, UNITS } from "./between-tables.ts";
import { hasOfficerTitle } from "./names.ts";
import { dateByHeading } from "./undated.ts";
import { HEADINGS } from "../lexicon/headings.ts";

/** A table read as far as its grid allows, with how much it is like the Summary Compensation Table. */
export interface Candidate {
  readonly region: Region;
  readonly grid: Grid;
  readonly sections: readonly Section[];
  readonly read: readonly SectionRows[];
  readonly people: readonly Person[];
  readonly rows: readonly YearRow[];
  /** Text right before the table, and the blocks that it is made of. */
  readonly heading: string;
  readonly above: readonly string[];
  /** The heading that names the year of every row, where the table has no column of years. */
  readonly yearFrom?: string;
  readonly score: number;
  /** What spoke for and against it. */
  readonly reasons: readonly string[];
  /** Why it cannot be the table, if so. */
  readonly wrong:
    "old_layout" | "foreign_layout" | "no_total" | "no_years" | "no_parts" | "other_people" | null;
}

const HEADING_CHARACTERS = 6000;
/** Tables that are read of one document. */
const MAX_CANDIDATES = 80;

/** The blocks of text that end where the region starts, back to the table before it. */
export function headingOf(text: string, region: Region, before: number): readonly string[] {
  const from = Math.max(before, region.start - HEADING_CHARACTERS);
  const cut = text.slice(from, region.start);
  return blocksOf(cut.slice(cut.indexOf(">") < 200 ? cut.indexOf(">") + 1 : 0));
}

/** Reads one grid as if it were the table; one without years with the year of its heading. */
export function readCandidate(text: string, located: Located, region: Region, grid: Grid): Candidate {
  const previous = located.regions.findLast((one) => one.end <= region.start && one !== region);
  const above = headingOf(text, region, previous?.end ?? 0);
  const sections = readSections(grid);
  const dated = sections.length === 0 ? dateByHeading(grid, above) : undefined;
  if (dated === undefined) return assess(region, grid, sections, above);
  return { ...assess(region, dated.grid, readSections(dated.grid), above), yearFrom: dated.words };
}

/** Judges a grid with the columns that were read for it. */
export function assess(
  region: Region,
  grid: Grid,
  sections: readonly Section[],
  above: readonly string[],
): Candidate {
  const heading = above.join(" ").slice(-700);
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
  const inside = calledBy(sections.flatMap((section) => section.titles));
  const called = calledBy(above) === "nothing" ? inside : calledBy(above);
  if (called === "title") say(12, "its own title");
  else if (called === "other people") say(-8, "heading of other people");
  else if (/summarycompensationtable|summarycompensation$|summaryofcompensation/.test(near))
    say(5, "heading");
  if (HEADINGS.has(heading.slice(-260), "other_view")) say(-5, "heading of another view of pay");
  const other = letters(captions.join(" "));
  if (/target|realiz|performanceyear|payversus|actuallypaid|annualized/.test(other))
    say(-5, "captions of another view of pay");
  const unknown = sections
    .flatMap((section) => section.columns)
    .filter((column) => column.meaning === "unknown").length;
  if (unknown > 1) say(-unknown, `${unknown} captions unknown to Item 402(c)`);
  const named = people.filter((person) => person.name !== "").length;
  if (named > 0) say(2, `${named} people`);
  if (named > 0 && !people.some((person) => hasOfficerTitle(person.title ?? "")))
    say(-3, "nobody with an office");
  const sums = shareOfSums(rows);
  say(Math.round(sums * 4), `${Math.round(sums * 100)}% of rows add up`);
  return { region, grid, sections, read, people, rows, heading, above, score, reasons, wrong: wrongOf() };

  function wrongOf(): Candidate["wrong"] {
    const old = oldHeaders(captions);
    if (FOREIGN_HEADERS.has(all, "canadian") && !/stockawards/.test(all)) return "foreign_layout";
    if (old.only > 0 && old.all >= 2 && !meanings.has("non_equity_incentive")) return "old_layout";
    if (!meanings.has("total_compensation")) return old.all > 0 ? "old_layout" : "no_total";
    if (parts < 1 || (!meanings.has("salary") && !/summarycompensation/.test(near) && parts < 3))
      return "no_parts";
    if (called === "other people" && !people.some((person) => officeOfTitle(person.title, "peo") !== "none"))
      return "other_people";
    // Directors are paid fees: without a salary only the heading can tell the table from theirs.
    const fees = sections
      .flatMap((section) => section.columns)
      .every((column) => column.meaning !== "salary" || meaningOf(column.path) === "fees");
    if (fees && (!/summarycompensation/.test(near) || called === "other people")) return "no_parts";
    return rows.length === 0 ? "no_years" : null;
  }
}

/** A longer block is a sentence, not a heading. */
const MAX_HEADING = 120;
/** Blocks right above a table that can say that it is about other people. */
const MAX_NEAR = 4;

/** What the blocks above a table call it, the nearest first: a title counts unless another heading follows it. */
function calledBy(above: readonly string[]): "title" | "other people" | "nothing" {
  const near = above.filter((one) => !isArtifact(one) && !isNote(one)).toReversed();
  // Further up, or above a sentence about the executive officers, other people belong to another part of the document.
  let others = MAX_NEAR;
  let between = false;
  for (const [at, block] of near.entries()) {
    const heading = block.length < MAX_HEADING && !/[.;:,]$/.test(block);
    if (HEADINGS.has(block, "summary_compensation")) return between ? "nothing" : "title";
    const named = /(?<!\bnot one of )\b(?:our|each|the|its|these) (?:named executive officers|neos)\b/i.test(
      block,
    );
    const ours = namesTable(block) || /\bexecutives?\b|(?<!not )\bofficers?\b/i.test(block);
    const theirs =
      (HEADINGS.has(block, "others_only") && !named && (heading || !namesTable(block))) ||
      (HEADINGS.has(block, "other_people") && !ours);
    if (theirs && at < others) return "other people";
    if (!heading && namesTable(block)) return "nothing";
    if (ours && !theirs) others = 0;
    between ||= heading && !HEADINGS.has(block, "group") && !UNITS.test(block);
  }
  return "nothing";
}

/** Share of a table's rows whose amounts add up to their total; 0 for none. */
export function shareOfSums(rows: readonly YearRow[]): number {
  const plan = planColumns(rows);
  const fits = rows.filter((row) => {
    const sumOf = (wanted: (meaning: Meaning) => boolean): number =>
      row.slots
        .filter(({ column }) => wanted(plan.get(column) ?? column.meaning))
        .reduce((sum, { column }) => sum + amountIn(row, column), 0);
    return sumOf((meaning) => PARTS.has(meaning)) === sumOf((meaning) => meaning === "total_compensation");
  });
  return rows.length === 0 ? 0 : fits.length / rows.length;
}

/** Builds the grids of all promising tables and reads them. */
export function readCandidates(text: string, located: Located): Candidate[] {
  const tables = [...located.candidates.filter((region) => region.kind === "table"), ...located.headers]
    .slice(0, MAX_CANDIDATES)
    .map((region) => ({ region, grid: buildGrid(text, region, located.styles) }))
    .filter(({ grid }) => grid.rows.length > 0);
  return [...tables, ...textGrids(text, located)].map(({ region, grid }) =>
    readCandidate(text, located, region, grid),
  );
}

/** The grid of a region, whatever its kind. */
export function gridOf(text: string, located: Located, region: Region): Grid {
  return isTextual(text, region) ? wholeText(text, region) : buildGrid(text, region, located.styles);
}
