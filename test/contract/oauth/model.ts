import { expect } from "bun:test";
import * as fc from "fast-check";
import { users } from "../../../src/store/schema.ts";
import { eq } from "drizzle-orm";
import {
  type Bench,
  LIFETIMES,
  REDIRECT,
  RESOURCE,
  VERIFIER,
  bench,
} from "../../accounts/oauth-state/support.ts";

/**
 * A minimal model of the authorization server: no store, no hashes, no transactions. A walk applies the same steps to
 * both and compares every outcome, and after each step which access tokens are valid.
 */
class Model {
  nowMs = 0;
  readonly disabled = new Set<number>();
  readonly codes: { user: number; client: number; endsMs: number; failures: number; grant: number | null }[] =
    [];
  readonly grants: { user: number; client: number; endsMs: number; ended: boolean }[] = [];
  readonly access: { grant: number; endsMs: number; revoked: boolean }[] = [];
  readonly refresh: {
    grant: number;
    endsMs: number;
    usedMs: number | null;
  }[] = [];

  issue(user: number, client: number): void {
    const endsMs = this.nowMs + LIFETIMES.codeSeconds * 1000;
    this.codes.push({ user, client, endsMs, failures: 0, grant: null });
  }

  redeem(at: number, client: number, flaw: Flaw): string {
    const code = this.codes[at];
    if (code === undefined || code.client !== client) return "invalid_grant";
    if (code.grant !== null) {
      this.end(code.grant);
      return "replayed";
    }
    if (code.endsMs <= this.nowMs || code.failures >= 5 || flaw === "redirect") return "invalid_grant";
    if (flaw === "verifier") {
      code.failures += 1;
      return "invalid_grant";
    }
    if (flaw === "resource") return "invalid_target";
    if (this.disabled.has(code.user)) return "invalid_grant";
    const endsMs = this.nowMs + LIFETIMES.grantSeconds * 1000;
    code.grant = this.grants.push({ user: code.user, client, endsMs, ended: false }) - 1;
    this.pair(code.grant);
    return "ok";
  }

  exchange(at: number, client: number, flaw: Flaw): string {
    const token = this.refresh[at];
    const grant = token === undefined ? undefined : this.grants[token.grant];
    if (token === undefined || grant === undefined || grant.client !== client || grant.ended)
      return "invalid_grant";
    if (this.disabled.has(grant.user) || token.endsMs <= this.nowMs) return "invalid_grant";
    if (token.usedMs !== null && this.nowMs - token.usedMs > 30_000) {
      this.end(token.grant);
      return "reused";
    }
    const lines = this.refresh.filter(
      (one) => one.grant === token.grant && one.usedMs === null && one.endsMs > this.nowMs,
    );
    if (token.usedMs !== null && lines.length >= 11) return "invalid_grant";
    if (flaw === "verifier") return "invalid_scope";
    if (flaw === "resource") return "invalid_target";
    token.usedMs ??= this.nowMs;
    this.pair(token.grant);
    return "ok";
  }

  opens(at: number): boolean {
    const token = this.access[at];
    const grant = token === undefined ? undefined : this.grants[token.grant];
    if (token === undefined || grant === undefined) return false;
    return !token.revoked && !grant.ended && token.endsMs > this.nowMs && !this.disabled.has(grant.user);
  }

  /** Ends a grant, and codes of the same user and application that are not redeemed. */
  disconnect(at: number): void {
    const { user, client } = this.grants[at] ?? {};
    for (const code of this.codes)
      if (code.user === user && code.client === client && code.grant === null) code.endsMs = 0;
    this.end(at);
  }

  end(grant: number): void {
    const ended = this.grants[grant];
    if (ended !== undefined) ended.ended = true;
  }

  private pair(grant: number): void {
    const end = this.grants[grant]?.endsMs ?? 0;
    const until = (seconds: number) => Math.min(this.nowMs + seconds * 1000, end);
    this.access.push({ grant, endsMs: until(LIFETIMES.accessTokenSeconds), revoked: false });
    const endsMs = until(LIFETIMES.refreshIdleSeconds);
    this.refresh.push({ grant, endsMs, usedMs: null });
  }
}

type Flaw = "none" | "verifier" | "redirect" | "resource";

interface Step {
  what:
    | "connect"
    | "issue"
    | "redeem"
    | "refresh"
    | "revokeAccess"
    | "revokeRefresh"
    | "disconnect"
    | "switch"
    | "wait"
    | "purge";
  /** Which code or token, counted from the newest. */
  back: number;
  user: number;
  client: number;
  /** Whether the client is the right one, which it usually is. */
  own: boolean;
  flaw: Flaw;
  waitMs: number;
}

/** Values with weights: most steps succeed, or a walk would never reach deeper states. */
function often<T>(...weighted: [weight: number, ...values: T[]][]): fc.Arbitrary<T> {
  return fc.oneof(
    ...weighted.map(([weight, ...values]) => ({ weight, arbitrary: fc.constantFrom(...values) })),
  );
}

const step: fc.Arbitrary<Step> = fc.record({
  what: often<Step["what"]>(
    [24, "refresh"],
    [5, "connect"],
    [9, "issue", "redeem", "wait"],
    [1, "revokeAccess", "revokeRefresh", "disconnect", "switch", "purge"],
  ),
  back: often<number>([6, 0], [3, 1], [1, 2, 3]),
  user: fc.nat(1),
  client: fc.nat(1),
  own: often<boolean>([19, true], [1, false]),
  flaw: often<Flaw>([14, "none"], [1, "verifier", "redirect", "resource"]),
  waitMs: often<number>(
    [8, 1, 29_999, 30_000, 30_001],
    [2, 299_999, 300_000],
    [1, 3_600_000, 86_400_000, 15 * 86_400_000],
  ),
});

/** The real server next to the model: secrets in the order in which the model counts them. */
interface Real {
  bench: Bench;
  userIds: string[];
  clientIds: string[];
  codes: string[];
  access: string[];
  refresh: string[];
  grantIds: string[];
}

/** How often each step had each outcome: a walk that never gets anywhere proves nothing. */
const seen = new Map<string, number>();

async function walk(steps: readonly Step[]): Promise<void> {
  const b = bench();
  const model = new Model();
  const real: Real = {
    bench: b,
    userIds: [b.user(), b.user()],
    clientIds: [await b.client(), await b.client()],
    codes: [],
    access: [],
    refresh: [],
    grantIds: [],
  };
  try {
    for (const [index, one] of steps.entries()) {
      const { actual, expected } = await take(one, model, real);
      expect(`${index} ${one.what}: ${actual}`).toBe(`${index} ${one.what}: ${expected}`);
      seen.set(`${one.what} ${actual}`, (seen.get(`${one.what} ${actual}`) ?? 0) + 1);
      const found = await Promise.all(real.access.map((secret) => b.grants.access.find(secret)));
      const opened = found.map((one) => one !== undefined);
      expect(opened).toEqual(real.access.map((_, at) => model.opens(at)));
    }
  } finally {
    b.close();
  }
}

async function take(one: Step, model: Model, real: Real): Promise<{ actual: string; expected: string }> {
  const { grants, runtime, store } = real.bench;
  const client = (own: number | undefined) => (own === undefined || one.own ? (own ?? one.client) : 1 - own);
  const keep = (pair: { accessToken: string; refreshToken: string; grantId: string }) => {
    real.access.push(pair.accessToken);
    real.refresh.push(pair.refreshToken);
    if (!real.grantIds.includes(pair.grantId)) real.grantIds.push(pair.grantId);
  };
  switch (one.what) {
    case "connect": {
      await take({ ...one, what: "issue" }, model, real);
      return take({ ...one, what: "redeem", back: 0, own: true, flaw: "none" }, model, real);
    }
    case "issue": {
      const [userId = "", clientId = ""] = [real.userIds[one.user], real.clientIds[one.client]];
      real.codes.push(await real.bench.code({ userId, clientId }));
      model.issue(one.user, one.client);
      return { actual: "ok", expected: "ok" };
    }
    case "redeem": {
      const at = real.codes.length - 1 - one.back;
      const by = client(model.codes[at]?.client);
      const redeemed = await grants.codes.redeem({
        code: real.codes[at] ?? "xc_ac_none",
        clientId: real.clientIds[by] ?? "",
        redirectUri: one.flaw === "redirect" ? `${REDIRECT}x` : REDIRECT,
        codeVerifier: one.flaw === "verifier" ? `${VERIFIER}x` : VERIFIER,
        resource: one.flaw === "resource" ? `${RESOURCE}/private` : null,
      });
      if (redeemed.ok) keep(redeemed.pair);
      const actual = redeemed.ok ? "ok" : redeemed.reused ? "replayed" : redeemed.error;
      return { actual, expected: model.redeem(at, by, one.flaw) };
    }
    case "refresh": {
      const at = real.refresh.length - 1 - one.back;
      const by = client(model.grants[model.refresh[at]?.grant ?? -1]?.client);
      const refreshed = await grants.tokens.refresh(
        real.refresh[at] ?? "xc_rt_none",
        real.clientIds[by] ?? "",
        {
          scope: one.flaw === "verifier" ? ["executive-compensation:read", "more"] : null,
          resource: one.flaw === "resource" ? `${RESOURCE}/private` : null,
        },
      );
      if (refreshed.ok) keep(refreshed.pair);
      const actual = refreshed.ok ? "ok" : refreshed.reused ? "reused" : refreshed.error;
      return { actual, expected: model.exchange(at, by, one.flaw) };
    }
    case "revokeAccess":
    case "revokeRefresh": {
      const secrets = one.what === "revokeAccess" ? real.access : real.refresh;
      const tokens = one.what === "revokeAccess" ? model.access : model.refresh;
      const at = secrets.length - 1 - one.back;
      const token = tokens[at];
      const by = client(model.grants[token?.grant ?? -1]?.client);
      await grants.tokens.revoke(secrets[at] ?? "none", real.clientIds[by] ?? "");
      if (token !== undefined && model.grants[token.grant]?.client === by) {
        if ("revoked" in token) token.revoked = true;
        else model.end(token.grant);
      }
      return { actual: "done", expected: "done" };
    }
    case "disconnect": {
      const at = real.grantIds.length - 1 - one.back;
      const grant = model.grants[at];
      const live =
        grant !== undefined && !grant.ended && grant.user === one.user && grant.endsMs > model.nowMs;
      const done = await grants.connections.disconnect(
        real.userIds[one.user] ?? "",
        real.grantIds[at] ?? "none",
      );
      if (live) model.disconnect(at);
      return { actual: String(done), expected: String(live) };
    }
    case "switch": {
      // Usually enabled again soon: nothing happens to users who are locked out.
      const off = one.own && one.back > 0 && !model.disabled.has(one.user);
      if (off) model.disabled.add(one.user);
      else model.disabled.delete(one.user);
      const disabledAtMs = off ? 1 : null;
      const who = eq(users.id, real.userIds[one.user] ?? "");
      await store.transact((db) => db.update(users).set({ disabledAtMs }).where(who).run());
      return { actual: "done", expected: "done" };
    }
    case "wait":
      runtime.advance(one.waitMs);
      model.nowMs += one.waitMs;
      return { actual: "done", expected: "done" };
    case "purge":
      await purgeUnlessItWouldForget(model, grants);
      return { actual: "done", expected: "done" };
  }
}

/**
 * After a day a replayed code looks like an unknown one, by design; the model does not forget, so this is not
 * compared.
 */
async function purgeUnlessItWouldForget(model: Model, grants: Bench["grants"]): Promise<void> {
  const forgets = model.codes.some(({ endsMs }) => endsMs < model.nowMs - 86_400_000);
  const clientGone = model.nowMs > 86_400_000;
  if (!forgets && !clientGone) await grants.purge();
}

/** Random walks, the same on every run. @returns how often each step had each outcome */
export async function randomWalks(numRuns: number): Promise<ReadonlyMap<string, number>> {
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), walk);
  await fc.assert(property, { numRuns, seed: 5 });
  return seen;
}
