/** The OpenAPI 3.1 document. */
import { READ_SCOPE } from "../accounts/credentials.ts";
import {
  COMPENSATION_PARAMETERS,
  type Parameter,
  parameterSchema,
  textUpTo,
  TICKERS_PARAMETERS,
} from "../domain/parameters.ts";
import { EXAMPLE_ORIGIN } from "../http/base-urls.ts";
import { ROUTES, type RouteName } from "../http/routes.ts";
import { CEO_PAY_PARAMETERS, CEO_PAY_STATISTICS_PARAMETERS } from "../operations/ceo-pay.ts";
import { COMPANIES_PARAMETERS } from "../operations/companies.ts";
import { EXPORT_PARAMETERS } from "../operations/export.ts";
import { QUERY_PARAMETERS } from "../operations/query.ts";
import { DEFINITION, STATISTICS_PARAMETERS } from "../operations/statistics.ts";
import { type Json, SCHEMAS } from "./openapi-schemas.ts";
import examples from "./examples.json";

/** What the document is about. Always version `1.0.0` (`docs/contract.md`, "Versioning"). */
export const INFO = {
  title: "Executive Compensation",
  version: "1.0.0",
  summary:
    "What public companies paid their named executive officers, one row per executive and fiscal year.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  contact: { name: "The operator of this server", url: `${EXAMPLE_ORIGIN}${ROUTES.developer.path}` },
};

/** The document, with the addresses of its examples. @param description the guide */
export function openApiWith(description: string): Json {
  return {
    openapi: "3.1.0",
    info: { ...INFO, description },
    servers: [{ url: EXAMPLE_ORIGIN, description: "This server" }],
    tags: [
      { name: "Executive compensation", description: "Operations that need an API key." },
      { name: "Analysis", description: "Queries across companies. A credential is required." },
      { name: "Facts", description: "The latest fiscal year without a key." },
    ],
    security: [{ ApiKeyAuth: [] }],
    components: {
      securitySchemes: {
        ApiKeyAuth: {
          type: "apiKey",
          in: "header",
          name: "X-API-KEY",
          description: `Created on the developer page or with \`execcomp keys create\`. Scope \`${READ_SCOPE}\`.`,
        },
      },
      schemas: SCHEMAS,
    },
    paths: Object.fromEntries(
      Object.entries(OPERATIONS).map(([name, described]) => {
        // The keys are route names.
        const { path } = ROUTES[name as RouteName];
        return [path.replaceAll(/:(\w+)/g, "{$1}"), { get: operationJson(described) }];
      }),
    ),
  };
}

/** An operation as described. */
interface Described {
  /** Its name, and its key in the examples. */
  id: string;
  /** `Analysis` if absent. */
  tag?: string;
  summary: string;
  description: string;
  /** Requirements of a credential, if not those of all. */
  security?: readonly Json[];
  parameters: readonly Parameter[];
  /** Values of the example's parameters, for a reader who tries it. */
  example?: Readonly<Record<string, string>>;
  /** What a 200 is. */
  success: string;
  /** The schema of its body; a file if absent. */
  schema?: string;
  /** Those of a charged answer across companies if absent. */
  headers?: Json;
  /** Statuses that it may answer besides 200, 304, 400, 401 and 429. */
  others: readonly (keyof typeof REFUSALS)[];
}

const text = (description: string) => ({ description, schema: { type: "string" } });
const whole = (description: string, bounds: Json = {}) => ({
  description,
  schema: { type: "integer", ...bounds },
});
const ETAG = text("strong entity tag; send it back in If-None-Match for a free 304");
const LIMITS = {
  "RateLimit-Policy": text('the rate limit, such as "key";q=600;w=60'),
  RateLimit: text('what is left of it, such as "key";r=597;t=31'),
};
const ANSWERED = {
  ETag: ETAG,
  ...LIMITS,
  Dataset: text("the edition of the dataset and its content hash"),
};
const OF_ONE_COMPANY = {
  "Incomplete-Fiscal-Years": text("fiscal years that may lack executives; absent if there are none"),
  "Newer-Filing": text(
    "accession number of a known filing that is not loaded yet, with filing_date and, where it is known, form; absent if there is none",
  ),
};
const LEFT_OUT = {
  "Fiscal-Years-Left-Out": whole(
    "loaded fiscal years that the filters select and `limit` leaves out; absent if there are none",
    { minimum: 1 },
  ),
};
const CHARGED = {
  "Credits-Charged": whole("credits charged for this answer; absent for users who are not charged"),
  "Credits-Remaining": whole("credits left; likewise"),
};
const RETRY_AFTER = whole("seconds after which to retry", { minimum: 1 });

const OPERATIONS: Partial<Record<RouteName, Described>> = {
  compensation: {
    id: "getExecutiveCompensation",
    tag: "Executive compensation",
    summary: "Get executive compensation",
    description:
      "Every executive row of each selected fiscal year, newest year first; within a year principal executive " +
      "officers, then principal financial officers, then by total. Give `ticker` or `cik`.",
    parameters: COMPENSATION_PARAMETERS,
    example: { ticker: "AAPL" },
    success:
      "Every executive row of the fiscal years selected; empty if the filters or `limit=0` select none.",
    schema: "ExecutiveCompensationResponse",
    headers: { ...ANSWERED, ...OF_ONE_COMPANY, ...LEFT_OUT, ...CHARGED },
    others: ["402", "404", "503"],
  },
  tickers: {
    id: "getExecutiveCompensationTickers",
    tag: "Executive compensation",
    summary: "Get available executive compensation tickers",
    description: "The primary symbol of every company that has rows, ascending. Costs no credits.",
    parameters: TICKERS_PARAMETERS,
    success: "The primary symbols of the companies that have rows, ascending.",
    schema: "TickersResponse",
    others: ["402"],
  },
  query: {
    id: "queryExecutiveCompensation",
    summary: "Find rows across companies",
    description:
      "Rows of any companies and fiscal years, sorted, a page at a time, with how many rows, companies and company-years " +
      "matched and how many of these are incomplete (their own filing is not loaded). Without a year filter, each " +
      "company's latest fiscal year. One credit per page, none if nothing matches.",
    parameters: QUERY_PARAMETERS,
    success: "One page of the selected rows, the total counts, and the cursor of the next page.",
    schema: "QueryResponse",
    others: ["402", "404", "410", "503"],
  },
  statistics: {
    id: "getExecutiveCompensationStatistics",
    summary: "Get statistics across companies",
    description: `Statistics of one amount over the rows of a selection, by group. ${DEFINITION} One credit, none if nothing matches.`,
    parameters: STATISTICS_PARAMETERS,
    success: "The statistics of the selected rows, one group each.",
    schema: "StatisticsResponse",
    others: ["402", "404", "503"],
  },
  export: {
    id: "exportExecutiveCompensation",
    summary: "Export every row of a selection",
    description:
      "All rows of a selection as a file, ordered by CIK, fiscal year and executive_id, with the column names of all exports. For " +
      "unmetered users; others receive 402.",
    // A client that sends every default would send those that only the other view has.
    parameters: EXPORT_PARAMETERS.map(({ default: _of, ...rest }: Parameter) => rest),
    success: "The file.",
    headers: {
      "Content-Disposition": text("the file's name, with the edition of the dataset"),
      ...LIMITS,
    },
    others: ["402", "404", "503"],
  },
  ceoPay: {
    id: "queryCeoPay",
    summary: "CEO pay of the whole market",
    description:
      "The total of each company's principal executive officer: from the filing's table where its rows are loaded (`basis` " +
      "row), else as the filer tagged the same total in inline XBRL (tag). Doubtful totals are left out and counted. " +
      "Without a year filter, each company's latest. One credit per page, none if nothing matches.",
    parameters: CEO_PAY_PARAMETERS,
    success: "One page of the selected totals, the counts, and what is missing.",
    schema: "CeoPayResponse",
    others: ["402", "404", "410", "503"],
  },
  ceoPayStatistics: {
    id: "getCeoPayStatistics",
    summary: "Statistics of CEO pay",
    description:
      "Statistics of the same totals, by group; percentiles as in the statistics of rows. One credit, none if nothing matches.",
    parameters: CEO_PAY_STATISTICS_PARAMETERS,
    success: "The statistics of the selected totals, one group each.",
    schema: "CeoPayStatisticsResponse",
    others: ["402", "404", "503"],
  },
  companies: {
    id: "findCompanies",
    summary: "Find companies by name",
    description:
      "Companies by name, former name, symbol, former symbol or CIK; case, accents, legal forms and small typing mistakes are " +
      "ignored, large companies come first, those without rows last. Free.",
    parameters: COMPANIES_PARAMETERS,
    example: { q: "facebook" },
    success: "The companies found, best match first.",
    schema: "CompaniesResponse",
    others: ["402", "503"],
  },
  facts: {
    id: "getFacts",
    tag: "Facts",
    summary: "Get the latest fiscal year of one company",
    description: "Needs no credential and ignores one. History needs an API key.",
    security: [],
    parameters: [{ name: "ticker", about: "ticker symbol", ...textUpTo(20, "a ticker symbol") }],
    example: { ticker: "AAPL" },
    success:
      "Every executive row of the company's latest loaded fiscal year, and whether a newer filing is known.",
    schema: "FactsResponse",
    headers: { ...ANSWERED, ...OF_ONE_COMPANY },
    others: ["404", "503"],
  },
};

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "entity tag of a previous answer; 304 if it is still current",
  schema: { type: "string" },
};

function operationJson(described: Described): Json {
  const { id, tag = "Analysis", summary, description, security, parameters, example } = described;
  const { success, schema, headers = { ...ANSWERED, ...CHARGED }, others } = described;
  const inPath = id === "getFacts";
  const given = parameters.map((one) => ({
    name: one.name,
    in: inPath ? "path" : "query",
    required: inPath || one.name === "q",
    description: one.about,
    ...(one.kind === "list" && { style: "form", explode: false }),
    schema: parameterSchema(one),
    ...(example?.[one.name] !== undefined && { example: example[one.name] }),
  }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(security && { security }),
    parameters: schema === undefined ? given : [...given, IF_NONE_MATCH],
    responses: {
      "200": {
        description: success,
        headers,
        content: schema === undefined ? FILES : jsonContent(schema, id),
      },
      ...(schema !== undefined && {
        "304": {
          description: "Not modified since the tag of `If-None-Match`; free.",
          headers: { ETag: ETAG },
        },
      }),
      ...(inPath && {
        "303": { description: "A browser that prefers `text/html` is sent to the company's page." },
      }),
      ...refusals(["400", "401", "429", ...others]),
    },
  };
}

const FILES = {
  "text/csv": { schema: { type: "string" } },
  "application/x-ndjson": { schema: { type: "string" } },
  "application/vnd.apache.parquet": { schema: { type: "string", format: "binary" } },
};

/** A JSON body with the server's answer to a request (`test/support/examples.ts`). */
function jsonContent(schema: string, example: string) {
  const answered: Readonly<Record<string, { request: string | null; answer: object }>> = examples;
  const { request = null, answer: value } = answered[example] ?? {};
  const summary = request === null ? "A row that was added" : `GET ${request}`;
  return {
    "application/json": {
      schema: { $ref: `#/components/schemas/${schema}` },
      examples: { example: { summary, value } },
    },
  };
}

const REFUSALS = {
  "400": "invalid request parameters",
  "401": "invalid or missing API key",
  "402": "the request needs a paid subscription, or the credit balance is insufficient",
  "404": "the requested ticker does not exist, or none of its rows is available",
  "410": "the cursor, or the edition of `since`, is no longer known; start over as the message says",
  "429": "rate limit exceeded; retry after the seconds of `Retry-After`",
  "503": "a filing parse is in progress, or upstream company data is temporarily unavailable",
};

const REFUSAL_HEADERS: Readonly<Partial<Record<keyof typeof REFUSALS, Json>>> = {
  "401": { "WWW-Authenticate": text("the scheme ApiKey") },
  "429": { "Retry-After": RETRY_AFTER, ...LIMITS },
  "503": { "Retry-After": RETRY_AFTER },
};

function refusals(statuses: readonly (keyof typeof REFUSALS)[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const schema = status === "402" ? "PaymentRequiredResponse" : "ErrorResponse";
      const headers = REFUSAL_HEADERS[status];
      const content = jsonContent(schema, status);
      return [status, { description: REFUSALS[status], ...(headers && { headers }), content }];
    }),
  );
}
