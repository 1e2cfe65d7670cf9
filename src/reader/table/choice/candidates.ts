import { isTextual, textGrids, wholeText } from "../grid/preformatted.ts";
import { readRows, type TableRow } from "../cells/cells.ts";
import { buildGrid, type Grid } from "../grid/grid.ts";
import type { Section } from "../header/columns.ts";
import { readSections } from "../header/header.ts";
import { headingOf, namesTable } from "./heading.ts";
import { judge, type Judgement, type ReadTable } from "./judge.ts";
import type { Located, Region } from "../grid/locate.ts";
import { readPeople } from "../people/people.ts";
import { dateByHeading } from "./undated.ts";
import { COST } from "../../work.ts";

/** A table that may be the Summary Compensation Table, with its score. */
export interface Candidate extends ReadTable, Judgement {
  readonly region: Region;
  readonly grid: Grid;
  readonly sections: readonly Section[];
  /** The rows below the headers. */
  readonly read: readonly TableRow[];
  /** The columns were matched to another table's header by number and order. */
  readonly byOrder: boolean;
  /** The heading that gives the year of every row, if the table has no year column. */
  readonly yearFrom?: string;
}

/** Tables read from one document. */
const MAX_CANDIDATES = 80;

/** The blocks of text above a region, back to the previous table. */
export function headingAbove(located: Located, region: Region): readonly string[] {
  const previous = located.regions.findLast((one) => one.end <= region.start);
  return headingOf(located.text, region, previous?.end ?? 0);
}

/**
 * Reads a grid as if it were the table; without a year column it takes the year from the heading.
 * @param inside paragraphs of the region above the table, in fixed-width text
 */
export function readCandidate(
  located: Located,
  region: Region,
  grid: Grid,
  inside: readonly string[] = [],
): Candidate {
  const above = [...headingAbove(located, region), ...inside];
  const sections = readSections(grid);
  const dated = sections.length === 0 ? dateByHeading(grid, above) : undefined;
  if (dated === undefined) return assess(located, region, grid, sections, above);
  return { ...assess(located, region, dated.grid, readSections(dated.grid), above), yearFrom: dated.words };
}

/** Reads and scores a grid under given sections. */
export function assess(
  { work }: Located,
  region: Region,
  grid: Grid,
  sections: readonly Section[],
  above: readonly string[],
): Candidate {
  const cells = grid.rows.reduce((count, row) => count + row.length, 0);
  work.spend(grid.rows.length * (sections.length + grid.width) + cells * COST.cell);
  const read = sections.flatMap((section) => readRows(grid, section));
  const table: ReadTable = {
    columns: sections.flatMap((section) => section.columns),
    titles: sections.flatMap((section) => section.titles),
    rows: read.flatMap(({ years }) => years),
    people: readPeople(read),
    above,
    heading: above.join(" ").slice(-700),
  };
  return { ...table, ...judge(table), region, grid, sections, read, byOrder: false };
}

/** Reads all tables that could be the Summary Compensation Table. */
export function readCandidates(located: Located): Candidate[] {
  const titled = located.headers.filter((region) =>
    headingOf(located.text, region, 0).slice(-3).some(namesTable),
  );
  const tables = [...located.candidates.filter((region) => region.kind === "table"), ...titled]
    .slice(0, MAX_CANDIDATES)
    .map((region) => ({ region, grid: buildGrid(located, region) }))
    .filter(({ grid }) => grid.rows.length > 0);
  const texts = textGrids(located).map(({ region, grid, above }) =>
    readCandidate(located, region, grid, above),
  );
  return [...tables.map(({ region, grid }) => readCandidate(located, region, grid)), ...texts];
}

/** The grid of a region of either kind. */
export function gridOf(located: Located, region: Region): Grid {
  return isTextual(located.text, region) ? wholeText(located, region) : buildGrid(located, region);
}
