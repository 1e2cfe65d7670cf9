import { afterAll, beforeAll, expect, test } from "bun:test";
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
