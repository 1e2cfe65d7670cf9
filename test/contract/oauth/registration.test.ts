import { afterAll, describe, expect, test } from "bun:test";
import { tempFolder } from "../../support/folder.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { requirement } from "./requirements.ts";
import {
  addPerson,
  authorizeUrl,
  type Json,
  postForm,
  postJson,
  readJson,
  register,
  SCOPE,
  serverForFile,
  BrowserSession,
} from "./support.ts";

const server = serverForFile();
const started: TestServer[] = [];
afterAll(() => Promise.all(started.map((one) => one.stop())));

requirement(8, "one redirect URI is sufficient; the answer states what was registered", async () => {
  const s = server();
  const answer = await postJson(s, "/oauth/register", { redirect_uris: ["http://localhost:1/cb"] });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(await readJson(answer)).toEqual({
    client_id: expect.stringMatching(/^xc_client_[0-9A-Za-z]{49}$/),
    client_id_issued_at: Math.floor(s.runtime.now() / 1000),
    redirect_uris: ["http://localhost:1/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: SCOPE,
  });
});

test("a confidential client gets its secret once, and there is no registration_client_uri that leads nowhere", async () => {
  for (const method of ["client_secret_basic", "client_secret_post"]) {
    const body = await register(server(), { token_endpoint_auth_method: method });
    expect(body["client_secret"]).toMatch(/^xc_cs_[0-9A-Za-z]{49}$/);
    expect(body["client_secret_expires_at"]).toBe(0);
    expect(body["token_endpoint_auth_method"]).toBe(method);
    expect(body).not.toHaveProperty("registration_client_uri");
    expect(body).not.toHaveProperty("registration_access_token");
  }
});

describe("registrations as real clients send them", () => {
  const common = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] };
  const bodies: Record<string, Json> = {
    "claude.ai": {
      ...common,
      client_name: "Claude",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
      token_endpoint_auth_method: "none",
      scope: "executive-compensation:read",
    },
    "Claude's other address": {
      ...common,
      client_name: "Claude",
      redirect_uris: ["https://claude.com/api/mcp/auth_callback"],
    },
    "Claude Code": {
      ...common,
      client_name: "Claude Code (execcomp)",
      redirect_uris: ["http://localhost:54545/callback"],
      token_endpoint_auth_method: "none",
    },
    ChatGPT: {
      ...common,
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      token_endpoint_auth_method: "none",
    },
    "ChatGPT with an address a connector": {
      ...common,
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector/oauth/hZ3-x_9"],
    },
    Codex: {
      ...common,
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:43210/callback"],
      application_type: "native",
    },
    "VS Code": {
      ...common,
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      redirect_uris: [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
      ],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    Cursor: {
      ...common,
      client_name: "Cursor",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
      token_endpoint_auth_method: "none",
    },
    Inspector: {
      ...common,
      client_name: "MCP Inspector",
      client_uri: "https://github.com/modelcontextprotocol/inspector",
      redirect_uris: ["http://localhost:6274/oauth/callback"],
      scope: "",
    },
    "Inspector's command line": { ...common, redirect_uris: ["http://127.0.0.1:6276/oauth/callback"] },
    opencode: {
      ...common,
      client_name: "OpenCode",
      client_uri: "https://opencode.ai",
      redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"],
      token_endpoint_auth_method: "none",
    },
    mcporter: { ...common, client_name: "mcporter", redirect_uris: ["http://127.0.0.1:51234/callback"] },
    "mcp-remote": {
      ...common,
      client_name: "MCP CLI Proxy",
      software_id: "2e6dc280-f3c3-4e01-99a7-8181dbd1d23d",
      software_version: "0.15.1",
      redirect_uris: ["http://localhost:3334/oauth/callback"],
    },
    "Gemini CLI": {
      ...common,
      client_name: "Gemini CLI MCP Client",
      redirect_uris: ["http://localhost:7777/oauth/callback"],
    },
  };
  for (const [client, body] of Object.entries(bodies)) {
    requirement(9, `${client}: 201, every redirect URI kept`, async () => {
      const registered = await register(server(), body);
      expect(registered["redirect_uris"]).toEqual(body["redirect_uris"]);
      expect(registered["token_endpoint_auth_method"]).toBe("none");
      expect(registered["grant_types"]).toEqual(["authorization_code", "refresh_token"]);
      expect(registered["client_name"]).toEqual(body["client_name"]);
      expect(registered["scope"]).toBe(SCOPE);
    });
  }

  requirement(
    9,
    "n8n's and any other callback can be added by a setting, and the defaults can be removed",
    async () => {
      const s = await startTestServer({
        clientCallbacks: "https://oauth.n8n.cloud/oauth2/callback,https://assistant.example/cb",
      });
      started.push(s);
      await register(s, { redirect_uris: ["https://oauth.n8n.cloud/oauth2/callback"] });
      await register(s, { redirect_uris: ["https://assistant.example/cb"] });
      for (const gone of ["https://claude.ai/api/mcp/auth_callback", "https://vscode.dev/redirect"]) {
        expect((await postJson(s, "/oauth/register", { redirect_uris: [gone] })).status).toBe(400);
      }
    },
  );
});

describe("forbidden redirect URIs", () => {
  // The full matrix is in test/accounts/oauth-state/redirects.test.ts; here one of each class is sent over HTTP.
  for (const uri of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "http://local\thost/cb",
    "http://localhost/c\nb",
    "http://user@localhost/cb",
    "http://localhost/cb#f",
    "http://localhost.evil.example/cb",
    "http://127.0.0.1.nip.io/cb",
    "http://0x7f.1/cb",
    "http://0.0.0.0/cb",
    "http://example.com/cb",
    "http://localhost/a/..;/cb",
    "http://localhost/%2e%2e/cb",
    "http://localhost\\@evil.example/cb",
    "https://*.claude.ai/cb",
    "https://evil.example/cb",
    "evil://callback/x",
    "",
  ]) {
    requirement(
      10,
      `${JSON.stringify(uri)} is invalid_redirect_uri, also together with a valid one`,
      async () => {
        for (const uris of [[uri], ["http://localhost:1/cb", uri]]) {
          const answer = await postJson(server(), "/oauth/register", { redirect_uris: uris });
          expect(answer.status).toBe(400);
          expect(answer.headers.get("cache-control")).toBe("no-store");
          const body = await readJson(answer);
          expect(body["error"]).toBe("invalid_redirect_uri");
          expect(body["error_description"]).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
        }
      },
    );
  }
});

describe("unusual registrations", () => {
  const good = "http://localhost:1/cb";
  const cases: [string, unknown, number, string][] = [
    ["no redirect_uris", {}, 400, "invalid_redirect_uri"],
    ["null redirect_uris", { redirect_uris: null }, 400, "invalid_redirect_uri"],
    ["text for redirect_uris", { redirect_uris: good }, 400, "invalid_redirect_uri"],
    ["empty redirect_uris", { redirect_uris: [] }, 400, "invalid_redirect_uri"],
    ["a number among them", { redirect_uris: [good, 1] }, 400, "invalid_redirect_uri"],
    ["50 of them", { redirect_uris: Array.from({ length: 50 }, () => good) }, 400, "invalid_redirect_uri"],
    ["an array", [good], 400, "invalid_client_metadata"],
    ["null", null, 400, "invalid_client_metadata"],
    ["a number", 7, 400, "invalid_client_metadata"],
    ["no JSON", "{redirect_uris", 400, "invalid_client_metadata"],
    ["nothing", "", 400, "invalid_client_metadata"],
    [
      "a private key only",
      { redirect_uris: [good], token_endpoint_auth_method: "private_key_jwt" },
      400,
      "invalid_client_metadata",
    ],
    [
      "an unknown method",
      { redirect_uris: [good], token_endpoint_auth_method: "tls_client_auth" },
      400,
      "invalid_client_metadata",
    ],
    ["implicit only", { redirect_uris: [good], grant_types: ["implicit"] }, 400, "invalid_client_metadata"],
    [
      "token responses only",
      { redirect_uris: [good], response_types: ["token"] },
      400,
      "invalid_client_metadata",
    ],
    ["a list as name", { redirect_uris: [good], client_name: ["x"] }, 400, "invalid_client_metadata"],
    ["numbers as grant types", { redirect_uris: [good], grant_types: [1] }, 400, "invalid_client_metadata"],
    ["17 KiB", { redirect_uris: [good], client_name: "x".repeat(17 * 1024) }, 413, "invalid_request"],
    ["2 MB", "x".repeat(2_000_000), 413, ""],
  ];
  for (const [what, body, status, error] of cases) {
    requirement(11, `${what}: ${status} ${error}`, async () => {
      const answer = await postJson(server(), "/oauth/register", body);
      expect(answer.status).toBe(status);
      // Our code does not answer beyond the listener's own limit.
      if (error === "") return;
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect((await readJson(answer))["error"]).toBe(error);
    });
  }

  requirement(11, "another media type, or none, is 400 in JSON", async () => {
    const s = server();
    const body = JSON.stringify({ redirect_uris: [good] });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ";;"]) {
      const answer = await postJson(s, "/oauth/register", body, { "content-type": type });
      expect([type, answer.status]).toEqual([type, 400]);
      expect((await readJson(answer))["error"]).toBe("invalid_client_metadata");
    }
    const fine = { "content-type": "Application/JSON; charset=utf-8" };
    expect((await postJson(s, "/oauth/register", body, fine)).status).toBe(201);
  });

  requirement(11, "unknown members, null members and unknown grants are dropped", async () => {
    const body = await register(server(), {
      client_name: null,
      logo_uri: null,
      contacts: ["x"],
      jwks: { keys: [] },
      software_statement: "x",
      grant_types: ["authorization_code", "implicit"],
      response_types: ["code", "token"],
      scope: "openid admin",
      application_type: "toaster",
    });
    expect(body["grant_types"]).toEqual(["authorization_code"]);
    expect(body["response_types"]).toEqual(["code"]);
    expect(body["scope"]).toBe(SCOPE);
    for (const dropped of ["client_name", "logo_uri", "contacts", "jwks", "application_type"]) {
      expect(body).not.toHaveProperty(dropped);
    }
  });
});

requirement(
  12,
  "a name with markup, bidirectional marks or control characters is shown as plain text",
  async () => {
    const s = server();
    const body = await register(s, {
      client_name: `\u202e<img src=x onerror=alert(1)>"'&\u0000\u2066Bank\n${"x".repeat(200)}`,
    });
    const name = String(body["client_name"]);
    expect([...name].length).toBe(100);
    expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const browserSession = new BrowserSession(s);
    const page = await (await browserSession.consentPage(authorizeUrl(s, String(body["client_id"])))).text();
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
  },
);

requirement(13, "logo, policy and key addresses are never fetched", async () => {
  let hits = 0;
  const trap = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      hits += 1;
      return new Response();
    },
  });
  const s = server();
  const url = `http://127.0.0.1:${trap.port}/x`;
  const body = await register(s, {
    logo_uri: url,
    client_uri: url,
    tos_uri: url,
    policy_uri: url,
    jwks_uri: url,
    sector_identifier_uri: url,
  });
  const browserSession = new BrowserSession(s);
  const page = await (await browserSession.consentPage(authorizeUrl(s, String(body["client_id"])))).text();
  expect(page).not.toContain(url);
  await trap.stop(true);
  expect(hits).toBe(0);
});

describe("limits", () => {
  const uris = (n: number) => ({ redirect_uris: [`http://localhost:${n}/cb`] });

  requirement(
    14,
    "20 an hour per address, then 429 with Retry-After; refusals do not count, and other addresses are unaffected",
    async () => {
      const s = await startTestServer({ trustedProxies: "127.0.0.1" });
      started.push(s);
      const from = (address: string, body: unknown) =>
        postJson(s, "/oauth/register", body, { "x-forwarded-for": address });
      for (let n = 1; n <= 20; n++) {
        expect((await from("203.0.113.9", { redirect_uris: [] })).status).toBe(400);
        expect((await from("203.0.113.9", uris(n))).status).toBe(201);
        s.advance(60_000);
      }
      const refused = await from("203.0.113.9", uris(99));
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe(String(3600 - 20 * 60));
      expect((await readJson(refused))["error"]).toBe("temporarily_unavailable");
      expect((await from("203.0.113.10", uris(1))).status).toBe(201);
      s.advance((3600 - 20 * 60) * 1000);
      expect((await from("203.0.113.9", uris(100))).status).toBe(201);
      expect((await from("203.0.113.9", uris(101))).status).toBe(429);
    },
  );

  requirement(14, "IPv6 is limited by /64", async () => {
    const s = await startTestServer({ trustedProxies: "127.0.0.1", registrationsPerHour: "2" });
    started.push(s);
    const from = async (address: string, n: number) =>
      (await postJson(s, "/oauth/register", uris(n), { "x-forwarded-for": address })).status;
    expect(await from("2001:db8:1:2::1", 1)).toBe(201);
    expect(await from("2001:db8:1:2::2", 2)).toBe(201);
    expect(await from("2001:db8:1:2:ffff::3", 3)).toBe(429);
    expect(await from("2001:db8:1:3::1", 4)).toBe(201);
  });

  requirement(
    14,
    "programs on this computer are exempt from the limit if no one else can connect",
    async () => {
      const s = server();
      for (let n = 1; n <= 25; n++) expect((await postJson(s, "/oauth/register", uris(n))).status).toBe(201);
    },
  );

  describe("registration cannot be blocked by many registrations", () => {
    const LISTED = "https://claude.ai/api/mcp/auth_callback";
    const full = async () => {
      const s = await startTestServer({
        trustedProxies: "127.0.0.1",
        registrationsPerHour: "5",
        unconnectedApplications: "6",
      });
      started.push(s);
      const from = async (address: string, n: number, uri?: string) => {
        const body = uri === undefined ? uris(n) : { redirect_uris: [uri], client_name: `n${n}` };
        const answer = await postJson(s, "/oauth/register", body, { "x-forwarded-for": address });
        s.advance(1000);
        return { status: answer.status, id: String((await readJson(answer))["client_id"]) };
      };
      return { s, from };
    };
    const authorizePath = (s: TestServer, id: string, redirectUri: string) => {
      const { pathname, search } = new URL(authorizeUrl(s, id, { redirect_uri: redirectUri }));
      return pathname + search;
    };

    test("the oldest client without a connection makes room; one that is connecting someone does not", async () => {
      const { s, from } = await full();
      const ids: string[] = [];
      for (let n = 1; n <= 6; n++) ids.push((await from(`203.0.113.${n}`, n)).id);
      const asks = (n: number) => s.get(authorizePath(s, ids[n] ?? "", uris(n + 1).redirect_uris[0] ?? ""));
      expect((await asks(0)).status).toBe(303);
      expect((await from("203.0.113.7", 7)).status).toBe(201);
      expect((await asks(0)).status).toBe(303);
      expect((await asks(1)).status).toBe(400);
      expect((await asks(2)).status).toBe(303);
    });

    test("a client whose request awaits a decision stays, even after a restart", async () => {
      const dataDir = tempFolder();
      const settings = { dataDir, trustedProxies: "127.0.0.1", unconnectedApplications: "6" };
      const ids: string[] = [];
      const registered = async (s: TestServer, n: number) => {
        const answer = await postJson(s, "/oauth/register", uris(n), { "x-forwarded-for": `203.0.113.${n}` });
        s.advance(1000);
        ids.push(String((await readJson(answer))["client_id"]));
      };
      const before = await startTestServer(settings);
      await addPerson(before);
      for (let n = 1; n <= 6; n++) await registered(before, n);
      const redirect_uri = uris(1).redirect_uris[0] ?? "";
      const consent = await new BrowserSession(before).consentPage(
        authorizeUrl(before, ids[0] ?? "", { redirect_uri }),
      );
      expect(consent.status).toBe(200);
      await before.stop();
      const after = await startTestServer(settings);
      started.push(after);
      await registered(after, 7);
      expect((await after.accounts.grants.clients.find(ids[0] ?? ""))?.id).toBe(ids[0]);
      expect(await after.accounts.grants.clients.find(ids[1] ?? "")).toBeUndefined();
    });

    test("a client with a listed callback stays as long as others can be removed", async () => {
      const { s, from } = await full();
      const hosted = await from("203.0.113.1", 1, LISTED);
      for (let n = 2; n <= 20; n++) expect((await from(`203.0.113.${n}`, n)).status).toBe(201);
      expect((await s.get(authorizePath(s, hosted.id, LISTED))).status).toBe(303);
    });

    test("a /48 has five times the limit of an address", async () => {
      const { from } = await full();
      const statuses: number[] = [];
      for (let n = 0; n < 30; n++) statuses.push((await from(`2001:db8:1:${(n % 10) + 1}::1`, n)).status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(25);
      expect((await from("2001:db8:2:1::1", 99)).status).toBe(201);
    });
  });

  requirement(14, "a client that no one approved is removed after a day; one in use stays", async () => {
    const s = await startTestServer();
    started.push(s);
    await addPerson(s);
    const unused = String((await register(s))["client_id"]);
    s.advance(25 * 3_600_000);
    expect(await s.accounts.grants.purge()).toBeGreaterThan(0);
    const gone = await s.get(
      new URL(authorizeUrl(s, unused)).pathname + new URL(authorizeUrl(s, unused)).search,
    );
    expect(gone.status).toBe(400);
    const token = await postForm(s, "/oauth/token", {
      grant_type: "refresh_token",
      client_id: unused,
      refresh_token: "x",
    });
    expect([token.status, (await readJson(token))["error"]]).toEqual([401, "invalid_client"]);
  });
});

requirement(
  15,
  "repeating a registration within ten minutes returns the same public client, and counts twice",
  async () => {
    const s = await startTestServer({ trustedProxies: "127.0.0.1", registrationsPerHour: "3" });
    started.push(s);
    const body = { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] };
    const from = (address: string, over: Json = {}) =>
      postJson(s, "/oauth/register", { ...body, ...over }, { "x-forwarded-for": address });
    const first = await readJson(await from("203.0.113.1"));
    const second = await readJson(await from("203.0.113.1"));
    expect(second).toEqual(first);
    expect((await readJson(await from("203.0.113.2")))["client_id"]).not.toBe(first["client_id"]);
    expect((await readJson(await from("203.0.113.1", { client_name: "Claude 2" })))["client_id"]).not.toBe(
      first["client_id"],
    );
    expect((await from("203.0.113.1")).status).toBe(429);
    s.advance(600_000);
    const later = await readJson(await from("203.0.113.2"));
    expect(later["client_id"]).not.toBe(first["client_id"]);
    const secret = { token_endpoint_auth_method: "client_secret_post" };
    const [one, two] = [
      await readJson(await from("203.0.113.3", secret)),
      await readJson(await from("203.0.113.3", secret)),
    ];
    expect(two["client_id"]).not.toBe(one["client_id"]);
  },
);
