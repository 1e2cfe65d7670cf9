import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("the 61st anonymous request of any minute must wait, to the second, and the 429 itself is not counted", async () => {
  for (let left = 59; left >= 0; left--) {
    const answer = await server.get("/t/AAPL/facts");
    expect(answer.headers.get("ratelimit")).toStartWith(`"anon";r=${left};`);
    server.advance(100);
  }
  const full = await server.get("/t/AAPL/facts");
  expect(await refusalOf(full)).toMatchObject({ status: 429, error: "Too Many Requests" });
  expect(full.headers.get("retry-after")).toBe("54");
  server.advance(53_900);
  expect((await server.get("/t/AAPL/facts")).status).toBe(429);
  server.advance(100);
  expect((await server.get("/t/AAPL/facts")).status).toBe(200);
  expect((await server.get("/t/AAPL/facts")).status).toBe(429);
});

test("guessing keys is slowed down by the address's rate limit, a valid key is not", async () => {
  server.advance(3_600_000);
  const key = await server.createKey();
  const path = "/api/executive-compensation?ticker=AAPL&limit=1";
  for (let guess = 0; guess < 60; guess++) {
    expect((await server.get(path, { key: "xc_live_guess" })).status).toBe(401);
  }
  expect((await server.get(path, { key: "xc_live_guess" })).status).toBe(429);
  expect((await server.get(path)).status).toBe(429);
  expect((await server.get(path, { key })).status).toBe(200);
});

test("a key has 600 requests in any minute, and its rate limit is checked before its parameters", async () => {
  server.advance(3_600_000);
  const key = await server.createKey();
  const paths = [
    "/api/executive-compensation?ticker=AAPL&limit=1",
    "/api/executive-compensation?ticker=AAPL&limit=x",
  ];
  for (let i = 0; i < 600; i++) {
    expect((await server.get(paths[i % 2] ?? "", { key })).status).toBe(i % 2 === 0 ? 200 : 400);
  }
  expect((await server.get(paths[1] ?? "", { key })).status).toBe(429);
  server.advance(60_000);
  expect((await server.get(paths[0] ?? "", { key })).status).toBe(200);
});

test("health, pages and descriptions are not counted", async () => {
  server.advance(3_600_000);
  for (let i = 0; i < 70; i++) {
    for (const path of ["/livez", "/t/AAPL", "/api/openapi.json"]) {
      expect((await server.get(path)).status).toBe(200);
    }
  }
  expect((await server.get("/t/AAPL/facts")).headers.get("ratelimit")).toStartWith('"anon";r=59;');
}, 300_000);
