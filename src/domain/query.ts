import { type } from "arktype";
import { ServiceError } from "../errors.ts";
import { normalizeCik, normalizeSymbol } from "./company.ts";
import { nearest } from "./nearest.ts";

const whole = (min: number, max: number) =>
  type(/^\d{1,9}$/)
    .pipe((digits) => Number(digits))
    .narrow((n, context) => (n >= min && n <= max) || context.mustBe(`a whole number from ${min} to ${max}`))
    .describe(`a whole number from ${min} to ${max}`);
const year = type(/^\d{1,9}$/)
  .pipe((digits) => Number(digits))
  .describe("a whole number");

/** Parameters of the compensation operation as text, read into a query (`docs/contract.md`, "Parameters"). */
export const CompensationQuery = type({
  "ticker?": type("string")
    .pipe(normalizeSymbol)
    .narrow((symbol, context) => /^[\x21-\x7e]{1,20}$/.test(symbol) || context.mustBe("a ticker symbol"))
    .describe("a ticker symbol"),
  "cik?": type("string")
    .pipe((asked, context) => normalizeCik(asked) ?? context.error("1 to 10 digits"))
    .describe("1 to 10 digits"),
  "period?": type("'annual'").describe('"annual"'),
  "limit?": whole(0, 100),
  "fiscal_year?": year,
  "fiscal_year_gte?": year,
  "fiscal_year_lte?": year,
  "fiscal_year_gt?": year,
  "fiscal_year_lt?": year,
});
export type CompensationQuery = typeof CompensationQuery.infer;

/** Parameters of the tickers operation. */
export const TickersQuery = type({ "limit?": whole(1, 5000) });
export type TickersQuery = typeof TickersQuery.infer;

/** Fiscal years answered when `limit` is not given and a credential is. */
export const DEFAULT_YEARS = 4;
/** Symbols answered when `limit` is not given. */
export const DEFAULT_TICKERS = 5000;

/** Names of the year filters. */
export const YEAR_FILTERS = [
  "fiscal_year",
  "fiscal_year_gte",
  "fiscal_year_lte",
  "fiscal_year_gt",
  "fiscal_year_lt",
] as const;

/** Names that the compensation operation knows. */
export const COMPENSATION_PARAMETERS = ["ticker", "cik", "period", "limit", ...YEAR_FILTERS] as const;

/** Parameters as they arrive: each name with every value given for it. */
export type GivenParameters = ReadonlyMap<string, readonly string[]>;

/** Reads and checks the compensation parameters. Refuses with `invalid_parameter`, naming parameter, value and what was expected. */
export function readCompensationQuery(given: GivenParameters): CompensationQuery {
  const query = read(given, COMPENSATION_PARAMETERS, CompensationQuery);
  if (query.ticker === undefined && query.cik === undefined) {
    throw new ServiceError("invalid_parameter", "Give ticker or cik: neither was sent.");
  }
  return query;
}

/** Reads and checks the tickers parameters. Refuses with `invalid_parameter`. */
export function readTickersQuery(given: GivenParameters): TickersQuery {
  return read(given, ["limit"], TickersQuery);
}

function read<T>(
  given: GivenParameters,
  known: readonly string[],
  schema: (text: Record<string, string>) => T | type.errors,
): T {
  const text: Record<string, string> = {};
  for (const [name, values] of given) {
    if (!known.includes(name)) throw unknownParameter(name, known);
    const [value, second] = values;
    if (second !== undefined) {
      throw new ServiceError(
        "invalid_parameter",
        `Cannot read ${name}: it was given ${values.length} times, expected once.`,
      );
    }
    if (value !== undefined) text[name] = value;
  }
  const result = schema(text);
  if (!(result instanceof type.errors)) return result;
  const [problem] = result;
  const name = String(problem?.path[0] ?? "parameters");
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read ${name} ${JSON.stringify(shorten(text[name] ?? ""))}: expected ${problem?.expected ?? "something else"}.`,
  );
}

/** The refusal of a parameter that the operation does not have, with a suggestion for a near miss. */
export function unknownParameter(name: string, known: readonly string[]): ServiceError {
  const meant = nearest(name, known);
  const hint = meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${meant}?`;
  return new ServiceError("invalid_parameter", `Unknown parameter ${JSON.stringify(shorten(name))}. ${hint}`);
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
