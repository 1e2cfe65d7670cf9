import { oauthRequests } from "../../../src/store/oauth-schema.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { requirement } from "./requirements.ts";
import {
  addPerson,
  authorizeUrl,
  CHALLENGE,
  codeFields,
  PERSON,
  postForm,
  readForm,
  readJson,
  REDIRECT,
  register,
  serverForFile,
  BrowserSession,
} from "./support.ts";

const server = serverForFile();
const started: TestServer[] = [];
afterAll(() => Promise.all(started.map((one) => one.stop())));

let clientId: string;
/** Signed in once for all tests that are not about signing in. */
let browserSession: BrowserSession;
beforeAll(async () => {
  clientId = String((await register(server(), { client_name: "App" }))["client_id"]);
  browserSession = new BrowserSession(server());
  await browserSession.signIn();
});

const open = (over: Record<string, string | undefined> = {}) =>
  browserSession.open(authorizeUrl(server(), clientId, over));

async function errorOf(answer: Response, redirect = REDIRECT): Promise<string> {
  expect(answer.status).toBe(302);
  const location = answer.headers.get("location") ?? "";
  expect(location.startsWith(`${redirect}${redirect.includes("?") ? "&" : "?"}error=`)).toBe(true);
  const { searchParams } = new URL(location);
  expect(searchParams.get("iss")).toBe(server().origin);
  expect(searchParams.has("code")).toBe(false);
  expect(searchParams.get("error_description")).not.toBe("");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  return searchParams.get("error") ?? "";
}

async function expectPage(answer: Response, status = 400): Promise<string> {
  expect(answer.status).toBe(status);
  expect(answer.headers.has("location")).toBe(false);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return answer.text();
}

describe("before the client and its redirect URI are known to be valid", () => {
  const cases: Record<string, Record<string, string | undefined>> = {
    "no client": { client_id: undefined },
    "an unknown client": { client_id: "xc_client_nobody" },
    "a URL as client, with documents turned off": { client_id: "https://app.example/client.json" },
    "no redirect URI": { redirect_uri: undefined },
    "another path": { redirect_uri: "http://localhost:3118/other" },
    "another host": { redirect_uri: "http://evil.example/callback" },
    "a longer path": { redirect_uri: `${REDIRECT}/x` },
    "a dot segment": { redirect_uri: "http://localhost:3118/x/../callback" },
    "an added query": { redirect_uri: `${REDIRECT}?x=1` },
    "an added fragment": { redirect_uri: `${REDIRECT}#x` },
    "https instead of http": { redirect_uri: REDIRECT.replace("http", "https") },
    "user information": { redirect_uri: "http://localhost:3118@evil.example/callback" },
    "a script": { redirect_uri: "javascript:alert(1)" },
    "a listed address that was not registered": {
      redirect_uri: "https://claude.ai/api/mcp/auth_callback",
    },
    "other errors in addition": { redirect_uri: "http://evil.example/", response_type: "token" },
  };
  for (const [what, over] of Object.entries(cases)) {
    requirement(22, `${what}: a page and no redirect`, async () => {
      const page = await expectPage(await open(over));
      expect(page).not.toContain("evil.example");
    });
  }

  requirement(24, "client_id or redirect_uri twice: a page and no redirect", async () => {
    for (const extra of [`client_id=${clientId}`, `redirect_uri=${encodeURIComponent(REDIRECT)}`]) {
      await expectPage(await browserSession.open(`${authorizeUrl(server(), clientId)}&${extra}`));
    }
  });

  requirement(22, "a redirect URI removed from the list is refused although it was registered", async () => {
    const redirect = "https://assistant.example/cb";
    const folder = await startTestServer({ clientCallbacks: redirect });
    started.push(folder);
    const id = String((await register(folder, { redirect_uris: [redirect] }))["client_id"]);
    const { pathname, search } = new URL(authorizeUrl(folder, id, { redirect_uri: redirect }));
    expect((await folder.get(pathname + search)).status).toBe(303);
    const later = folder.accounts.grants.redirects;
    expect(later.reasonAgainst(redirect)).toBeUndefined();
    // The same store, under a server with a shorter list.
    folder.accounts.grants.redirects.reasonAgainst = () => "it is not listed";
    expect((await folder.get(pathname + search)).status).toBe(400);
  });
});

describe("errors reported to the client", () => {
  const cases: [number, string, Record<string, string | undefined>, string][] = [
    [23, "no code_challenge", { code_challenge: undefined }, "invalid_request"],
    [23, "the method plain", { code_challenge_method: "plain" }, "invalid_request"],
    [23, "no method, which means plain", { code_challenge_method: undefined }, "invalid_request"],
    [23, "the method in lower case", { code_challenge_method: "s256" }, "invalid_request"],
    [23, "a challenge of 42 characters", { code_challenge: CHALLENGE.slice(1) }, "invalid_request"],
    [23, "a challenge of 44 characters", { code_challenge: `${CHALLENGE}A` }, "invalid_request"],
    [23, "a challenge in plain base64", { code_challenge: `${CHALLENGE.slice(2)}+/` }, "invalid_request"],
    [25, "no response_type", { response_type: undefined }, "invalid_request"],
    [25, "the response_type token", { response_type: "token" }, "unsupported_response_type"],
    [25, "the response_type code token", { response_type: "code token" }, "unsupported_response_type"],
    [25, "another response_mode", { response_mode: "fragment" }, "invalid_request"],
    [25, "a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "invalid_request"],
    [25, "a request_uri", { request_uri: "https://evil.example/r" }, "invalid_request"],
    [29, "a foreign resource", { resource: "https://evil.example/mcp" }, "invalid_target"],
    [29, "a resource with a fragment", { resource: "http://localhost/mcp#x" }, "invalid_target"],
    [29, "a relative resource", { resource: "/mcp" }, "invalid_target"],
    [30, "prompt=none, since a person decides each time", { prompt: "none" }, "consent_required"],
    [30, "prompt=none combined with another", { prompt: "none consent" }, "invalid_request"],
  ];
  for (const [id, what, over, error] of cases) {
    requirement(id, `${what}: ${error}`, async () => {
      expect(await errorOf(await open(over))).toBe(error);
    });
  }

  requirement(24, "any parameter twice: invalid_request, without a state that is ambiguous", async () => {
    for (const name of ["response_type", "code_challenge", "scope", "resource", "state", "unknown"]) {
      const url = authorizeUrl(server(), clientId, { unknown: "1" });
      const answer = await browserSession.open(`${url}&${name}=x`);
      expect(await errorOf(answer)).toBe("invalid_request");
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      expect(searchParams.get("state")).toBe(name === "state" ? null : "s t/a?t&e=");
    }
  });

  requirement(25, "state is returned byte for byte or not at all, iss always", async () => {
    for (const state of ["a", "s t+a%20t&e=", "ü€😀", "'\"<>", "x".repeat(2048)]) {
      for (const over of [{ response_type: "token" }, { resource: "https://evil.example/" }]) {
        const answer = await open({ ...over, state });
        await errorOf(answer);
        expect(new URL(answer.headers.get("location") ?? "").searchParams.get("state")).toBe(state);
      }
      const back = await browserSession.decide(authorizeUrl(server(), clientId, { state }));
      expect(back.searchParams.get("state")).toBe(state);
      expect(back.searchParams.getAll("code")).toHaveLength(1);
      expect(back.searchParams.get("iss")).toBe(server().origin);
    }
    for (const state of [undefined, ""]) {
      const back = await browserSession.decide(authorizeUrl(server(), clientId, { state }));
      expect([...back.searchParams.keys()]).toEqual(["code", "iss"]);
    }
  });

  requirement(
    25,
    "the issuer is the loopback name of the request, from the first page to the last",
    async () => {
      const s = server();
      for (const name of ["127.0.0.1", "[::1]"]) {
        const origin = `http://${name}:${s.port}`;
        const guest = new BrowserSession(s, origin);
        const url = authorizeUrl(s, clientId, { resource: `${origin}/mcp` }).replace(s.origin, origin);
        const toSignIn = await guest.open(url);
        expect(toSignIn.headers.get("location")).toStartWith(`${origin}/sign-in?transaction=xc_ar_`);
        const back = await guest.decide(url);
        expect(back.searchParams.get("iss")).toBe(origin);
        const code = back.searchParams.get("code") ?? "";
        const fields = codeFields(s, clientId, code, { resource: `${origin}/mcp` });
        expect((await postForm(s, "/oauth/token", fields)).status).toBe(200);
      }
    },
  );
});

requirement(26, "a redirect URI keeps its query, in success and in error", async () => {
  const s = server();
  const redirect = "http://localhost:3118/callback?a=1&b=%2F";
  const id = String((await register(s, { redirect_uris: [redirect] }))["client_id"]);
  const back = await browserSession.decide(authorizeUrl(s, id, { redirect_uri: redirect }));
  expect(back.href).toStartWith(`${redirect}&code=xc_ac_`);
  const url = authorizeUrl(s, id, { redirect_uri: redirect, response_type: "token" });
  expect(await errorOf(await browserSession.open(url), redirect)).toBe("unsupported_response_type");
});

requirement(
  27,
  "any port of the registered loopback address is accepted, but no other difference",
  async () => {
    const s = server();
    for (const [registered, asked] of [
      ["http://localhost:3118/callback", "http://localhost:50000/callback"],
      ["http://127.0.0.1/", "http://127.0.0.1:33418/"],
      ["http://127.0.0.1:33418/", "http://127.0.0.1/"],
      ["http://[::1]:1/cb?x=1", "http://[::1]:65535/cb?x=1"],
    ] as const) {
      const id = String((await register(s, { redirect_uris: [registered] }))["client_id"]);
      const back = await browserSession.decide(authorizeUrl(s, id, { redirect_uri: asked }));
      expect(back.href).toStartWith(`${asked}${asked.includes("?") ? "&" : "?"}code=`);
      const code = back.searchParams.get("code") ?? "";
      // The token request repeats the port that was used, not the registered one.
      const wrong = await postForm(s, "/oauth/token", codeFields(s, id, code, { redirect_uri: registered }));
      expect((await readJson(wrong))["error"]).toBe("invalid_grant");
      const right = await postForm(s, "/oauth/token", codeFields(s, id, code, { redirect_uri: asked }));
      expect(right.status).toBe(200);
    }
  },
);

requirement(28, "localhost, 127.0.0.1 and [::1] are not interchangeable", async () => {
  for (const host of ["127.0.0.1", "[::1]", "LOCALHOST", "localhost."]) {
    await expectPage(await open({ redirect_uri: REDIRECT.replace("localhost", host) }));
  }
});

describe("resource", () => {
  requirement(
    29,
    "if omitted or empty, it is the MCP endpoint; any of its names is accepted, in any spelling of the URI",
    async () => {
      const s = server();
      for (const resource of [
        undefined,
        "",
        `${s.origin}/mcp`,
        `${s.origin}/mcp/private`,
        `${s.origin}/mcp/analyst`,
        `http://127.0.0.1:${s.port}/mcp`,
        `http://[::1]:${s.port}/mcp`,
        `HTTP://LOCALHOST:${s.port}/mcp`,
      ]) {
        expect((await open({ resource })).status).toBe(200);
      }
      for (const resource of [
        s.origin,
        `${s.origin}/`,
        `${s.origin}/mcp/`,
        `${s.origin}/mcp?x=1`,
        `${s.origin}/mcp#x`,
        `\0${s.origin}/mcp`,
        ` ${s.origin}/mcp`,
        s.origin.replace("localhost", "l\u00bacalhost") + "/mcp",
        s.origin.replace("//", "//\\") + "/mcp",
        `${s.origin}/api`,
      ]) {
        expect(await errorOf(await open({ resource }))).toBe("invalid_target");
      }
    },
  );

  requirement(29, "the alias is one of its names", async () => {
    const s = await startTestServer({
      publicUrl: "https://pay.example.com",
      mcpLegacyUrl: "https://old.example.com/mcp",
    });
    started.push(s);
    const id = String((await registerAt(s, "pay.example.com"))["client_id"]);
    const status = async (resource: string) => {
      const { pathname, search } = new URL(authorizeUrl(s, id, { resource }));
      return (await s.get(pathname + search, { headers: { host: "pay.example.com" } })).status;
    };
    expect(await status("https://old.example.com/mcp")).toBe(303);
    expect(await status("https://pay.example.com/mcp")).toBe(303);
    expect(await status("https://other.example.com/mcp")).toBe(302);
  });

  requirement(
    29,
    "an alias that is a whole host is one of its names, with and without the slash",
    async () => {
      const publicUrl = "https://pay.example.com";
      const s = await startTestServer({ publicUrl, mcpLegacyUrl: "https://mcp.example.com" });
      started.push(s);
      const id = String((await registerAt(s, "pay.example.com"))["client_id"]);
      const path = "/.well-known/oauth-protected-resource";
      const about = await readJson(await s.get(path, { headers: { host: "mcp.example.com" } }));
      expect(about["resource"]).toBe("https://mcp.example.com");
      for (const resource of ["https://mcp.example.com", "https://mcp.example.com/"]) {
        const { pathname, search } = new URL(authorizeUrl(s, id, { resource }));
        const answer = await s.get(pathname + search, { headers: { host: "pay.example.com" } });
        expect([resource, answer.status]).toEqual([resource, 303]);
      }
      const { pathname, search } = new URL(authorizeUrl(s, id, { resource: `${publicUrl}/` }));
      expect((await s.get(pathname + search, { headers: { host: "pay.example.com" } })).status).toBe(302);
    },
  );
});

async function registerAt(s: TestServer, host: string) {
  const answer = await s.get("/oauth/register", {
    method: "POST",
    body: JSON.stringify({ redirect_uris: [REDIRECT] }),
    headers: { "content-type": "application/json", host },
  });
  return readJson(answer);
}

requirement(
  30,
  "unknown scopes and those of OpenID Connect lead to the consent page and to our scope",
  async () => {
    const s = server();
    for (const over of [
      { scope: "openid profile email offline_access" },
      { scope: "admin:everything" },
      { scope: undefined },
      { scope: "" },
      { scope: "  executive-compensation:read   offline_access ", prompt: "consent" },
      { nonce: "n", max_age: "0", ui_locales: "de", login_hint: "x", dpop_jkt: "x", audience: "x" },
    ]) {
      const url = authorizeUrl(s, clientId, over);
      expect(await (await browserSession.consentPage(url)).text()).not.toContain("offline");
      const back = await browserSession.decide(url);
      const code = back.searchParams.get("code") ?? "";
      const tokens = await readJson(await postForm(s, "/oauth/token", codeFields(s, clientId, code)));
      expect(tokens["scope"]).toBe("executive-compensation:read");
      expect(tokens["refresh_token"]).toBeString();
    }
    // Challenges do not name it; the resource's metadata are compared as a whole in discovery.test.ts.
    for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
      const challenged = await s.get(path, {
        method: "POST",
        headers: { authorization: "Bearer none" },
        body: "{}",
      });
      expect(challenged.status).toBe(401);
      expect(challenged.headers.get("www-authenticate")).not.toContain("offline");
    }
  },
);

requirement(
  30,
  "prompt=none without a session is login_required; prompt=login asks to sign in again",
  async () => {
    const s = server();
    const guest = new BrowserSession(s);
    expect(await errorOf(await guest.open(authorizeUrl(s, clientId, { prompt: "none" })))).toBe(
      "login_required",
    );
    for (const prompt of ["login", "select_account"]) {
      const answer = await open({ prompt });
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toStartWith(`${s.origin}/sign-in?transaction=`);
    }
  },
);

test("the consent page names the client, the redirect, the purpose, the possible charges and the account", async () => {
  const page = await (await open()).text();
  for (const said of [
    "Connect <q>App</q>?",
    "it is not verified",
    "<strong>localhost:3118</strong>",
    "a program on this computer",
    "executive-compensation:read",
    "your credits",
    PERSON.email,
    'name="decision" value="approve"',
    'name="decision" value="deny"',
    "Use another account",
  ]) {
    expect(page).toContain(said);
  }
  expect(page).not.toContain("<script");
  expect(page).toContain(`<dd>${server().origin}/mcp</dd>`);
  const analyst = await (await open({ resource: `${server().origin}/mcp/analyst` })).text();
  expect(analyst).toContain(`<dd>${server().origin}/mcp/analyst</dd>`);
  const hosted = await register(server(), {
    client_name: "Claude",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
  });
  const other = await browserSession.open(
    authorizeUrl(server(), String(hosted["client_id"]), {
      redirect_uri: "https://claude.ai/api/mcp/auth_callback",
    }),
  );
  const text = await other.text();
  expect(text).toContain("<strong>claude.ai</strong>");
  expect(text).not.toContain("a program on this computer");
});

test("the consent page states the free credits of a first connection, and later the remaining ones", async () => {
  const s = server();
  const newcomer = { email: "new@example.com", password: "a long enough password" };
  const userId = await addPerson(s, newcomer);
  const guest = new BrowserSession(s);
  const read = async () => {
    const text = await (await guest.consentPage(authorizeUrl(s, clientId), newcomer)).text();
    return text.replaceAll(/\s+/g, " ");
  };
  const first = await read();
  expect(first).toContain("100 left, including 100 free credits for this first connection");
  await s.accounts.keys.create(userId, { name: "k" });
  const second = await read();
  expect(second).toContain("your credits: 100 left.");
});

requirement(
  31,
  "denying redirects with access_denied, state and iss, and nothing can be approved afterwards",
  async () => {
    const s = server();
    const form = await readForm(await open());
    const denied = await browserSession.submit(form.action, { ...form.hidden, decision: "deny" });
    expect(denied.status).toBe(303);
    const back = new URL(denied.headers.get("location") ?? "");
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.get("state")).toBe("s t/a?t&e=");
    expect(back.searchParams.get("iss")).toBe(s.origin);
    expect(back.searchParams.has("code")).toBe(false);
    const after = await browserSession.submit(form.action, { ...form.hidden, decision: "approve" });
    expect(after.headers.get("location")).toBe(denied.headers.get("location"));
  },
);

requirement(
  32,
  "a double click gets the same redirect until the code is used, then a plain page",
  async () => {
    const s = server();
    const form = await readForm(await open());
    const click = (decision = "approve") => browserSession.submit(form.action, { ...form.hidden, decision });
    const [first, second] = await Promise.all([click(), click()]);
    expect(first.status).toBe(303);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect((await click("deny")).headers.get("location")).toBe(first.headers.get("location"));
    const code = new URL(first.headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect((await postForm(s, "/oauth/token", codeFields(s, clientId, code))).status).toBe(200);
    const after = await click();
    expect(after.status).toBe(200);
    expect(after.headers.has("location")).toBe(false);
    expect(await after.text()).toContain("Already connected");
  },
);

requirement(32, "repeating a decision after the code has expired gets a page that says so", async () => {
  const s = await startTestServer();
  started.push(s);
  await addPerson(s);
  const id = String((await register(s))["client_id"]);
  const guest = new BrowserSession(s);
  const form = await readForm(await guest.consentPage(authorizeUrl(s, id)));
  const click = () => guest.submit(form.action, { ...form.hidden, decision: "approve" });
  expect((await click()).status).toBe(303);
  s.advance(300_000);
  const late = await click();
  expect([late.status, late.headers.has("location")]).toEqual([400, false]);
  s.advance(300_000);
  await expectPage(await click());
});

test("the page that stores what the browser carried, opened twice at once, is there both times", async () => {
  const s = server();
  const guest = new BrowserSession(s);
  const toSignIn = await guest.open(authorizeUrl(s, clientId));
  const signedIn = await guest.signIn(PERSON, toSignIn.headers.get("location") ?? "");
  const page = () => guest.open(signedIn.headers.get("location") ?? "");
  const [first, second] = await Promise.all([page(), page()]);
  expect([first.status, second.status]).toEqual([200, 200]);
});

function without(fields: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

describe("only this browser's own form can decide", () => {
  const tryWith = async (
    change: (fields: Record<string, string>) => Record<string, string>,
    headers: Record<string, string> = {},
    by: BrowserSession = browserSession,
  ) => {
    const form = await readForm(await open());
    return by.submit(form.action, change({ ...form.hidden, decision: "approve" }), headers);
  };

  for (const [what, change, status] of [
    ["no csrf", (fields) => without(fields, "csrf"), 403],
    ["an empty csrf", (fields) => ({ ...fields, csrf: "" }), 403],
    ["a wrong csrf", (fields) => ({ ...fields, csrf: "x".repeat(43) }), 403],
    ["no transaction", (fields) => without(fields, "transaction"), 400],
    ["an invented transaction", (fields) => ({ ...fields, transaction: `xc_ar_${"A".repeat(49)}` }), 400],
    ["no decision", (fields) => without(fields, "decision"), 400],
    ["another decision", (fields) => ({ ...fields, decision: "yes" }), 400],
  ] as [string, (fields: Record<string, string>) => Record<string, string>, number][]) {
    requirement(33, `${what}: a page, no redirect`, async () => {
      await expectPage(await tryWith(change), status);
    });
  }

  requirement(33, "a form sent from another site is refused, whatever it contains", async () => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "https://evil.example" },
      { origin: server().origin, "sec-fetch-site": "cross-site" },
    ]) {
      await expectPage(await tryWith((fields) => fields, headers), 403);
    }
    for (const headers of [
      { "sec-fetch-site": "same-origin", origin: "null" },
      { origin: server().origin },
      {},
    ]) {
      expect((await tryWith((fields) => fields, headers)).status).toBe(303);
    }
  });

  requirement(33, "a link to another person's transaction is useless in a different browser", async () => {
    const s = server();
    const page = await open();
    const form = await readForm(page);
    const transaction = form.hidden["transaction"] ?? "";
    const victim = new BrowserSession(s);
    await victim.signIn();
    const shown = await victim.open(`/oauth/authorize/consent?transaction=${transaction}`);
    await expectPage(shown);
    const own = await readForm(await victim.open(authorizeUrl(s, clientId)));
    const forced = await victim.submit(own.action, { ...own.hidden, transaction, decision: "approve" });
    await expectPage(forced);
    // Nor with the attacker's form value, which belongs to the attacker's browser.
    const stolen = await victim.submit(own.action, { ...form.hidden, decision: "approve" });
    await expectPage(stolen, 403);
  });

  requirement(33, "another account in the same browser cannot repeat the first one's decision", async () => {
    const s = server();
    const guest = new BrowserSession(s);
    const form = await readForm(await guest.consentPage(authorizeUrl(s, clientId)));
    expect((await guest.submit(form.action, { ...form.hidden, decision: "approve" })).status).toBe(303);
    const other = { email: "other@example.com", password: "another password" };
    await addPerson(s, other);
    await guest.signIn(other);
    const again = await guest.open(
      `/oauth/authorize/consent?transaction=${form.hidden["transaction"] ?? ""}`,
    );
    const second = await readForm(again);
    await expectPage(await guest.submit(second.action, { ...second.hidden, decision: "approve" }));
  });

  requirement(33, "without a session, the form leads to signing in", async () => {
    const s = server();
    const guest = new BrowserSession(s);
    const form = await readForm(await guest.consentPage(authorizeUrl(s, clientId)));
    for (const name of guest.jar.keys()) if (name.includes("session")) guest.jar.delete(name);
    await expectPage(await guest.submit(form.action, { ...form.hidden, decision: "approve" }), 403);
    const shown = await guest.open(
      `/oauth/authorize/consent?transaction=${form.hidden["transaction"] ?? ""}`,
    );
    expect(shown.headers.get("location")).toStartWith(`${s.origin}/sign-in?transaction=`);
  });

  requirement(33, "GET cannot decide the same transaction", async () => {
    const form = await readForm(await open());
    const query = new URLSearchParams({ ...form.hidden, decision: "approve" });
    const answer = await browserSession.open(`${form.action}?${query}`);
    expect([answer.status, answer.headers.has("location")]).toEqual([200, false]);
  });
});

describe("every page of the sign-in", () => {
  const pages: [string, () => Promise<Response>][] = [
    ["consent", () => open()],
    ["error", () => open({ client_id: "nobody" })],
    ["sign-in", () => new BrowserSession(server()).open("/sign-in")],
    ["failed sign-in", () => new BrowserSession(server()).signIn({ ...PERSON, password: "wrong password" })],
    ["sign-up", () => new BrowserSession(server()).open("/sign-up")],
    ["set-up with an invalid link", () => new BrowserSession(server()).open("/set-up?token=x")],
  ];
  for (const [name, get] of pages) {
    requirement(34, `${name}: cannot be framed, sniffed or stored, and leaks no referrer`, async () => {
      const { headers } = await get();
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
    });
    requirement(35, `${name}: the policy is strict and has no form-action`, async () => {
      const policy = (await get()).headers.get("content-security-policy") ?? "";
      expect(policy).not.toContain("form-action");
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("base-uri 'none'");
    });
  }
});

requirement(
  36,
  "consent is required again even if the same person has approved the same client",
  async () => {
    const s = server();
    await browserSession.decide(authorizeUrl(s, clientId));
    const again = await open();
    expect([again.status, again.headers.has("location")]).toEqual([200, false]);
  },
);

describe("signing in", () => {
  requirement(37, "a session fixed before signing in is replaced and useless", async () => {
    const s = server();
    const guest = new BrowserSession(s);
    const name = `execcomp_session_${s.port}`;
    guest.jar.set(name, "xc_session_planted");
    await guest.signIn();
    const after = guest.jar.get(name);
    expect(after).toMatch(/^xc_session_/);
    expect(after).not.toBe("xc_session_planted");
    const first = after ?? "";
    await guest.signIn();
    expect(guest.jar.get(name)).not.toBe(first);
    // The previous session has ended.
    expect(await s.accounts.sessions.find(first)).toBeUndefined();
  });

  requirement(
    37,
    "cookies are HttpOnly and Lax; over https they are Secure and bound to the host",
    async () => {
      const s = server();
      const lines = (await s.get("/sign-in")).headers.getSetCookie();
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^execcomp_browser_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
      const secure = await startTestServer({ publicUrl: "https://pay.example.com" });
      started.push(secure);
      const [line] = (
        await secure.get("/sign-in", { headers: { host: "pay.example.com" } })
      ).headers.getSetCookie();
      expect(line).toMatch(/^__Host-execcomp_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    },
  );

  requirement(37, "signing out also ends the session in the store", async () => {
    const s = server();
    const guest = new BrowserSession(s);
    const form = await readForm(await guest.consentPage(authorizeUrl(s, clientId)));
    const session = guest.jar.get(`execcomp_session_${s.port}`) ?? "";
    const out = await guest.submit("/sign-out", form.hidden);
    expect(out.status).toBe(303);
    // Using another account returns to the same request.
    expect(out.headers.get("location")).toBe(
      `${s.origin}/sign-in?transaction=${form.hidden["transaction"] ?? ""}`,
    );
    expect(await s.accounts.sessions.find(session)).toBeUndefined();
    expect(guest.jar.has(`execcomp_session_${s.port}`)).toBe(false);
  });

  requirement(38, "whatever the address says, signing in leads only to our own pages", async () => {
    const s = server();
    for (const query of [
      "next=https://evil.example",
      "next=//evil.example",
      "redirect_uri=https://evil.example",
      "return_to=/\\evil.example",
      "transaction=https://evil.example",
      "transaction=//evil.example",
      `transaction=xc_ar_${"A".repeat(48)}/`,
    ]) {
      const guest = new BrowserSession(s);
      const answer = await guest.signIn(PERSON, `/sign-in?${query}`);
      expect([query, answer.status, answer.headers.get("location")]).toEqual([query, 303, `${s.origin}/`]);
    }
  });

  test("a wrong password and an unknown account get the same answer, and the form stays", async () => {
    const s = server();
    const texts = [];
    for (const person of [
      { ...PERSON, password: "not this one" },
      { email: "nobody@example.com", password: "not this one" },
    ]) {
      const answer = await new BrowserSession(s).signIn(person);
      expect(answer.status).toBe(401);
      texts.push((await answer.text()).replaceAll(/value="[^"]*"/g, ""));
    }
    expect(texts[0]).toBe(texts[1] ?? "");
    expect(texts[0]).toContain("Wrong e-mail or password.");
  });

  test("the form requires its csrf field", async () => {
    const s = server();
    const guest = new BrowserSession(s);
    await guest.open("/sign-in");
    expect((await guest.submit("/sign-in", PERSON)).status).toBe(403);
    expect((await guest.submit("/sign-in", { ...PERSON, csrf: "x" })).status).toBe(403);
  });
});

describe("a pending request without a session", () => {
  const rowsOf = (s: TestServer) => s.accounts.store.db.select().from(oauthRequests).all().length;

  test("is carried by the browser: 200 of them leave the store unchanged", async () => {
    const s = await startTestServer({ trustedProxies: "127.0.0.1" });
    started.push(s);
    const id = String((await register(s))["client_id"]);
    const { pathname, search } = new URL(authorizeUrl(s, id, { state: "s".repeat(1500) }));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        s.get(pathname + search, {
          headers: { "x-forwarded-for": `203.0.${Math.floor(n / 250)}.${n % 250}` },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(rowsOf(s)).toBe(0);
  });

  test("resumes when its browser signs in, once, and not in another browser", async () => {
    const s = await startTestServer();
    started.push(s);
    await addPerson(s);
    const id = String((await register(s))["client_id"]);
    const guest = new BrowserSession(s);
    const toSignIn = (await guest.open(authorizeUrl(s, id))).headers.get("location") ?? "";
    const thief = new BrowserSession(s);
    for (const [name, value] of guest.jar) if (name.includes("request")) thief.jar.set(name, value);
    await thief.open("/sign-in");
    const stolen = await thief.signIn(PERSON, toSignIn);
    expect((await thief.open(stolen.headers.get("location") ?? "")).status).toBe(400);
    const own = await guest.signIn(PERSON, toSignIn);
    const consent = await guest.open(own.headers.get("location") ?? "");
    expect(consent.status).toBe(200);
    expect([...guest.jar.keys()].filter((name) => name.includes("request"))).toEqual([]);
    expect(rowsOf(s)).toBe(1);
  });

  test("expires after ten minutes", async () => {
    const s = await startTestServer();
    started.push(s);
    await addPerson(s);
    const guest = new BrowserSession(s);
    const id = String((await register(s))["client_id"]);
    const toSignIn = (await guest.open(authorizeUrl(s, id))).headers.get("location") ?? "";
    s.advance(600_000);
    const own = await guest.signIn(PERSON, toSignIn);
    expect((await guest.open(own.headers.get("location") ?? "")).status).toBe(400);
  });

  test("at most three are pending in one browser, in cookies that fit the header limit of every server", async () => {
    const s = await startTestServer();
    started.push(s);
    await addPerson(s);
    const id = String((await register(s))["client_id"]);
    const guest = new BrowserSession(s);
    const locations: string[] = [];
    for (let n = 0; n < 5; n++) {
      locations.push(
        (await guest.open(authorizeUrl(s, id, { state: `n${n}` }))).headers.get("location") ?? "",
      );
      s.advance(1000);
    }
    await guest.signIn();
    const consentFor = async (location: string) =>
      (await guest.open(`/oauth/authorize/consent${new URL(location).search}`)).status;
    const statuses: number[] = [];
    for (const location of locations) statuses.push(await consentFor(location));
    expect(statuses).toEqual([400, 400, 200, 200, 200]);
    const other = new BrowserSession(s);
    for (let n = 0; n < 4; n++) {
      const answer = await other.open(authorizeUrl(s, id, { state: `${n}`.padEnd(2048, "x") }));
      expect(answer.status).toBe(303);
      for (const line of answer.headers.getSetCookie()) expect(line.split(";")[0]?.length).toBeLessThan(4096);
      expect([...other.jar].join("").length).toBeLessThan(9000);
    }
  });
});

test("state is limited to 2 KiB, the whole request to 2,900 characters", async () => {
  const s = await startTestServer();
  started.push(s);
  const id = String((await register(s))["client_id"]);
  const guest = new BrowserSession(s);
  const long = await guest.open(authorizeUrl(s, id, { state: "x".repeat(2049) }));
  const told = new URL(long.headers.get("location") ?? "");
  expect(told.origin + told.pathname).toBe(REDIRECT);
  expect([told.searchParams.get("error"), told.searchParams.has("state")]).toEqual([
    "invalid_request",
    false,
  ]);
  const whole = await guest.open(authorizeUrl(s, id, { state: "é".repeat(500) }));
  expect([whole.status, whole.headers.has("location")]).toEqual([400, false]);
});

test("one signed-in address may have 200 pending requests; other addresses are unaffected, and so is this one after ten minutes", async () => {
  const s = await startTestServer({ trustedProxies: "127.0.0.1" });
  started.push(s);
  await addPerson(s);
  const id = String((await register(s))["client_id"]);
  const guest = new BrowserSession(s);
  await guest.signIn();
  const from = (address: string) =>
    guest.open(authorizeUrl(s, id), { headers: { "x-forwarded-for": address } });
  const answers = await Promise.all(Array.from({ length: 201 }, () => from("203.0.113.1")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
  const refused = await from("203.0.113.1");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("600");
  expect(refused.headers.has("location")).toBe(false);
  expect((await from("203.0.113.2")).status).toBe(200);
  s.advance(600_000);
  expect((await from("203.0.113.1")).status).toBe(200);
  const kept = s.accounts.store.db.select().from(oauthRequests).all().length;
  expect(kept).toBe(1);
});

test("no secret of a sign-in appears in the log", async () => {
  const s = await startTestServer();
  started.push(s);
  await addPerson(s);
  const secret = await register(s, { token_endpoint_auth_method: "client_secret_post" });
  const id = String(secret["client_id"]);
  const guest = new BrowserSession(s);
  const back = await guest.decide(authorizeUrl(s, id));
  const code = back.searchParams.get("code") ?? "";
  const clientSecret = String(secret["client_secret"]);
  const tokens = await readJson(
    await postForm(s, "/oauth/token", codeFields(s, id, code, { client_secret: clientSecret })),
  );
  await postForm(s, "/oauth/token", codeFields(s, id, code, { client_secret: clientSecret }));
  await s.get(`/oauth/${String(tokens["access_token"])}`);
  await s.get(`/t/${String(tokens["refresh_token"])}/facts?access_token=${String(tokens["access_token"])}`);
  const log = s.lines.join("\n");
  expect(s.lines.some((line) => line.includes("oauth_code_replayed"))).toBe(true);
  for (const value of [
    code,
    clientSecret,
    tokens["access_token"],
    tokens["refresh_token"],
    PERSON.password,
    ...guest.jar.values(),
  ]) {
    expect(log).not.toContain(String(value).slice(6));
  }
  expect(log).not.toMatch(/xc_(at|rt|ac|ar|cs|session)_[0-9A-Za-z]/);
});
