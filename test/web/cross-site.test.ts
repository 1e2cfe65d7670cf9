/** A form of another site, or one that its page did not make: no address that takes a POST does anything. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ROUTE_NAMES, ROUTES } from "../../src/routes.ts";
import { BrowserSession } from "../contract/oauth/support.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const OWNER = { email: "owner@example.com", password: "an owner's long password" };
/** What programs call: they carry no cookie that anybody could make use of. */
const FOR_PROGRAMS = new Set(["mcp", "mcpPrivate", "mcpAnalyst", "register", "token", "revoke"]);
const FORMS = ROUTE_NAMES.filter((name) => {
  const methods: readonly string[] = ROUTES[name].methods;
  return methods.includes("POST") && !FOR_PROGRAMS.has(name);
});
/** Those that have nothing to act on without a link or a group, and say that before they say who sent the form. */
const WITHOUT_SUBJECT: Readonly<Partial<Record<(typeof FORMS)[number], number>>> = {
  setUp: 410,
  invite: 410,
  reset: 410,
  peerGroup: 404,
  deletePeerGroup: 404,
  // A form with a file, which these are not; `admin-data.test.ts` sends it with a wrong token.
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
  // Whoever was signed in is still.
  expect((await browser.open("/developer")).status).toBe(200);
});
