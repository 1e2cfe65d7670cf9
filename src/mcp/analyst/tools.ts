/**
 * Tools across companies as listed by `tools/list`. Kept short, because clients put the whole list
 * into the model's context.
 */
import { MEASURES } from "../../domain/row-fields.ts";
import type { JsonSchema as Schema } from "../../lib/json-schema.ts";
import { COMPENSATION_PARAMETERS } from "../../domain/company-parameters.ts";
import { GROUPINGS } from "../../domain/selection.ts";
import { READ_SCOPE } from "../../accounts/credentials.ts";
import { ceoPayEndpoint, ceoPayStatisticsEndpoint } from "../../operations/ceo-pay.ts";
import { COMPENSATION, TICKERS } from "../../operations/compensation.ts";
import { queryEndpoint } from "../../operations/query.ts";
import { statisticsEndpoint } from "../../operations/statistics.ts";
import type { CoverageSummary } from "../../operations/dataset-guide.ts";
import {
  ANNOTATIONS,
  COMPENSATION_TOOL,
  INCOMPLETE_RULE,
  NOT_COVERED,
  TICKERS_TOOL,
  type ObjectSchema,
  type ToolDeclaration,
} from "../tools.ts";
import {
  inputOf,
  NULLABLE_STRING,
  object,
  plain,
  propertiesOf,
  resultOf,
  STRING,
  string,
} from "./schemas.ts";

/** Queries rows across companies. */
export const QUERY_TOOL = "query_executive_compensation";
/** Computes statistics across companies. */
export const STATISTICS_TOOL = "get_executive_compensation_statistics";
/** Queries CEO totals of the whole market. */
export const CEO_PAY_TOOL = "query_ceo_pay";
/** Searches documents. */
export const SEARCH_TOOL = "search";
/** Fetches a document by id. */
export const FETCH_TOOL = "fetch";

/** URI of the card, a resource whose document is built when a host requests it. */
export const CARD_URI = "ui://execcomp/company-pay";

/** Verbosity of a result. */
export const DETAILS = ["concise", "full"] as const;

/** Instructions about the server, which clients may show to the model. */
export const ANALYST_INSTRUCTIONS =
  "What US-listed companies paid their named executive officers, from the Summary Compensation Table of their SEC filings. " +
  `One company: ${COMPENSATION_TOOL}. Rankings and lists: ${QUERY_TOOL}; CEOs of the whole market: ${CEO_PAY_TOOL}. Medians, percentiles, ranks: ${STATISTICS_TOOL}. ` +
  `Names that may be misspelt: ${SEARCH_TOOL}, then ${FETCH_TOOL}. Cite filing_url beside a figure. Never fill in a number that ` +
  "no row has, and say which years are incomplete.";

/** The dataset's coverage, in one sentence. */
export function coverageSentence({
  companies,
  companyYears,
  completeCompanyYears,
  fiscalYears,
}: CoverageSummary): string {
  if (fiscalYears === null) return "The dataset has no rows yet.";
  const { first, last } = fiscalYears;
  return `Covers ${companies} companies, fiscal ${first} to ${last}, ${completeCompanyYears} of ${companyYears} company-years complete.`;
}

const CURSOR = "next_cursor of a page";
const SAME = "With group_by=fiscal_year: companies with every year";
const DETAIL: Schema = {
  type: "string",
  enum: DETAILS,
  default: "concise",
  description: "full: all fields",
};

const ROW_RULES =
  "Amounts are whole units of reporting_currency. Stock and option awards are grant-date fair values. The components add up to total_compensation, the total that the filer printed. is_peo: CEO, is_pfo: CFO. Cite source.filing_url.";

/** Shorter than REST's descriptions. */
const SHORT: Readonly<Record<string, string>> = {
  ticker: "Symbol or name",
  cik: "CIK",
  period: "Annual",
  limit: "Fiscal years",
  fiscal_year_gte: "From",
  fiscal_year_lte: "To",
  fiscal_year_gt: "After",
  fiscal_year_lt: "Before",
};

/** A result that is cut has one, too. */
const CURSOR_OF_RESULT = { next_cursor: NULLABLE_STRING };

/** Records, or with `group_by` statistics. */
function ceoPayResult(): ObjectSchema {
  const both = { more: CURSOR_OF_RESULT, optional: ["ceo_pay", "statistics"] };
  const { properties: records } = resultOf(ceoPayEndpoint.answer.body, both);
  const { properties: groups, ...statistics } = resultOf(ceoPayStatisticsEndpoint.answer.body, both);
  return { ...statistics, properties: { ...Object(records), ...Object(groups) } };
}

/** Members that the tools share: read-only, idempotent, about a closed dataset, with our one scope. */
function shared(name: string, title: string) {
  return {
    name,
    title,
    annotations: ANNOTATIONS,
    securitySchemes: [{ type: "oauth2", scopes: [READ_SCOPE] }],
    _meta: {},
  };
}

/** The tools, in fixed order. */
// oxlint-disable-next-line max-lines-per-function -- a table: the declarations of the tools
export function analystTools(coverage: CoverageSummary): readonly ToolDeclaration[] {
  const covers = coverageSentence(coverage);
  return [
    {
      ...shared(COMPENSATION_TOOL, "Get Executive Compensation"),
      description: `Rows of one company by ticker or cik, newest fiscal year first: what it paid each named executive officer. limit counts fiscal years (default 4). The latest year is free, earlier years cost 1 credit per call, any number of years. ${ROW_RULES} A refusal is {"error","message"}: fix the argument it names; Not Found: use ${SEARCH_TOOL}, do not guess another company; Payment Required: tell the person, with purchase.url; Service Unavailable: try once more after _meta.retry_after_seconds. Errors are free. ${INCOMPLETE_RULE} ${NOT_COVERED} ${covers}`,
      inputSchema: inputOf(
        Object.fromEntries(
          COMPENSATION_PARAMETERS.map((one) => [one.name, plain(one, SHORT[one.name] ?? one.about)]),
        ),
      ),
      outputSchema: resultOf(COMPENSATION, { depth: 3 }),
      _meta: { ui: { resourceUri: CARD_URI } },
    },
    {
      ...shared(TICKERS_TOOL, "List Available Tickers"),
      description: `Every ticker symbol that has rows, ascending, one per company. Free. ${covers}`,
      inputSchema: inputOf({}),
      outputSchema: resultOf(TICKERS, { depth: 2 }),
    },
    {
      ...shared(QUERY_TOOL, "Query Executive Compensation"),
      description: `Rows across companies: filter, sort, page. Without a year filter each company's latest fiscal year. 1 credit per page with rows. Say how many companies matched. ${INCOMPLETE_RULE} ${NOT_COVERED} ${covers}`,
      inputSchema: inputOf({
        ...propertiesOf([queryEndpoint], {
          sort: "An amount, measure, fiscal_year, company_name or executive_name; - in front: descending. Default -total_compensation",
          max_rows: "Page size",
          measures: MEASURES.join(", "),
          cursor: CURSOR,
        }),
        detail: DETAIL,
      }),
      outputSchema: resultOf(queryEndpoint.answer.body),
    },
    {
      ...shared(STATISTICS_TOOL, "Executive Compensation Statistics"),
      description: `Median, mean, percentiles, sum, min and max of an amount over rows across companies, by group, and where one company's rows rank. For components, CFOs, other officers and ranks; for CEO totals alone ask ${CEO_PAY_TOOL}, which has more companies (its median stands first here too). Give office and one_per_company_year to count each company once. 1 credit. ${INCOMPLETE_RULE} ${NOT_COVERED} ${covers}`,
      inputSchema: inputOf({
        ...propertiesOf([statisticsEndpoint], {
          field: "An amount or measure; default total_compensation",
          group_by: `One or two of ${GROUPINGS.join(", ")}`,
          same_companies: SAME,
          rank_ticker: "Company to rank",
        }),
        cursor: string(CURSOR),
        detail: DETAIL,
      }),
      outputSchema: resultOf(statisticsEndpoint.answer.body, {
        more: CURSOR_OF_RESULT,
        optional: ["definition"],
      }),
    },
    {
      ...shared(CEO_PAY_TOOL, "CEO Pay"),
      description: `CEO totals of the whole market, also of companies without rows: basis row (filing) or tag (the filer's XBRL). Ask it for rankings, medians and trends of CEO totals (group_by gives statistics); ask ${STATISTICS_TOOL} for components, other officers and ranks. Default each latest year. Say how many are tags, doubtful or missing. 1 credit. ${NOT_COVERED} ${covers}`,
      inputSchema: inputOf({
        ...propertiesOf([ceoPayEndpoint, ceoPayStatisticsEndpoint], {
          group_by: "As in statistics, not office",
          same_companies: SAME,
          sort: "Without group_by: peo_total, fiscal_year or company_name",
          max_rows: "Without group_by: page size",
          cursor: `Without group_by: ${CURSOR}`,
        }),
        detail: DETAIL,
      }),
      outputSchema: ceoPayResult(),
    },
    {
      ...shared(SEARCH_TOOL, "Search"),
      description: `Finds companies, their fiscal years and executives by words: name, former name, symbol, CIK, person; a year or CEO/CFO narrows. Free. ${NOT_COVERED} ${covers}`,
      inputSchema: inputOf({ query: string("Words") }, false, ["query"]),
      outputSchema: object({
        results: { type: "array", items: object({ id: STRING, title: STRING, url: STRING }) },
      }),
    },
    {
      ...shared(FETCH_TOOL, "Fetch"),
      description: `The document of an id from ${SEARCH_TOOL}: company:CIK (latest year, and which other ids there are), year:CIK:2025, executive:CIK:executive-id. 1 credit where any row is of an earlier year. ${covers}`,
      inputSchema: inputOf({ id: string("Document id") }, false, ["id"]),
      outputSchema: object({
        id: STRING,
        title: STRING,
        text: STRING,
        url: STRING,
        metadata: { type: "object" },
      }),
    },
  ];
}
