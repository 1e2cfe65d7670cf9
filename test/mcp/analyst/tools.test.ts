import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv from "ajv";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { analystTools, ANALYST_INSTRUCTIONS } from "../../../src/mcp/analyst/tools.ts";
import { INCOMPLETE_RULE, NOT_COVERED } from "../../../src/mcp/tools.ts";
import { CEO_PAY_PARAMETERS, CEO_PAY_STATISTICS_PARAMETERS } from "../../../src/operations/ceo-pay.ts";
import { QUERY_PARAMETERS } from "../../../src/operations/query.ts";
import { STATISTICS_PARAMETERS } from "../../../src/operations/statistics.ts";
import { ROW_FIELDS } from "../../../src/domain/row-fields.ts";
import { parameterSchema } from "../../../src/domain/parameters.ts";
import { SELECTION_PARAMETERS } from "../../../src/domain/selection.ts";
import { legacy, mirrored, modern } from "../../contract/mcp/support.ts";
import { type AnalystUnderTest, analystUnderTest } from "./support.ts";

let analyst: AnalystUnderTest;
beforeAll(async () => {
  analyst = await analystUnderTest({ unmetered: "true" });
});
afterAll(() => analyst.stop());

const NAMES = [
  "get_executive_compensation",
  "list_available_tickers",
  "query_executive_compensation",
  "get_executive_compensation_statistics",
  "query_ceo_pay",
  "search",
  "fetch",
];
const COVERAGE = { companies: 4000, companyYears: 40_000, completeCompanyYears: 39_999 };
const TOOLS = analystTools({ ...COVERAGE, fiscalYears: { first: 2006, last: 2026 } });

interface Listed {
  result: { tools: { name: string; description: string; outputSchema: object }[]; instructions: string };
}

async function listed(message: object, headers: Record<string, string> = {}): Promise<Listed["result"]> {
  const answer = await analyst.post(message, { "x-api-key": analyst.key, ...headers });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Listed).result;
}

describe("the definitions", () => {
  test("are the same seven in both protocol families, and {mcp_url} keeps its two", async () => {
    const old = await listed(legacy("tools/list"));
    const { tools } = await listed(modern("tools/list"), mirrored("tools/list"));
    expect(old.tools.map(({ name }) => name)).toEqual(NAMES);
    expect(tools).toEqual(old.tools);
    const plain = await analyst.post(legacy("tools/list"), {}, "/mcp");
    const two = ((await plain.json()) as Listed).result.tools;
    expect(two.map(({ name }) => name)).toEqual(NAMES.slice(0, 2));
    expect(JSON.stringify(two)).not.toContain("query_executive_compensation");
  });

  test("bound the numbers of one company's query as the operation does", () => {
    const { properties } = JSON.parse(JSON.stringify(TOOLS[0])).inputSchema;
    expect(properties.limit).toMatchObject({ type: "integer", minimum: 0, maximum: 100 });
    expect(properties.period).toMatchObject({ type: "string", enum: ["annual"] });
  });

  test("bound pages as the operations do; a default, which clients may send, is stated where no other argument forbids it", () => {
    const pages = TOOLS.map(({ inputSchema }) => Object(inputSchema["properties"]).max_rows).filter(Boolean);
    const about = { type: "integer", description: expect.any(String), minimum: 1, maximum: 1000 };
    expect(pages).toStrictEqual([{ ...about, default: 25 }, about]);
  });

  test("state what the current dataset contains", async () => {
    const { companies, companyYears, completeCompanyYears, fiscalYears } =
      analyst.server.services.operations.guide.coverage();
    expect(companies).toBeGreaterThan(100);
    const sentence = `Covers ${companies} companies, fiscal ${fiscalYears?.first} to ${fiscalYears?.last}, ${completeCompanyYears} of ${companyYears} company-years complete.`;
    const { tools } = await listed(legacy("tools/list"));
    for (const { description } of tools) expect(description).toEndWith(sentence);
  });

  test("take less than 5,000 tokens, all seven with their schemas", () => {
    expect(encode(JSON.stringify(TOOLS)).length).toBeLessThan(5000);
    expect(encode(ANALYST_INSTRUCTIONS).length).toBeLessThan(150);
  });

  test("describe every parameter; office, sector and index are enumerated wherever they are taken", () => {
    for (const { name, inputSchema } of TOOLS) {
      // Built by `inputOf`.
      const parameters = Object.entries(inputSchema.properties as Record<string, Record<string, unknown>>);
      for (const [parameter, { description, enum: choices }] of parameters) {
        // The name of a bound says all.
        if (/_[gl]te?$/.test(parameter) && name !== "get_executive_compensation") continue;
        expect({ name, parameter, description }).toEqual({
          name,
          parameter,
          description: expect.any(String),
        });
        if (["office", "sector", "index"].includes(parameter)) expect(choices).toBeArray();
      }
    }
  });

  test("say in every family what is not covered, and one rule about incomplete years", () => {
    for (const { name, description } of TOOLS) {
      if (!["list_available_tickers", "fetch"].includes(name)) expect(description).toContain(NOT_COVERED);
      expect(description).not.toContain("do not rank");
    }
    for (const tool of [TOOLS[0], TOOLS[2], TOOLS[3]]) expect(tool?.description).toContain(INCOMPLETE_RULE);
  });

  test("have name, title and hints; no schema has a union at the top level", () => {
    for (const tool of TOOLS) {
      expect(tool.title).not.toBe("");
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(Object.keys(schema).filter((name) => /^(one|any|all)Of$/.test(name))).toEqual([]);
      }
    }
  });

  test("make no claims of quality", () => {
    const words = JSON.stringify(TOOLS) + ANALYST_INSTRUCTIONS;
    expect(words).not.toMatch(/\b(best|powerful|easily|comprehensive|leading|accurate|trusted|seamless)\b/i);
  });

  test("declare every parameter of their operations: some clients drop what is not declared", () => {
    for (const [tool, parameters] of [
      [TOOLS[2], [...QUERY_PARAMETERS, { name: "detail" }]],
      [TOOLS[3], [...STATISTICS_PARAMETERS, { name: "detail" }, { name: "cursor" }]],
      [TOOLS[4], [...CEO_PAY_PARAMETERS, ...CEO_PAY_STATISTICS_PARAMETERS, { name: "detail" }]],
    ] as const)
      expect(Object.keys(Object(tool?.inputSchema["properties"])).sort()).toEqual(
        [...new Set(parameters.map(({ name }) => name))].sort(),
      );
  });

  test("take amounts as numbers and as text", () => {
    for (const tool of TOOLS.slice(2, 4)) {
      const validate = new Ajv({ allowUnionTypes: true }).compile(tool.inputSchema);
      expect([validate({ salary_gte: "$2M" }), validate({ salary_gte: 2e6 })]).toEqual([true, true]);
      for (const parameter of SELECTION_PARAMETERS) {
        const { name } = parameter;
        const schema = parameterSchema(parameter);
        const value =
          schema["enum"] === undefined
            ? { string: "X", array: "X", integer: 2024, number: 1.5, boolean: true }[String(schema["type"])]
            : (schema["enum"] as unknown[])[0];
        expect({ name, valid: validate({ [name]: value }) }).toEqual({ name, valid: true });
      }
      expect(validate({ year: "x" })).toBe(false);
    }
  });

  test("declare every field of the rows of one company", () => {
    const [company] = TOOLS;
    const text = JSON.stringify(company?.outputSchema);
    for (const { name } of ROW_FIELDS) expect(text).toContain(`"${name}"`);
  });
});

describe("every successful result matches its output schema", () => {
  const calls: [name: string, given: object][] = [
    ["get_executive_compensation", { ticker: "AAPL", limit: 3 }],
    ["get_executive_compensation", { ticker: "AAPL", fiscal_year: 2050 }],
    ["list_available_tickers", {}],
    ["query_executive_compensation", { office: "pfo", fiscal_year: 2024 }],
    ["query_executive_compensation", { office: "pfo", fiscal_year: 2024, detail: "full" }],
    ["query_executive_compensation", { fiscal_year: 2050 }],
    ["query_executive_compensation", { index: "sp500", salary_gte: 1_000_000, sort: "-salary" }],
    ["get_executive_compensation_statistics", { group_by: "sector", office: "peo" }],
    ["get_executive_compensation_statistics", { group_by: "sector,office", detail: "full" }],
    ["get_executive_compensation_statistics", { office: "peo", rank_ticker: "AAPL" }],
    ["get_executive_compensation_statistics", { fiscal_year: 2050 }],
    ["query_ceo_pay", { index: "sp500", fiscal_year: 2024, max_rows: 3 }],
    ["query_ceo_pay", { ticker: "AAPL,AVB", detail: "full" }],
    ["query_ceo_pay", { fiscal_year: 2050 }],
    ["query_ceo_pay", { group_by: "sector" }],
    ["search", { query: "facebook" }],
    ["search", { query: "nobody of that name" }],
    ["fetch", { id: "company:320193" }],
  ];
  test.each(calls)("%s %j", async (name, given) => {
    const tool = TOOLS.find((one) => one.name === name);
    const { result } = await analyst.call(name, given);
    expect(result.isError).toBeUndefined();
    const validate = new Ajv().compile(tool?.outputSchema ?? false);
    validate(result.structuredContent);
    expect(validate.errors).toBeNull();
  });
});
