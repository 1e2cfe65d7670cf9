import { splitName } from "../names/split-name.ts";
import { type ReadingProblem, problemOf } from "../../parsed.ts";
import { isCurrencySign, isFootnoteMarker, isMoneyLike } from "../../values/values.ts";
import { type Cell, type Grid, type Located, type Region, buildGrid, ownCells } from "../grid/grid.ts";
import {
  type Column,
  type Section,
  endedByOthers,
  isDataRow,
  headerAbove,
  readSections,
  stackedYears,
  trailingYear,
} from "../header/header.ts";
import {
  assess,
  type Candidate,
  dateByHeading,
  headingAbove,
  isOthers,
  readCandidate,
  shareOfSums,
} from "./candidates.ts";
import { gridOf } from "../grid/preformatted.ts";
import { compareColumns, type Doubt, doubtOf, doubtOfNext } from "./compare.ts";
import { beginsTable, type Boundary, namesTable, readBoundary } from "./heading.ts";

/** Further pages of the chosen table, in document order. */
export interface Pages {
  readonly tables: readonly Candidate[];
  readonly problems: readonly ReadingProblem[];
  /** Another table that could equally be the first page. */
  readonly rival?: Region;
}

/** Regions after and before the chosen table that are examined, and the characters between two pages. */
const MAX_AFTER = 40;
const MAX_BEFORE = 20;
const MAX_BETWEEN = 30_000;

/** Finds tables right after the chosen one that continue it, without column headers or with the same ones. */
export function followingPages(located: Located, chosen: Candidate): Pages {
  const tables: Candidate[] = [];
  const problems: ReadingProblem[] = [];
  const pages = { tables, problems };
  if (isEnded(chosen)) return pages;
  const at = located.regions.indexOf(chosen.region);
  const after = located.regions.slice(at + 1, at + 1 + MAX_AFTER);
  for (const next of neighbours(located, after, () => tables.at(-1) ?? chosen)) {
    const { region, boundary } = next;
    const last = tables.at(-1) ?? chosen;
    const page = readPage(located, next, last);
    if (page === undefined) {
      problems.push(...unreadPage(next, chosen));
      return pages;
    }
    if (boundary.kind !== "same" && compareColumns(page, chosen) !== "same") return pages;
    const before = [chosen, ...tables];
    const doubt =
      doubtOf(before, page, boundary) ??
      doubtOfColumns(page, chosen, boundary) ??
      doubtOfNext(before, page, boundary);
    if (doubt !== undefined) {
      problems.push(...leftOut(region, doubt));
      return pages;
    }
    if (beginsTable(page.heading)) {
      const heading = `although it has a heading of its own: "${page.heading.slice(-80)}"`;
      problems.push(
        problemOf("several_tables", `Table ${region.ordinal} was read as a continuation, ${heading}`),
      );
    }
    tables.push(last.yearFrom === undefined ? page : { ...page, yearFrom: last.yearFrom });
    if (isEnded(page)) return pages;
  }
  return pages;
}

/** Finds tables right before the chosen one with the same header: earlier pages of one table whose later page scored best. */
export function precedingPages(located: Located, chosen: Candidate): Pages {
  const tables: Candidate[] = [];
  const problems: ReadingProblem[] = [];
  const at = located.regions.indexOf(chosen.region);
  const ahead = located.regions.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)).toReversed();
  for (const before of neighbours(located, ahead, () => tables[0] ?? chosen)) {
    const { region, grid, boundary } = before;
    const next = tables[0] ?? chosen;
    const read = readCandidate(located, region, grid);
    if (read.ruledOut !== null && !isOthers(read)) {
      problems.push(...unreadPage(before, next));
      break;
    }
    const headed = boundary.kind !== "same" || boundary.headed;
    if (headed && compareColumns(read, chosen) !== "same") break;
    // A title between the two means that the table begins below it, unless the other one also has the title.
    const begins = boundary.kind === "same" && headed && !namesTable(read.heading);
    const pages = [...tables, chosen];
    const doubt = begins
      ? { why: "the table's title is between them", either: false }
      : (doubtOf(pages, read, boundary) ??
        doubtOfColumns(read, chosen, boundary) ??
        doubtOfNext([read], next, boundary));
    if (doubt !== undefined) {
      problems.push(...leftOut(region, doubt));
      // A page without its own title may equally continue the table that was left out.
      const unsure = doubt.why !== "" && tables.length > 0 && tables[0]?.headingKind !== "title";
      return unsure ? { tables, problems, rival: region } : { tables, problems };
    }
    tables.unshift(read);
  }
  return { tables, problems };
}

/** A table next to the pages found so far, and what is between them. */
interface Neighbour {
  readonly region: Region;
  readonly grid: Grid;
  readonly boundary: Boundary;
}

/**
 * Yields tables with rows next to the outermost page so far. An empty table or one of footnotes is skipped and counts as text
 * between the pages.
 */
function* neighbours(located: Located, regions: readonly Region[], outermost: () => Candidate) {
  for (const region of regions) {
    const page = outermost();
    const [first, second] = region.start < page.region.start ? [region, page.region] : [page.region, region];
    if (second.start < first.end) continue;
    if (second.start - first.end > MAX_BETWEEN) return;
    const boundary = readBoundary(located, first.end, second.start);
    const mayBeOthers = boundary.kind !== "same" && !located.candidates.includes(region);
    if (mayBeOthers && (first === region || !printsYearOf(page, located.text, region))) return;
    const printed = gridOf(located, region);
    // The next page of a table without a year column has the same year.
    const dated = first === region ? undefined : dateByHeading(printed, [page.yearFrom ?? ""]);
    const grid = dated?.grid ?? printed;
    const isBlank = first !== region && boundary.kind === "same" && isBlankPage(grid, page);
    if (isBlank || grid.rows.some(isDataRow)) yield { region, grid, boundary };
    else if (mayBeOthers) return;
  }
}

/**
 * Whether the source of a region has a year as the page prints it, other than in a date: only then a table behind other words
 * may be one of the same pay, to be told.
 */
function printsYearOf(page: Candidate, text: string, { start, end }: Region): boolean {
  const labels = new Set(page.rows.map(({ year }) => year.label));
  const source = text.slice(start, end);
  return [...labels].some((label) =>
    /^\d{4}$/.test(label)
      ? new RegExp(`(?<![\\d,/-]|,\\s)${label}(?![\\d/-])`).test(source)
      : /\d\d/.test(source),
  );
}

/** Whether a grid has names with years but no amounts: as wide as the page before it, or narrower, since blank cells may be left out. */
function isBlankPage(grid: Grid, page: Candidate): boolean {
  const rows = grid.rows.map(ownCells);
  const dated = rows.filter((own) => own.length <= 3 && own.some((cell) => stackedYears(cell).length > 0));
  if (grid.width === page.grid.width && grid.width > 4 && dated.some(({ length }) => length === 2))
    return true;
  return dated.length > 0 && rows.flat().some(({ lines }) => splitName(lines) !== undefined);
}

/** Why a table with fewer or more columns than the chosen one is not a page of it. After a page break, a page may omit empty columns. */
function doubtOfColumns(page: Candidate, chosen: Candidate, boundary: Boundary): Doubt | undefined {
  const columns = compareColumns(page, chosen);
  const broken = boundary.kind === "same" && !boundary.nothing;
  const fits = columns === "same" || (columns === "some" && broken && shareOfSums(page.rows) === 1);
  return fits ? undefined : { why: "it has other columns", either: false };
}

/** Whether other people's rows follow in the same table. */
function isEnded({ sections }: Candidate): boolean {
  return sections.some(({ endedBy }) => endedBy !== undefined);
}

/** Reads a table as the next page, under its own header or the previous page's; undefined if neither fits. */
function readPage(located: Located, { region, grid }: Neighbour, last: Candidate): Candidate | undefined {
  const own = readSections(grid);
  if (own.length > 0) {
    const read = assess(located, region, grid, own, headingAbove(located, region));
    return read.ruledOut === null || isOthers(read) ? read : undefined;
  }
  const section = last.sections.at(-1);
  if (section === undefined) return undefined;
  return readUnder(located, region, grid, { ...section, titles: [] }, last.grid.width, []);
}

/**
 * Reads a grid without column headers under another's header: by position if the grids have the same width, and by order if every
 * row fills every column. Undefined unless its rows then add up.
 */
function readUnder(
  located: Located,
  region: Region,
  grid: Grid,
  section: Section,
  width: number,
  above: readonly string[],
): Candidate | undefined {
  if (!grid.rows.some(isDataRow)) return undefined;
  const ordered = realign(grid, section.columns);
  return [
    ...(grid.kind === "table" && grid.width === width ? [{ grid, byOrder: false }] : []),
    ...(ordered === undefined ? [] : [{ grid: ordered, byOrder: true }]),
  ]
    .flatMap((way) => {
      const whole = { ...section, headerRows: [], from: 0, to: way.grid.rows.length };
      return endedByOthers(way.grid, [whole]).map((under) => ({
        ...assess(located, region, way.grid, [under], above),
        byOrder: way.byOrder,
      }));
    })
    .find(({ rows }) => shareOfSums(rows) >= 0.7);
}

/** The problem of an adjacent table with similar rows but unknown columns. */
function unreadPage({ region, grid, boundary }: Neighbour, chosen: Candidate): readonly ReadingProblem[] {
  if (boundary.kind !== "same" || !resemblesTable(grid, chosen)) return [];
  const message = `The adjacent table ${region.ordinal} has years and amounts that could not be assigned to the columns; it was left out`;
  return [problemOf("continuation_unread", message)];
}

/** Whether a grid without column headers resembles the table: the same width, or a row with a year and most amounts. */
function resemblesTable(grid: Grid, chosen: Candidate): boolean {
  if ((grid.width === chosen.grid.width && grid.width > 4) || isBlankPage(grid, chosen)) return true;
  const columns = chosen.sections[0]?.columns.length ?? 0;
  return grid.rows.some(
    (row, at) =>
      isDataRow(row, at) &&
      ownCells(row, at).filter((cell) => isMoneyLike(cell.text)).length >= columns * 0.6,
  );
}

/** Finds tables whose column headers are in a separate table before them. */
export function* headersApart(located: Located): Generator<Candidate> {
  for (const header of located.headers.slice(0, 20)) {
    const next = located.regions.find((region) => region.start >= header.end);
    if (next === undefined || next.kind !== "table" || next.start - header.end > 4000) continue;
    const headers = buildGrid(located, header);
    const section = headerAbove(headers);
    const body = buildGrid(located, next);
    if (section === undefined || readSections(body).length > 0) continue;
    const heading = headingAbove(located, header);
    const fit = readUnder(located, next, body, section, headers.width, heading);
    if (fit !== undefined) yield fit;
  }
}

function leftOut({ ordinal }: Region, { why, either }: Doubt): ReadingProblem[] {
  if (why === "") return [];
  const code = either ? "several_tables" : "table_left_out";
  return [problemOf(code, `Table ${ordinal} has the same columns and was left out: ${why}`)];
}

/** Moves the cells of each row under the columns in order; undefined if a row's amounts do not match the columns in number. */
function realign(grid: Grid, columns: readonly Column[]): Grid | undefined {
  const year = columns.find((column) => column.meaning === "year");
  const name = columns.find((column) => column.meaning === "name");
  const amounts = columns.filter(
    (column) => column !== year && column !== name && column.meaning !== "position",
  );
  if (year === undefined || name === undefined || amounts.length < 3) return undefined;
  const rows: Cell[][] = [];
  // A cell that spans rows must remain one object.
  const places = new Map<Cell, Cell>();
  for (const [at, row] of grid.rows.entries()) {
    const own = row.filter((cell) => cell.text !== "");
    const moved: Cell[] = [];
    const put = (cell: Cell, { x0, x1 }: Column): void =>
      void moved.push(places.getOrInsert(cell, { ...cell, x0, x1 }));
    const yearCell =
      own.find((cell) => stackedYears(cell).length > 0) ??
      own.find((cell) => trailingYear(cell) !== undefined);
    if (!isDataRow(row, at) || yearCell === undefined) {
      for (const cell of own) if (cell.x0 <= (own[0]?.x0 ?? 0)) put(cell, name);
      rows.push(moved);
      continue;
    }
    const money = own.filter(
      (cell) =>
        cell.x0 >= yearCell.x1 &&
        !isCurrencySign(cell.text) &&
        cell.text !== ")" &&
        (!isFootnoteMarker(cell.text) || /^\d+$/.test(cell.text)) &&
        isMoneyLike(cell.text),
    );
    if (money.length !== amounts.length) return undefined;
    for (const cell of own) if (cell.x1 <= yearCell.x0) put(cell, name);
    put(yearCell, year);
    for (const [index, cell] of money.entries()) put(cell, amounts[index] ?? year);
    rows.push(moved);
  }
  return { ...grid, rows, width: Math.max(...columns.map((column) => column.x1)) };
}
