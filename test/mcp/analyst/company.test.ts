/** Bounds on the results of the specification's two tools: answers longer than any in the repository's dataset. */
import { expect, test } from "bun:test";
import { companyTool, tickersTool } from "../../../src/mcp/analyst/company.ts";
import type { CallContext } from "../../../src/mcp/calls.ts";
import { decode } from "../../../src/mcp/result.ts";
import { EXAMPLE_ROW } from "../../../src/domain/row-fields.ts";
import { type Answer, encode } from "../../../src/operations/operation.ts";

const CONTEXT: CallContext = {
  caller: { presented: { kind: "none" }, address: "x", requestId: "r" },
  need: "any",
  purchase: { status: "x", url: "x" },
  revision: "2025-11-25",
  site: null,
};

/** Operations that return this body. */
function answering(body: object) {
  const answer: Answer = {
    notModified: false,
    body: encode(JSON.stringify(body)),
    etag: `"${JSON.stringify(body).length}"`,
    dataset: { edition: "2026-01-01", sequence: 1, contentHash: "0" },
    incompleteYears: [],
    newerFiling: null,
    principal: { kind: "operator" },
    window: null,
    receipt: null,
  };
  return {
    admit: () => ({ principal: answer.principal, window: null }),
    charge: () => Promise.resolve({ charged: 0, remaining: null }),
    getCompensation: () => answer,
    getTickers: () => answer,
    guide: {
      coverage: () => ({ companies: 0, companyYears: 0, completeCompanyYears: 0, fiscalYears: null }),
      availableYears: () => [],
      shortPeriods: () => [],
    },
  };
}

interface Result {
  content: { text: string }[];
  structuredContent: { tickers: string[]; executive_compensation: { executive_id: string }[] };
}

function read(members: Uint8Array): { length: number; result: Result } {
  const text = `{${decode(members)}}`;
  return { length: text.length, result: JSON.parse(text) as Result };
}

test("symbols that do not fit are cut, and the result says so", async () => {
  const tickers = Array.from({ length: 5000 }, (_, number) => `T${String(number).padStart(4, "0")}`);
  const tool = tickersTool(answering({ resource: "executive_compensation", tickers }));
  const { length, result } = read((await tool({}, CONTEXT)).members);
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
  const { length, result } = read(
    (await companyTool(answering({ executive_compensation: rows }))({ ticker: "AAPL" }, CONTEXT)).members,
  );
  expect(length).toBeLessThanOrEqual(60_000);
  const sent = result.structuredContent.executive_compensation.map((row) => row.executive_id);
  expect(sent.length).toBeGreaterThan(10);
  expect(sent).toEqual(rows.slice(0, sent.length).map((row) => row.executive_id));
  expect(result.content.at(-1)?.text).toContain("is cut at 60,000 characters");
});
