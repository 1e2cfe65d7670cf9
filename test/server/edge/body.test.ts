import { afterAll, beforeAll, expect, test } from "bun:test";
import { rawExchange } from "../../support/raw-http.ts";
import { type TestServer, refusalOf, startTestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ signUp: "open" });
});
afterAll(() => server.stop());

const PATHS = [
  "/mcp",
  "/oauth/token",
  "/oauth/register",
  "/sign-in",
  "/sign-up",
  "/api/executive-compensation",
  "/x",
];

test("a body declared longer than 256 KiB is 413 in the flat envelope, before a byte of it is read", async () => {
  for (const path of PATHS) {
    for (const length of [256 * 1024 + 1, 2 ** 31]) {
      const answer = await rawExchange(
        server.port,
        `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Length: ${length}\r\n\r\n`,
      );
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body)).toEqual({
        error: "Content Too Large",
        message: "The request body exceeds 262144 bytes.",
      });
    }
  }
});

test("a page of another origin may read why facts were refused at the edge, and no other refusal there", async () => {
  for (const [path, open] of [
    ["/t/AAPL/facts", true],
    ["/t/AAPL", false],
    ["/api/executive-compensation", false],
  ] as const) {
    const answer = await rawExchange(
      server.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Length: 300000\r\n\r\n`,
    );
    expect([path, answer.status, answer.headers.get("access-control-allow-origin") === "*"]).toEqual([
      path,
      413,
      open,
    ]);
  }
});

test("a form is refused by its declared length, before a byte of it is read", async () => {
  for (const path of ["/sign-in", "/sign-up", "/sign-out", "/oauth/authorize/consent"]) {
    const answer = await rawExchange(
      server.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Length: 20000\r\n\r\n`,
    );
    expect([path, answer.status]).toEqual([path, 413]);
  }
});

test("a body without a length is refused as it is read, not after it is complete", async () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  for (const path of ["/sign-in", "/oauth/authorize/consent", "/oauth/token", "/oauth/register", "/mcp"]) {
    const answer = await rawExchange(
      server.port,
      // No last chunk: waiting for the end would take forever.
      `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`,
    );
    expect([path, answer.status]).toEqual([path, 413]);
  }
});

test("malformed chunked bodies and bodies that break off are not reported as our errors", async () => {
  for (const path of PATHS) {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\n`;
    for (const body of [
      "Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nQQ\r\n",
      "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
      "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
      "Content-Length: -1\r\n\r\n",
      "Content-Length: 1e9\r\n\r\n",
    ]) {
      const answer = await rawExchange(server.port, head + body);
      expect(answer.status).toBeLessThan(500);
    }
    const socket = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data() {} } });
    socket.write(`${head}Content-Length: 100\r\n\r\n{"a":`);
    await Bun.sleep(20);
    socket.terminate();
  }
  await Bun.sleep(50);
  expect(server.lines.filter((line) => line.includes("internal_error"))).toEqual([]);
});

test("the server still answers after all that", async () => {
  expect((await server.get("/livez")).status).toBe(200);
  expect(await refusalOf(await server.get("/api/nothing"))).toMatchObject({ status: 404 });
});
