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
    expect(message).toContain("fiscal_year");
  });
});
