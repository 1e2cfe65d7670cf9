import type { Operations } from "../../operations/operations.ts";
import { type GroupStatistics, type Rank, STATISTICS_PARAMETERS } from "../../operations/statistics.ts";
import { answerOf, readArguments, type Tool } from "../calls.ts";
import { decode, membersOf } from "../result.ts";
import type { Detail } from "./arguments.ts";
import { readQuestion } from "./arguments.ts";
import { membersCache } from "./members-cache.ts";
import { countFitting, fixedLength, line, quotedLength } from "./fitting.ts";
import { type Counts, countNotes, emptyNotes } from "./query.ts";
import { hasShortText } from "./revision.ts";

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
      const available = body.matched.rows === 0 ? deps.guide.availableYears(parameters) : [];
      const about = [...countNotes(body), ...emptyNotes(body, available)];
      const cursorAt = (place: number) => deps.continuation.write(answer, identity, place);
      return membersFor(body, { detail, from, about, revision, cursorAt });
    });
    return answerOf(answer, members);
  };
}

function membersFor(
  { statistics, ranks: allRanks, definition, ...counts }: StatisticsBody,
  shown: {
    detail: Detail;
    from: number;
    about: readonly string[];
    revision: string;
    cursorAt(place: number): string;
  },
): Uint8Array<ArrayBuffer> {
  const { detail, from, about, revision, cursorAt } = shown;
  const short = hasShortText(revision);
  const figures = detail === "full" ? FIGURES : CONCISE;
  const groups = statistics.slice(from);
  const groupJson = groups.map((group) =>
    JSON.stringify({
      group: group.group,
      ...Object.fromEntries(figures.map((name) => [name, group[name]])),
    }),
  );
  const lines = groups.map(({ group, ...of }) =>
    line([...groupCells(group), ...figures.map((name) => rounded(of[name]))]),
  );
  const ranks = from > 0 ? [] : allRanks.slice(0, MAX_RANKS);
  const rankLines = ranks.map(rankText);
  const rest = JSON.stringify({ ranks, ...(detail === "full" ? { definition } : {}), ...counts }).slice(
    1,
    -1,
  );
  const head = line([...Object.keys(groups[0]?.group ?? {}), ...figures]);
  const fixed = fixedLength(rest, [...about, ...rankLines, head], !short);
  const costs = groupJson.map((json, at) => json.length + 3 + quotedLength(short ? (lines[at] ?? "") : json));
  const sent = countFitting(costs, fixed);
  const cursor = sent < groups.length ? cursorAt(from + sent) : null;
  const structured = `{"statistics":[${groupJson.slice(0, sent).join(",")}],${rest},"next_cursor":${JSON.stringify(cursor)}}`;
  const more = [
    ...(allRanks.length > MAX_RANKS && from === 0
      ? [
          `Only the first ${MAX_RANKS} of ${allRanks.length} ranks are shown: narrow by fiscal_year or office.`,
        ]
      : []),
    ...(cursor === null
      ? []
      : [
          `This result is cut after ${sent} of ${groups.length} groups, at 60,000 characters: call again with the same arguments and cursor ${JSON.stringify(cursor)}.`,
        ]),
  ];
  if (!short) return membersOf([structured, ...about, ...more], structured);
  const table = sent === 0 ? [] : [head, ...lines.slice(0, sent)];
  return membersOf([[...about, ...table, ...rankLines, ...more].join("\n")], structured);
}

/** A group's key; companies without a known sector or code are in the group "unknown". */
function groupCells(group: GroupStatistics["group"]): (string | number)[] {
  return Object.values(group).map((value) => value ?? "unknown");
}

/** Figures in texts are rounded to units; the structured content has exact values. */
function rounded(value: number): number {
  return Math.round(value);
}

function rankText({ executive_id: id, fiscal_year: year, group, value, rank, percentile }: Rank): string {
  const inGroup = group === undefined ? "" : ` among ${line(groupCells(group))}`;
  return `Rank ${rank}${inGroup}: ${id}, fiscal ${year}, ${value}; above ${(percentile * 100).toFixed(1)}% of the others.`;
}
