import { type, type Type } from "./schema.ts";
import {
  type ExecutiveCompensation as Row,
  ROW_FIELDS,
  type RowField,
  SOURCE_FIELDS,
  type CompensationSource as Source,
} from "./row-fields.ts";

const DEFINITIONS = {
  text: "string",
  date: "string",
  link: "string",
  whole: "number.integer",
  flag: "boolean",
  amount: "number",
} as const;

/** The schema of a field. */
function schemaOf({ kind, nullable, values, about }: RowField): Type {
  const definition: Type = values === null ? type(DEFINITIONS[kind]) : type.enumerated(...values);
  return (nullable ? definition.or("null") : definition).describe(about);
}

function schemasOf(fields: readonly RowField[]): Record<string, Type> {
  return Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));
}

// Both schemas are built from the lists that define the types, but `Object.fromEntries` loses them.
const source = type(schemasOf(SOURCE_FIELDS)) as unknown as Type<Source>;

/** The source of a row. */
export const CompensationSource = source;

/**
 * One executive in one fiscal year (`docs/contract.md`, "Rows"). Amounts are in units of `reporting_currency`; the
 * eight components add up to `total_compensation` to the cent.
 */
export const ExecutiveCompensation = type({ ...schemasOf(ROW_FIELDS), source }) as unknown as Type<Row>;
/** A row, as a type. */
export type ExecutiveCompensation = Row;

/** Body of the compensation operation. */
export const ExecutiveCompensationResponse = type({
  executive_compensation: ExecutiveCompensation.array(),
});

/** Body of the tickers operation. */
export const TickersResponse = type({
  resource: type("'executive_compensation'").describe("the dataset that the symbols belong to"),
  tickers: type("string[]").describe("primary symbols of the companies that have rows, ascending"),
});

/** Body of the anonymous latest-year facts. */
export const FactsResponse = type({
  ticker: "string",
  cik: "string",
  company_name: "string",
  fiscal_year: type("number.integer").describe("latest fiscal year available"),
  executive_compensation: ExecutiveCompensation.array(),
  history: { message: "string", url: "string" },
  newer_filing: type({
    accession: "string",
    form: type("string | null").describe("EDGAR's form type; null where only the address is known"),
    filing_date: type("string").describe("date on which it was filed, as YYYY-MM-DD"),
    filing_url: type("string | null").describe("address of the document itself on sec.gov"),
  })
    .or("null")
    .describe("a filing that is known and newer than the latest loaded one, so that the rows may be old"),
});

/** Flat body of every refusal. */
export const ErrorResponse = type({
  error: type("string").describe("short error name"),
  message: type("string").describe("what is wrong and what to do"),
});

/** Body of a 402 refusal. */
export const PaymentRequiredResponse = type({
  error: "'Payment Required'",
  message: "string",
  purchase: { status: type("string").describe("coming_soon while nothing can be bought"), url: "string" },
});
