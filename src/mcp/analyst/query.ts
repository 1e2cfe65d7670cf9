/** The tools that ask across companies: rows, statistics of rows, and CEO totals of the whole market. */
import {
  type AmountField,
  AMOUNTS,
  COMPONENTS,
  type ExecutiveCompensation,
  MEASURES,
} from "../../domain/row-fields.ts";
import { symbolOf } from "../../domain/company.ts";
import type { GivenParameters } from "../../domain/parameters.ts";
import { CEO_PAY_PAGING } from "../../domain/ceo-pay-selection.ts";
import { BOUNDS, CURSOR_PARAMETER } from "../../domain/selection.ts";
import { invalid } from "../../errors.ts";
import type { Answer } from "../../operations/operation.ts";
import type { Operations } from "../../operations/operations.ts";
import type { Understood } from "../../operations/company.ts";
import { cursorTo, gapText, yearsText } from "../../operations/analysis.ts";
import type { missingOf } from "../../operations/empty.ts";
import { QUERY_PARAMETERS } from "../../operations/query.ts";
import {
  CEO_PAY_PARAMETERS,
  CEO_PAY_STATISTICS_PARAMETERS,
  type CeoPayAnswer,
  type CeoPayAnswerCounts,
  type CeoPayJson,
  ceoPayNotes,
  restatedText,
  type CeoPayStatistics,
} from "../../operations/ceo-pay.ts";
import {
  FIGURES,
  type GroupStatistics,
  type Rank,
  requireYears,
  STATISTICS_PARAMETERS,
} from "../../operations/statistics.ts";
import { type ToolQuestion, operationTool, type Tool, type ToolArguments } from "../calls.ts";
import { decode } from "../result.ts";
import { asksElsewhere, NOT_COVERED } from "../tools.ts";
import { type Question, readQuestion, textOf } from "./arguments.ts";
import type { CeoMedian } from "../../operations/ceo-median.ts";
import { cell, groupCells, groupTable, line, listed, type Listing, shortened } from "./fitting.ts";
import { isConcise } from "./schemas.ts";
import { CEO_PAY_TOOL } from "./tools.ts";

/** Counts in every answer across companies. */
type Counts = Awaited<ReturnType<typeof missingOf>> & { understood?: Understood[] };

/** The operation's answer. */
interface QueryBody extends Counts {
  executive_compensation: ExecutiveCompensation[];
  measures?: Readonly<Record<string, number | null>>[];
  next_cursor: string | null;
}

/** A tool whose result is a listing. @param listingOf of the operation's body */
function listingTool<Body, Question extends ToolQuestion>(
  deps: Operations,
  ask: Parameters<typeof operationTool>[1],
  read: (given: ToolArguments) => Question,
  listingOf: (body: Body, question: Question, answer: Answer) => Listing,
): Tool {
  return operationTool(deps, ask, read, (answer, question, { revision }) => {
    // As built by the operation.
    const body = JSON.parse(decode(answer.body)) as Body;
    return listed({ cursorAfter: answer.cursorAfter, ...listingOf(body, question, answer) }, revision);
  });
}

/** The `query_executive_compensation` tool. */
export function queryTool(deps: Operations): Tool {
  return listingTool(
    deps,
    deps.query,
    (given) => withSortedMeasures(readQuestion(given, QUERY_PARAMETERS)),
    (body: QueryBody, { parameters, form }) => {
      const { executive_compensation: rows, measures = [], next_cursor: next, ...rest } = body;
      const amounts = askedAmounts(parameters);
      const all = rows.map(shortened);
      const isFull = form === "full";
      const extra = isFull ? COMPONENTS : amounts;
      const measured = Object.keys(measures[0] ?? {});
      const measuresOf = (at: number) => measured.map((name) => measures[at]?.[name] ?? null);
      return {
        name: "executive_compensation",
        items: isFull ? all : all.map((row) => concise(row, extra)),
        measures,
        rest,
        head: ["FY", "Ticker", "Company", "Executive", "Office", "Total", ...extra, ...measured, "Filing"],
        lines: all.map((row, at) => rowText(row, extra, measuresOf(at))),
        about: [...countNotes(body), ...emptyNotes(body, parameters), ...deps.guide.shortPeriods(rows)],
        next,
      };
    },
  );
}

/** The question with the measures that it sorts or filters by among those it shows. */
function withSortedMeasures({ parameters, form }: Question): Question {
  const shown = (parameters.get("measures")?.[0] ?? "").split(",").filter((one) => one !== "");
  const sort = (parameters.get("sort")?.[0] ?? "").replace(/^-/, "");
  const asked = MEASURES.filter(
    (name) => name === sort || BOUNDS.some((bound) => parameters.has(`${name}_${bound}`)),
  );
  const all = [...shown, ...asked.filter((name) => !shown.some((one) => one.trim().toLowerCase() === name))];
  if (all.length > shown.length) parameters.set("measures", [all.join(",")]);
  return { parameters, form };
}

/** Amounts that the query sorts or filters by, except the total. */
function askedAmounts(parameters: GivenParameters): AmountField[] {
  const sort = parameters.get("sort")?.[0] ?? "";
  return AMOUNTS.filter(
    (name) =>
      name !== "total_compensation" &&
      (sort.replace(/^-/, "") === name || BOUNDS.some((bound) => parameters.has(`${name}_${bound}`))),
  );
}

function concise(row: ExecutiveCompensation, extra: readonly AmountField[]): object {
  const shown = Object.entries(row).filter(
    ([name]) => isConcise(name) || extra.some((amount) => amount === name),
  );
  return { ...Object.fromEntries(shown), source: { filing_url: row.source.filing_url } };
}

function rowText(
  row: ExecutiveCompensation,
  extra: readonly AmountField[],
  measures: readonly (number | null)[],
): string {
  return line([
    row.fiscal_year,
    symbolOf(row),
    row.company_name,
    row.executive_name,
    officesOf(row),
    `${row.total_compensation} ${row.reporting_currency ?? ""}`.trim(),
    ...extra.map((name) => row[name]),
    ...measures,
    row.source.filing_url ?? row.source.accession,
  ]);
}

/** `CEO`, `CFO`, `CEO+CFO` or nothing. */
export function officesOf({ is_peo: isPeo, is_pfo: isPfo }: ExecutiveCompensation): string {
  return [isPeo ? "CEO" : "", isPfo ? "CFO" : ""].filter((office) => office !== "").join("+");
}

/** Sentences about what matched. */
function countNotes(body: Counts): string[] {
  const { rows, companies, company_years: years, incomplete_company_years: incomplete } = body.matched;
  const fiscalYears = Object.keys(body.fiscal_years)
    .map(Number)
    .sort((a, b) => a - b);
  return [
    `${rows} ${rows === 1 ? "row" : "rows"} of ${companies} ${companies === 1 ? "company" : "companies"} matched; ${incomplete} of ${years} company-years are incomplete (executives who left may be missing). Fiscal years: ${yearsText(fiscalYears)}.`,
    ...(body.index_members === undefined
      ? []
      : [
          `Of ${body.index_members} index members in these years ${body.index_members_without_rows ?? 0} have no rows.`,
        ]),
    ...(body.companies_without_cfo === undefined || body.companies_without_cfo === 0
      ? []
      : [
          `Of ${body.companies_without_cfo} more companies nobody is known to have been CFO: their rows were collected without titles, or no filing says.`,
        ]),
    ...(body.stale_companies === 0
      ? []
      : [
          `${body.stale_companies} companies are left out: their latest year ended more than three years ago. A year filter has them.`,
        ]),
    ...understoodNotes(body.understood),
    ...missingNotes(body),
  ];
}

/** A sentence about the words that were taken for companies. */
export function understoodNotes(understood: readonly Understood[] = []): string[] {
  const taken = understood.map(
    ({ given, company_name: name, ...company }) =>
      `${JSON.stringify(given)} as ${name} (${symbolOf(company)})`,
  );
  return taken.length === 0 ? [] : [`Understood ${taken.join("; ")}.`];
}

/** Gaps that a text names; the rest is counted. */
const MAX_GAPS = 40;

/** Sentences about what was asked for and is missing. */
function missingNotes(
  { gaps, not_found: notFound }: Pick<Counts, "gaps" | "not_found">,
  isCeoPay = false,
): string[] {
  const named = gaps.slice(0, MAX_GAPS).map((gap) => gapText(gap, isCeoPay));
  const more = gaps.length > MAX_GAPS ? ` and ${gaps.length - MAX_GAPS} more` : "";
  return [
    ...(named.length === 0 ? [] : [`Missing: ${named.join("; ")}${more}.`]),
    ...(notFound.length === 0 ? [] : [`Not found: ${notFound.map(cell).join(", ")}.`]),
  ];
}

/** What to ask next, if no row matched. */
function emptyNotes({ next_step: next }: Counts, given: GivenParameters): string[] {
  if (next === undefined) return [];
  const asked = [...given.values()].join(" ");
  return [next, ...(asksElsewhere(asked) ? [NOT_COVERED] : [])];
}

/** The operation's answer. */
interface StatisticsBody extends Counts {
  statistics: GroupStatistics[];
  ranks: Rank[];
  definition: string;
  ceo_pay?: CeoMedian;
  companies_differ?: boolean;
}

/** What comes first: how far the figures below go. */
function medianNotes({
  ceo_pay: pay,
  companies_differ: differ,
  statistics,
  matched,
}: StatisticsBody): string[] {
  const differing = differNotes(differ, statistics);
  if (pay === undefined) return differing;
  // A median over several years would mean nothing beside the years' own.
  if (statistics.some(({ group }) => "fiscal_year" in group))
    return [`${CEO_PAY_TOOL} has the same trend for up to ${pay.companies} companies.`, ...differing];
  const only =
    matched.companies < pay.companies ? ` The rows below are of ${matched.companies} of them.` : "";
  return [
    `CEO pay of the whole market, rows and filers' tags: median ${Math.round(pay.median)} of ${pay.companies} companies (${CEO_PAY_TOOL}).${only}`,
    ...differing,
  ];
}

/** Says that a trend is not of the same companies. */
function differNotes(differ: boolean | undefined, groups: readonly { companies: number }[]): string[] {
  const counts = groups.map(({ companies }) => companies).join(", ");
  return differ === true
    ? [`The companies differ from year to year (${counts}): for a trend ask with same_companies=true.`]
    : [];
}

const ALL = ["rows", "companies", "company_years", "incomplete_company_years", ...FIGURES] as const;
const CONCISE = ["rows", "companies", "incomplete_company_years", ...FIGURES] as const;
/** Maximum number of ranks; a company has few rows, an executive one per year. */
const MAX_RANKS = 60;

/** The `get_executive_compensation_statistics` tool. */
export function statisticsTool(deps: Operations): Tool {
  const read = ({ cursor, ...given }: ToolArguments) => {
    const { parameters, form: detail } = readQuestion(given, STATISTICS_PARAMETERS);
    const identity = JSON.stringify([...parameters].sort());
    const place = cursor === undefined || cursor === null ? undefined : textOf(CURSOR_PARAMETER, cursor);
    const from = deps.readCursor(identity, place);
    return { parameters, detail, identity, from };
  };
  return listingTool(
    deps,
    deps.statistics,
    read,
    (body: StatisticsBody, { parameters, detail, identity, from }, answer) => {
      const { statistics, ranks: allRanks, definition, ceo_pay: pay, ...counts } = body;
      const figures = detail === "full" ? ALL : CONCISE;
      const groups = statistics.slice(from);
      const ranks = from > 0 ? [] : allRanks.slice(0, MAX_RANKS);
      const unranked = `Only the first ${MAX_RANKS} of ${allRanks.length} ranks are shown: narrow by fiscal_year or office.`;
      return {
        name: "statistics",
        items: groups.map((of) => ({
          group: of.group,
          ...Object.fromEntries(figures.map((name) => [name, of[name]])),
        })),
        rest: {
          ...(pay === undefined ? {} : { ceo_pay: pay }),
          ranks,
          ...(detail === "full" ? { definition } : {}),
          ...counts,
        },
        ...groupTable(groups, figures),
        about: [
          ...medianNotes(body),
          ...countNotes(body),
          ...emptyNotes(body, parameters),
          ...(allRanks.length > MAX_RANKS && from === 0 ? [unranked] : []),
        ],
        below: ranks.map(rankText),
        next: null,
        cursorAfter: (sent: number) => cursorTo(answer.dataset, identity, from + sent),
      };
    },
  );
}

function rankText({ executive_id: id, fiscal_year: year, group, value, rank, percentile }: Rank): string {
  const inGroup = group === undefined ? "" : ` among ${line(groupCells(group))}`;
  return `Rank ${rank}${inGroup}: ${id}, fiscal ${year}, ${value}; above ${(percentile * 100).toFixed(1)}% of the others.`;
}

const CEO_PAY_FIGURES = ["records", "companies", ...FIGURES] as const;

function isGiven(given: ToolArguments, name: string): boolean {
  return (given[name] ?? null) !== null;
}

/** The `query_ceo_pay` tool: records, or with `group_by` statistics. */
export function ceoPayTool(deps: Operations): Tool {
  const readRecords = (given: ToolArguments) => {
    if (isGiven(given, "same_companies")) requireYears([]);
    return readQuestion(given, CEO_PAY_PARAMETERS);
  };
  const readGroups = (given: ToolArguments) => {
    const other = CEO_PAY_PAGING.find(({ name }) => isGiven(given, name));
    if (other === undefined) return readQuestion(given, CEO_PAY_STATISTICS_PARAMETERS);
    throw invalid(`Cannot read ${other.name}: it is for totals, not groups. Leave it out, or group_by.`);
  };
  const common = (counts: CeoPayAnswerCounts, { parameters }: ToolQuestion, more: readonly string[] = []) => {
    const isIncluded = parameters.get("doubtful")?.[0] === "include";
    return {
      rest: { ...counts, gaps: counts.gaps.slice(0, MAX_GAPS) },
      about: [
        ...understoodNotes(counts.understood),
        ...ceoPayNotes(counts, isIncluded ? null : "doubtful=include"),
        ...missingNotes(counts, true),
        ...(counts.next_step === undefined ? [] : [counts.next_step]),
        ...more,
      ],
    };
  };
  const records = listingTool(
    deps,
    deps.ceoPay,
    readRecords,
    ({ ceo_pay: found, next_cursor: next, ...counts }: CeoPayAnswer, question) => ({
      name: "ceo_pay",
      items:
        question.form === "full"
          ? found
          : found.map(({ company_url: page, confirmed_by_tag: _tag, surname_only: _surname, ...rest }) =>
              // What has no filing is cited by the company's page.
              rest.source === null ? { ...rest, company_url: page } : rest,
            ),
      head: ["FY", "Ticker", "Company", "CEO", "Total", "Basis", "Source"],
      lines: found.map(recordText),
      ...common(counts, question, deps.guide.shortTotals(found)),
      next,
    }),
  );
  const statistics = listingTool(
    deps,
    deps.ceoPayStatistics,
    readGroups,
    ({ statistics: items, companies_differ: differ, ...counts }: CeoPayStatistics, question) => ({
      name: "statistics",
      items,
      ...groupTable(items, CEO_PAY_FIGURES),
      ...common(counts, question, differNotes(differ, items)),
      next: null,
    }),
  );
  return (given, context) => (isGiven(given, "group_by") ? statistics : records)(given, context);
}

function recordText(record: CeoPayJson): string {
  const { fiscal_year: year, label_inferred: inferred, source, provider } = record;
  const doubts = record.doubts.map(({ message }) => ` (doubtful: ${message})`).join("");
  const restated = record.restated === null ? "" : ` (${restatedText(record.restated)})`;
  return line([
    `${year}${inferred ? " (year inferred)" : ""}`,
    symbolOf(record),
    record.company_name,
    record.peo_name ?? "unnamed",
    `${record.peo_total} ${record.reporting_currency}${restated}${doubts}`,
    record.basis,
    source?.filing_url ?? source?.accession ?? `${record.company_url} (tag collected by ${provider})`,
  ]);
}
