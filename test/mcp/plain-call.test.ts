import { expect, test } from "bun:test";
import { classifyInboundRequest, specTypeSchemas } from "@modelcontextprotocol/server";
import { isPlainCall } from "../../src/mcp/request.ts";
import { LEGACY_REVISIONS } from "../../src/mcp/protocol.ts";

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x", arguments: { a: 1 } } };
const MEMBERS: Readonly<Record<string, readonly unknown[]>> = {
  jsonrpc: ["2.0", "1.0", 2, undefined],
  id: [1, "a", "", 1.5, null, undefined, 2 ** 60],
  method: ["tools/call", "tools/list", "initialize", ""],
  params: [
    CALL.params,
    { name: "x" },
    { name: 1 },
    { name: "x", arguments: [] },
    { name: "x", other: 1 },
    { name: "x", _meta: {} },
    { name: "x", _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    null,
    [],
    undefined,
  ],
  result: [undefined, {}],
  error: [undefined, {}],
};

test("a plain call is one to the library: a request of the older family, in its form", () => {
  let plain = 0;
  const walk = (message: object, [name, ...others]: readonly string[]): void => {
    if (name !== undefined) {
      for (const value of MEMBERS[name] ?? [])
        walk(value === undefined ? message : { ...message, [name]: value }, others);
      return;
    }
    if (!isPlainCall(message)) return;
    plain += 1;
    const checked = specTypeSchemas.CallToolRequest["~standard"].validate(message);
    expect([message, "issues" in checked ? checked.issues : undefined]).toEqual([message, undefined]);
    for (const version of [undefined, ...LEGACY_REVISIONS])
      for (const named of [{}, { mcpMethodHeader: "tools/list", mcpNameHeader: "y" }]) {
        const headers = { ...(version && { protocolVersionHeader: version }), ...named };
        const { kind } = classifyInboundRequest({ httpMethod: "POST", ...headers, body: message });
        expect([message, headers, kind]).toEqual([message, headers, "legacy"]);
      }
  };
  walk({}, Object.keys(MEMBERS));
  expect(plain).toBeGreaterThanOrEqual(6);
});
