/**
 * MCP behind the real access policy: keys and tokens of a real store, rate limits and credits, with a clock that the
 * test controls.
 */
import { afterEach, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { PERSON, addPerson, connect } from "../oauth/support.ts";
import { compensationCall, legacy, resultOf } from "./support.ts";

let running: TestServer | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(settings: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  running = await startTestServer(settings);
  return running;
}

function post(server: TestServer, message: object, headers: Record<string, string> = {}, path = "/mcp") {
  return server.get(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(message),
  });
}

const latest = compensationCall("legacy", { ticker: "AAPL", limit: 1 }).message;
const history = compensationCall("legacy", { ticker: "AAPL", limit: 4 }).message;

test("one key has one balance and one rate limit across REST and MCP", async () => {
  const server = await start();
  const key = await server.createKey();
  const call = await post(server, history, { "x-api-key": key });
  expect(call.headers.get("credits-remaining")).toBe("99");
  expect(call.headers.get("ratelimit")).toStartWith('"key";r=599;');
  const rest = await server.get("/api/executive-compensation?ticker=AAPL", { key });
  expect(rest.headers.get("credits-remaining")).toBe("98");
  expect(rest.headers.get("ratelimit")).toStartWith('"key";r=598;');
});

test("a token reads history, at the alias and eager addresses too, and charges the user's one balance", async () => {
  const server = await start({ mcpLegacyUrl: "http://legacy.localhost/mcp" });
  await addPerson(server);
  const key = await server.createKey(PERSON.email);
  const { accessToken } = await connect(server);
  const authorization = `Bearer ${accessToken}`;
  const first = await post(server, history, { authorization });
  expect(first.headers.get("credits-remaining")).toBe("99");
  expect(first.headers.get("ratelimit-policy")).toBe('"token";q=600;w=60');
  const eager = await post(server, history, { authorization }, "/mcp/private");
  expect(eager.headers.get("credits-remaining")).toBe("98");
  const analyst = await post(server, history, { authorization }, "/mcp/analyst");
  expect(analyst.headers.get("credits-remaining")).toBe("97");
  const alias = await post(server, history, { authorization, host: "legacy.localhost" });
  expect(alias.headers.get("credits-remaining")).toBe("96");
  const rest = await server.get("/api/executive-compensation?ticker=AAPL", { key });
  expect(rest.headers.get("credits-remaining")).toBe("95");
});

test("when the credits are used up, the model is told why, and the latest year is still free", async () => {
  const server = await start();
  const key = await server.createKey();
  for (let call = 0; call < 100; call++) {
    const answer = await post(server, history, { "x-api-key": key });
    expect(answer.headers.get("credits-remaining")).toBe(String(99 - call));
  }
  const refused = await resultOf(await post(server, history, { "x-api-key": key }));
  expect(refused.isError).toBe(true);
  expect(refused._meta?.["http_status"]).toBe(402);
  expect(JSON.parse(refused.content[0]?.text ?? "")).toMatchObject({
    error: "Payment Required",
    purchase: { status: "coming_soon", url: `${server.origin}/developer` },
  });
  const free = await resultOf(await post(server, latest, { "x-api-key": key }));
  expect(free.isError).toBeUndefined();
  expect(free._meta).toMatchObject({ credits_charged: 0, credits_remaining: 0 });
});

test("sixty calls a minute are allowed without a credential, the sixty-first is 429; handshakes have a separate limit of 600", async () => {
  const server = await start();
  for (let call = 0; call < 60; call++) expect((await post(server, latest)).status).toBe(200);
  const full = await post(server, latest);
  expect(full.status).toBe(429);
  expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await full.json()).toMatchObject({ error: "Too Many Requests" });
  const ping = await post(server, legacy("ping"));
  expect(ping.status).toBe(200);
  expect(ping.headers.get("ratelimit-policy")).toBe('"handshake";q=600;w=60');
  server.advance(60_000);
  expect((await post(server, latest)).status).toBe(200);
});

test("bad keys, double credentials and challenges count against the address, whatever the method", async () => {
  const server = await start();
  for (let attempt = 0; attempt < 20; attempt++) {
    expect((await post(server, legacy("ping"), { "x-api-key": `xc_live_guess${attempt}` })).status).toBe(401);
    expect((await post(server, history, { "x-api-key": "a", authorization: "Bearer b" })).status).toBe(400);
    expect((await post(server, history)).status).toBe(401);
  }
  expect((await post(server, legacy("ping"), { "x-api-key": "xc_live_guess" })).status).toBe(429);
  expect((await post(server, latest)).status).toBe(429);
  const key = await server.createKey();
  expect((await post(server, latest, { "x-api-key": key })).status).toBe(200);
});

test("with a slash behind it an address is another one: neither a server nor its metadata is there", async () => {
  const server = await start();
  const metadata = "/.well-known/oauth-protected-resource";
  for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
    expect((await post(server, legacy("ping"), {}, `${path}/`)).status).toBe(404);
    expect((await server.get(`${metadata}${path}/`)).status).toBe(404);
    expect((await server.get(`${metadata}${path}`)).status).toBe(200);
  }
});

test("an expired token is 401 with a challenge, one with a narrower scope is 403", async () => {
  const server = await start();
  await addPerson(server);
  const { accessToken } = await connect(server);
  const authorization = `Bearer ${accessToken}`;
  server.accounts.store.client.query("UPDATE oauth_tokens SET scope = 'something:else'").run();
  const narrow = await post(server, latest, { authorization });
  expect(narrow.status).toBe(403);
  expect(narrow.headers.get("www-authenticate")).toStartWith('Bearer error="insufficient_scope"');
  server.accounts.store.client.query("UPDATE oauth_tokens SET scope = 'executive-compensation:read'").run();
  server.advance(3_600_001);
  const expired = await post(server, latest, { authorization });
  expect(expired.status).toBe(401);
  expect(expired.headers.get("www-authenticate")).toStartWith('Bearer error="invalid_token"');
});

test("K-10: no credential appears in the log, whatever the outcome", async () => {
  const server = await start();
  await addPerson(server);
  const key = await server.createKey();
  const { accessToken } = await connect(server);
  const secrets = [key, accessToken, "xc_live_wrongwrongwrong"];
  for (const secret of secrets) {
    await post(server, history, { "x-api-key": secret });
    await post(server, history, { authorization: `Bearer ${secret}` });
    await post(server, history, { authorization: `Bearer ${secret}`, "x-api-key": secret });
    await post(server, history, {}, `/mcp?access_token=${secret}`);
  }
  const log = server.lines.join("\n");
  for (const secret of secrets) expect(log).not.toContain(secret.slice(8));
});
