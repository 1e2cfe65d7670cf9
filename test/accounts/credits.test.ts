import { describe, expect, spyOn, test } from "bun:test";
import { Database } from "bun:sqlite";
import { Credits, sqliteCredits } from "../../src/accounts/credits.ts";
import { SqliteCharges } from "../../src/accounts/sqlite-charges.ts";
import { ServiceError } from "../../src/errors.ts";
import { type CommitJob, LogFlush } from "../../src/store/commit.ts";
import type { Reconciler, SqliteStore } from "../../src/store/open.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";
import { type TestRuntime, testRuntime } from "../support/runtime.ts";

const cost = (userId: string, requestId: string, costCredits = 1) => ({
  userId,
  costCredits,
  operation: "getExecutiveCompensation",
  ticker: "AAPL",
  requestId,
});

type All = ReturnType<typeof openAccounts> & { userId: string; runtime: TestRuntime };

async function withUser<T>(work: (all: All) => Promise<T>) {
  using folder = temporaryFolder();
  const runtime = testRuntime();
  const all = { ...openAccounts(folder.path, runtime), runtime };
  const { id } = await all.users.findOrCreate("ann@example.com");
  try {
    return await work({ ...all, userId: id });
  } finally {
    await all.store.close();
  }
}

describe("the first credits", () => {
  test("50 keys created at once give 100 credits once", () =>
    withUser(async ({ keys, credits, userId }) => {
      await Promise.all(Array.from({ length: 50 }, (_, n) => keys.create(userId, { name: `key ${n}` })));
      expect(await credits.summary(userId)).toEqual({
        balance: 100,
        given: 100,
        granted: 0,
        charged: 0,
        unmetered: false,
      });
      expect(await credits.entries(userId, { limit: 10 })).toHaveLength(1);
      expect(await credits.problems()).toEqual([]);
    }));

  test("a user without a credential has none", () =>
    withUser(async ({ credits, userId }) => {
      expect((await credits.summary(userId)).balance).toBe(0);
      expect(await credits.charge(cost(userId, "r", 0))).toEqual({ charged: 0, remaining: 0 });
    }));
});

describe("charges", () => {
  test("a free answer shows the balance after the last charge", () =>
    withUser(async ({ keys, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      const told = async (requestId: string, costCredits: number) =>
        (await credits.charge(cost(userId, requestId, costCredits))).remaining;
      expect(await told("a", 0)).toBe(100);
      expect(await told("b", 1)).toBe(99);
      expect(await told("c", 0)).toBe(99);
      expect(await told("d", 3)).toBe(96);
      expect(await told("e", 0)).toBe(96);
    }));

  test("take into account what was written since: a grant, another process's writes, a reversal", () =>
    withUser(async ({ keys, credits, store, userId }) => {
      await keys.create(userId, { name: "k" });
      const left = async (requestId: string) => (await credits.charge(cost(userId, requestId))).remaining;
      expect(await left("a")).toBe(99);
      await credits.grant(userId, 1000);
      expect(await left("b")).toBe(1098);
      // In one commit, one before and one after the grant.
      const [first, , second] = await Promise.all([left("c"), credits.grant(userId, -97), left("d")]);
      expect([first, second]).toEqual([1097, 1096]);
      expect(await left("e")).toBe(998);
      using other = new Database(store.path, { readwrite: true });
      other.run("UPDATE balances SET unmetered = 1");
      expect(await left("f")).toBeNull();
      other.run("UPDATE balances SET unmetered = 0");
      expect(await left("g")).toBe(997);
      store.client.run(
        "CREATE TEMP TRIGGER refuse AFTER INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'no'); END",
      );
      await expect(left("h")).rejects.toThrow("no");
      store.client.run("DROP TRIGGER refuse");
      expect(await left("i")).toBe(996);
      // Another job of the commit, which fails only at the commit itself.
      const refused = left("j");
      store.joinCommit({
        size: () => 1,
        write() {
          store.client.run("PRAGMA defer_foreign_keys = ON");
          store.client.run("INSERT INTO page_openings VALUES ('nobody', 'dataset', 'subject', 0)");
        },
        settled() {},
      });
      await expect(refused).rejects.toThrow("FOREIGN KEY");
      expect(await left("k")).toBe(995);
      expect(await credits.problems()).toEqual([]);
      expect(await credits.entries(userId, { limit: 20 })).toHaveLength(11);
    }));

  test("500 at once on a balance of 100 charge exactly 100 and refuse the others", () =>
    withUser(async ({ keys, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 500 }, (_, n) => credits.charge(cost(userId, `r${n}`))),
      );
      const refused = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(outcomes.length - refused.length).toBe(100);
      for (const { reason } of refused) {
        expect(reason).toBeInstanceOf(ServiceError);
        expect(reason.kind).toBe("payment_required");
      }
      const entries = await credits.entries(userId, { limit: 1000 });
      expect(entries).toHaveLength(101);
      expect(new Set(entries.map((entry) => entry.requestId)).size).toBe(101);
      expect(await credits.summary(userId)).toMatchObject({ balance: 0, given: 100, charged: 100 });
      expect(await credits.problems()).toEqual([]);
    }));

  test("an answer that costs more than the balance leaves it unchanged", () =>
    withUser(async ({ keys, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      const refused = await Promise.resolve(credits.charge(cost(userId, "r", 101))).catch(
        (error: unknown) => error,
      );
      expect(refused).toMatchObject({
        kind: "payment_required",
        details: { credits: { balance: 100, cost: 101 } },
      });
      expect(await credits.charge(cost(userId, "s", 100))).toEqual({ charged: 100, remaining: 0 });
    }));

  test("an entry states the time, the purpose, the amount and the balance", () =>
    withUser(async ({ keys, credits, userId, runtime }) => {
      await keys.create(userId, { name: "k" });
      await credits.charge(cost(userId, "request-1"));
      expect(await credits.entries(userId, { limit: 1 })).toEqual([
        {
          id: 2,
          userId,
          entry: 2,
          firstEntry: 2,
          previous: 1,
          atMs: runtime.now(),
          kind: "charged",
          amountCredits: -1,
          balanceAfterCredits: 99,
          operation: "getExecutiveCompensation",
          ticker: "AAPL",
          requestId: "request-1",
        },
      ]);
    }));

  test("an unmetered user is never charged", () =>
    withUser(async ({ credits, userId }) => {
      await credits.setUnmetered(userId, true);
      expect(await credits.charge(cost(userId, "r"))).toEqual({ charged: 0, remaining: null });
      expect(await credits.charge(cost(userId, "s", 0))).toEqual({ charged: 0, remaining: null });
      expect(await credits.entries(userId, { limit: 10 })).toEqual([]);
    }));

  test("are counted for the operator, without free, refused and reversed ones", () =>
    withUser(async ({ keys, users, store, runtime, userId }) => {
      await keys.create(userId, { name: "k" });
      const counted: [string, number][] = [];
      const credits = sqliteCredits(store, runtime, (...told) => void counted.push(told));
      const free = await users.findOrCreate("free@example.com");
      await credits.setUnmetered(free.id, true);
      for (const charge of [
        cost(userId, "a", 3),
        cost(userId, "b", 0),
        cost(free.id, "c"),
        cost(userId, "d", -3),
      ])
        await credits.charge(charge);
      await expect(credits.charge(cost(userId, "e", 101))).rejects.toThrow("101 credits");
      expect(counted).toEqual([["getExecutiveCompensation", 3]]);
    }));

  test("that arrive while a transaction is flushed are entered in the next", () =>
    withUser(async ({ store, runtime, credits, userId }) => {
      await credits.grant(userId, 5);
      const jobs: CommitJob[] = [];
      const slow: SqliteStore = Object.create(store, {
        joinCommit: { value: (job: CommitJob) => jobs.push(job) },
      });
      const charges = new Credits(store, runtime, new SqliteCharges(slow, runtime));
      const first = [charges.charge(cost(userId, "a")), charges.charge(cost(userId, "b"))];
      await jobs[0]?.write();
      const next = charges.charge(cost(userId, "c"));
      expect(jobs.map(({ size }) => size())).toEqual([2, 1]);
      jobs[0]?.settled(null, false);
      await jobs[1]?.write();
      jobs[1]?.settled(null, false);
      const left = (await Promise.all([...first, next])).map(({ charged, remaining }) => [
        charged,
        remaining,
      ]);
      expect(left).toEqual([
        [1, 4],
        [1, 3],
        [1, 2],
      ]);
      expect((await credits.summary(userId)).balance).toBe(2);
    }));

  test("in doubt that are in the ledger are reversed, once however often the store is reopened", () =>
    withUser(async ({ keys, users, store, runtime, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      const poor = (await users.findOrCreate("poor@example.com")).id;
      const reconcilers: Reconciler[] = [];
      // The real store, with flushes that fail after everything is written.
      const failing: SqliteStore = Object.create(store, {
        onReopened: { value: (one: Reconciler) => reconcilers.push(one) },
        joinCommit: {
          value: (job: CommitJob) =>
            store.joinCommit({ ...job, settled: () => job.settled(new Error("no disk"), true) }),
        },
      });
      const doubted = new Credits(store, runtime, new SqliteCharges(failing, runtime));
      const told = await Promise.allSettled([
        doubted.charge(cost(userId, "a", 2)),
        doubted.charge(cost(poor, "b")),
        doubted.charge(cost(userId, "c")),
      ]);
      expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
      expect((await credits.summary(userId)).balance).toBe(97);
      const reopen = () => reconcilers.forEach(({ reconcile }) => reconcile(store.client));
      reopen();
      reopen();
      const amounts = async (id: string) =>
        (await credits.entries(id, { limit: 9 })).map((entry) => [entry.requestId, entry.amountCredits]);
      expect(await amounts(userId)).toEqual([
        ["c", 1],
        ["a", 2],
        ["c", -1],
        ["a", -2],
        [null, 100],
      ]);
      expect(await amounts(poor)).toEqual([]);
      expect(await credits.chargedByDay(userId, 0)).toEqual([]);
      expect(await credits.problems()).toEqual([]);
    }));

  test("whose flush fails are reversed in the file at once, or when the store is opened again", () =>
    withUser(async ({ store, runtime, credits, userId }) => {
      await credits.grant(userId, 5);
      using other = new Database(store.path);
      const amounts = () =>
        other.query<{ amount: number }, []>("SELECT amount_credits AS amount FROM ledger ORDER BY id").all();
      using flush = spyOn(LogFlush.prototype, "start");
      const failing = (meanwhile: () => void) =>
        flush.mockImplementationOnce((done) => {
          meanwhile();
          done(Object.assign(new Error("no disk"), { code: "EIO" }));
        });
      failing(() => {});
      await expect(Promise.resolve(credits.charge(cost(userId, "a")))).rejects.toMatchObject({
        kind: "unavailable",
      });
      expect(amounts()).toEqual([{ amount: 5 }, { amount: -1 }, { amount: 1 }]);
      runtime.advance(1000);
      failing(() => other.run("BEGIN IMMEDIATE"));
      await expect(Promise.resolve(credits.charge(cost(userId, "b")))).rejects.toMatchObject({
        kind: "unavailable",
      });
      other.run("ROLLBACK");
      expect(amounts().slice(3)).toEqual([{ amount: -1 }]);
      runtime.advance(1000);
      expect((await credits.summary(userId)).balance).toBe(5);
      expect(amounts().slice(3)).toEqual([{ amount: -1 }, { amount: 1 }]);
      expect(await credits.problems()).toEqual([]);
    }));
});

describe("what a charge opens", () => {
  const HISTORY = { dataset: "first", subject: "history 1", pricedBeside: null };

  test("is open to that user only, until the user opens something of the next dataset, and charged once", () =>
    withUser(async ({ users, credits, userId: ann }) => {
      const bob = (await users.findOrCreate("bob@example.com")).id;
      for (const id of [ann, bob]) await credits.grant(id, 5);
      const open = async (userId: string, opens: typeof HISTORY) =>
        (await credits.charge({ ...cost(userId, `${userId} ${opens.subject}`), opens })).charged;
      const second = { ...HISTORY, subject: "history 2" };
      expect(await Promise.all([open(ann, HISTORY), open(ann, HISTORY)])).toEqual([1, 0]);
      expect([await open(ann, HISTORY), await open(bob, second)]).toEqual([0, 1]);
      const isOpen = (dataset: string) =>
        Promise.all(
          [ann, bob].map(async (id) => {
            const opened = await credits.opened(id, dataset);
            return [HISTORY, second].map(({ subject }) => opened.includes(subject));
          }),
        );
      const first = [
        [true, false],
        [false, true],
      ];
      expect(await isOpen("first")).toEqual(first);
      expect(await open(ann, { ...HISTORY, dataset: "next" })).toBe(1);
      expect(await isOpen("first")).toEqual([
        [false, false],
        [false, true],
      ]);
      expect((await isOpen("next"))[0]).toEqual([true, false]);
      expect((await credits.summary(ann)).balance).toBe(3);
    }));

  test("is not charged where something else was opened since its price was found, and says so", () =>
    withUser(async ({ credits, userId }) => {
      await credits.grant(userId, 1);
      const open = (subject: string, pricedBeside: readonly string[]) =>
        credits.charge({ ...cost(userId, subject), opens: { dataset: "first", subject, pricedBeside } });
      const [a, b] = await Promise.all([open("a", []), open("b", [])]);
      expect([a.charged, b]).toEqual([1, { charged: 0, remaining: 0, isOutdated: true }]);
      // Seen as it is, it is refused like any other.
      await expect(open("b", ["a"])).rejects.toThrow("0 credits are left");
      await credits.grant(userId, 2);
      expect(await open("c", [])).toMatchObject({ charged: 0, isOutdated: true });
      // What is no longer open made it no dearer.
      expect(await open("c", ["a", "gone"])).toMatchObject({ charged: 1, remaining: 1 });
      expect(await open("c", [])).toEqual({ charged: 0, remaining: 1 });
      expect(await credits.opened(userId, "first")).toEqual(["a", "c"]);
      expect(await credits.problems()).toEqual([]);
    }));

  test("is not opened by a charge that is refused or fails, and one in doubt is reversed with it", () =>
    withUser(async ({ store, runtime, credits, userId }) => {
      const open = (by: Credits, requestId: string, subject: string) =>
        by.charge({ ...cost(userId, requestId), opens: { ...HISTORY, subject } });
      await expect(open(credits, "poor", "a")).rejects.toThrow("0 credits are left");
      await credits.grant(userId, 5);
      const reconcilers: Reconciler[] = [];
      const failing: SqliteStore = Object.create(store, {
        onReopened: { value: (one: Reconciler) => reconcilers.push(one) },
        joinCommit: {
          value: (job: CommitJob) =>
            store.joinCommit({ ...job, settled: () => job.settled(new Error("no disk"), true) }),
        },
      });
      const doubted = new Credits(store, runtime, new SqliteCharges(failing, runtime));
      await expect(open(doubted, "doubted", "b")).rejects.toThrow("no disk");
      for (const { reconcile } of reconcilers) reconcile(store.client);
      store.client.run(
        "CREATE TRIGGER full BEFORE INSERT ON page_openings BEGIN SELECT RAISE(ABORT, 'no page'); END",
      );
      await expect(open(credits, "failed", "c")).rejects.toThrow("no page");
      expect((await credits.summary(userId)).balance).toBe(5);
      expect(await credits.opened(userId, HISTORY.dataset)).toEqual([]);
      expect(await credits.problems()).toEqual([]);
    }));
});

describe("the ledger", () => {
  test("is append-only: SQLite itself refuses changes", () =>
    withUser(async ({ keys, store, userId }) => {
      await keys.create(userId, { name: "k" });
      expect(() => store.client.run("UPDATE ledger SET amount_credits = 1000")).toThrow("append-only");
      expect(() => store.client.run("DELETE FROM ledger")).toThrow("append-only");
    }));

  test("a balance that differs from its entries is found", () =>
    withUser(async ({ keys, store, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      store.client.run("UPDATE balances SET balance_credits = 150");
      expect(await credits.problems()).toEqual([
        { userId, problem: "the balance is 150, but the ledger adds up to 100" },
      ]);
    }));

  test("users are checked in pages, each user once, those without a balance too", () =>
    withUser(async ({ store, credits }) => {
      store.client.run("PRAGMA foreign_keys = OFF");
      const insert = store.client.query(
        "INSERT INTO balances (user_id, balance_credits, entries, unmetered) VALUES (?, ?, ?, 0)",
      );
      const ofUser = (n: number) => `u${String(n).padStart(4, "0")}`;
      // A page has at most 1,000 users, and ends before a user beyond 50,000 entries.
      const wrong = new Map([0, 999, 1000, 1500, 1501, 2499].map((n) => [n, n === 1500 ? 60_000 : 1]));
      for (let n = 0; n < 2500; n++) insert.run(ofUser(n), 0, wrong.get(n) ?? 0);
      store.client.run(
        "INSERT INTO ledger (id, user_id, entry, at_ms, kind, amount_credits, balance_after_credits) VALUES (1, 'z', 1, 0, 'granted', 1, 1)",
      );
      const found = (await credits.problems()).map(({ userId }) => userId);
      expect(found).toEqual([...[...wrong.keys()].map(ofUser), "z"]);
    }));

  test("what is wrong among recent entries is found without reading the others", () =>
    withUser(async ({ keys, store, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      for (let n = 0; n < 5; n += 1) await credits.charge(cost(userId, `r${n}`));
      const problems = async (since: number) => (await credits.recentProblems(since)).problems;
      expect(await credits.recentProblems(Number.MAX_SAFE_INTEGER)).toEqual({ problems: [], newestEntry: 6 });
      const found = [{ userId, problem: expect.stringContaining("recent entries") }];
      store.client.run("DROP TRIGGER ledger_is_never_changed");
      for (const [change, undo] of [
        ["UPDATE balances SET balance_credits = 99", "UPDATE balances SET balance_credits = 95"],
        ["UPDATE balances SET entries = 9", "UPDATE balances SET entries = 6"],
        ["UPDATE balances SET newest_entry = 5", "UPDATE balances SET newest_entry = 6"],
        [
          "UPDATE ledger SET amount_credits = -2 WHERE id = 4",
          "UPDATE ledger SET amount_credits = -1 WHERE id = 4",
        ],
        ["UPDATE ledger SET previous = 1 WHERE id = 6", "UPDATE ledger SET previous = 5 WHERE id = 6"],
      ] as const) {
        store.client.run(change);
        expect([change, await problems(6)]).toEqual([change, found]);
        // The check of all entries sees the same.
        expect([change, (await credits.problems()).map((one) => one.userId)]).toEqual([change, [userId]]);
        store.client.run(undo);
        expect(await problems(6)).toEqual([]);
      }
    }));

  test("a lost entry is found", () =>
    withUser(async ({ keys, store, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      await credits.charge(cost(userId, "a"));
      await credits.charge(cost(userId, "b"));
      store.client.run("DROP TRIGGER ledger_is_deleted_by_retention_only");
      store.client.run("DELETE FROM ledger WHERE entry = 2");
      store.client.run("UPDATE balances SET balance_credits = 99");
      expect(await credits.problems()).toEqual([
        { userId, problem: expect.stringContaining("the ledger has 2") },
      ]);
    }));

  test("is paged, each user's own entries only", () =>
    withUser(async ({ keys, users, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      const other = (await users.findOrCreate("bob@example.com")).id;
      await keys.create(other, { name: "k" });
      for (const n of [1, 2, 3]) {
        await Promise.all([credits.charge(cost(userId, `a${n}`)), credits.charge(cost(other, `b${n}`))]);
      }
      const [, last] = await credits.entries(userId, { limit: 2 });
      const older = await credits.entries(userId, { limit: 9, from: last?.previous ?? 0 });
      expect(older.map(({ entry, requestId }) => [entry, requestId])).toEqual([
        [2, "a1"],
        [1, null],
      ]);
      expect(await credits.entries(other, { limit: 9, from: last?.previous ?? 0 })).toEqual([]);
    }));

  test("charges are reported by day, across days and restarts", () =>
    withUser(async ({ keys, credits, userId, runtime }) => {
      await keys.create(userId, { name: "k" });
      runtime.advance(Date.parse("2026-06-01T23:59:59Z") - runtime.now());
      await Promise.all([credits.charge(cost(userId, "a")), credits.charge(cost(userId, "b", 2))]);
      runtime.advance(1000);
      await credits.charge(cost(userId, "c"));
      // The clock was set back: that day continues where it ended.
      runtime.advance(-12 * 3_600_000);
      await credits.charge(cost(userId, "d"));
      expect(await credits.chargedByDay(userId, Date.parse("2026-06-01T08:00:00Z"))).toEqual([
        { day: "2026-06-01", credits: 4, charges: 3 },
        { day: "2026-06-02", credits: 1, charges: 1 },
      ]);
      expect(await credits.problems()).toEqual([]);
    }));

  test("a day's charges that differ from the ledger are found", () =>
    withUser(async ({ keys, store, credits, userId }) => {
      await keys.create(userId, { name: "k" });
      await credits.charge(cost(userId, "a"));
      store.client.run("UPDATE balances SET day_credits = 2");
      expect(await credits.problems()).toEqual([
        { userId, problem: "daily charges add up to 2, those in the ledger to 1" },
      ]);
    }));

  test("the operator's grants add up, and never take a balance below zero", () =>
    withUser(async ({ credits, userId }) => {
      expect(await credits.grant(userId, 50)).toBe(50);
      expect(await credits.grant(userId, -20)).toBe(30);
      const refused = await credits.grant(userId, -31).catch((error: unknown) => error);
      expect(refused).toMatchObject({ kind: "invalid_parameter" });
      expect(await credits.summary(userId)).toMatchObject({ balance: 30, granted: 30 });
      expect(await credits.problems()).toEqual([]);
    }));
});
