import { letters } from "../../text.ts";
import { FOREIGN_HEADERS, type Meaning } from "../../lexicon/column-headers.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { TABLE_SIGNS } from "../../lexicon/table-signs.ts";
import { officeOfTitle } from "../../officers/titles.ts";
import type { YearRow } from "../cells/cells.ts";
import { meaningOf, oldHeaders } from "../header/column-headers.ts";
import { amountIn, planColumns } from "../cells/column-plan.ts";
import { PARTS, type Column } from "../header/columns.ts";
import { classifyHeadings, type HeadingKind } from "./heading.ts";
import { hasOfficerTitle } from "../../values/names.ts";
import type { Person } from "../people/people.ts";

/** How likely a table is to be the Summary Compensation Table, and whether it can be. */
export interface Judgement {
  readonly score: number;
  /** What the text above it says it is. */
  readonly headingKind: HeadingKind;
  /** Whether its heading or headers indicate another view of pay. */
  readonly anotherView: boolean;
  /** Why it cannot be the table; null if it can. */
  readonly ruledOut:
    | "old_layout"
    | "foreign_layout"
    | "no_total"
    | "no_years"
    | "no_parts"
    | "other_people"
    | "another_view"
    | null;
}

/** The parts of a table that are judged. */
export interface ReadTable {
  /** The columns and the titles of all sections. */
  readonly columns: readonly Column[];
  readonly titles: readonly string[];
  readonly rows: readonly YearRow[];
  readonly people: readonly Person[];
  /** The blocks of text right before the table, and the last 700 characters of them. */
  readonly above: readonly string[];
  readonly heading: string;
}

/** Properties of a table that the rules use. */
interface Traits extends ReadTable {
  readonly headers: readonly string[];
  /** The letters of all headers, and those right above the table. */
  readonly headerText: string;
  readonly near: string;
  readonly meanings: ReadonlySet<Meaning>;
  readonly parts: number;
  readonly named: number;
  readonly headingKind: HeadingKind;
}

/** Points for or against a table. */
type Rule = (traits: Traits) => number;

const has =
  (means: (typeof TABLE_SIGNS.entries)[number]["means"], points: number): Rule =>
  ({ headerText }) =>
    TABLE_SIGNS.has(headerText, means) ? points : 0;

const OTHER_VIEW = "column headers of another view of pay";

function hasOtherView(heading: string): boolean {
  return HEADINGS.has(heading.slice(-260), "other_view");
}

/** The rules that score a table. */
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
  ({ named, people }) =>
    named > 0 && !people.some((person) => hasOfficerTitle(person.title ?? "")) ? -3 : 0,
  ({ rows }) => Math.round(shareOfSums(rows) * 4),
];

/** Scores a table by its headers, the text above it, its people and its sums. */
export function judge(read: ReadTable): Judgement {
  const traits = traitsOf(read);
  return {
    score: RULES.reduce((sum, rule) => sum + rule(traits), 0),
    headingKind: traits.headingKind,
    anotherView: hasOtherView(traits.heading) || TABLE_SIGNS.has(traits.headerText, OTHER_VIEW),
    ruledOut: ruledOutBy(traits),
  };
}

/** Whether only its heading rules a table out. */
export function isOthers({ ruledOut }: Judgement): boolean {
  return ruledOut === "other_people" || ruledOut === "another_view";
}

function traitsOf(read: ReadTable): Traits {
  const { columns, titles, people, above, heading } = read;
  const headers = columns.flatMap(({ path }) => path);
  const meanings = new Set(columns.map(({ meaning }) => meaning));
  const inside = classifyHeadings(titles);
  return {
    ...read,
    headers,
    headerText: letters(headers.join(" ")),
    near: letters(heading.slice(-350)) + letters(titles.join(" ")),
    meanings,
    parts: PARTS.intersection(meanings).size,
    named: people.filter((person) => person.name !== "").length,
    headingKind: inside === "nothing" ? classifyHeadings(above) : inside,
  };
}

function ruledOutBy(traits: Traits): Judgement["ruledOut"] {
  const { columns, headers, headerText, meanings, near, parts, headingKind, above, people, rows } = traits;
  const old = oldHeaders(headers);
  if (FOREIGN_HEADERS.has(headerText, "canadian") && !/stockawards/.test(headerText)) return "foreign_layout";
  if (old.only > 0 && old.all >= 2 && !meanings.has("non_equity_incentive")) return "old_layout";
  if (!meanings.has("total_compensation")) return old.all > 0 ? "old_layout" : "no_total";
  const titled = /summarycompensation/.test(near);
  if (parts < 1 || (!meanings.has("salary") && !titled && parts < 3)) return "no_parts";
  const principal = people.some((person) => officeOfTitle(person.title, "peo") !== "none");
  const never = HEADINGS.has(above.at(-1) ?? "", "no_officers");
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
    const sumOf = (wanted: (meaning: Meaning) => boolean): number =>
      row.slots
        .filter(({ column }) => wanted(plan.get(column) ?? column.meaning))
        .reduce((sum, { column }) => sum + amountIn(row, column), 0);
    return sumOf((meaning) => PARTS.has(meaning)) === sumOf((meaning) => meaning === "total_compensation");
  });
  return rows.length === 0 ? 0 : fits.length / rows.length;
}
