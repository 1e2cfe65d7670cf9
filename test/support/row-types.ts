/** Validators of answers, independent of the schemas that the server publishes. */
import { type, type Type } from "../../src/lib/schema.ts";
import {
  type ExecutiveCompensation as Row,
  ROW_FIELDS,
  type RowField,
  SOURCE_FIELDS,
  type CompensationSource as Source,
} from "../../src/domain/row-fields.ts";

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
