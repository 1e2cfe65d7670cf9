import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.createKey();
});
afterAll(() => server.stop());

test("a matching tag is answered 304 without a body and without a charge, at any balance", async () => {
  const path = "/api/executive-compensation?ticker=AAPL";
  const first = await server.get(path, { key });
  expect(first.headers.get("credits-remaining")).toBe("99");
  const etag = first.headers.get("etag") ?? "";
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await server.get(path, { key, headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect(again.headers.get("etag")).toBe(etag);
  }
  expect(
    (await server.get("/api/executive-compensation?ticker=AAPL&limit=1", { key })).headers.get(
      "credits-remaining",
    ),
  ).toBe("99");
});

test("another selection has another tag", async () => {
  const tags = new Set<string | null>();
  for (const search of ["ticker=AAPL", "ticker=AAPL&limit=1", "ticker=MSFT", "ticker=GOOG", "ticker=GOOGL"]) {
    tags.add((await server.get(`/api/executive-compensation?${search}`, { key })).headers.get("etag"));
  }
  expect(tags.size).toBe(5);
});

test("facts have a separate tag", async () => {
  const etag = (await server.get("/t/AAPL/facts")).headers.get("etag") ?? "";
  expect((await server.get("/t/AAPL/facts", { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await server.get("/t/MSFT/facts", { headers: { "if-none-match": etag } })).status).toBe(200);
});
