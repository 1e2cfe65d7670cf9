import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type RawAnswer, rawExchange } from "../../support/raw-http.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ask = (host: string, path: string, method = "GET") =>
  rawExchange(server.port, `${method} ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);

function expectFlat(answer: RawAnswer, status: number, error: string) {
  expect(answer.status).toBe(status);
  const body = JSON.parse(answer.body) as object;
  expect(Object.keys(body)).toEqual(["error", "message"]);
  expect(body).toMatchObject({ error });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.body).not.toMatch(/\.ts|node_modules|at /);
}

const PATHS = [
  "/",
  "/api/executive-compensation",
  "/t/AAPL/facts",
  "/mcp",
  "/oauth/token",
  "/sign-in",
  "/nowhere",
];

describe("a malformed, empty or repeated Host is 400 in the flat envelope, on every path", () => {
  test.each([
    "Host: \r\n",
    "Host: a b\r\n",
    "Host: [\r\n",
    "Host: a:99999\r\n",
    "Host: %00\r\n",
    "Host: a@b\r\n",
    "Host: a/b\r\n",
    "Host: ::1\r\n",
    "Host: \xff\r\n",
    `Host: ${"a".repeat(300)}\r\n`,
    "Host: localhost\r\nHost: localhost\r\n",
    "Host: a?b\r\n",
    "Host: a#b\r\n",
    "Host: \\\\\r\n",
  ])("%j", async (host) => {
    for (const path of PATHS) {
      const before = server.lines.length;
      expectFlat(await ask(host, path), 400, "Bad Request");
      const [line = "", ...more] = server.lines.slice(before);
      expect(more).toEqual([]);
      expect(JSON.parse(line)).toMatchObject({ event: "request", path, status: 400 });
    }
  });
});

test("two lines with our own host are 400 too", async () => {
  const line = `Host: localhost:${server.port}\r\n`;
  expectFlat(await ask(line + line, "/livez"), 400, "Bad Request");
});

test("a well-formed foreign host is 403, on every path and method", async () => {
  for (const host of ["evil.example", "localhost", "[::2]:80", "127.0.0.1:1"]) {
    for (const path of PATHS) {
      expectFlat(await ask(`Host: ${host}\r\n`, path), 403, "Forbidden");
      expectFlat(await ask(`Host: ${host}\r\nContent-Length: 0\r\n`, path, "POST"), 403, "Forbidden");
    }
  }
});

test("a probe is answered for any host, and without one as HTTP/1.0 allows", async () => {
  expect((await ask("Host: some.pod\r\n", "/livez")).status).toBe(200);
  const old = await rawExchange(server.port, "GET /readyz HTTP/1.0\r\n\r\n");
  expect(old.status).toBe(200);
  expectFlat(await rawExchange(server.port, "GET /t/AAPL/facts HTTP/1.0\r\n\r\n"), 400, "Bad Request");
});

test("a target in absolute form is answered by its Host, never by the host it names", async () => {
  const own = `Host: localhost:${server.port}\r\n`;
  expect((await ask(own, "http://evil.example/livez")).status).toBe(200);
  const absolute = await ask("Host: evil.example\r\n", `http://localhost:${server.port}/`);
  expectFlat(absolute, 403, "Forbidden");
  // The operator behind a proxy that rewrites the host is told what to look at.
  expect(absolute.body).toContain("Use its published address (--public-url).");
});

test("the scheme's own port in Host, written out or empty, changes no answer: pages, REST, MCP, OAuth, its documents", async () => {
  for (const [scheme, port] of [
    ["https", 443],
    ["http", 80],
  ] as const) {
    const settings = { publicUrl: `${scheme}://pay.example`, mcpLegacyUrl: `${scheme}://old.example/v1/mcp` };
    const behindProxy = await startTestServer(settings);
    try {
      const of = async (host: string, path: string, method: string) => {
        const answer = await behindProxy.get(path, { method, headers: { host } });
        const body = (await answer.text()).replaceAll(
          /value="[^"]*"|transaction=\w+|[0-9a-f-]{20,}\.\d+/g,
          "",
        );
        return [answer.status, answer.headers.get("location"), answer.headers.get("www-authenticate"), body];
      };
      const wellKnown = "/.well-known/oauth-protected-resource";
      const own = [...PATHS, "/mcp", "/mcp/private", "/mcp/analyst", `${wellKnown}/mcp`, wellKnown];
      const alias = ["/v1/mcp", wellKnown, `${wellKnown}/v1/mcp`];
      for (const [name, paths] of [
        ["pay.example", own],
        ["old.example", alias],
      ] as const) {
        for (const path of paths)
          for (const method of ["GET", "POST"]) {
            const plain = await of(name, path, method);
            if (method === "GET") expect([path, plain[0]]).not.toEqual([path, 403]);
            for (const spelled of [`${name}:${port}`, `${name}:`])
              expect([spelled, path, method, ...(await of(spelled, path, method))]).toEqual([
                spelled,
                path,
                method,
                ...plain,
              ]);
          }
      }
    } finally {
      await behindProxy.stop();
    }
  }
});
