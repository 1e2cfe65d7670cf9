import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rawExchange } from "../../support/raw-http.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

describe("on the wire", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  const ask = (target: string, host: string, more = "") =>
    rawExchange(server.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);

  test("an answer for our host is refused for another, in every form of the address", async () => {
    const ours = `localhost:${server.port}`;
    const absolute = `http://${ours}/t/AAPL/facts`;
    for (let n = 0; n < 3; n += 1) {
      expect((await ask("/t/AAPL/facts", ours)).status).toBe(200);
      expect((await ask(absolute, ours)).status).toBe(200);
      expect((await ask("/t/AAPL/facts", "evil.example")).status).toBe(403);
      expect((await ask(absolute, "evil.example")).status).toBe(403);
      expect((await ask("/t/AAPL/facts", `${ours}\r\nHost: ${ours}`)).status).toBe(400);
    }
  });

  test("an answer to a request with a key is refused without it", async () => {
    const path = "/api/executive-compensation?ticker=AAPL&limit=1";
    const key = await server.createKey();
    for (let n = 0; n < 3; n += 1) {
      expect((await ask(path, `localhost:${server.port}`, `X-API-KEY: ${key}\r\n`)).status).toBe(200);
      expect((await ask(path, `localhost:${server.port}`)).status).toBe(401);
      expect((await ask(path, `localhost:${server.port}`, "X-API-KEY: xc_live_no\r\n")).status).toBe(401);
    }
  });
});
