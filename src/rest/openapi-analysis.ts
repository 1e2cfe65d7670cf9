/** Operations across companies in the OpenAPI document. */
import type { ParameterInfo } from "../domain/parameters.ts";
import type { RouteName } from "../http/routes.ts";
import { COMPANIES_PARAMETERS } from "../operations/companies.ts";
import { EXPORT_PARAMETERS } from "../operations/export.ts";
import { QUERY_PARAMETERS } from "../operations/query.ts";
import { DEFINITION, STATISTICS_PARAMETERS } from "../operations/statistics.ts";

type Json = Record<string, unknown>;

/** Helpers of the document for parts that all operations share. */
export interface DocumentParts {
  answers(schema: string, example: Json): Json;
  refusals(statuses: readonly string[]): Json;
  exampleRow: Json;
}

const TAG = "Analysis";

const COUNTS_EXAMPLE = {
  matched: { rows: 1, companies: 1, company_years: 1, incomplete_company_years: 0 },
  fiscal_years: { "2025": 1 },
  index_members: 60,
  index_members_without_rows: 48,
  not_found: [],
};

/** The operations by route. */
// oxlint-disable-next-line max-lines-per-function -- a table of operations
export function analysisOperations({
  answers,
  refusals,
  exampleRow,
}: DocumentParts): Partial<Record<RouteName, Json>> {
  return {
    query: {
      operationId: "queryExecutiveCompensation",
      tags: [TAG],
      summary: "Find rows across companies",
      description:
        "Rows of any companies and fiscal years, sorted, a page at a time, with how many rows, companies and company-years " +
        "matched and how many of these are incomplete (their own filing is not loaded). Without a year filter, each " +
        "company's latest fiscal year. One credit per page, none if nothing matches.",
      parameters: QUERY_PARAMETERS.map(parameterOf),
      responses: {
        ...answers("QueryResponse", {
          executive_compensation: [exampleRow],
          ...COUNTS_EXAMPLE,
          next_cursor: null,
        }),
        ...refusals(["400", "401", "402", "404", "410", "429", "503"]),
      },
    },
    statistics: {
      operationId: "getExecutiveCompensationStatistics",
      tags: [TAG],
      summary: "Get statistics across companies",
      description: `Statistics of one amount over the rows of a selection, by group. ${DEFINITION} One credit, none if nothing matches.`,
      parameters: STATISTICS_PARAMETERS.map(parameterOf),
      responses: {
        ...answers("StatisticsResponse", statisticsExample()),
        ...refusals(["400", "401", "402", "404", "429", "503"]),
      },
    },
    export: {
      operationId: "exportExecutiveCompensation",
      tags: [TAG],
      summary: "Export every row of a selection",
      description:
        "All rows of a selection as a file, ordered by CIK, fiscal year and executive_id, with the column names of all exports. For " +
        "unmetered users; others receive 402.",
      parameters: EXPORT_PARAMETERS.map(parameterOf),
      responses: {
        "200": {
          description: "The file.",
          content: {
            "text/csv": { schema: { type: "string" } },
            "application/x-ndjson": { schema: { type: "string" } },
            "application/vnd.apache.parquet": { schema: { type: "string", format: "binary" } },
          },
        },
        ...refusals(["400", "401", "402", "404", "429", "503"]),
      },
    },
    companies: {
      operationId: "findCompanies",
      tags: [TAG],
      summary: "Find companies by name",
      description:
        "Companies by name, former name, symbol, former symbol or CIK; case, accents, legal forms and small typing mistakes are " +
        "ignored, large companies come first, those without rows last. Free.",
      parameters: COMPANIES_PARAMETERS.map((parameter) => ({
        ...parameterOf(parameter),
        ...(parameter.name === "q" ? { required: true, example: "facebook" } : {}),
      })),
      responses: {
        ...answers("CompaniesResponse", { companies: [COMPANY_EXAMPLE] }),
        ...refusals(["400", "401", "402", "429", "503"]),
      },
    },
  };
}

/** Schemas of the answers, by name. */
export function analysisSchemas(): Json {
  const row = { $ref: "#/components/schemas/ExecutiveCompensation" };
  return {
    QueryResponse: object({
      executive_compensation: { type: "array", items: row },
      ...COUNTS,
      next_cursor: nullable("string"),
    }),
    StatisticsResponse: object({
      statistics: { type: "array", items: GROUP },
      ranks: { type: "array", items: RANK },
      definition: { type: "string" },
      ...COUNTS,
    }),
    CompaniesResponse: object({ companies: { type: "array", items: COMPANY } }),
  };
}

const whole = { type: "integer", minimum: 0 };
/** A nullable type. */
export const nullable = (type: string) => ({ type: [type, "null"] });

/** An object whose members are required, except the two about an index. */
export function object(properties: Json): Json {
  const optional = ["index_members", "index_members_without_rows"];
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

const MATCHED = { rows: whole, companies: whole, company_years: whole, incomplete_company_years: whole };
const COUNTS = {
  matched: object(MATCHED),
  fiscal_years: {
    type: "object",
    description: "company-years that matched, by fiscal year",
    additionalProperties: whole,
  },
  index_members: { ...whole, description: "members of the requested index; absent without one" },
  index_members_without_rows: { ...whole, description: "members of the index without rows" },
  not_found: { type: "array", items: { type: "string" }, description: "unknown symbols and CIKs" },
};
const GROUP_KEY = {
  type: "object",
  properties: { reporting_currency: { type: "string" } },
  required: ["reporting_currency"],
  additionalProperties: { type: ["string", "integer", "null"] },
};
const FIGURES = ["sum", "min", "p10", "p25", "median", "mean", "p75", "p90", "max"];
const GROUP = object({
  group: GROUP_KEY,
  ...MATCHED,
  ...Object.fromEntries(FIGURES.map((name) => [name, { type: "number" }])),
});
const RANK = {
  type: "object",
  properties: {
    cik: { type: "string" },
    executive_id: { type: "string" },
    fiscal_year: { type: "integer" },
    group: GROUP_KEY,
    value: { type: "number" },
    rank: { type: "integer", minimum: 1 },
    percentile: { type: "number", minimum: 0, maximum: 1 },
  },
  required: ["cik", "executive_id", "fiscal_year", "value", "rank", "percentile"],
};
const COMPANY = object({
  ticker: { type: "string" },
  cik: { type: "string" },
  company_name: { type: "string" },
  former_names: { type: "array", items: { type: "string" } },
  sic: nullable("string"),
  sector: nullable("string"),
  fiscal_year_end: { ...nullable("string"), description: "MM-DD" },
  fiscal_years: { type: "array", items: { type: "integer" } },
  complete_fiscal_years: { type: "array", items: { type: "integer" } },
  latest_filing_date: nullable("string"),
});
const COMPANY_EXAMPLE = {
  ticker: "META",
  cik: "0001326801",
  company_name: "Meta Platforms, Inc.",
  former_names: ["Facebook Inc"],
  sic: "7370",
  sector: "communication_services",
  fiscal_year_end: "12-31",
  fiscal_years: [2025, 2024, 2023],
  complete_fiscal_years: [2025],
  latest_filing_date: "2026-04-16",
};

function statisticsExample(): Json {
  const figures = Object.fromEntries(FIGURES.map((name) => [name, 74294811]));
  return {
    statistics: [
      { group: { fiscal_year: 2025, reporting_currency: "USD" }, ...COUNTS_EXAMPLE.matched, ...figures },
    ],
    ranks: [
      {
        cik: "0000320193",
        executive_id: "tim-cook",
        fiscal_year: 2025,
        value: 74294811,
        rank: 1,
        percentile: 1,
      },
    ],
    definition: DEFINITION,
    ...COUNTS_EXAMPLE,
  };
}

/** A query parameter. */
export function parameterOf({ name, about, schema }: ParameterInfo): Json {
  return { name, in: "query", required: false, description: about, schema };
}
