import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test.each([
  ["DELETE", "/api/executive-compensation/tickers"],
  ["PUT", "/t/AAPL/facts"],
  ["PATCH", "/api/openapi.json"],
  ["POST", "/livez"],
])("%s %s is refused with the supported methods", async (method, path) => {
  const answer = await server.get(path, { method });
  expect(await refusalOf(answer)).toMatchObject({ status: 405, error: "Method Not Allowed" });
  expect(answer.headers.get("allow")).toBe("GET, HEAD");
});

test.each([
  "/api/executive-compensation",
  "/api/executive-compensation/query",
  "/api/executive-compensation/statistics",
  "/api/ceo-pay",
  "/api/ceo-pay/statistics",
  "/export",
])("HEAD of %s is refused: the length would give away what GET sells", async (path) => {
  const key = await server.createKey();
  for (const method of ["HEAD", "POST"]) {
    const answer = await server.get(`${path}?ticker=AAPL`, { method, key });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
    expect(answer.headers.get("credits-remaining")).toBe("100");
  }
});

test.each(["/api/executive-compensation/tickers", "/api/companies?q=apple", "/t/AAPL/facts", "/livez"])(
  "HEAD of %s is answered like GET, without a body",
  async (path) => {
    const key = await server.createKey();
    const head = await server.get(path, { method: "HEAD", key });
    const get = await server.get(path, { key });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    expect(head.headers.get("content-length")).toBe(String((await get.bytes()).length));
  },
);
