/**
 * The query parameters of every operation, once: name, kind, bounds, default, how it is read and what it says. REST and
 * MCP read their callers with this list; the OpenAPI document, the input schemas of the tools, the flags of `execcomp
 * show` and the property tests are made from it. What a query asks for becomes a selection, from which alone a body and
 * its entity tag are made (`operations/answer.ts`): a parameter cannot be forgotten in the key of a cache.
 */
import { normalizeCik, normalizeSymbol } from "./company.ts";
import { oneOf, type ReadAs, type ReadText, Unreadable, wholeNumber } from "./text-value.ts";

/** What a value is: any text, text of digits, one of a few words, a whole number within bounds, a fiscal year. */
export type ParameterKind = "text" | "digits" | "choice" | "whole" | "year";

/** A parameter, for whoever describes it. */
export interface ParameterInfo {
  readonly name: string;
  /** What it does, for the reference. */
  readonly about: string;
  /** JSON Schema of its JSON value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** One parameter of an operation over one company, or over none. */
export interface Parameter extends ParameterInfo {
  readonly kind: ParameterKind;
  /** Reads the text of a query. */
  readonly reads: ReadText<unknown>;
  /** Bounds of a number; null where there are none. */
  readonly bounds: { readonly min: number; readonly max: number } | null;
  /** The words of a choice; null for everything else. */
  readonly choices: readonly string[] | null;
  /** What holds where it is left out; null where nothing does. */
  readonly fallback: string | number | null;
  /** From which value on it asks for more than the latest fiscal year, which needs a credential. */
  readonly history: "never" | "above 1" | "always";
  /** What it does, for a model that calls a tool. */
  readonly aboutForModels: string;
  readonly example: string | null;
}

const DEFAULTS = { bounds: null, choices: null, fallback: null, history: "never", example: null } as const;

const WHOLE = /^-?\d+$/;

function whole<const Name extends string>(
  name: Name,
  bounds: { min: number; max: number; fallback: number },
  described: Pick<Parameter, "about" | "aboutForModels" | "history">,
) {
  const { min, max, fallback } = bounds;
  return {
    ...DEFAULTS,
    name,
    kind: "whole",
    reads: wholeNumber(min, max),
    schema: { type: "integer", minimum: min, maximum: max, default: fallback },
    bounds: { min, max },
    fallback,
    ...described,
  } as const;
}

function year<const Name extends string>(name: Name, about: string, words: string) {
  return {
    ...DEFAULTS,
    name,
    kind: "year",
    // Any whole number: one that is no fiscal year selects nothing, or everything before or after it.
    reads: (text: string) => (WHOLE.test(text) ? Number(text) : new Unreadable("a whole number")),
    schema: { type: "integer" },
    history: "always",
    about,
    aboutForModels: `Only fiscal years ${words}. Applied before limit. Needs sign-in or an API key.`,
  } as const;
}

/** The filters on the fiscal year. */
export const YEAR_FILTERS = [
  year("fiscal_year", "exact fiscal year", "equal to this one"),
  year("fiscal_year_gte", "fiscal year greater than or equal", "equal to or later than this one"),
  year("fiscal_year_lte", "fiscal year less than or equal", "equal to or earlier than this one"),
  year("fiscal_year_gt", "fiscal year greater than", "later than this one"),
  year("fiscal_year_lt", "fiscal year less than", "earlier than this one"),
] as const;

/** Fiscal years answered at most, and where no limit is given and a credential is. */
export const YEARS_LIMIT = whole(
  "limit",
  { min: 0, max: 100, fallback: 4 },
  {
    history: "above 1",
    about: "maximum number of fiscal years; all executives of each are returned",
    aboutForModels:
      "Maximum number of fiscal years to return, newest first; not rows. Default 4 with sign-in or an API key, 1 without. " +
      "More than 1 needs sign-in or an API key.",
  },
);

/** Symbols answered at most. */
export const TICKERS_LIMIT = whole(
  "limit",
  { min: 1, max: 5000, fallback: 5000 },
  {
    history: "never",
    about: "maximum number of tickers",
    aboutForModels: "Maximum number of tickers to return.",
  },
);

/** The parameters of the compensation operation. @see docs/contract.md, "Parameters" */
export const COMPENSATION_PARAMETERS = [
  {
    ...DEFAULTS,
    name: "ticker",
    kind: "text",
    schema: { type: "string", pattern: "^\\s*[\\x21-\\x7e]{1,20}\\s*$" },
    reads(text: string) {
      const symbol = normalizeSymbol(text);
      return /^[\x21-\x7e]{1,20}$/.test(symbol) ? symbol : new Unreadable("a ticker symbol");
    },
    about: "ticker symbol, in any case; required when `cik` is absent",
    aboutForModels: "Ticker symbol, any case, such as AAPL or BRK-B. Give this or cik.",
    example: "AAPL",
  },
  {
    ...DEFAULTS,
    name: "cik",
    kind: "digits",
    schema: { type: "string", pattern: "^\\s*([Cc][Ii][Kk])?[0-9]{1,10}\\s*$" },
    reads: (text: string) => normalizeCik(text) ?? new Unreadable("1 to 10 digits"),
    about: "SEC Central Index Key, with or without padding; required when `ticker` is absent",
    aboutForModels: "SEC Central Index Key, 1 to 10 digits, such as 320193. Give this or ticker.",
    // One example of the two: "try it" sends both, and whoever edits one would ask for two companies.
    example: null,
  },
  {
    ...DEFAULTS,
    name: "period",
    kind: "choice",
    schema: { type: "string", enum: ["annual"], default: "annual" },
    reads: oneOf("annual"),
    choices: ["annual"],
    fallback: "annual",
    about: "time period of the data",
    aboutForModels: "Always annual.",
  },
  YEARS_LIMIT,
  ...YEAR_FILTERS,
] as const satisfies readonly Parameter[];

/** The parameters of the tickers operation. */
export const TICKERS_PARAMETERS = [TICKERS_LIMIT] as const satisfies readonly Parameter[];

/** The values that a list of parameters is read into; what was not given is absent. */
export type QueryOf<Parameters extends readonly Parameter[]> = {
  readonly [Name in Parameters[number]["name"]]?: ReadAs<
    Extract<Parameters[number], { name: Name }>["reads"]
  >;
};

/** What the compensation operation is asked. */
export type CompensationQuery = QueryOf<typeof COMPENSATION_PARAMETERS>;

/** Whether a value asks for more than the latest fiscal year. */
export function reachesHistory({ history }: Parameter, value: unknown): boolean {
  if (value === undefined || history === "never") return false;
  return history === "always" || Number(value) > 1;
}
