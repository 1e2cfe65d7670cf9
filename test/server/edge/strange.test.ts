/** Requests that normal clients do not send, each with its answer: none reaches what its address hides. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { showFile } from "../../../src/web/page-response.ts";
import { rawExchange } from "../../support/raw-http.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: "127.0.0.1" });
});
afterAll(() => server.stop());

const send = (line: string, headers = "", host = `localhost:${server.port}`) =>
  rawExchange(server.port, `${line}\r\nHost: ${host}\r\n${headers}\r\n`);
const get = (target: string, headers = "") => send(`GET ${target} HTTP/1.1`, headers);

test.each([
  ["/t/%00/facts", 404],
  ["/t/AAPL;/facts", 404],
  ["/t/AAPL%2Ffacts", 404],
  ["/..;/developer", 404],
  ["/%2e%2e/%2e%2e/etc/passwd", 404],
  ["/t/..%2f..%2fetc/facts", 404],
  ["//evil.example/", 404],
  ["/\\evil.example", 404],
  ["/T/AAPL/facts", 404],
  ["/t/%ff/facts", 404],
  ["/#fragment", 404],
  ["/api/executive-compensation?ticker=AAPL&ticker=MSFT", 401],
  ["*", 400],
])("GET %s is %d", async (target, status) => {
  expect((await get(target)).status).toBe(status);
});

test("an address that names a host other than Host is answered for Host, or refused", async () => {
  const own = `localhost:${server.port}`;
  expect((await get(`http://${own}/t/AAPL/facts`)).status).toBe(200);
  const other = await get("http://evil.example/mcp/server.json");
  expect([other.status < 500, other.body.includes("evil.example")]).toEqual([true, false]);
  const foreign = await send(`GET http://${own}/t/AAPL/facts HTTP/1.1`, "", "evil.example");
  expect(foreign.status).toBe(403);
});

test.each([
  ["200 more headers than Bun reads", Array.from({ length: 200 }, (_, n) => `X-${n}: y\r\n`).join(""), 431],
  ["ten thousand cookies", `Cookie: ${"a=b; ".repeat(2900)}\r\n`, 200],
  ["a long Authorization", `Authorization: Bearer ${"a".repeat(15_000)}\r\n`, 200],
  ["a long If-None-Match", `If-None-Match: ${'"a",'.repeat(3500)}\r\n`, 200],
  ["a range", "Range: bytes=0-0,1-1\r\n", 200],
  ["a WebSocket", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n", 200],
  ["HTTP/2 on the same connection", "Upgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AA\r\n", 200],
])("facts with %s", async (_what, headers, status) => {
  expect((await get("/t/AAPL/facts", headers)).status).toBe(status);
});

test("what follows an unread body is the next request, and a smuggled one is not served", async () => {
  const post = `POST /t/AAPL/facts HTTP/1.1\r\nHost: localhost:${server.port}\r\n`;
  const next = `GET /livez HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n\r\n`;
  const plain = await rawExchange(server.port, `${post}Content-Length: 5\r\n\r\nhello${next}`);
  expect(plain.status).toBe(405);
  for (const framing of [
    "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: 6\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
  ]) {
    const { status, body } = await rawExchange(server.port, post + framing + next);
    expect([framing, status, body]).toEqual([framing, 400, ""]);
  }
});

test("a compressed message is not decompressed", async () => {
  const packed = Buffer.from(Bun.gzipSync(new Uint8Array(1_000_000))).toString("latin1");
  const head = `Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`;
  const answer = await rawExchange(
    server.port,
    `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\n${head}\r\n${packed}`,
  );
  expect(answer.status).toBe(400);
});

test("a file name contains nothing that ends the header's value", () => {
  const answer = showFile(new Uint8Array(1), "text/csv", 'execcomp-A"; filename="x.exe.csv');
  expect(answer.headers.get("content-disposition")).toBe(
    'attachment; filename="execcomp-A___filename__x.exe.csv"',
  );
});
