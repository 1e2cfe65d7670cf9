import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  authorizeUrl,
  codeFields,
  PERSON,
  REDIRECT,
  BrowserSession,
} from "../../test/contract/oauth/support.ts";
import { NO_LIMITS } from "./servers.ts";
import { readyOrigin } from "./starting.ts";
import type { Bench, BenchGiven, Load, Target } from "./types.ts";

const ROUNDS = 4;
const AT_ONCE = 64;
/** Requests of one kind per round: few enough for a short round, enough that the first ones have no weight. */
const COUNT = 1500;

/** The cost of an access token compared with a key, and of signing in an application compared with a keyed query. */
export const bench: Bench = {
  name: "oauth",
  async run(given) {
    const server = await startServer(given);
    try {
      const asked = await prepare(server);
      await tokenAgainstKey(given, server, asked);
      await flowAgainstQuery(given, server, asked);
    } finally {
      server.child.kill();
      await server.child.exited;
    }
  },
};

interface Asked {
  key: string;
  token: string;
  clientId: string;
  session: BrowserSession;
}

async function tokenAgainstKey(given: BenchGiven, server: Target, { key, token }: Asked): Promise<void> {
  const shot = {
    path: "/mcp",
    method: "POST" as const,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation", arguments: { ticker: "AAPL" } },
    }),
  };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const runs = { key: [] as Load[], token: [] as Load[] };
  const credential = { key: { "x-api-key": key }, token: { authorization: `Bearer ${token}` } };
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of ["key", "token"] as const) {
      const one = await given.load(server, { ...shot, headers: { ...headers, ...credential[name] } });
      if (round >= 0) runs[name].push(one);
    }
  }
  const best = (loads: readonly Load[]) => Math.max(...loads.map((one) => one.requestsPerSecond));
  const least = (loads: readonly Load[]) => Math.min(...loads.map((one) => one.cpuMicrosPerRequest));
  const refused = [...runs.key, ...runs.token].reduce((sum, one) => sum + one.refused, 0);
  given.say(
    "MCP history with a token, against a key",
    `${(best(runs.token) / best(runs.key)).toFixed(2)}; CPU ${least(runs.token).toFixed(1)} against ${least(runs.key).toFixed(1)} us a request${refused === 0 ? "" : `; ${refused} NOT 2xx`}`,
  );
}

/** Each step of signing in an application, sent from this process like the query it is compared with. */
async function flowAgainstQuery(given: BenchGiven, server: Target, asked: Asked): Promise<void> {
  const { clientId, session, key } = asked;
  const cookie = [...session.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const origin = server.origin;
  const like = { origin, port: Number(new URL(origin).port) };
  let made = 0;
  // Pending requests are limited per address.
  const nextAddress = () => `10.${(made >> 14) & 255}.${(made >> 7) & 127}.${made++ & 127}`;
  const steps: Record<string, (code: string) => [string, RequestInit, number]> = {
    query: () => ["/api/executive-compensation?ticker=AAPL", { headers: { "x-api-key": key } }, 200],
    registration: () => [
      "/oauth/register",
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: `Bench ${made++}` }),
      },
      201,
    ],
    "authorize, nobody signed in": () => [
      authorizeUrl(like, clientId),
      { redirect: "manual", headers: { "x-forwarded-for": nextAddress() } },
      303,
    ],
    "authorize, signed in": () => [
      authorizeUrl(like, clientId),
      { headers: { cookie, "x-forwarded-for": nextAddress() } },
      200,
    ],
    token: (code) => [
      "/oauth/token",
      {
        method: "POST",
        headers: form,
        body: new URLSearchParams(codeFields(like, clientId, code)).toString(),
      },
      200,
    ],
  };
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, make] of Object.entries(steps)) {
      const count = name === "token" ? 128 : COUNT;
      const codes = name === "token" ? await newCodes(session, like, clientId, count) : [];
      const perSecond = await drive(origin, count, (n) => make(codes[n] ?? ""));
      best[name] = Math.max(best[name] ?? 0, perSecond);
    }
  }
  const query = best["query"] ?? 1;
  for (const [name, perSecond] of Object.entries(best)) {
    if (name === "query") continue;
    given.say(
      `${name}, against a keyed query`,
      `${(perSecond / query).toFixed(2)}; ${perSecond.toFixed(0)} against ${query.toFixed(0)} a second`,
    );
  }
}

async function drive(
  origin: string,
  count: number,
  make: (n: number) => [string, RequestInit, number],
): Promise<number> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const [path, init, status] = make(next++);
      const answer = await fetch(new URL(path, origin), init);
      if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await answer.bytes();
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count / ((performance.now() - began) / 1000);
}

type Like = { origin: string; port: number };

async function newCodes(
  session: BrowserSession,
  like: Like,
  clientId: string,
  count: number,
): Promise<string[]> {
  const codes: string[] = [];
  for (let n = 0; n < count; n++) {
    const back = await session.decide(authorizeUrl(like, clientId));
    codes.push(back.searchParams.get("code") ?? "");
  }
  return codes;
}

async function prepare(server: Target & { key: string }): Promise<Asked> {
  const { origin } = server;
  const like = { origin, port: Number(new URL(origin).port) };
  const answer = await fetch(`${origin}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT] }),
  });
  // A registration response has a client_id.
  const { client_id } = (await answer.json()) as { client_id: string };
  const session = new BrowserSession(like);
  await session.signIn();
  const [code = ""] = await newCodes(session, like, client_id, 1);
  const tokens = await fetch(`${origin}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(codeFields(like, client_id, code)).toString(),
  });
  // A token response has an access_token.
  const { access_token } = (await tokens.json()) as { access_token: string };
  return { key: server.key, token: access_token, clientId: client_id, session };
}

async function startServer({ executable, folder }: BenchGiven) {
  const dataDir = join(folder, "oauth");
  mkdirSync(dataDir);
  const env = {
    EXECCOMP_DATA_DIR: dataDir,
    EXECCOMP_OWNER_EMAIL: PERSON.email,
    EXECCOMP_OWNER_PASSWORD: PERSON.password,
    EXECCOMP_TRUSTED_PROXIES: "127.0.0.1",
    EXECCOMP_UNMETERED: "true",
    ...NO_LIMITS,
  };
  const child = Bun.spawn([executable, "serve", "--port", "0"], {
    cwd: folder,
    env,
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  const origin = await readyOrigin(child.stdout);
  const made = Bun.spawn([executable, "keys", "create", "--user", PERSON.email, "--json"], {
    cwd: folder,
    env,
  });
  // `keys create --json` prints one object with the key.
  const { key } = (await new Response(made.stdout).json()) as { key: string };
  return { origin, pid: child.pid, child, key };
}
