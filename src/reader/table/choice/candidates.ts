import { isTextual, textGrids, wholeText } from "../grid/preformatted.ts";
import { readRows, type TableRow } from "../cells/cells.ts";
import { buildGrid, type Grid } from "../grid/grid.ts";
import { readSections, type Section } from "../header/header.ts";
import { headingOf, namesTable } from "./heading.ts";
import { judge, type Judgement, type ReadTable } from "./judge.ts";
import type { Located, Region } from "../grid/locate.ts";
import { readPeople } from "../people/people.ts";
import { dateByHeading } from "./undated.ts";

/** A table read as far as its grid allows, with how much it is like the Summary Compensation Table. */
export interface Candidate extends ReadTable, Judgement {
  readonly region: Region;
  readonly grid: Grid;
  readonly sections: readonly Section[];
  /** What stands below the headers, row by row. */
  readonly read: readonly TableRow[];
  /** The columns were tied to the header of another table by their number and order. */
  readonly byOrder: boolean;
  /** The heading that names the year of every row, where the table has no column of years. */
  readonly yearFrom?: string;
}

/** Tables that are read of one document. */
const MAX_CANDIDATES = 80;

/** The words above a region, back to the table before it. */
export function headingAbove(located: Located, region: Region): readonly string[] {
  const previous = located.regions.findLast((one) => one.end <= region.start);
  return headingOf(located.text, region, previous?.end ?? 0);
}

/** Reads one grid as if it were the table; one without years with the year of its heading. */
export function readCandidate(located: Located, region: Region, grid: Grid): Candidate {
  const above = headingAbove(located, region);
  const sections = readSections(grid);
  const dated = sections.length === 0 ? dateByHeading(grid, above) : undefined;
  if (dated === undefined) return assess(located, region, grid, sections, above);
  return { ...assess(located, region, dated.grid, readSections(dated.grid), above), yearFrom: dated.words };
}

/** Characters that cost as much as to read one cell. */
const CELL = 300;

/** Judges a grid with the columns that were read for it. */
export function assess(
  { work }: Located,
  region: Region,
  grid: Grid,
  sections: readonly Section[],
  above: readonly string[],
): Candidate {
  work.spend(
    grid.rows.length * (sections.length + grid.width) +
      CELL * grid.rows.reduce((n, row) => n + row.length, 0),
  );
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

/** Builds the grids of all promising tables and reads them. */
export function readCandidates(located: Located): Candidate[] {
  const titled = located.headers.filter((region) =>
    headingOf(located.text, region, 0).slice(-3).some(namesTable),
  );
  const tables = [...located.candidates.filter((region) => region.kind === "table"), ...titled]
    .slice(0, MAX_CANDIDATES)
    .map((region) => ({ region, grid: buildGrid(located, region) }))
    .filter(({ grid }) => grid.rows.length > 0);
  return [...tables, ...textGrids(located)].map(({ region, grid }) => readCandidate(located, region, grid));
}

/** The grid of a region, whatever its kind. */
export function gridOf(located: Located, region: Region): Grid {
  return isTextual(located.text, region) ? wholeText(located, region) : buildGrid(located, region);
}
