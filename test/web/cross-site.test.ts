/** Forms of another site, or without the page's token: they have no effect at any address that accepts POST. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ROUTE_NAMES, ROUTES } from "../../src/http/routes.ts";
import { BrowserSession } from "../contract/oauth/support.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const OWNER = { email: "owner@example.com", password: "an owner's long password" };
/** Called by programs: they use no cookie that another site could exploit. */
const FOR_PROGRAMS = new Set(["mcp", "mcpPrivate", "mcpAnalyst", "register", "token", "revoke"]);
const FORMS = ROUTE_NAMES.filter((name) => {
  const methods: readonly string[] = ROUTES[name].methods;
  return methods.includes("POST") && !FOR_PROGRAMS.has(name);
});
/** Without a link or a group these have nothing to act on, and say so before they check the form. */
const WITHOUT_SUBJECT: Readonly<Partial<Record<(typeof FORMS)[number], number>>> = {
  setUp: 410,
  invite: 410,
  reset: 410,
  peerGroup: 404,
  // A form with a file, unlike these; `admin-data.test.ts` sends it with a wrong token.
  adminUpload: 400,
  // Not served without a mail server.
  forgotPassword: 404,
};
const pathOf = (name: (typeof FORMS)[number]) =>
  ROUTES[name].path.replace(":ticker", "AAPL").replace(":cik", "0000320193").replace(":id", "x");

let server: TestServer;
let browser: BrowserSession;
let csrf = "";
beforeAll(async () => {
  server = await startTestServer({ signUp: "open" });
  await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
  browser = new BrowserSession(server);
  await browser.signIn(OWNER);
  const developer = await (await browser.open("/developer")).text();
  csrf = /name="csrf" value="([^"]*)"/.exec(developer)?.[1] ?? "";
  expect(csrf).not.toBe("");
});
afterAll(() => server.stop());

test.each(FORMS)("%s", async (name) => {
  const path = pathOf(name);
  for (const [fields, headers] of [
    [{}, {}],
    [{ csrf: "" }, {}],
    [{ csrf: csrf.replace(/^./, (first) => (first === "A" ? "B" : "A")) }, { origin: server.origin }],
    [{ csrf }, { origin: "https://evil.example" }],
    [{ csrf }, { "sec-fetch-site": "cross-site" }],
    [{ csrf }, { "sec-fetch-site": "same-site", origin: server.origin }],
  ] as const) {
    const answer = await browser.submit(path, fields, headers);
    const status = WITHOUT_SUBJECT[name] ?? 403;
    expect([path, fields, headers, answer.status]).toEqual([path, fields, headers, status]);
    await answer.text();
  }
  // The session is still valid.
  expect((await browser.open("/developer")).status).toBe(200);
});
