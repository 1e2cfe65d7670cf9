/** Finds the other pages of the chosen table, by comparing it with the tables around it. */
import { elementAt } from "../../../lib/checked-access.ts";
import { type Office, OFFICES } from "../../../domain/officer-claims.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import type { ParsedFiling } from "../../parsed-filing.ts";
import { isCoChief, officeOfTitle } from "../../officers/titles.ts";
import { letters } from "../../clean-text.ts";
import { isMoneyLike } from "../../values/amounts.ts";
import { readYear } from "../../values/years.ts";
import { type Cell, type Grid, type Located, type Region, ownCells } from "../grid/grid.ts";
import { gridOf } from "../grid/preformatted.ts";
import { AMOUNTS, isDataRow, readSections, stackedYears } from "../header/header.ts";
import { shareOfSums } from "../cells/column-plan.ts";
import { splitName } from "../names/split-name.ts";
import type { Person } from "../people/people.ts";
import { type TablePages, ambiguous } from "../choice/choose.ts";
import { type Candidate, candidateOf, sameTotals } from "../choice/judge.ts";
import { readTable, readUnder } from "../read/read.ts";
import { dateByHeading } from "../read/undated.ts";
import {
  beginsTable,
  type Boundary,
  headingOf,
  judgeBlocks,
  namesTable,
  readBoundary,
} from "../heading/heading.ts";

/** Regions after and before the chosen table that are examined, and the characters between two pages. */
const MAX_AFTER = 40;
const MAX_BEFORE = 20;
const MAX_BETWEEN = 30_000;
const TITLE = "Summary Compensation Table";

/** Finds the pages of the chosen table, before and after it. */
export function findPages(located: Located, chosen: Candidate): TablePages | ParsedFiling {
  const { tables: before, rival } = pagesBeside(located, chosen, "before");
  if (rival !== undefined) return ambiguous(chosen, rival);
  const { tables: after } = pagesBeside(located, chosen, "after");
  const [first = chosen, ...rest] = [...before.toReversed(), chosen, ...after];
  return [first, ...rest];
}

/**
 * Finds tables right beside the chosen one that are pages of it: after it those that continue it, without column headers or with
 * the same ones; before it those with the same header, as a later page may have scored best. `rival` is another table that could
 * equally be the first page.
 */
function pagesBeside(located: Located, chosen: Candidate, side: "after" | "before") {
  const tables: Candidate[] = [];
  const isAfter = side === "after";
  const at = located.regions.indexOf(chosen.region);
  const regions = isAfter
    ? located.regions.slice(at + 1, at + 1 + MAX_AFTER)
    : located.regions.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)).toReversed();
  const beside = neighbours(located, regions, () => tables.at(-1) ?? chosen);
  for (const { region, grid, boundary, yearFrom } of beside) {
    const last = tables.at(-1) ?? chosen;
    // Other people's rows follow in the same table.
    if (isAfter && last.sections.some(({ endedBy }) => endedBy !== undefined)) break;
    const page = readPage(located, region, grid, last, isAfter);
    if (page === undefined) {
      if (boundary.words === undefined && resemblesTable(grid, last)) {
        const message = `The adjacent table ${region.ordinal} has years and amounts that could not be assigned to the columns; it was left out`;
        located.report("continuation_unread", message);
      }
      break;
    }
    const columns = compareColumns(page, chosen);
    const headed = boundary.words !== undefined || (!isAfter && boundary.headed);
    if (headed && columns !== "same") break;
    // After a page break, a page may omit empty columns.
    const fits =
      columns === "same" || (columns === "some" && !boundary.nothing && shareOfSums(page.rows) === 1);
    // A title between the two means that the table begins below it, unless the other one also has the title.
    const begins = headed && boundary.words === undefined && !namesTable(page.heading);
    const traits = { begins, fits, isAfter };
    const objection = objectionsTo([chosen, ...tables], page, boundary, traits).find(([holds]) => holds);
    if (objection !== undefined) {
      const [, why, either = false] = objection;
      const message = `Table ${region.ordinal} has the same columns and was left out: ${why}`;
      if (why !== "") located.report(either ? "several_tables" : "table_left_out", message);
      // A page without its own title may equally continue the table that was left out.
      const unsure = why !== "" && tables.length > 0 && last.headingKind !== "title";
      return { tables, rival: unsure ? region : undefined };
    }
    if (isAfter && beginsTable(page.heading)) {
      const heading = `although it has a heading of its own: "${page.heading.slice(-80)}"`;
      located.report("several_tables", `Table ${region.ordinal} was read as a continuation, ${heading}`);
    }
    tables.push(yearFrom === undefined ? page : { ...page, yearFrom });
  }
  return { tables, rival: undefined };
}

/**
 * Yields tables with rows next to the outermost page so far, and what is between them. An empty table or one of footnotes is skipped and counts as text
 * between the pages.
 */
function* neighbours(located: Located, regions: readonly Region[], outermost: () => Candidate) {
  for (const region of regions) {
    const page = outermost();
    const [first, second] = region.start < page.region.start ? [region, page.region] : [page.region, region];
    if (second.start < first.end) continue;
    if (second.start - first.end > MAX_BETWEEN) return;
    const boundary = readBoundary(located, first.end, second.start);
    const mayBeOthers = boundary.words !== undefined && !located.candidates.includes(region);
    // After other text, only a table that prints a year of the page may show the same pay, and is reported.
    const source = located.text.slice(region.start, region.end);
    const printsYear =
      page.yearFrom === undefined && page.rows.some(({ year }) => source.includes(year.label));
    if (mayBeOthers && (first === region || !printsYear)) return;
    const printed = gridOf(located, region);
    // A page of a table without a year column has the same year, unless another year is above it.
    const year = headingOf(located, region).findLast((block) => readYear(block) !== undefined);
    const yearFrom = page.yearFrom !== undefined && year !== undefined ? year : page.yearFrom;
    const grid = dateByHeading(printed, [TITLE, yearFrom ?? ""])?.grid ?? printed;
    const isBlank = boundary.words === undefined && isBlankPage(grid, page);
    if (isBlank || grid.rows.some(isDataRow)) yield { region, grid, boundary, yearFrom };
    else if (mayBeOthers) return;
  }
}

/** Whether a grid has names with years but no amounts: as wide as the page before it, or narrower, since blank cells may be left out. */
function isBlankPage(grid: Grid, page: Candidate): boolean {
  const rows = grid.rows.map(ownCells);
  const dated = rows.filter((own) => own.length <= 3 && own.some((cell) => stackedYears(cell).length > 0));
  if (grid.width === page.grid.width && grid.width > 4 && dated.some(({ length }) => length === 2))
    return true;
  return dated.length > 0 && rows.flat().some(({ lines }) => splitName(lines) !== undefined);
}

/** Reads a table as the page after `last` or before it, under its own header or the previous page's; undefined if neither fits. */
function readPage(located: Located, region: Region, grid: Grid, last: Candidate, isAfter: boolean) {
  const section = last.sections.at(-1);
  if (isAfter && section !== undefined && readSections(grid).length === 0) {
    const page = readUnder(located, region, grid, { ...section, titles: [] }, last.grid.width, []);
    return page === undefined ? undefined : candidateOf(page);
  }
  const read = candidateOf(readTable(located, region, grid));
  // Tables ruled out by their heading alone are reported.
  return [null, "other_people", "another_view"].includes(read.ruledOut) ? read : undefined;
}

/** Whether a grid without column headers resembles the table: the same width, or a row with a year and most amounts. */
function resemblesTable(grid: Grid, chosen: Candidate): boolean {
  if ((grid.width === chosen.grid.width && grid.width > 4) || isBlankPage(grid, chosen)) return true;
  const least = elementAt(chosen.sections, 0).columns.length * 0.6;
  const amounts = (own: readonly Cell[]) => own.filter(({ text }) => isMoneyLike(text)).length;
  return grid.rows.some((row, at) => isDataRow(row, at) && amounts(ownCells(row, at)) >= least);
}

/** Whether two tables have the same columns of Item 402(c), or one has some of the other's. */
function compareColumns(one: Candidate, other: Candidate): "same" | "some" | "different" {
  const columns = AMOUNTS.intersection(one.meanings);
  const others = AMOUNTS.intersection(other.meanings);
  if (columns.isSubsetOf(others)) return columns.size === others.size ? "same" : "some";
  return columns.isSupersetOf(others) ? "some" : "different";
}

/** Whether a table is printed twice: the same totals, not all blank, and at least half of the people. */
function isPrintedTwice(one: Candidate, other: Candidate): boolean {
  if (!sameTotals(one, other) || [...one.totals].every((total) => total === "")) return false;
  return one.names.intersection(other.names).size * 2 >= Math.min(one.names.size, other.names.size);
}

/** Whether a reason against a page holds, in words, and whether the page could be the Summary Compensation Table instead. */
type Objection = readonly [holds: boolean, why: string, either?: boolean];

/**
 * Reasons why a table next to some pages may not be one of them, the plainest first; one without words loses nothing,
 * because the pages contain the same rows. @param fits whether it has their columns
 */
function objectionsTo(
  pages: readonly Candidate[],
  other: Candidate,
  { nothing, words }: Boundary,
  { begins, fits, isAfter }: Readonly<Record<"begins" | "fits" | "isAfter", boolean>>,
): Objection[] {
  const { headingKind, personYears, titles } = other;
  const twin = pages.find((page) => !page.personYears.isDisjointFrom(personYears));
  const isOther = headingKind === "other people" || headingKind === "another view";
  const inside = judgeBlocks(titles.filter((title) => !HEADINGS.has(title, "units"))).words;
  const group = newGroup(pages, other);
  const hasNone = other.named > 0 && pages.some(({ hasOfficers }) => hasOfficers) && !other.hasOfficers;
  const offices = officesOf(other, nothing);
  const hasOwn = pages.some((page) => !offices.isDisjointFrom(officesOf(page, nothing)));
  const [before, next] = isAfter ? [pages, other] : [[other], pages.at(-1) ?? other];
  const isWhole = nothing && followsAll(before, next);
  // With nothing between two tables, the title above the first could refer to either.
  return [
    [begins, "the table's title is between them"],
    [twin !== undefined && isPrintedTwice(twin, other), ""],
    [twin !== undefined, "it prints the same people and years", nothing],
    [isOther, `its heading, "${other.above.at(-1)?.slice(-80) ?? ""}", names ${headingKind}`],
    [other.anotherView, "it is another view of pay"],
    [words !== undefined, `"${words}" is between them`],
    [inside !== undefined, `"${inside}" is above its rows`],
    [group !== undefined, `"${group}" appears only in its header`],
    [hasNone, "none of its people has the title of an officer"],
    [hasOwn, "it has principal officers of its own", nothing],
    [!fits, "it has other columns"],
    [isWhole, "nothing is between them, and the table before it has both principal officers", nothing],
  ];
}

/** Whether a table has its own header and people, below pages that have both principal officers: a page break would leave a trace. */
function followsAll(before: readonly Candidate[], { sections, names }: Candidate): boolean {
  if (sections.every(({ headerRows }) => headerRows.length === 0) || names.has("")) return false;
  if (before.some((page) => !page.names.isDisjointFrom(names))) return false;
  const people = before.flatMap((page) => page.people);
  return OFFICES.every((office) =>
    people.some(({ title }) => officeOfTitle(title, office)?.startsWith("present")),
  );
}

/** Years and offices of principal officers, by title. Another person on the next page may hold that of an interim officer or co-chief. */
function officesOf({ people }: Candidate, isOfAny: boolean): Set<string> {
  const held = ({ title, rows }: Person, office: Office): string[] => {
    const standing = officeOfTitle(title, office);
    const isHeld = isOfAny ? standing?.startsWith("present") : standing === "present" && !isCoChief(title);
    return isHeld ? rows.map(({ year }) => `${office} ${year.year}`) : [];
  };
  return new Set(people.flatMap((person) => OFFICES.flatMap((office) => held(person, office))));
}

/** A group header that the pages lack, or a header that names other people: a heading inside the other table. */
function newGroup(pages: readonly Candidate[], other: Candidate): string | undefined {
  const headers = new Set(pages.flatMap(({ columns }) => columns.flatMap(({ path }) => path.map(letters))));
  const groups = other.columns.flatMap(({ path }) =>
    path.filter((header, at) => at < path.length - 1 || HEADINGS.has(header, "other_people", "others_only")),
  );
  return groups.find((header) => letters(header) !== "" && !headers.has(letters(header)));
}
