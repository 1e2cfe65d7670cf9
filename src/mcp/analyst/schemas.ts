/** JSON Schemas of the tools across companies: short, and in a form that all clients can read. */
import type { ParameterInfo } from "../../domain/parameters.ts";
import { CEO_PAY_SELECTION } from "../../domain/ceo-pay.ts";
import { ROW_FIELDS } from "../../domain/row-fields.ts";
import { MAX_AMOUNT } from "../../domain/amount.ts";
import { FILER_CATEGORIES, INDEXES, SECTORS } from "../../domain/selection.ts";
import { objectSchema as object, type Schema } from "../../domain/row-schema.ts";

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

/** A whole number with a description. */
export function integer(description: string): Schema {
  return { type: "integer", description };
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

/** The arguments of a selection. Filters on amounts and bounds of years are covered by one schema for other names. */
export function selectionProperties(): Record<string, Schema> {
  return {
    ticker: string("Symbols or names, comma-separated"),
    cik: string("CIKs, comma-separated"),
    fiscal_year: integer("Also _gte, _lte, _gt, _lt"),
    office: { type: "string", enum: ["peo", "pfo"], description: "CEOs, CFOs" },
    executive: string("Words of a name"),
    executive_id: string("From a row"),
    sector: { type: "string", enum: SECTORS, description: "S&P 500 only" },
    sic: string("SIC code or first digits"),
    index: { type: "string", enum: INDEXES, description: "Member at fiscal year end" },
    filer_category: { type: "string", enum: FILER_CATEGORIES, description: "SEC's" },
    state: string("Such as CA"),
    reporting_currency: { type: "string", default: "USD", description: "ISO 4217" },
    complete_only: { type: "boolean", description: "No incomplete years" },
    one_per_company_year: { type: "boolean", description: "Highest total only" },
  };
}

/** The arguments of a selection of CEO totals, which that of rows has too. */
export function ceoPayProperties(): Record<string, Schema> {
  const shared = new Set(CEO_PAY_SELECTION.map(({ name }) => name));
  return Object.fromEntries(Object.entries(selectionProperties()).filter(([name]) => shared.has(name)));
}

/** The schema of a parameter without its pattern; the server reports what is wrong. */
export function plain(
  { type, enum: words, minimum, maximum }: ParameterInfo["schema"],
  description: string,
): Schema {
  return {
    type,
    description,
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
  matched: { type: "object" },
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
