import type { Located } from "../grid/locate.ts";
import { problemOf, type ProblemCode, type ReadingProblem } from "../../problem.ts";
import { readCandidates, type Candidate } from "./candidates.ts";
import { isNewer, samePeople, sameTotals } from "./compare.ts";
import { hasOfficers } from "./doubts.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { PARTS } from "../header/header.ts";
import { followingPages, headersApart, precedingPages } from "./pages.ts";
import { speaksOfOfficers } from "./heading.ts";
import { explainRejection, type Refused } from "./explain-rejection.ts";

/** The table with those that continue it, or why none was taken. */
export type Choice =
  | {
      readonly kind: "chosen";
      readonly tables: readonly [Candidate, ...Candidate[]];
      readonly problems: readonly ReadingProblem[];
    }
  | Refused;

/** Two candidates within this many points of each other are equally likely. */
const CLOSE = 2;
/** The same, where no words above the better one call it the Summary Compensation Table: its columns alone spoke for it. */
const FAR = 20;

/**
 * Picks the Summary Compensation Table among all tables that could be it.
 *
 * @param companyWords the company's name, as `companyWordsOf` gives it
 */
export function chooseTable(located: Located, companyWords: readonly string[]): Choice {
  const read = readCandidates(located);
  // Headers in a table of their own are looked for where no whole table has the title.
  const apart = read.some((one) => one.wrong === null && isSure(one)) ? [] : headersApart(located);
  const fit = [...read, ...apart].filter((one) => one.wrong === null).sort((a, b) => b.score - a.score);
  const best = bestOf(fit.filter((one) => !isGuess(one, companyWords)));
  if (best === undefined) return explainRejection(located, read);
  const newer = fit.find((one) => isNewer(one, best));
  const before = precedingPages(located, best);
  const rival = newer?.region ?? before.rival;
  if (rival !== undefined)
    return {
      kind: "refused",
      reason: "ambiguous",
      detail: `table ${best.region.ordinal} and table ${rival.ordinal} have the same columns and differ`,
    };
  const behind = followingPages(located, best);
  const [first = best, ...rest] = [...before.tables, best, ...behind.tables];
  const tables: readonly [Candidate, ...Candidate[]] = [first, ...rest];
  const problems = [
    ...rivalsOf(best, fit, tables).map((one) =>
      problemOf(
        "several_tables",
        "locate",
        `Table ${best.region.ordinal} (${best.score} points) was read; table ${one.region.ordinal} (${one.score}) scores alike`,
      ),
    ),
    ...untitled(best, companyWords),
    ...tables.flatMap(problemsOf),
    ...before.problems,
    ...behind.problems,
  ];
  return { kind: "chosen", tables, problems };
}

/** Other tables that could have been meant: as good ones, or those of other people under the title. */
function rivalsOf(
  best: Candidate,
  fit: readonly Candidate[],
  tables: readonly Candidate[],
): readonly Candidate[] {
  return fit.filter(
    (one) =>
      !tables.some((table) => table.region === one.region) &&
      (best.score - one.score <= (isSure(best) ? CLOSE : FAR) ||
        ((isSure(one) || isIntroduced(one)) && !samePeople(one, best))) &&
      !isNewer(best, one) &&
      (!sameTotals(one, best) || !samePeople(one, best)),
  );
}

/** Whether words above a table say that it is of the company's officers. */
function isOfOfficers({ called, above }: Candidate, companyWords: readonly string[]): boolean {
  return called === "title" || speaksOfOfficers(above, companyWords);
}

/** Columns of the rule that must speak for a table where no word above it does. */
const MIN_PARTS = 3;

/** Whether neither words above a table, nor the offices of its people and its columns speak for it. */
function isGuess(table: Candidate, companyWords: readonly string[]): boolean {
  if (isOfOfficers(table, companyWords)) return false;
  const meanings = new Set(table.columns.map(({ meaning }) => meaning));
  return !hasOfficers(table) || PARTS.intersection(meanings).size < MIN_PARTS;
}

function untitled(table: Candidate, companyWords: readonly string[]): ReadingProblem[] {
  // The offices of its people alone spoke for a table under a heading of others.
  if (table.called !== "other people" && isOfOfficers(table, companyWords)) return [];
  const message = `Right above table ${table.region.ordinal} stands "${table.above.at(-1) ?? ""}"`;
  return [problemOf("table_untitled", "locate", message)];
}

/** What is doubtful about how one table was read. */
function problemsOf({ region, sections, byOrder, yearFrom }: Candidate): ReadingProblem[] {
  const table = `Table ${region.ordinal}`;
  const told = (code: ProblemCode, message: string): ReadingProblem => problemOf(code, "locate", message);
  const headed = `${table} has no column headers; every row has as many amounts as the header before it has columns`;
  const dated = `${table} has no column of years; its rows have that of its heading, "${yearFrom?.slice(0, 120)}"`;
  return [
    ...(byOrder ? [told("header_apart", headed)] : []),
    ...(yearFrom === undefined ? [] : [told("year_from_heading", dated)]),
    ...sections.flatMap(({ endedBy }) =>
      endedBy === undefined
        ? []
        : [told("table_left_out", `The rows under "${endedBy}" in table ${region.ordinal} were left out`)],
    ),
  ];
}

/**
 * The best of the candidates, which are in the order of their scores: not another view of the pay of people who stand in a table of
 * their own, and of tables called alike not the one that another prints again with a newer year.
 */
function bestOf(fit: readonly Candidate[]): Candidate | undefined {
  const [top] = fit;
  if (top === undefined) return undefined;
  const plain = top.anotherView ? (fit.find((one) => !one.anotherView && samePeople(one, top)) ?? top) : top;
  const newer = fit.filter(
    (one) => isNewer(one, plain) && !one.anotherView && (one.called === "title" || plain.called !== "title"),
  );
  return newer.find((one) => !newer.some((other) => isNewer(other, one))) ?? plain;
}

/** Whether the sentence right above a table introduces it as that of the named executive officers. */
function isIntroduced({ above, anotherView }: Candidate): boolean {
  return !anotherView && HEADINGS.has(above.at(-1) ?? "", "introduces_table");
}

/** Whether words above a table call it the Summary Compensation Table, and none another view of pay. */
function isSure({ called, anotherView }: Candidate): boolean {
  return called === "title" && !anotherView;
}
