import { expect } from "bun:test";
import * as fc from "fast-check";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";
import { testRuntime } from "../support/runtime.ts";

type Step =
  | { kind: "key"; user: number }
  | { kind: "charge"; user: number; cost: number; times: number }
  | { kind: "grant"; user: number; amount: number }
  | { kind: "unmetered"; user: number; on: boolean }
  | { kind: "restart" };

const user = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("key" as const), user }),
  fc.record({
    kind: fc.constant("charge" as const),
    user,
    cost: fc.integer({ min: 0, max: 40 }),
    times: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ kind: fc.constant("grant" as const), user, amount: fc.integer({ min: -60, max: 60 }) }),
  fc.record({ kind: fc.constant("unmetered" as const), user, on: fc.boolean() }),
  fc.constant({ kind: "restart" as const }),
);

interface Model {
  balance: number;
  given: boolean;
  unmetered: boolean;
}

/** Random walks of keys, charges, grants and restarts: store and ledger equal a simple sum at every step. */
export async function walkCredits(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      using folder = temporaryFolder();
      const runtime = testRuntime();
      let all = openAccounts(folder.path, runtime);
      const models: Model[] = [0, 1, 2].map(() => ({ balance: 0, given: false, unmetered: false }));
      const ids: string[] = [];
      for (const n of [0, 1, 2]) ids.push((await all.users.findOrCreate(`u${n}@example.com`)).id);
      for (const one of steps) {
        if (one.kind === "restart") {
          await all.store.close();
          all = openAccounts(folder.path, runtime);
        } else {
          await take(all, ids[one.user] ?? "", models[one.user] ?? models[0], one);
        }
        for (const [n, { balance, unmetered }] of models.entries())
          expect(await all.credits.summary(ids[n] ?? "")).toMatchObject({ balance, unmetered });
        expect(await all.credits.problems()).toEqual([]);
      }
      await all.store.close();
    }),
    { numRuns, seed: 20261121 },
  );
}

async function take(
  { keys, credits }: ReturnType<typeof openAccounts>,
  userId: string,
  model: Model | undefined,
  one: Exclude<Step, { kind: "restart" }>,
): Promise<void> {
  if (model === undefined) throw new Error("three users, three models");
  if (one.kind === "key") {
    await keys.create(userId, { name: "k" });
    if (!model.given) model.balance += 100;
    model.given = true;
  } else if (one.kind === "unmetered") {
    await credits.setUnmetered(userId, one.on);
    model.unmetered = one.on;
  } else if (one.kind === "grant") {
    const done = await credits.grant(userId, one.amount).then(
      () => true,
      () => false,
    );
    expect(done).toBe(model.balance + one.amount >= 0);
    if (done) model.balance += one.amount;
  } else {
    const { cost: costCredits, times } = one;
    const outcomes = await Promise.allSettled(
      Array.from({ length: times }, (_, n) =>
        credits.charge({ userId, costCredits, operation: "o", ticker: null, requestId: String(n) }),
      ),
    );
    const paid = outcomes.filter(({ status }) => status === "fulfilled").length;
    const affordable =
      costCredits === 0 || model.unmetered ? times : Math.min(times, Math.floor(model.balance / costCredits));
    expect(paid).toBe(affordable);
    if (!model.unmetered) model.balance -= paid * costCredits;
  }
}
