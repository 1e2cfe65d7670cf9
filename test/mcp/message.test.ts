import { expect, test } from "bun:test";
import { clientNameOf, isToolCall, parseMessage, revisionOf, wantsStream } from "../../src/mcp/request.ts";

const told = (message: unknown) => {
  const read = parseMessage(JSON.stringify(message));
  return read.kind === "protocol_error" ? `${read.code} ${/values|levels/.exec(read.text)?.[0]}` : read.kind;
};
const deep = (levels: number): unknown => (levels === 0 ? 1 : { next: deep(levels - 1) });

test("a message has at most 256 values, wherever they are", () => {
  const refused = "-32600 values";
  for (const many of [
    (values: number) => ({ list: Array(values - 2).fill(0) }),
    (values: number) => Object.fromEntries(Array.from({ length: values - 1 }, (_, n) => [`name ${n}`, n])),
    // Two values each: a list and its number.
    (values: number) => ({ lists: Array.from({ length: (values - 2) / 2 }, () => [0]) }),
  ]) {
    expect(told(many(256))).toBe("message");
    expect(told(many(258))).toBe(refused);
  }
  expect(told({ list: Array(255).fill(0) })).toBe(refused);
});

test("a message has at most 32 levels", () => {
  expect(told(deep(32))).toBe("message");
  expect(told(deep(33))).toBe("-32600 levels");
});

test("a tool call is recognized however malformed it is; a notification of that name is not one", () => {
  expect(isToolCall({ method: "tools/call", id: null, params: 7 })).toBe(true);
  expect(isToolCall({ method: "tools/call" })).toBe(false);
  expect(isToolCall({ method: "tools/list", id: 1 })).toBe(false);
  expect(isToolCall(null)).toBe(false);
});

test("the client's name is read from the newer family's envelope only", () => {
  const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "openai-mcp", version: "1" } };
  expect(clientNameOf(call({ _meta: meta }))).toBe("openai-mcp");
  for (const message of [null, 1, {}, call({}), call({ _meta: "x" })])
    expect(clientNameOf(message)).toBeUndefined();
});

test.each([
  [null, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["application/json, text/event-stream", false],
  ["text/event-stream, application/*", false],
  ["text/event-stream", true],
  ["Text/Event-Stream;q=0.9, text/html", true],
])("Accept: %s: only an event stream can be read: %p", (accept, wanted) => {
  expect(wantsStream(accept)).toBe(wanted);
});

test("what is null in params is absent, and nothing else changes", () => {
  const read = (params: unknown) => {
    const result = parseMessage(JSON.stringify({ id: 1, params }));
    return result.kind === "message" ? result.message : result;
  };
  expect(read(null)).toEqual({ id: 1 });
  expect(read({ cursor: null, arguments: null, _meta: null, name: "x" })).toEqual({
    id: 1,
    params: { name: "x" },
  });
  expect(read({ arguments: { ticker: null } })).toEqual({ id: 1, params: { arguments: { ticker: null } } });
  for (const params of [[null], 7, {}, "x"]) expect(read(params)).toEqual({ id: 1, params });
});

test("T-9: without a revision in message and header it is 2025-03-26; that of the message counts", () => {
  const header = (version: string | null) => ({ version, method: null, name: null });
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  expect(revisionOf({ id: 1 }, header(null))).toBe("2025-03-26");
  expect(revisionOf({ id: 1 }, header("2025-06-18"))).toBe("2025-06-18");
  expect(revisionOf({ params: { _meta } }, header("2025-06-18"))).toBe("2026-07-28");
});
