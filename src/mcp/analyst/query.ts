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
import { decode, membersOf } from "../result.ts";
import { hasShortText } from "./revision.ts";
import { type Question, readQuestion } from "./arguments.ts";
import { cell, countFitting, fixedLength, line, quotedLength, shortened } from "./fitting.ts";
import { membersCache } from "./members-cache.ts";
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

/** Maximum rows requested per call; more never fit a result. */
const MAX_PAGE = 250;

/** The `query_executive_compensation` tool. */
export function queryTool(
  deps: Pick<Operations, "admit" | "charge" | "query" | "continuation" | "guide">,
): Tool {
  const cached = membersCache();
  return async (given, context) => {
    const question = await readArguments(deps, context, () => {
      const read = readQuestion(given, QUERY_PARAMETERS, ["detail"], deps.guide.symbolOf);
      const wanted = Number(read.parameters.get("max_rows")?.[0]);
      if (wanted > MAX_PAGE && wanted <= 1000) read.parameters.set("max_rows", [String(MAX_PAGE)]);
      return read;
    });
    const { parameters } = question;
    const answer = await deps.query({ ...context, parameters, ifNoneMatch: null });
    const form = `${question.detail} ${hasShortText(context.revision)} ${askedAmounts(question).join(" ")}`;
    const members = cached(answer, form, () => {
      // As built by the operation.
      const body = JSON.parse(decode(answer.body)) as QueryBody;
      const available = body.matched.rows === 0 ? deps.guide.availableYears(parameters) : [];
      const cursorAfter = (sent: number) => deps.continuation.afterRows(answer, parameters, sent);
      const notes = [...emptyNotes(body, available), ...deps.guide.shortPeriods(body.executive_compensation)];
      return membersFor(body, question, context.revision, notes, cursorAfter);
    });
    return answerOf(answer, members);
  };
}

function membersFor(
  body: QueryBody,
  question: Question,
  revision: string,
  notes: readonly string[],
  cursorAfter: (sent: number) => string,
): Uint8Array<ArrayBuffer> {
  const { executive_compensation: rows, measures = [], next_cursor: next, ...rest } = body;
  const all = rows.map(shortened);
  const short = hasShortText(revision);
  const extra = question.detail === "full" ? COMPONENTS : askedAmounts(question);
  const rowJson = all.map((row) => JSON.stringify(question.detail === "full" ? row : concise(row, extra)));
  const measureJson = measures.map((one) => JSON.stringify(one));
  const measured = Object.keys(measures[0] ?? {});
  const lines = all.map((row, at) =>
    rowText(
      row,
      extra,
      measured.map((name) => measures[at]?.[name] ?? null),
    ),
  );
  const about = [...countNotes(body), ...notes];
  const head = line([
    "FY",
    "Ticker",
    "Company",
    "Executive",
    "Office",
    "Total",
    ...extra,
    ...measured,
    "Filing",
  ]);
  const counts = JSON.stringify(rest).slice(1, -1);
  const fixed = fixedLength(counts, [...about, head], !short);
  const costs = rowJson.map((row, at) => {
    const json = row + (measureJson[at] ?? "");
    return short ? json.length + quotedLength(lines[at] ?? "") + 4 : json.length + quotedLength(json) + 3;
  });
  const sent = countFitting(costs, fixed);
  const cursor = sent < all.length ? cursorAfter(sent) : next;
  const figures = measured.length === 0 ? "" : `"measures":[${measureJson.slice(0, sent).join(",")}],`;
  const structured = `{"executive_compensation":[${rowJson.slice(0, sent).join(",")}],${figures}${counts},"next_cursor":${JSON.stringify(cursor)}}`;
  const more = moreNotes(sent, all.length, cursor);
  if (!short) return membersOf([structured, ...about, ...more], structured);
  const table = sent === 0 ? [] : [head, ...lines.slice(0, sent)];
  return membersOf([[...about, ...table, ...more].join("\n")], structured);
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

/** Gaps that a text names. */
const MAX_GAPS = 40;

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
    ...(body.gaps.length === 0
      ? []
      : [
          `Missing: ${body.gaps
            .slice(0, MAX_GAPS)
            .map((gap) => gapText(gap))
            .join("; ")}${body.gaps.length > MAX_GAPS ? "; …" : ""}.`,
        ]),
    ...(body.not_found.length === 0 ? [] : [`Not found: ${body.not_found.map(cell).join(", ")}.`]),
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

function moreNotes(sent: number, page: number, cursor: string | null): string[] {
  if (cursor === null) return [];
  const cut = sent < page ? `This result is cut after ${sent} rows, at 60,000 characters. ` : "";
  return [`${cut}For more rows, call again with the same arguments and cursor ${JSON.stringify(cursor)}.`];
}
