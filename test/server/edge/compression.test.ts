import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codingFor } from "../../../src/server/edge/compression.ts";
import { rawExchange } from "../../support/raw-http.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

test.each([
  [null, null],
  ["", null],
  ["identity", null],
  ["*", null],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["GZIP;q=0.5", "gzip"],
  ["zstd;q=0, gzip", "gzip"],
  ["gzip;q=0.0", null],
  ["br", null],
] as const)("%j accepts %j", (header, coding) => {
  expect(codingFor(header)).toBe(coding);
});

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true" });
  key = await server.createKey();
});
afterAll(() => server.stop());

const AAPL = "/api/executive-compensation?ticker=AAPL";
const ask = (path: string, coding: string, more: Record<string, string> = {}) =>
  server.get(path, { key, headers: { "accept-encoding": coding, ...more } });

describe("answers above 1 KiB are compressed for clients that accept it", () => {
  test.each(["gzip", "zstd"])(
    "%s: the same body, a separate tag, and no other header changed",
    async (coding) => {
      for (const path of [AAPL, "/t/AAPL/facts", "/t/AAPL", "/api/openapi.json"]) {
        // Through a proxy, so that the page is a visitor's.
        const visitor = { "x-forwarded-for": "203.0.113.1" };
        const plain = await ask(path, "identity", visitor);
        for (const again of [1, 2]) {
          const packed = await ask(path, coding, visitor);
          expect([path, again, packed.headers.get("content-encoding")]).toEqual([path, again, coding]);
          expect(packed.headers.get("vary")).toContain("Accept-Encoding");
          const tag = plain.headers.get("etag");
          expect(packed.headers.get("etag")).toBe(tag?.replace(/"$/, `-${coding}"`) ?? null);
          expect(packed.headers.get("content-type")).toBe(plain.headers.get("content-type"));
          expect(await packed.text()).toBe(await plain.clone().text());
        }
      }
    },
  );

  test("a private page is not: its length would reveal the secrets in its forms", async () => {
    const answer = await ask("/t/AAPL", "gzip");
    expect([answer.headers.get("cache-control"), answer.headers.get("content-encoding")]).toEqual([
      "private, no-cache",
      null,
    ]);
  });

  test("its tag is valid for a 304, in either form", async () => {
    const packed = await ask(AAPL, "zstd");
    const tag = packed.headers.get("etag") ?? "";
    expect(tag).toEndWith('-zstd"');
    const same = await ask(AAPL, "zstd", { "if-none-match": tag });
    expect([same.status, same.headers.get("etag")]).toEqual([304, tag]);
    const plainTag = tag.replace("-zstd", "");
    const plain = await ask(AAPL, "zstd", { "if-none-match": plainTag });
    expect([plain.status, plain.headers.get("etag")]).toEqual([304, plainTag]);
    expect((await ask(AAPL, "identity", { "if-none-match": tag })).status).toBe(304);
    expect((await ask(AAPL, "zstd", { "if-none-match": '"x-zstd"' })).status).toBe(200);
  });

  test("an MCP result too", async () => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation", arguments: { ticker: "AAPL" } },
    };
    const answer = await server.get("/mcp", {
      method: "POST",
      body: JSON.stringify(call),
      headers: { "content-type": "application/json", "accept-encoding": "gzip" },
    });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(await answer.json()).toMatchObject({ id: 1 });
  });
});

test("short, refused, secret and already compressed answers are not compressed", async () => {
  for (const path of [`${AAPL}&limit=0`, "/t/NOBODY/facts", "/sign-in", "/livez", "/developer"]) {
    expect([path, (await ask(path, "zstd")).headers.get("content-encoding")]).toEqual([path, null]);
  }
  const script = await rawExchange(
    server.port,
    `GET /api/docs/scalar.js HTTP/1.1\r\nHost: localhost:${server.port}\r\nAccept-Encoding: zstd\r\nConnection: close\r\n\r\n`,
  );
  expect(script.headers.get("content-encoding")).toBe("gzip");
  const wire = await rawExchange(
    server.port,
    `GET /t/AAPL/facts HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n\r\n`,
  );
  expect(wire.headers.get("content-encoding")).toBeNull();
  expect(wire.body).toStartWith('{"ticker":"AAPL"');
});
