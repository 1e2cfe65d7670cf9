import { createApp } from "../../../src/server/app.ts";
import { createServerUrls } from "../../../src/http/base-urls.ts";
import type { TestServer } from "../../support/server.ts";
import {
  authorizeUrl,
  CHALLENGE,
  codeFields,
  REDIRECT,
  register,
  SCOPE,
  VERIFIER,
  BrowserSession,
} from "./support.ts";

/** The result of a run. */
export interface FuzzReport {
  requests: number;
  /** How often each endpoint answered with each status. */
  statuses: Record<string, number>;
  /** Descriptions of the violations; empty if there are none. */
  broken: string[];
}

/** Reproducible random numbers from 0 to 1 for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NASTY = [
  "",
  " ",
  "\0",
  "null",
  "[]",
  "{}",
  "-1",
  "1e309",
  "\u202e",
  "\ud800",
  "ü",
  "😀",
  "%",
  "%00",
  "%zz",
  "%2e%2e/",
  "../",
  "..;/",
  "\\",
  "//evil.example",
  "https://evil.example/cb",
  "http://localhost.evil.example/cb",
  "http://localhost@evil.example/callback",
  "http://localhost:3118/callback#",
  "http://localhost:99999/callback",
  "http://localhost:50000/callback",
  "http://127.0.0.1:3118/callback",
  "javascript:alert(1)",
  "JAVASCRIPT://localhost/%0aalert(1)",
  "data:text/html,x",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "plain",
  "token",
  "none",
  "password",
  "client_credentials",
  "refresh_token",
  "xc_client_",
  "' OR 1=1 --",
  "\r\nLocation: https://evil.example",
  "x".repeat(3000),
];
const NAMES = [
  "client_id",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "state",
  "scope",
  "resource",
  "prompt",
  "code",
  "code_verifier",
  "grant_type",
  "refresh_token",
  "client_secret",
  "__proto__",
  "constructor",
  "request",
  "request_uri",
  "response_mode",
  "redirect_uris",
  "client_name",
];
const MEMBERS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "x",
  [],
  [[]],
  {},
  [null],
  [1],
  ["", "x"],
  { toString: 1 },
  { length: 1 },
];

/** Sends mutated registrations, authorization and token requests in process, and reports violations. */
export async function fuzz(server: TestServer, count: number, seed: number): Promise<FuzzReport> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  };
  const serverUrls = createServerUrls(server.services.config, server.port);
  const app = createApp(server.services, () => serverUrls);
  const host = new URL(server.origin).host;
  const clientId = String((await register(server, { client_name: "Fuzzed" }))["client_id"]);
  const browserSession = new BrowserSession(server);
  await browserSession.signIn();
  const cookie = [...browserSession.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const userId = (await server.accounts.users.list())[0]?.id ?? "";
  const report: FuzzReport = { requests: 0, statuses: {}, broken: [] };

  const send = async (path: string, init: RequestInit): Promise<Response | undefined> => {
    const headers = new Headers(init.headers);
    headers.set("host", host);
    // Rate limits per client address are tested elsewhere.
    headers.set("x-forwarded-for", `198.51.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`);
    server.advance(1000);
    const request = new Request(`${server.origin}${path}`, { ...init, headers });
    const answer = await app(request);
    const key = `${new URL(request.url).pathname.replace(/^\/oauth\//, "")} ${answer.status}`;
    report.statuses[key] = (report.statuses[key] ?? 0) + 1;
    report.requests += 1;
    if (answer.status >= 500)
      report.broken.push(`${key}: ${path.slice(0, 300)} ${String(init.body).slice(0, 300)}`);
    const location = answer.headers.get("location");
    if (location !== null && !mayLeadTo(location, server.origin)) report.broken.push(`leads to ${location}`);
    return answer;
  };

  const newCode = async (): Promise<string> => {
    const { requests } = server.accounts.grants;
    const request = {
      clientId,
      clientName: null,
      redirectUri: REDIRECT,
      state: null,
      codeChallenge: CHALLENGE,
      resource: `${server.origin}/mcp`,
      scope: SCOPE,
      issuer: server.origin,
    };
    const browser = `fuzz ${report.requests}`;
    const transaction = await requests.open(request, { browser, address: `fuzz ${report.requests}` });
    const by = { browser, userId, address: null, userAgent: null };
    const decided = await requests.decide(transaction, by, true);
    return decided.kind === "approved" ? decided.code : "";
  };

  const mutateText = (text: string): string => {
    const at = Math.floor(random() * (text.length + 1));
    switch (Math.floor(random() * 5)) {
      case 0:
        return text.slice(0, at);
      case 1:
        return text.slice(0, at) + pick(NASTY) + text.slice(at);
      case 2:
        return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
      case 3:
        return pick(NASTY);
      default:
        return text + text;
    }
  };

  const mutatePairs = (fields: Record<string, string>): [string, string][] => {
    const pairs = Object.entries(fields);
    for (let n = Math.floor(random() * 3); n >= 0; n--) {
      const at = Math.floor(random() * pairs.length);
      const pair = pairs[at] ?? ["x", "y"];
      const kind = Math.floor(random() * 5);
      if (kind === 0) pairs.splice(at, 1);
      else if (kind === 1) pairs.push([pair[0], mutateText(pair[1])]);
      else if (kind === 2) pairs.push([pick(NAMES), pick(NASTY)]);
      else if (kind === 3) pairs[at] = [mutateText(pair[0]), pair[1]];
      else pairs[at] = [pair[0], mutateText(pair[1])];
    }
    return pairs;
  };

  const encode = (pairs: readonly [string, string][]): string => {
    const text = pairs.map((pair) => pair.map(encodeLoosely).join("=")).join("&");
    return random() < 0.1 ? mutateText(text).replaceAll(/[\r\n#]/g, "") : text;
  };

  const oddHeaders = (): Record<string, string> => {
    const kind = random();
    if (kind < 0.85) return {};
    if (kind < 0.9)
      return { "content-type": pick(["", "text/plain", "application/json", "multipart/form-data", ";;;"]) };
    return {
      authorization: pick([
        "Basic",
        "Basic !!",
        "Basic eDp5",
        "Bearer x",
        "basic OjpA",
        `Basic ${btoa("%zz:%")}`,
      ]),
    };
  };

  const authorizeOnce = async (): Promise<void> => {
    const base = Object.fromEntries(new URL(authorizeUrl(server, clientId)).searchParams);
    const query = encode(mutatePairs(base));
    const answer = await send(`/oauth/authorize?${query}`, { headers: random() < 0.9 ? { cookie } : {} });
    if (answer === undefined || (answer.status !== 200 && answer.status !== 303)) return;
    // The request was accepted: then it had everything that binds the code to its client.
    const parameters = new URLSearchParams(query);
    const bound =
      parameters.get("response_type") === "code" &&
      parameters.get("client_id") === clientId &&
      /^http:\/\/localhost(:\d{1,5})?\/callback$/.test(parameters.get("redirect_uri") ?? "") &&
      /^[\w-]{43}$/.test(parameters.get("code_challenge") ?? "") &&
      parameters.get("code_challenge_method") === "S256";
    if (!bound) report.broken.push(`accepted without a binding: ${query}`);
  };

  let code = await newCode();
  const tokenOnce = async (): Promise<void> => {
    if (random() < 0.02) code = await newCode();
    const fields = codeFields(server, clientId, code);
    const body = encode(mutatePairs(fields));
    const headers = { "content-type": "application/x-www-form-urlencoded", ...oddHeaders() };
    const answer = await send("/oauth/token", { method: "POST", body, headers });
    if (answer?.status !== 200) return;
    const form = new URLSearchParams(body);
    const bound =
      form.get("code") === code &&
      form.get("client_id") === clientId &&
      form.get("redirect_uri") === REDIRECT &&
      form.get("code_verifier") === VERIFIER &&
      [null, "", `${server.origin}/mcp`].includes(form.get("resource"));
    if (!bound) report.broken.push(`a token without its bindings: ${body}`);
    code = await newCode();
  };

  const registerOnce = async (): Promise<void> => {
    const base: Record<string, unknown> = {
      redirect_uris: [REDIRECT],
      client_name: "Fuzzed",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: SCOPE,
    };
    for (let n = Math.floor(random() * 3); n >= 0; n--) {
      const name = pick([...Object.keys(base), ...NAMES]);
      const kind = random();
      if (kind < 0.3) base[name] = pick(MEMBERS);
      else if (kind < 0.6) base["redirect_uris"] = [REDIRECT, mutateText(REDIRECT)];
      else if (kind < 0.8) base[name] = pick(NASTY);
      else delete base[name];
    }
    const text = JSON.stringify(base);
    const body = random() < 0.15 ? mutateText(text) : text;
    const headers = { "content-type": "application/json", ...oddHeaders() };
    const answer = await send("/oauth/register", { method: "POST", body, headers });
    if (answer?.status !== 201) return;
    // The endpoint's own answer: a JSON object with the accepted list.
    const registered = (await answer.json()) as { redirect_uris: string[] };
    for (const uri of registered.redirect_uris) {
      if (!harmless(uri)) report.broken.push(`registered ${uri}`);
    }
  };

  for (let n = 0; n < count; n++) {
    const kind = random();
    if (kind < 0.4) await authorizeOnce();
    else if (kind < 0.8) await tokenOnce();
    else await registerOnce();
    if (n % 5000 === 4999) await server.accounts.grants.purge();
  }
  return report;
}

/** Half of them as a form sends it, half raw where the transport allows. */
function encodeLoosely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : encodeURIComponent(text.toWellFormed());
}

function mayLeadTo(location: string, origin: string): boolean {
  if (location.startsWith(`${origin}/sign-in?transaction=xc_ar_`)) return true;
  return /^http:\/\/localhost(:\d{1,5})?\/callback\?(code|error)=/.test(location) && !/[\r\n]/.test(location);
}

/** Written separately, not derived from the policy under test: this computer, or the one listed scheme and sites. */
function harmless(uri: string): boolean {
  const url = new URL(uri);
  if (url.username + url.password + url.hash !== "") return false;
  if (url.protocol === "http:") return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "https:") {
    return [
      "claude.ai",
      "claude.com",
      "chatgpt.com",
      "vscode.dev",
      "insiders.vscode.dev",
      "www.cursor.com",
    ].includes(url.hostname);
  }
  return url.protocol === "cursor:";
}
