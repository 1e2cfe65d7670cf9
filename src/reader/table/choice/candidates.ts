import { FOREIGN_HEADERS } from "../../lexicon/column-headers.ts";
import { HEADINGS, TABLE_SIGNS } from "../../lexicon/headings.ts";
import { officeOfTitle } from "../../officers/titles.ts";
import { COST } from "../../parsed.ts";
import { letters } from "../../text.ts";
import {
  hasOfficerTitle,
  isCurrencySign,
  isFootnoteMarker,
  isMoneyLike,
  isNote,
} from "../../values/values.ts";
import { readRows, type TableRow } from "../cells/cells.ts";
import { type YearRow, amountColumns, planColumns, sumIn } from "../cells/slots.ts";
import {
  type Cell,
  type Grid,
  type Located,
  type Region,
  buildGrid,
  ownCells,
  textCell,
} from "../grid/grid.ts";
import { textGrids } from "../grid/preformatted.ts";
import {
  type Column,
  PARTS,
  type Section,
  endedByOthers,
  isDataRow,
  meaningOf,
  oldHeaders,
  readSections,
  stackedYears,
  trailingYear,
} from "../header/header.ts";
import { type Person, readPeople } from "../people/people.ts";
import { classifyHeadings, headingOf, isArtifact, namesTable, nearestBlock } from "./heading.ts";

/** A table that may be the Summary Compensation Table, with its score. */
export interface Candidate extends Judgement {
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

const MAX_CANDIDATES = 80;
/** Tables read from the preformatted text of one document. */
const MAX_TEXT_TABLES = 40;

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
  return { ...judge(table), region, grid, sections, read, byOrder: false };
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
  const texts = textGrids(located)
    .take(MAX_TEXT_TABLES)
    .map(({ region, grid, above }) => readCandidate(located, region, grid, above));
  return [...tables.map(({ region, grid }) => readCandidate(located, region, grid)), ...texts];
}

/** Blocks above a table that can be its heading and an introductory sentence. */
const MAX_BLOCKS = 3;

/**
 * Adds a column with the year of the heading to a table without years: `2023 Summary Compensation Table`, `for the year ended
 * December 31, 2023`. Undefined unless the heading names the Summary Compensation Table and exactly one year.
 */
export function dateByHeading(
  grid: Grid,
  above: readonly string[],
): { grid: Grid; words: string } | undefined {
  const heading = above.filter((block) => !isNote(block) && !isArtifact(block)).slice(-MAX_BLOCKS);
  const title = heading.findLastIndex(namesTable);
  if (title < 0) return undefined;
  const words = heading.slice(title).join(" ");
  const years = new Set(words.match(/\b20\d\d\b/g));
  const [year] = years;
  const first = grid.rows.findIndex(isAmountRow);
  const header = grid.rows.findLastIndex((row, at) => at < first && ownCells(row, at).length >= 3);
  // Left of the first amounts and of their header, which may begin further left.
  const at = Math.min(
    ownCells(grid.rows[header] ?? [], header)[1]?.x0 ?? 0,
    ...grid.rows.flatMap((row, index) =>
      isAmountRow(row, index)
        ? (ownCells(row, index).find((cell) => isCurrencySign(cell.text) || isAmount(cell))?.x0 ?? 0)
        : [],
    ),
  );
  if (years.size !== 1 || year === undefined || header < 0 || at <= 0) return undefined;
  const rows = grid.rows.map((row, index) => {
    // Room for a column at `at`.
    const moved = row.map((cell) => ({
      ...cell,
      x0: cell.x0 + Number(cell.x0 >= at),
      x1: cell.x1 + Number(cell.x1 > at),
    }));
    const text = index === header ? "Year" : isAmountRow(row, index) ? year : undefined;
    return text === undefined
      ? moved
      : [...moved, textCell(index, at, at + 1, text, "")].sort((a, b) => a.x0 - b.x0);
  });
  return { grid: { ...grid, rows, width: grid.width + 1 }, words };
}

function isAmount(cell: Cell): boolean {
  return isMoneyLike(cell.text) && !isCurrencySign(cell.text);
}

/** Whether the row has text followed by two amounts. */
function isAmountRow(row: readonly Cell[], at: number): boolean {
  const own = ownCells(row, at);
  const amounts = own.filter(isAmount);
  return amounts.length >= 2 && amounts.some((cell) => /\d/.test(cell.text)) && own[0] !== amounts[0];
}

interface ReadTable {
  /** The columns and the titles of all sections. */
  readonly columns: readonly Column[];
  readonly titles: readonly string[];
  readonly rows: readonly YearRow[];
  readonly people: readonly Person[];
  /** The blocks of text right before the table, and the last 700 characters of them. */
  readonly above: readonly string[];
  readonly heading: string;
}

type Rule = (traits: Traits) => number;

const has =
  (means: (typeof TABLE_SIGNS.entries)[number]["means"], points: number): Rule =>
  ({ headerText }) =>
    TABLE_SIGNS.has(headerText, means) ? points : 0;

const OTHER_VIEW = "column headers of another view of pay";

function hasOtherView(heading: string): boolean {
  return HEADINGS.has(heading.slice(-260), "other_view");
}

const RULES: readonly Rule[] = [
  ({ parts }) => parts,
  has("all other compensation", 3),
  has("non-equity incentive plan", 2),
  has("stock or option awards", 2),
  has("name and principal position", 2),
  ({ meanings }) => (meanings.has("year") ? 2 : 0),
  ({ headingKind }) => (headingKind === "title" ? 12 : headingKind === "other people" ? -8 : 0),
  ({ headingKind, near }) => (headingKind === "nothing" && TABLE_SIGNS.has(near, "heading") ? 5 : 0),
  // Breaks a tie: a heading with only another company's name counts for less than this sentence.
  ({ above, headingKind }) =>
    headingKind === "nothing" && HEADINGS.has(above.at(-1) ?? "", "introduces_table") ? 1 : 0,
  ({ heading }) => (hasOtherView(heading) ? -5 : 0),
  has(OTHER_VIEW, -5),
  ({ columns }) => {
    const unknown = columns.filter((column) => column.meaning === "unknown").length;
    return unknown > 1 ? -unknown : 0;
  },
  ({ named }) => (named > 0 ? 2 : 0),
  ({ named, hasOfficers }) => (named > 0 && !hasOfficers ? -3 : 0),
  ({ rows }) => Math.round(shareOfSums(rows) * 4),
];

/** A table with how likely it is to be the Summary Compensation Table, and whether it can be. */
type Judgement = ReturnType<typeof judge>;

/** Scores a table by its headers, the text above it, its people and its sums. */
export function judge(read: ReadTable) {
  const traits = traitsOf(read);
  return {
    ...traits,
    score: RULES.reduce((sum, rule) => sum + rule(traits), 0),
    /** Whether its heading or headers indicate another view of pay. */
    anotherView: hasOtherView(traits.heading) || TABLE_SIGNS.has(traits.headerText, OTHER_VIEW),
    /** Why it cannot be the table; null if it can. */
    ruledOut: ruledOutBy(traits),
  };
}

/** Properties of a table that the rules use. */
type Traits = ReturnType<typeof traitsOf>;

function traitsOf(read: ReadTable) {
  const { columns, titles, rows, people, above, heading } = read;
  const headers = columns.flatMap(({ path }) => path);
  const meanings = new Set(columns.map(({ meaning }) => meaning));
  const inside = classifyHeadings(titles);
  return {
    ...read,
    headers,
    headerText: letters(headers.join(" ")),
    near: letters(heading.slice(-350)) + letters(titles.join(" ")),
    meanings,
    /** How many of the rule's components it has. */
    parts: PARTS.intersection(meanings).size,
    named: people.filter((person) => person.name !== "").length,
    /** Whether anyone in it has an officer's title. */
    hasOfficers: people.some(({ title }) => hasOfficerTitle(title ?? "")),
    /** The letters of each name. */
    names: new Set(people.map(({ name }) => letters(name))),
    newestYear: Math.max(...rows.map((row) => row.year.year)),
    /** The digits of its totals; "" for a blank one. */
    totals: new Set(
      rows
        .flatMap(({ slots }) => slots.filter(({ column }) => column.meaning === "total_compensation"))
        .map(({ texts }) => texts.join("").replace(/\D/g, "")),
    ),
    /** People and years, which two pages of one table never share. */
    personYears: new Set(
      people.flatMap(({ name, rows: own }) => own.map(({ year }) => `${letters(name)} ${year.year}`)),
    ),
    /** What the text above it says it is. */
    headingKind: inside === "nothing" ? classifyHeadings(above) : inside,
  };
}

function ruledOutBy(traits: Traits) {
  const { columns, headers, headerText, meanings, near, parts, headingKind, above, people, rows } = traits;
  const old = oldHeaders(headers);
  if (FOREIGN_HEADERS.has(headerText, "canadian") && !/stockawards/.test(headerText)) return "foreign_layout";
  if (old.only > 0 && old.all >= 2 && !meanings.has("non_equity_incentive")) return "old_layout";
  if (!meanings.has("total_compensation")) return old.all > 0 ? "old_layout" : "no_total";
  const titled = /summarycompensation/.test(near);
  if (parts < 1 || (!meanings.has("salary") && !titled && parts < 3)) return "no_parts";
  const principal = people.some((person) => officeOfTitle(person.title, "peo") !== "none");
  const never = HEADINGS.has(nearestBlock(above) ?? "", "no_officers");
  if (headingKind === "other people" && (never || !principal)) return "other_people";
  if (headingKind === "another view") return "another_view";
  // Directors are paid fees: without a salary only the heading distinguishes the table from theirs.
  const fees = columns.every(({ meaning, path }) => meaning !== "salary" || meaningOf(path) === "fees");
  if (fees && (!titled || headingKind === "other people")) return "no_parts";
  return rows.length === 0 ? "no_years" : null;
}

/** Share of a table's rows that add up to their total; 0 without rows. */
export function shareOfSums(rows: readonly YearRow[]): number {
  const plan = planColumns(rows);
  const fits = rows.filter((row) => {
    const { columns } = row.section;
    const parts = sumIn(
      row,
      columns.filter((column) => PARTS.has(plan(column))),
    );
    return (
      parts ===
      sumIn(
        row,
        columns.filter((column) => plan(column) === "total_compensation"),
      )
    );
  });
  return rows.length === 0 ? 0 : fits.length / rows.length;
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

/** Moves the cells of each row under the columns in order; undefined if a row's amounts do not match the columns in number. */
function realign(grid: Grid, columns: readonly Column[]): Grid | undefined {
  const year = columns.find((column) => column.meaning === "year");
  const name = columns.find((column) => column.meaning === "name");
  const amounts = amountColumns(columns);
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
