/** No argument is declared and then forgotten: each, with an allowed value that nobody has, changes what is answered. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Parameter } from "../../../src/domain/parameters.ts";
import { analystTools, CEO_PAY_TOOL, QUERY_TOOL, STATISTICS_TOOL } from "../../../src/mcp/analyst/tools.ts";
import { COMPENSATION_TOOL } from "../../../src/mcp/tools.ts";
import { ENDPOINTS } from "../../../src/operations/endpoints.ts";
import { itemsOf, tellingValue } from "../../support/telling.ts";
import { type AnalystUnderTest, analystUnderTest } from "./support.ts";

let analyst: AnalystUnderTest;
beforeAll(async () => {
  analyst = await analystUnderTest({ unmetered: "true", rateKey: "60000" });
});
afterAll(() => analyst.stop());

const { compensation, query, statistics, ceoPay, ceoPayStatistics } = ENDPOINTS;
/** By tool: its operations, and a question that has an answer, with more than one row or item. */
const ASKED: Readonly<Record<string, [of: readonly { parameters: readonly Parameter[] }[], given: object]>> =
  {
    [COMPENSATION_TOOL]: [[compensation], { ticker: "AAPL" }],
    [QUERY_TOOL]: [
      [query],
      { fiscal_year_gte: 2022, sort: "total_compensation", max_rows: 40, detail: "full" },
    ],
    [STATISTICS_TOOL]: [[statistics], { fiscal_year_gte: 2022, detail: "full" }],
    [CEO_PAY_TOOL]: [
      [ceoPay, ceoPayStatistics],
      { fiscal_year_gte: 2022, sort: "peo_total", max_rows: 40, detail: "full" },
    ],
  };

/** What else is asked for with an argument, where it means nothing alone. Groups are not paged or sorted. */
const BESIDE: Readonly<Record<string, object>> = {
  same_companies: { group_by: "fiscal_year", max_rows: null, sort: null },
  group_by: { max_rows: null, sort: null },
  sort: { sort: null },
};

/** Arguments that only tools have, and those without a value that nobody has. */
const VALUES: Readonly<Record<string, unknown>> = { detail: "concise", period: "quarterly" };

const REFUSED = ["ticker", "cik", "rank_ticker", "period"];

const COVERAGE = { companies: 1, companyYears: 1, completeCompanyYears: 1, fiscalYears: null };
const TOOLS = analystTools(COVERAGE).filter(({ name }) => name in ASKED);

test("the tools that take a selection are here", () => {
  expect(TOOLS.map(({ name }) => name).toSorted()).toEqual(Object.keys(ASKED).toSorted());
});

describe.each(TOOLS.map((one) => [one.name, one] as const))("%s", (tool, { inputSchema }) => {
  const [operations = [], asked = {}] = ASKED[tool] ?? [];
  const known = operations.flatMap(({ parameters }) => parameters);

  test.each(Object.keys(Object(inputSchema["properties"])))("%s", async (name) => {
    const given: Record<string, unknown> = { ...asked, ...BESIDE[name] };
    const before = await analyst.call(tool, given);
    expect(before.result.isError).not.toBe(true);
    const next = before.result.structuredContent?.["next_cursor"];
    const parameter = known.find((one) => one.name === name);
    const telling = VALUES[name] ?? (parameter === undefined ? "zzzzq" : tellingValue(parameter));
    if (tool === COMPENSATION_TOOL && name === "cik") delete given["ticker"];
    const after = await analyst.call(tool, {
      ...given,
      [name]: name === "cursor" ? (next ?? telling) : telling,
    });
    // All groups are on one page: a cursor is one of another question.
    const isRefused = REFUSED.includes(name) || (name === "cursor" && next === null);
    expect(after.result.isError === true).toBe(isRefused);
    if (!isRefused)
      expect(itemsOf(JSON.stringify(after.result.structuredContent))).not.toEqual(
        itemsOf(JSON.stringify(before.result.structuredContent)),
      );
  });
});
