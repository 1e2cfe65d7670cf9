import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cli } from "../support/cli.ts";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.createKey();
});
afterAll(() => server.stop());

describe("an unknown ticker and a known company without rows are distinguished", () => {
  test("a symbol that no company has, with the nearest one", async () => {
    // The second is the beginning of Applied Materials.
    for (const typed of ["AAPLL", "APPL"]) {
      const { status, error, message } = await refusalOf(await server.get(`/t/${typed}/facts`));
      expect({ status, error }).toEqual({ status: 404, error: "Not Found" });
      expect(message).toBe(`No ticker "${typed}". Did you mean Apple Inc. (AAPL)?`);
    }
  });

  test("a symbol that nothing resembles, with how to look for a company, on every surface", async () => {
    const how = "Search: /api/companies?q=WORDS. All available: /api/executive-compensation/tickers.";
    for (const path of [
      "/t/QZQZ/facts",
      "/api/executive-compensation?ticker=QZQZ",
      "/api/executive-compensation?cik=9999999999",
      "/api/executive-compensation/query?ticker=QZQZ",
      "/api/executive-compensation/statistics?rank_ticker=QZQZ",
    ]) {
      const { status, message } = await refusalOf(await server.get(path, { key }));
      expect([path, status, message]).toEqual([path, 404, expect.stringContaining(how)]);
    }
    const params = { name: "get_executive_compensation", arguments: { ticker: "QZQZ" } };
    const called = await server.get("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect(await called.text()).toContain("Search for words of its name, or list the available tickers.");
  });

  test("a company in the SEC's list without rows", async () => {
    const { status, message } = await refusalOf(
      await server.get("/api/executive-compensation?ticker=ABAT", { key }),
    );
    expect(status).toBe(404);
    expect(message).toContain(
      "No rows are available for AMERICAN BATTERY TECHNOLOGY Co (CIK 0001576873) yet.",
    );
  });

  test("a known filing that is not loaded is named", async () => {
    const { message } = await refusalOf(await server.get("/api/executive-compensation?ticker=SHW", { key }));
    expect(message).toContain("0000089800-26-000025");
    expect(message).toContain("2026-03-11");
  });

  test("a CIK whose company files under another one today, which is named: over REST, MCP and on the command line", async () => {
    const successor =
      "No rows are available for BlackRock Inc. (CIK 0001364742) yet. It has filed under another CIK since 2024-10-01: ask for BlackRock, Inc. (BLK), CIK 0002012383.";
    const { message } = await refusalOf(await server.get("/api/executive-compensation?cik=1364742", { key }));
    expect(message).toBe(successor);
    const params = { name: "get_executive_compensation", arguments: { cik: "1364742" } };
    const called = await server.get("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect(await called.text()).toContain(successor);
    expect((await cli("show", "1364742")).err).toContain(successor);
    const unnamed = await refusalOf(await server.get("/api/executive-compensation?cik=1418091", { key }));
    expect(unnamed.message).not.toContain("another CIK");
  });

  test("an unassigned CIK", async () => {
    const { status, message } = await refusalOf(
      await server.get("/api/executive-compensation?cik=9999999999", { key }),
    );
    expect(status).toBe(404);
    expect(message).toContain("9999999999");
  });

  test.each([
    ["FACEBOOK", "Meta Platforms, Inc. (META)"],
    ["PRICELINE", "(BKNG)"],
    ["JPMORGAN", "(JPM)"],
  ])("a former or informal name instead of a symbol: %s", async (asked, meant) => {
    const { status, message } = await refusalOf(await server.get(`/t/${asked}/facts`));
    expect([status, message]).toEqual([404, expect.stringContaining(`Did you mean`)]);
    expect(message).toContain(meant);
  });

  test("nothing is stripped from a symbol", async () => {
    expect((await server.get("/api/executive-compensation?ticker=BRKB", { key })).status).toBe(404);
  });
});

test("a symbol written with a slash is the flat envelope, and a page for a browser", async () => {
  for (const path of ["/t/BRK/B/facts", "/c/1067983/B/facts", "/t/BRK/B/facts/more"]) {
    for (const accept of ["*/*", "application/json", null]) {
      const answer = await server.get(path, accept === null ? {} : { headers: { accept } });
      expect(answer.headers.get("ratelimit")).toBeString();
      expect(await refusalOf(answer)).toMatchObject({ status: 404, error: "Not Found" });
    }
    const page = await server.get(path, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  }
});

test("the former address of the export names the present one", async () => {
  const answer = await server.get("/api/executive-compensation/export?format=csv", { key });
  const { status, message } = await refusalOf(answer);
  expect([status, message]).toEqual([404, expect.stringContaining("The export is at /export.")]);
  const mistyped = await server.get("/api/executive-compensation/querry");
  expect(JSON.parse(await mistyped.text())).toEqual({
    error: "Not Found",
    message: "Nothing found at /api/executive-compensation/querry. /api/openapi.json lists the operations.",
  });
});

test("an unknown route is the flat envelope, and a page for a browser outside /api", async () => {
  for (const path of ["/api", "/api/"])
    expect((await refusalOf(await server.get(path))).message).toContain(
      "/api/openapi.json lists the operations.",
    );
  const api = await server.get("/api/nothing", { headers: { accept: "text/html" } });
  expect(await refusalOf(api)).toMatchObject({ status: 404, error: "Not Found" });
  const page = await server.get("/nothing", { headers: { accept: "text/html" } });
  expect(page.status).toBe(404);
  expect(page.headers.get("content-type")).toStartWith("text/html");
});

test.each([
  "/t/%E0%A4%A/facts",
  "/t/%00/facts",
  "/t/%2e%2e/facts",
  "/t/a%20b/facts",
  `/t/${"A".repeat(3000)}/facts`,
])("an unusual symbol is not a server error: %p", async (path) => {
  expect((await server.get(path)).status).toBe(404);
});
