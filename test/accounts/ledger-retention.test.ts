import { describe, expect, test } from "bun:test";
import { type TestAccounts, withAccounts } from "../support/accounts.ts";
import { rollUpLedger } from "../../src/accounts/ledger.ts";
import { seededRandom } from "../support/seeded-random.ts";

const DAY_MS = 86_400_000;

type Ledger = ReturnType<typeof opened>;

const withLedger = (work: (all: Ledger) => Promise<void>) => withAccounts((all) => work(opened(all)));

/** A store and a way to charge a user. */
function opened(all: TestAccounts) {
  const { credits, runtime } = all;
  const charge = (userId: string, costCredits = 1) =>
    credits.charge({ userId, costCredits, operation: "query", ticker: null, requestId: runtime.id() });
  return { ...all, charge };
}

/** A user with a charge from two days ago, which a retention of one day rolls up, and one from now. */
async function twoCharges({ users, keys, runtime, charge }: Ledger): Promise<void> {
  const { id } = await users.findOrCreate("ann@example.com");
  await keys.create(id, { name: "k" });
  await charge(id);
  runtime.advance(2 * DAY_MS);
  await charge(id);
}

/** Everything that must not change. */
function sumsOf({ credits, runtime }: Ledger, users: readonly string[]) {
  return Promise.all(
    users.map(async (id) => ({
      summary: await credits.summary(id),
      byDay: await credits.chargedByDay(id, runtime.now() - 1000 * DAY_MS),
      newest: await credits.entries(id, { limit: 1 }),
    })),
  );
}

describe("retention of the ledger", () => {
  test("rolls old days up into one line each, which names its range; newer entries and the first credits stay", () =>
    withLedger(async (all) => {
      const { users, keys, credits, runtime, charge, log } = all;
      const { id } = await users.findOrCreate("ann@example.com");
      await keys.create(id, { name: "k" });
      await charge(id);
      await charge(id, 2);
      runtime.advance(DAY_MS);
      await credits.grant(id, 50);
      await charge(id);
      runtime.advance(30 * DAY_MS);
      await charge(id);
      const before = await sumsOf(all, [id]);
      expect(await credits.rollUp(10 * DAY_MS)).toBe(4);
      expect(await sumsOf(all, [id])).toEqual(before);
      expect(await credits.problems()).toEqual([]);
      const shown = (await credits.entries(id, { limit: 10 })).map(
        ({ kind, firstEntry, entry, amountCredits, balanceAfterCredits }) => [
          kind,
          firstEntry,
          entry,
          amountCredits,
          balanceAfterCredits,
        ],
      );
      expect(shown).toEqual([
        ["charged", 6, 6, -1, 145],
        ["rolled", 4, 5, 49, 146],
        ["rolled", 2, 3, -3, 97],
        ["given", 1, 1, 100, 100],
      ]);
      expect((await log.list({ limit: 1 }))[0]).toMatchObject({ actor: "server", act: "ledger_rolled_up" });
      expect(JSON.parse((await log.list({ limit: 1 }))[0]?.after ?? "")).toMatchObject({ entries: 4 });
      expect(await credits.rollUp(10 * DAY_MS)).toBe(0);
      expect(await log.list({ limit: 9, act: "ledger_rolled_up" })).toHaveLength(1);
    }));

  test("pages continue from entries into rolled-up lines, without gaps or repetitions", () =>
    withLedger(async ({ users, keys, credits, runtime, charge }) => {
      const { id } = await users.findOrCreate("ann@example.com");
      await keys.create(id, { name: "k" });
      for (let n = 0; n < 20; n++) {
        await charge(id);
        if (n % 3 === 2) runtime.advance(DAY_MS);
      }
      await credits.rollUp(2 * DAY_MS);
      const whole = await credits.entries(id, { limit: 100 });
      const paged: number[] = [];
      for (let from: number | undefined; ;) {
        const page = await credits.entries(id, from === undefined ? { limit: 2 } : { limit: 2, from });
        paged.push(...page.map(({ entry }) => entry));
        const older = page.at(-1)?.previous ?? null;
        if (older === null) break;
        from = older;
      }
      expect(paged).toEqual(whole.map(({ entry }) => entry));
      expect(whole.some(({ kind }) => kind === "rolled")).toBe(true);
    }));

  test("a line is visible only to its user", () =>
    withLedger(async (all) => {
      await twoCharges(all);
      await all.credits.rollUp(DAY_MS);
      const { id: ann } = await all.users.requireByEmail("ann@example.com");
      const { id: eve } = await all.users.findOrCreate("eve@example.com");
      const line = (await all.credits.entries(ann, { limit: 9 })).find(({ kind }) => kind === "rolled");
      const from = line?.id ?? 0;
      expect(await all.credits.entries(ann, { limit: 9, from })).not.toEqual([]);
      expect(await all.credits.entries(eve, { limit: 9, from })).toEqual([]);
    }));

  test("a day of a user is one line, whatever the order of the entries and however often it is rolled up", () =>
    withLedger(async (all) => {
      const { users, credits, runtime, charge, store } = all;
      const ids: string[] = [];
      for (let n = 0; n < 30; n += 1) ids.push((await users.findOrCreate(`user${n}@example.com`)).id);
      for (const id of ids) await credits.grant(id, 1000);
      // 2,700 entries, of which a batch has 500, of two days; every user's lie apart.
      for (let day = 0; day < 2; day += 1) {
        for (let n = 0; n < 45; n += 1) await Promise.all(ids.map((id) => charge(id)));
        runtime.advance(DAY_MS);
      }
      const before = await sumsOf(all, ids);
      expect(await rollUpLedger(store, runtime, 0, 500)).toBe(30 * 91 - 30);
      const lines = () =>
        store.client.query<{ n: number }, []>("SELECT count(*) AS n FROM rolled_ledger").get()?.n;
      expect(lines()).toBe(60);
      expect(await sumsOf(all, ids)).toEqual(before);
      // Each one's newest entry stays; it joins its day's line once there is a newer one.
      await Promise.all(ids.map((id) => charge(id)));
      expect(await credits.rollUp(0)).toBe(30);
      expect(lines()).toBe(60);
      expect(await credits.problems()).toEqual([]);
    }));

  test("nothing else can delete an entry, or change or delete a rolled-up line", () =>
    withLedger(async (all) => {
      const { credits, store } = all;
      await twoCharges(all);
      expect(() => store.client.run("DELETE FROM ledger")).toThrow("append-only");
      expect(await credits.rollUp(DAY_MS)).toBe(1);
      for (const statement of [
        "DELETE FROM ledger",
        "DELETE FROM rolled_ledger",
        "UPDATE rolled_ledger SET charged_credits = 0",
        "UPDATE rolled_ledger SET last_entry = last_entry + 1, last_id = last_id + 1, charged_credits = charged_credits - 1",
        "INSERT OR REPLACE INTO rolled_ledger SELECT * FROM rolled_ledger",
      ])
        expect(() => store.client.run(statement)).toThrow("append-only");
      expect(await credits.problems()).toEqual([]);
    }));

  test("a line whose sums differ from its entries is found", () =>
    withLedger(async (all) => {
      const { credits, store } = all;
      await twoCharges(all);
      await credits.rollUp(DAY_MS);
      store.client.run("DROP TRIGGER rolled_ledger_only_grows");
      store.client.run("UPDATE rolled_ledger SET charged_credits = charged_credits + 1");
      expect(await credits.problems()).toHaveLength(1);
    }));

  test.each([1, 2, 3, 4])(
    "after any charges, grants and roll-ups everything adds up (seed %p)",
    (seed) =>
      withLedger(async (all) => {
        const { users, keys, credits, runtime, charge } = all;
        const random = seededRandom(seed);
        const ids: string[] = [];
        for (let n = 0; n < 5; n++) {
          const { id } = await users.findOrCreate(`user${n}@example.com`);
          ids.push(id);
          // Some get credits before their first key: then the first credits are not their first entry.
          if (n % 2 === 0) await credits.grant(id, 1000);
          await keys.create(id, { name: "k" });
        }
        for (let step = 0; step < 60; step++) {
          const some = Array.from({ length: random.whole(0, 7) }, () => random.pick(ids));
          await Promise.all(
            some.map((id) => Promise.resolve(charge(id, random.whole(1, 3))).catch(() => null)),
          );
          if (random.chance(0.2)) await credits.grant(random.pick(ids), 10);
          if (random.chance(0.3)) runtime.advance(random.whole(0, 2 * DAY_MS));
          if (!random.chance(0.2)) continue;
          const before = await sumsOf(all, ids);
          await credits.rollUp(random.whole(0, 4) * DAY_MS);
          expect(await sumsOf(all, ids)).toEqual(before);
          expect(await credits.problems()).toEqual([]);
        }
        for (const id of ids) {
          const entries = (await credits.entries(id, { limit: 10_000 })).toReversed();
          let next = 1;
          for (const { firstEntry, entry } of entries) {
            expect(firstEntry).toBe(next);
            next = entry + 1;
          }
          const sum = entries.reduce((total, { amountCredits }) => total + amountCredits, 0);
          expect(sum).toBe((await credits.summary(id)).balance);
        }
      }),
    300_000,
  );
});
