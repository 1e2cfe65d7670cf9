import { expect, test } from "bun:test";
import { plainHandshake } from "../../../src/mcp/plain.ts";
import { startTestServer } from "../../support/server.ts";
import { callsAlike, handshakesAlike, NOTHING_OFFERED } from "./differential.ts";

test("both paths answer every call identically, in both protocol families", () => callsAlike(300), 300_000);

test("both paths answer every handshake identically, byte for byte", () => handshakesAlike(300, 1), 300_000);

test("both paths describe the analyst's tools and resources identically, byte for byte", async () => {
  const server = await startTestServer();
  const say = async (method: string, params: object) => {
    const message = { jsonrpc: "2.0", id: 1, method, params };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify(message);
    const legacy = { version: null, method: null, name: null };
    const isPlain = plainHandshake(message, legacy, NOTHING_OFFERED) !== undefined;
    return {
      isPlain,
      text: await (await server.get("/mcp/analyst", { method: "POST", headers, body })).text(),
    };
  };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  for (const [method, params] of [
    ["tools/list", {}],
    ["initialize", hello],
  ] as const) {
    const plain = await say(method, params);
    const { isPlain, text } = await say(method, { ...params, _meta: { progressToken: 1 } });
    expect([plain.isPlain, isPlain]).toEqual([true, false]);
    expect(plain.text).toBe(text);
  }
  await server.stop();
});
