import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ corsOrigins: "https://app.example" });
});
afterAll(() => server.stop());

const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** What remains of the anonymous rate limit, from a request for facts that itself counts. */
async function leftForAnonymous(): Promise<number> {
  const { headers } = await server.get("/t/AAPL/facts");
  return Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
}

describe("every REST answer is counted", () => {
  test.each([
    ["an unknown route", "/api/nothing", {}],
    ["an unknown route outside the API", "/nothing", {}],
    ["a method that is not served", HISTORY, { method: "DELETE" }],
    ["a method of another route", "/api/openapi.json", { method: "PUT" }],
    ["a method of facts", "/t/AAPL/facts", { method: "PATCH" }],
    ["the redirect of facts", "/t/AAPL/facts", { headers: { accept: "text/html" } }],
    ["a 304 of facts", "/t/AAPL/facts", { headers: { "if-none-match": "*" } }],
    ["HEAD of facts", "/t/AAPL/facts", { method: "HEAD" }],
  ])("%s", async (_what, path, init) => {
    server.advance(60_000);
    const answer = await server.get(path, init);
    expect(answer.headers.get("ratelimit")).toStartWith('"anon";r=59;');
    expect(await leftForAnonymous()).toBe(58);
  });

  test("with a key, in the key's rate limit; a bad key is 401 there too", async () => {
    server.advance(60_000);
    const key = await server.createKey();
    const { headers } = await server.get("/api/nothing", { key });
    expect(headers.get("ratelimit")).toStartWith('"key";r=599;');
    expect((await server.get(HISTORY, { key, method: "POST" })).headers.get("ratelimit")).toStartWith(
      '"key";r=598;',
    );
    expect((await server.get("/api/nothing", { key: "xc_live_bad" })).status).toBe(401);
  });

  test("an unknown route does not bypass an exhausted rate limit", async () => {
    server.advance(60_000);
    for (let i = 0; i < 60; i++) expect((await server.get("/api/nothing")).status).toBe(404);
    for (const path of ["/api/nothing", "/nothing", "/t/AAPL/facts"]) {
      const { status } = await refusalOf(await server.get(path));
      expect(status).toBe(429);
    }
    server.advance(60_000);
  });
});

describe("every authenticated answer states its cost", () => {
  test.each([
    ["200 of the latest year", `${HISTORY}&limit=1`, {}, 200],
    ["304", HISTORY, { headers: { "if-none-match": "*" } }, 304],
    ["400", `${HISTORY}&limit=x`, {}, 400],
    ["404", "/api/executive-compensation?ticker=NOSUCH", {}, 404],
    ["404 of a route", "/api/nothing", {}, 404],
    ["405", HISTORY, { method: "PUT" }, 405],
    ["400 of tickers", "/api/executive-compensation/tickers?limit=0", {}, 400],
    ["304 of tickers", "/api/executive-compensation/tickers", { headers: { "if-none-match": "*" } }, 304],
  ])("%s", async (_what, path, init, status) => {
    const key = await server.createKey();
    const answer = await server.get(path, { key, ...init });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("credits-charged")).toBe("0");
    expect(answer.headers.get("credits-remaining")).toBe("100");
  });

  test("402", async () => {
    const key = await server.createKey("poor@example.com");
    const user = await server.accounts.users.findOrCreate("poor@example.com");
    await server.accounts.credits.grant(user.id, -100);
    const answer = await server.get(HISTORY, { key });
    expect(answer.status).toBe(402);
    expect(answer.headers.get("credits-charged")).toBe("0");
    expect(answer.headers.get("credits-remaining")).toBe("0");
    expect((await server.get(HISTORY, { key, headers: { "if-none-match": "*" } })).status).toBe(304);
  });

  test("an MCP refusal too", async () => {
    const key = await server.createKey();
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation", arguments: { ticker: "NOSUCH" } },
    };
    const headers = { "content-type": "application/json" };
    const answer = await server.get("/mcp", { key, method: "POST", headers, body: JSON.stringify(call) });
    expect(answer.headers.get("credits-remaining")).toBe("100");
  });

  test("anonymous callers get no information about credits", async () => {
    for (const path of [HISTORY, "/t/AAPL/facts", "/api/nothing"]) {
      expect((await server.get(path)).headers.get("credits-remaining")).toBeNull();
    }
  });
});

describe("CORS", () => {
  const PAGE = { origin: "https://any.example" };
  const expectOpen = (answer: Response) => {
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    for (const name of ["RateLimit", "Retry-After", "Newer-Filing", "Incomplete-Fiscal-Years", "ETag"]) {
      expect(answer.headers.get("access-control-expose-headers")).toContain(name);
    }
  };

  test("any page may read facts and their refusals", async () => {
    server.advance(60_000);
    for (const [path, status] of [
      ["/t/AAPL/facts", 200],
      ["/t/NOSUCH/facts", 404],
      ["/t/AAPL/facts?limit=2", 401],
      ["/t/AAPL/facts?x=1", 400],
    ] as const) {
      const answer = await server.get(path, { headers: PAGE });
      expect(answer.status).toBe(status);
      expectOpen(answer);
    }
    const wrong = await server.get("/t/AAPL/facts", { method: "POST", headers: PAGE });
    expect(wrong.status).toBe(405);
    expectOpen(wrong);
  });

  test("OPTIONS of facts is answered", async () => {
    const answer = await server.get("/t/AAPL/facts", { method: "OPTIONS", headers: PAGE });
    expect(answer.status).toBe(204);
    expectOpen(answer);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
  });

  test("keyed REST is available to pages of the configured origins only", async () => {
    const key = await server.createKey();
    const headers = { origin: "https://app.example" };
    const answer = await server.get(HISTORY, { key, headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(answer.headers.get("access-control-expose-headers")).toContain("Credits-Remaining");
    expect(answer.headers.get("vary")).toContain("Origin");
    const refused = await server.get(HISTORY, { headers });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      401,
      "https://app.example",
    ]);
    const preflight = await server.get(HISTORY, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("X-API-KEY");
    for (const init of [{ key, headers: PAGE }, { method: "OPTIONS", headers: PAGE }, { key }]) {
      expect((await server.get(HISTORY, init)).headers.get("access-control-allow-origin")).toBeNull();
    }
    expect((await server.get(HISTORY, { method: "OPTIONS", headers: PAGE })).status).toBe(405);
  });
});

test("answers with one body have headers of their own: window, credits, origin and id", async () => {
  const key = await server.createKey("headers@example.com");
  const ask = async (origin?: string) => {
    const { headers } = await server.get(`${HISTORY}&limit=1`, {
      key,
      ...(origin !== undefined && { headers: { origin } }),
    });
    return {
      allowed: headers.get("access-control-allow-origin"),
      left: Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]),
      id: headers.get("x-request-id"),
      charged: headers.get("credits-charged"),
    };
  };
  const answers = [
    await ask(),
    await ask("https://app.example"),
    await ask("https://other.example"),
    await ask(),
  ];
  expect(answers.map(({ allowed }) => allowed)).toEqual([null, "https://app.example", null, null]);
  const left = answers.map((answer) => answer.left);
  expect(left).toEqual(left.map((_, at) => Math.max(...left) - at));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(4);
  expect(answers.map(({ charged }) => charged)).toEqual(["0", "0", "0", "0"]);
});
