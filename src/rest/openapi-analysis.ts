/** Operations across companies in the OpenAPI document. */
import type { ParameterInfo } from "../domain/parameters.ts";
import type { RouteName } from "../http/routes.ts";
import { CEO_PAY_PARAMETERS, CEO_PAY_STATISTICS_PARAMETERS } from "../operations/ceo-pay.ts";
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
  stale_companies: 0,
  gaps: [],
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
    ceoPay: {
      operationId: "queryCeoPay",
      tags: [TAG],
      summary: "CEO pay of the whole market",
      description:
        "The total of each company's principal executive officer: from the filing's table where its rows are loaded (`basis` " +
        "row), else as the filer tagged the same total in inline XBRL (tag). Doubtful totals are left out and counted. " +
        "Without a year filter, each company's latest. One credit per page, none if nothing matches.",
      parameters: CEO_PAY_PARAMETERS.map(parameterOf),
      responses: {
        ...answers("CeoPayResponse", {
          ceo_pay: [CEO_PAY_EXAMPLE],
          ...CEO_PAY_COUNTS_EXAMPLE,
          next_cursor: null,
        }),
        ...refusals(["400", "401", "402", "404", "410", "429", "503"]),
      },
    },
    ceoPayStatistics: {
      operationId: "getCeoPayStatistics",
      tags: [TAG],
      summary: "Statistics of CEO pay",
      description:
        "Statistics of the same totals, by group; percentiles as in the statistics of rows. One credit, none if nothing matches.",
      parameters: CEO_PAY_STATISTICS_PARAMETERS.map(parameterOf),
      responses: {
        ...answers("CeoPayStatisticsResponse", {
          statistics: [
            {
              group: { sector: "energy", reporting_currency: "USD" },
              ...MATCHED_EXAMPLE,
              ...Object.fromEntries(FIGURES.map((name) => [name, 17987671])),
            },
          ],
          ...CEO_PAY_COUNTS_EXAMPLE,
        }),
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
      statistics: { type: "array", items: GROUP },
      ranks: { type: "array", items: RANK },
      definition: { type: "string" },
      ...COUNTS,
    }),
    CeoPayResponse: object({
      ceo_pay: { type: "array", items: CEO_PAY },
      ...CEO_PAY_COUNTS,
      next_cursor: nullable("string"),
    }),
    CeoPayStatisticsResponse: object({
      statistics: {
        type: "array",
        items: object({
          group: GROUP_KEY,
          ...CEO_PAY_MATCHED,
          ...Object.fromEntries(FIGURES.map((name) => [name, { type: "number" }])),
        }),
      },
      ...CEO_PAY_COUNTS,
    }),
    CompaniesResponse: object({ companies: { type: "array", items: COMPANY } }),
  };
}

const whole = { type: "integer", minimum: 0 };
/** A nullable type. */
export const nullable = (type: string) => ({ type: [type, "null"] });

/** An object whose members are required, except the two about an index. */
export function object(properties: Json): Json {
  const optional = ["measures", "index_members", "index_members_without_rows", "index_members_without_total"];
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

const NEWER_FILING = {
  ...object({
    accession: { type: "string" },
    form: nullable("string"),
    filing_date: { type: "string" },
    filing_url: nullable("string"),
  }),
  type: ["object", "null"],
};
/** What was asked for and is not there. */
const GAP = object({
  ticker: { type: "string" },
  cik: { type: "string" },
  company_name: { type: "string" },
  asked: {
    type: ["object", "null"],
    properties: { from: nullable("integer"), to: nullable("integer") },
    required: ["from", "to"],
    description: "fiscal years asked for; null for the latest",
  },
  held: { type: "array", items: { type: "integer" }, description: "fiscal years that are known" },
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
  gaps: { type: "array", items: GAP, description: "named companies and years that are missing, and why" },
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
const BY_BASIS = object({ row: whole, tag: whole });
const CEO_PAY_MATCHED = { records: whole, companies: whole, company_years: whole, by_basis: BY_BASIS };
const CEO_PAY_COUNTS = {
  matched: object({ ...CEO_PAY_MATCHED, doubtful: { ...whole, description: "left out unless included" } }),
  fiscal_years: COUNTS.fiscal_years,
  stale_companies: { ...whole, description: "left out: their latest year ended more than three years ago" },
  index_members: COUNTS.index_members,
  index_members_without_total: { ...whole, description: "members of the index without a total" },
  not_found: COUNTS.not_found,
  gaps: {
    type: "array",
    items: GAP,
    description: "named companies and index members without a total, and why",
  },
};
const CEO_PAY = object({
  ticker: { type: "string" },
  cik: { type: "string" },
  company_name: { type: "string" },
  fiscal_year: { type: "integer" },
  label_inferred: {
    type: "boolean",
    description: "whether only the calendar year in which it ends is known",
  },
  period_end: nullable("string"),
  peo_name: nullable("string"),
  peo_total: { type: "number" },
  reporting_currency: { type: "string" },
  basis: { type: "string", enum: ["row", "tag"] },
  confirmed_by_tag: { type: "boolean", description: "whether a tag states the total of the row" },
  doubts: {
    type: "array",
    items: object({
      code: { type: "string", enum: ["sources_differ", "scale", "counted_elsewhere"] },
      message: { type: "string" },
    }),
  },
  source: {
    ...object({
      form: nullable("string"),
      accession: { type: "string" },
      filing_date: nullable("string"),
      filing_url: nullable("string"),
    }),
    type: ["object", "null"],
    description: "the filing; null if only its tag was collected",
  },
  provider: { ...nullable("string"), description: "who collected the tag" },
  company_url: { type: "string", description: "the company's proxy statements at the SEC" },
});
const MATCHED_EXAMPLE = { records: 20, companies: 20, company_years: 20, by_basis: { row: 3, tag: 17 } };
const CEO_PAY_COUNTS_EXAMPLE = {
  matched: { ...MATCHED_EXAMPLE, doubtful: 1 },
  fiscal_years: { "2025": 20 },
  stale_companies: 0,
  not_found: [],
  gaps: [],
};
const CEO_PAY_EXAMPLE = {
  ticker: "WELL",
  cik: "0000766704",
  company_name: "Welltower Inc",
  fiscal_year: 2025,
  label_inferred: false,
  period_end: null,
  peo_name: "Shankh Mitra",
  peo_total: 821090355,
  reporting_currency: "USD",
  basis: "tag",
  confirmed_by_tag: false,
  doubts: [],
  source: null,
  provider: "NM AI Research, ceo-pay-scorecard (CC BY 4.0)",
  company_url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000766704&type=DEF+14A",
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
