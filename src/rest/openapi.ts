import { READ_SCOPE } from "../accounts/credentials.ts";
import { Elysia } from "elysia";
import schemas from "../domain/compensation.schema.json";
import { EXAMPLE_ROW, SOURCE_FIELDS } from "../domain/row-fields.ts";
import { COMPENSATION_PARAMETERS, type Parameter, TICKERS_PARAMETERS } from "../domain/parameters.ts";

import { EXAMPLE_ORIGIN } from "../http/base-urls.ts";
import { ROUTES, type RouteName } from "../http/routes.ts";
import { analysisOperations, analysisSchemas } from "./openapi-analysis.ts";
import { CHANGES_TAG, changesOperations, changesSchemas } from "./openapi-changes.ts";

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document without its paths. Components are generated from the validation schemas. Always version
 * `1.0.0` (`docs/contract.md`, "Versioning").
 */
export function documentation(): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Executive Compensation",
      version: "1.0.0",
      summary:
        "What public companies paid their named executive officers, one row per executive and fiscal year.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: "The operator of this server", url: `${EXAMPLE_ORIGIN}${ROUTES.developer.path}` },
    },
    servers: [{ url: EXAMPLE_ORIGIN, description: "This server" }],
    tags: [
      { name: "Executive compensation", description: "Operations that need an API key." },
      { name: "Analysis", description: "Queries across companies. A credential is required." },
      { name: "Facts", description: "The latest fiscal year without a key." },
      CHANGES_TAG,
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
      schemas: {
        ExecutiveCompensation: jsonSchema(schemas.ExecutiveCompensation, {
          source: { $ref: "#/components/schemas/CompensationSource" },
        }),
        CompensationSource: jsonSchema(schemas.CompensationSource),
        ExecutiveCompensationResponse: jsonSchema(schemas.ExecutiveCompensationResponse, {
          executive_compensation: {
            type: "array",
            items: { $ref: "#/components/schemas/ExecutiveCompensation" },
          },
        }),
        TickersResponse: jsonSchema(schemas.TickersResponse),
        FactsResponse: jsonSchema(schemas.FactsResponse, {
          executive_compensation: {
            type: "array",
            items: { $ref: "#/components/schemas/ExecutiveCompensation" },
          },
        }),
        ...analysisSchemas(),
        ...changesSchemas(),
        ErrorResponse: jsonSchema(schemas.ErrorResponse),
        PaymentRequiredResponse: jsonSchema(schemas.PaymentRequiredResponse),
      },
    },
  };
}

/** The operations by route. */
export type Operations = Partial<Record<RouteName, Json>>;

// oxlint-disable-next-line max-lines-per-function -- a table of operations
function operations(): Operations {
  return {
    compensation: {
      operationId: "getExecutiveCompensation",
      tags: ["Executive compensation"],
      summary: "Get executive compensation",
      description:
        "Every executive row of each selected fiscal year, newest year first; within a year principal executive " +
        "officers, then principal financial officers, then by total. Give `ticker` or `cik`.",
      parameters: [...queryParameters(COMPENSATION_PARAMETERS), IF_NONE_MATCH],
      responses: {
        ...answers("ExecutiveCompensationResponse", { executive_compensation: [EXAMPLE_ROW] }, KEYED),
        ...refusals(["400", "401", "402", "404", "429", "503"]),
      },
    },
    tickers: {
      operationId: "getExecutiveCompensationTickers",
      tags: ["Executive compensation"],
      summary: "Get available executive compensation tickers",
      description: "The primary symbol of every company that has rows, ascending. Costs no credits.",
      parameters: [...queryParameters(TICKERS_PARAMETERS), IF_NONE_MATCH],
      responses: {
        ...answers(
          "TickersResponse",
          { resource: "executive_compensation", tickers: ["AAPL", "MSFT"] },
          KEYED,
        ),
        ...refusals(["400", "401", "402", "429"]),
      },
    },
    ...analysisOperations({
      answers: (schema, example) => answers(schema, example, KEYED),
      refusals,
      exampleRow: EXAMPLE_ROW,
    }),
    ...changesOperations({ answers: (schema, example) => answers(schema, example, KEYED), refusals }),
    facts: {
      operationId: "getFacts",
      tags: ["Facts"],
      summary: "Get the latest fiscal year of one company",
      description: "Needs no credential and ignores one. History needs an API key.",
      security: [],
      parameters: [
        {
          ...parameter("ticker", "ticker symbol", { type: "string" }),
          in: "path",
          required: true,
          example: "AAPL",
        },
        IF_NONE_MATCH,
      ],
      responses: {
        ...answers(
          "FactsResponse",
          {
            ticker: "AAPL",
            cik: "0000320193",
            company_name: "Apple Inc.",
            fiscal_year: 2025,
            executive_compensation: [EXAMPLE_ROW],
            history: {
              message: "Earlier fiscal years need an API key, sent as X-API-KEY.",
              url: "http://localhost:8402/api/executive-compensation?ticker=AAPL",
            },
            newer_filing: null,
          },
          COUNTED,
        ),
        "303": { description: "A browser that prefers `text/html` is sent to the company's page." },
        ...refusals(["400", "401", "404", "429", "503"]),
      },
    },
  };
}

/** Routes with the operations attached; the plugin derives the document's paths from them. */
export function describedRoutes(): Elysia {
  const app = new Elysia();
  for (const [name, detail] of Object.entries(operations())) {
    // The keys are route names.
    app.get(ROUTES[name as RouteName].path, () => "", { detail });
  }
  return app;
}

function queryParameters(parameters: readonly Parameter[]): Json[] {
  return parameters.map((one) => ({
    ...parameter(one.name, one.about, one.schema),
    ...(one.example === null ? {} : { example: one.example }),
  }));
}

function parameter(name: string, description: string, schema: Readonly<Json>): Json {
  return { name, in: "query", required: false, description, schema };
}

const text = (description: string) => ({ description, schema: { type: "string" } });
const COUNTED = {
  ETag: text("strong entity tag; send it back in If-None-Match for a free 304"),
  "RateLimit-Policy": text('the rate limit, such as "key";q=600;w=60'),
  RateLimit: text('what is left of it, such as "key";r=597;t=31'),
  Dataset: text("the edition of the dataset and its content hash"),
  "Incomplete-Fiscal-Years": text("fiscal years that may lack executives; absent if there are none"),
  "Newer-Filing": text(
    "accession number of a known filing that is not loaded yet, with filing_date and, where it is known, form; absent if there is none",
  ),
};
const RETRY_AFTER = {
  description: "seconds after which to retry",
  schema: { type: "integer", minimum: 1 },
};
const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "entity tag of a previous answer; 304 if it is still current",
  schema: { type: "string" },
};
const KEYED = {
  ...COUNTED,
  "Credits-Charged": { description: "credits charged for this answer", schema: { type: "integer" } },
  "Credits-Remaining": { description: "credits left", schema: { type: "integer" } },
};

function answers(schema: string, example: Json, headers: Json): Json {
  return {
    "200": {
      description: SUCCESSES[schema] ?? "The answer.",
      headers,
      content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example } },
    },
    "304": { description: "Not modified since the tag of `If-None-Match`; free." },
  };
}

/** Descriptions of 200 answers, by schema. */
const SUCCESSES: Readonly<Record<string, string>> = {
  ExecutiveCompensationResponse:
    "Every executive row of the fiscal years selected; empty if the filters or `limit=0` select none.",
  TickersResponse: "The primary symbols of the companies that have rows, ascending.",
  FactsResponse:
    "Every executive row of the company's latest loaded fiscal year, and whether a newer filing is known.",
  QueryResponse: "One page of the selected rows, the total counts, and the cursor of the next page.",
  StatisticsResponse: "The statistics of the selected rows, one group each.",
  CeoPayResponse: "One page of the selected totals, the counts, and what is missing.",
  CeoPayStatisticsResponse: "The statistics of the selected totals, one group each.",
  CompaniesResponse: "The companies found, best match first.",
  ChangesResponse: "One page of changes, oldest first, and the latest edition.",
};

const REFUSALS: Readonly<Record<string, readonly [name: string, when: string]>> = {
  "400": ["Bad Request", "invalid request parameters"],
  "401": ["Unauthorized", "invalid or missing API key"],
  "402": ["Payment Required", "the request needs a paid subscription, or the credit balance is insufficient"],
  "404": ["Not Found", "the requested ticker does not exist, or none of its rows is available"],
  "410": [
    "Gone",
    "the cursor, or the edition of `since`, is no longer known; start over as the message says",
  ],
  "429": ["Too Many Requests", "rate limit exceeded; retry after the seconds of `Retry-After`"],
  "503": [
    "Service Unavailable",
    "a filing parse is in progress, or upstream company data is temporarily unavailable",
  ],
};

function refusals(statuses: readonly string[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const [error = "", description = ""] = REFUSALS[status] ?? [];
      const purchase = { status: "coming_soon", url: "http://localhost:8402/developer" };
      const paid = status === "402";
      const schema = { $ref: `#/components/schemas/${paid ? "PaymentRequiredResponse" : "ErrorResponse"}` };
      const example = { error, message: `${description}.`, ...(paid ? { purchase } : {}) };
      const limit = { "RateLimit-Policy": COUNTED["RateLimit-Policy"], RateLimit: COUNTED.RateLimit };
      const headers =
        status === "429"
          ? { headers: { "Retry-After": RETRY_AFTER, ...limit } }
          : status === "503"
            ? { headers: { "Retry-After": RETRY_AFTER } }
            : {};
      return [status, { description, ...headers, content: { "application/json": { schema, example } } }];
    }),
  );
}

/** One of our schemas as JSON Schema 2020-12, without `$schema`, which components do not need. */
function jsonSchema({ $schema: _dialect, ...schema }: Json, replaced: Json = {}): Json {
  const plain = plainSchema(schema);
  return "properties" in plain
    ? { ...plain, properties: { ...Object(plain["properties"]), ...replaced } }
    : plain;
}

/**
 * Simplifies a schema for client generators: a single-value `const` becomes a typed `enum`, nullable fields have one
 * description, and dates and CIKs have a format or pattern.
 */
function plainSchema(schema: Json, name = ""): Json {
  const plain: Json = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "const" && typeof value === "string")
      Object.assign(plain, { type: "string", enum: [value] });
    else if (keyword === "properties") {
      const properties = Object.entries(membersOf(value));
      plain[keyword] = Object.fromEntries(
        properties.map(([field, of]) => [field, plainSchema(membersOf(of), field)]),
      );
    } else if (keyword === "items") plain[keyword] = plainSchema(membersOf(value));
    else if (keyword === "anyOf" && Array.isArray(value)) {
      plain[keyword] = value.map((one: unknown) => {
        const { description: _said, ...branch } = plainSchema(membersOf(one), name);
        return branch;
      });
    } else plain[keyword] = value;
  }
  if (plain["type"] !== "string") return plain;
  return {
    ...plain,
    ...(DATES.has(name) && { format: "date" }),
    ...(name === "cik" && { pattern: "^[0-9]{10}$" }),
  };
}

function membersOf(value: unknown): Json {
  // Called only where a schema has an object.
  return Object(value) as Json;
}

const DATES: ReadonlySet<string> = new Set(
  SOURCE_FIELDS.filter(({ kind }) => kind === "date").map(({ name }) => name),
);
