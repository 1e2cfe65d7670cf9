import type { Located } from "./locate.ts";
import { problemOf, type ReadingProblem } from "../problem.ts";
import { readCandidates, type Candidate } from "./candidates.ts";
import { isNewer, samePeople, sameTotals } from "./compare.ts";
import { followingPages, headersApart, precedingPages } from "./pages.ts";
import { speaksOfOfficers } from "./heading.ts";
import { explainRejection, type Refused } from "./explain-rejection.ts";

/** The table with those that continueUnder it on, or why none was taken. */
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
// oxlint-disable-next-line max-lines-per-function -- the steps of the choice, in order
export function chooseTable(located: Located, companyWords: readonly string[]): Choice {
  const read = readCandidates(located);
  // Headers in a table of their own are looked for where no whole table has the title.
  const apart = read.some((one) => one.wrong === null && isSure(one)) ? [] : headersApart(located);
  const fit = [...read, ...apart.map(({ candidate }) => candidate)]
    .filter((one) => one.wrong === null)
    .sort((a, b) => b.score - a.score);
  const best = bestOf(fit);
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
  const byOrder = [
    ...apart.filter((one) => one.byOrder && one.candidate === best).map(() => best.region.ordinal),
    ...behind.byOrder,
  ];
  const rivals = fit.filter(
    (one) =>
      !tables.some((table) => table.region === one.region) &&
      (best.score - one.score <= (isSure(best) ? CLOSE : FAR) || (isSure(one) && !samePeople(one, best))) &&
      !isNewer(best, one) &&
      one.rows.length > 0,
  );
  const differing = rivals.filter((one) => !sameTotals(one, best) || !samePeople(one, best));
  const problems: ReadingProblem[] = differing.map((one) =>
    problemOf(
      "several_tables",
      "locate",
      `Table ${best.region.ordinal} (${best.score} points) was read; table ${one.region.ordinal} (${one.score}) scores alike`,
    ),
  );
  if (best.called !== "title" && !speaksOfOfficers(best.above, companyWords))
    problems.push(
      problemOf(
        "table_untitled",
        "locate",
        `Right above table ${best.region.ordinal} stands "${best.above.at(-1) ?? ""}"`,
      ),
    );
  for (const table of byOrder)
    problems.push(
      problemOf(
        "header_apart",
        "locate",
        `Table ${table} has no column headers; every row has as many amounts as the header before it has columns`,
      ),
    );
  problems.push(...before.problems, ...behind.problems);
  for (const { region, yearFrom } of tables)
    if (yearFrom !== undefined)
      problems.push(
        problemOf(
          "year_from_heading",
          "locate",
          `Table ${region.ordinal} has no column of years; its rows have that of its heading, "${yearFrom.slice(0, 120)}"`,
        ),
      );
  for (const { endedBy } of tables.flatMap((table) => table.sections))
    if (endedBy !== undefined)
      problems.push(
        problemOf(
          "table_left_out",
          "locate",
          `The rows under "${endedBy}" have a header of their own; they were left out`,
        ),
      );
  return { kind: "chosen", tables, problems };
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

/** Whether words above a table call it the Summary Compensation Table, and none another view of pay. */
function isSure({ called, anotherView }: Candidate): boolean {
  return called === "title" && !anotherView;
}
