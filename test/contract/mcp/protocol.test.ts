import { describe, expect, test } from "bun:test";
import { specDeclarations } from "../../../src/mcp/tools.ts";
import { KEY, TOKEN, compensationCall, jsonOf, legacy, mcpUnderTest, mirrored, modern } from "./support.ts";

/** The members of JSON-RPC answers that the tests read. */
interface Answered {
  result: {
    protocolVersion: string;
    serverInfo: object;
    capabilities: object;
    structuredContent: { executive_compensation: object[] };
    tools: Tool[];
    _meta: Record<string, { name: string }>;
  };
  error: { code: number };
}

/** A listed tool, with the members that the tests read. */
interface Tool {
  name: string;
  title: string;
  inputSchema: { properties: object } & Record<string, unknown>;
  outputSchema: { properties: Record<string, { items: Row }> };
  annotations: object;
  securitySchemes: object[];
  _meta: { securitySchemes: object[] };
}

/** The schema of a row. */
interface Row {
  properties: Record<string, { anyOf?: { type: string }[]; required?: string[] }>;
  required: string[];
}

const initialize = (protocolVersion: string) =>
  legacy("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } });

describe("the protocol family with a handshake", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ])("T-12: asked for %s, it answers %s, as JSON and without a session", async (asked, negotiated) => {
    const answer = await mcpUnderTest().post(initialize(asked));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("application/json");
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    const { result } = await jsonOf<Answered>(answer);
    expect(result.protocolVersion).toBe(negotiated);
    expect(result.serverInfo).toMatchObject({ name: "execcomp", title: "Executive Compensation" });
    expect(result.capabilities).toEqual({ tools: {} });
  });

  test("an unexpected session id is ignored", async () => {
    const answer = await mcpUnderTest().post(legacy("ping"), { "mcp-session-id": "stale" });
    expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
  });

  test("T-7: a notification or a posted response is 202 without a body", async () => {
    const mcp = mcpUnderTest();
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } },
      { jsonrpc: "2.0", id: 9, result: {} },
    ]) {
      const answer = await mcp.post(message);
      expect(answer.status).toBe(202);
      expect(await answer.text()).toBe("");
    }
  });

  test("an unknown protocol version in the header is 400", async () => {
    const answer = await mcpUnderTest().post(compensationCall("legacy", { ticker: "AAPL" }).message, {
      "mcp-protocol-version": "1999-01-01",
    });
    expect(answer.status).toBe(400);
  });

  test("an unknown method is -32601", async () => {
    const answer = await mcpUnderTest().post(legacy("resources/list"));
    expect(await answer.json()).toMatchObject({ id: 7, error: { code: -32601 } });
  });
});

describe("2026-07-28", () => {
  test("server/discover states the version, the tools and how long the answer is valid", async () => {
    const answer = await mcpUnderTest().post(modern("server/discover"), mirrored("server/discover"));
    expect(answer.status).toBe(200);
    const { result } = await jsonOf<Answered>(answer);
    expect(result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      resultType: "complete",
      ttlMs: 3_600_000,
      cacheScope: "public",
    });
    expect(result._meta["io.modelcontextprotocol/serverInfo"]?.name).toBe("execcomp");
  });

  test.each([
    ["no version header", { "mcp-method": "tools/call", "mcp-name": "get_executive_compensation" }],
    ["another method in the header", { ...mirrored("tools/list", "get_executive_compensation") }],
    ["another tool in the header", { ...mirrored("tools/call", "list_available_tickers") }],
    ["no tool in the header", { ...mirrored("tools/call") }],
  ])("T-3: %s is 400 with -32020, and no tool runs", async (_what, headers) => {
    const mcp = mcpUnderTest();
    const { message } = compensationCall("modern", { ticker: "AAPL" });
    const answer = await mcp.post(message, { "x-api-key": KEY, ...headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32020 } });
    expect(mcp.charged()).toBe(0);
    expect(mcp.admissions.map(({ counted }) => counted)).toEqual(["calls"]);
  });

  test("the tool name in the header may be Base64", async () => {
    const { message } = compensationCall("modern", { ticker: "AAPL" });
    const name = `=?base64?${btoa("get_executive_compensation")}?=`;
    const answer = await mcpUnderTest().post(message, mirrored("tools/call", name));
    expect(answer.status).toBe(200);
    const { result } = await jsonOf<Answered>(answer);
    expect(result.structuredContent.executive_compensation).toHaveLength(3);
  });

  test("T-4: an unknown version is 400 with -32022 and the supported versions", async () => {
    const message = {
      ...legacy("tools/list"),
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2030-01-01",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    };
    const answer = await mcpUnderTest().post(message, {
      ...mirrored("tools/list"),
      "mcp-protocol-version": "2030-01-01",
    });
    expect(answer.status).toBe(400);
    const { error } = await jsonOf<Answered>(answer);
    expect(error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: "2030-01-01" },
    });
  });

  test("an envelope without its members is 400 with -32602", async () => {
    const answer = await mcpUnderTest().post(legacy("tools/list", { _meta: {} }), mirrored("tools/list"));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
  });

  test.each(["resources/list", "initialize", "ping"])(
    "T-6: %s, which does not exist, is 404 with -32601",
    async (method) => {
      const answer = await mcpUnderTest().post(modern(method), mirrored(method));
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: -32601 } });
    },
  );

  test("a subscription is acknowledged and ended: nothing ever changes here during a connection", async () => {
    const message = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const answer = await mcpUnderTest().post(message, mirrored("subscriptions/listen"));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("notifications/subscriptions/acknowledged");
  });
});

describe("what clients leave out", () => {
  test.each(["params", "arguments", "cursor", "_meta"])("%s: null counts as absent", async (name) => {
    const mcp = mcpUnderTest();
    for (const method of ["ping", "tools/list", "tools/call"]) {
      const params = method === "tools/call" ? { name: "list_available_tickers" } : {};
      const said = async (message: object) => (await mcp.post(message)).text();
      const sent = name === "params" && method !== "tools/call" ? null : { ...params, [name]: null };
      expect(await said({ ...legacy(method), params: sent })).toBe(await said(legacy(method, params)));
      // A message of the newer family is nothing without its _meta.
      if (name === "_meta" || name === "params" || method === "ping") continue;
      const headers = mirrored(method, method === "tools/call" ? params.name : undefined);
      const answer = await mcp.post(modern(method, { ...params, [name]: null }), headers);
      expect((await jsonOf<Answered>(answer)).result).toBeDefined();
    }
  });

  const good = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  test.each([
    ["initialize", undefined, "params"],
    ["initialize", null, "params"],
    ["initialize", {}, "params.protocolVersion"],
    ["initialize", { ...good, protocolVersion: 7 }, "params.protocolVersion"],
    ["initialize", { ...good, capabilities: { roots: 1 } }, "params.capabilities.roots"],
    ["initialize", { ...good, clientInfo: null }, "params.clientInfo"],
    ["initialize", { ...good, clientInfo: { name: "x" } }, "params.clientInfo.version"],
    [
      "initialize",
      { ...good, clientInfo: { ...good.clientInfo, icons: Array(200).fill(1) } },
      "params.clientInfo.icons.0",
    ],
    ["tools/list", { cursor: 7 }, "params.cursor"],
    ["tools/call", {}, "params.name"],
    ["tools/call", { name: 7 }, "params.name"],
    ["tools/call", { name: "list_available_tickers", arguments: ["AAPL"] }, "params.arguments"],
    ["tools/call", { name: "list_available_tickers", arguments: "AAPL" }, "params.arguments"],
    ["resources/read", {}, "params.uri"],
    ["resources/read", { uri: { constructor: 1 } }, "params.uri"],
  ])("%s with params %j is -32602 with one sentence that names %s", async (method, params, place) => {
    const message = { ...legacy(method), params };
    const answer = await mcpUnderTest().post(message, { "x-api-key": KEY }, "/mcp/analyst");
    expect(answer.status).toBe(200);
    const { error, id } = await jsonOf<{ id: number; error: { code: number; message: string } }>(answer);
    expect([id, error.code]).toEqual([7, -32602]);
    expect(error.message).toMatch(
      new RegExp(`^Cannot read ${place.replaceAll(".", "\\.")}: [^\n{}[\\]]+\\.$`),
    );
  });
});

describe("T-8: a client that reads only event streams", () => {
  const stream = { accept: "text/event-stream" };
  test.each([
    ["a call", compensationCall("legacy", { ticker: "AAPL" })],
    ["a call of the newer family", compensationCall("modern", { ticker: "AAPL" })],
    ["a list", { message: legacy("tools/list"), headers: {} }],
    ["initialize", { message: initialize("2025-06-18"), headers: {} }],
    ["server/discover", { message: modern("server/discover"), headers: mirrored("server/discover") }],
    ["an error", { message: legacy("resources/list"), headers: {} }],
  ])("gets %s as one event, with the same answer and headers", async (_, { message, headers }) => {
    const mcp = mcpUnderTest();
    const plain = await mcp.post(message, headers);
    const answer = await mcp.post(message, { ...headers, ...stream });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(await answer.text()).toBe(`event: message\ndata: ${await plain.text()}\n\n`);
    for (const name of ["ratelimit-policy", "dataset", "incomplete-fiscal-years"])
      expect(answer.headers.get(name)).toBe(plain.headers.get(name));
  });

  test("gets refusals as they are", async () => {
    const { message } = compensationCall("legacy", { ticker: "AAPL", limit: 4 });
    const answer = await mcpUnderTest().post(message, stream);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([401, "application/json"]);
  });
});

describe("tools/list", () => {
  const list = async (headers: Record<string, string>, family: "legacy" | "modern" = "modern") => {
    const answer =
      family === "modern"
        ? await mcpUnderTest().post(modern("tools/list"), { ...mirrored("tools/list"), ...headers })
        : await mcpUnderTest().post(legacy("tools/list"), headers);
    return (await jsonOf<Answered>(answer)).result;
  };

  test("TL-5: is the same for every caller, in both protocol families", async () => {
    const anonymous = await list({});
    expect(anonymous).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
    for (const headers of [{ "x-api-key": KEY }, { authorization: `Bearer ${TOKEN}` }]) {
      expect(await list(headers)).toEqual(anonymous);
    }
    expect((await list({}, "legacy")).tools).toEqual(anonymous.tools);
  });

  test("TL-1, TL-6: declares the two tools of the specification, with securitySchemes at the top level and in _meta", async () => {
    const { tools } = await list({});
    expect(tools).toEqual(JSON.parse(JSON.stringify(specDeclarations())));
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ["get_executive_compensation", "Get Executive Compensation"],
      ["list_available_tickers", "List Available Tickers"],
    ]);
    const [compensation, tickers] = tools;
    if (compensation === undefined || tickers === undefined) throw new Error("two tools are declared");
    expect(Object.keys(compensation.inputSchema.properties)).toEqual([
      "ticker",
      "cik",
      "period",
      "limit",
      "fiscal_year",
      "fiscal_year_gte",
      "fiscal_year_lte",
      "fiscal_year_gt",
      "fiscal_year_lt",
    ]);
    for (const keyword of ["oneOf", "anyOf", "allOf"]) {
      expect(compensation.inputSchema[keyword]).toBeUndefined();
    }
    expect(tickers.inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: false });
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool.securitySchemes).toEqual([
        { type: "noauth" },
        { type: "oauth2", scopes: ["executive-compensation:read"] },
      ]);
      expect(tool._meta.securitySchemes).toEqual(tool.securitySchemes);
    }
  });

  test("the output schema requires all 22 fields of a row, nullable where the specification says so", async () => {
    const row = (await list({})).tools[0]?.outputSchema.properties["executive_compensation"]?.items;
    if (row === undefined) throw new Error("the first tool answers rows");
    expect(Object.keys(row.properties)).toHaveLength(22);
    expect(row.required.toSorted()).toEqual(Object.keys(row.properties).toSorted());
    const nullable = Object.entries(row.properties)
      .filter(([, schema]) => schema.anyOf?.some(({ type }) => type === "null") === true)
      .map(([name]) => name);
    expect(nullable.toSorted()).toEqual(["executive_role", "reported_year", "reporting_currency"]);
    expect(row.properties["source"]?.required?.toSorted()).toEqual([
      "accession",
      "filing_date",
      "filing_url",
      "form",
    ]);
  });
});
