import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import Ajv2020 from "ajv/dist/2020";
import { parameterSchema, readValues } from "../../src/domain/parameters.ts";
import type { Endpoint } from "../../src/operations/endpoint.ts";
import { ENDPOINTS } from "../../src/operations/endpoints.ts";
import examples from "../../src/rest/examples.json";
import { EXAMPLE_ROW } from "../support/example-row.ts";
import { openApiDocument } from "../../src/rest/docs.ts";
import { answeredExamples } from "../support/examples.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

test("the document passes a public linter without an error", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(await openApiDocument()), config });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("the row schema has the 22 fields of the spec, all required, with their nullability", async () => {
  const document = JSON.parse(JSON.stringify(await openApiDocument()));
  const row = document.components.schemas.ExecutiveCompensation;
  expect(Object.keys(EXAMPLE_ROW)).toHaveLength(22);
  expect(row.required.toSorted()).toEqual(Object.keys(EXAMPLE_ROW).toSorted());
  const nullable = Object.keys(row.properties).filter((name) =>
    JSON.stringify(row.properties[name]).includes('"null"'),
  );
  expect(nullable.filter((name) => name !== "source").toSorted()).toEqual([
    "executive_role",
    "reported_year",
    "reporting_currency",
  ]);
});

test("every example is what this server answers to its request", async () => {
  expect<unknown>(examples).toEqual(await answeredExamples());
});

interface Documented {
  parameters: { name: string; in: string; schema: Record<string, unknown> }[];
  responses: Record<string, { headers?: object; content?: Record<string, Json> }>;
}
type Json = { schema: { $ref: string }; examples: { example: { summary: string; value: unknown } } };

// The JSON that a client generator reads.
const document = JSON.parse(JSON.stringify(await openApiDocument()));

describe("exactly as in the spec", () => {
  const { schemas } = document.components;
  const get = document.paths["/api/executive-compensation"].get;
  const tickers = document.paths["/api/executive-compensation/tickers"].get;
  type Named = { name: string; example?: unknown; schema: Record<string, unknown> };
  const named = (name: string): Named => get.parameters.find((one: Named) => one.name === name);

  test("a source is a component; dates, CIKs and fixed values have a format, pattern or enum", () => {
    expect(schemas.ExecutiveCompensation.properties.source).toEqual({
      $ref: "#/components/schemas/CompensationSource",
    });
    expect(schemas.CompensationSource.required.toSorted()).toEqual([
      "accession",
      "filing_date",
      "filing_url",
      "form",
    ]);
    expect(schemas.CompensationSource.properties.filing_date.anyOf).toEqual([
      { type: "string", format: "date" },
      { type: "null" },
    ]);
    expect(schemas.ExecutiveCompensation.properties.cik.pattern).toBe("^[0-9]{10}$");
    expect(schemas.ExecutiveCompensation.properties.period).toMatchObject({
      type: "string",
      enum: ["annual"],
    });
    expect(schemas.TickersResponse.properties.resource).toMatchObject({
      type: "string",
      enum: ["executive_compensation"],
    });
    expect(JSON.stringify(schemas)).not.toContain('"const":"annual"');
  });

  test("the statuses are those of the spec, and 304", () => {
    expect(Object.keys(get.responses)).toEqual(["200", "304", "400", "401", "402", "404", "429", "503"]);
    expect(Object.keys(tickers.responses)).toEqual(["200", "304", "400", "401", "402", "429"]);
  });

  test("a year filter accepts any integer; only one of ticker and cik has an example", () => {
    expect(named("fiscal_year_gte").schema).toEqual({ type: "integer" });
    expect([named("ticker").example, named("cik").example]).toEqual(["AAPL", undefined]);
    expect(named("If-None-Match")).toMatchObject({ in: "header", required: false });
  });

  test("every 200 describes its content, and every refusal with a wait says how long", () => {
    const said = new Set<string>();
    for (const operations of Object.values(document.paths)) {
      const { responses } = (
        operations as { get: { responses: Record<string, { description: string; headers?: object }> } }
      ).get;
      said.add(responses["200"]?.description ?? "");
      for (const status of ["429", "503"]) {
        if (responses[status] !== undefined)
          expect(Object.keys(responses[status].headers ?? {})).toContain("Retry-After");
      }
    }
    expect(said.size).toBe(Object.keys(document.paths).length);
  });
});

describe("what a generated client needs", () => {
  const operations: Documented[] = Object.values(document.paths).map(
    (path) => (path as { get: Documented }).get,
  );

  test("an example of every JSON body, valid by its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "document", components: document.components });
    for (const { responses } of operations) {
      for (const { content = {} } of Object.values(responses)) {
        const json = content["application/json"];
        if (json === undefined) continue;
        const { summary, value } = json.examples.example;
        const validate = ajv.compile({ $ref: `document${json.schema.$ref}` });
        expect({ summary, errors: validate(value) ? null : validate.errors }).toEqual({
          summary,
          errors: null,
        });
      }
    }
  });

  test("If-None-Match is a parameter wherever 304 is an answer", () => {
    for (const { parameters, responses } of operations) {
      const takes = parameters.some(({ name, in: place }) => name === "If-None-Match" && place === "header");
      expect([takes, responses["304"]?.headers !== undefined]).toEqual([
        responses["304"] !== undefined,
        responses["304"] !== undefined,
      ]);
    }
  });

  test("a client that sends every default of the export is answered, in both views", async () => {
    const server = await startTestServer({ unmetered: "true" });
    try {
      const key = await server.createKey();
      const { parameters } = document.paths["/export"].get as Documented;
      for (const view of ["compensation", "ceo_pay"]) {
        const given = parameters.flatMap(({ name, schema }): [string, string][] =>
          schema["default"] === undefined ? [] : [[name, String(schema["default"])]],
        );
        const query = new URLSearchParams([...given, ["view", view], ["ticker", "AAPL"]]);
        expect((await server.get(`/export?${query}`, { key })).status).toBe(200);
      }
    } finally {
      await server.stop();
    }
  });
});

test("a list is an array with commas, and a pattern describes a cursor", async () => {
  const document = JSON.parse(JSON.stringify(await openApiDocument()));
  const patternOf = (path: string, wanted: string) => {
    const given: { name: string; schema: { pattern: string } }[] = document.paths[path].get.parameters;
    return new RegExp(given.find(({ name }) => name === wanted)?.schema.pattern ?? "(?!)");
  };
  const { parameters: given } = document.paths["/api/executive-compensation/statistics"].get;
  expect(given.find(({ name }: { name: string }) => name === "group_by")).toMatchObject({
    style: "form",
    explode: false,
    schema: { type: "array", maxItems: 2, items: { enum: expect.arrayContaining(["sector", "index"]) } },
  });
  // A choice that is named twice is refused, as the document says.
  for (const { parameters } of Object.values<Endpoint>(ENDPOINTS))
    for (const { name, kind, words = [], ...rest } of parameters)
      if (kind === "list" && words[0] !== undefined) {
        expect(parameterSchema({ kind, words, ...rest })).toMatchObject({ type: "array", uniqueItems: true });
        const twice = new Map([[name, `${words[0]},${words[0]}`]]);
        expect(() => readValues(twice, parameters)).toThrow(`Cannot read ${name} `);
      }
  const cursor = patternOf("/api/executive-compensation/query", "cursor");
  expect("MDEyMzQ1Njc4OWFiY2RlZi54LjU").toMatch(cursor);
  for (const wrong of ["", "a b", "=".repeat(4)]) expect(wrong).not.toMatch(cursor);
});

describe("over HTTP", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test("the reference opens with the guide, with the addresses of this server, and has an entity tag", async () => {
    const first = await server.get("/api/openapi.json");
    const served = JSON.parse(await first.text());
    for (const heading of [
      "Authentication",
      "Errors",
      "Paging",
      "Limits",
      "Credits",
      "Caching",
      "Editions",
      "Versions",
    ])
      expect(served.info.description).toContain(`\n## ${heading}\n`);
    expect(served.info.description).toMatch(/without a deprecation: [^]*`Deprecation`[^]*`Sunset`/);
    expect(served.info.description).toContain(`curl ${server.origin}/t/AAPL/facts`);
    expect(served.servers).toEqual([{ url: server.origin, description: "This server" }]);
    expect(JSON.stringify(served)).not.toContain("localhost:8402");
    expect(served.info.license).toEqual({ name: "Apache-2.0", identifier: "Apache-2.0" });
    // The page reads the document; nothing of the guide is in its own text.
    expect(await (await server.get("/api/docs")).text()).not.toContain("Authentication");
    const limited = served.paths["/api/executive-compensation"].get.responses["429"];
    expect(Object.keys(limited.headers)).toEqual(["Retry-After", "RateLimit-Policy", "RateLimit"]);
    const etag = first.headers.get("etag") ?? "";
    const again = await server.get("/api/openapi.json", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("the changelog is served", async () => {
    const answer = await server.get("/changelog");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(await answer.text()).toStartWith("# Changelog\n");
  });
});
