import { describe, expect, test } from "bun:test";
import { KEY, compensationCall, legacy, mcpUnderTest, mirrored, modern } from "./support.ts";

const initialize = (clientInfo: object) =>
  legacy("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
const icons = (count: number) => ({ name: "x", version: "1", icons: Array(count).fill(1) });
const deep = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
/** The maximum size of any refusal of a message. */
const SMALL = 1200;

describe("a message is limited in size before the protocol library sees it", () => {
  test("thousands of icons: 62 kB are 413, not 7.5 MB of the library's errors", async () => {
    const mcp = mcpUnderTest();
    const message = initialize(icons(31_000));
    expect(JSON.stringify(message).length).toBeGreaterThan(62_000);
    const answer = await mcp.post(message);
    expect(answer.status).toBe(413);
    expect((await answer.text()).length).toBeLessThan(SMALL);
    expect(mcp.admissions).toEqual([{ presented: "none", need: "any", counted: "handshakes" }]);
  });

  test("a message that is not a tool call is limited to 8 KiB", async () => {
    const mcp = mcpUnderTest();
    const padded = (bytes: number) => JSON.stringify(legacy("ping")).padEnd(bytes, " ");
    expect((await mcp.post(padded(8192))).status).toBe(200);
    expect((await mcp.post(padded(8193))).status).toBe(413);
    const { message } = compensationCall("legacy", { ticker: "AAPL" });
    expect((await mcp.post(JSON.stringify(message).padEnd(64 * 1024, " "))).status).toBe(200);
    const wide = JSON.stringify(legacy("ping", { x: "€".repeat(2800) }));
    expect(wide.length).toBeLessThan(8192);
    expect((await mcp.post(wide)).status).toBe(413);
  });

  test.each([
    ["257 values", initialize(icons(257)), {}],
    ["257 values in a call", compensationCall("legacy", { ticker: Array(257).fill("A") }).message, {}],
    ["33 levels", initialize({ name: "x", version: "1", icons: deep(33) }), {}],
    ["33 levels of the newer revision", modern("tools/list", { x: deep(40) }), mirrored("tools/list")],
  ])("%s are -32600", async (_what, message, headers) => {
    const answer = await mcpUnderTest().post(message, headers);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32600 }, id: null });
    expect(text.length).toBeLessThan(SMALL);
  });

  test("the library's errors for a message within the limit are short too", async () => {
    for (const message of [
      initialize(icons(200)),
      initialize({ name: "x".repeat(7000), version: 1 }),
      legacy("y".repeat(7000)),
      legacy("tools/call", { name: "z".repeat(60_000) }),
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: Object.fromEntries([..."abcdefghij"].map((n) => [n.repeat(500), 1])),
      },
    ]) {
      const answer = await mcpUnderTest().post(message);
      const text = await answer.text();
      expect([answer.status < 500, text.length < SMALL]).toEqual([true, true]);
    }
  });
});

test("a tool call of any form meets its rate limit before the protocol library", async () => {
  const mcp = mcpUnderTest({ full: true });
  for (const params of [{ name: "no_such_tool" }, { name: 7 }, { arguments: [] }, [], "x"]) {
    const answer = await mcp.post(
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      { "x-api-key": KEY },
    );
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ error: "Too Many Requests" });
  }
});
