import { expect } from "bun:test";
import * as fc from "fast-check";
import type { Presented } from "../../src/accounts/principal.ts";
import { ServiceError } from "../../src/errors.ts";
import { testRuntime } from "../support/runtime.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";

const text = fc.oneof(fc.string({ maxLength: 80 }), fc.string({ unit: "binary", maxLength: 80 }));

/** Random texts, and the valid key with something cut, inserted, changed or repeated. */
function secrets(good: string): fc.Arbitrary<string> {
  const at = fc.integer({ min: 0, max: good.length });
  return fc.oneof(
    text,
    text.map((end) => `xc_live_${end}`),
    fc.tuple(at, at).map(([from, to]) => good.slice(0, from) + good.slice(to)),
    fc.tuple(at, text).map(([where, more]) => good.slice(0, where) + more + good.slice(where)),
    at.map(
      (where) => good.slice(0, where) + good.slice(where, where + 1).toUpperCase() + good.slice(where + 1),
    ),
  );
}

/** Of the mutated credentials only the key itself is valid; every other is refused, and nothing is charged. */
export async function mutateCredentials(numRuns: number): Promise<void> {
  using folder = temporaryFolder();
  const moment = testRuntime();
  const { users, keys, credits, admit, store } = openAccounts(folder.path, moment);
  const { id } = await users.findOrCreate("ann@example.com");
  const { secret: good } = await keys.create(id, { name: "k" });
  const presented = fc.oneof(
    secrets(good).map((secret): Presented => ({ kind: "key", secret })),
    secrets(good).map((secret): Presented => ({ kind: "token", secret })),
    fc.constant<Presented>({ kind: "both" }),
    fc.constant<Presented>({ kind: "none" }),
  );
  await fc.assert(
    fc.asyncProperty(presented, fc.constantFrom("credential" as const, "any" as const), async (one, need) => {
      // A minute between two: no rate limit is ever reached here.
      moment.advance(60_000);
      const opens = one.kind === "key" && one.secret === good;
      try {
        const { principal } = await admit({ presented: one, address: "198.51.100.1", requestId: "r" }, need);
        expect(principal.kind).toBe(opens ? "key" : "anonymous");
        if (!opens) expect([one.kind, need]).toEqual(["none", "any"]);
      } catch (refused) {
        if (!(refused instanceof ServiceError)) throw refused;
        expect(opens).toBe(false);
        expect(refused.kind).toBe(one.kind === "both" ? "two_credentials" : "unauthenticated");
        expect(refused.details.window?.name).toBe("anon");
        if ("secret" in one && one.secret.length > 8) expect(refused.message).not.toContain(one.secret);
      }
    }),
    { numRuns, seed: 20261121 },
  );
  expect(await credits.summary(id)).toMatchObject({ balance: 100, charged: 0 });
  await store.close();
}
