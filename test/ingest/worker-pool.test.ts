import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createWorkerPool } from "../../src/ingest/worker-pool.ts";

test("a document that takes too long is given up, and the next one is read", async () => {
  using pool = createWorkerPool(1, 1);
  const document = new TextEncoder().encode("<p>Summary Compensation Table</p>".repeat(1_000_000));
  const filing = await pool.read(document, {});
  expect([filing.status, filing.reason, filing.rows]).toEqual(["refused", "internal", []]);
  expect(filing.reasonDetail).toContain("took longer than");
  using patient = createWorkerPool(1);
  expect((await patient.read(new TextEncoder().encode("<p>nothing</p>"), {})).reason).toBe("no_table");
});

describe("a thread that fails", () => {
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

  test("and says so twice takes no other with it", async () => {
    const pool = createWorkerPool(2);
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

  test("while nobody waits for it is asked nothing more", async () => {
    using pool = createWorkerPool(1);
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
