import { afterAll, beforeAll } from "bun:test";
import type { SettingName } from "../../../src/config/settings.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

/** The only scope. */
export const SCOPE = "executive-compensation:read";
/** The account that tests sign in to by default. */
export const PERSON = { email: "ann@example.com", password: "correct horse battery" };
/** A verifier and its challenge. @see RFC 7636 appendix B */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/** S256 of `VERIFIER`. */
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/** The redirect URI of these tests; no server listens there. */
export const REDIRECT = "http://localhost:3118/callback";

/** The JSON of the endpoints, with the members that tests read. */
export type Json = Record<string, unknown>;

/** A server for all tests of a file, with a person who can sign in. */
export function serverForFile(settings: Partial<Record<SettingName, string>> = {}): () => TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(settings);
    await addPerson(server);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error("no server before the tests run");
    return server;
  };
}

/** Creates an account that can sign in. */
export async function addPerson({ accounts }: TestServer, person = PERSON): Promise<string> {
  return (await accounts.signUps.createWithPassword(person.email, person.password)).id;
}

/** A browser without a window: it exposes cookies, forms and redirects, so that a test sees each of them. */
export class BrowserSession {
  readonly jar = new Map<string, string>();

  /** @param origin that it visits */
  constructor(
    readonly server: Pick<TestServer, "origin" | "port">,
    readonly origin = server.origin,
  ) {}

  /** Requests an address with its cookies; does not follow redirects. */
  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, this.origin);
    const headers = new Headers(init.headers);
    if (this.jar.size > 0)
      headers.set("cookie", [...this.jar].map(([name, value]) => `${name}=${value}`).join("; "));
    headers.set("host", target.host);
    // All names of this computer lead to the address that the server listens on.
    const answer = await fetch(`http://127.0.0.1:${this.server.port}${target.pathname}${target.search}`, {
      redirect: "manual",
      ...init,
      headers,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (/max-age=0/i.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return answer;
  }

  /** Sends a form. */
  submit(action: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return this.open(action, {
      method: "POST",
      body: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  }

  /** Signs in on the sign-in page, and returns the redirect that follows. */
  async signIn(person = PERSON, page = "/sign-in"): Promise<Response> {
    const form = await readForm(await this.open(page));
    return this.submit(form.action, { ...form.hidden, ...person });
  }

  /** Opens an authorization request and returns the consent page, signing in on the way if asked. */
  async consentPage(url: string, person = PERSON): Promise<Response> {
    let answer = await this.open(url);
    if (answer.status === 303) {
      answer = await this.signIn(person, answer.headers.get("location") ?? "");
      answer = await this.open(answer.headers.get("location") ?? "");
    }
    return answer;
  }

  /** Goes from an authorization request to the redirect that answers it. */
  async decide(url: string, decision: "approve" | "deny" = "approve", person = PERSON): Promise<URL> {
    const form = await readForm(await this.consentPage(url, person));
    const answer = await this.submit(form.action, { ...form.hidden, decision });
    if (answer.status !== 303) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
    return new URL(answer.headers.get("location") ?? "");
  }
}

/** The first form of a page. @param having text that it contains */
export async function readForm(
  page: Response,
  having = "",
): Promise<{ action: string; hidden: Record<string, string> }> {
  const text = await page.text();
  const forms = [...text.matchAll(/<form\b[^>]*>[^]*?<\/form>/g)].map(([form]) => form);
  const form = forms.find((one) => one.includes(having));
  if (form === undefined) throw new Error(`a page without a form: ${page.status} ${text}`);
  const hidden: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
    hidden[/name="([^"]*)"/.exec(input)?.[1] ?? ""] = /value="([^"]*)"/.exec(input)?.[1] ?? "";
  }
  return { action: /action="([^"]*)"/.exec(form)?.[1] ?? "", hidden };
}

/** Registers a client and returns the body of the answer. */
export async function register(server: Pick<TestServer, "get">, body: Json = {}): Promise<Json> {
  const answer = await postJson(server, "/oauth/register", { redirect_uris: [REDIRECT], ...body });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return readJson(answer);
}

/** The body of an answer. */
export async function readJson(answer: Response): Promise<Json> {
  // The endpoints under test answer with JSON objects only; the tests look at every member.
  return (await answer.json()) as Json;
}

/** Posts JSON. */
export function postJson(
  server: Pick<TestServer, "get">,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return server.get(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Posts a form to an endpoint for programs. */
export function postForm(
  server: TestServer,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
) {
  return server.get(path, {
    method: "POST",
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

/** The address of an authorization request; members set to undefined are omitted. */
export function authorizeUrl(
  server: Pick<TestServer, "origin">,
  clientId: string,
  over: Record<string, string | undefined> = {},
): string {
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "s t/a?t&e=",
    scope: SCOPE,
    resource: `${server.origin}/mcp`,
    ...over,
  };
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${server.origin}/oauth/authorize?${new URLSearchParams(given)}`;
}

/** The fields of a token request for a code. */
export function codeFields(
  server: Pick<TestServer, "origin">,
  clientId: string,
  code: string,
  over: Record<string, string> = {},
) {
  return {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    resource: `${server.origin}/mcp`,
    ...over,
  };
}

/** A pair of tokens. */
export interface Connected {
  clientId: string;
  accessToken: string;
  refreshToken: string;
}

/** Completes the whole flow: registers, signs in, approves, exchanges the code. */
export async function connect(server: TestServer, person = PERSON): Promise<Connected> {
  const clientId = String((await register(server, { client_name: "Test" }))["client_id"]);
  const url = await new BrowserSession(server).decide(authorizeUrl(server, clientId), "approve", person);
  const code = url.searchParams.get("code") ?? "";
  const answer = await postForm(server, "/oauth/token", codeFields(server, clientId, code));
  const body = await readJson(answer);
  return {
    clientId,
    accessToken: String(body["access_token"]),
    refreshToken: String(body["refresh_token"]),
  };
}

/** Calls a tool that requires a credential, with a token; the status shows whether it was admitted. */
export function callHistory(server: TestServer, accessToken: string, path = "/mcp"): Promise<Response> {
  return postJson(
    server,
    path,
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 4 } },
    },
    { authorization: `Bearer ${accessToken}`, accept: "application/json, text/event-stream" },
  );
}
