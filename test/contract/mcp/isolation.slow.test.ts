/**
 * Fifty concurrent callers with different identities, ten thousand calls: none sees another's rows, balance or rate
 * limit (CVE-2026-25536).
 */
import { expect, test } from "bun:test";
import { realRuntime } from "../../../src/runtime.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { addPerson, connect } from "../oauth/support.ts";
import { compensationCall, resultOf } from "./support.ts";

const CALLS = 200;
const KEYS = 40;
const TOKENS = 5;
const ADDRESSES = 5;

interface Identity {
  kind: "key" | "token" | "anon";
  ticker: string;
  headers: Record<string, string>;
  quota: number;
}

async function identities(server: TestServer): Promise<Identity[]> {
  const tickers = server.services.snapshots.current().tickers();
  const tickerOf = (at: number) => tickers[at] ?? "";
  const all: Identity[] = [];
  for (let at = 0; at < KEYS; at++) {
    const headers = { "x-api-key": await server.createKey(`key-${at}@example.com`) };
    all.push({ kind: "key", ticker: tickerOf(at), headers, quota: 600 });
  }
  for (let at = 0; at < TOKENS; at++) {
    const person = { email: `token-${at}@example.com`, password: "correct horse battery" };
    await addPerson(server, person);
    const { accessToken } = await connect(server, person);
    const headers = { authorization: `Bearer ${accessToken}` };
    all.push({ kind: "token", ticker: tickerOf(KEYS + at), headers, quota: 600 });
  }
  for (let at = 0; at < ADDRESSES; at++) {
    const headers = { "x-forwarded-for": `198.51.100.${at + 1}` };
    all.push({ kind: "anon", ticker: tickerOf(KEYS + TOKENS + at), headers, quota: 60 });
  }
  return all;
}

/** Every other call requests history, and every third takes the protocol library's path. */
async function callAll(server: TestServer, { kind, ticker, headers, quota }: Identity): Promise<void> {
  let charged = 0;
  const known = kind !== "anon";
  for (let call = 0; call < CALLS; call++) {
    const history = known && call % 2 === 1;
    const family = call % 4 < 2 ? "modern" : "legacy";
    const asked = compensationCall(family, { ticker, limit: history ? 100 : 1 });
    const long = call % 3 === 0 ? { "mcp-name": `=?base64?${btoa("get_executive_compensation")}?=` } : {};
    const answer = await server.get("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...headers,
        ...asked.headers,
        ...(family === "modern" ? long : {}),
      },
      body: JSON.stringify({ ...asked.message, id: `${ticker}-${call}` }),
    });
    if (call >= quota) {
      expect(answer.status).toBe(429);
      continue;
    }
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit")).toStartWith(`"${kind}";r=${quota - call - 1};`);
    const body = await answer.clone().json();
    expect(body).toMatchObject({ id: `${ticker}-${call}` });
    const result = await resultOf(answer);
    const rows = result.structuredContent?.executive_compensation ?? [];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatchObject({ ticker });
    if (history && new Set(rows.map((row) => row.fiscal_year)).size > 1) charged += 1;
    expect(result._meta?.["credits_remaining"]).toBe(known ? 100 - charged : undefined);
  }
}

test("fifty callers make ten thousand calls, and none sees another's data", async () => {
  // After a minute tokens are purged by a process of its own, by the real clock.
  const { now } = realRuntime();
  const server = await startTestServer({ trustedProxies: "127.0.0.1" }, { now });
  try {
    const callers = await identities(server);
    expect(new Set(callers.map(({ ticker }) => ticker)).size).toBe(50);
    await Promise.all(callers.map((caller) => callAll(server, caller)));
  } finally {
    await server.stop();
  }
}, 300_000);
