import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { WorkerPool } from "../../src/ingest/worker-pool.ts";

test("a document that takes too long is abandoned, and the next one is read", async () => {
  using pool = new WorkerPool(1, 1);
  const document = new TextEncoder().encode("<p>Summary Compensation Table</p>".repeat(1_000_000));
  const filing = await pool.read(document, {});
  expect([filing.status, filing.reason, filing.rows]).toEqual(["refused", "internal", []]);
  expect(filing.reasonDetail).toContain("took longer than");
  using patient = new WorkerPool(1);
  expect((await patient.read(new TextEncoder().encode("<p>nothing</p>"), {})).reason).toBe("no_table");
});

describe("a thread", () => {
  /** A thread that does what the test says. */
  class TestWorker extends EventTarget {
    static readonly made: TestWorker[] = [];
    isOver = false;
    asked = 0;

    constructor() {
      super();
      TestWorker.made.push(this);
    }

    postMessage(): void {
      this.asked += 1;
    }

    terminate(): void {
      this.isOver = true;
    }

    fail(): void {
      this.dispatchEvent(new ErrorEvent("error", { message: "it broke" }));
    }

    answer(): void {
      this.dispatchEvent(new MessageEvent("message", { data: { kind: "committed" } }));
    }
  }

  const real = globalThis.Worker;
  beforeEach(() => {
    TestWorker.made.length = 0;
    Object.assign(globalThis, { Worker: TestWorker });
  });
  afterEach(() => void Object.assign(globalThis, { Worker: real }));

  test("is given one document at a time, and the next when it has answered", async () => {
    using pool = new WorkerPool(1);
    const first = pool.commit("", []);
    await Bun.sleep(0);
    const [thread] = TestWorker.made;
    thread?.answer();
    await first;
    const [second, third] = [pool.commit("", []), pool.commit("", [])];
    await Bun.sleep(0);
    expect([TestWorker.made.length, thread?.asked]).toEqual([1, 2]);
    thread?.answer();
    await second;
    await Bun.sleep(0);
    expect(thread?.asked).toBe(3);
    thread?.answer();
    await third;
  });

  test("that answered in time has the full time for the next document", async () => {
    jest.useFakeTimers();
    try {
      using pool = new WorkerPool(1, 1000);
      for (let document = 0; document < 3; document++) {
        const done = pool.commit("", []);
        await Promise.resolve();
        jest.advanceTimersByTime(600);
        TestWorker.made[0]?.answer();
        await done;
      }
      expect(TestWorker.made).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  test("that fails is replaced for the waiting document", async () => {
    using pool = new WorkerPool(1);
    const [refused, done] = [pool.commit("", []).catch(String), pool.commit("", [])];
    await Bun.sleep(0);
    TestWorker.made[0]?.fail();
    expect(await refused).toContain("it broke");
    await Bun.sleep(0);
    expect(TestWorker.made.map(({ asked }) => asked)).toEqual([1, 1]);
    TestWorker.made[1]?.answer();
    await done;
  });

  test("that fails and reports it twice affects no other", async () => {
    const pool = new WorkerPool(2);
    const [refused, done] = [pool.commit("", []).catch(String), pool.commit("", [])];
    await Bun.sleep(0);
    const [first, second] = TestWorker.made;
    first?.fail();
    first?.fail();
    expect(await refused).toContain("it broke");
    second?.answer();
    await done;
    pool[Symbol.dispose]();
    expect(TestWorker.made.map(({ isOver }) => isOver)).toEqual([true, true]);
  });

  test("that fails while idle gets no more documents", async () => {
    using pool = new WorkerPool(1);
    const done = pool.commit("", []);
    await Bun.sleep(0);
    TestWorker.made[0]?.answer();
    await done;
    TestWorker.made[0]?.fail();
    const next = pool.commit("", []);
    await Bun.sleep(0);
    expect(TestWorker.made.map(({ asked }) => asked)).toEqual([1, 1]);
    TestWorker.made[1]?.answer();
    await next;
  });
});
