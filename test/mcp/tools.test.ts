import { describe, expect, test } from "bun:test";
import { COMPENSATION_PARAMETERS } from "../../src/domain/parameters.ts";
import { INSTRUCTIONS, TOOLS } from "../../src/mcp/tools.ts";

const [compensation, tickers] = TOOLS;

test("the compensation tool takes exactly the parameters of the REST operation", () => {
  const properties = compensation?.inputSchema["properties"];
  expect(Object.keys(properties ?? {})).toEqual(COMPENSATION_PARAMETERS.map(({ name }) => name));
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
