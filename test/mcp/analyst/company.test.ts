/** Bounds on the results of the specification's two tools: answers longer than any in the repository's dataset. */
import { expect, test } from "bun:test";
import { companyTool, tickersTool } from "../../../src/mcp/analyst/company.ts";
import { sqlTool } from "../../../src/mcp/analyst/sql.ts";
import { queryTool, statisticsTool } from "../../../src/mcp/analyst/query.ts";
import type { Operations } from "../../../src/operations/operations.ts";
import type { CallContext } from "../../../src/mcp/calls.ts";
import type { ToolAnswer } from "../../../src/mcp/result.ts";
import { EXAMPLE_ROW } from "../../support/example-row.ts";
import { textOf } from "../../../src/operations/documents.ts";
import { type Answer, encode } from "../../../src/operations/operation.ts";

const CONTEXT: CallContext = {
  caller: { presented: { kind: "none" }, address: "x", requestId: "r" },
  need: "any",
  purchase: { status: "x", url: "x" },
  revision: "2025-11-25",
  site: null,
};

function answerWith(body: object): Answer {
  return {
    notModified: false,
    body: encode(JSON.stringify(body)),
    etag: `"${JSON.stringify(body).length}"`,
    dataset: { edition: "2026-01-01", sequence: 1, contentHash: "0" },
    rowEvidence: null,
    incompleteYears: [],
    yearsLeftOut: 0,
    newerFiling: null,
    principal: { kind: "operator" },
    window: null,
    receipt: { charged: 0, remaining: null },
  };
}

/** Operations that return this body. */
function operationsReturning(body: object, over: object = {}): Operations {
  const answer = answerWith(body);
  const operations = {
    admit: () => ({ principal: answer.principal, window: null }),
    charge: () => Promise.resolve({ charged: 0, remaining: null }),
    getCompensation: () => answer,
    getTickers: () => answer,
    guide: {
      coverage: () => ({ companies: 0, companyYears: 0, completeCompanyYears: 0, fiscalYears: null }),
      availableYears: () => [],
      understood: () => null,
      shortPeriods: () => [],
    },
    ...over,
  };
  // What the tools under test call.
  return operations as unknown as Operations;
}

interface Result {
  content: { text: string }[];
  structuredContent: {
    tickers: string[];
    executive_compensation: { executive_id: string }[];
    next_cursor?: string | null;
  };
}

function read({ result }: ToolAnswer): { length: number; result: Result } {
  const text = JSON.stringify(result);
  return { length: text.length, result: JSON.parse(text) as Result };
}

test("symbols that do not fit are cut, and the result says so", async () => {
  const tickers = Array.from({ length: 5000 }, (_, number) => `T${String(number).padStart(4, "0")}`);
  const tool = tickersTool(operationsReturning({ resource: "executive_compensation", tickers }));
  const { length, result } = read(await tool({}, CONTEXT));
  expect(length).toBeLessThanOrEqual(60_000);
  const sent = result.structuredContent.tickers;
  expect(sent).toEqual(tickers.slice(0, sent.length));
  expect(sent.length).toBeGreaterThan(2000);
  expect(JSON.parse(result.content[0]?.text ?? "").tickers).toEqual(sent);
  expect(result.content[1]?.text).toContain(`the first ${sent.length} of 5000 symbols`);
});

test("a single year that is too long is cut, and the result stays within the bound", async () => {
  const rows = Array.from({ length: 200 }, (_, number) => ({
    ...EXAMPLE_ROW,
    executive_id: `person-${number}`,
    executive_name: `"${"\\".repeat(40)}${number}"`,
  }));
  const tool = companyTool(operationsReturning({ executive_compensation: rows }));
  const { length, result } = read(await tool({ ticker: "AAPL" }, CONTEXT));
  expect(length).toBeLessThanOrEqual(60_000);
  const sent = result.structuredContent.executive_compensation.map((row) => row.executive_id);
  expect(sent.length).toBeGreaterThan(10);
  expect(sent).toEqual(rows.slice(0, sent.length).map((row) => row.executive_id));
  const note = result.content.at(-1)?.text;
  expect(note).toContain(`is cut at 60,000 characters: ${200 - sent.length} more rows are omitted`);
  // A year that is cut within would be cut at the same row again.
  expect(note).not.toContain("fiscal_year_lte");
});

const HUGE = { ...EXAMPLE_ROW, executive_role: "\\".repeat(20_000), executive_name: "\u0001".repeat(20_000) };

test("a row with a title of 20,000 backslashes fits: a title is cut, and no row is left out for it", async () => {
  for (const revision of ["2025-03-26", "2025-11-25"]) {
    const context = { ...CONTEXT, revision };
    const rows = [HUGE, { ...HUGE, executive_id: "other" }];
    const tool = companyTool(operationsReturning({ executive_compensation: rows }));
    const { length, result } = read(await tool({ ticker: "AAPL" }, context));
    expect(length).toBeLessThanOrEqual(60_000);
    expect(result.structuredContent.executive_compensation).toHaveLength(2);
  }
});

test("query sends at least one row, and its cursor is behind it", async () => {
  const matched = { rows: 3, companies: 1, company_years: 1, incomplete_company_years: 0 };
  const rows = ["a", "b", "c"].map((id) => ({ ...HUGE, executive_id: id }));
  const body = {
    executive_compensation: rows,
    matched,
    fiscal_years: { "2025": 3 },
    not_found: Array.from({ length: 200 }, (_, number) => `"UNKNOWN-${number}"`),
    gaps: [],
    stale_companies: 0,
    next_cursor: null,
  };
  const operations = operationsReturning(body, {
    query: () => ({ ...answerWith(body), cursorAfter: (sent: number) => `behind ${sent}` }),
  });
  for (const revision of ["2025-03-26", "2025-11-25"]) {
    for (const detail of ["full", "concise"]) {
      const answer = await queryTool(operations)({ ticker: "AAPL", detail }, { ...CONTEXT, revision });
      const { length, result } = read(answer);
      expect(length).toBeLessThanOrEqual(60_000);
      const { executive_compensation: sent, next_cursor: cursor } = result.structuredContent;
      expect(sent.length).toBeGreaterThan(0);
      expect(cursor).toBe(sent.length < rows.length ? `behind ${sent.length}` : null);
    }
  }
});

test("a document has its first row, however long a line is", () => {
  const { text } = textOf(["Cook, Apple", "\\".repeat(100_000), "Fiscal 2025: 1"]);
  expect(text).toStartWith("Cook, Apple\n\\\\\\");
  expect(text).toEndWith("Fiscal 2025: 1");
});

test("ranks beyond the first 60 are left out, and the result says so", async () => {
  const count = { rows: 61, companies: 1, company_years: 61, incomplete_company_years: 0 };
  const figures = { sum: 1, min: 1, p10: 1, p25: 1, median: 1, mean: 1, p75: 1, p90: 1, max: 1 };
  const body = {
    statistics: [{ group: { reporting_currency: "USD" }, ...count, ...figures }],
    ranks: Array.from({ length: 61 }, (_, rank) => ({
      cik: "0000000001",
      executive_id: `person-${rank}`,
      fiscal_year: 2025,
      value: 1,
      rank,
      percentile: 0,
    })),
    definition: "",
    matched: count,
    fiscal_years: { "2025": 61 },
    not_found: [],
    gaps: [],
    stale_companies: 0,
  };
  const operations = operationsReturning(body, {
    statistics: () => answerWith(body),
    readCursor: () => 0,
  });
  const { result } = read(await statisticsTool(operations)({}, CONTEXT));
  expect(result.content[0]?.text).toContain("Only the first 60 of 61 ranks are shown");
  expect(result.content[0]?.text).toContain("person-59");
  expect(result.content[0]?.text).not.toContain("person-60");
});

test.each(["rows", "bytes"] as const)(
  "rows of a statement cut by %s: the result says how to go on",
  async (cut) => {
    const runner = { run: async () => ({ columns: ["n"], rows: [[1], [2]], cut, edition: "2026-01-01" }) };
    const tool = sqlTool(operationsReturning({}), runner);
    const { result } = read(await tool({ statement: "SELECT 1" }, CONTEXT));
    expect(result.content[0]?.text).toContain("Only the first 2 rows are shown");
    expect(result.content[0]?.text).toContain("continue with OFFSET 2");
  },
);
