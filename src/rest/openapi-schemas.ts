/** The components of the OpenAPI document: schemas of the answers, by name. */
import { rowSchema, SOURCE_SCHEMA, TICKERS_SCHEMA } from "../domain/row-fields.ts";

export type Json = Record<string, unknown>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const year = { type: "integer" };
const number = { type: "number" };
const whole = { type: "integer", minimum: 0 };
const cik = { type: "string", pattern: "^[0-9]{10}$" };
const nullable = (type: string) => ({ type: [type, "null"] });
const arrayOf = (items: Json) => ({ type: "array", items });
const oneOf = (...words: string[]) => ({ type: "string", enum: words });
const described = (schema: Json, description: string) => ({ ...schema, description });

/** An object whose members are required, except those that depend on the question. */
function object(properties: Json, optional: readonly string[] = []): Json {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

/** Such an object, or null. */
const orNull = (properties: Json) => ({ ...object(properties), type: ["object", "null"] });

const NEWER_FILING = orNull({
  accession: text,
  form: described(nullable("string"), "EDGAR's form type; null where only the address is known"),
  filing_date: { ...text, format: "date" },
  filing_url: nullable("string"),
});
/** What was asked for and is not there. */
const GAP = object({
  ticker: text,
  cik,
  company_name: text,
  asked: described(
    orNull({ from: nullable("integer"), to: nullable("integer") }),
    "fiscal years asked for; null for the latest",
  ),
  held: described(arrayOf(year), "fiscal years that are known"),
  reason: oneOf("not_loaded", "no_rows", "no_match", "doubtful"),
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
  stale_companies: described(
    whole,
    "companies left out without a year filter: their latest year ended more than three years ago",
  ),
  gaps: described(arrayOf(ref("Gap")), "named companies and years that are missing, and why"),
  index_members: described(whole, "members of the requested index; absent without one"),
  index_members_without_rows: described(whole, "members of the index without rows"),
  companies_without_cfo: described(
    whole,
    "with office=pfo or by office: selected companies of which nobody is known to have been CFO",
  ),
  not_found: described(arrayOf(text), "unknown symbols and CIKs"),
};
const GROUP_KEY = {
  ...object({ reporting_currency: text }),
  additionalProperties: { type: ["string", "integer", "null"] },
};
const FIGURES = Object.fromEntries(
  ["sum", "min", "p10", "p25", "median", "mean", "p75", "p90", "max"].map((name) => [name, number]),
);
const RANK = {
  cik,
  executive_id: text,
  fiscal_year: year,
  group: GROUP_KEY,
  value: number,
  rank: { type: "integer", minimum: 1 },
  percentile: { type: "number", minimum: 0, maximum: 1 },
};
const CEO_PAY_MATCHED = {
  records: whole,
  companies: whole,
  company_years: whole,
  by_basis: object({ row: whole, tag: whole }),
};
const CEO_PAY_COUNTS = {
  matched: object({
    ...CEO_PAY_MATCHED,
    doubtful: described(whole, "left out, or among the records with `doubtful=include`"),
  }),
  fiscal_years: COUNTS.fiscal_years,
  stale_companies: described(whole, "left out: their latest year ended more than three years ago"),
  index_members: COUNTS.index_members,
  index_members_without_total: described(whole, "members of the index without a total"),
  not_found: COUNTS.not_found,
  gaps: described(arrayOf(ref("Gap")), "named companies and index members without a total, and why"),
};
/** Members that are absent without an index or an office. */
const OF_INDEX = [
  "index_members",
  "index_members_without_rows",
  "index_members_without_total",
  "companies_without_cfo",
];
const CEO_PAY = object({
  ticker: text,
  cik,
  company_name: text,
  fiscal_year: year,
  label_inferred: described({ type: "boolean" }, "whether only the calendar year in which it ends is known"),
  period_end: nullable("string"),
  peo_name: nullable("string"),
  surname_only: described({ type: "boolean" }, "whether the filer's tag names no more than a surname"),
  peo_total: number,
  reporting_currency: text,
  basis: oneOf("row", "tag"),
  confirmed_by_tag: described({ type: "boolean" }, "whether another witness states the same total"),
  restated: described(
    orNull({ peo_total: number, accession: text, filing_date: text }),
    "what a newer proxy prints for this officer and year; the total is that of the year's own filing",
  ),
  doubts: arrayOf(object({ code: oneOf("sources_differ", "scale", "counted_elsewhere"), message: text })),
  source: described(
    orNull({
      form: nullable("string"),
      accession: text,
      filing_date: nullable("string"),
      filing_url: nullable("string"),
    }),
    "the filing; null if only its tag was collected",
  ),
  provider: described(nullable("string"), "who collected the tag"),
  company_url: described(text, "the company's proxy statements at the SEC"),
});
const COMPANY = object({
  ticker: text,
  cik,
  company_name: text,
  former_names: arrayOf(text),
  sic: nullable("string"),
  sector: nullable("string"),
  fiscal_year_end: described(nullable("string"), "MM-DD"),
  fiscal_years: arrayOf(year),
  complete_fiscal_years: arrayOf(year),
  latest_filing_date: nullable("string"),
});

const ROWS = { executive_compensation: arrayOf(ref("ExecutiveCompensation")) };

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
    fiscal_year: described(year, "latest fiscal year available"),
    ...ROWS,
    history: object({ message: text, url: text }),
    newer_filing: described(
      NEWER_FILING,
      "a filing that is known and newer than the latest loaded one, so that the rows may be old",
    ),
  }),
  ErrorResponse: object({
    error: described(text, "short error name"),
    message: described(text, "what is wrong and what to do"),
  }),
  PaymentRequiredResponse: object({
    error: oneOf("Payment Required"),
    message: text,
    purchase: object({ status: described(text, "coming_soon while nothing can be bought"), url: text }),
  }),
  Gap: GAP,
  QueryResponse: object(
    {
      ...ROWS,
      measures: described(
        arrayOf({ type: "object", additionalProperties: nullable("number") }),
        "the requested measures, one object for each row, in the rows' order; null where undefined",
      ),
      ...COUNTS,
      next_cursor: nullable("string"),
    },
    ["measures", ...OF_INDEX],
  ),
  StatisticsResponse: object(
    {
      statistics: arrayOf(ref("StatisticsGroup")),
      ranks: arrayOf(ref("Rank")),
      definition: text,
      ...COUNTS,
    },
    OF_INDEX,
  ),
  StatisticsGroup: object({ group: GROUP_KEY, ...MATCHED, ...FIGURES }),
  Rank: object(RANK, ["group"]),
  CeoPayResponse: object(
    { ceo_pay: arrayOf(ref("CeoPay")), ...CEO_PAY_COUNTS, next_cursor: nullable("string") },
    OF_INDEX,
  ),
  CeoPay: CEO_PAY,
  CeoPayStatisticsResponse: object({ statistics: arrayOf(ref("CeoPayGroup")), ...CEO_PAY_COUNTS }, OF_INDEX),
  CeoPayGroup: object({ group: GROUP_KEY, ...CEO_PAY_MATCHED, ...FIGURES }),
  CompaniesResponse: object({ companies: arrayOf(ref("Company")) }),
  Company: COMPANY,
};
