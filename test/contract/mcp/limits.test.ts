/** What MCP reads of a request answered 429: nothing of a message that exceeds every limit is read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { Wire } from "../../support/wire.ts";

let server: TestServer;
let wire: Wire;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: "127.0.0.1" });
  wire = new Wire(server.port);
});
afterAll(async () => {
  wire.close();
  await server.stop();
});
beforeEach(() => wire.close());

/** Longer than any answer takes, even on a busy machine: a request still unanswered by then is waiting for the body. */
const PATIENCE_MS = 20_000;
const MINUTE_MS = 60_000;

const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const CALL = message("tools/call", { name: "list_available_tickers", arguments: {} });
const PING = message("ping");

const post = (body: string, from: string, headers: Record<string, string> = {}) =>
  server.get("/mcp", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-forwarded-for": from, ...headers },
  });

/** Sends the headers of a message but nothing of its body. */
async function declare(
  bytes: number,
  from: string,
  headers: Record<string, string> = {},
  patienceMs = PATIENCE_MS,
) {
  const lines = {
    host: `localhost:${server.port}`,
    "content-type": "application/json",
    "x-forwarded-for": from,
  };
  const head = Object.entries({ ...lines, ...headers, "content-length": String(bytes) });
  const text = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return wire.send(`POST /mcp HTTP/1.1\r\n${text}\r\n`, patienceMs);
}

async function fill(times: number, body: string, from: string, headers: Record<string, string> = {}) {
  for (let count = 0; count < times; count++) {
    expect((await post(body, from, headers)).status).toBeLessThan(429);
  }
}

describe("a message that exceeds every rate limit is not read", () => {
  test("a long message, once the calls of an address are used up: only a call may be that long", async () => {
    await fill(60, CALL, "198.51.100.1");
    const { status, begin } = await declare(60_000, "198.51.100.1");
    expect([status, /retry-after: \d+/i.test(begin)]).toEqual([429, true]);
    expect((await post(PING, "198.51.100.1")).status).toBe(200);
  });

  test("any message, once its handshakes are used up too, which calls over the limit also use up", async () => {
    await fill(60, CALL, "198.51.100.2");
    for (let count = 0; count < 300; count++) expect((await post(CALL, "198.51.100.2")).status).toBe(429);
    await fill(300, PING, "198.51.100.2");
    expect((await declare(10, "198.51.100.2")).status).toBe(429);
    expect((await post(PING, "198.51.100.2")).status).toBe(429);
    server.advance(MINUTE_MS);
    expect((await post(PING, "198.51.100.2")).status).toBe(200);
    expect((await post(CALL, "198.51.100.2")).status).toBe(200);
  });

  test("a message with a bad credential, once the address has used up its calls", async () => {
    const bad = { "x-api-key": "xc_live_nonsense" };
    await fill(60, PING, "198.51.100.3", bad);
    expect((await declare(10, "198.51.100.3", bad)).status).toBe(429);
    expect((await post(PING, "198.51.100.3")).status).toBe(200);
  });

  test("a key's own rate limit applies, not that of the address", async () => {
    const key = { "x-api-key": await server.createKey() };
    await fill(60, CALL, "198.51.100.4");
    expect((await post(CALL, "198.51.100.4", key)).status).toBe(200);
    await fill(599, CALL, "198.51.100.4", key);
    expect((await declare(60_000, "198.51.100.5", key)).status).toBe(429);
  });
});
