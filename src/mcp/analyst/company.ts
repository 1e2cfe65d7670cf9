/** The specification's two tools, with bounded results and available years in empty answers. */
import { symbolOf } from "../../domain/company.ts";
import { COMPONENTS, type ExecutiveCompensation } from "../../domain/row-fields.ts";
import type { Answer } from "../../operations/operation.ts";
import type { Operations } from "../../operations/operations.ts";
import type { Understood } from "../../operations/company.ts";
import {
  availableYears,
  hasShortText,
  notesOn,
  operationTool,
  readCompensation,
  readNothing,
  type Tool,
  type ToolArguments,
  type ToolQuestion,
} from "../calls.ts";
import { contentOf, decode, jsonContent, type ToolContent } from "../result.ts";
import { isLatest } from "./arguments.ts";
import { cell, countFitting, line, MAX_RESULT, quotedLength, shortened } from "./fitting.ts";
import { officesOf, understoodNotes } from "./query.ts";

/** Characters reserved for notes. */
const NOTES_ROOM = 2_000;

/** `get_executive_compensation`: the same answer as at `{mcp_url}`, cut between fiscal years if it is too long. */
export function companyTool(deps: Operations): Tool {
  return operationTool(
    deps,
    deps.getCompensation,
    (given) => readCompany(deps, given),
    (answer, { parameters, understood }, { revision }) =>
      companyContent(answer, hasShortText(revision), (rows) => [
        ...understoodNotes(understood),
        ...(rows.length === 0 ? availableYears(deps, parameters) : deps.guide.shortPeriods(rows)),
      ]),
  );
}

/** Reads the arguments; a company's name counts as its symbol, and the latest fiscal year as `limit` 1. */
function readCompany(
  { guide }: Operations,
  given: ToolArguments,
): ToolQuestion & { understood: readonly Understood[] } {
  const { ticker, fiscal_year: year } = given;
  const meant = typeof ticker === "string" ? guide.understood(ticker) : null;
  const { parameters } = readCompensation({
    ...given,
    ...(meant === null ? {} : { ticker: null, cik: meant.cik }),
    ...(isLatest("fiscal_year", year) ? { fiscal_year: null, limit: 1 } : {}),
  });
  return { parameters, understood: meant === null ? [] : [meant] };
}

function companyContent(
  answer: Answer,
  short: boolean,
  about: (rows: readonly ExecutiveCompensation[]) => string[],
): ToolContent {
  const body = decode(answer.body);
  // As built by the operation.
  const { executive_compensation: rows } = JSON.parse(body) as {
    executive_compensation: ExecutiveCompensation[];
  };
  const notes = [...notesOn(answer, 0), ...about(rows)];
  const rowJson = rows.map((row) => JSON.stringify(shortened(row)));
  const fitting = countFitting(costsOf(rowJson), NOTES_ROOM);
  const first = rows[fitting];
  const result = (count: number) => {
    const sent = rows.slice(0, count).map(shortened);
    const structured = {
      executive_compensation: count < rows.length || body.length > MAX_RESULT ? sent : rows,
    };
    // The card reads the notes as texts of their own.
    return contentOf([short ? tableOf(sent) : JSON.stringify(structured), ...notes], structured);
  };
  if (first === undefined) return result(rows.length);
  const whole = rows.findIndex((row) => row.fiscal_year === first.fiscal_year);
  // A single year that is too long is cut within; no actual table is.
  const sent = whole > 0 ? whole : fitting;
  const next =
    whole > 0
      ? `fiscal years up to ${first.fiscal_year} are omitted. Continue with fiscal_year_lte ${first.fiscal_year}.`
      : `${rows.length - sent} more rows are omitted. Page through them with query_executive_compensation.`;
  notes.push(`This result is cut at 60,000 characters: ${next}`);
  return result(sent);
}

/** The rows of a company as a table: what they share stands above it, and each filing once below. */
function tableOf(rows: readonly ExecutiveCompensation[]): string {
  const [first] = rows;
  if (first === undefined) return "No rows.";
  const currencies = [...new Set(rows.map((row) => row.reporting_currency))];
  const used = COMPONENTS.filter((name) => rows.some((row) => row[name] !== 0 && row[name] !== null));
  const filings = [...new Set(rows.map(({ source }) => source.filing_url ?? source.accession))];
  const lines = rows.map((row) =>
    line([
      row.fiscal_year,
      row.executive_name,
      officesOf(row),
      row.total_compensation,
      ...used.map((name) => row[name]),
      ...(currencies.length > 1 ? [row.reporting_currency] : []),
      `[${filings.indexOf(row.source.filing_url ?? row.source.accession) + 1}]`,
    ]),
  );
  return [
    `${cell(first.company_name)} (${symbolOf(first)}), in ${currencies.map((one) => one ?? "an unknown currency").join(", ")}; amounts that are 0 in all rows are left out`,
    line([
      "FY",
      "Executive",
      "Office",
      "Total",
      ...used,
      ...(currencies.length > 1 ? ["Currency"] : []),
      "Filing",
    ]),
    ...lines,
    ...filings.map((filing, at) => `[${at + 1}] ${filing}`),
  ].join("\n");
}

/** `list_available_tickers`: as many as fit. */
export function tickersTool(deps: Operations): Tool {
  return operationTool(deps, deps.getTickers, readNothing, ({ body }) => tickersContent(decode(body)));
}

function tickersContent(body: string): ToolContent {
  // As built by the operation.
  const { resource, tickers } = JSON.parse(body) as { resource: string; tickers: string[] };
  const sent = countFitting(costsOf(tickers.map((ticker) => JSON.stringify(ticker))), NOTES_ROOM);
  if (sent === tickers.length) return jsonContent(body);
  const cut = JSON.stringify({ resource, tickers: tickers.slice(0, sent) });
  const note = `This result is cut at 60,000 characters: the first ${sent} of ${tickers.length} symbols. Find others with search.`;
  return jsonContent(cut, [note]);
}

/** Characters of each part in a result that contains it twice: as text and as structured content. */
function costsOf(parts: readonly string[]): number[] {
  return parts.map((part) => part.length + quotedLength(part) + 2);
}
