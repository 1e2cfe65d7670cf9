import { describe, expect, test } from "bun:test";
import { ExecutiveCompensationResponse, TickersResponse } from "../../support/row-types.ts";
import {
  KEY,
  POOR_KEY,
  TOKEN,
  compensationCall,
  jsonOf,
  legacy,
  mcpUnderTest,
  mirrored,
  modern,
  resultOf,
} from "./support.ts";

const ERAS = ["legacy", "modern"] as const;
const METADATA = "http://localhost:8402/.well-known/oauth-protected-resource/mcp";
const yearsIn = (rows: { fiscal_year: number }[] = []) => [...new Set(rows.map((row) => row.fiscal_year))];

for (const family of ERAS) {
  describe(`tools/call in the ${family} protocol family`, () => {
    const call = async (given: object, headers: Record<string, string> = {}, options = {}) => {
      const asked = compensationCall(family, given);
      return mcpUnderTest(options).post(asked.message, { ...asked.headers, ...headers });
    };

    test("TL-3: structured content is the REST body of the same query, and the text is the same JSON", async () => {
      const mcp = mcpUnderTest();
      for (const query of [
        "ticker=AAPL&limit=3",
        "cik=789019",
        "ticker=msft&fiscal_year_gte=2022",
        "ticker=AAPL&limit=0",
      ]) {
        const given = Object.fromEntries(new URLSearchParams(query));
        const { message, headers } = compensationCall(family, given);
        const answer = await mcp.post(message, { ...headers, "x-api-key": KEY });
        const result = await resultOf(answer);
        const rest = await mcp.fetch(`/api/executive-compensation?${query}`, {
          headers: { "x-api-key": KEY },
        });
        const body: unknown = await rest.json();
        expect(result.structuredContent).toEqual(body as typeof result.structuredContent);
        expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(body);
        expect(ExecutiveCompensationResponse.allows(result.structuredContent)).toBe(true);
        expect(answer.headers.get("incomplete-fiscal-years")).toBe(
          rest.headers.get("incomplete-fiscal-years"),
        );
        expect(result.isError).toBeUndefined();
        expect(result.resultType).toBe(family === "modern" ? "complete" : undefined);
      }
    });

    test("the default is the latest year for anonymous callers, four years with a credential", async () => {
      const anonymous = await resultOf(await call({ ticker: "AAPL" }));
      expect(yearsIn(anonymous.structuredContent?.executive_compensation)).toEqual([2025]);
      expect(anonymous._meta?.["access"]).toContain("latest fiscal year only");
      for (const credential of [{ "x-api-key": KEY }, { authorization: `Bearer ${TOKEN}` }]) {
        const known = await resultOf(await call({ ticker: "AAPL" }, credential));
        expect(yearsIn(known.structuredContent?.executive_compensation)).toEqual([2025, 2024, 2023, 2022]);
        expect(known._meta?.["access"]).toBeUndefined();
      }
    });

    test.each([
      {},
      { limit: 0 },
      { limit: 1 },
      { limit: "1" },
      { limit: null, fiscal_year: null },
      { period: "annual" },
    ])("anonymous callers may request %j", async (given) => {
      const answer = await call({ ticker: "AAPL", ...given });
      expect(answer.status).toBe(200);
      expect((await resultOf(answer)).isError).toBeUndefined();
    });

    test.each([
      { limit: 2 },
      { limit: "4" },
      { fiscal_year: 2025 },
      { fiscal_year_gte: 2025 },
      { fiscal_year_lte: "2025" },
      { fiscal_year_gt: 2024, limit: 1 },
      { fiscal_year_lt: 2030 },
    ])("anonymous callers are challenged for %j", async (given) => {
      const answer = await call({ ticker: "AAPL", ...given });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${METADATA}", scope="executive-compensation:read"`,
      );
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.json()).toEqual({
        error: "Unauthorized",
        message: "Historical fiscal years need an API key or sign-in.",
      });
    });

    test("a question that a key's holder has asked is another one without a key", async () => {
      const mcp = mcpUnderTest();
      const withKey = { "x-api-key": KEY };
      const ask = async (given: object, headers: Record<string, string> = {}) => {
        const asked = compensationCall(family, given);
        return mcp.post(asked.message, { ...asked.headers, ...headers });
      };
      expect((await ask({ ticker: "AAPL", limit: 4 }, withKey)).status).toBe(200);
      expect((await ask({ ticker: "AAPL", limit: 4 })).status).toBe(401);
      const yearsOf = async (answer: Response) => {
        const { structuredContent } = await resultOf(answer);
        return yearsIn(ExecutiveCompensationResponse.assert(structuredContent).executive_compensation).length;
      };
      expect(await yearsOf(await ask({ ticker: "AAPL" }, withKey))).toBe(4);
      expect(await yearsOf(await ask({ ticker: "AAPL" }))).toBe(1);
      expect(await yearsOf(await ask({ ticker: "AAPL" }, withKey))).toBe(4);
    });

    test("the ChatGPT family gets the challenge in the result, and otherwise what others get", async () => {
      for (const agent of ["openai-mcp/1.0.0", "Mozilla/5.0 ChatGPT-User/1.0"]) {
        const answer = await call({ ticker: "AAPL", limit: 4 }, { "user-agent": agent });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("www-authenticate")).toBeNull();
        const result = await resultOf(answer);
        expect(result.isError).toBe(true);
        expect(result.structuredContent).toBeUndefined();
        expect(JSON.parse(result.content[0]?.text ?? "")).toEqual({
          error: "Unauthorized",
          message: "Historical fiscal years need an API key or sign-in.",
        });
        expect(result._meta?.["mcp/www_authenticate"]).toEqual([
          expect.stringContaining(`resource_metadata="${METADATA}"`),
        ]);
        expect(result._meta?.["http_status"]).toBe(401);
        const bad = await call({ ticker: "AAPL" }, { "user-agent": agent, "x-api-key": "bad" });
        expect(bad.status).toBe(401);
      }
      const claude = await call({ ticker: "AAPL", limit: 4 }, { "user-agent": "Claude-User" });
      expect(claude.status).toBe(401);
    });

    test.each([
      [{}, "Give ticker or cik: neither was sent."],
      [{ ticker: "AAPL", limit: 101 }, 'Cannot read limit "101": expected a whole number from 0 to 100.'],
      [{ ticker: "AAPL", limit: 1.5 }, 'Cannot read limit "1.5"'],
      [{ ticker: "AAPL", limit: true }, "Cannot read limit: got true, expected a whole number."],
      [{ ticker: 7 }, "Cannot read ticker: got 7, expected a string."],
      [{ ticker: ["AAPL"] }, "Cannot read ticker: got a list, expected a string."],
      [
        { ticker: "AAPL", fiscal_year: {} },
        "Cannot read fiscal_year: got an object, expected a whole number.",
      ],
      [{ ticker: "AAPL", fiscal_year_get: 2020 }, "Did you mean fiscal_year_gte?"],
      [{ ticker: "AAPL", period: "quarterly" }, "Cannot read period"],
      [{ ticker: "AAPL", cik: "789019" }, "name different companies"],
      [{ ticker: "AAPL", limit: 4, fiscal_year: "x" }, "Cannot read fiscal_year"],
    ])("arguments %j are a Bad Request in the result, without a challenge", async (given, message) => {
      const answer = await call(given);
      expect(answer.status).toBe(200);
      const result = await resultOf(answer);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(result._meta?.["http_status"]).toBe(400);
      const said = JSON.parse(result.content[0]?.text ?? "");
      expect(Object.keys(said)).toEqual(["error", "message"]);
      expect(said.error).toBe("Bad Request");
      expect(said.message).toContain(message);
    });

    test.each([
      [{ ticker: "AAPL", limit: "4", cik: 320193 }, 4],
      [{ cik: "CIK320193", limit: 2, ticker: null }, 2],
      [{ ticker: " aapl ", fiscal_year_gte: "2023", fiscal_year_lt: 2025 }, 2],
    ])("spellings that models use are understood: %j", async (given, years) => {
      const result = await resultOf(await call(given, { "x-api-key": KEY }));
      expect(yearsIn(result.structuredContent?.executive_compensation)).toHaveLength(years);
    });

    test("402 is a result with the REST body, and nothing is charged", async () => {
      const mcp = mcpUnderTest();
      const { message, headers } = compensationCall(family, { ticker: "AAPL" });
      const answer = await mcp.post(message, { ...headers, "x-api-key": POOR_KEY });
      const rest = await mcp.fetch("/api/executive-compensation?ticker=AAPL", {
        headers: { "x-api-key": POOR_KEY },
      });
      expect([answer.status, rest.status]).toEqual([200, 402]);
      const result = await resultOf(answer);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(result._meta?.["http_status"]).toBe(402);
      const body = (await rest.json()) as { message: string };
      expect(JSON.parse(result.content[0]?.text ?? "")).toEqual({
        ...body,
        message: `${body.message} Developer page: http://localhost:8402/developer`,
      });
      expect(body).toMatchObject({
        purchase: { status: "coming_soon", url: "http://localhost:8402/developer" },
      });
      expect(mcp.charged()).toBe(0);
    });

    test.each([{ ticker: "NOPE" }, { ticker: "BARE" }, { cik: 99 }])("404 is a result: %j", async (given) => {
      const result = await resultOf(await call(given));
      expect(result.isError).toBe(true);
      expect(result._meta?.["http_status"]).toBe(404);
      expect(JSON.parse(result.content[0]?.text ?? "").error).toBe("Not Found");
    });

    test("TL-8: 503 is a result that says when to try again", async () => {
      const onDemand = { request: () => ({ retryAfterSeconds: 7, message: "Its filing is being read." }) };
      const result = await resultOf(await call({ ticker: "BARE" }, {}, { onDemand }));
      expect(result.isError).toBe(true);
      expect(result._meta).toMatchObject({ http_status: 503, retry_after_seconds: 7 });
      expect(JSON.parse(result.content[0]?.text ?? "")).toEqual({
        error: "Service Unavailable",
        message: "Its filing is being read.",
      });
    });

    test("an incomplete year is reported in the header, in _meta and to the model", async () => {
      const answer = await call({ ticker: "AAPL" }, { "x-api-key": KEY });
      expect(answer.headers.get("incomplete-fiscal-years")).toBe("2023, 2022");
      const result = await resultOf(answer);
      expect(result._meta?.["incomplete_fiscal_years"]).toEqual([2023, 2022]);
      const notes = result.content.slice(1).map(({ text }) => text);
      expect(notes.join("\n")).toContain("Incomplete fiscal years: 2023, 2022.");
      const whole = await resultOf(await call({ ticker: "AAPL", limit: 2 }, { "x-api-key": KEY }));
      expect(JSON.stringify(whole.content)).not.toContain("Incomplete fiscal years: ");
      expect(whole._meta?.["incomplete_fiscal_years"]).toBeUndefined();
    });

    test("an answer that a client might truncate says how to request less", async () => {
      const long = await resultOf(await call({ ticker: "LONG", limit: 60 }, { "x-api-key": KEY }));
      expect(long.content[0]?.text.length).toBeGreaterThan(60_000);
      expect(long.content.at(-1)?.text).toContain("a smaller limit (10 or fewer)");
      const ten = await resultOf(await call({ ticker: "LONG", limit: 10 }, { "x-api-key": KEY }));
      expect(ten.content.map(({ text }) => text).join()).not.toContain("a smaller limit");
    });

    test("credits are reported in headers and _meta, and only history costs one", async () => {
      const history = await call({ ticker: "AAPL" }, { "x-api-key": KEY });
      expect(history.headers.get("credits-charged")).toBe("1");
      expect((await resultOf(history))._meta).toMatchObject({ credits_charged: 1, credits_remaining: 99 });
      const latest = await call({ ticker: "AAPL", limit: 1 }, { "x-api-key": KEY });
      expect((await resultOf(latest))._meta).toMatchObject({ credits_charged: 0, credits_remaining: 100 });
    });

    test("the list of tickers is free for everyone and takes no arguments", async () => {
      const list = (given: unknown) => {
        const params = { name: "list_available_tickers", arguments: given };
        return family === "legacy"
          ? mcpUnderTest().post(legacy("tools/call", params))
          : mcpUnderTest().post(modern("tools/call", params), mirrored("tools/call", params.name));
      };
      const result = await resultOf(await list({ limit: null }));
      const expected = { resource: "executive_compensation", tickers: ["AAPL", "MSFT", "LONG"] };
      expect<unknown>(result.structuredContent).toEqual(expected);
      expect(TickersResponse.allows(result.structuredContent)).toBe(true);
      expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(expected);
      const refused = await resultOf(await list({ limit: 5 }));
      expect(refused.isError).toBe(true);
      expect(refused.content[0]?.text).toContain('takes no arguments, but \\"limit\\" was sent');
    });

    test("an unknown tool is a protocol error for every caller", async () => {
      const params = { name: "get_director_compensation", arguments: {} };
      const answer =
        family === "legacy"
          ? await mcpUnderTest().post(legacy("tools/call", params))
          : await mcpUnderTest().post(modern("tools/call", params), mirrored("tools/call", params.name));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: 7, error: { code: -32602 } });
    });
  });
}

describe.each(["private", "analyst"])("/mcp/%s requires a credential on every message", (name) => {
  const path = `/mcp/${name}`;
  const metadata = `${METADATA}/${name}`;
  test.each([
    legacy("ping"),
    legacy("tools/list"),
    compensationCall("legacy", { ticker: "AAPL" }).message,
    "x",
  ])("a bare challenge for %j", async (message) => {
    const agents = [{}, { "user-agent": "openai-mcp/1.0.0" }];
    for (const headers of agents) {
      const answer = await mcpUnderTest().post(message, headers, path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${metadata}", scope="executive-compensation:read"`,
      );
      // The answer comes with a challenge to sign in, so the message must offer that as well as an API key.
      expect((await jsonOf<{ message: string }>(answer)).message).toBe(
        "Sign in (Authorization: Bearer), or send an API key in the X-API-KEY header.",
      );
    }
  });

  test("with a credential it is the same server", async () => {
    const { message } = compensationCall("legacy", { ticker: "AAPL" });
    const answer = await mcpUnderTest().post(message, { "x-api-key": KEY }, path);
    expect(answer.status).toBe(200);
    expect((await mcpUnderTest().post(legacy("ping"), { "x-api-key": "bad" }, path)).status).toBe(401);
  });
});

describe("the legacy alias is served directly, also on its own host", () => {
  const settings = { mcpLegacyUrl: "http://old.example.com/v1/mcp" };
  const ask = (host: string, path: string, given: object) =>
    mcpUnderTest({ settings }).fetch(path, {
      method: "POST",
      host,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(compensationCall("legacy", given).message),
    });

  test("it answers, and its challenge names its own metadata document", async () => {
    const answer = await ask("old.example.com", "/v1/mcp", { ticker: "AAPL" });
    expect(answer.status).toBe(200);
    const challenged = await ask("old.example.com", "/v1/mcp", { ticker: "AAPL", limit: 4 });
    expect(challenged.headers.get("www-authenticate")).toContain(
      'resource_metadata="http://old.example.com/.well-known/oauth-protected-resource/v1/mcp"',
    );
  });

  test("on a loopback base URL it answers under all loopback names, each with its own metadata document", async () => {
    const mcp = mcpUnderTest({ settings: { mcpLegacyUrl: "http://localhost:8402/old" } });
    for (const host of ["localhost:8402", "127.0.0.1:8402"]) {
      const answer = await mcp.fetch("/old", {
        method: "POST",
        host,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(compensationCall("legacy", { ticker: "AAPL", limit: 4 }).message),
      });
      expect(answer.headers.get("www-authenticate")).toContain(
        `resource_metadata="http://${host}/.well-known/oauth-protected-resource/old"`,
      );
    }
  });

  test("each host has only its own paths", async () => {
    expect((await ask("old.example.com", "/mcp", { ticker: "AAPL" })).status).toBe(404);
    expect((await ask("localhost:8402", "/v1/mcp", { ticker: "AAPL" })).status).toBe(404);
    expect((await ask("localhost:8402", "/mcp", { ticker: "AAPL" })).status).toBe(200);
  });

  test("an alias may be a whole host, and the pages of the site stay where they are", async () => {
    const mcp = mcpUnderTest({ settings: { mcpLegacyUrl: "http://mcp.example.com" } });
    const { message } = compensationCall("legacy", { ticker: "AAPL", limit: 4 });
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(message);
    const challenged = await mcp.fetch("/", { method: "POST", host: "mcp.example.com", headers, body });
    expect(challenged.status).toBe(401);
    expect(challenged.headers.get("www-authenticate")).toContain(
      'resource_metadata="http://mcp.example.com/.well-known/oauth-protected-resource"',
    );
    expect((await mcp.fetch("/", { host: "mcp.example.com" })).status).toBe(405);
    expect((await mcp.fetch("/assets/style.css")).status).toBe(200);
    expect((await mcp.fetch("/", { method: "POST", headers, body })).status).not.toBe(401);
  });
});
