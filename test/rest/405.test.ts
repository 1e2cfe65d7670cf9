import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test.each([
  ["POST", "/api/executive-compensation"],
  ["DELETE", "/api/executive-compensation/tickers"],
  ["PUT", "/t/AAPL/facts"],
  ["PATCH", "/api/openapi.json"],
  ["POST", "/livez"],
])("%s %s is refused with the supported methods", async (method, path) => {
  const answer = await server.get(path, { method });
  expect(await refusalOf(answer)).toMatchObject({ status: 405, error: "Method Not Allowed" });
  expect(answer.headers.get("allow")).toBe("GET, HEAD");
});
