/** The specification's two tools, with bounded results and available years in empty answers. */
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import type { Answer } from "../../operations/operation.ts";
import type { Operations } from "../../operations/operations.ts";
import { parametersOf } from "../arguments.ts";
import { answerOf, askSpec, notesOn, type Tool, type ToolDeps } from "../calls.ts";
import { decode, successMembers } from "../result.ts";
import { countFitting, MAX_RESULT, quotedLength, shortened, yearsText } from "./fitting.ts";
import { membersCache } from "./members-cache.ts";

/** Characters reserved for notes. */
const NOTES_ROOM = 2_000;

/** `get_executive_compensation`: the same answer as at `{mcp_url}`, cut between fiscal years if it is too long. */
export function companyTool(deps: ToolDeps & Pick<Operations, "guide">): Tool {
  const ask = askSpec(deps);
  const cached = membersCache();
  return async (given, context) => {
    const answer = await ask.compensation(given, context);
    return answerOf(
      answer,
      cached(answer, "", () => companyMembers(answer, () => yearsOf(deps, given))),
    );
  };
}

function companyMembers(answer: Answer, available: () => string[]): Uint8Array<ArrayBuffer> {
  const body = decode(answer.body);
  // As built by the operation.
  const { executive_compensation: rows } = JSON.parse(body) as {
    executive_compensation: ExecutiveCompensation[];
  };
  const notes = notesOn(answer, 0);
  if (rows.length === 0) notes.push(...available());
  const rowJson = rows.map((row) => JSON.stringify(shortened(row)));
  const fitting = countFitting(costsOf(rowJson), NOTES_ROOM);
  const first = rows[fitting];
  const bodyOf = (count: number) => `{"executive_compensation":[${rowJson.slice(0, count).join(",")}]}`;
  if (first === undefined)
    return successMembers(body.length > MAX_RESULT ? bodyOf(rows.length) : body, notes);
  const whole = rows.findIndex((row) => row.fiscal_year === first.fiscal_year);
  // A single year that is too long is cut within; no actual table is.
  const sent = whole > 0 ? whole : fitting;
  const next =
    whole > 0
      ? `fiscal years up to ${first.fiscal_year} are omitted. Continue with fiscal_year_lte ${first.fiscal_year}.`
      : `${rows.length - sent} more rows are omitted. Page through them with query_executive_compensation.`;
  notes.push(`This result is cut at 60,000 characters: ${next}`);
  return successMembers(bodyOf(sent), notes);
}

/** `list_available_tickers`: as many as fit. */
export function tickersTool(deps: ToolDeps): Tool {
  const ask = askSpec(deps);
  const cached = membersCache();
  return async (given, context) => {
    const answer = await ask.tickers(given, context);
    return answerOf(
      answer,
      cached(answer, "", () => tickersMembers(decode(answer.body))),
    );
  };
}

function tickersMembers(body: string): Uint8Array<ArrayBuffer> {
  // As built by the operation.
  const { resource, tickers } = JSON.parse(body) as { resource: string; tickers: string[] };
  const sent = countFitting(costsOf(tickers.map((ticker) => JSON.stringify(ticker))), NOTES_ROOM);
  if (sent === tickers.length) return successMembers(body, []);
  const cut = JSON.stringify({ resource, tickers: tickers.slice(0, sent) });
  const note = `This result is cut at 60,000 characters: the first ${sent} of ${tickers.length} symbols. Find others with search.`;
  return successMembers(cut, [note]);
}

/** Characters of each part in a result that contains it twice: as text and as structured content. */
function costsOf(parts: readonly string[]): number[] {
  return parts.map((part) => part.length + quotedLength(part) + 2);
}

function yearsOf({ guide }: Pick<Operations, "guide">, given: Readonly<Record<string, unknown>>): string[] {
  return guide
    .availableYears(parametersOf(given))
    .map(({ ticker, years }) => `Fiscal years with rows of ${ticker ?? "any company"}: ${yearsText(years)}.`);
}
