import { describe, expect, test } from "bun:test";
import { newSecret, READ_SCOPE } from "../../src/accounts/credentials.ts";
import { ServiceError } from "../../src/errors.ts";
import type { Presented } from "../../src/accounts/principal.ts";
import { admission } from "../../src/operations/admit.ts";
import { testRuntime } from "../support/runtime.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";

const from = (presented: Presented, address = "198.51.100.1") => ({ presented, address, requestId: "r" });
const NONE: Presented = { kind: "none" };

async function withAccounts<T>(
  work: (
    all: ReturnType<typeof openAccounts> & { key: Presented; moment: ReturnType<typeof testRuntime> },
  ) => Promise<T> | T,
) {
  using folder = temporaryFolder();
  const moment = testRuntime();
  const all = openAccounts(folder.path, moment);
  const { id } = await all.users.findOrCreate("ann@example.com");
  const { secret } = await all.keys.create(id, { name: "k" });
  try {
    return await work({ ...all, key: { kind: "key", secret }, moment });
  } finally {
    await all.store.close();
  }
}

const refusalOf = async (attempt: () => Promise<unknown>): Promise<ServiceError> => {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("was not refused");
};

test("a token without the scope is refused, and one whose scope only contains its name", () =>
  withAccounts(async ({ keys, rateLimits }) => {
    const token: Presented = { kind: "token", secret: "t" };
    const admitWith = (scope: string) => {
      const holder = {
        kind: "token" as const,
        tokenId: "t",
        userId: "u",
        clientId: "c",
        scope,
      };
      const credentials = { keys, tokens: { find: async () => holder } };
      return admission({ credentials, rateLimits })(from(token), "credential");
    };
    for (const scope of ["", "openid", `${READ_SCOPE}s`]) {
      expect((await refusalOf(() => admitWith(scope))).kind).toBe("insufficient_scope");
    }
    expect((await admitWith(`openid ${READ_SCOPE}`)).principal.kind).toBe("token");
  }));

describe("credentials", () => {
  test("both credentials: two_credentials, counted against the address", () =>
    withAccounts(async ({ admit }) => {
      const refused = await refusalOf(() => admit(from({ kind: "both" }), "any"));
      expect(refused).toMatchObject({
        kind: "two_credentials",
        details: { window: { name: "anon", remaining: 59 } },
      });
    }));

  test("no credential where one is needed, an unknown key and an invented one get the same answer except for what was presented", () =>
    withAccounts(async ({ admit, runtime }) => {
      const unknown = newSecret("key", runtime);
      const presented = [
        NONE,
        { kind: "key", secret: unknown } as const,
        { kind: "key", secret: "x" } as const,
      ];
      const refusals: ServiceError[] = [];
      for (const one of presented) refusals.push(await refusalOf(() => admit(from(one), "credential")));
      expect(refusals.map(({ kind }) => kind)).toEqual([
        "unauthenticated",
        "unauthenticated",
        "unauthenticated",
      ]);
      expect(refusals.map(({ details }) => details.presented)).toEqual(["none", "key", "key"]);
      expect(refusals[1]?.message).toBe(refusals[2]?.message ?? "");
      expect(refusals[2]?.details.window?.remaining).toBe(57);
    }));

  test("a bad key is never treated as anonymous", () =>
    withAccounts(async ({ admit }) => {
      expect((await refusalOf(() => admit(from({ kind: "key", secret: "" }), "any"))).kind).toBe(
        "unauthenticated",
      );
      expect((await admit(from(NONE), "any")).principal).toEqual({
        kind: "anonymous",
        address: "198.51.100.1",
      });
    }));

  test("a valid key identifies its user", () =>
    withAccounts(async ({ admit, key }) => {
      expect(await admit(from(key), "credential")).toMatchObject({
        principal: { kind: "key" },
        window: { name: "key", quota: 600, remaining: 599, windowSeconds: 60, resetSeconds: 60 },
      });
    }));
});

describe("rate limits", () => {
  test("guessing is slow: the 61st bad key of a minute is 429, a valid one is not", () =>
    withAccounts(async ({ admit, key, moment }) => {
      for (let n = 0; n < 60; n += 1) {
        expect((await refusalOf(() => admit(from({ kind: "key", secret: `${n}` }), "any"))).kind).toBe(
          "unauthenticated",
        );
      }
      expect((await refusalOf(() => admit(from({ kind: "key", secret: "61" }), "any"))).kind).toBe(
        "rate_limited",
      );
      expect((await refusalOf(() => admit(from({ kind: "both" }), "any"))).kind).toBe("rate_limited");
      expect((await admit(from(key), "any")).principal.kind).toBe("key");
      expect((await admit(from(NONE, "198.51.100.2"), "any")).principal.kind).toBe("anonymous");
      moment.advance(60_000);
      expect((await refusalOf(() => admit(from({ kind: "key", secret: "62" }), "any"))).kind).toBe(
        "unauthenticated",
      );
    }));

  test("a key's 601st request is refused with the seconds to wait, and is not counted", () =>
    withAccounts(async ({ admit, key, moment }) => {
      for (let n = 0; n < 600; n += 1) {
        await admit(from(key), "credential");
        moment.advance(50);
      }
      const refused = await refusalOf(() => admit(from(key), "credential"));
      expect(refused).toMatchObject({
        kind: "rate_limited",
        details: { retryAfterSeconds: 30, window: { name: "key", remaining: 0, resetSeconds: 30 } },
      });
      for (let n = 0; n < 100; n += 1) await refusalOf(() => admit(from(key), "credential"));
      moment.advance(30_000);
      expect((await admit(from(key), "credential")).window?.remaining).toBe(0);
    }));

  test("handshakes have a separate rate limit, ten times as high", () =>
    withAccounts(async ({ admit, key }) => {
      expect((await admit(from(key), "any", "handshakes")).window).toMatchObject({
        name: "handshake",
        quota: 6000,
        remaining: 5999,
      });
      expect((await admit(from(NONE), "any", "handshakes")).window).toMatchObject({
        name: "handshake",
        quota: 600,
        remaining: 599,
      });
      expect((await admit(from(key), "any")).window).toMatchObject({ name: "key", remaining: 599 });
    }));
});
