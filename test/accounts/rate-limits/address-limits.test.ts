import { expect, test } from "bun:test";
import { ServiceError } from "../../../src/errors.ts";
import { QUOTAS, type RateLimiter } from "../../../src/accounts/rate-limits/limits.ts";
import {
  RateLimits,
  type AddressLimit,
  addressLimitOf,
  AddressLimits,
} from "../../../src/accounts/rate-limits/rate-limits.ts";
import { type Route, ROUTES } from "../../../src/http/routes.ts";
import { hasRedis, startRedis } from "../../support/redis.ts";
import { testRuntime } from "../../support/runtime.ts";
import { startTestServer } from "../../support/server.ts";

test.each([
  ["GET", "home", "", "page"],
  ["HEAD", "coverage", "", "page"],
  ["GET", "openapi", "", "page"],
  ["GET", "authorize", "", "page"],
  ["GET", "companyDownload", "format=xlsx", "picture"],
  ["GET", "rankingsDownload", "office=peo&format=XLSX", "picture"],
  ["GET", "companyDownload", "format=%78lsx", "picture"],
  ["GET", "companyChart", "chart=years", "picture"],
  ["GET", "compareChart", "format=%70ng", "picture"],
  ["GET", "companyChart", "format=svg", "page"],
  ["GET", "companyDownload", "format=csv", "page"],
  ["POST", "signIn", "", "form"],
  ["POST", "consent", "", "form"],
  ["POST", "token", "", "oauth"],
  ["OPTIONS", "register", "", "oauth"],
] as const)("%s %s?%s is a %s", (method, name, query, visit) => {
  const route: Route = ROUTES[name];
  expect(addressLimitOf(route, method, new URL(`http://x/?${query}`))).toBe(visit);
});

test("an address without a route is a page", () => {
  expect(addressLimitOf(undefined, "GET", new URL("http://x/nothing"))).toBe("page");
});

test("pages, forms and OAuth endpoints have separate rate limits by address", async () => {
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
      // Those belong to the API, which this limit does not cover.
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

test.each([
  ["form", QUOTAS.form],
  ["oauth", QUOTAS.oauth],
  ["page", 600],
  ["picture", 60],
] as const)(
  "two servers that count together admit, from one address, as %s, %d",
  async (visit: AddressLimit, places) => {
    const runtime = testRuntime();
    const shared = new RateLimits(runtime, null);
    const service: RateLimiter = {
      acquire: async (...asked) => shared.acquire(...asked),
      refusalOf: () => undefined,
    };
    const servers = [new AddressLimits(runtime, service), new AddressLimits(runtime, service)];
    const refusals: unknown[] = [];
    for (let n = 0; n < places + 2; n++) {
      try {
        await servers[n % 2]?.acquire(visit, "203.0.113.1");
      } catch (refused) {
        if (!(refused instanceof ServiceError)) throw refused;
        refusals.push([refused.kind, refused.details.window]);
      }
    }
    expect(refusals).toEqual([
      ["rate_limited", undefined],
      ["rate_limited", undefined],
    ]);
    // Another address and calls of the API are not counted with them.
    await servers[0]?.acquire(visit, "203.0.113.2");
    expect(shared.acquire("anon", "203.0.113.1", "calls").remaining).toBe(QUOTAS.anon - 1);
  },
);

test.skipIf(!hasRedis)("submitted forms are counted across all servers that share rate limits", async () => {
  await using redis = await startRedis();
  const start = () => startTestServer({ windows: redis.url, trustedProxies: "127.0.0.1" });
  const servers = await Promise.all([start(), start()]);
  const statuses: (number | undefined)[] = [];
  for (let n = 0; n < 61; n++) {
    const answer = await servers[n % 2]?.get("/sign-in", {
      method: "POST",
      headers: { "x-forwarded-for": "203.0.113.1", "content-type": "application/x-www-form-urlencoded" },
      body: "x=1",
    });
    statuses.push(answer?.status);
    expect(answer?.headers.get("ratelimit")).toBeNull();
  }
  expect([statuses.slice(0, 60).includes(429), statuses[60]]).toEqual([false, 429]);
  await Promise.all(servers.map((server) => server.stop()));
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

test("callers of a local-only server are not counted", async () => {
  const server = await startTestServer();
  try {
    for (let n = 0; n < 310; n++) expect((await server.get("/robots.txt")).status).toBe(200);
  } finally {
    await server.stop();
  }
});
