import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { TokenPair } from "../../../src/accounts/oauth-state/tokens.ts";
import { oauthClients, oauthGrants, oauthTokens } from "../../../src/store/oauth-schema.ts";
import { users } from "../../../src/store/schema.ts";
import { type Bench, REDIRECT, RESOURCE, VERIFIER, bench } from "./support.ts";
import { until } from "../../support/until.ts";

let b: Bench;
let userId: string;
let clientId: string;

beforeEach(async () => {
  b = bench();
  userId = b.user();
  clientId = await b.client();
});
afterEach(() => b.close());

const redeem = (code: string, client = clientId) =>
  b.grants.codes.redeem({
    code,
    clientId: client,
    redirectUri: REDIRECT,
    codeVerifier: VERIFIER,
    resource: null,
  });
const redeems = async (code: string, client?: string) => (await redeem(code, client)).ok;

async function connect(): Promise<TokenPair> {
  const redeemed = await redeem(await b.code({ userId, clientId }));
  if (!redeemed.ok) throw new Error("refused");
  return redeemed.pair;
}

const inherit = { scope: null, resource: null };
const refresh = (secret: string, client = clientId) => b.grants.tokens.refresh(secret, client, inherit);

async function refreshed(secret: string): Promise<TokenPair> {
  const outcome = await refresh(secret);
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.pair;
}

const live = async (pair: TokenPair) => (await b.grants.access.find(pair.accessToken)) !== undefined;

test("every refresh returns a new pair; the previous access token stays valid for its hour", async () => {
  const first = await connect();
  const second = await refreshed(first.refreshToken);
  expect(second.refreshToken).not.toBe(first.refreshToken);
  expect([await live(first), await live(second)]).toEqual([true, true]);
  b.runtime.advance(3_600_000);
  expect([await live(first), await live(second)]).toEqual([false, false]);
});

test("within 30 seconds of its first use a token gives a pair each time, whatever its successors did", async () => {
  const first = await connect();
  const lost = await refreshed(first.refreshToken);
  const third = await refreshed(lost.refreshToken);
  b.runtime.advance(30_000);
  const retried = await refreshed(first.refreshToken);
  expect(await Promise.all([first, lost, third, retried].map(live))).toEqual([true, true, true, true]);
  b.runtime.advance(86_400_000);
  for (const head of [third, retried]) expect((await refresh(head.refreshToken)).ok).toBe(true);
});

test("reuse after 30 seconds ends the family", async () => {
  const first = await connect();
  const second = await refreshed(first.refreshToken);
  b.runtime.advance(30_001);
  expect(await refresh(first.refreshToken)).toMatchObject({ reused: true });
  expect(await live(second)).toBe(false);
  expect((await refresh(second.refreshToken)).ok).toBe(false);
});

test("20 simultaneous refreshes: eleven lines, what is refused ends nothing, and a line that ends makes room", async () => {
  const first = await connect();
  const all = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refreshToken)));
  const lines = all.flatMap((one) => (one.ok ? [one.pair] : []));
  expect(lines).toHaveLength(11);
  expect(new Set(lines.map(({ refreshToken }) => refreshToken)).size).toBe(11);
  for (const one of all) if (!one.ok) expect(one).toMatchObject({ error: "invalid_grant", reused: false });
  expect([first, ...lines].every(live)).toBe(true);
  expect((await b.grants.connections.list(userId))[0]?.programs).toBe(11);
  // Each of them goes on by itself; a fork of a fork is one line too many.
  const next = [];
  for (const { refreshToken } of lines) {
    next.push(await refreshed(refreshToken));
    expect(await refresh(refreshToken)).toMatchObject({ error: "invalid_grant", reused: false });
  }
  expect(next.every(live)).toBe(true);
  // Lines that are not continued for thirty days are over.
  b.runtime.advance(29 * 86_400_000);
  const [kept] = next;
  const goesOn = await refreshed(kept?.refreshToken ?? "");
  b.runtime.advance(2 * 86_400_000);
  expect((await b.grants.connections.list(userId))[0]?.programs).toBe(1);
  await refreshed(goesOn.refreshToken);
  await refreshed(goesOn.refreshToken);
  expect((await b.grants.connections.list(userId))[0]?.programs).toBe(2);
});

test("a token that was used long ago ends all lines, also while there are eleven", async () => {
  const first = await connect();
  const second = await refreshed(first.refreshToken);
  b.runtime.advance(30_001);
  for (let n = 0; n < 11; n += 1) await refreshed(second.refreshToken);
  expect(await refresh(second.refreshToken)).toMatchObject({ ok: false, reused: false });
  expect(await refresh(first.refreshToken)).toMatchObject({ ok: false, reused: true });
  expect(await live(second)).toBe(false);
});

test("a refresh token is bound to its client", async () => {
  const first = await connect();
  const other = await b.client();
  expect(await refresh(first.refreshToken, other)).toEqual({
    ok: false,
    error: "invalid_grant",
    reused: false,
  });
  expect((await refresh(first.refreshToken)).ok).toBe(true);
});

test("scope may not grow and the audience may not change; neither attempt uses up the token", async () => {
  const first = await connect();
  const wider = { scope: ["executive-compensation:read", "admin"], resource: null };
  expect(await b.grants.tokens.refresh(first.refreshToken, clientId, wider)).toMatchObject({
    error: "invalid_scope",
  });
  const elsewhere = { scope: null, resource: "http://127.0.0.1:8402/mcp" };
  expect(await b.grants.tokens.refresh(first.refreshToken, clientId, elsewhere)).toMatchObject({
    error: "invalid_target",
  });
  const same = { scope: ["executive-compensation:read"], resource: RESOURCE };
  expect((await b.grants.tokens.refresh(first.refreshToken, clientId, same)).ok).toBe(true);
});

test("a family ends after 30 days without a refresh, and after 180 days in any case", async () => {
  const idle = await connect();
  b.runtime.advance(30 * 86_400_000);
  expect((await refresh(idle.refreshToken)).ok).toBe(false);

  let pair = await connect();
  for (let month = 0; month < 6; month++) {
    b.runtime.advance(29 * 86_400_000);
    pair = await refreshed(pair.refreshToken);
  }
  b.runtime.advance(6 * 86_400_000 - 1000);
  pair = await refreshed(pair.refreshToken);
  expect(pair.expiresInSeconds).toBe(1);
  b.runtime.advance(1000);
  expect((await refresh(pair.refreshToken)).ok).toBe(false);
  expect(await live(pair)).toBe(false);
});

test("disabling a user takes effect on the next request and on the next refresh", async () => {
  const pair = await connect();
  expect(await live(pair)).toBe(true);
  const set = (disabledAtMs: number | null) =>
    b.store.transact((db) => db.update(users).set({ disabledAtMs }).where(eq(users.id, userId)).run());
  await set(1);
  expect(await live(pair)).toBe(false);
  expect((await refresh(pair.refreshToken)).ok).toBe(false);
  await set(null);
  expect(await live(pair)).toBe(true);
});

test("disconnecting takes effect at once, for that application only, and only for its owner", async () => {
  const [one, two] = [await connect(), await connect()];
  const stranger = b.user();
  expect(await b.grants.connections.disconnect(stranger, one.grantId)).toBe(false);
  expect((await b.grants.connections.list(userId)).map(({ id }) => id)).toEqual([two.grantId, one.grantId]);
  expect(await b.grants.connections.disconnect(userId, one.grantId)).toBe(true);
  expect([await live(one), await live(two)]).toEqual([false, true]);
  expect((await refresh(one.refreshToken)).ok).toBe(false);
  expect((await b.grants.connections.list(userId)).map(({ id }) => id)).toEqual([two.grantId]);
});

test("disconnecting also ends what was approved and not redeemed, of that application only", async () => {
  const { grantId } = await connect();
  const others = await b.client();
  const [pending, kept] = [await b.code({ userId, clientId }), await b.code({ userId, clientId: others })];
  expect(await b.grants.connections.disconnect(userId, grantId)).toBe(true);
  expect([await redeems(pending), await redeems(kept, others)]).toEqual([false, true]);
});

test("a connection shows its name, full redirect host, creation time, last use and programs", async () => {
  const pair = await connect();
  b.runtime.advance(5000);
  expect(await live(pair)).toBe(true);
  const seen = async () => (await b.grants.connections.list(userId))[0]?.lastUsedAtMs === b.runtime.now();
  await until("the use is recorded", seen);
  expect(await b.grants.connections.list(userId)).toEqual([
    {
      id: pair.grantId,
      clientId,
      name: "App",
      redirectHost: "localhost:3118",
      scope: "executive-compensation:read",
      createdAtMs: b.runtime.now() - 5000,
      lastUsedAtMs: b.runtime.now(),
      programs: 1,
    },
  ]);
});

test("the use of a connection is written at most once a minute", async () => {
  const pair = await connect();
  const usedAfter = async (ms: number) => {
    b.runtime.advance(ms);
    expect(await live(pair)).toBe(true);
    // Pending uses are written with any commit.
    await b.store.transact(async () => {});
    return (await b.grants.connections.list(userId))[0]?.lastUsedAtMs;
  };
  const first = await usedAfter(5000);
  expect(first).toBe(b.runtime.now());
  expect(await usedAfter(59_000)).toBe(first);
  expect(await usedAfter(1000)).toBe(b.runtime.now());
});

test("ending all of a user's connections also ends pending codes, also when the clock is set back after", async () => {
  const pair = await connect();
  const code = await b.code({ userId, clientId });
  const yearMs = 365 * 86_400_000;
  b.runtime.advance(yearMs);
  await b.store.transact((db) => b.grants.connections.endAll(db, userId, "cut_off"));
  b.runtime.advance(-yearMs);
  expect([await live(pair), (await refresh(pair.refreshToken)).ok, await redeems(code)]).toEqual([
    false,
    false,
    false,
  ]);
});

test("revoking a refresh token ends the connection, an access token only itself, a foreign token nothing", async () => {
  const one = await connect();
  await b.grants.tokens.revoke(one.accessToken, await b.client());
  expect(await live(one)).toBe(true);
  await b.grants.tokens.revoke(one.accessToken, clientId);
  expect(await live(one)).toBe(false);
  const two = await refreshed(one.refreshToken);
  await b.grants.tokens.revoke(two.refreshToken, clientId);
  expect(await live(two)).toBe(false);
  expect((await refresh(two.refreshToken)).ok).toBe(false);
  await b.grants.tokens.revoke("nonsense", clientId);
});

test("a connection and its tokens are kept for 90 days after their end, then purged with the client", async () => {
  const pair = await connect();
  await b.grants.connections.disconnect(userId, pair.grantId);
  b.runtime.advance(89 * 86_400_000);
  await b.grants.purge();
  expect(b.store.db.select().from(oauthGrants).all()).toHaveLength(1);
  b.runtime.advance(2 * 86_400_000);
  await b.grants.purge();
  expect(b.store.db.select().from(oauthGrants).all()).toEqual([]);
  expect(b.store.db.select().from(oauthTokens).all()).toEqual([]);
  expect(b.store.db.select().from(oauthClients).all()).toEqual([]);
});

test("much that has ended is purged in several transactions, which others need not wait for", async () => {
  const { grantId } = await connect();
  const [token] = b.store.db.select().from(oauthTokens).where(eq(oauthTokens.kind, "refresh")).all();
  if (token === undefined) throw new Error("no token");
  for (let n = 0; n < 600; n += 1)
    b.store.db
      .insert(oauthTokens)
      .values({ ...token, hash: `hash ${n}`, id: `id ${n}` })
      .run();
  await b.grants.connections.disconnect(userId, grantId);
  b.runtime.advance(91 * 86_400_000);
  const changes = () => b.store.rows<{ n: number }>("select total_changes() as n")[0]?.n ?? 0;
  const before = changes();
  const each: number[] = [];
  const { transact } = b.store;
  b.store.transact = async (work) => {
    const from = changes();
    const value = await transact.call(b.store, work);
    each.push(changes() - from);
    return value as never;
  };
  // The request, its code, the grant with its tokens, and the client.
  expect(await b.grants.purge()).toBe(606);
  expect(changes() - before).toBe(606);
  expect(Math.max(...each)).toBeLessThanOrEqual(250);
  expect(b.store.db.select().from(oauthTokens).all()).toEqual([]);
});

test("a client without a grant is purged after a day, one with a live grant never", async () => {
  await connect();
  const unused = await b.client();
  b.runtime.advance(86_400_001);
  await b.grants.purge();
  expect(await b.grants.clients.find(unused)).toBeUndefined();
  expect(await b.grants.clients.find(clientId)).toBeDefined();
  b.runtime.advance(100 * 86_400_000);
  await b.grants.purge();
  expect(await b.grants.clients.find(clientId)).toBeDefined();
});
