import { expect, test } from "bun:test";
import { visitOf } from "../../src/rate-limits/visits.ts";
import { startTestServer } from "../support/server.ts";

test.each([
  ["GET", "/", "page"],
  ["GET", "/t/AAPL", "page"],
  ["HEAD", "/coverage", "page"],
  ["GET", "/api/docs/reference.js", "page"],
  ["GET", "/api/openapi.json", "page"],
  ["GET", "/oauth/authorize", "page"],
  ["GET", "/.well-known/x", "page"],
  ["GET", "/mcp/server.json", "page"],
  ["GET", "/t/AAPL/preview.png", "picture"],
  ["HEAD", "/preview.png/", "picture"],
  ["POST", "/sign-in", "form"],
  ["POST", "/oauth/authorize/consent", "form"],
  ["POST", "/oauth/token", "oauth"],
  ["OPTIONS", "/oauth/register", "oauth"],
  ["GET", "/t/AAPL/facts", null],
  ["POST", "/mcp/private", null],
  ["POST", "/mcp", null],
  ["GET", "/mcp/", null],
  ["GET", "/mcp-anything", "page"],
  ["GET", "/api/executive-compensation/x", null],
  ["GET", "/readyz", null],
] as const)("%s %s is a %s", (method, path, visit) => {
  expect(visitOf(method, path)).toBe(visit);
});

test("pages, forms and OAuth endpoints have windows of their own, by address", async () => {
  const server = await startTestServer({ trustedProxies: "127.0.0.1" });
  try {
    const from = (address: string, path: string, method = "GET", accept = "*/*") =>
      server.get(path, {
        method,
        headers: { "x-forwarded-for": address, accept, "content-type": "application/x-www-form-urlencoded" },
        ...(method === "POST" ? { body: "x=1" } : {}),
      });
    const exhaust = async (count: number, path: string, method: string) => {
      for (let n = 0; n < count; n++) expect((await from("203.0.113.1", path, method)).status).not.toBe(429);
      const full = await from("203.0.113.1", path, method);
      expect([full.status, full.headers.get("retry-after")]).toEqual([429, "60"]);
      // Those are of the API, which this limit is not.
      expect([full.headers.get("ratelimit"), full.headers.get("ratelimit-policy")]).toEqual([null, null]);
      expect((await from("203.0.113.2", path, method)).status).not.toBe(429);
      return full;
    };
    expect(await (await exhaust(300, "/robots.txt", "GET")).json()).toMatchObject({
      error: "Too Many Requests",
    });
    const page = await from("203.0.113.1", "/coverage", "GET", "text/html");
    expect([page.status, page.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    await exhaust(60, "/sign-in", "POST");
    expect(await (await exhaust(600, "/oauth/token", "POST")).json()).toMatchObject({
      error: "temporarily_unavailable",
    });
    expect((await from("203.0.113.1", "/t/AAPL/facts")).headers.get("ratelimit")).toStartWith('"anon";r=59;');
    expect((await from("203.0.113.1", "/livez")).status).toBe(200);
    server.advance(60_000);
    expect((await from("203.0.113.1", "/robots.txt")).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test.each(["https://pay.example.com/old/mcp", "https://old.example.com", "https://old.example.com/v1"])(
  "calls at the legacy address %s are counted as calls, not as forms",
  async (mcpLegacyUrl) => {
    const server = await startTestServer({ publicUrl: "https://pay.example.com", mcpLegacyUrl });
    try {
      const { host, pathname } = new URL(mcpLegacyUrl);
      const key = await server.createKey();
      const params = { name: "list_available_tickers", arguments: {} };
      const call = () =>
        server.get(pathname, {
          key,
          method: "POST",
          headers: { host, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        });
      const statuses = new Set<number>();
      for (let n = 0; n < 70; n++) statuses.add((await call()).status);
      expect([...statuses]).toEqual([200]);
      expect((await call()).headers.get("ratelimit")).toStartWith('"key";r=529;');
    } finally {
      await server.stop();
    }
  },
);

test("whoever is on this computer alone with the server is not counted", async () => {
  const server = await startTestServer();
  try {
    for (let n = 0; n < 310; n++) expect((await server.get("/robots.txt")).status).toBe(200);
  } finally {
    await server.stop();
  }
});
