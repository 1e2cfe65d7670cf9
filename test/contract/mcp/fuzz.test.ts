import { expect, test } from "bun:test";
import { complaintAbout, fuzzMcp } from "./mutations.ts";
import { mcpUnderTest } from "./support.ts";

/** The sample for the test suite; `bun run fuzz mcp` sends 100,000. */
const SHARE = 1500;

test("malformed messages cause no 5xx, crash, hang or charge", async () => {
  expect(await fuzzMcp(mcpUnderTest(), SHARE, 20261121)).toEqual([]);
}, 300_000);

test("a message nested too deeply for any parser is refused or ignored, and the next one is served", async () => {
  const mcp = mcpUnderTest();
  for (const depth of [1000, 10_000, 30_000]) {
    const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const body of [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_executive_compensation","arguments":{"ticker":${nested}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_executive_compensation","arguments":{},"_meta":{"x":${nested}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${nested}}}`,
    ]) {
      const mutant = { body, headers: { "content-type": "application/json" }, path: "/mcp" };
      expect(await complaintAbout(mcp, mutant)).toBeUndefined();
    }
  }
  expect((await mcp.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(200);
});
