import { HEADINGS } from "../../lexicon/headings.ts";
import { type ParsedFiling, type ReportProblem, refusedFiling } from "../../parsed-filing.ts";
import type { Located, Region } from "../grid/grid.ts";
import {
  IMAGE,
  aboveFirstPage,
  hasTitle,
  isTitle,
  mentionsOwnOfficers,
  otherHeading,
} from "../heading/heading.ts";
import { readHeadersApart } from "../read/read.ts";
import { explainRejection, unreadTitle } from "./explain.ts";
import { type Candidate, candidateOf, sameTotals } from "./judge.ts";

/** The chosen table, and all tables that could be it, the likeliest first. */
export interface Choice {
  readonly table: Candidate;
  readonly fit: readonly Candidate[];
}

/** The chosen table and its other pages, in order. */
export type TablePages = readonly [Candidate, ...Candidate[]];

/** Two candidates within this many points of each other are equally likely. */
const RIVAL_MARGIN = 2;
/** The same if no heading calls the better one the Summary Compensation Table. */
const UNTITLED_MARGIN = 20;
/** Columns of Item 402(c) that a table of officers needs if no text above it says whose it is. */
const MIN_PARTS = 3;

/**
 * Chooses the Summary Compensation Table among all candidates.
 *
 * @param companyWords the company's name, from `companyWordsOf`
 */
export function chooseTable(
  located: Located,
  read: readonly Candidate[],
  companyWords: readonly string[],
): Choice | ParsedFiling {
  // Headers in a separate table are considered only if no complete table has the title.
  const isComplete = read.some((one) => one.ruledOut === null && isSure(one));
  const apart = isComplete ? [] : readHeadersApart(located).map(candidateOf);
  const fit = [...read, ...apart].filter((one) => one.ruledOut === null).sort((a, b) => b.score - a.score);
  const best = bestOf(
    fit.filter(
      (one) =>
        one.headingKind === "title" ||
        ((one.headingKind !== "nothing" || otherHeading(one.above, companyWords) === undefined) &&
          (isOfOfficers(one, companyWords) || (one.hasOfficers && one.parts >= MIN_PARTS))),
    ),
  );
  if (best === undefined) return explainRejection(located, read);
  // What is under the title cannot be read, so a table elsewhere is another one.
  const above = aboveFirstPage(located, best.region, best.above);
  const isUnder = above.slice(above.lastIndexOf(IMAGE) + 1).some(isTitle);
  if (best.headingKind === "nothing" && !isUnder && hasTitle(located)) return unreadTitle(located);
  const newer = fit.find((one) => isNewer(one, best));
  return newer === undefined ? { table: best, fit } : ambiguous(best, newer.region);
}

/** The refusal of a document in which either of two tables could be the right one. */
export function ambiguous({ region }: Candidate, rival: Region): ParsedFiling {
  const both = `table ${region.ordinal} and table ${rival.ordinal}`;
  return refusedFiling("ambiguous", `${both} have the same columns and differ`);
}

/** Reports what is uncertain about the choice. */
export function reportDoubts(
  { table: best, fit }: Choice,
  pages: TablePages,
  companyWords: readonly string[],
  report: ReportProblem,
): void {
  const chosen = `Table ${best.region.ordinal} was read`;
  for (const { region } of rivalsOf(best, fit, pages))
    report("several_tables", `${chosen}; table ${region.ordinal} is about as likely`);
  // A table under a heading of other people was recognized by its people's offices alone.
  if (best.headingKind === "other people" || !isOfOfficers(best, companyWords)) {
    const above = best.above.at(-1) ?? "";
    report("table_untitled", `The text right above table ${best.region.ordinal} is "${above}"`);
  }
  for (const page of pages) reportLayout(page, report);
}

/** Other tables that could be the right one: with a similar score, or titled or introduced by a sentence and with other people. */
function rivalsOf(best: Candidate, fit: readonly Candidate[], tables: readonly Candidate[]) {
  const margin = isSure(best) ? RIVAL_MARGIN : UNTITLED_MARGIN;
  const newest = Math.max(...tables.map(({ newestYear }) => newestYear));
  const names = new Set(tables.flatMap((table) => [...table.names]));
  return fit.filter((one) => {
    if (tables.some(({ region }) => region === one.region) || isNewer(best, one)) return false;
    const isSame = samePeople(one, best);
    if (isSame && sameTotals(one, best)) return false;
    if (best.score - one.score <= margin) return true;
    if (isSame)
      return one.newestYear > newest || (names.size < one.names.size && names.isSubsetOf(one.names));
    return isSure(one) || (!one.anotherView && HEADINGS.has(one.above.at(-1) ?? "", "introduces_table"));
  });
}

/** Whether the text above a table says that it covers the company's officers. */
function isOfOfficers({ headingKind, above }: Candidate, companyWords: readonly string[]): boolean {
  return headingKind === "title" || mentionsOwnOfficers(above, companyWords);
}

function reportLayout({ region, sections, byOrder, yearFrom }: Candidate, report: ReportProblem): void {
  const table = `Table ${region.ordinal}`;
  const headed = `${table} has no column headers; each row has as many amounts as the previous header has columns`;
  const dated = `${table} has no year column; its rows have the year of its heading, "${yearFrom?.slice(0, 120)}"`;
  if (byOrder) report("header_apart", headed);
  if (yearFrom !== undefined) report("year_from_heading", dated);
  for (const heading of sections.flatMap(({ endedBy }) => endedBy ?? []))
    report("table_left_out", `${table}: the rows under "${heading}" were left out`);
}

/**
 * The best of the candidates, given in order of score. A table of the same people is preferred to another view of their pay, and a
 * table that repeats another with a newer year is preferred to it.
 */
function bestOf(fit: readonly Candidate[]): Candidate | undefined {
  const [top] = fit;
  if (top === undefined) return undefined;
  const plain = top.anotherView ? (fit.find((one) => !one.anotherView && samePeople(one, top)) ?? top) : top;
  const isTitled = ({ headingKind }: Candidate) => headingKind === "title";
  const newer = fit.filter(
    (one) => isNewer(one, plain) && !one.anotherView && (isTitled(one) || !isTitled(plain)),
  );
  return newer.find((one) => !newer.some((other) => isNewer(other, one))) ?? plain;
}

/** Whether a table is titled as the Summary Compensation Table and is not another view of pay. */
function isSure({ headingKind, anotherView }: Candidate): boolean {
  return headingKind === "title" && !anotherView;
}

/** Whether two tables share a person. The same totals under other names are other people's. */
function samePeople(one: Candidate, other: Candidate): boolean {
  return !one.names.isDisjointFrom(other.names);
}

/** Whether a table repeats rows of another and adds a newer year. */
function isNewer(one: Candidate, other: Candidate): boolean {
  return one.newestYear > other.newestYear && !one.personYears.isDisjointFrom(other.personYears);
}
