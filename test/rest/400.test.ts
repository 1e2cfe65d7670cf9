import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.createKey();
});
afterAll(() => server.stop());

describe("a bad parameter is refused, named, and costs nothing", () => {
  test.each([
    ["", "ticker or cik"],
    ["ticker=AAPL&limit=101", "limit"],
    ["ticker=AAPL&limit=1.0", "limit"],
    ["ticker=AAPL&fiscal_year=", "fiscal_year"],
    ["ticker=AAPL&fiscal_year_get=2020", "fiscal_year_gte"],
    ["ticker=AAPL&ticker=AAPL", "ticker"],
    ["ticker=AAPL&period=quarterly", "period"],
    ["ticker=AAPL&period=Annual", "annual"],
    ["cik=abc", "cik"],
  ])("%s", async (search, named) => {
    const answer = await server.get(`/api/executive-compensation?${search}`, { key });
    expect(await refusalOf(answer)).toEqual({
      status: 400,
      error: "Bad Request",
      message: expect.stringContaining(named),
    });
    expect(answer.headers.get("credits-charged")).toBe("0");
    expect(answer.headers.get("ratelimit")).toBeString();
  });

  test.each([
    ["/api/executive-compensation?ticker=AAPL&limit=-1", 'limit "-1": expected a whole number from 0 to 100'],
    ["/api/executive-compensation?ticker=AAPL&limit=99999999999", "expected a whole number from 0 to 100"],
    ["/api/executive-compensation/tickers?limit=-1", "expected a whole number from 1 to 5000"],
    ["/api/executive-compensation/tickers?limit=x", "expected a whole number from 1 to 5000"],
  ])("%s is refused with the bounds", async (path, words) => {
    const { status, message } = await refusalOf(await server.get(path, { key }));
    expect(status).toBe(400);
    expect(message).toContain(words);
  });

  test("a year filter accepts any integer: one that is not a fiscal year selects nothing, or everything else", async () => {
    const huge = "9".repeat(40);
    const call = async (filter: Record<string, unknown>) => {
      const params = {
        name: "get_executive_compensation",
        arguments: { ticker: "AAPL", limit: 1, ...filter },
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const answer = await server.get("/mcp", {
        key,
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      const { result } = (await answer.json()) as {
        result: { structuredContent?: { executive_compensation: unknown[] } };
      };
      return result.structuredContent?.executive_compensation.length;
    };
    for (const [filter, none] of [
      ["fiscal_year=-1", true],
      [`fiscal_year=${huge}`, true],
      [`fiscal_year_gte=${huge}`, true],
      ["fiscal_year_gt=-99999999999", false],
      [`fiscal_year_lte=${huge}`, false],
    ] as const) {
      const answer = await server.get(`/api/executive-compensation?ticker=AAPL&limit=1&${filter}`, { key });
      expect(answer.status).toBe(200);
      const { executive_compensation: rows } = (await answer.json()) as { executive_compensation: unknown[] };
      expect([filter, rows.length === 0]).toEqual([filter, none]);
      const [name = "", value = ""] = filter.split("=");
      for (const given of [value, Number(value)])
        expect([filter, (await call({ [name]: given })) === 0]).toEqual([filter, none]);
    }
    expect(await call({ fiscal_year: 2024.5 })).toBeUndefined();
  });

  test("ticker and CIK of different companies: the message says which company each names", async () => {
    const answer = await server.get("/api/executive-compensation?ticker=AAPL&cik=789019", { key });
    const { status, message } = await refusalOf(answer);
    expect(status).toBe(400);
    expect(message).toContain("Apple Inc.");
    expect(message.toLowerCase()).toContain("microsoft");
  });

  test.each(["limit=0", "limit=5001", "ticker=AAPL"])("tickers?%s", async (search) => {
    const answer = await server.get(`/api/executive-compensation/tickers?${search}`, { key });
    expect((await refusalOf(answer)).status).toBe(400);
  });

  test("an unknown parameter of facts", async () => {
    const { status, message } = await refusalOf(await server.get("/t/AAPL/facts?fiscal_yaer=2024"));
    expect(status).toBe(400);
    expect(message).toContain("This address takes none");
    expect(message).toContain("fiscal_year");
    expect(message).toContain("/api/executive-compensation");
  });

  test.each([
    ["query?salary_gte=10000000000000", "from -9999999999999.99 to 9999999999999.99"],
    ["query?cursor=x", 'Cannot read cursor "x": expected the next_cursor'],
    ["query?max_rows=0", "a whole number from 1 to 1000"],
    ["?ticker=AAPL&period=quarterly", 'expected "annual"'],
  ])("executive-compensation/%s names the value and what was expected", async (path, words) => {
    const answer = await server.get(`/api/executive-compensation/${path}`.replace("/?", "?"), { key });
    const { status, message } = await refusalOf(answer);
    expect([status, message]).toEqual([400, expect.stringContaining(words)]);
  });

  test("words of a selection are read in any case", async () => {
    const path = "/api/executive-compensation/query?ticker=AAPL&office=PEO&complete_only=TRUE";
    expect((await server.get(path, { key })).status).toBe(200);
  });
});
