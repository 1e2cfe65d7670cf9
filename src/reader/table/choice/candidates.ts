import { FOREIGN_HEADERS } from "../../lexicon/column-headers.ts";
import { HEADINGS, TABLE_SIGNS } from "../../lexicon/headings.ts";
import { officeOfTitle } from "../../officers/titles.ts";
import { COST } from "../../parsed.ts";
import { letters } from "../../text.ts";
import { hasOfficerTitle, isCurrencySign, isMoneyLike, isNote, readYear } from "../../values/values.ts";
import { readRows, realign, type TableRow } from "../cells/cells.ts";
import { type YearRow, shareOfSums } from "../cells/slots.ts";
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
  paysSalary,
  readSections,
} from "../header/header.ts";
import { type Person, readPeople } from "../people/people.ts";
import { IMAGE, classifyHeadings, headingOf, isArtifact, namesTable, nearestBlock } from "./heading.ts";

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
  const above = [...headingOf(located, region), ...inside];
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
  };
  return { ...judge(table), region, grid, sections, read, byOrder: false };
}

/** Reads all tables that could be the Summary Compensation Table. */
export function readCandidates(located: Located): Candidate[] {
  const titled = located.headers.filter((region) => headingOf(located, region, 0).slice(-3).some(namesTable));
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
export function dateByHeading(grid: Grid, above: readonly string[]) {
  const heading = above
    .slice(above.lastIndexOf(IMAGE) + 1)
    .filter((block) => readYear(block) !== undefined || (!isNote(block) && !isArtifact(block)))
    .slice(-MAX_BLOCKS);
  const title = heading.findLastIndex(namesTable);
  if (title < 0) return undefined;
  const words = heading.slice(title).join(" ");
  const labels = heading.slice(title).flatMap((block) => readYear(block)?.year.toString() ?? []);
  const years = new Set([...labels, ...(words.match(/(?<!\d)20\d\d(?!\d)/g) ?? [])]);
  const [year] = years;
  const starts = grid.rows.map(amountsFrom);
  const first = starts.findIndex((start) => start !== undefined);
  const header = grid.rows.findLastIndex((row, at) => at < first && ownCells(row, at).length >= 3);
  // Left of the first amounts and of their header, which may begin further left.
  const amounts = starts.filter((start) => start !== undefined);
  const at = Math.min(ownCells(grid.rows[header], header)[1]?.x0 ?? 0, ...amounts);
  if (years.size !== 1 || year === undefined || header < 0 || at <= 0) return undefined;
  const rows = grid.rows.map((row, index) => {
    // Room for a column at `at`.
    const moved = row.map((cell) => ({
      ...cell,
      x0: cell.x0 + Number(cell.x0 >= at),
      x1: cell.x1 + Number(cell.x1 > at),
    }));
    if (index !== header && starts[index] === undefined) return moved;
    const added = textCell(index, at, at + 1, index === header ? "Year" : year, "");
    return [...moved, added].sort((a, b) => a.x0 - b.x0);
  });
  return { grid: { ...grid, rows, width: grid.width + 1 }, words };
}

/** Where the amounts of a row begin; undefined unless it has text followed by two of them. */
function amountsFrom(row: readonly Cell[], at: number): number | undefined {
  const own = ownCells(row, at);
  const amounts = own.filter(({ text }) => isMoneyLike(text) && !isCurrencySign(text));
  if (amounts.length < 2 || own[0] === amounts[0] || !amounts.some(({ text }) => /\d/.test(text)))
    return undefined;
  return own.find((cell) => isCurrencySign(cell.text) || amounts.includes(cell))?.x0;
}

interface ReadTable {
  /** The columns and the titles of all sections. */
  readonly columns: readonly Column[];
  readonly titles: readonly string[];
  readonly rows: readonly YearRow[];
  readonly people: readonly Person[];
  /** The blocks of text right before the table. */
  readonly above: readonly string[];
}

/** A table with how likely it is to be the Summary Compensation Table, and whether it can be. */
type Judgement = ReturnType<typeof judge>;

/** Scores a table by its headers, the text above it, its people and its sums. */
export function judge(read: ReadTable) {
  const traits = traitsOf(read);
  const { above, columns, headerText, heading, headingKind, named } = traits;
  const has = (means: (typeof TABLE_SIGNS.entries)[number]["means"]) => TABLE_SIGNS.has(headerText, means);
  const isUntitled = headingKind === "nothing";
  const hasOtherHeading = HEADINGS.has(heading.slice(-260), "other_view");
  const hasOtherHeaders = has("column headers of another view of pay");
  const unknown = columns.filter(({ meaning }) => meaning === "unknown").length;
  const signs: readonly (readonly [points: number, holds: boolean])[] = [
    [3, has("all other compensation")],
    [2, has("non-equity incentive plan")],
    [2, has("stock or option awards")],
    [2, has("name and principal position")],
    [2, traits.meanings.has("year")],
    [12, headingKind === "title"],
    [-8, headingKind === "other people"],
    [5, isUntitled && traits.isNamed],
    // Breaks a tie: a heading with only another company's name counts for less than this sentence.
    [1, isUntitled && HEADINGS.has(above.at(-1) ?? "", "introduces_table")],
    [-5, hasOtherHeading],
    [-5, hasOtherHeaders],
    [-unknown, unknown > 1],
    [2, named > 0],
    [-3, named > 0 && !traits.hasOfficers],
  ];
  const points = signs.map(([point, holds]) => (holds ? point : 0));
  const others = traits.parts + Math.round(shareOfSums(read.rows) * 4);
  return {
    ...traits,
    score: points.reduce((sum, point) => sum + point, others),
    /** Whether its heading or headers indicate another view of pay. */
    anotherView: hasOtherHeading || hasOtherHeaders,
    /** Why it cannot be the table; null if it can. */
    ruledOut: ruledOutBy(traits),
  };
}

/** Properties of a table that the rules use. */
type Traits = ReturnType<typeof traitsOf>;

function traitsOf(read: ReadTable) {
  const { columns, titles, rows, people, above } = read;
  const heading = above.join(" ").slice(-700);
  const headers = columns.flatMap(({ path }) => path);
  const meanings = new Set(columns.map(({ meaning }) => meaning));
  const inside = classifyHeadings(titles);
  const slots = rows.flatMap((row) => row.slots);
  const totals = slots.filter(({ column }) => column.meaning === "total_compensation");
  return {
    ...read,
    /** The last 700 characters above it. */
    heading,
    headers,
    headerText: letters(headers.join(" ")),
    /** Whether the text right above it or a title inside names the Summary Compensation Table. */
    isNamed: [...above.slice(-MAX_BLOCKS), ...titles].some(namesTable),
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
    totals: new Set(totals.map(({ texts }) => texts.join("").replace(/\D/g, ""))),
    /** People and years, which two pages of one table never share. */
    personYears: new Set(
      people.flatMap(({ name, rows: own }) => own.map(({ year }) => `${letters(name)} ${year.year}`)),
    ),
    /** What the text above it says it is. */
    headingKind: inside === "nothing" ? classifyHeadings(above) : inside,
  };
}

/** Least share of the rows that must add up in a table without salaries. */
const MIN_SUMS = 0.8;

function ruledOutBy(traits: Traits) {
  const { columns, headers, headerText, meanings, isNamed, parts, headingKind, above, people, rows } = traits;
  const old = oldHeaders(headers);
  if (FOREIGN_HEADERS.has(headerText, "canadian") && !/stockawards/.test(headerText)) return "foreign_layout";
  if (old.only > 0 && old.all >= 2 && !meanings.has("non_equity_incentive")) return "old_layout";
  if (!meanings.has("total_compensation")) return old.all > 0 ? "old_layout" : "no_total";
  const titled = isNamed || headingKind === "title";
  if (parts < 1 || (!meanings.has("salary") && !titled && parts < 3)) return "no_parts";
  const principal = people.some((person) => officeOfTitle(person.title, "peo") !== null);
  const never = HEADINGS.has(nearestBlock(above) ?? "", "no_officers");
  if (headingKind === "other people" && (never || !principal)) return "other_people";
  if (headingKind === "another view") return "another_view";
  // Directors are paid fees. A column that is empty for everyone may be left out, also that of salaries (Item 402(a)(5)): then
  // the rows must add up, and the text above or a principal officer must show whose table it is.
  if (!paysSalary(columns)) {
    if (columns.some(({ path }) => meaningOf(path) === "fees")) return "other_people";
    if (headingKind === "other people" || !(titled || principal) || shareOfSums(rows) < MIN_SUMS)
      return "no_parts";
  }
  return rows.length === 0 ? "no_years" : null;
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
  const asWide = grid.kind === "table" && grid.width === width ? grid : undefined;
  for (const way of [asWide, realign(grid, section.columns)]) {
    if (way === undefined) continue;
    const under = endedByOthers(way, [{ ...section, headerRows: [], from: 0, to: way.rows.length }]);
    const read = assess(located, region, way, under, above);
    if (shareOfSums(read.rows) >= 0.7) return { ...read, byOrder: way !== grid };
  }
  return undefined;
}
