import { afterAll, beforeAll, expect, test } from "bun:test";
import { addPerson, BrowserSession, PERSON } from "../contract/oauth/support.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("the developer page promises free credits to whoever has not had them, and to nobody else", async () => {
  const userId = await addPerson(server);
  const browser = new BrowserSession(server);
  await browser.signIn(PERSON);
  expect(await (await browser.open("/developer")).text()).toContain(
    "Your first key comes with 100 free credits",
  );
  const { key } = await server.accounts.keys.create(userId, { name: "first" });
  await server.accounts.keys.revoke(userId, key.id);
  const after = await (await browser.open("/developer")).text();
  expect(after).not.toContain("Your first key comes");
});

test("beside a challenge to sign in, MCP says to sign in", async () => {
  const ask = (path: string) =>
    server.get(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  const answer = await ask("/mcp/private");
  expect(answer.headers.get("www-authenticate")).toStartWith("Bearer ");
  expect(await answer.json()).toEqual({
    error: "Unauthorized",
    message: "Sign in (Authorization: Bearer), or send an API key in the X-API-KEY header.",
  });
});
