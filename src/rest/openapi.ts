/** What the OpenAPI 3.1 document says; the plugin puts it together (`docs.ts`). */
import { READ_SCOPE } from "../accounts/credentials.ts";
import { type Parameter, parameterSchema } from "../domain/parameters.ts";
import { EXAMPLE_ORIGIN } from "../http/base-urls.ts";
import { ROUTES } from "../http/routes.ts";
import { type Definition, named } from "../lib/definition.ts";
import { type JsonSchema, jsonSchemaOf } from "../lib/json-schema.ts";
import type { Endpoint } from "../operations/endpoint.ts";
import { ENDPOINTS } from "../operations/endpoints.ts";
import examples from "./examples.json";

type Json = Record<string, unknown>;

/** What the document is about. Always version `1.0.0` (`docs/contract.md`, "Versioning"). */
const INFO = {
  title: "Executive Compensation",
  version: "1.0.0",
  summary:
    "What public companies paid their named executive officers, one row per executive and fiscal year.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  contact: { name: "The operator of this server", url: `${EXAMPLE_ORIGIN}${ROUTES.developer.path}` },
};

/** The bodies of refusals. */
const REFUSED = named("ErrorResponse", {
  error: ["string", "@", "short error name"],
  message: ["string", "@", "what is wrong and what to do"],
});
const PAYMENT_REQUIRED = named("PaymentRequiredResponse", {
  error: ["===", "Payment Required"],
  message: "string",
  purchase: { status: ["string", "@", "coming_soon while nothing can be bought"], url: "string" },
});

/** The components: every named part of a body. */
function schemas(): JsonSchema {
  const components: Json = {};
  const answers = Object.values(ENDPOINTS).map(({ answer }) => answer.body);
  for (const body of [...answers, REFUSED, PAYMENT_REQUIRED])
    if (body !== null) referring(jsonSchemaOf(body), components);
  return components;
}

/** A schema whose named parts are references, and added to the components. */
function referring(schema: unknown, components: Json = {}): unknown {
  if (Array.isArray(schema)) return schema.map((one) => referring(one, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const { title, ...rest }: Json = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, referring(part, components)]),
  );
  if (typeof title !== "string") return rest;
  components[title] = rest;
  return { $ref: `#/components/schemas/${title}` };
}

/** The document without its paths, with the addresses of its examples. */
export const DOCUMENT = {
  openapi: "3.1.0",
  info: INFO,
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
        description: `Created on the developer page or with \`execcomp keys create\`. Scope \`${READ_SCOPE}\`. A test key (\`xc_test_…\`) is free, answers over the latest years of five companies (header \`Test-Key: true\`), and gets each refusal for the tickers TEST401, TEST402, TEST404, TEST429 and TEST503.`,
      },
    },
    schemas: schemas(),
  },
};

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
/** Of callers with a credential. */
const TEST_KEY = {
  "Test-Key": {
    description: "the request used a test key; absent otherwise",
    schema: { type: "string", enum: ["true"] },
  },
};
const ANSWERED = {
  ETag: ETAG,
  ...LIMITS,
  Dataset: text("the edition of the dataset and its content hash"),
};
const OF_ONE_COMPANY = {
  "Incomplete-Fiscal-Years": text("fiscal years that may lack executives; absent if there are none"),
  "Newer-Filing": text(
    "accession number of a known filing that has not been read yet, with filing_date and, where it is known, form; absent if there is none",
  ),
};
const LEFT_OUT = {
  "Fiscal-Years-Left-Out": whole(
    "fiscal years of the dataset that the filters select and `limit` leaves out; absent if there are none",
    { minimum: 1 },
  ),
};
const EVIDENCE = {
  "Row-Evidence": {
    description:
      "the answer has rows that others collected, or figures based on them: their components are not checked against the filing; absent otherwise",
    schema: { type: "string", enum: ["collected"] },
  },
};
const CHARGED = {
  "Credits-Charged": whole("credits charged for this answer; absent for users who are not charged"),
  "Credits-Remaining": whole("credits left; likewise"),
};
const RETRY_AFTER = whole("seconds after which to retry", { minimum: 1 });

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "entity tag of a previous answer; 304 if it is still current",
  schema: { type: "string" },
};

const FILE_HEADERS = {
  "Content-Disposition": text("the file's name, with the edition of the dataset"),
  ...LIMITS,
};
const SAID: Readonly<Record<Endpoint["says"][number], Json>> = {
  company: OF_ONE_COMPANY,
  "left out": LEFT_OUT,
  evidence: EVIDENCE,
  credits: CHARGED,
};

/** What the document says of an endpoint. */
export function detailOf(endpoint: Endpoint): Json {
  const { id, tag, summary, description, caller, parameters, segments = [], example, answer } = endpoint;
  const isFile = answer.body === null;
  const parameter = (one: Parameter, place: "path" | "query") => ({
    name: one.name,
    in: place,
    required: place === "path" || one.required === true,
    description: one.about,
    ...(one.kind === "list" && { style: "form", explode: false }),
    // A client that sends every default would send those that only another view of a file has.
    schema: parameterSchema(isFile ? { ...one, default: undefined } : one),
    ...(example?.[one.name] !== undefined && { example: example[one.name] }),
  });
  const given = [
    ...segments.map((one) => parameter(one, "path")),
    ...parameters.map((one) => parameter(one, "query")),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(caller === "any" && { security: [] }),
    parameters: isFile ? given : [...given, IF_NONE_MATCH],
    responses: {
      "200": {
        description: answer.about,
        headers: isFile
          ? FILE_HEADERS
          : Object.assign(
              {},
              ANSWERED,
              ...endpoint.says.map((one) => SAID[one]),
              caller === "credential" && TEST_KEY,
            ),
        content: answer.body === null ? FILES : jsonContent(answer.body, id),
      },
      ...(!isFile && {
        "304": {
          description: "Not modified since the tag of `If-None-Match`; free.",
          headers: { ETag: ETAG },
        },
      }),
      ...(segments.length > 0 && {
        "303": { description: "A browser that prefers `text/html` is sent to the company's page." },
      }),
      ...refusals(["400", "401", "429", ...endpoint.refusals]),
    },
  };
}

const FILES = {
  "text/csv": { schema: { type: "string" } },
  "application/x-ndjson": { schema: { type: "string" } },
  "application/vnd.apache.parquet": { schema: { type: "string", format: "binary" } },
};

/** A JSON body with the server's answer to a request (`test/support/examples.ts`). */
function jsonContent(body: Exclude<Definition, string>, example: string) {
  const answered: Readonly<Record<string, { request: string | null; answer: object }>> = examples;
  const { request = null, answer: value } = answered[example] ?? {};
  const summary = request === null ? "A row that was added" : `GET ${request}`;
  return {
    "application/json": {
      schema: referring(jsonSchemaOf(body)),
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
      const body = status === "402" ? PAYMENT_REQUIRED : REFUSED;
      const headers = REFUSAL_HEADERS[status];
      const content = jsonContent(body, status);
      return [status, { description: REFUSALS[status], ...(headers && { headers }), content }];
    }),
  );
}
