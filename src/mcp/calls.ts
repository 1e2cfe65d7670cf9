import { type GivenParameters, shorten, type Parameter } from "../domain/parameters.ts";
import { COMPENSATION_PARAMETERS } from "../domain/company-parameters.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { Purchase } from "../http/refusals.ts";
import { creditHeaders, datasetHeader, newerFilingHeader, rateLimitHeaders } from "../http/headers.ts";
import { yearsText } from "../operations/analysis.ts";
import { type Answer, type OperationRequest, whenAdmitted } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import {
  decode,
  FOR_THE_MODEL,
  jsonContent,
  textBlock,
  refusalAnswer,
  type ToolAnswer,
  type ToolContent,
} from "./result.ts";
import { asksElsewhere, COMPENSATION_TOOL, NOT_COVERED, RECOMMENDED_YEARS, TICKERS_TOOL } from "./tools.ts";

/** The context of a tool call. */
export interface CallContext extends Pick<OperationRequest, "caller" | "need" | "admission"> {
  purchase: Purchase;
  /** Protocol revision of the client, which determines how verbose a text must be. */
  revision: string;
  /** Aborted when the caller is gone; absent where that is unknown. */
  signal?: AbortSignal;
  /** The site to link to; null over stdio, where links go to the filings. */
  site: string | null;
}

/** The arguments of a call as received. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Runs one tool. Refuses like its operation. */
export type Tool = (given: ToolArguments, context: CallContext) => Promise<ToolAnswer>;

/** Calls a tool by name. Undefined for an unknown name, with nothing admitted or counted. */
export type CallTool = (
  name: string,
  given: ToolArguments,
  context: CallContext,
) => Promise<ToolAnswer | undefined>;

/**
 * Length of a body, in characters, from which its result also suggests narrowing the request: 25,000 tokens, the limit
 * of Claude Code, at 2.4 characters per token. Rows measured 3.1 (o200k_base); other tokenizers split more finely.
 */
const LONG_BODY = 60_000;

/**
 * Calls tools by name. A refusal of what no tool has says so. Refusals a model can act on (400, 402, 404, 410, 503) become results; others are
 * thrown for the HTTP response.
 */
export function toolCalls(tools: ReadonlyMap<string, Tool>): CallTool {
  return async (name, given, context) => {
    try {
      return await tools.get(name)?.(given, context);
    } catch (refused) {
      if (!(refused instanceof ServiceError) || !FOR_THE_MODEL.has(refused.kind)) throw refused;
      const more = asksElsewhere(JSON.stringify(given)) ? ` ${NOT_COVERED}` : "";
      return refusalAnswer(refused, context.purchase, more);
    }
  };
}

/** The arguments of a tool as parameters of its operation. */
export interface ToolQuestion {
  parameters: GivenParameters;
}

/**
 * A tool on an operation that REST has too, with its parameters and refusals.
 *
 * @param read reads the arguments; refuses with `invalid_parameter`
 * @param present what the tool says of the answer
 */
export function operationTool<Question extends ToolQuestion>(
  deps: Operations,
  ask: (request: OperationRequest) => Promise<Answer>,
  read: (given: ToolArguments) => Question,
  present: (answer: Answer, question: Question, context: CallContext) => ToolContent,
): Tool {
  return async (given, context) => {
    const question = await readArguments(deps, context, () => read(given));
    const { caller, need, admission } = context;
    const { parameters } = question;
    const answer = await ask({ caller, need, admission, parameters, ifNoneMatch: null });
    const meta = metaOf(answer);
    const result = { ...present(answer, question, context), ...(meta === null ? {} : { _meta: meta }) };
    return { result, headers: headersOf(answer) };
  };
}

/** The first revision with structured content, in which the text need not repeat everything. */
const STRUCTURED_SINCE = "2025-06-18";

/**
 * Whether the text of a result may be short. Revision 2025-03-26 has only text, which must be the complete JSON.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools, "Structured Content"
 */
export function hasShortText(revision: string): boolean {
  return revision >= STRUCTURED_SINCE;
}

/** The specification's two tools. */
export function specTools(deps: Operations): Map<string, Tool> {
  // An answer that is given again is the same bytes; parsing them takes as long as all else that is ours.
  const made = new WeakMap<Uint8Array, ToolContent>();
  const present = (answer: Answer, { parameters }: ToolQuestion) => {
    const { body } = answer;
    const { content, structuredContent } = made.getOrInsertComputed(body, () => jsonContent(decode(body)));
    const why = body.length === NO_ROWS.length ? availableYears(deps, parameters) : [];
    const notes = [...notesOn(answer, body.length), ...why].map(textBlock);
    return { content: [...content, ...notes], structuredContent };
  };
  return new Map([
    [COMPENSATION_TOOL, operationTool(deps, deps.getCompensation, readCompensation, present)],
    [TICKERS_TOOL, operationTool(deps, deps.getTickers, readNothing, present)],
  ]);
}

const NO_ROWS = '{"executive_compensation":[]}';

/** Sentences about the years that a company has, after an answer without rows. */
export function availableYears({ guide }: Operations, given: GivenParameters): string[] {
  return guide
    .availableYears(given)
    .map(({ ticker, years }) => `Fiscal years with rows of ${ticker ?? "any company"}: ${yearsText(years)}.`);
}

/** Reads the arguments of `get_executive_compensation`. */
export function readCompensation(given: ToolArguments): ToolQuestion {
  return { parameters: parametersOf(given, compensationText) };
}

/** Reads the arguments of `list_available_tickers`: refuses any. */
export function readNothing(given: ToolArguments): ToolQuestion {
  const parameters = parametersOf(given, (name) => {
    const text = `${TICKERS_TOOL} takes no arguments, but ${JSON.stringify(shorten(name))} was sent.`;
    throw invalid(text);
  });
  return { parameters };
}

/**
 * Reads arguments. Values that a query cannot express are refused like all others: after the caller has
 * been admitted and counted.
 */
export async function readArguments<Read>(
  deps: Operations,
  context: CallContext,
  read: () => Read,
): Promise<Read> {
  try {
    return read();
  } catch (refused) {
    return whenAdmitted<never>(deps, context, () => {
      throw refused;
    });
  }
}

/** Notes for the model about a company's rows. */
export function notesOn(
  { rowEvidence, incompleteYears, yearsLeftOut, newerFiling, principal }: Answer,
  length: number,
): string[] {
  const notes: string[] = [];
  // An anonymous caller is told in `_meta` alone: the latest year is all there is to ask for.
  if (yearsLeftOut > 0 && principal.kind !== "anonymous")
    notes.push(
      `${yearsLeftOut} more fiscal ${yearsLeftOut === 1 ? "year is" : "years are"} loaded and left out by limit. Set a higher limit to get ${yearsLeftOut === 1 ? "it" : "them"}.`,
    );
  if (newerFiling !== null)
    notes.push(
      `A newer filing is known and not loaded yet: ${newerFiling.accession}, filed ${newerFiling.filingDate}. The latest ` +
        "fiscal year above is not the company's latest. Say so when you use it.",
    );
  if (rowEvidence !== null)
    notes.push(
      "Some rows are collected: totals and chief executives are confirmed by the filer's own tags, the components are not checked " +
        "against the document, and nobody is marked as CFO. evidence=linked,typed leaves them out of questions across companies.",
    );
  if (incompleteYears.length > 0)
    notes.push(
      `Incomplete fiscal years: ${incompleteYears.join(", ")}. That year's proxy statement has not been read, so executives who ` +
        "left before the next one are missing, or only its chief executive is here: rank them, and say how many are incomplete.",
    );
  if (length > LONG_BODY)
    notes.push(
      `This answer has ${length} characters. If it arrives truncated, ask for less: a smaller limit (${RECOMMENDED_YEARS} ` +
        "or fewer), or a range with fiscal_year_gte and fiscal_year_lte.",
    );
  return notes;
}

function metaOf({
  rowEvidence,
  incompleteYears,
  yearsLeftOut,
  principal,
  receipt,
}: Answer): Record<string, unknown> | null {
  const { charged, remaining } = receipt;
  const meta = {
    ...(rowEvidence !== null && { row_evidence: rowEvidence }),
    ...(incompleteYears.length > 0 && { incomplete_fiscal_years: incompleteYears }),
    ...(yearsLeftOut > 0 && { fiscal_years_left_out: yearsLeftOut }),
    ...(principal.kind === "anonymous" && {
      access: "Anonymous: latest fiscal year only. Sign in or send X-API-KEY for earlier years.",
    }),
    ...(remaining !== null && { credits_charged: charged, credits_remaining: remaining }),
  };
  return Object.keys(meta).length === 0 ? null : meta;
}

function headersOf({
  dataset,
  rowEvidence,
  incompleteYears: years,
  yearsLeftOut,
  newerFiling,
  receipt,
  window,
}: Answer) {
  return {
    dataset: datasetHeader(dataset),
    ...rateLimitHeaders(window),
    ...creditHeaders(receipt),
    ...(years.length > 0 && { "incomplete-fiscal-years": years.join(", ") }),
    ...(rowEvidence !== null && { "row-evidence": rowEvidence }),
    ...(yearsLeftOut > 0 && { "fiscal-years-left-out": String(yearsLeftOut) }),
    ...(newerFiling !== null && { "newer-filing": newerFilingHeader(newerFiling) }),
  };
}

/**
 * Converts JSON arguments to text parameters, whose names and bounds the operation validates; `null` counts as absent.
 *
 * @param textOf the text of an argument, undefined if it counts as absent; refuses values that a query string cannot
 * express with `invalid_parameter`
 */
export function parametersOf(
  given: ToolArguments,
  textOf: (name: string, value: unknown) => string | undefined,
): Map<string, readonly string[]> {
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given)) {
    const text = value === null || value === undefined ? undefined : textOf(name, value);
    if (text !== undefined) parameters.set(name, [text]);
  }
  return parameters;
}

const PARAMETERS: readonly Parameter[] = COMPENSATION_PARAMETERS;

function compensationText(name: string, value: unknown): string {
  const parameter = PARAMETERS.find((one) => one.name === name);
  // The operation refuses unknown names and suggests the intended one.
  if (parameter === undefined) return "";
  if (typeof value === "string") return value;
  // Numbers and strings of digits are equivalent, because models send both.
  const isText = parameter.kind === "text" && name !== "cik";
  if (typeof value === "number" && !isText) return digitsOf(value);
  throw mistaken(name, value, isText ? "a string" : "a whole number");
}

/** The refusal of a value of the wrong type. */
export function mistaken(name: string, value: unknown, expected: string): ServiceError {
  const kind = Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : String(value);
  return invalid(`Cannot read ${name}: got ${kind}, expected ${expected}.`);
}

/** A number without an exponent, which a query string does not accept. */
export function digitsOf(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
