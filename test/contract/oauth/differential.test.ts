import { afterAll, beforeAll, expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIFFERENCES, differencesPage, type Verdict } from "./differences.ts";
import { codeAtReference, type Reference, registerAtReference, startReference } from "./reference.ts";
import { requirement } from "./requirements.ts";
import { CHALLENGE, REDIRECT, register, SCOPE, serverForFile, VERIFIER, BrowserSession } from "./support.ts";

/** One of the two servers, ready for requests: a public and a confidential client, and codes on demand. */
interface Side {
  issuer: string;
  paths: { authorize: string; token: string; register: string; revoke: string };
  clientId: string;
  secretClient: { id: string; secret: string };
  code(clientId?: string): Promise<string>;
}

const server = serverForFile();
let reference: Reference;
let ours: Side;
let theirs: Side;

beforeAll(async () => {
  reference = await startReference();
  const { issuer } = reference;
  const confidential = { token_endpoint_auth_method: "client_secret_post" };
  const theirSecret = await registerAtReference(issuer, confidential);
  const theirClient = await registerAtReference(issuer);
  theirs = {
    issuer,
    paths: { authorize: "/auth", token: "/token", register: "/reg", revoke: "/token/revocation" },
    clientId: theirClient["client_id"] ?? "",
    secretClient: { id: theirSecret["client_id"] ?? "", secret: theirSecret["client_secret"] ?? "" },
    code: (clientId) => codeAtReference(issuer, clientId ?? theirs.clientId),
  };
  const s = server();
  const ourSecret = await register(s, confidential);
  const browserSession = new BrowserSession(s);
  await browserSession.signIn();
  ours = {
    issuer: s.origin,
    paths: {
      authorize: "/oauth/authorize",
      token: "/oauth/token",
      register: "/oauth/register",
      revoke: "/oauth/revoke",
    },
    clientId: String((await register(s))["client_id"]),
    secretClient: { id: String(ourSecret["client_id"]), secret: String(ourSecret["client_secret"]) },
    async code(clientId = ours.clientId) {
      const back = await browserSession.decide(
        `${s.origin}/oauth/authorize?${authorizeQuery(ours, { client_id: clientId })}`,
      );
      return back.searchParams.get("code") ?? "";
    },
  };
});
afterAll(() => reference.stop());

type Changes = Record<string, string | undefined>;

function authorizeQuery(side: Side, changes: Changes = {}, extra = ""): string {
  const fields: Changes = {
    response_type: "code",
    client_id: side.clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: SCOPE,
    state: "s",
    resource: `${side.issuer}/mcp`,
    ...changes,
  };
  return encode(fields) + extra;
}

function encode(fields: Changes): string {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString();
}

async function verdictOf(answer: Response): Promise<Verdict> {
  const location = answer.headers.get("location");
  if (location !== null && /^http:\/\/localhost:\d+\/callback[?#]/.test(location)) {
    const { search, hash } = new URL(location);
    const said = new URLSearchParams(hash === "" ? search : hash.slice(1));
    return `302 ${said.get("error") ?? "code"}`;
  }
  if (location !== null) return "goes on";
  const text = await answer.text();
  if ((answer.headers.get("content-type") ?? "").includes("json")) {
    // Both answer errors as flat JSON objects.
    const body = JSON.parse(text) as { error?: string };
    return `${answer.status} ${body.error ?? "ok"}`;
  }
  if (answer.status === 200) return text === "" ? "200 ok" : "goes on";
  return `${answer.status} page`;
}

async function authorize(side: Side, changes: Changes = {}, extra = ""): Promise<Verdict> {
  const url = `${side.issuer}${side.paths.authorize}?${authorizeQuery(side, changes, extra)}`;
  return verdictOf(await fetch(url, { redirect: "manual", headers: { accept: "text/html" } }));
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Verdict> {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  return verdictOf(await fetch(url, { method: "POST", body, headers: { ...form, ...headers } }));
}

/** A token request for a fresh code. */
async function redeem(
  side: Side,
  changes: Changes = {},
  {
    extra = "",
    headers = {},
    client = side.clientId,
    before = 0,
  }: { extra?: string; headers?: Record<string, string>; client?: string; before?: number } = {},
): Promise<Verdict> {
  const fields: Changes = {
    grant_type: "authorization_code",
    client_id: client,
    code: await side.code(client),
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...changes,
  };
  const url = side.issuer + side.paths.token;
  for (let n = 0; n < before; n++) await post(url, encode(fields), headers);
  return post(url, encode(fields) + extra, headers);
}

const registering =
  (body: unknown, type = "application/json") =>
  async (side: Side) =>
    verdictOf(
      await fetch(side.issuer + side.paths.register, {
        method: "POST",
        headers: { "content-type": type },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
const native = (uri: unknown) => ({
  redirect_uris: [uri],
  application_type: "native",
  token_endpoint_auth_method: "none",
});

/** The same request to each side. */
const REQUESTS: Readonly<Record<string, (side: Side) => Promise<Verdict>>> = {
  "authorize: as it should be": (side) => authorize(side),
  "authorize: unknown client": (side) => authorize(side, { client_id: "nobody" }),
  "authorize: no client": (side) => authorize(side, { client_id: undefined }),
  "authorize: client twice": (side) => authorize(side, {}, "&client_id=x"),
  "authorize: unregistered redirect URI": (side) =>
    authorize(side, { redirect_uri: "http://localhost:3118/other" }),
  "authorize: redirect URI twice": (side) =>
    authorize(side, {}, `&redirect_uri=${encodeURIComponent(REDIRECT)}`),
  "authorize: no redirect URI, one registered": (side) => authorize(side, { redirect_uri: undefined }),
  "authorize: another loopback port": (side) =>
    authorize(side, { redirect_uri: REDIRECT.replace("3118", "5000") }),
  "authorize: 127.0.0.1 for localhost": (side) =>
    authorize(side, { redirect_uri: REDIRECT.replace("localhost", "127.0.0.1") }),
  "authorize: no response_type": (side) => authorize(side, { response_type: undefined }),
  "authorize: response_type token": (side) => authorize(side, { response_type: "token" }),
  "authorize: response_mode fragment": (side) => authorize(side, { response_mode: "fragment" }),
  "authorize: no code_challenge": (side) =>
    authorize(side, { code_challenge: undefined, code_challenge_method: undefined }),
  "authorize: method plain": (side) => authorize(side, { code_challenge_method: "plain" }),
  "authorize: no method": (side) => authorize(side, { code_challenge_method: undefined }),
  "authorize: short challenge": (side) => authorize(side, { code_challenge: "short" }),
  "authorize: 42 characters of challenge": (side) => authorize(side, { code_challenge: CHALLENGE.slice(1) }),
  "authorize: state twice": (side) => authorize(side, {}, "&state=t"),
  "authorize: scope twice": (side) => authorize(side, {}, "&scope=x"),
  "authorize: resource twice": (side) =>
    authorize(side, {}, `&resource=${encodeURIComponent(`${side.issuer}/mcp`)}`),
  "authorize: unknown parameter": (side) => authorize(side, { unknown: "x" }),
  "authorize: foreign resource": (side) => authorize(side, { resource: "https://evil.example/mcp" }),
  "authorize: resource with a fragment": (side) => authorize(side, { resource: `${side.issuer}/mcp#x` }),
  "authorize: relative resource": (side) => authorize(side, { resource: "mcp" }),
  "authorize: no resource": (side) => authorize(side, { resource: undefined }),
  "authorize: unknown scope": (side) => authorize(side, { scope: "unknown" }),
  "authorize: no scope": (side) => authorize(side, { scope: undefined }),
  "authorize: offline_access": (side) => authorize(side, { scope: `${SCOPE} offline_access` }),
  "authorize: prompt none": (side) => authorize(side, { prompt: "none" }),
  "authorize: prompt none and login": (side) => authorize(side, { prompt: "none login" }),
  "authorize: request object": (side) => authorize(side, { request: "x" }),
  "authorize: request_uri": (side) => authorize(side, { request_uri: "https://evil.example/r" }),
  "token: as it should be": (side) => redeem(side),
  "token: wrong verifier": (side) => redeem(side, { code_verifier: "x".repeat(43) }),
  "token: short verifier": (side) => redeem(side, { code_verifier: "x" }),
  "token: no verifier": (side) => redeem(side, { code_verifier: undefined }),
  "token: unknown code": (side) => redeem(side, { code: "unknown" }),
  "token: no code": (side) => redeem(side, { code: undefined }),
  "token: replayed code": (side) => redeem(side, {}, { before: 1 }),
  "token: another redirect URI": (side) => redeem(side, { redirect_uri: `${REDIRECT}/x` }),
  "token: no redirect URI": (side) => redeem(side, { redirect_uri: undefined }),
  "token: another port": (side) => redeem(side, { redirect_uri: REDIRECT.replace("3118", "5000") }),
  "token: foreign resource": (side) => redeem(side, { resource: "https://evil.example/mcp" }),
  "token: its resource": (side) => redeem(side, { resource: `${side.issuer}/mcp` }),
  "token: another client's code": async (side) =>
    post(
      side.issuer + side.paths.token,
      encode({
        grant_type: "authorization_code",
        client_id: side.secretClient.id,
        client_secret: side.secretClient.secret,
        code: await side.code(),
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
      }),
    ),
  "token: unknown client": (side) => redeem(side, { client_id: "nobody" }),
  "token: no client": (side) => redeem(side, { client_id: undefined }),
  "token: public client with a secret": (side) => redeem(side, { client_secret: "x" }),
  "token: confidential client without its secret": (side) =>
    redeem(side, {}, { client: side.secretClient.id }),
  "token: wrong secret": (side) => redeem(side, { client_secret: "x" }, { client: side.secretClient.id }),
  "token: header instead of form": (side) =>
    redeem(
      side,
      { client_id: undefined },
      {
        client: side.secretClient.id,
        headers: { authorization: `Basic ${btoa(`${side.secretClient.id}:${side.secretClient.secret}`)}` },
      },
    ),
  "token: header and form": (side) =>
    redeem(
      side,
      { client_secret: side.secretClient.secret },
      {
        client: side.secretClient.id,
        headers: { authorization: `Basic ${btoa(`${side.secretClient.id}:${side.secretClient.secret}`)}` },
      },
    ),
  "token: broken Basic header": (side) =>
    redeem(
      side,
      { client_id: undefined },
      { client: side.secretClient.id, headers: { authorization: "Basic !!" } },
    ),
  "token: no grant_type": (side) => redeem(side, { grant_type: undefined }),
  "token: grant_type password": (side) => redeem(side, { grant_type: "password" }),
  "token: grant_type client_credentials": (side) => redeem(side, { grant_type: "client_credentials" }),
  "token: parameter twice": (side) => redeem(side, {}, { extra: "&code_verifier=x" }),
  "token: unknown parameter": (side) => redeem(side, { unknown: "x" }),
  "token: JSON": (side) => post(side.issuer + side.paths.token, "{}", { "content-type": "application/json" }),
  "token: nothing": (side) => post(side.issuer + side.paths.token, ""),
  "token: unknown refresh token": (side) =>
    post(
      side.issuer + side.paths.token,
      encode({ grant_type: "refresh_token", client_id: side.clientId, refresh_token: "x" }),
    ),
  "token: no refresh token": (side) =>
    post(side.issuer + side.paths.token, encode({ grant_type: "refresh_token", client_id: side.clientId })),
  "revoke: unknown token": (side) =>
    post(side.issuer + side.paths.revoke, encode({ client_id: side.clientId, token: "x" })),
  "revoke: no token": (side) => post(side.issuer + side.paths.revoke, encode({ client_id: side.clientId })),
  "revoke: no client": (side) => post(side.issuer + side.paths.revoke, encode({ token: "x" })),
  "revoke: unknown client": (side) =>
    post(side.issuer + side.paths.revoke, encode({ client_id: "nobody", token: "x" })),
  "register: as it should be": registering(native(REDIRECT)),
  "register: no redirect_uris": registering({ token_endpoint_auth_method: "none" }),
  "register: empty redirect_uris": registering({ redirect_uris: [] }),
  "register: text for redirect_uris": registering({ redirect_uris: REDIRECT }),
  "register: a script": registering(native("javascript:alert(1)")),
  "register: a fragment": registering(native("http://localhost/cb#x")),
  "register: http beyond this computer": registering(native("http://example.com/cb")),
  "register: relative": registering(native("/cb")),
  "register: a number": registering(native(1)),
  "register: implicit": registering({
    ...native(REDIRECT),
    grant_types: ["implicit"],
    response_types: ["code"],
  }),
  "register: unknown response type": registering({ ...native(REDIRECT), response_types: ["magic"] }),
  "register: unknown method": registering({ ...native(REDIRECT), token_endpoint_auth_method: "magic" }),
  "register: a list as name": registering({ ...native(REDIRECT), client_name: ["x"] }),
  "register: no JSON": registering("{"),
  "register: an array": registering([native(REDIRECT)]),
  "register: a form": registering("redirect_uris=x", "application/x-www-form-urlencoded"),
};

requirement(
  85,
  "both servers answer with the same status and error code, except for the differences that DIFFERENCES.md explains",
  async () => {
    const alike: [string, Verdict][] = [];
    const different: Record<string, { ours: Verdict; theirs: Verdict }> = {};
    for (const [what, ask] of Object.entries(REQUESTS)) {
      const [one, other] = [await ask(ours), await ask(theirs)];
      if (one === other) alike.push([what, one]);
      else different[what] = { ours: one, theirs: other };
    }
    if (Bun.env["WRITE_DIFFERENCES"] !== undefined) {
      console.log(JSON.stringify(different, null, 1));
      writeFileSync(join(import.meta.dir, "DIFFERENCES.md"), differencesPage(alike));
    }
    const explained = Object.fromEntries(
      Object.entries(DIFFERENCES).map(([what, { ours: one, theirs: other }]) => [
        what,
        { ours: one, theirs: other },
      ]),
    );
    expect(different).toEqual(explained);
    expect(readFileSync(join(import.meta.dir, "DIFFERENCES.md"), "utf8")).toBe(differencesPage(alike));
  },
  300_000,
);
