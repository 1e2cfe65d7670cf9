import { describe, expect, test } from "bun:test";
import { COMPENSATION_PARAMETERS } from "../../src/domain/company-parameters.ts";
import { analystTools } from "../../src/mcp/analyst/tools.ts";
import { INSTRUCTIONS, specDeclarations } from "../../src/mcp/tools.ts";

const TOOLS = specDeclarations();
const [compensation, tickers] = TOOLS;
const COVERAGE = { companies: 1, companyYears: 1, completeCompanyYears: 1, fiscalYears: null };

test("the compensation tool takes exactly the parameters of the REST operation", () => {
  const properties = compensation?.inputSchema["properties"];
  expect(Object.keys(properties ?? {})).toEqual(COMPENSATION_PARAMETERS.map(({ name }) => name));
});

test("schemas state the bounds that the operations enforce", () => {
  const propertiesOf = (name: string) => {
    const tool = [...TOOLS, ...analystTools(COVERAGE)].findLast((one) => one.name === name);
    // JSON Schema of an object.
    return tool?.inputSchema["properties"] as Record<string, unknown>;
  };
  expect(TOOLS[0]?.inputSchema["properties"]).toMatchObject({
    limit: { type: "integer", minimum: 0, maximum: 100 },
    period: { enum: ["annual"] },
  });
  expect(propertiesOf("query_executive_compensation")).toMatchObject({
    max_rows: { type: "integer", minimum: 1, maximum: 1000 },
    office: { enum: ["peo", "pfo", "other"] },
    detail: { enum: ["concise", "full"] },
  });
  expect(propertiesOf("get_executive_compensation_statistics")).toMatchObject({
    detail: { enum: ["concise", "full"] },
  });
  for (const { inputSchema } of [...TOOLS, ...analystTools(COVERAGE)]) {
    expect(inputSchema["additionalProperties"]).not.toBe(true);
  }
});

describe("the description contains what a model must know", () => {
  test.each([
    "one row per executive and fiscal year",
    "limit counts fiscal years, not rows",
    "The latest year is free",
    "cost 1 credit per call",
    "whole units of reporting_currency",
    "total_compensation",
    "cite it",
    "incomplete",
    "Bad Request",
    "Not Found",
    "Payment Required",
    "coming_soon",
    "Service Unavailable",
    "Unauthorized",
    "No error costs a credit",
  ])("%s", (words) => {
    expect(compensation?.description).toContain(words);
  });

  test("and is short enough to be read in full", () => {
    expect(compensation?.description.length).toBeLessThan(3000);
    expect(tickers?.description.length).toBeLessThan(800);
    expect(INSTRUCTIONS.length).toBeLessThan(800);
  });
});
