import { isCoChief, isInterim, officeOfTitle } from "../officers/titles.ts";
import type { Located, Region } from "./locate.ts";
import { problemOf, type ReadingProblem } from "../problem.ts";
import { OFFICES } from "../../domain/officer-claims.ts";
import { letters } from "../document/text.ts";
import { HEADINGS } from "../lexicon/headings.ts";
import { isMoneyLike } from "./amounts.ts";
import { judgeBlocks, readBoundary, type Boundary } from "./between-tables.ts";
import { assess, gridOf, headingAbove, readCandidate, type Candidate } from "./candidates.ts";
import { UNITS } from "./heading.ts";
import { shareOfSums } from "./judge.ts";
import { continueUnder } from "./continuation.ts";
import { buildGrid, type Grid } from "./grid.ts";
import { isDataRow, PARTS, readHeader, readSections } from "./header.ts";
import { hasOfficerTitle } from "./names.ts";

/** Pages of one table beside the chosen one, in document order, with what was left out. */
export interface Pages {
  readonly tables: readonly Candidate[];
  /** Tables whose columns were tied to the header by their number and order. */
  readonly byOrder: readonly number[];
  readonly problems: readonly ReadingProblem[];
}

/** Regions behind and before the chosen table that are looked at, and the characters between two pages. */
const MAX_BEHIND = 11;
const MAX_BEFORE = 6;
const MAX_BETWEEN = 30_000;

/** Tables right behind the chosen one that continueUnder it on: without saying what their columns are, or with the same header. */
export function followingPages(text: string, located: Located, chosen: Candidate): Pages {
  const tables: Candidate[] = [];
  const byOrder: number[] = [];
  const problems: ReadingProblem[] = [];
  const end = (): Pages => ({ tables, byOrder, problems });
  if (chosen.sections.some((section) => section.endedBy !== undefined)) return end();
  const at = located.regions.indexOf(chosen.region);
  for (const region of located.regions.slice(at + 1, at + 1 + MAX_BEHIND)) {
    const last = tables.at(-1) ?? chosen;
    if (region.start < last.region.end) continue;
    if (region.start - last.region.end > MAX_BETWEEN) return end();
    const boundary = readBoundary(text, last.region.end, region.start);
    if (boundary.kind !== "same" && !located.candidates.includes(region)) return end();
    const grid = gridOf(text, located, region);
    // An empty table, or one of footnotes: its words are between the pages.
    if (!grid.rows.some(isDataRow)) continue;
    const page = readPage(text, located, region, grid, last);
    if (page === undefined) {
      if (likeRows(grid, chosen) && boundary.kind === "same")
        problems.push(
          problemOf(
            "continuation_unread",
            "locate",
            `Table ${region.ordinal} follows with rows of years and amounts that could not be tied to the columns; it was left out`,
          ),
        );
      return end();
    }
    if (!samePath(page.read, chosen)) return end();
    const doubt = doubtOf(chosen, page.read, boundary) ?? doubtOfNext([chosen, ...tables], page, boundary);
    if (doubt !== undefined) {
      if (doubt !== "") problems.push(leftOut(region, doubt));
      return end();
    }
    if (page.byOrder) byOrder.push(region.ordinal);
    if (isHeadedAnew(page.read)) problems.push(headedAnew(page.read));
    tables.push(page.read);
    if (page.read.sections.some((section) => section.endedBy !== undefined)) return end();
  }
  return end();
}

/** Tables right before the chosen one with the same header: pages of one table, of which a later one scored best. */
export function precedingPages(text: string, located: Located, chosen: Candidate): Pages {
  const tables: Candidate[] = [];
  const problems: ReadingProblem[] = [];
  const at = located.regions.indexOf(chosen.region);
  for (const region of located.regions.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)).toReversed()) {
    const next = tables[0] ?? chosen;
    if (region.end > next.region.start) continue;
    if (next.region.start - region.end > MAX_BETWEEN) break;
    const boundary = readBoundary(text, region.end, next.region.start);
    if (boundary.kind !== "same" && !located.candidates.includes(region)) break;
    const grid = gridOf(text, located, region);
    if (!grid.rows.some(isDataRow)) continue;
    const read = readCandidate(text, located, region, grid);
    if ((read.wrong !== null && read.wrong !== "other_people") || !samePath(read, chosen)) break;
    // The title between the two says that the table begins below it, unless it stands above the other one, too.
    const begins = boundary.kind === "same" && boundary.headed && !isTitled(read);
    const doubt = begins ? "the table's title stands between" : doubtOf(chosen, read, boundary);
    if (doubt !== undefined) {
      if (doubt !== "") problems.push(leftOut(region, doubt));
      break;
    }
    tables.unshift(read);
  }
  return { tables, byOrder: [], problems };
}

/** A table as a page of the one before it: under its own header, or under that one's; undefined when neither fits. */
function readPage(
  text: string,
  located: Located,
  region: Region,
  grid: Grid,
  last: Candidate,
): { read: Candidate; byOrder: boolean; ownHeader: boolean } | undefined {
  const own = readSections(grid);
  if (own.length > 0) {
    const read = assess(region, grid, own, headingAbove(text, located, region));
    return read.wrong === null || read.wrong === "other_people"
      ? { read, byOrder: false, ownHeader: true }
      : undefined;
  }
  const section = last.sections.at(-1);
  if (section === undefined) return undefined;
  return continueUnder(grid, section, last.grid.width)
    .map((way) => ({
      read: assess(region, way.grid, [way.section], []),
      byOrder: way.byOrder,
      ownHeader: false,
    }))
    .find(({ read }) => shareOfSums(read.rows) >= 0.7);
}

/**
 * Why a neighbour of the chosen table's pages is left out, the words that say so; empty where nothing is lost by it, undefined where
 * nothing speaks against their being pages of one table.
 */
function doubtOf(chosen: Candidate, other: Candidate, boundary: Boundary): string | undefined {
  if (sharesRows(chosen, other))
    return sameTotals(chosen, other) ? "" : "it prints the same people and years";
  if (other.wrong !== null)
    return `its heading, "${other.above.at(-1)?.slice(-80) ?? ""}", names other people`;
  if (other.anotherView) return "it is another view of pay";
  if (boundary.kind !== "same") return `"${boundary.words}" stands between`;
  const titles = other.sections.flatMap((section) => section.titles).filter((title) => !UNITS.test(title));
  const inside = judgeBlocks(titles);
  if (inside.kind !== "same") return `"${inside.words}" stands above its rows`;
  const group = newGroup(chosen, other);
  if (group !== undefined) return `"${group}" stands in its header alone`;
  if (principals(chosen).some((office) => principals(other).includes(office)))
    return "it has principal officers of its own";
  if (boundary.nothing && other.people.every((person) => person.name !== "")) {
    const offices = heldOffices(other);
    const shared = heldOffices(chosen).find((office) => offices.includes(office));
    if (shared !== undefined) return "nothing stands between, and it has principal officers of its own";
  }
  if (officers(chosen) > 0 && other.people.some((person) => person.name !== "") && officers(other) === 0)
    return "none of its people has the title of an officer";
  return undefined;
}

/**
 * Why a table right behind others, with nothing between and a header of its own, is left out: those have both principal officers
 * already, and a page break leaves a mark.
 */
function doubtOfNext(
  before: readonly Candidate[],
  { read, ownHeader }: { readonly read: Candidate; readonly ownHeader: boolean },
  boundary: Boundary,
): string | undefined {
  if (boundary.kind !== "same" || !boundary.nothing || !ownHeader) return undefined;
  const known = new Set(before.flatMap((table) => table.people.map((person) => letters(person.name))));
  if (read.people.some((person) => person.name === "" || known.has(letters(person.name)))) return undefined;
  const complete = OFFICES.every((office) =>
    before.some((table) => table.people.some((person) => officeOfTitle(person.title, office) === "present")),
  );
  return complete ? "nothing stands between, and the table before it has both principal officers" : undefined;
}

/** Years and offices, those held for an interim and the shared ones, too. */
function heldOffices(table: Candidate): string[] {
  return table.people.flatMap((person) =>
    OFFICES.filter((office) => officeOfTitle(person.title, office) === "present").flatMap((office) =>
      person.rows.map(({ year }) => `${office} ${year.year}`),
    ),
  );
}

/** People of the table with a title that is more than that of a director. */
function officers(table: Candidate): number {
  return table.people.filter((person) => hasOfficerTitle(person.title ?? "")).length;
}

/** A header over several columns that the chosen table has not, or one that names other people: a heading printed inside the other one. */
function newGroup(chosen: Candidate, other: Candidate): string | undefined {
  const paths = (table: Candidate): (readonly string[])[] =>
    table.sections.flatMap((section) => section.columns.map((column) => column.path));
  const known = new Set(paths(chosen).flat().map(letters));
  return paths(other)
    .flatMap((path) => [
      ...path.slice(0, -1),
      ...path.slice(-1).filter((header) => HEADINGS.has(header, "other_people", "others_only")),
    ])
    .find((header) => letters(header) !== "" && !known.has(letters(header)));
}

/** Years and offices of those who are principal officers by their titles. */
function principals(table: Candidate): string[] {
  return table.people.flatMap((person) => {
    const held = OFFICES.filter(
      (office) =>
        officeOfTitle(person.title, office) === "present" &&
        !isInterim(person.title, office) &&
        !isCoChief(person.title),
    );
    return person.rows.flatMap(({ year }) => held.map((office) => `${office} ${year.year}`));
  });
}

/** Whether the words above the table call it the Summary Compensation Table. */
function isTitled(table: Candidate): boolean {
  return /summary\s+compensation/i.test(table.heading);
}

/** Whether the words above a page call it the Summary Compensation Table again, and not its continuation. */
function isHeadedAnew(table: Candidate): boolean {
  return (
    /summary\s+compensation\s+table/i.test(table.heading) && !/\bcont(?:inu|['’]?d|\.)/i.test(table.heading)
  );
}

function headedAnew(table: Candidate): ReadingProblem {
  return problemOf(
    "several_tables",
    "locate",
    `Table ${table.region.ordinal} was read as more of the same, though a heading of its own stands above it: "${table.heading.slice(-80)}"`,
  );
}

function leftOut(region: Region, why: string): ReadingProblem {
  return problemOf(
    "table_left_out",
    "locate",
    `Table ${region.ordinal} has the same columns and was left out: ${why}`,
  );
}

/** Whether two tables have a row of the same person and year: no page of a table repeats another one's. */
function sharesRows(one: Candidate, other: Candidate): boolean {
  const keys = (table: Candidate): string[] =>
    table.people.flatMap((person) => person.rows.map((row) => `${letters(person.name)} ${row.year.year}`));
  const known = new Set(keys(one));
  return keys(other).some((key) => known.has(key));
}

function samePath(one: Candidate, other: Candidate): boolean {
  const shape = (candidate: Candidate): string =>
    [...new Set(candidate.sections.flatMap((section) => section.columns.map((column) => column.meaning)))]
      .filter((meaning) => PARTS.has(meaning) || meaning === "total_compensation")
      .sort()
      .join();
  return shape(one) === shape(other);
}

/** Whether a grid without column headers has rows like those of the table: a year with most of its amounts, or any in as many columns. */
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

/** HeaderRows in a table of their own, with the rows in the next one. */
export function headersApart(text: string, located: Located): { candidate: Candidate; byOrder: boolean }[] {
  const out: { candidate: Candidate; byOrder: boolean }[] = [];
  for (const header of located.headers.slice(0, 20)) {
    const next = located.regions.find((region) => region.start >= header.end);
    if (next === undefined || next.kind !== "table" || next.start - header.end > 4000) continue;
    const headers = buildGrid(text, header, located.styles);
    const section = readHeader(headers);
    const body = buildGrid(text, next, located.styles);
    if (section === undefined || readSections(body).length > 0) continue;
    const heading = headingAbove(text, located, header);
    const ways = continueUnder(body, section, headers.width).map((way) => ({
      candidate: assess(next, way.grid, [{ ...way.section, titles: section.titles }], heading),
      byOrder: way.byOrder,
    }));
    const fit = ways.find(({ candidate }) => candidate.wrong === null && shareOfSums(candidate.rows) >= 0.7);
    if (fit !== undefined) out.push(fit);
  }
  return out;
}

/** Whether two tables print the same totals: one document may hold its table twice. */
export function sameTotals(one: Candidate, other: Candidate): boolean {
  const totals = (table: Candidate): string =>
    [
      ...new Set(
        table.rows.flatMap((row) =>
          row.slots
            .filter((slot) => slot.column.meaning === "total_compensation")
            .map((slot) => slot.texts.join("").replace(/\D/g, "")),
        ),
      ),
    ]
      .sort()
      .join();
  return totals(one) === totals(other);
}

/** Whether somebody stands in both tables: the same totals under other names are somebody else's. */
export function samePeople(one: Candidate, other: Candidate): boolean {
  const known = new Set(one.people.map((person) => letters(person.name)));
  return other.people.some((person) => known.has(letters(person.name)));
}
