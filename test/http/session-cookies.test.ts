import { expect, test } from "bun:test";
import { readBody } from "../../src/http/bodies.ts";
import { pageResponse } from "../../src/http/html-responses.ts";
import { SessionCookies } from "../../src/http/session-cookies.ts";
import { testRuntime } from "../support/runtime.ts";

const ORIGIN = "http://localhost:8402";
const BASE_URLS = {
  origin: ORIGIN,
  api: `${ORIGIN}/api`,
  compensation: `${ORIGIN}/api/executive-compensation`,
  mcp: `${ORIGIN}/mcp`,
  developer: `${ORIGIN}/developer`,
};

const cookies = new SessionCookies({
  runtime: testRuntime(),
  contextOf: (request) => ({
    id: "r",
    url: new URL(request.url),
    pathname: "/",
    search: "",
    method: "GET",
    route: "/",
    baseUrls: BASE_URLS,
    address: "127.0.0.1",
    readBody,
    allowMinutes() {},
    keepOpen() {},
    caller: null,
    refusal: undefined,
  }),
  findPerson: async (session) => ({
    userId: session,
    email: `${session}@example.com`,
    isOwner: false,
    signedInAtMs: 0,
  }),
});

/** The browser session of a browser, signed in or not. */
function sessionOf(browser: string, session: string | null) {
  const jar = [
    `execcomp_browser_8402=${browser.repeat(43)}`,
    ...(session === null ? [] : [`execcomp_session_8402=${session}`]),
  ];
  return cookies.browserSession(new Request(ORIGIN, { headers: { cookie: jar.join("; ") } }));
}

test("a form belongs to its browser and session: signing in, out or as someone else makes it refused", async () => {
  const all = await Promise.all([
    sessionOf("a", null),
    sessionOf("a", "ann"),
    sessionOf("a", "bob"),
    sessionOf("b", "ann"),
  ]);
  const form = (csrf: string) =>
    new Request(ORIGIN, { method: "POST", body: new URLSearchParams({ csrf }), headers: { origin: ORIGIN } });
  for (const issued of all) {
    for (const current of all) {
      const sent = cookies.form(form(issued.csrf), current).then(
        () => "taken",
        (refused) => refused.kind,
      );
      expect(await sent).toBe(issued === current ? "taken" : "forbidden");
    }
  }
});

test("no page can be framed, whatever it is", () => {
  for (const status of [200, 404] as const) {
    const policy = pageResponse("x", status).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  }
});
