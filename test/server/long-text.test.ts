/** Patterns of REST, MCP and OAuth, and of whatever reads headers, that see what anybody sends. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { longPlainTexts, longTexts, unknownPatterns } from "../support/long-text.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let key = "";
beforeAll(async () => {
  server = await startTestServer({ rateKey: "100000", rateAnonymous: "100000", trustedProxies: "127.0.0.1" });
  key = await server.createKey();
});
afterAll(() => server.stop());

const IN_ADDRESS = longTexts(15_000);
/** Bun takes headers of 16 KB together. */
const IN_HEADER = longPlainTexts(7000).map((text) => text.replaceAll("é", "e").replaceAll("\t", " "));
const IN_BODY = longPlainTexts(60_000);
const IN_FORM = longPlainTexts(15_000);

/** The text of a number, another for each. */
const pick = (texts: readonly string[], at: number) => texts[at % texts.length] ?? "";

interface OpenApi {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
}

test("parameters of REST reach only patterns that take no longer than the text is", async () => {
  const { paths } = (await (await server.get("/api/openapi.json")).json()) as OpenApi;
  const asked = Object.entries(paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? []).flatMap(({ name, in: place }) =>
      place === "query" ? [[path, name] as const] : [],
    ),
  );
  expect(asked.length).toBeGreaterThan(100);
  const unknown = await unknownPatterns(async () => {
    for (const [at, [path, name]] of asked.entries()) {
      const answer = await server.get(`${path}?${name}=${pick(IN_ADDRESS, at)}`, { key });
      expect(answer.status).toBeLessThan(500);
    }
  });
  expect(unknown).toEqual([]);
}, 300_000);

interface ToolList {
  result: { tools: { name: string; inputSchema: { properties: Record<string, unknown> } }[] };
}

test("messages and arguments of MCP do", async () => {
  const send = (path: string, message: object) =>
    server.get(path, {
      key,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
  const listed = (await (await send("/mcp/analyst", { method: "tools/list" })).json()) as ToolList;
  const asked = listed.result.tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties).map((property) => [name, property] as const),
  );
  expect(asked.length).toBeGreaterThan(60);
  const unknown = await unknownPatterns(async () => {
    for (const [at, [name, property]] of asked.entries()) {
      const params = { name, arguments: { [property]: pick(IN_BODY, at) } };
      const answer = await send("/mcp/analyst", { method: "tools/call", params });
      expect(answer.status).toBeLessThan(500);
    }
    for (const [at, text] of IN_BODY.entries()) {
      const initialize = {
        protocolVersion: text,
        capabilities: {},
        clientInfo: { name: text, version: text },
      };
      const messages = [
        { method: text },
        { id: text, method: "ping" },
        { method: "initialize", params: initialize },
        { method: "tools/call", params: { name: text, arguments: {} } },
        { method: "tools/list", params: { cursor: text, _meta: { progressToken: text } } },
        { method: "resources/read", params: { uri: text } },
        { method: "prompts/get", params: { name: text, arguments: { company: text } } },
      ];
      for (const message of messages)
        expect((await send(at % 2 === 0 ? "/mcp" : "/mcp/analyst", message)).status).toBeLessThan(500);
    }
  });
  expect(unknown).toEqual([]);
}, 300_000);

const HEADERS = (
  "authorization x-api-key x-forwarded-for x-forwarded-proto x-forwarded-host forwarded accept accept-encoding accept-language " +
  "if-none-match if-modified-since range if-range cookie origin referer content-type user-agent mcp-protocol-version " +
  "mcp-session-id last-event-id x-request-id traceparent access-control-request-method access-control-request-headers"
).split(" ");

test("headers do", async () => {
  const paths = [
    "/api/executive-compensation?ticker=AAPL&limit=1",
    "/t/AAPL",
    "/t/AAPL/facts",
    "/sign-in",
    "/mcp",
  ];
  const unknown = await unknownPatterns(async () => {
    for (const [at, name] of HEADERS.entries())
      for (const [turn, text] of IN_HEADER.entries())
        for (const prefix of PREFIXES[name] ?? [""]) {
          const path = paths[(at + turn) % paths.length] ?? "";
          const ask = { headers: { [name]: `${prefix}${text}` } };
          const answer = await server.get(
            path,
            path === "/mcp" ? { ...ask, method: "POST", body: "{}" } : ask,
          );
          expect([name, path, answer.status < 500]).toEqual([name, path, true]);
        }
  });
  expect(unknown).toEqual([]);
}, 300_000);

/** What a header begins with before its text is looked at. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  authorization: ["", "Bearer ", "Basic "],
  accept: ["", "text/html;q=", "text/html,"],
  range: ["", "bytes=0-"],
  cookie: ["", "execcomp_session="],
  "content-type": ["", "multipart/form-data; boundary=", "application/json; charset="],
  "x-forwarded-for": ["", "203.0.113.5, ", "::ffff:"],
  forwarded: ["", "for="],
  "if-none-match": ["", '"a", '],
};

const OAUTH_FORMS: Readonly<Record<string, string>> = {
  "/oauth/token":
    "grant_type code redirect_uri code_verifier client_id client_secret refresh_token resource scope client_assertion",
  "/oauth/revoke": "token token_type_hint client_id client_secret",
};
const AUTHORIZE =
  "response_type client_id redirect_uri scope state code_challenge code_challenge_method resource prompt login_hint nonce";
const REGISTRATION =
  "client_name client_uri logo_uri scope token_endpoint_auth_method software_id software_version policy_uri tos_uri jwks_uri";
const PAGES =
  "/sign-in?next= /sign-in?transaction= /sign-up?transaction= /reset?token= /oauth/authorize/consent?transaction=";

test("parameters of OAuth and of the pages to come in by do", async () => {
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    server.get(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams(fields)),
    });
  const json = (metadata: object) =>
    server.get("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: ["https://client.example/cb"], ...metadata }),
    });
  const registered = (await (await json({})).json()) as { client_id: string };
  const known = {
    client_id: registered.client_id,
    redirect_uri: "https://client.example/cb",
    response_type: "code",
  };
  const unknown = await unknownPatterns(async () => {
    for (const [at, text] of IN_FORM.entries()) {
      for (const [path, names] of Object.entries(OAUTH_FORMS))
        for (const name of names.split(" "))
          for (const grant of ["authorization_code", "refresh_token"])
            await form(path, {
              grant_type: grant,
              client_id: known.client_id,
              [name]: text.slice(0, 12_000),
            });
      for (const name of AUTHORIZE.split(" ")) {
        const query = new URLSearchParams({ ...known, [name]: pick(IN_FORM, at).slice(0, 12_000) });
        await server.get(`/oauth/authorize?${query}`);
      }
      for (const name of REGISTRATION.split(" ")) await json({ [name]: text });
      await json({ redirect_uris: [text, `https://client.example/${text}`, `http://127.0.0.1:${text}`] });
      for (const path of PAGES.split(" ")) await server.get(path + encodeURIComponent(text.slice(0, 5000)));
    }
  });
  expect(unknown).toEqual([]);
}, 300_000);
