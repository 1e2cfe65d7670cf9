/** The specification's two tools where results are bounded and an answer without rows says which years there are. */
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import type { Answer } from "../../operations/operation.ts";
import type { Operations } from "../../operations/operations.ts";
import { parametersOf } from "../arguments.ts";
import { answerOf, askSpec, notesOn, type Tool, type ToolDeps } from "../calls.ts";
import { decode, successMembers } from "../result.ts";
import { countFitting, quotedLength, yearsTold } from "./fitting.ts";
import { membersCache } from "./members-cache.ts";

/** Characters for what is said beside the rows. */
const NOTES_ROOM = 2_000;

/** `get_executive_compensation`: the answer of `{mcp_url}`, cut between fiscal years where it would be too long. */
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
  // As the operation makes it.
  const { executive_compensation: rows } = JSON.parse(body) as {
    executive_compensation: ExecutiveCompensation[];
  };
  const notes = notesOn(answer, 0);
  if (rows.length === 0) notes.push(...available());
  const rowJson = rows.map((row) => JSON.stringify(row));
  const fitting = countFitting(costsOf(rowJson), NOTES_ROOM);
  const first = rows[fitting];
  if (first === undefined) return successMembers(body, notes);
  const whole = rows.findIndex((row) => row.fiscal_year === first.fiscal_year);
  // A year that alone is too long is cut inside; no real table is.
  const sent = whole > 0 ? whole : fitting;
  notes.push(
    `This result is cut at 60,000 characters: fiscal years from ${first.fiscal_year} back are left out. Go on with ` +
      `fiscal_year_lte ${first.fiscal_year}.`,
  );
  return successMembers(`{"executive_compensation":[${rowJson.slice(0, sent).join(",")}]}`, notes);
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
  // As the operation makes it.
  const { resource, tickers } = JSON.parse(body) as { resource: string; tickers: string[] };
  const sent = countFitting(costsOf(tickers.map((ticker) => JSON.stringify(ticker))), NOTES_ROOM);
  if (sent === tickers.length) return successMembers(body, []);
  const cut = JSON.stringify({ resource, tickers: tickers.slice(0, sent) });
  const note = `This result is cut at 60,000 characters: the first ${sent} of ${tickers.length} symbols. Look others up with search.`;
  return successMembers(cut, [note]);
}

/** Characters of each part in a result that has it twice: as text and as structured content. */
function costsOf(parts: readonly string[]): number[] {
  return parts.map((part) => part.length + quotedLength(part) + 2);
}

function yearsOf({ guide }: Pick<Operations, "guide">, given: Readonly<Record<string, unknown>>): string[] {
  return guide
    .availableYears(parametersOf(given))
    .map(({ ticker, years }) => `Fiscal years with rows of ${ticker ?? "any company"}: ${yearsTold(years)}.`);
}
