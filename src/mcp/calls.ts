import { BoundedCache } from "../domain/cache.ts";
import { andThen, type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import {
  type GivenParameters,
  shorten,
  COMPENSATION_PARAMETERS,
  type Parameter,
} from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import {
  creditHeaders,
  datasetHeader,
  newerFilingHeader,
  type Purchase,
  rateLimitHeaders,
  retryAfterSeconds,
} from "../http/responses.ts";
import { type Admission, type Answer, type Caller, whenAdmitted } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import { errorBody, isForTheModel } from "./errors.ts";
import { decode, errorAnswer, successMembers, type ToolAnswer } from "./result.ts";
import { COMPENSATION_TOOL, RECOMMENDED_YEARS, TICKERS_TOOL } from "./tools.ts";

/** The context of a tool call. */
export interface CallContext {
  caller: Caller;
  need: "credential" | "any";
  purchase: Purchase;
  /** The admission, if the caller was admitted before its arguments were read. */
  admission?: Admission;
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
export type Tool = (given: ToolArguments, context: CallContext) => MaybePromise<ToolAnswer>;

/** Calls a tool by name. Undefined for an unknown name, with nothing admitted or counted. */
export type CallTool = (
  name: string,
  given: ToolArguments,
  context: CallContext,
) => MaybePromise<ToolAnswer | undefined>;

/**
 * Number of parsed arguments cached. Passing the operation the same object saves it parsing (as in `rest/handlers.ts`).
 */
const CACHED_ARGUMENTS = 4096;
const MAX_CACHED_ARGUMENTS_LENGTH = 200;

/** Bytes of results cached. */
const CACHED_BYTES = 16 * 1024 * 1024;

/**
 * Length of a body, in characters, from which its result also suggests narrowing the request: 25,000 tokens, the limit
 * of Claude Code, at 2.4 characters per token. Rows measured 3.1 (o200k_base); other tokenizers split more finely.
 */
const LONG_BODY = 60_000;

/**
 * Calls tools by name. Refusals a model can act on (400, 402, 404, 410, 503) become results; others are
 * thrown for the HTTP response.
 */
export function toolCalls(tools: ReadonlyMap<string, Tool>): CallTool {
  return (name, given, context) => {
    const tool = tools.get(name);
    if (tool === undefined) return undefined;
    return orElse(
      () => tool(given, context),
      (refused) => {
        if (!(refused instanceof ServiceError)) throw refused;
        return refusalAnswer(refused, context.purchase);
      },
    );
  };
}

/** The specification's two tools, on the same operations as REST, with their parameters and refusals. */
export function specTools(deps: Operations): Map<string, Tool> {
  const members = new BoundedCache<string, Uint8Array<ArrayBuffer>>(CACHED_BYTES, (bytes) => bytes.length);
  const answered = (answer: Answer): ToolAnswer =>
    answerOf(
      answer,
      members.getOrMake(answer.etag, () => {
        const body = decode(answer.body);
        return successMembers(body, notesOn(answer, body.length));
      }),
    );
  const ask = askSpec(deps);
  return new Map<string, Tool>([
    [COMPENSATION_TOOL, (given, context) => andThen(ask.compensation(given, context), answered)],
    [TICKERS_TOOL, (given, context) => andThen(ask.tickers(given, context), answered)],
  ]);
}

/** Runs the specification's two operations with a tool's arguments. */
export function askSpec(deps: Operations) {
  const read = new BoundedCache<string, GivenParameters>(CACHED_ARGUMENTS);
  const readParameters = (given: ToolArguments): GivenParameters => {
    if (Object.values(given).some((value) => typeof value === "object" && value !== null)) {
      return parametersOf(given);
    }
    const text = JSON.stringify(given);
    return text.length > MAX_CACHED_ARGUMENTS_LENGTH
      ? parametersOf(given)
      : read.getOrMake(text, () => parametersOf(given));
  };
  return {
    compensation(given: ToolArguments, context: CallContext): MaybePromise<Answer> {
      const { caller, need, admission } = context;
      return andThen(
        readArguments(deps, context, () => readParameters(given)),
        (parameters) => deps.getCompensation({ caller, need, admission, parameters, ifNoneMatch: null }),
      );
    },
    tickers(given: ToolArguments, context: CallContext): MaybePromise<Answer> {
      const { caller, need, admission } = context;
      const read = () => {
        refuseArguments(TICKERS_TOOL, given);
        return new Map();
      };
      return andThen(readArguments(deps, context, read), (parameters) =>
        deps.getTickers({ caller, need, admission, parameters, ifNoneMatch: null }),
      );
    },
  };
}

/**
 * Reads arguments. Values that a query cannot express are refused like all others: after the caller has
 * been admitted and counted.
 */
export function readArguments<Read>(
  deps: Operations,
  context: CallContext,
  read: () => Read,
): Read | Promise<Read> {
  try {
    return read();
  } catch (refused) {
    return whenAdmitted(deps, context, () => Promise.reject<never>(refused));
  }
}

/** A successful result, with the operation's metadata in headers and `_meta`. */
export function answerOf(answer: Answer, members: Uint8Array<ArrayBuffer>): ToolAnswer {
  return {
    members,
    isError: false,
    meta: metaOf(answer),
    headers: headersOf(answer),
    awaitedCharge: answer.receipt.charged > 0,
  };
}

function refusalAnswer(refused: ServiceError, purchase: Purchase): ToolAnswer {
  if (!isForTheModel(refused)) throw refused;
  const { status, body } = errorBody(refused, purchase);
  const wait = retryAfterSeconds(refused);
  const meta = { http_status: status, ...(wait === null ? {} : { retry_after_seconds: wait }) };
  const { window, receipt } = refused.details;
  return errorAnswer(body, meta, { ...rateLimitHeaders(window), ...creditHeaders(receipt) });
}

/** Notes for the model about a company's rows. */
export function notesOn({ incompleteYears, newerFiling }: Answer, length: number): string[] {
  const notes: string[] = [];
  if (newerFiling !== null) {
    notes.push(
      `A newer filing is known and not loaded yet: ${newerFiling.accession}, filed ${newerFiling.filingDate}. The latest ` +
        "fiscal year above is not the company's latest. Say so when you use it.",
    );
  }
  if (incompleteYears.length > 0) {
    notes.push(
      `Incomplete fiscal years: ${incompleteYears.join(", ")}. That year's proxy statement is not loaded, so executives who ` +
        "left before the next one are missing. Say so when you use them; do not rank or sum such a year.",
    );
  }
  if (length > LONG_BODY) {
    notes.push(
      `This answer has ${length} characters. If it arrives truncated, ask for less: a smaller limit (${RECOMMENDED_YEARS} ` +
        "or fewer), or a range with fiscal_year_gte and fiscal_year_lte.",
    );
  }
  return notes;
}

function metaOf({ incompleteYears, principal, receipt }: Answer): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  if (incompleteYears.length > 0) meta["incomplete_fiscal_years"] = incompleteYears;
  if (principal.kind === "anonymous") {
    meta["access"] = "Anonymous: latest fiscal year only. Sign in or send X-API-KEY for earlier years.";
  }
  if (receipt.remaining !== null) {
    meta["credits_charged"] = receipt.charged;
    meta["credits_remaining"] = receipt.remaining;
  }
  return meta;
}

function headersOf({
  dataset,
  incompleteYears,
  newerFiling,
  receipt,
  window,
}: Answer): Record<string, string> {
  const headers: Record<string, string> = {
    dataset: datasetHeader(dataset),
    ...rateLimitHeaders(window),
    ...creditHeaders(receipt),
  };
  if (incompleteYears.length > 0) headers["incomplete-fiscal-years"] = incompleteYears.join(", ");
  if (newerFiling !== null) headers["newer-filing"] = newerFilingHeader(newerFiling);
  return headers;
}

const PARAMETERS: readonly Parameter[] = COMPENSATION_PARAMETERS;

/**
 * Converts JSON arguments to text parameters, whose names and bounds the operation validates: `null` counts as absent,
 * a number becomes its digits. Refuses values that a query string cannot express with `invalid_parameter`.
 */
export function parametersOf(given: Readonly<Record<string, unknown>>): GivenParameters {
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    parameters.set(name, [textOf(name, value)]);
  }
  return parameters;
}

function textOf(name: string, value: unknown): string {
  const parameter = PARAMETERS.find((one) => one.name === name);
  // The operation refuses unknown names and suggests the intended one.
  if (parameter === undefined) return "";
  if (typeof value === "string") return value;
  // Numbers and strings of digits are equivalent, because models send both.
  const isText = parameter.schema["type"] === "string" && name !== "cik";
  if (typeof value === "number" && !isText) return digitsOf(value);
  const expected = isText ? "a string" : "a whole number";
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read ${name}: got ${kindOf(value)}, expected ${expected}.`,
  );
}

/** A number without an exponent, which a query string does not accept. */
export function digitsOf(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** What a JSON value is that is not expected, in a message. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return String(value);
}

/** Refuses any argument of a tool that takes none. */
function refuseArguments(tool: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    throw new ServiceError(
      "invalid_parameter",
      `${tool} takes no arguments, but ${JSON.stringify(shorten(name))} was sent.`,
    );
  }
}
