import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PATHS = ["/api/executive-compensation?ticker=AAPL", "/api/executive-compensation/tickers"];

describe.each(PATHS)("%s without a valid key", (path) => {
  test("none, an unknown one and one with a bad checksum are unauthorized; the bad ones get the same answer", async () => {
    const good = await server.createKey();
    const unknown = "xc_live_" + "0".repeat(38);
    const flipped = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
    const answers = [];
    for (const headers of [{ "x-api-key": unknown }, { "x-api-key": flipped }, { "x-api-key": "" }]) {
      const answer = await server.get(path, { headers });
      expect(answer.headers.get("www-authenticate")).toStartWith("ApiKey");
      answers.push(await refusalOf(answer));
    }
    expect(answers[0]).toMatchObject({ status: 401, error: "Unauthorized" });
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    expect((await refusalOf(await server.get(path))).status).toBe(401);
  });

  test("Authorization is not supported here", async () => {
    const key = await server.createKey();
    expect((await server.get(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(401);
    expect((await server.get(path, { key, headers: { authorization: "Basic eDp5" } })).status).toBe(200);
  });

  test("a key in the address is ignored and not repeated", async () => {
    const key = await server.createKey();
    const answer = await server.get(`${path}${path.includes("?") ? "&" : "?"}api_key=${key}`);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(key);
  });
});

describe("facts point to the keyed address for history", () => {
  test.each(["limit=2", "fiscal_year=2024", "fiscal_year_gte=2020", "limit=1"])("?%s", async (search) => {
    const { status, message } = await refusalOf(await server.get(`/t/AAPL/facts?${search}`));
    expect(status).toBe(401);
    expect(message).toContain(`${server.origin}/api/executive-compensation`);
  });
});

test("a refusal for lack of a key says nothing about parameters or companies", async () => {
  const { message } = await refusalOf(
    await server.get("/api/executive-compensation?ticker=NOSUCH&limit=banana"),
  );
  expect(message).not.toContain("NOSUCH");
  expect(message).not.toContain("banana");
});
