/** The components of the OpenAPI document: schemas of the answers, by name. */
import { rowSchema, SOURCE_SCHEMA, TICKERS_SCHEMA } from "../domain/row-fields.ts";

export type Json = Record<string, unknown>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string) => ({ type: "array", items: ref(name) });
const text = { type: "string" };
const year = { type: "integer" };
const whole = { type: "integer", minimum: 0 };
const cik = { type: "string", pattern: "^[0-9]{10}$" };
const nullable = (type: string) => ({ type: [type, "null"] });

/** An object whose members are required, except those that depend on the question. */
function object(properties: Json): Json {
  const optional = ["measures", "index_members", "index_members_without_rows", "index_members_without_total"];
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

const NEWER_FILING = {
  ...object({
    accession: text,
    form: { ...nullable("string"), description: "EDGAR's form type; null where only the address is known" },
    filing_date: { ...text, format: "date" },
    filing_url: nullable("string"),
  }),
  type: ["object", "null"],
};
/** What was asked for and is not there. */
const GAP = object({
  ticker: text,
  cik,
  company_name: text,
  asked: {
    type: ["object", "null"],
    properties: { from: nullable("integer"), to: nullable("integer") },
    required: ["from", "to"],
    description: "fiscal years asked for; null for the latest",
  },
  held: { type: "array", items: year, description: "fiscal years that are known" },
  reason: { type: "string", enum: ["not_loaded", "no_rows", "no_match", "doubtful"] },
  newer_filing: NEWER_FILING,
});
const MATCHED = { rows: whole, companies: whole, company_years: whole, incomplete_company_years: whole };
const COUNTS = {
  matched: object(MATCHED),
  fiscal_years: {
    type: "object",
    description: "company-years that matched, by fiscal year",
    additionalProperties: whole,
  },
  stale_companies: {
    ...whole,
    description:
      "companies left out without a year filter: their latest year ended more than three years ago",
  },
  gaps: { ...listOf("Gap"), description: "named companies and years that are missing, and why" },
  index_members: { ...whole, description: "members of the requested index; absent without one" },
  index_members_without_rows: { ...whole, description: "members of the index without rows" },
  not_found: { type: "array", items: text, description: "unknown symbols and CIKs" },
};
const GROUP_KEY = {
  type: "object",
  properties: { reporting_currency: text },
  required: ["reporting_currency"],
  additionalProperties: { type: ["string", "integer", "null"] },
};
const FIGURES = Object.fromEntries(
  ["sum", "min", "p10", "p25", "median", "mean", "p75", "p90", "max"].map((name) => [
    name,
    { type: "number" },
  ]),
);
const RANK = {
  type: "object",
  properties: {
    cik,
    executive_id: text,
    fiscal_year: year,
    group: GROUP_KEY,
    value: { type: "number" },
    rank: { type: "integer", minimum: 1 },
    percentile: { type: "number", minimum: 0, maximum: 1 },
  },
  required: ["cik", "executive_id", "fiscal_year", "value", "rank", "percentile"],
};
const CEO_PAY_MATCHED = {
  records: whole,
  companies: whole,
  company_years: whole,
  by_basis: object({ row: whole, tag: whole }),
};
const CEO_PAY_COUNTS = {
  matched: object({ ...CEO_PAY_MATCHED, doubtful: { ...whole, description: "left out unless included" } }),
  fiscal_years: COUNTS.fiscal_years,
  stale_companies: { ...whole, description: "left out: their latest year ended more than three years ago" },
  index_members: COUNTS.index_members,
  index_members_without_total: { ...whole, description: "members of the index without a total" },
  not_found: COUNTS.not_found,
  gaps: { ...listOf("Gap"), description: "named companies and index members without a total, and why" },
};
const CEO_PAY = object({
  ticker: text,
  cik,
  company_name: text,
  fiscal_year: year,
  label_inferred: {
    type: "boolean",
    description: "whether only the calendar year in which it ends is known",
  },
  period_end: nullable("string"),
  peo_name: nullable("string"),
  peo_total: { type: "number" },
  reporting_currency: text,
  basis: { type: "string", enum: ["row", "tag"] },
  confirmed_by_tag: { type: "boolean", description: "whether a tag states the total of the row" },
  doubts: {
    type: "array",
    items: object({
      code: { type: "string", enum: ["sources_differ", "scale", "counted_elsewhere"] },
      message: text,
    }),
  },
  source: {
    ...object({
      form: nullable("string"),
      accession: text,
      filing_date: nullable("string"),
      filing_url: nullable("string"),
    }),
    type: ["object", "null"],
    description: "the filing; null if only its tag was collected",
  },
  provider: { ...nullable("string"), description: "who collected the tag" },
  company_url: { type: "string", description: "the company's proxy statements at the SEC" },
});
const COMPANY = object({
  ticker: text,
  cik,
  company_name: text,
  former_names: { type: "array", items: text },
  sic: nullable("string"),
  sector: nullable("string"),
  fiscal_year_end: { ...nullable("string"), description: "MM-DD" },
  fiscal_years: { type: "array", items: year },
  complete_fiscal_years: { type: "array", items: year },
  latest_filing_date: nullable("string"),
});

/** `editionName`: a date, and a sequence if it was made from another. */
const edition = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d{1,6})?$" };
const hash = { type: "string", pattern: "^[0-9a-f]{64}$" };
const CHANGE = object({
  edition: { ...edition, description: "name of the edition with the change" },
  content_hash: hash,
  recorded_at: { type: "string", format: "date-time" },
  kind: {
    type: "string",
    enum: ["filing", "executive_year"],
    description: "a filing that was loaded, or an executive's row of one fiscal year",
  },
  change: { type: "string", enum: ["added", "changed", "removed"] },
  ticker: { type: "string", description: "primary symbol; empty if there is none" },
  cik,
  company_name: text,
  fiscal_year: { ...nullable("integer"), description: "for a filing, the newest in its table" },
  complete: {
    ...nullable("boolean"),
    description: "whether the filing of that fiscal year is loaded; null if no row is left",
  },
  executive_id: { ...nullable("string"), description: "for a row, with a credential; null for a filing" },
  executive_name: nullable("string"),
  fields: { type: "array", items: text, description: "names of the fields that differ in a changed row" },
  reporting_currency: nullable("string"),
  total_compensation: {
    anyOf: [object({ before: nullable("number"), after: nullable("number") }), { type: "null" }],
    description: "for a row, with a credential; a side is null if the row did not exist",
  },
  source: ref("CompensationSource"),
});

const ROWS = { executive_compensation: listOf("ExecutiveCompensation") };

/** The schemas. */
export const SCHEMAS: Json = {
  ExecutiveCompensation: rowSchema(ref("CompensationSource")),
  CompensationSource: SOURCE_SCHEMA,
  ExecutiveCompensationResponse: object(ROWS),
  TickersResponse: TICKERS_SCHEMA,
  FactsResponse: object({
    ticker: text,
    cik,
    company_name: text,
    fiscal_year: { ...year, description: "latest fiscal year available" },
    ...ROWS,
    history: object({ message: text, url: text }),
    newer_filing: {
      ...NEWER_FILING,
      description: "a filing that is known and newer than the latest loaded one, so that the rows may be old",
    },
  }),
  ErrorResponse: object({
    error: { ...text, description: "short error name" },
    message: { ...text, description: "what is wrong and what to do" },
  }),
  PaymentRequiredResponse: object({
    error: { ...text, enum: ["Payment Required"] },
    message: text,
    purchase: object({
      status: { ...text, description: "coming_soon while nothing can be bought" },
      url: text,
    }),
  }),
  Gap: GAP,
  QueryResponse: object({
    ...ROWS,
    measures: {
      type: "array",
      items: { type: "object", additionalProperties: nullable("number") },
      description:
        "the requested measures, one object for each row, in the rows' order; null where undefined",
    },
    ...COUNTS,
    next_cursor: nullable("string"),
  }),
  StatisticsResponse: object({
    statistics: listOf("StatisticsGroup"),
    ranks: listOf("Rank"),
    definition: text,
    ...COUNTS,
  }),
  StatisticsGroup: object({ group: GROUP_KEY, ...MATCHED, ...FIGURES }),
  Rank: RANK,
  CeoPayResponse: object({ ceo_pay: listOf("CeoPay"), ...CEO_PAY_COUNTS, next_cursor: nullable("string") }),
  CeoPay: CEO_PAY,
  CeoPayStatisticsResponse: object({ statistics: listOf("CeoPayGroup"), ...CEO_PAY_COUNTS }),
  CeoPayGroup: object({ group: GROUP_KEY, ...CEO_PAY_MATCHED, ...FIGURES }),
  CompaniesResponse: object({ companies: listOf("Company") }),
  Company: COMPANY,
  ChangesResponse: object({
    edition: { ...edition, description: "name of the edition in use" },
    content_hash: { ...hash, description: "its content hash, to use as `since` next time" },
    changes: listOf("Change"),
    next_cursor: nullable("string"),
  }),
  Change: CHANGE,
};
