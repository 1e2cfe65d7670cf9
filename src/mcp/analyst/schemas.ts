/** JSON Schemas of the tools across companies: short, and in a form that all clients can read. */
import { type ParameterInfo, YEAR_FILTERS } from "../../domain/parameters.ts";
import { CEO_PAY_SELECTION } from "../../domain/ceo-pay.ts";
import { ROW_FIELDS } from "../../domain/row-fields.ts";
import { MAX_AMOUNT } from "../../domain/amount.ts";
import { FILER_CATEGORIES, INDEXES, SECTORS } from "../../domain/selection.ts";
import type { Schema } from "../tools.ts";

/** A string. */
export const STRING: Schema = { type: "string" };
const NUMBER: Schema = { type: "number" };
/** A bound on an amount. */
export const AMOUNT: Schema = { type: "number", minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT };
const INTEGER: Schema = { type: "integer" };
const BOOLEAN: Schema = { type: "boolean" };
/** A string or null. `type: ["string", "null"]` would be shorter, but some clients cannot read it. */
export const NULLABLE_STRING: Schema = { anyOf: [STRING, { type: "null" }] };

/** A string with a description. */
export function string(description: string): Schema {
  return { type: "string", description };
}

/** An object. @param required all members by default */
export function object(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema & { type: "object" } {
  return { type: "object", properties, required };
}

/** A tool's arguments. @param others schema for arguments with other names; false if there are none */
export function inputOf(
  properties: Readonly<Record<string, Schema>>,
  others: Schema | false = false,
  required: readonly string[] = [],
): Schema & { type: "object" } {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: others,
  };
}

/** The arguments of a selection. Filters on amounts are covered by one schema for other names. */
export function selectionProperties(): Record<string, Schema> {
  return {
    ticker: string("Symbols, comma-separated"),
    cik: string("CIKs, comma-separated"),
    ...Object.fromEntries(YEAR_FILTERS.map(({ name }) => [name, INTEGER])),
    office: { type: "string", enum: ["peo", "pfo"], description: "peo: CEOs, pfo: CFOs" },
    executive: string("Words of a name"),
    executive_id: STRING,
    sector: { type: "string", enum: SECTORS, description: "Known of S&P 500 companies" },
    sic: string("SIC code or its first digits"),
    index: { type: "string", enum: INDEXES, description: "Member at the end of the fiscal year" },
    filer_category: { type: "string", enum: FILER_CATEGORIES },
    state: string("Such as CA"),
    total_compensation_gte: AMOUNT,
    reporting_currency: { type: "string", default: "USD" },
    complete_only: BOOLEAN,
    one_per_company_year: { type: "boolean", description: "Only the highest total of a company-year" },
  };
}

/** The arguments of a selection of CEO totals, which that of rows has too. */
export function ceoPayProperties(): Record<string, Schema> {
  // Years with a bound are among the numbers with other names.
  const shared = new Set(
    CEO_PAY_SELECTION.map(({ name }) => name).filter((name) => !name.startsWith("fiscal_year_")),
  );
  return Object.fromEntries(Object.entries(selectionProperties()).filter(([name]) => shared.has(name)));
}

/** The same arguments without descriptions and enums, which another tool in the list has. */
export function bare(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, { type }]));
}

/** The schema of a parameter without its pattern; the server reports what is wrong. */
export function plain({ type, enum: words, minimum, maximum }: ParameterInfo["schema"]): Schema {
  return {
    type,
    ...(words === undefined ? {} : { enum: words }),
    ...(minimum === undefined ? {} : { minimum, maximum }),
  };
}

const FIELD_TYPES: Readonly<Record<(typeof ROW_FIELDS)[number]["kind"], Schema>> = {
  text: STRING,
  whole: INTEGER,
  flag: BOOLEAN,
  amount: NUMBER,
};

/** The fields of a concise row. */
const CONCISE_FIELDS: ReadonlySet<string> = new Set([
  "ticker",
  "cik",
  "company_name",
  "fiscal_year",
  "executive_id",
  "executive_name",
  "is_peo",
  "is_pfo",
  "reporting_currency",
  "total_compensation",
]);

/** Whether concise rows always include a field. */
export function isConcise(field: string): boolean {
  return CONCISE_FIELDS.has(field);
}

function rowProperties(fields: readonly (typeof ROW_FIELDS)[number][]): Record<string, Schema> {
  return Object.fromEntries(
    fields.map(({ name, kind, nullable }) => [
      name,
      nullable ? { anyOf: [FIELD_TYPES[kind], { type: "null" }] } : FIELD_TYPES[kind],
    ]),
  );
}

/** A row with all fields. */
export const FULL_ROW = object({
  ...rowProperties(ROW_FIELDS),
  source: object({
    form: STRING,
    accession: STRING,
    filing_date: NULLABLE_STRING,
    filing_url: NULLABLE_STRING,
  }),
});

/** The fields that all rows have. */
export const CONCISE_ROW = object({
  ...rowProperties(ROW_FIELDS.filter(({ name }) => isConcise(name))),
  source: object({ filing_url: NULLABLE_STRING }),
});

/** Counts in every answer across companies. */
export const COUNTS: Readonly<Record<string, Schema>> = {
  matched: object(
    Object.fromEntries(
      ["rows", "companies", "company_years", "incomplete_company_years"].map((name) => [name, INTEGER]),
    ),
  ),
  fiscal_years: { type: "object" },
  not_found: { type: "array", items: STRING },
};

/** Statistics of a group that are included in either detail. */
export const STATISTICS_GROUP = object({
  group: { type: "object" },
  rows: INTEGER,
  companies: INTEGER,
  incomplete_company_years: INTEGER,
  median: NUMBER,
  mean: NUMBER,
  min: NUMBER,
  max: NUMBER,
});

/** The rank of a row. */
export const RANK = object({
  cik: STRING,
  executive_id: STRING,
  fiscal_year: INTEGER,
  value: NUMBER,
  rank: INTEGER,
  percentile: NUMBER,
});
