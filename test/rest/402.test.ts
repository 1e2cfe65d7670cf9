import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("an answer that costs more than the balance is refused with the purchase; free ones are still answered", async () => {
  const key = await server.createKey();
  const history = "/api/executive-compensation?ticker=AAPL";
  for (let left = 99; left >= 0; left--) {
    expect((await server.get(history, { key })).headers.get("credits-remaining")).toBe(String(left));
  }
  const answer = await server.get(history, { key });
  const body = (await answer.json()) as object;
  expect(answer.status).toBe(402);
  expect(body).toEqual({
    error: "Payment Required",
    message: expect.stringContaining("credit"),
    purchase: { status: "coming_soon", url: `${server.origin}/developer` },
  });
  const latest = await server.get("/api/executive-compensation?ticker=AAPL&limit=1", { key });
  expect(latest.status).toBe(200);
  expect(latest.headers.get("credits-remaining")).toBe("0");
  expect(
    (await refusalOf(await server.get("/api/executive-compensation?ticker=NOSUCH", { key }))).status,
  ).toBe(404);
});

describe("a caller without credits learns nothing", () => {
  const AMOUNT = 98_734_394;
  /** A key whose user has spent everything. */
  const brokeKey = async (left = 0) => {
    const email = `broke-${left}-${crypto.randomUUID()}@example.com`;
    const key = await server.createKey(email);
    const { id } = await server.accounts.users.requireByEmail(email);
    await server.accounts.credits.grant(id, left - 100);
    return key;
  };
  const guess = (operation: string, bound: number) =>
    `${operation === "export" ? "" : "/api/executive-compensation"}/${operation}?ticker=AAPL&fiscal_year=2021&executive=cook&total_compensation_gte=${bound}`;

  test.each(["query", "statistics", "export"])(
    "%s is refused whether or not a row matches",
    async (operation) => {
      const key = await brokeKey();
      for (const bound of [AMOUNT, AMOUNT + 1]) {
        const answer = await server.get(guess(operation, bound), { key });
        expect([answer.status, answer.headers.get("credits-charged")]).toEqual([402, "0"]);
      }
    },
  );

  test("the same question is free without a match, and costs a credit with one, while there is a credit", async () => {
    const key = await brokeKey(1);
    const ask = async (bound: number) => {
      const answer = await server.get(guess("query", bound), { key });
      return [answer.status, answer.headers.get("credits-charged"), answer.headers.get("credits-remaining")];
    };
    expect(await ask(AMOUNT + 1)).toEqual([200, "0", "1"]);
    expect(await ask(AMOUNT)).toEqual([200, "1", "0"]);
    // Cached answers are refused too.
    expect(await ask(AMOUNT)).toEqual([402, "0", "0"]);
    expect(await ask(AMOUNT + 1)).toEqual([402, "0", "0"]);
  });

  test("404 and 304 come first", async () => {
    const [key, rich] = [await brokeKey(), await server.createKey()];
    const etag = (await server.get(guess("query", AMOUNT), { key: rich })).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    expect((await server.get(guess("query", AMOUNT), { key, headers })).status).toBe(304);
    const unknown = "/api/executive-compensation/query?ticker=NOSUCH";
    expect((await server.get(unknown, { key })).status).toBe(404);
  });

  test("a page behind the last row is charged: its counts are sold", async () => {
    const key = await brokeKey(2);
    const all = "/api/executive-compensation/query?ticker=AAPL&fiscal_year=2021&max_rows=1";
    const { next_cursor: cursor, matched } = (await (await server.get(all, { key })).json()) as {
      next_cursor: string;
      matched: { rows: number };
    };
    const [edition, digest, offset] = Buffer.from(cursor, "base64url").toString().split(".");
    expect(offset).toBe("1");
    const beyond = Buffer.from([edition, digest, matched.rows].join(".")).toString("base64url");
    const answer = await server.get(`${all}&cursor=${beyond}`, { key });
    expect(((await answer.json()) as { executive_compensation: unknown[] }).executive_compensation).toEqual(
      [],
    );
    expect([answer.status, answer.headers.get("credits-charged")]).toEqual([200, "1"]);
  });

  test("nor by the tools of analysts", async () => {
    const key = await brokeKey();
    const call = async (name: string, given: object) => {
      const answer = await server.get("/mcp/analyst", {
        method: "POST",
        key,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: given },
        }),
      });
      const { result } = (await answer.json()) as { result: { _meta: { http_status?: number } } };
      return result._meta.http_status ?? 200;
    };
    const asked = { ticker: "AAPL", fiscal_year: 2021, executive: "cook" };
    for (const name of ["query_executive_compensation", "get_executive_compensation_statistics"]) {
      expect(await call(name, { ...asked, total_compensation_gte: AMOUNT })).toBe(402);
      expect(await call(name, { ...asked, total_compensation_gte: AMOUNT + 1 })).toBe(402);
    }
    expect(await call("fetch", { id: "executive:0000320193:tim-cook" })).toBe(402);
    expect(await call("fetch", { id: "executive:0000320193:nobody" })).toBe(402);
    expect(await call("fetch", { id: "year:0000320193:2021" })).toBe(402);
    expect(await call("fetch", { id: "year:0000320193:1900" })).toBe(404);
    expect(await call("fetch", { id: "company:0000320193" })).toBe(200);
  });
});
