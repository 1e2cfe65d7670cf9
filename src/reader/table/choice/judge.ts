import { FOREIGN_HEADERS } from "../../lexicon/column-headers.ts";
import { HEADINGS, TABLE_SIGNS } from "../../lexicon/headings.ts";
import { officeOfTitle } from "../../officers/titles.ts";
import { letters } from "../../clean-text.ts";
import { hasOfficerTitle } from "../../values/names.ts";
import { shareOfSums } from "../cells/column-plan.ts";
import { PARTS, meaningOf, oldHeaders, paysSalary } from "../header/header.ts";
import { MAX_BLOCKS, classifyHeadings, namesTable, nearestBlock } from "../heading/heading.ts";
import type { ReadTable } from "../read/read.ts";

/** A table with how likely it is to be the Summary Compensation Table, and whether it can be. */
export type Candidate = ReadTable & ReturnType<typeof judge>;

/** What a table is judged by. */
type Evidence = Pick<ReadTable, "columns" | "titles" | "rows" | "people" | "above">;

/** Adds the judgement to a table. */
export function candidateOf(table: ReadTable): Candidate {
  return { ...table, ...judge(table) };
}

/** Scores a table by its headers, the text above it, its people and its sums. */
export function judge(read: Evidence) {
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

function traitsOf(read: Evidence) {
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
  // Directors are paid fees. A column that is empty for everyone may be omitted, even that of salaries (Item
  // 402(a)(5)): then the rows must add up, and the text above or a principal officer must show whose table it is.
  if (!paysSalary(columns)) {
    if (columns.some(({ path }) => meaningOf(path) === "fees")) return "other_people";
    if (headingKind === "other people" || !(titled || principal) || shareOfSums(rows) < MIN_SUMS)
      return "no_parts";
  }
  return rows.length === 0 ? "no_years" : null;
}

/** Whether two tables print the same totals: one document may hold its table twice. */
export function sameTotals(one: Candidate, other: Candidate): boolean {
  return one.totals.symmetricDifference(other.totals).size === 0;
}
