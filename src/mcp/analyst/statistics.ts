import type { Operations } from "../../operations/operations.ts";
import { type GroupStatistics, type Rank, STATISTICS_PARAMETERS } from "../../operations/statistics.ts";
import { answerOf, readArguments, type Tool } from "../calls.ts";
import { decode } from "../result.ts";
import { readQuestion } from "./arguments.ts";
import { groupCells, groupTable, hasShortText, line, listed, membersCache } from "./fitting.ts";
import { type Counts, countNotes, emptyNotes } from "./query.ts";

/** The operation's answer. */
interface StatisticsBody extends Counts {
  statistics: GroupStatistics[];
  ranks: Rank[];
  definition: string;
}

const FIGURES = [
  "rows",
  "companies",
  "company_years",
  "incomplete_company_years",
  "sum",
  "min",
  "p10",
  "p25",
  "median",
  "mean",
  "p75",
  "p90",
  "max",
] as const;
const CONCISE = ["rows", "companies", "incomplete_company_years", "median", "mean", "min", "max"] as const;
/** Maximum number of ranks; a company has few rows, an executive one per year. */
const MAX_RANKS = 60;

/** The `get_executive_compensation_statistics` tool. */
export function statisticsTool(
  deps: Pick<Operations, "admit" | "charge" | "statistics" | "continuation" | "guide">,
): Tool {
  const cached = membersCache();
  return async (given, context) => {
    const { parameters, detail, from, identity } = await readArguments(deps, context, () => {
      const question = readQuestion(given, STATISTICS_PARAMETERS, ["detail", "cursor"], deps.guide.symbolOf);
      const identity = JSON.stringify([...question.parameters].sort());
      return { ...question, identity, from: deps.continuation.read(identity, question.cursor) };
    });
    const answer = await deps.statistics({ ...context, parameters, ifNoneMatch: null });
    const { revision } = context;
    const members = cached(answer, `${detail} ${hasShortText(revision)} ${from}`, () => {
      // As built by the operation.
      const body = JSON.parse(decode(answer.body)) as StatisticsBody;
      const { statistics, ranks: allRanks, definition, ...counts } = body;
      const available = body.matched.rows === 0 ? deps.guide.availableYears(parameters) : [];
      const figures = detail === "full" ? FIGURES : CONCISE;
      const groups = statistics.slice(from);
      const ranks = from > 0 ? [] : allRanks.slice(0, MAX_RANKS);
      const unranked =
        allRanks.length > MAX_RANKS && from === 0
          ? [
              `Only the first ${MAX_RANKS} of ${allRanks.length} ranks are shown: narrow by fiscal_year or office.`,
            ]
          : [];
      const listing = {
        name: "statistics",
        items: groups.map((of) => ({
          group: of.group,
          ...Object.fromEntries(figures.map((name) => [name, of[name]])),
        })),
        rest: { ranks, ...(detail === "full" ? { definition } : {}), ...counts },
        ...groupTable(groups, figures),
        about: [...countNotes(body), ...emptyNotes(body, available), ...unranked],
        below: ranks.map(rankText),
        next: null,
        cursorAfter: (sent: number) => deps.continuation.write(answer, identity, from + sent),
      };
      return listed(listing, revision);
    });
    return answerOf(answer, members);
  };
}

function rankText({ executive_id: id, fiscal_year: year, group, value, rank, percentile }: Rank): string {
  const inGroup = group === undefined ? "" : ` among ${line(groupCells(group))}`;
  return `Rank ${rank}${inGroup}: ${id}, fiscal ${year}, ${value}; above ${(percentile * 100).toFixed(1)}% of the others.`;
}
