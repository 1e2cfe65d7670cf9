import type { Located } from "../grid/locate.ts";
import { problemOf, refuse, type ReadingProblem, type Refused } from "../../problem.ts";
import { readCandidates, type Candidate } from "./candidates.ts";
import { hasMorePeople, isNewer, newestYear, samePeople, sameTotals } from "./compare.ts";
import { hasOfficers } from "./doubts.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { PARTS } from "../header/columns.ts";
import { followingPages, headersApart, precedingPages } from "./pages.ts";
import { mentionsOwnOfficers } from "./heading.ts";
import { explainRejection } from "./explain-rejection.ts";

/** The chosen table with its other pages, or why none was chosen. */
export type Choice =
  | {
      readonly kind: "chosen";
      readonly tables: readonly [Candidate, ...Candidate[]];
      readonly problems: readonly ReadingProblem[];
    }
  | Refused;

/** Two candidates within this many points of each other are equally likely. */
const RIVAL_MARGIN = 2;
/** The same if no heading calls the better one the Summary Compensation Table. */
const UNTITLED_MARGIN = 20;

/**
 * Chooses the Summary Compensation Table among all candidates.
 *
 * @param companyWords the company's name, from `companyWordsOf`
 */
export function chooseTable(located: Located, companyWords: readonly string[]): Choice {
  const read = readCandidates(located);
  // Headers in a separate table are considered only if no complete table has the title.
  const apart = read.some((one) => one.ruledOut === null && isSure(one)) ? [] : headersApart(located);
  const fit = [...read, ...apart].filter((one) => one.ruledOut === null).sort((a, b) => b.score - a.score);
  const best = bestOf(fit.filter((one) => !isGuess(one, companyWords)));
  if (best === undefined) return explainRejection(located, read);
  const newer = fit.find((one) => isNewer(one, best));
  const before = precedingPages(located, best);
  const rival = newer?.region ?? before.rival;
  if (rival !== undefined)
    return refuse(
      "ambiguous",
      `table ${best.region.ordinal} and table ${rival.ordinal} have the same columns and differ`,
    );
  const behind = followingPages(located, best);
  const [first = best, ...rest] = [...before.tables, best, ...behind.tables];
  const tables: readonly [Candidate, ...Candidate[]] = [first, ...rest];
  const problems = [
    ...rivalsOf(best, fit, tables).map((one) =>
      problemOf(
        "several_tables",
        `Table ${best.region.ordinal} was read; table ${one.region.ordinal} is about as likely`,
      ),
    ),
    ...untitled(best, companyWords),
    ...tables.flatMap(problemsOf),
    ...before.problems,
    ...behind.problems,
  ];
  return { kind: "chosen", tables, problems };
}

/** Other tables that could be the right one: with a similar score, or titled and with other people. */
function rivalsOf(
  best: Candidate,
  fit: readonly Candidate[],
  tables: readonly Candidate[],
): readonly Candidate[] {
  return fit.filter(
    (one) =>
      !tables.some((table) => table.region === one.region) &&
      (best.score - one.score <= (isSure(best) ? RIVAL_MARGIN : UNTITLED_MARGIN) ||
        (samePeople(one, best)
          ? newestYear(one) > Math.max(...tables.map(newestYear)) || hasMorePeople(one, tables)
          : isSure(one) || isIntroduced(one))) &&
      !isNewer(best, one) &&
      (!sameTotals(one, best) || !samePeople(one, best)),
  );
}

/** Whether the text above a table says that it covers the company's officers. */
function isOfOfficers({ headingKind, above }: Candidate, companyWords: readonly string[]): boolean {
  return headingKind === "title" || mentionsOwnOfficers(above, companyWords);
}

/** Columns of Item 402(c) that a table without a heading needs. */
const MIN_PARTS = 3;

/** Whether neither the text above a table nor its people's offices and its columns identify it. */
function isGuess(table: Candidate, companyWords: readonly string[]): boolean {
  if (isOfOfficers(table, companyWords)) return false;
  const meanings = new Set(table.columns.map(({ meaning }) => meaning));
  return !hasOfficers(table) || PARTS.intersection(meanings).size < MIN_PARTS;
}

function untitled(table: Candidate, companyWords: readonly string[]): ReadingProblem[] {
  // A table under a heading of other people was recognized by its people's offices alone.
  if (table.headingKind !== "other people" && isOfOfficers(table, companyWords)) return [];
  const message = `The text right above table ${table.region.ordinal} is "${table.above.at(-1) ?? ""}"`;
  return [problemOf("table_untitled", message)];
}

/** Problems of how one table was read. */
function problemsOf({ region, sections, byOrder, yearFrom }: Candidate): ReadingProblem[] {
  const table = `Table ${region.ordinal}`;
  const headed = `${table} has no column headers; each row has as many amounts as the previous header has columns`;
  const dated = `${table} has no year column; its rows have the year of its heading, "${yearFrom?.slice(0, 120)}"`;
  return [
    ...(byOrder ? [problemOf("header_apart", headed)] : []),
    ...(yearFrom === undefined ? [] : [problemOf("year_from_heading", dated)]),
    ...sections
      .flatMap(({ endedBy }) => endedBy ?? [])
      .map((heading) => problemOf("table_left_out", `${table}: the rows under "${heading}" were left out`)),
  ];
}

/**
 * The best of the candidates, given in order of score. A table of the same people is preferred to another view of their pay, and a
 * table that repeats another with a newer year is preferred to it.
 */
function bestOf(fit: readonly Candidate[]): Candidate | undefined {
  const [top] = fit;
  if (top === undefined) return undefined;
  const plain = top.anotherView ? (fit.find((one) => !one.anotherView && samePeople(one, top)) ?? top) : top;
  const newer = fit.filter(
    (one) =>
      isNewer(one, plain) &&
      !one.anotherView &&
      (one.headingKind === "title" || plain.headingKind !== "title"),
  );
  return newer.find((one) => !newer.some((other) => isNewer(other, one))) ?? plain;
}

/** Whether the sentence right above a table introduces it as the named executive officers' table. */
function isIntroduced({ above, anotherView }: Candidate): boolean {
  return !anotherView && HEADINGS.has(above.at(-1) ?? "", "introduces_table");
}

/** Whether a table is titled as the Summary Compensation Table and is not another view of pay. */
function isSure({ headingKind, anotherView }: Candidate): boolean {
  return headingKind === "title" && !anotherView;
}
