import { afterAll, beforeAll, describe, expect } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { requirement } from "./requirements.ts";
import {
  addPerson,
  authorizeUrl,
  callHistory,
  codeFields,
  type Json,
  postForm,
  readJson,
  BrowserSession,
} from "./support.ts";

const ID = "https://app.example/oauth/client.json";
const GOOD: Json = {
  client_id: ID,
  client_name: "Documented app",
  redirect_uris: ["http://localhost:3118/callback", "https://app.example/callback"],
  token_endpoint_auth_method: "none",
};

let server: TestServer;
let browserSession: BrowserSession;
/** The document at `ID`, and the number of requests for it. */
let answer: () => Response | Promise<Response>;
let fetches = 0;
let addresses: readonly string[] = ["93.184.216.34"];

beforeAll(async () => {
  server = await startTestServer({ clientMetadataDocuments: "on" });
  server.runtime.resolve = () => Promise.resolve(addresses);
  server.runtime.fetch = async () => {
    fetches += 1;
    return answer();
  };
  await addPerson(server);
  browserSession = new BrowserSession(server);
  await browserSession.signIn();
});
afterAll(() => server.stop());

const open = (over: Record<string, string | undefined> = {}) =>
  browserSession.open(authorizeUrl(server, ID, over));

/** A document that has not been requested before: whatever was cached has expired. */
function stands(body: unknown, init: ResponseInit = {}): void {
  server.advance(25 * 3_600_000);
  answer = () => Response.json(body, init);
}

async function signedInAgain(): Promise<void> {
  // Weeks pass between the documents of these tests, and sessions end in between.
  browserSession = new BrowserSession(server);
  await browserSession.signIn();
}

requirement(
  16,
  "its URL is the client_id from authorization to refresh; tokens work while it is unreachable",
  async () => {
    stands(GOOD);
    await signedInAgain();
    const page = await open();
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Documented app");
    const back = await browserSession.decide(authorizeUrl(server, ID));
    answer = () => Promise.reject(new Error("out of reach"));
    server.advance(0);
    const code = back.searchParams.get("code") ?? "";
    const tokens = await readJson(await postForm(server, "/oauth/token", codeFields(server, ID, code)));
    expect((await callHistory(server, String(tokens["access_token"]))).status).toBe(200);
    const before = fetches;
    const refreshed = await postForm(server, "/oauth/token", {
      grant_type: "refresh_token",
      client_id: ID,
      refresh_token: String(tokens["refresh_token"]),
    });
    expect(refreshed.status).toBe(200);
    expect(fetches).toBe(before);
  },
);

requirement(
  16,
  "its redirect URIs: loopback with any port, its own host, the configured list, and nothing else",
  async () => {
    stands(GOOD);
    await signedInAgain();
    expect((await open({ redirect_uri: "http://localhost:50000/callback" })).status).toBe(200);
    expect((await open({ redirect_uri: "https://app.example/callback" })).status).toBe(200);
    expect((await open({ redirect_uri: "https://app.example/other" })).status).toBe(400);
    stands({ ...GOOD, redirect_uris: ["https://elsewhere.example/callback"] });
    await signedInAgain();
    expect((await open({ redirect_uri: "https://elsewhere.example/callback" })).status).toBe(400);
  },
);

requirement(16, "each approval is a separate installation: ending one leaves the other", async () => {
  stands(GOOD);
  await signedInAgain();
  const connect = async () => {
    const back = await browserSession.decide(authorizeUrl(server, ID));
    const fields = codeFields(server, ID, back.searchParams.get("code") ?? "");
    return readJson(await postForm(server, "/oauth/token", fields));
  };
  const [one, two] = [await connect(), await connect()];
  await postForm(server, "/oauth/revoke", { client_id: ID, token: String(one["refresh_token"]) });
  expect((await callHistory(server, String(one["access_token"]))).status).toBe(401);
  expect((await callHistory(server, String(two["access_token"]))).status).toBe(200);
});

describe("invalid documents", () => {
  const cases: Record<string, [unknown, ResponseInit?]> = {
    "another client_id": [{ ...GOOD, client_id: `${ID}x` }],
    "no client_id": [{ ...GOOD, client_id: undefined }],
    "no client_name": [{ ...GOOD, client_name: undefined }],
    "no redirect_uris": [{ ...GOOD, redirect_uris: undefined }],
    "empty redirect_uris": [{ ...GOOD, redirect_uris: [] }],
    "a script as redirect URI": [{ ...GOOD, redirect_uris: ["javascript:alert(1)"] }],
    "a secret inside": [{ ...GOOD, client_secret: "x" }],
    "an end of a secret inside": [{ ...GOOD, client_secret_expires_at: 0 }],
    client_secret_basic: [{ ...GOOD, token_endpoint_auth_method: "client_secret_basic" }],
    client_secret_post: [{ ...GOOD, token_endpoint_auth_method: "client_secret_post" }],
    "a signed assertion only": [{ ...GOOD, token_endpoint_auth_method: "private_key_jwt" }],
    "implicit only": [{ ...GOOD, grant_types: ["implicit"] }],
    "an array": [[GOOD]],
    "404": [GOOD, { status: 404 }],
    "a redirect": [null, { status: 301, headers: { location: "https://app.example/other" } }],
    "6 KiB": [{ ...GOOD, x: "x".repeat(6 * 1024) }],
  };
  for (const [what, [body, init]] of Object.entries(cases)) {
    requirement(17, `${what}: a page that says why, and no redirect`, async () => {
      stands(body, init);
      const page = await new BrowserSession(server).open(authorizeUrl(server, ID));
      expect([page.status, page.headers.has("location")]).toEqual([400, false]);
      expect(await page.text()).toContain("metadata document cannot be used");
    });
  }
});

requirement(17, "every failure to read a document gets the same message", async () => {
  const told = new Set<string>();
  const failing: [unknown, ResponseInit?][] = [
    [GOOD, { status: 404 }],
    [GOOD, { status: 500 }],
    [GOOD, { headers: { "content-type": "text/html" } }],
    [{ ...GOOD, x: "x".repeat(6 * 1024) }],
    [[GOOD]],
  ];
  for (const [body, init] of failing) {
    stands(body, init);
    const page = await new BrowserSession(server).open(authorizeUrl(server, ID));
    told.add(/<main[^]*<\/main>/.exec(await page.text())?.[0] ?? "");
  }
  addresses = ["10.0.0.1"];
  stands(GOOD);
  const page = await new BrowserSession(server).open(authorizeUrl(server, ID));
  told.add(/<main[^]*<\/main>/.exec(await page.text())?.[0] ?? "");
  addresses = ["93.184.216.34"];
  expect([...told]).toEqual([expect.stringContaining("it could not be read")]);
});

requirement(
  17,
  "an invalid request from a client known only by its document ends on a page, never with a redirect",
  async () => {
    for (const [name, value] of [
      ["response_type", "token"],
      ["code_challenge_method", "plain"],
      ["prompt", "none"],
      ["resource", "https://elsewhere.example/mcp"],
    ] as const) {
      stands(GOOD);
      const url = new URL(authorizeUrl(server, ID));
      url.searchParams.set(name, value);
      const page = await new BrowserSession(server).open(url.href);
      expect([name, page.status, page.headers.has("location")]).toEqual([name, 400, false]);
    }
  },
);

requirement(
  18,
  "a host name that resolves to this computer or a private network is not contacted",
  async () => {
    for (const address of [
      "127.0.0.1",
      "::1",
      "10.0.0.1",
      "169.254.169.254",
      "::ffff:127.0.0.1",
      "fd00::1",
    ]) {
      stands(GOOD);
      addresses = ["93.184.216.34", address];
      const before = fetches;
      const page = await new BrowserSession(server).open(authorizeUrl(server, ID));
      expect([address, page.status, fetches - before]).toEqual([address, 400, 0]);
    }
    addresses = ["93.184.216.34"];
  },
);

requirement(18, "a URL that is not canonical https is not a client, and nothing is fetched", async () => {
  const before = fetches;
  for (const id of [
    "https://127.0.0.1/c",
    "https://localhost/c",
    "https://app.example:8443/c",
    "https://app.example/../c",
    "http://app.example/c",
    "HTTPS://app.example/c",
  ]) {
    const page = await browserSession.open(authorizeUrl(server, id));
    expect([id, page.status]).toEqual([id, 400]);
    const token = await postForm(server, "/oauth/token", codeFields(server, id, "x"));
    expect((await readJson(token))["error"]).toBe("invalid_client");
  }
  expect(fetches).toBe(before);
});

requirement(19, "concurrent requests fetch once, and later ones within five minutes not at all", async () => {
  stands(GOOD);
  const before = fetches;
  const guests = Array.from({ length: 20 }, () => new BrowserSession(server));
  const pages = await Promise.all(guests.map((guest) => guest.open(authorizeUrl(server, ID))));
  expect(pages.every(({ status }) => status === 303)).toBe(true);
  server.advance(299_000);
  await new BrowserSession(server).open(authorizeUrl(server, ID));
  expect(fetches - before).toBe(1);
  server.advance(1000);
  await new BrowserSession(server).open(authorizeUrl(server, ID));
  expect(fetches - before).toBe(2);
});

requirement(19, "a failure is cached for 30 seconds", async () => {
  stands(GOOD, { status: 500 });
  const before = fetches;
  const status = async () => (await new BrowserSession(server).open(authorizeUrl(server, ID))).status;
  expect([await status(), await status()]).toEqual([400, 400]);
  expect(fetches - before).toBe(1);
  answer = () => Response.json(GOOD);
  server.advance(30_000);
  expect(await status()).toBe(303);
});

requirement(
  20,
  "off and offline: not advertised, a page on authorize, invalid_client on token, nothing fetched",
  async () => {
    for (const settings of [
      { clientMetadataDocuments: "off" },
      { clientMetadataDocuments: "on", offline: "true" },
      {},
    ] as const) {
      const off = await startTestServer(settings);
      let asked = 0;
      off.runtime.fetch = () => {
        asked += 1;
        return Promise.reject(new Error("asked"));
      };
      const page = await new BrowserSession(off).open(authorizeUrl(off, ID));
      expect([page.status, page.headers.has("location")]).toEqual([400, false]);
      const token = await postForm(off, "/oauth/token", codeFields(off, ID, "x"));
      expect([token.status, (await readJson(token))["error"]]).toEqual([401, "invalid_client"]);
      expect(asked).toBe(0);
      await off.stop();
    }
  },
);

requirement(21, "ChatGPT's document is accepted as a public client", async () => {
  const id = "https://chatgpt.com/oauth/client.json";
  server.advance(25 * 3_600_000);
  await signedInAgain();
  answer = () =>
    Response.json({
      client_id: id,
      client_uri: "https://chatgpt.com/",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://chatgpt.com/oauth/jwks.json",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      client_name: "ChatGPT",
    });
  const redirect = { redirect_uri: "https://chatgpt.com/connector_platform_oauth_redirect" };
  const back = await browserSession.decide(authorizeUrl(server, id, redirect));
  expect(back.href).toStartWith("https://chatgpt.com/connector_platform_oauth_redirect?code=");
  const fields = codeFields(server, id, back.searchParams.get("code") ?? "", redirect);
  expect((await postForm(server, "/oauth/token", fields)).status).toBe(200);
});
