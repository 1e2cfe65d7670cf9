/**
 * The query parameters of the operations: name, schema (with bounds and default), parser and description. REST and MCP validate
 * against this list; the OpenAPI document, the tools' input schemas, the flags of `execcomp show` and the property
 * tests are generated from it. A query becomes a selection, and bodies and entity tags depend only on that
 * (`operations/answer.ts`), so no parameter can be missing from a cache key.
 */
import { normalizeCik, normalizeSymbol } from "./company.ts";
import { oneOf, type ReadAs, type ReadText, Unreadable, wholeNumber } from "./text.ts";

/** A parameter as documented. */
export interface ParameterInfo {
  readonly name: string;
  /** Description in the reference. */
  readonly about: string;
  /** JSON Schema of the value in JSON. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A parameter of the compensation or tickers operation. */
export interface Parameter extends ParameterInfo {
  /** Parses the text of a query parameter. */
  readonly reads: ReadText<unknown>;
  /** Which values request more than the latest fiscal year, which needs a credential. */
  readonly history: "never" | "above 1" | "always";
  /** Description for models that call a tool. */
  readonly aboutForModels: string;
}

const WHOLE = /^-?\d+$/;

function whole<const Name extends string>(
  name: Name,
  { min, max, fallback }: { min: number; max: number; fallback: number },
  described: Pick<Parameter, "about" | "aboutForModels" | "history">,
) {
  return {
    name,
    reads: wholeNumber(min, max),
    schema: { type: "integer", minimum: min, maximum: max, default: fallback },
    ...described,
  } as const;
}

function year<const Name extends string>(name: Name, about: string, words: string) {
  return {
    name,
    // Any whole number: a year without data selects nothing, or bounds the years.
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

/** Maximum number of fiscal years; the default applies with a credential. */
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

/** Maximum number of symbols. */
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
    name: "ticker",
    history: "never",
    schema: { type: "string", pattern: "^\\s*[\\x21-\\x7e]{1,20}\\s*$" },
    reads(text: string) {
      const symbol = normalizeSymbol(text);
      return /^[\x21-\x7e]{1,20}$/.test(symbol) ? symbol : new Unreadable("a ticker symbol");
    },
    about: "ticker symbol, in any case; required when `cik` is absent",
    aboutForModels: "Ticker symbol, any case, such as AAPL or BRK-B. Give this or cik.",
  },
  {
    name: "cik",
    history: "never",
    schema: { type: "string", pattern: "^\\s*([Cc][Ii][Kk])?[0-9]{1,10}\\s*$" },
    reads: (text: string) => normalizeCik(text) ?? new Unreadable("1 to 10 digits"),
    about: "SEC Central Index Key, with or without padding; required when `ticker` is absent",
    aboutForModels: "SEC Central Index Key, 1 to 10 digits, such as 320193. Give this or ticker.",
  },
  {
    name: "period",
    history: "never",
    schema: { type: "string", enum: ["annual"], default: "annual" },
    reads: (text) => oneOf("annual")(text.toLowerCase()),
    about: "time period of the data",
    aboutForModels: "Always annual.",
  },
  YEARS_LIMIT,
  ...YEAR_FILTERS,
] as const satisfies readonly Parameter[];

/** The parameters of the tickers operation. */
export const TICKERS_PARAMETERS = [TICKERS_LIMIT] as const satisfies readonly Parameter[];

/** The parsed values of a list of parameters; absent if not given. */
export type QueryOf<Parameters extends readonly Parameter[]> = {
  readonly [Name in Parameters[number]["name"]]?: ReadAs<
    Extract<Parameters[number], { name: Name }>["reads"]
  >;
};

/** A query of the compensation operation. */
export type CompensationQuery = QueryOf<typeof COMPENSATION_PARAMETERS>;

/** Whether a value requests more than the latest fiscal year. */
export function reachesHistory({ history }: Parameter, value: unknown): boolean {
  if (value === undefined || history === "never") return false;
  return history === "always" || Number(value) > 1;
}
