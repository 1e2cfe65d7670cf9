import { describe, expect, test } from "bun:test";
import {
  KEY,
  NARROW_TOKEN,
  TOKEN,
  compensationCall,
  legacy,
  mcpUnderTest,
  mirrored,
  modern,
} from "./support.ts";

const BOTH = { authorization: `Bearer ${TOKEN}`, "x-api-key": KEY };

describe("T-1: one path, POST only", () => {
  const credentials = [
    {},
    { "x-api-key": "bad" },
    { authorization: "Bearer bad" },
    { "x-api-key": KEY },
    BOTH,
  ];
  for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD"]) {
    test.each(credentials)(`${method} is 405 with Allow, whatever the credentials: %j`, async (headers) => {
      const mcp = mcpUnderTest();
      for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
        const answer = await mcp.fetch(path, { method, headers });
        expect(answer.status).toBe(405);
        expect(answer.headers.get("allow")).toBe("POST");
        expect(answer.headers.get("www-authenticate")).toBeNull();
      }
      expect(mcp.admissions).toEqual([]);
    });
  }

  test("OPTIONS from a page on this machine is a preflight that allows every header", async () => {
    const answer = await mcpUnderTest().fetch("/mcp", {
      method: "OPTIONS",
      headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
    expect(answer.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS");
    for (const name of ["Authorization", "X-API-KEY", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"]) {
      expect(answer.headers.get("access-control-allow-headers")).toContain(name);
    }
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("vary")).toBe("Origin");
  });
});

describe("T-2: Origin and Host are checked", () => {
  test.each([
    "https://evil.example.com",
    "null",
    "http://localhost.evil.com",
    "http://127.0.0.1.nip.io",
    "x",
    "file://",
  ])("a page of %s is refused with 403, without CORS headers", async (origin) => {
    const answer = await mcpUnderTest().post(legacy("ping"), { origin });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each(["http://localhost:8402", "http://localhost:6274", "http://127.0.0.1:1", "http://[::1]:5173"])(
    "a page of %s may call and read the headers that it needs",
    async (origin) => {
      const answer = await mcpUnderTest().post(legacy("ping"), { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
      for (const name of ["WWW-Authenticate", "RateLimit", "Credits-Remaining", "Newer-Filing", "Dataset"])
        expect(exposed).toContain(name);
    },
  );

  test("a refusal carries CORS headers too, so that a page can read the challenge", async () => {
    const { message } = compensationCall("legacy", { ticker: "AAPL", limit: 4 });
    const answer = await mcpUnderTest().post(message, { origin: "http://localhost:6274" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
  });

  test("an unknown host is refused with 403", async () => {
    const answer = await mcpUnderTest().fetch("/mcp", {
      method: "POST",
      host: "evil.example.com",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(legacy("ping")),
    });
    expect(answer.status).toBe(403);
  });
});

describe("T-11: bodies that are not messages", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "", "application/jsonx"])(
    "content type %p is 415",
    async (type) => {
      const answer = await mcpUnderTest().post(legacy("ping"), { "content-type": type });
      expect(answer.status).toBe(415);
    },
  );

  test("a charset after the content type is accepted", async () => {
    const answer = await mcpUnderTest().post(legacy("ping"), {
      "content-type": "Application/JSON; charset=utf-8",
    });
    expect(answer.status).toBe(200);
  });

  test("64 KiB is the limit: one byte more is 413, with or without a declared length", async () => {
    const mcp = mcpUnderTest();
    const { message } = compensationCall("legacy", { ticker: "AAPL" });
    const fitting = JSON.stringify(message).padEnd(64 * 1024, " ");
    expect((await mcp.post(fitting)).status).toBe(200);
    expect((await mcp.post(`${fitting} `)).status).toBe(413);
    const stream = new Blob([fitting, " "]).stream();
    const headers = { "content-type": "application/json" };
    expect((await mcp.fetch("/mcp", { method: "POST", headers, body: stream })).status).toBe(413);
  });

  test.each(["", "x", "{", '{"jsonrpc":"2.0",}', "\u0000", "[".repeat(60_000)])(
    "malformed JSON is 400 with -32700: %#",
    async (body) => {
      const answer = await mcpUnderTest().post(body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
    },
  );

  test.each([[[]], [[legacy("ping")]], [[legacy("ping"), legacy("tools/list")]]])(
    "T-13: a batch is 400 with -32600 and runs nothing: %j",
    async (batch) => {
      const mcp = mcpUnderTest();
      const answer = await mcp.post(batch);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
      expect(mcp.admissions).toEqual([{ presented: "none", need: "any", counted: "handshakes" }]);
    },
  );

  test("a bad credential is reported before a bad body", async () => {
    expect((await mcpUnderTest().post("x", { "x-api-key": "bad" })).status).toBe(401);
  });
});

describe("presenting both credentials is 400 before either is looked up, on every method", () => {
  const messages = [
    legacy("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    }),
    legacy("tools/list"),
    legacy("ping"),
    compensationCall("legacy", { ticker: "AAPL" }).message,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    "not json",
  ];
  const pairs = [
    BOTH,
    { authorization: "Bearer bad", "x-api-key": "bad" },
    { authorization: `bearer ${TOKEN}`, "x-api-key": "" },
    { authorization: "BEARER", "x-api-key": KEY },
  ];
  for (const pair of pairs) {
    test.each(messages)(`${JSON.stringify(pair)} with %j`, async (message) => {
      const mcp = mcpUnderTest();
      const answer = await mcp.post(message, pair);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({
        error: "Bad Request",
        message: "Send either Authorization: Bearer or X-API-KEY, not both.",
      });
      expect(answer.headers.get("www-authenticate")).toBeNull();
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(mcp.charged()).toBe(0);
    });
  }

  test("Basic with a key counts as a key: a proxy's own sign-in is ignored", async () => {
    const { message } = compensationCall("legacy", { ticker: "AAPL", limit: 4 });
    const answer = await mcpUnderTest().post(message, { authorization: "Basic eDp5", "x-api-key": KEY });
    expect(answer.status).toBe(200);
  });

  test("a token in the query is ignored", async () => {
    const { message } = compensationCall("legacy", { ticker: "AAPL", limit: 4 });
    const answer = await mcpUnderTest().post(message, {}, `/mcp?access_token=${TOKEN}&api_key=${KEY}`);
    expect(answer.status).toBe(401);
  });
});

describe("a bad credential is 401 on every message, never anonymous", () => {
  const messages = [
    legacy("tools/list"),
    legacy("ping"),
    compensationCall("legacy", { ticker: "AAPL" }).message,
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ];
  test.each(messages)("a bad key does not get a Bearer challenge: %j", async (message) => {
    for (const key of ["bad", ""]) {
      const answer = await mcpUnderTest().post(message, { "x-api-key": key });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('ApiKey realm="executive-compensation"');
      expect(await answer.json()).toEqual({ error: "Unauthorized", message: "Invalid API key." });
    }
  });

  test.each(messages)("a bad token is answered with invalid_token: %j", async (message) => {
    for (const authorization of ["Bearer bad", "bearer bad", "Bearer"]) {
      const answer = await mcpUnderTest().post(message, { authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toStartWith('Bearer error="invalid_token"');
    }
  });

  test("a token without the scope is 403 insufficient_scope", async () => {
    const { message, headers } = compensationCall("modern", { ticker: "AAPL" });
    const answer = await mcpUnderTest().post(message, {
      ...headers,
      authorization: `Bearer ${NARROW_TOKEN}`,
    });
    expect(answer.status).toBe(403);
    const challenge = answer.headers.get("www-authenticate");
    expect(challenge).toStartWith('Bearer error="insufficient_scope"');
    expect(challenge).toContain('scope="executive-compensation:read"');
    expect(challenge).toContain(
      'resource_metadata="http://localhost:8402/.well-known/oauth-protected-resource/mcp"',
    );
  });
});

describe("rate limits", () => {
  test("tool calls count as calls, everything else as handshakes", async () => {
    const mcp = mcpUnderTest();
    await mcp.post(legacy("tools/list"));
    await mcp.post(legacy("ping"));
    await mcp.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    await mcp.post(modern("server/discover"), mirrored("server/discover"));
    expect(mcp.admissions.map(({ counted }) => counted)).toEqual(Array(4).fill("handshakes"));
    mcp.admissions.length = 0;
    await mcp.post(compensationCall("legacy", { ticker: "AAPL" }).message);
    await mcp.post(legacy("tools/call", { name: "list_available_tickers", arguments: {} }));
    await mcp.post(compensationCall("legacy", { ticker: { x: 1 } }).message);
    await mcp.post(legacy("tools/call", { name: "no_such_tool" }));
    await mcp.post(legacy("tools/call", { name: "get_executive_compensation", arguments: ["AAPL"] }));
    await mcp.post(legacy("tools/call", { name: 7 }));
    expect(mcp.admissions.map(({ counted }) => counted)).toEqual(Array(6).fill("calls"));
  });

  test("an exhausted rate limit is HTTP 429 with Retry-After, in the flat envelope", async () => {
    const answer = await mcpUnderTest({ full: true }).post(
      compensationCall("legacy", { ticker: "AAPL" }).message,
    );
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("31");
    expect(await answer.json()).toEqual({ error: "Too Many Requests", message: "Too many requests." });
  });

  test("a counted answer includes its rate limit", async () => {
    const answer = await mcpUnderTest().post(compensationCall("legacy", { ticker: "AAPL" }).message, {
      "x-api-key": KEY,
    });
    expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=600;w=60');
    expect(answer.headers.get("ratelimit")).toBe('"key";r=599;t=60');
  });
});
