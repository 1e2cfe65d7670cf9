/** Reads regions of the document, each as if it were the table: grid, header, cells, people. */
import { COST } from "../../parsed-filing.ts";
import { readRows, realign, type TableRow } from "../cells/cells.ts";
import { type YearRow } from "../cells/slots.ts";
import { shareOfSums } from "../cells/column-plan.ts";
import { type Grid, type Located, type Region, buildGrid } from "../grid/grid.ts";
import { textGrids } from "../grid/preformatted.ts";
import {
  type TableColumn,
  type Section,
  endedByOthers,
  headerAbove,
  isDataRow,
  readSections,
} from "../header/header.ts";
import { headingOf, namesTable } from "../heading/heading.ts";
import { type Person, readPeople } from "../people/people.ts";
import { dateByHeading } from "./undated.ts";

/** A region read as a table. */
export interface ReadTable {
  readonly region: Region;
  readonly grid: Grid;
  readonly sections: readonly Section[];
  /** The columns and the titles of all sections. */
  readonly columns: readonly TableColumn[];
  readonly titles: readonly string[];
  /** The rows below the headers, and their years. */
  readonly read: readonly TableRow[];
  readonly rows: readonly YearRow[];
  readonly people: readonly Person[];
  /** The blocks of text right before the table. */
  readonly above: readonly string[];
  /** The columns were matched to another table's header by number and order. */
  readonly byOrder: boolean;
  /** The heading that gives the year of every row, if the table has no year column. */
  readonly yearFrom?: string;
}

const MAX_TABLES = 80;
/** Tables read from the preformatted text of one document. */
const MAX_TEXT_TABLES = 40;

/** Reads all tables that could be the Summary Compensation Table. */
export function readTables(located: Located): ReadTable[] {
  const titled = located.headers.filter((region) => headingOf(located, region, 0).slice(-3).some(namesTable));
  const tables = [...located.candidates.filter((region) => region.kind === "table"), ...titled]
    .slice(0, MAX_TABLES)
    .map((region) => ({ region, grid: buildGrid(located, region) }))
    .filter(({ grid }) => grid.rows.length > 0);
  const texts = textGrids(located)
    .take(MAX_TEXT_TABLES)
    .map(({ region, grid, above }) => readTable(located, region, grid, above));
  return [...tables.map(({ region, grid }) => readTable(located, region, grid)), ...texts];
}

/**
 * Reads a grid as if it were the table; without a year column it takes the year from the heading.
 * @param inside paragraphs of the region above the table, in fixed-width text
 */
export function readTable(
  located: Located,
  region: Region,
  grid: Grid,
  inside: readonly string[] = [],
): ReadTable {
  const above = [...headingOf(located, region), ...inside];
  const sections = readSections(grid);
  const dated = sections.length === 0 ? dateByHeading(grid, above) : undefined;
  if (dated === undefined) return readUnderSections(located, region, grid, sections, above);
  return {
    ...readUnderSections(located, region, dated.grid, readSections(dated.grid), above),
    yearFrom: dated.words,
  };
}

/** Reads a grid under given sections. */
function readUnderSections(
  { work }: Located,
  region: Region,
  grid: Grid,
  sections: readonly Section[],
  above: readonly string[],
): ReadTable {
  const cells = grid.rows.reduce((count, row) => count + row.length, 0);
  work.spend(grid.rows.length * (sections.length + grid.width) + cells * COST.cell);
  const read = sections.flatMap((section) => readRows(grid, section));
  return {
    region,
    grid,
    sections,
    columns: sections.flatMap((section) => section.columns),
    titles: sections.flatMap((section) => section.titles),
    read,
    rows: read.flatMap(({ years }) => years),
    people: readPeople(read),
    above,
    byOrder: false,
  };
}

/**
 * Reads a grid without column headers under another's header: by position if the grids have the same width, and by order if every
 * row fills every column. Undefined unless its rows then add up.
 */
export function readUnder(
  located: Located,
  region: Region,
  grid: Grid,
  section: Section,
  width: number,
  above: readonly string[],
): ReadTable | undefined {
  if (!grid.rows.some(isDataRow)) return undefined;
  const asWide = grid.kind === "table" && grid.width === width ? grid : undefined;
  for (const way of [asWide, realign(grid, section.columns)]) {
    if (way === undefined) continue;
    const under = endedByOthers(way, [{ ...section, headerRows: [], from: 0, to: way.rows.length }]);
    const read = readUnderSections(located, region, way, under, above);
    if (shareOfSums(read.rows) >= 0.7) return { ...read, byOrder: way !== grid };
  }
  return undefined;
}

/** Finds tables whose column headers are in a separate table before them. */
export function* readHeadersApart(located: Located): Generator<ReadTable> {
  for (const header of located.headers.slice(0, 20)) {
    const next = located.regions.find((region) => region.start >= header.end);
    if (next === undefined || next.kind !== "table" || next.start - header.end > 4000) continue;
    const headers = buildGrid(located, header);
    const section = headerAbove(headers);
    const body = buildGrid(located, next);
    if (section === undefined || readSections(body).length > 0) continue;
    const fit = readUnder(located, next, body, section, headers.width, headingOf(located, header));
    if (fit !== undefined) yield fit;
  }
}
