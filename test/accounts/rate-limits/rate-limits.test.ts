import { describe, expect, jest, test } from "bun:test";
import { ServiceError } from "../../../src/errors.ts";
import { Journal } from "../../../src/accounts/rate-limits/journal.ts";
import { QUOTAS, type WindowKind, windowState } from "../../../src/accounts/rate-limits/limits.ts";
import { RateLimits } from "../../../src/accounts/rate-limits/rate-limits.ts";
import { SqliteStore } from "../../../src/store/open.ts";
import { type TestRuntime, testRuntime } from "../../support/runtime.ts";
import { temporaryFolder } from "../../support/accounts.ts";
import { until } from "../../support/until.ts";

const ANN = ["key", "ann", "calls"] as const;

function takes(rateLimits: RateLimits, spec: readonly [WindowKind, string, "calls"] = ANN): boolean {
  try {
    rateLimits.acquire(...spec);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "rate_limited") return false;
    throw error;
  }
}

const fill = (rateLimits: RateLimits, max: number) => {
  let taken = 0;
  while (taken < max && takes(rateLimits)) taken += 1;
  return taken;
};

/** A process on a store: its own monotonic clock, the machine's wall clock. */
function processOn(dataDir: string, wall: TestRuntime) {
  const startMs = wall.monotonic();
  let made = 0;
  const runtime = {
    now: wall.now,
    monotonic: () => wall.monotonic() - startMs,
    id: () => `process-${startMs}-${(made += 1)}-${wall.id()}`,
  };
  const store = new SqliteStore({ dataDir, runtime });
  const rateLimits = new RateLimits(runtime, new Journal(store, runtime));
  return { store, rateLimits, runtime };
}

describe("accuracy", () => {
  test("no 60 seconds ever hold more than the quota, compared with a list of every request", () => {
    const moment = testRuntime();
    const rateLimits = new RateLimits(moment, null);
    const spec = ["anon", "a", "calls"] as const;
    const granted: number[] = [];
    let seed = 7;
    for (let n = 0; n < 20_000; n += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      moment.advance((seed % 40) * (n % 500 < 100 ? 100 : 20));
      const now = moment.monotonic();
      const fits = granted.filter((at) => at > now - 60_000).length < 60;
      expect(takes(rateLimits, spec)).toBe(fits);
      if (fits) granted.push(now);
      while (granted[0] !== undefined && granted[0] <= now - 60_000) granted.shift();
    }
    expect(granted.length).toBeGreaterThan(0);
  });

  test("Retry-After is accurate to the second: a moment before it a request is refused, at it admitted", () => {
    const moment = testRuntime();
    const rateLimits = new RateLimits(moment, null);
    moment.advance(250);
    rateLimits.acquire(...ANN);
    moment.advance(10_000);
    expect(fill(rateLimits, 1000)).toBe(599);
    const refused = (() => {
      try {
        return rateLimits.acquire(...ANN);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ details: { retryAfterSeconds: 50 } });
    moment.advance(49_999);
    expect(takes(rateLimits)).toBe(false);
    moment.advance(1);
    expect(takes(rateLimits)).toBe(true);
    expect(takes(rateLimits)).toBe(false);
  });
});

test("a window that was counted beyond its quota elsewhere has room once fewer than the quota are left", () => {
  const moment = testRuntime();
  const rateLimits = new RateLimits(moment, null, { quotas: { ...QUOTAS, key: 2 } });
  for (let n = 0; n < 4; n += 1) {
    rateLimits.note("key:ann", moment.monotonic());
    moment.advance(10_000);
  }
  expect(rateLimits.refusalOf(...ANN)?.details).toMatchObject({
    retryAfterSeconds: 40,
    window: { remaining: 0, resetSeconds: 40 },
  });
  moment.advance(39_999);
  expect(takes(rateLimits)).toBe(false);
  moment.advance(1);
  expect(takes(rateLimits)).toBe(true);
});

describe("memory", () => {
  test("rate limits that are empty again are dropped", () => {
    const moment = testRuntime();
    const rateLimits = new RateLimits(moment, null);
    for (let n = 0; n < 1000; n += 1) rateLimits.acquire("anon", `10.0.${n >> 8}.${n & 255}`, "calls");
    expect(rateLimits.size).toBe(1000);
    moment.advance(60_000);
    rateLimits.acquire(...ANN);
    moment.advance(60_000);
    rateLimits.acquire(...ANN);
    expect(rateLimits.size).toBe(1);
  });

  test("memory filled by a crowd is released within two windows, even without further requests", () => {
    jest.useFakeTimers();
    try {
      const moment = testRuntime();
      const rateLimits = new RateLimits(moment, null);
      for (let n = 0; n < 1000; n += 1) rateLimits.acquire("anon", `10.0.${n >> 8}.${n & 255}`, "calls");
      for (let turn = 0; turn < 2; turn += 1) {
        expect(rateLimits.size).toBe(1000);
        moment.advance(60_000);
        jest.advanceTimersByTime(60_000);
      }
      expect(rateLimits.size).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test("at the limit, a flood of addresses shares rate limits, and no client gets more than a quota", () => {
    const moment = testRuntime();
    const rateLimits = new RateLimits(moment, null, { max: 100 });
    const known = ["anon", "first", "calls"] as const;
    rateLimits.acquire(...known);
    for (let n = 0; n < 20_000; n += 1) takes(rateLimits, ["anon", `flood-${n}`, "calls"] as const);
    expect(rateLimits.size).toBeLessThanOrEqual(100 + 4096);
    let taken = 1;
    while (takes(rateLimits, known)) taken += 1;
    expect(taken).toBe(60);
  });
});

test("a client counted in a shared rate limit gets no second quota when there is room again", () => {
  const moment = testRuntime();
  const rateLimits = new RateLimits(moment, null, { max: 10 });
  for (let n = 0; n < 10; n += 1) rateLimits.acquire("anon", `early-${n}`, "calls");
  const late = ["anon", "late", "calls"] as const;
  moment.advance(59_000);
  for (let n = 0; n < 60; n += 1) expect(takes(rateLimits, late)).toBe(true);
  moment.advance(2_000);
  expect(takes(rateLimits, late)).toBe(false);
  moment.advance(58_000);
  for (let n = 0; n < 60; n += 1) expect(takes(rateLimits, late)).toBe(true);
  moment.advance(3_000);
  // The crowd is gone, these sixty are not.
  expect(takes(rateLimits, late)).toBe(false);
  moment.advance(57_000);
  expect(takes(rateLimits, late)).toBe(true);
});

test("Retry-After is long enough: seconds are rounded up, and never zero", () => {
  const window = { id: "anon:a", name: "anon", quota: 60 };
  const waits = [0, 1, 1000, 1001, 59_999].map((ms) => windowState(window, 60, ms).resetSeconds);
  expect(waits).toEqual([1, 1, 1, 2, 60]);
});

describe("a restart forgets nothing", () => {
  test("requests older than half a second are restored after a kill", async () => {
    using folder = temporaryFolder();
    const wall = testRuntime();
    const first = processOn(folder.path, wall);
    expect(fill(first.rateLimits, 400)).toBe(400);
    await until(
      "the requests are written",
      () => first.store.client.query<object, []>("SELECT 1 FROM window_hits").get() !== null,
    );
    wall.advance(20_000);
    // Not closed: the process is gone. Its connection stays open, as a killed one's file would.
    const second = processOn(folder.path, wall);
    expect(fill(second.rateLimits, 1000)).toBe(200);
    wall.advance(40_000);
    expect(fill(second.rateLimits, 1000)).toBe(400);
    await first.store.close();
    await second.store.close();
  });

  test("a name with quotes does not affect the rate limits of others", async () => {
    using folder = temporaryFolder();
    const wall = testRuntime();
    const first = processOn(folder.path, wall);
    first.rateLimits.acquire("anon", 'a"b\\', "calls");
    expect(fill(first.rateLimits, 600)).toBe(600);
    await first.store.close();
    const second = processOn(folder.path, wall);
    expect(fill(second.rateLimits, 1)).toBe(0);
    expect(second.rateLimits.acquire("anon", 'a"b\\', "calls").remaining).toBe(58);
    await second.store.close();
  });

  test("a clock set back an hour neither locks callers out nor lifts limits", async () => {
    using folder = temporaryFolder();
    const wall = testRuntime();
    const first = processOn(folder.path, wall);
    expect(fill(first.rateLimits, 1000)).toBe(600);
    await first.store.close();
    const nowBefore = wall.now;
    wall.now = () => nowBefore() - 3_600_000;
    const second = processOn(folder.path, wall);
    expect(fill(second.rateLimits, 1000)).toBe(0);
    wall.advance(60_000);
    expect(fill(second.rateLimits, 1000)).toBe(600);
    await second.store.close();
  });

  test("while the server runs, changes of the wall clock have no effect", () => {
    const moment = testRuntime();
    const rateLimits = new RateLimits(moment, null);
    const { now } = moment;
    expect(fill(rateLimits, 1000)).toBe(600);
    for (const jumpMs of [-3_600_000, 3_600_000]) {
      moment.now = () => now() + jumpMs;
      expect(fill(rateLimits, 1000)).toBe(0);
    }
    moment.advance(60_000);
    expect(fill(rateLimits, 1000)).toBe(600);
  });

  test("counts of another process on the same store apply here, beside own ones, which count once", async () => {
    using folder = temporaryFolder();
    const wall = testRuntime();
    const first = processOn(folder.path, wall);
    const second = processOn(folder.path, wall);
    expect(fill(first.rateLimits, 100)).toBe(100);
    await first.store.transact(async () => {});
    expect(fill(second.rateLimits, 250)).toBe(250);
    await second.store.close();
    await Bun.sleep(1);
    expect(fill(first.rateLimits, 1000)).toBe(250);
    await first.store.close();
  });

  test("the journal does not grow: lines older than a minute are deleted", async () => {
    using folder = temporaryFolder();
    const wall = testRuntime();
    const { store, rateLimits } = processOn(folder.path, wall);
    for (let n = 0; n < 100; n += 1) {
      rateLimits.acquire(...ANN);
      await store.transact(async () => {});
      wall.advance(5_000);
    }
    const lines =
      store.client.query<{ n: number }, []>("SELECT count(*) AS n FROM window_hits").get()?.n ?? 0;
    expect(lines).toBeLessThanOrEqual(14);
    await store.close();
  });

  test("a restart reads no expired line, however many an earlier server left, and deletes them", async () => {
    using folder = temporaryFolder();
    const wall = testRuntime();
    const before = processOn(folder.path, wall);
    before.rateLimits.acquire(...ANN);
    await before.store.transact(async () => {});
    // Reading the line would fail.
    before.store.client.query("UPDATE window_hits SET hits = ?").run('{"key ann":7}');
    await before.store.close();
    wall.advance(3_600_000);
    const after = processOn(folder.path, wall);
    expect(fill(after.rateLimits, 1000)).toBe(600);
    await after.store.transact(async () => {});
    await after.store.transact(async () => {});
    const held = after.store.client.query<{ id: number }, []>("SELECT id FROM window_hits").all();
    expect(held.map(({ id }) => id)).toEqual([2]);
    await after.store.close();
  });
});
