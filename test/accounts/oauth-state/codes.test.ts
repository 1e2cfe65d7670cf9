import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { oauthCodes, oauthGrants, oauthTokens } from "../../../src/store/oauth-schema.ts";
import { ledger, users } from "../../../src/store/schema.ts";
import { type Bench, REDIRECT, RESOURCE, VERIFIER, bench } from "./support.ts";

let b: Bench;
let userId: string;
let clientId: string;

beforeEach(async () => {
  b = bench();
  userId = b.user();
  clientId = await b.client();
});
afterEach(() => b.close());

const redeem = (code: string, over: Partial<Parameters<Bench["grants"]["codes"]["redeem"]>[0]> = {}) =>
  b.grants.codes.redeem({
    code,
    clientId,
    redirectUri: REDIRECT,
    codeVerifier: VERIFIER,
    resource: RESOURCE,
    ...over,
  });
const refused = { ok: false, error: "invalid_grant", reused: false } as const;

test("a code becomes a pair of tokens once, and the user's first credits come with it", async () => {
  const code = await b.code({ userId, clientId });
  const redeemed = await redeem(code);
  if (!redeemed.ok) throw new Error("refused");
  expect(redeemed.pair.scope).toBe("executive-compensation:read");
  expect(redeemed.pair.expiresInSeconds).toBe(3600);
  expect(await b.grants.access.find(redeemed.pair.accessToken)).toMatchObject({ userId, clientId });
  const entries = b.store.db.select().from(ledger).where(eq(ledger.userId, userId)).all();
  expect(entries.map(({ kind, amountCredits }) => [kind, amountCredits])).toEqual([["given", 100]]);
});

test("no secret is stored in clear", async () => {
  const code = await b.code({ userId, clientId });
  const redeemed = await redeem(code);
  if (!redeemed.ok) throw new Error("refused");
  const everything = JSON.stringify([
    b.store.db.select().from(oauthCodes).all(),
    b.store.db.select().from(oauthTokens).all(),
    b.store.db.select().from(oauthGrants).all(),
  ]);
  for (const secret of [code, redeemed.pair.accessToken, redeemed.pair.refreshToken]) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(secret.slice(6, 30));
  }
});

test("a replayed code is refused and revokes everything issued for it", async () => {
  const code = await b.code({ userId, clientId });
  const first = await redeem(code);
  if (!first.ok) throw new Error("refused");
  expect(await redeem(code)).toEqual({ ...refused, reused: true });
  expect(await b.grants.access.find(first.pair.accessToken)).toBeUndefined();
  const again = await b.grants.tokens.refresh(first.pair.refreshToken, clientId, {
    scope: null,
    resource: null,
  });
  expect(again.ok).toBe(false);
});

test("50 simultaneous redemptions of one code: exactly one receives tokens", async () => {
  const code = await b.code({ userId, clientId });
  const all = await Promise.all(Array.from({ length: 50 }, () => redeem(code)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(1);
});

test("50 simultaneous first grants of one user give the credits once", async () => {
  const codes = await Promise.all(Array.from({ length: 50 }, () => b.code({ userId, clientId })));
  const all = await Promise.all(codes.map((code) => redeem(code)));
  expect(all.every(({ ok }) => ok)).toBe(true);
  expect(b.store.db.select().from(ledger).where(eq(ledger.userId, userId)).all()).toHaveLength(1);
});

test("if the credits cannot be given, there is no grant and no token, and the code is not used up", async () => {
  const broken = bench();
  broken.store.client.run(
    "CREATE TRIGGER broken BEFORE INSERT ON ledger BEGIN SELECT raise(ABORT, 'no credits today'); END",
  );
  const someone = broken.user();
  const app = await broken.client();
  const code = await broken.code({ userId: someone, clientId: app });
  const asked = { code, clientId: app, redirectUri: REDIRECT, codeVerifier: VERIFIER, resource: null };
  await expect(broken.grants.codes.redeem(asked)).rejects.toThrow(/ledger|no credits today/);
  expect(broken.store.db.select().from(oauthTokens).all()).toEqual([]);
  expect(broken.store.db.select().from(oauthGrants).all()).toEqual([]);
  expect(broken.store.db.select().from(oauthCodes).all()[0]?.usedAtMs).toBeNull();
  broken.close();
});

for (const [what, over, error] of [
  ["another client", { clientId: "xc_client_other" }, "invalid_grant"],
  ["another redirect URI", { redirectUri: "http://localhost:3118/other" }, "invalid_grant"],
  ["another port", { redirectUri: "http://localhost:3119/callback" }, "invalid_grant"],
  ["no redirect URI", { redirectUri: null }, "invalid_grant"],
  ["another resource", { resource: "http://127.0.0.1:8402/mcp" }, "invalid_target"],
  ["a wrong verifier", { codeVerifier: `${VERIFIER}x` }, "invalid_grant"],
  ["the challenge as verifier", { codeVerifier: "x".repeat(42) }, "invalid_grant"],
] as const) {
  test(`${what} is refused and uses up nothing`, async () => {
    const code = await b.code({ userId, clientId });
    expect(await redeem(code, over)).toEqual({ ok: false, error, reused: false });
    expect((await redeem(code)).ok).toBe(true);
  });
}

test("five wrong verifiers invalidate the code", async () => {
  const code = await b.code({ userId, clientId });
  for (let i = 0; i < 5; i++) expect((await redeem(code, { codeVerifier: "y".repeat(43) })).ok).toBe(false);
  expect(await redeem(code)).toEqual(refused);
});

test("presenting a used code as a foreign client does not affect its grant", async () => {
  const code = await b.code({ userId, clientId });
  const first = await redeem(code);
  if (!first.ok) throw new Error("refused");
  expect(await redeem(code, { clientId: await b.client() })).toEqual(refused);
  expect(await b.grants.access.find(first.pair.accessToken)).toBeDefined();
});

test("a code expires after five minutes, to the millisecond", async () => {
  const code = await b.code({ userId, clientId });
  b.runtime.advance(299_999);
  const late = await b.code({ userId, clientId });
  expect((await redeem(code)).ok).toBe(true);
  b.runtime.advance(300_000);
  expect(await redeem(late)).toEqual(refused);
});

test("a disabled or deleted user gets no tokens for a code", async () => {
  for (const gone of [{ disabledAtMs: 1 }, { deletedAtMs: 1 }]) {
    const someone = b.user();
    const code = await b.code({ userId: someone, clientId });
    await b.store.transact((db) => db.update(users).set(gone).where(eq(users.id, someone)).run());
    expect(await redeem(code)).toEqual(refused);
  }
});

test("a code that is not ours never reaches the store", async () => {
  for (const code of ["", "x", "xc_ac_", `xc_ac_${"A".repeat(49)}`, "' OR 1=1 --"]) {
    expect(await redeem(code)).toEqual(refused);
  }
});

test("purging keeps what is needed and removes the rest", async () => {
  const code = await b.code({ userId, clientId });
  const unused = await b.code({ userId, clientId });
  expect((await redeem(code)).ok).toBe(true);
  b.runtime.advance(3_600_000);
  await b.grants.purge();
  // An hour later a replay is still recognized.
  expect(await redeem(code)).toEqual({ ...refused, reused: true });
  b.runtime.advance(2 * 86_400_000);
  await b.grants.purge();
  expect(
    b.store.db
      .select({ n: sql<number>`count(*)` })
      .from(oauthCodes)
      .get(),
  ).toEqual({ n: 0 });
  expect(await redeem(unused)).toEqual(refused);
});
