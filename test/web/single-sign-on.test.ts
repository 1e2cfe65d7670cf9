import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createServerUrls } from "../../src/http/base-urls.ts";
import { checkProvider } from "../../src/web/pages/single-sign-on.ts";
import { CLIENT, type TestProvider, startProvider } from "../support/oidc.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

// A separate port for each run, below those that the machine uses for outgoing connections.
const PORT = 20_000 + (process.pid % 10_000);
let provider: TestProvider;
let server: TestServer;

beforeAll(async () => {
  provider = await startProvider(() => [`http://localhost:${PORT}/sign-in/provider/callback`]);
});
afterAll(() => provider.stop());
afterEach(async () => {
  await server.stop();
  provider.account = { subject: "ada", email: "ada@example.com", verified: true };
  provider.asked.length = 0;
});

const start = async (settings: Record<string, string> = {}) => {
  const sso = { ssoIssuer: provider.issuer, ssoClientId: CLIENT.id, ssoClientSecret: CLIENT.secret };
  server = await startTestServer({ port: String(PORT), ...sso, ...settings }, { fetch });
};

/** A browser without a window: cookies by origin; follows redirects until `until` matches. */
class Tab {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(private readonly headers: Record<string, string> = {}) {}

  async open(
    address: string,
    until: (url: URL) => boolean = () => false,
  ): Promise<{ url: URL; answer: Response }> {
    let url = new URL(address);
    for (let hop = 0; hop < 20; hop++) {
      const jar = this.jars.get(url.origin) ?? new Map<string, string>();
      this.jars.set(url.origin, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(url, { redirect: "manual", headers: { ...this.headers, cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = answer.headers.get("location");
      if (location === null) return { url, answer };
      url = new URL(location, url);
      if (until(url)) return { url, answer };
    }
    throw new Error(`too many redirects, the last to ${url.href}`);
  }

  signIn(until?: (url: URL) => boolean) {
    return this.open(`${server.origin}/sign-in/provider`, until);
  }
}

test("calls to the provider for a request belong to that request's trace; others belong to none", async () => {
  const asked: [path: string, trace: string | null][] = [];
  const sso = { ssoIssuer: provider.issuer, ssoClientId: CLIENT.id, ssoClientSecret: CLIENT.secret };
  server = await startTestServer(
    { port: String(PORT), ...sso },
    {
      fetch(input, init) {
        const { url, headers } = new Request(String(input), init);
        asked.push([new URL(url).pathname, headers.get("traceparent")]);
        return fetch(input, init);
      },
    },
  );
  await server.accounts.users.findOrCreate("ada@example.com");
  const begin = (headers: Record<string, string>) => server.get("/sign-in/provider", { headers });
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
  await begin({ traceparent: `00-${trace}-01`, tracestate: "vendor=secret" });
  const tab = new Tab({ traceparent: `cc-${trace}-00-more` });
  expect((await tab.signIn()).url.href).toBe(`${server.origin}/`);
  expect(asked).toEqual([
    ["/.well-known/openid-configuration", `00-${trace}-01`],
    ["/token", `00-${trace}-00`],
    ["/jwks", `00-${trace}-00`],
    ["/me", `00-${trace}-00`],
  ]);
  asked.length = 0;
  await new Tab({ traceparent: "00-none" }).signIn();
  expect(asked.map(([, value]) => value)).toEqual([null, null]);
});

const isCallback = (url: URL) => url.pathname.endsWith("/callback");

describe("a person authenticated by the provider", () => {
  test("is signed in to the account of that verified address, with PKCE, nonce and state", async () => {
    await start();
    await server.accounts.users.findOrCreate("ada@example.com");
    const { url, answer } = await new Tab().signIn();
    expect(url.href).toBe(`${server.origin}/`);
    expect(await answer.text()).toContain("ada@example.com");
    const question = provider.asked[0]?.searchParams;
    expect(question?.get("code_challenge_method")).toBe("S256");
    for (const name of ["code_challenge", "nonce", "state"])
      expect(question?.get(name)?.length).toBeGreaterThan(20);
  });

  test("has one session in one browser: signing in again ends the previous one", async () => {
    await start();
    await server.accounts.users.findOrCreate("ada@example.com");
    const tab = new Tab();
    await tab.signIn();
    await tab.signIn();
    const open = server.accounts.store.client.query<{ n: number }, []>("SELECT count(*) AS n FROM sessions");
    expect(open.get()?.n).toBe(1);
    await new Tab().signIn();
    expect(open.get()?.n).toBe(2);
  });

  test("is identified by issuer and subject from then on, even if the address changes", async () => {
    await start();
    const { id } = await server.accounts.users.findOrCreate("ada@example.com");
    await new Tab().signIn();
    provider.account.email = "ada@married.example";
    expect(await (await new Tab().signIn()).answer.text()).toContain("ada@example.com");
    expect((await server.accounts.users.list()).map((user) => user.id)).toEqual([id]);
  });

  test("is identified by issuer and subject: another provider's subject of the same name is another user", async () => {
    await start();
    const { users, signIns } = server.accounts;
    const [ada, bob] = [
      await users.findOrCreate("ada@example.com"),
      await users.findOrCreate("bob@example.com"),
    ];
    const browser = { address: "203.0.113.1", userAgent: null, previous: null };
    const comes = async (issuer: string, verifiedEmail: string) =>
      (await signIns.byIdentity({ issuer, subject: "1", verifiedEmail }, browser)).user.id;
    expect(await comes("https://one.example", "ada@example.com")).toBe(ada.id);
    expect(await comes("https://other.example", "bob@example.com")).toBe(bob.id);
    expect(await comes("https://one.example", "bob@example.com")).toBe(ada.id);
  });

  test("takes over the account of an unverified address: its password, session and keys end", async () => {
    await start({ signUp: "open" });
    const { users, keys, signUps, signIns } = server.accounts;
    const password = "squatting on an address";
    await signUps.signUp("ada@example.com", password, { address: "203.0.113.1", userAgent: null });
    const attempt = {
      email: "ada@example.com",
      password,
      address: "203.0.113.1",
      userAgent: null,
      previous: null,
      device: null,
    };
    const squatter = await signIns.byPassword(attempt);
    const { secret } = await keys.create(squatter.user.id, { name: "k" });
    const { answer } = await new Tab().signIn();
    expect(await answer.text()).toContain("ada@example.com");
    expect(await server.accounts.findPerson(squatter.secret)).toBeUndefined();
    expect(await keys.find(secret, "203.0.113.1")).toBeUndefined();
    expect((await users.requireByEmail("ada@example.com")).hasPassword).toBe(false);
    await expect(signIns.byPassword(attempt)).rejects.toThrow("Wrong e-mail or password");
    // Only once: what she creates afterwards stays.
    const own = await keys.create(squatter.user.id, { name: "own" });
    await new Tab().signIn();
    expect(await keys.find(own.secret, "203.0.113.1")).toBeDefined();
  });

  test("is a new user if the earlier account was deleted", async () => {
    await start({ ssoDomains: "example.com" });
    const { users } = server.accounts;
    await new Tab().signIn();
    const { id } = await users.requireByEmail("ada@example.com");
    await users.delete(id);
    expect((await new Tab().signIn()).url.pathname).toBe("/");
    expect((await users.requireByEmail("ada@example.com")).id).not.toBe(id);
  });

  test("is not promised an account where only existing users may sign in", async () => {
    await start();
    expect(await (await server.get("/sign-in")).text()).not.toContain("The button above");
  });

  test("gets an account if the domain is allowed, and the button names the provider", async () => {
    await start({ ssoDomains: "Example.com,example.org", ssoName: "Example Inc." });
    const page = await (await server.get("/sign-in")).text();
    expect(page).toContain("Sign in with Example Inc.");
    expect(page).toContain(
      "No account yet? The button above creates one for an address of this organization.",
    );
    expect((await new Tab().signIn()).url.pathname).toBe("/");
    expect(await server.accounts.users.findByEmail("ada@example.com")).toMatchObject({
      role: "member",
      hasPassword: false,
    });
  });
});

describe("no one else is admitted", () => {
  const refused = async (tab = new Tab()) => {
    const { url, answer } = await tab.signIn();
    expect(url.pathname).toBe("/sign-in/provider/callback");
    expect(answer.headers.getSetCookie().some((line) => line.includes("session"))).toBe(false);
    return { status: answer.status, text: await answer.text() };
  };

  test("not with an address that the provider has not verified", async () => {
    await start();
    await server.accounts.users.findOrCreate("ada@example.com");
    provider.account.verified = false;
    expect(await refused()).toMatchObject({
      status: 403,
      text: expect.stringContaining("no verified e-mail"),
    });
  });

  test("not with an address in a domain that is not allowed, even a subdomain", async () => {
    await start({ ssoDomains: "example.com" });
    for (const email of ["ada@evil.example", "ada@sub.example.com", "ada@notexample.com"]) {
      provider.account = { subject: email, email, verified: true };
      expect(await refused()).toMatchObject({
        status: 403,
        text: expect.stringContaining("Use one of this organization, or ask the owner"),
      });
    }
    expect(await server.accounts.users.list()).toEqual([]);
  });

  test("not somebody who was, once the address is unverified or in a domain that is not allowed any more", async () => {
    await start({ ssoDomains: "example.com" });
    await new Tab().signIn();
    const tab = new Tab();
    expect((await tab.signIn()).url.pathname).toBe("/");
    for (const change of [
      { verified: false },
      { email: "ada@left.example" },
      { email: "ada@sub.example.com" },
    ]) {
      provider.account = { subject: "ada", email: "ada@example.com", verified: true, ...change };
      expect(await refused()).toMatchObject({ status: 403 });
    }
    provider.account = { subject: "ada", email: "ada.b@example.com", verified: true };
    expect((await new Tab().signIn()).url.pathname).toBe("/");
  });

  test("not with an ID token that the provider's keys did not sign", async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const read = (text = ""): Record<string, unknown> =>
      JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;
    const foreign = await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    );
    const resign = async (head: string, body: string) => {
      const text = new TextEncoder().encode(`${head}.${body}`);
      const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", foreign.privateKey, text);
      return `${head}.${body}.${Buffer.from(signature).toString("base64url")}`;
    };
    const forgeries: Record<
      string,
      (head: string, body: string, signature: string) => Promise<string> | string
    > = {
      "another subject": (head, body, signature) =>
        [head, part({ ...read(body), sub: "owner" }), signature].join("."),
      "another signature": (head, body, signature) =>
        [head, body, signature.replace(/^./, (one) => (one === "A" ? "B" : "A"))].join("."),
      "another key": (head, body) => resign(head, body),
      "a key that is not listed": (head, body) => resign(part({ ...read(head), kid: "none" }), body),
      "no signature": (head, body) => [part({ ...read(head), alg: "none" }), body, ""].join("."),
    };
    let forge = (token: string): Promise<string> | string => token;
    const forging = async (...given: Parameters<typeof fetch>) => {
      const answer = await fetch(...given);
      if (new URL(String(given[0])).pathname !== "/token") return answer;
      const body = (await answer.json()) as { id_token: string };
      return Response.json({ ...body, id_token: await forge(body.id_token) });
    };
    const sso = { ssoIssuer: provider.issuer, ssoClientId: CLIENT.id, ssoClientSecret: CLIENT.secret };
    server = await startTestServer({ port: String(PORT), ...sso }, { fetch: forging });
    await server.accounts.users.findOrCreate("ada@example.com");
    for (const [what, how] of Object.entries(forgeries)) {
      forge = (token) => how(...(token.split(".") as [string, string, string]));
      expect([what, (await refused()).status]).toEqual([what, 502]);
    }
    forge = (token) => token;
    expect((await new Tab().signIn()).url.pathname).toBe("/");
  });

  test("not without an account, if no domain is allowed", async () => {
    await start();
    expect(await refused()).toMatchObject({ status: 403, text: expect.stringContaining("No account for") });
    expect(await server.accounts.users.list()).toEqual([]);
  });

  test("not a different person at the provider who acquired the address", async () => {
    await start();
    await server.accounts.users.findOrCreate("ada@example.com");
    await new Tab().signIn();
    provider.account.subject = "heir";
    expect(await refused()).toMatchObject({ status: 403, text: expect.stringContaining("another account") });
    // Until an owner says so; a link that somebody asks for by mail is none.
    await server.accounts.signUps.requestReset("ada@example.com", { address: "", userAgent: null });
    expect(await refused()).toMatchObject({ status: 403 });
    await server.accounts.signUps.resetSecret("ada@example.com");
    expect((await new Tab().signIn()).url.href).toBe(`${server.origin}/`);
  });

  test("not a disabled user", async () => {
    await start();
    const { id } = await server.accounts.users.findOrCreate("ada@example.com");
    await new Tab().signIn();
    await server.accounts.users.disable(id);
    expect(await refused()).toMatchObject({ status: 403, text: expect.stringContaining("disabled") });
  });
});

describe("a response of the provider is valid once, in the browser that started the sign-in", () => {
  test("not in another browser, not twice, not with another issuer, not with an error", async () => {
    await start();
    await server.accounts.users.findOrCreate("ada@example.com");
    const tab = new Tab();
    const { url } = await tab.signIn(isCallback);
    expect((await new Tab().open(url.href)).answer.status).toBe(403);
    expect((await tab.open(url.href)).answer.status).toBe(403);

    const mixedUp = (await tab.signIn(isCallback)).url;
    mixedUp.searchParams.set("iss", "https://evil.example");
    expect((await tab.open(mixedUp.href)).answer.status).toBe(502);

    const denied = (await tab.signIn(isCallback)).url;
    denied.searchParams.delete("code");
    denied.searchParams.set("error", "access_denied");
    expect((await tab.open(denied.href)).answer.status).toBe(502);

    const late = (await tab.signIn(isCallback)).url;
    server.advance(600_000);
    expect((await tab.open(late.href)).answer.status).toBe(403);

    const good = (await tab.signIn(isCallback)).url;
    expect((await tab.open(good.href)).url.pathname).toBe("/");
    expect(server.lines.join("\n")).not.toContain(good.searchParams.get("code") ?? "none");
  });
});

test("an unreachable provider is reported, and passwords still work", async () => {
  await start({ ssoIssuer: "http://127.0.0.1:9" });
  expect((await server.get("/sign-in/provider")).status).toBe(502);
  expect(await (await server.get("/sign-in")).text()).toContain('name="password"');
});

test("what is wrong at the provider is told in the log and by the check: secret, issuer, address", async () => {
  await start({ ssoClientSecret: "another secret of at least thirty-two characters" });
  await server.accounts.users.findOrCreate("ada@example.com");
  expect((await new Tab().signIn()).answer.status).toBe(502);
  expect(server.lines.join("\n")).toContain(
    "it refuses the client: check --sso-client-id and --sso-client-secret",
  );
  const check = (ssoIssuer: string) =>
    checkProvider(
      { fetch, monotonic: () => 0 },
      { issuer: ssoIssuer, clientId: CLIENT.id, clientSecret: "" },
      createServerUrls(
        { host: "localhost", socket: "", publicUrl: null, tlsCert: "", mcpLegacyUrl: null },
        8402,
      ).main,
    );
  const other = provider.issuer.replace("127.0.0.1", "localhost");
  await expect(check(other)).rejects.toThrow(
    `those of another issuer, ${provider.issuer}: give exactly that`,
  );
  await expect(check(`${provider.issuer}/x`)).rejects.toThrow("answers 404: check the address");
});

test("offline, signing in by the provider is not offered", async () => {
  await start({ offline: "true" });
  expect((await server.get("/sign-in/provider")).status).toBe(404);
  expect(await (await server.get("/sign-in")).text()).not.toContain("single sign-on");
});

test("an issuer without a client id stops the start", async () => {
  await start();
  await expect(startTestServer({ ssoIssuer: provider.issuer })).rejects.toThrow("--sso-client-id");
});
