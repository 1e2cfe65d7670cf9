import {
  AMOUNTS,
  type AmountField,
  COMPONENTS,
  type ExecutiveCompensation,
} from "../../domain/row-fields.ts";
import { BOUNDS } from "../../domain/selection.ts";
import type { AvailableYears } from "../../operations/dataset-guide.ts";
import type { Operations } from "../../operations/operations.ts";
import { type Gap, gapText, yearsText } from "../../operations/gaps.ts";
import { QUERY_PARAMETERS } from "../../operations/query.ts";
import { answerOf, readArguments, type Tool } from "../calls.ts";
import { decode } from "../result.ts";
import { type Question, readQuestion } from "./arguments.ts";
import { cell, hasShortText, line, listed, membersCache, shortened } from "./fitting.ts";
import { isConcise } from "./schemas.ts";

/** Counts in every answer across companies. */
export interface Counts {
  matched: { rows: number; companies: number; company_years: number; incomplete_company_years: number };
  stale_companies: number;
  gaps: Gap[];
  fiscal_years: Record<string, number>;
  index_members?: number;
  index_members_without_rows?: number;
  not_found: string[];
}

/** The operation's answer. */
interface QueryBody extends Counts {
  executive_compensation: ExecutiveCompensation[];
  measures?: Readonly<Record<string, number | null>>[];
  next_cursor: string | null;
}

/** The `query_executive_compensation` tool. */
export function queryTool(
  deps: Pick<Operations, "admit" | "charge" | "query" | "continuation" | "guide">,
): Tool {
  const cached = membersCache();
  return async (given, context) => {
    const question = await readArguments(deps, context, () =>
      readQuestion(given, QUERY_PARAMETERS, ["detail"], deps.guide.symbolOf),
    );
    const { parameters, detail } = question;
    const { revision } = context;
    const answer = await deps.query({ ...context, parameters, ifNoneMatch: null });
    const amounts = askedAmounts(question);
    const members = cached(answer, `${detail} ${hasShortText(revision)} ${amounts.join(" ")}`, () => {
      // As built by the operation.
      const body = JSON.parse(decode(answer.body)) as QueryBody;
      const { executive_compensation: rows, measures = [], next_cursor: next, ...rest } = body;
      const available = body.matched.rows === 0 ? deps.guide.availableYears(parameters) : [];
      const all = rows.map(shortened);
      const extra = detail === "full" ? COMPONENTS : amounts;
      const measured = Object.keys(measures[0] ?? {});
      const listing = {
        name: "executive_compensation",
        items: detail === "full" ? all : all.map((row) => concise(row, extra)),
        measures,
        rest,
        head: ["FY", "Ticker", "Company", "Executive", "Office", "Total", ...extra, ...measured, "Filing"],
        lines: all.map((row, at) =>
          rowText(
            row,
            extra,
            measured.map((name) => measures[at]?.[name] ?? null),
          ),
        ),
        about: [...countNotes(body), ...emptyNotes(body, available), ...deps.guide.shortPeriods(rows)],
        next,
        cursorAfter: (sent: number) => deps.continuation.afterRows(answer, parameters, sent),
      };
      return listed(listing, revision);
    });
    return answerOf(answer, members);
  };
}

/** Amounts that the query sorts or filters by, except the total. */
function askedAmounts({ parameters }: Question): AmountField[] {
  const sort = parameters.get("sort")?.[0] ?? "";
  return AMOUNTS.filter(
    (name) =>
      name !== "total_compensation" &&
      (sort.replace(/^-/, "") === name || BOUNDS.some((bound) => parameters.has(`${name}_${bound}`))),
  );
}

function concise(row: ExecutiveCompensation, extra: readonly AmountField[]): object {
  const kept = Object.entries(row).filter(
    ([name]) => isConcise(name) || extra.some((amount) => amount === name),
  );
  return { ...Object.fromEntries(kept), source: { filing_url: row.source.filing_url } };
}

function rowText(
  row: ExecutiveCompensation,
  extra: readonly AmountField[],
  measures: readonly (number | null)[],
): string {
  return line([
    row.fiscal_year,
    row.ticker === "" ? `CIK ${row.cik}` : row.ticker,
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
export function countNotes(body: Counts): string[] {
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
    ...(body.stale_companies === 0
      ? []
      : [
          `${body.stale_companies} companies are left out: their latest year ended more than three years ago. A year filter has them.`,
        ]),
    ...missingNotes(body),
  ];
}

/** Gaps that a text names; the rest is counted. */
export const MAX_GAPS = 40;

/** Sentences about what was asked for and is missing. */
export function missingNotes(
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

/** The available years, if no row matched. */
export function emptyNotes({ matched }: Counts, available: readonly AvailableYears[]): string[] {
  if (matched.rows > 0) return [];
  return available.map(({ ticker, years }) =>
    years.length === 0
      ? `${ticker ?? "The dataset"} has no rows.`
      : `Fiscal years with rows${ticker === null ? "" : ` of ${ticker}`}: ${yearsText(years)}.`,
  );
}
