import type { Resource } from "@modelcontextprotocol/server";
import packageJson from "../../package.json";
import { COMPENSATION_PARAMETERS } from "../domain/company-parameters.ts";
import { parameterSchema } from "../domain/parameters.ts";
import type { Definition } from "../lib/definition.ts";
import { type JsonSchema, jsonSchemaOf } from "../lib/json-schema.ts";
import { COMPENSATION, TICKERS } from "../operations/compensation.ts";
import { READ_SCOPE } from "../accounts/credentials.ts";

/** The schema of an object. */
export type ObjectSchema = JsonSchema & { type: "object" };

/** A tool as listed by `tools/list`. */
export interface ToolDeclaration {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: JsonSchema;
  securitySchemes: readonly JsonSchema[];
  _meta: JsonSchema;
}

/** The features of a server, in the terms of MCP. */
export interface ServerFeatures {
  /** Computed on request, because descriptions mention the contents of the dataset in use. */
  tools(): readonly ToolDeclaration[];
  instructions: string;
  /** Null without resources. */
  resources: {
    list: readonly Resource[];
    /** Undefined for an unknown URI. */
    read(uri: string): Promise<object | undefined>;
  } | null;
}

/** The program's name and version in MCP. */
export const IMPLEMENTATION = {
  name: "execcomp",
  title: "Executive Compensation",
  version: packageJson.version,
};

/** Rows of one company (`docs/contract.md`, "MCP"). */
export const COMPENSATION_TOOL = "get_executive_compensation";
/** Symbols of companies with rows. */
export const TICKERS_TOOL = "list_available_tickers";

/** Number of fiscal years that fit an answer without clients truncating it. */
export const RECOMMENDED_YEARS = 10;

/** Instructions about the server, which clients may show to the model. */
export const INSTRUCTIONS =
  "What US-listed companies paid their named executive officers, from the Summary Compensation Table of their SEC " +
  `filings. ${COMPENSATION_TOOL} answers for one company per call: the latest fiscal year is free and needs no sign-in, ` +
  "earlier years need sign-in or an API key and cost one credit per call. Amounts are whole units of " +
  "reporting_currency. Cite source.filing_url beside a figure. Never fill in a number that no row has.";

/** What an assistant does about incomplete years, the same at every tool. */
export const INCOMPLETE_RULE =
  "Incomplete years lack executives who left: rank them, and say how many are incomplete.";

/** What no tool answers. */
export const NOT_COVERED =
  "Not covered: directors, pay ratio, pay versus performance, realised pay, insider trades.";

/** Pay that the Summary Compensation Table does not have. */
const ELSEWHERE =
  /\bpay[ -]ratio|\bratio of .*\b(median|workers?|employees?)\b|\breali[sz](ed|able)\b|\btake[ -]?home\b|\bactually paid\b|\bpay[ -](versus|vs\.?)[ -]performance\b|\b(non-?employee|board) directors?\b|\bdirectors?'? (pay|fees?|compensation)\b|\binsiders?\b|\bform 4\b/i;

/** Longest question that is looked at: the pattern takes the square of its length. */
const MAX_LOOKED_AT = 500;

/** Whether a question is for something that no tool has. */
export function asksElsewhere(question: string): boolean {
  return ELSEWHERE.test(question.slice(0, MAX_LOOKED_AT).replaceAll("_", " "));
}

const COMPENSATION_DESCRIPTION = `What one company paid its named executive officers (CEO, CFO and the other highest paid), from the Summary Compensation Table of its SEC filings: {"executive_compensation": [row, …]}, one row per executive and fiscal year, newest year first; within a year CEOs, then CFOs, then by total.

Give ticker or cik. limit counts fiscal years, not rows: every executive of each year is returned. The latest year is free and needs no sign-in (without sign-in limit is 1; with it 4 by default). Earlier years need sign-in or an API key and cost 1 credit per call, any number of years: ask for all the years you need at once, ${RECOMMENDED_YEARS} at most.

Amounts are whole units of reporting_currency (3000000 is three million), never thousands. stock_awards and option_awards are grant-date fair values, not money realised. The eight components (salary … unknown_component) add up to total_compensation, which is the total that the filer printed. fiscal_year is the company's own fiscal year. is_peo and is_pfo mark the principal executive and financial officer of that year. source.filing_url is the filing: cite it. ${INCOMPLETE_RULE}

${NOT_COVERED}

When refused, the text is {"error","message"}. Bad Request: fix the argument that the message names. Not Found: look the symbol up with ${TICKERS_TOOL}, do not guess another company. Payment Required: the credits are used up; tell the person, with purchase.url, and that the same connection is kept (purchase.status "coming_soon": evidence packs are launching soon, early access is on that page). Service Unavailable: the filing is being read; try once more after the seconds in _meta.retry_after_seconds. Unauthorized: ask the person to sign in, or ask again with limit 1 and no year filter for the latest year. No error costs a credit.`;

const TICKERS_DESCRIPTION = `Every ticker symbol for which ${COMPENSATION_TOOL} has rows, one per company, ascending: {"resource": "executive_compensation", "tickers": ["AAPL", …]}. Free, no sign-in, no arguments. Use it to check whether a company is covered before you ask, or after a Not Found. A company is also found by its former symbols and its CIK, which are not listed.`;

/** A filter on the year, for a model. */
const yearsThat = (words: string) =>
  `Only fiscal years ${words}. Applied before limit. Needs sign-in or an API key.`;

/** What each argument is, for a model. */
const ARGUMENTS: Readonly<Record<CompensationParameter["name"], string>> = {
  ticker: "Ticker symbol, any case, such as AAPL or BRK-B. Give this or cik.",
  cik: "SEC Central Index Key, 1 to 10 digits, such as 320193. Give this or ticker.",
  period: "Always annual.",
  limit:
    "Maximum number of fiscal years to return, newest first; not rows. Default 4 with sign-in or an API key, 1 without. " +
    "More than 1 needs sign-in or an API key.",
  fiscal_year: yearsThat("equal to this one"),
  fiscal_year_gte: yearsThat("equal to or later than this one"),
  fiscal_year_lte: yearsThat("equal to or earlier than this one"),
  fiscal_year_gt: yearsThat("later than this one"),
  fiscal_year_lt: yearsThat("earlier than this one"),
};

type CompensationParameter = (typeof COMPENSATION_PARAMETERS)[number];

/** A parameter in a tool's input schema. */
function inputOf(parameter: CompensationParameter): JsonSchema {
  const stated = Object.entries(parameterSchema(parameter)).filter(
    ([name]) => name !== "pattern" && name !== "default",
  );
  return { ...Object.fromEntries(stated), description: ARGUMENTS[parameter.name] };
}

function inputSchema(parameters: readonly CompensationParameter[]): ObjectSchema {
  const properties = Object.fromEntries(parameters.map((one) => [one.name, inputOf(one)]));
  return { type: "object", properties, additionalProperties: false };
}

/** A result's schema. @param answer the definition of an object */
function outputOf(answer: Exclude<Definition, string>): ObjectSchema {
  return { ...jsonSchemaOf(answer), type: "object" };
}

/** All tools read a closed dataset. */
export const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const SECURITY: readonly JsonSchema[] = [{ type: "noauth" }, { type: "oauth2", scopes: [READ_SCOPE] }];

function declared(
  name: string,
  title: string,
  rest: Pick<ToolDeclaration, "description" | "inputSchema" | "outputSchema">,
): ToolDeclaration {
  const annotations = { title, ...ANNOTATIONS };
  return {
    name,
    title,
    ...rest,
    annotations,
    securitySchemes: SECURITY,
    _meta: { securitySchemes: SECURITY },
  };
}

/** The specification's tools, in fixed order and the same for all callers. Their schemas are made when they are listed. */
export const specDeclarations = (): readonly ToolDeclaration[] => [
  declared(COMPENSATION_TOOL, "Get Executive Compensation", {
    description: COMPENSATION_DESCRIPTION,
    inputSchema: inputSchema(COMPENSATION_PARAMETERS),
    outputSchema: outputOf(COMPENSATION),
  }),
  declared(TICKERS_TOOL, "List Available Tickers", {
    description: TICKERS_DESCRIPTION,
    inputSchema: inputSchema([]),
    outputSchema: outputOf(TICKERS),
  }),
];
