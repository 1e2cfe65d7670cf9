import { describe, expect, test } from "bun:test";
import { clientNameOf, isToolCall, plainCall } from "../../src/mcp/plain.ts";

const NONE = { version: null, method: null, name: null };
const MIRRORED = { version: "2026-07-28", method: "tools/call", name: "t" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = (params: object, rest: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "t", ...params },
  ...rest,
});

describe("a plain call is recognised", () => {
  test.each([
    [call({}), NONE, "legacy"],
    [call({ arguments: { a: 1 } }), { ...NONE, version: "2025-06-18" }, "legacy"],
    [call({ _meta: { progressToken: 3 } }), NONE, "legacy"],
    [call({ _meta: {} }, { id: "x" }), NONE, "legacy"],
    [call({ _meta: META }), MIRRORED, "modern"],
    [call({ _meta: { ...META, progressToken: "p" } }), MIRRORED, "modern"],
    [
      call({
        _meta: {
          ...META,
          "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2", title: "Claude Code" },
          "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, roots: {} },
        },
      }),
      MIRRORED,
      "modern",
    ],
  ] as const)("%#: %j", (message, headers, family) => {
    expect(plainCall(message, headers)?.family).toBe(family);
  });

  test("its id, name and arguments are passed on unchanged", () => {
    expect(plainCall(call({ arguments: { limit: 4 } }, { id: "one" }), NONE)).toEqual({
      family: "legacy",
      id: "one",
      name: "t",
      arguments: { limit: 4 },
    });
    expect(plainCall(call({}), NONE)?.arguments).toEqual({});
  });
});

describe("anything unusual goes to the protocol library", () => {
  test.each([
    [null, NONE],
    ["x", NONE],
    [{}, NONE],
    [{ ...call({}), jsonrpc: "1.0" }, NONE],
    [{ ...call({}), extra: 1 }, NONE],
    [{ ...call({}), id: null }, NONE],
    [{ ...call({}), id: 1.5 }, NONE],
    [{ ...call({}), id: undefined }, NONE],
    [{ ...call({}), params: [] }, NONE],
    [call({ name: 7 }), NONE],
    [call({ arguments: [] }), NONE],
    [call({ arguments: null }), NONE],
    [call({ task: {} }), NONE],
    [call({}), { ...NONE, version: "2024-11-05" }],
    [call({}), { ...NONE, version: "2026-07-28" }],
    [call({ _meta: { "com.example/x": 1 } }), NONE],
    [call({ _meta: { progressToken: {} } }), NONE],
    [call({ _meta: META }), NONE],
    [call({ _meta: META }), { ...MIRRORED, version: "2025-11-25" }],
    [call({ _meta: META }), { ...MIRRORED, method: null }],
    [call({ _meta: META }), { ...MIRRORED, name: "u" }],
    [call({ _meta: { ...META, "io.modelcontextprotocol/clientCapabilities": { roots: true } } }), MIRRORED],
    [call({ _meta: { ...META, "io.modelcontextprotocol/clientCapabilities": { other: {} } } }), MIRRORED],
    [call({ _meta: { ...META, "io.modelcontextprotocol/clientInfo": { name: "x" } } }), MIRRORED],
    [call({ _meta: { ...META, "io.modelcontextprotocol/logLevel": "info" } }), MIRRORED],
  ] as const)("%#: %j", (message, headers) => {
    expect(plainCall(message, headers)).toBeUndefined();
  });
});

test("a tool call is recognized however malformed it is; a notification of that name is not one", () => {
  expect(isToolCall({ method: "tools/call", id: null, params: 7 })).toBe(true);
  expect(isToolCall({ method: "tools/call" })).toBe(false);
  expect(isToolCall({ method: "tools/list", id: 1 })).toBe(false);
  expect(isToolCall(null)).toBe(false);
});

test("the client's name is read from the newer family's envelope only", () => {
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "openai-mcp", version: "1" } };
  expect(clientNameOf(call({ _meta: meta }))).toBe("openai-mcp");
  for (const message of [null, 1, {}, call({}), call({ _meta: "x" })]) {
    expect(clientNameOf(message)).toBeUndefined();
  }
});
