import { afterAll, beforeAll, expect, test } from "bun:test";
import { giveFirstCredits } from "../../src/accounts/credits.ts";
import { addPerson, BrowserSession, PERSON } from "../contract/oauth/support.ts";
import { fieldsOf } from "../support/html.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("the developer page promises free credits only to users who have not had them", async () => {
  const userId = await addPerson(server);
  const browser = new BrowserSession(server);
  await browser.signIn(PERSON);
  expect(await (await browser.open("/developer")).text()).toContain(
    "Your first key comes with 100 free credits",
  );
  const usage = async () =>
    (await (await browser.open("/developer?tab=usage")).text()).replaceAll(/\s+/g, " ");
  expect(await usage()).toContain("Your first API key or connected app comes with 100 free credits.");
  const { key } = await server.accounts.keys.create(userId, { name: "first" });
  await server.accounts.keys.revoke(userId, key.id);
  const after = await (await browser.open("/developer")).text();
  expect(after).not.toContain("Your first key comes");
  expect(await usage()).not.toContain("comes with");
});

test("who has no credits left reads how to get more where a refusal sends them", async () => {
  const userId = await addPerson(server);
  const browser = new BrowserSession(server);
  await browser.signIn(PERSON);
  const opened = async () => (await (await browser.open("/developer")).text()).replaceAll(/\s+/g, " ");
  // 100 free ones are still to come.
  expect(await opened()).not.toContain("Ask the owner");
  await server.accounts.keys.create(userId, { name: "first" });
  expect(await opened()).not.toContain("Ask the owner");
  await server.accounts.credits.grant(userId, -100);
  expect(await opened()).toContain("credits left. Ask the owner of this server for more credits.");
});

test("users who got the credits by connecting an application are not promised them with a first key", async () => {
  const connected = { email: "connected@example.com", password: "a password of nobody else" };
  const userId = await addPerson(server, connected);
  const { store } = server.accounts;
  await store.transact((tx) => giveFirstCredits(tx, userId, server.runtime.now()));
  const browser = new BrowserSession(server);
  await browser.signIn(connected);
  const text = await (await browser.open("/developer")).text();
  expect(text).toContain("No keys yet.");
  expect(text).not.toContain("Your first key comes");
});

test("a new key appears in every example, and in none when the page is opened again", async () => {
  const browser = new BrowserSession(server);
  await browser.signIn(PERSON);
  const sent = { ...(await fieldsOf(browser, "/developer", "create")), name: "examples", days: "" };
  const made = await (await browser.submit("/developer", sent)).text();
  const secret = /id="secret"[^>]*>([^<]*)</.exec(made)?.[1] ?? "none";
  const examples = [...made.matchAll(/<pre id="snippet-([\w-]+)"[^>]*>([^]*?)<\/pre>/g)];
  expect(examples.map(([, name]) => name)).toEqual(
    "curl typescript python excel claude-code claude-desktop vscode cursor codex".split(" "),
  );
  const without = examples.filter(([, , code = ""]) => !code.includes(secret)).map(([, name]) => name);
  // Claude Desktop starts the executable itself and needs no key.
  expect(without).toEqual(["claude-desktop"]);
  const later = await (await browser.open("/developer?tab=quick-start")).text();
  expect(later).toContain("YOUR_API_KEY");
  // The header's name, in every example that sends it.
  const headers = later.match(/X-API-[A-Z]+/g) ?? [];
  expect([headers.length >= 3, [...new Set(headers)]]).toEqual([true, ["X-API-KEY"]]);
  expect(later).toContain(`${server.origin}/mcp/analyst`);
  expect(later).not.toContain(secret);
  expect(later).toContain("Replace <code>YOUR_API_KEY</code> with your key.");
  expect(made).not.toContain("Replace <code>");
  for (const [, , code = ""] of examples) expect(code).not.toContain("YOUR_API_KEY");
});

test("viewing the confirmation page before revoking a key changes nothing; another user's key has none", async () => {
  const other = await addPerson(server, { email: "bob@example.com", password: "correct horse battery" });
  const [mine, theirs] = await Promise.all([
    server.accounts.keys.create((await server.accounts.users.requireByEmail(PERSON.email)).id, {
      name: "<b>mine",
    }),
    server.accounts.keys.create(other, { name: "theirs" }),
  ]);
  const browser = new BrowserSession(server);
  await browser.signIn(PERSON);
  const shown = await fieldsOf(browser, "/developer", "revoke");
  const form = { ...shown, key: mine.key.id, name: mine.key.name };
  const asked = await (await browser.submit("/developer", form)).text();
  expect(asked).toContain("Revoke the key &lt;b&gt;mine");
  const foreign = await browser.submit("/developer", { ...form, key: theirs.key.id, sure: "yes" });
  expect(foreign.status).toBe(400);
  const ask = (key: string) => server.get("/api/executive-compensation/tickers", { key });
  expect([(await ask(mine.secret)).status, (await ask(theirs.secret)).status]).toEqual([200, 200]);
});

test("with a challenge, MCP says to sign in", async () => {
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

test("a test key is made with its box ticked, a live one without", async () => {
  const person = { email: "tester@example.com", password: "a password of a tester" };
  await addPerson(server, person);
  const browser = new BrowserSession(server);
  await browser.signIn(person);
  for (const [given, prefix] of [
    [{ test: "yes" }, "xc_test_"],
    [{}, "xc_live_"],
  ] as const) {
    const form = { ...(await fieldsOf(browser, "/developer", "create")), name: "k", days: "", ...given };
    expect(await (await browser.submit("/developer", form)).text()).toContain(`>${prefix}`);
  }
});

test("on a phone, where a cell's parts are in rows, a time and what follows it are one part", async () => {
  const userId = await addPerson(server);
  const browser = new BrowserSession(server);
  await browser.signIn(PERSON);
  const { secret } = await server.accounts.keys.create(userId, { name: "used" });
  await server.accounts.credits.grant(userId, 1);
  expect((await server.get("/api/executive-compensation?ticker=AAPL&limit=3", { key: secret })).status).toBe(
    200,
  );
  const page = await (await browser.open("/developer")).text();
  expect(page).toMatch(/<td data-label="Last used"><span><time[^>]*>[^<]*<\/time> from /);
  expect(page).not.toMatch(/<td[^>]*>\s*<time[^>]*>[^<]*<\/time>\s*[^\s<]/);
});
