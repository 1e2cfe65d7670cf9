import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathTo, ROUTE_NAMES, ROUTES, isForPrograms } from "../../src/http/routes.ts";
import { amountPath, companyPath, rowPath } from "../../src/web/parts/addresses.ts";
import { EXAMPLE_ROW } from "../support/example-row.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const SEGMENTS = {
  ticker: "AAPL",
  cik: "320193",
  year: "2025",
  executive: "tim-cook",
  field: "salary",
  id: "x",
};

/** A path of the route, with values for its parameters. */
const pathOf = (name: (typeof ROUTE_NAMES)[number]) =>
  pathTo(name, SEGMENTS).replace("*", "oauth-authorization-server");

test.each(["/t", "/t//facts", "/T", "/api", "/developer/keys//rename", "/xt/A/facts"])(
  "no route matches %p",
  async (path) => {
    const server = await startTestServer();
    try {
      expect((await server.get(path)).status).toBe(404);
    } finally {
      await server.stop();
    }
  },
);

describe("every route is served at its path, and only with its methods", () => {
  let server: TestServer;
  beforeAll(async () => {
    // Each refusal counts against the rate limit of its address.
    server = await startTestServer({ rateAnonymous: "6000" });
  });
  afterAll(() => server.stop());

  // Single sign-on is mounted if a provider is configured, and password resets if mail can be sent.
  const mounted = ROUTE_NAMES.filter((name) => !/^singleSignOn|^forgotPassword$/.test(name));

  test.each(mounted)("%s", async (name) => {
    const methods: readonly string[] = ROUTES[name].methods;
    const path = pathOf(name);
    let got = 0;
    const hasPreflight = ["facts", "mcp", "mcpPrivate", "mcpAnalyst"].includes(name);
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await server.get(path, { method });
      const isServed = methods.includes(method) || (method === "OPTIONS" && hasPreflight);
      expect([method, answer.status === 405]).toEqual([method, !isServed]);
      expect([method, answer.headers.get("allow")]).toEqual([method, isServed ? null : methods.join(", ")]);
      if (method === "GET") got = answer.status;
      if (method === "HEAD" && isServed) expect([answer.status, await answer.text()]).toEqual([got, ""]);
    }
  });
});

test("a path is not made without its segments", () => {
  expect(pathTo("company", { ticker: "BRK/B" })).toBe("/t/BRK%2FB");
  expect(() => pathTo("company")).toThrow("a path of company needs ticker");
});

test("the addresses that pages write out are those of the routes", () => {
  const { year, executive, field } = SEGMENTS;
  for (const [by, ticker] of [
    ["", "BRK/B"],
    ["ByCik", ""],
  ] as const) {
    const row = { ...EXAMPLE_ROW, ticker };
    const named = { ticker, cik: row.cik, year, executive, field };
    expect(companyPath(row)).toBe(pathTo(`company${by}`, named));
    expect(rowPath(row)).toBe(pathTo(`person${by}`, named));
    expect(amountPath(row, field)).toBe(pathTo(`amount${by}`, named));
  }
});

test("no surface hard-codes a path", () => {
  const files = [
    ...new Bun.Glob("src/{http,rest,mcp,oauth,web}/**/*.ts").scanSync(join(import.meta.dir, "../..")),
  ];
  expect(files.length).toBeGreaterThan(30);
  for (const file of [...files, "src/server/app.ts"]) {
    const source = readFileSync(join(import.meta.dir, "../..", file), "utf8");
    const path = /(?:\.(?:get|post|all|put|delete|patch|options)\(\s*["'`]|\b(?:href|action)=["']?)\/.*/;
    expect([file, path.exec(source)?.[0]]).toEqual([file, undefined]);
  }
});

test("a refusal of the API, MCP and OAuth is never a page; of a page's address it may be one", () => {
  const programs = ROUTE_NAMES.filter((name) => isForPrograms(ROUTES[name].path));
  expect([...new Set(programs.map((name) => ROUTES[name].path.split("/")[1]))].sort()).toEqual([
    "api",
    "export",
    "mcp",
    "oauth",
  ]);
  for (const path of ["/api", "/api/none", "/mcp/none", "/oauth/none"])
    expect(isForPrograms(path)).toBe(true);
  for (const path of ["/", "/t/AAPL/facts", "/apis", "/exports"]) expect(isForPrograms(path)).toBe(false);
});
