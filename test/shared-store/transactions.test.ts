/** PostgreSQL transactions that were abandoned or are in doubt, on in-memory connections. */
import type { ReservedSQL, SQL } from "bun";
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { marked, type TransactionDeps, Transactions } from "../../src/shared-store/transactions.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Answers to statements by prefix; others return no rows. */
type Answers = Readonly<Record<string, () => Promise<unknown[][]>>>;

/** A pool whose connections record their statements. */
function memoryPool(answers: Answers = {}) {
  const sent: string[][] = [];
  const query = (statements: string[], text: string) => {
    statements.push(text);
    const found = Object.entries(answers).find(([beginning]) => text.startsWith(beginning));
    const answer = async () => (found === undefined ? [] : found[1]());
    const answered = answer();
    answered.catch(() => {});
    return Object.assign(answered, { values: () => answered, execute: () => answered });
  };
  const connect = () => {
    const statements: string[] = [];
    sent.push(statements);
    return Object.assign(([text = ""]: readonly string[]) => query(statements, text), {
      unsafe: (text: string) => query(statements, text),
      release() {},
    });
  };
  // The part of a pool that transactions use.
  const pool = Object.assign(connect(), {
    reserve: () => Promise.resolve(connect() as unknown as ReservedSQL),
  }) as unknown as SQL;
  let nowMs = 0;
  const deps: TransactionDeps = {
    pool: () => pool,
    renew() {},
    runtime: { monotonic: () => nowMs, secret: (bytes) => new Uint8Array(bytes) },
  };
  return {
    transactions: new Transactions(deps),
    /** The statements of each reserved connection. */
    sent: () => sent.slice(1),
    pass(ms: number) {
      nowMs += ms;
      jest.advanceTimersByTime(ms);
    },
  };
}

/** Runs everything that does not wait for a clock. */
async function settle(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await Promise.resolve();
}

test("an abandoned attempt commits nothing when its answer arrives late", async () => {
  const { transactions, sent, pass } = memoryPool();
  const late = Promise.withResolvers<void>();
  const ended = transactions.run("READ COMMITTED", async () => {
    await late.promise;
    return { value: "charged", mark: { id: "a", xid: "1" } };
  });
  const refused = ended.catch((error: unknown) => String(error));
  await settle();
  pass(10_000);
  expect(await refused).toContain("Error");
  late.resolve();
  await settle();
  expect(sent()).toEqual([["BEGIN ISOLATION LEVEL READ COMMITTED", "ROLLBACK"]]);
});

test("a transaction whose mark was lost is tried again, though its work says only that it was aborted", async () => {
  // The pause before the next attempt is real.
  jest.useRealTimers();
  const aborted = Object.assign(new Error("transaction is aborted"), { errno: "25P02" });
  let isDown = true;
  const { transactions } = memoryPool({
    INSERT: () =>
      isDown
        ? Promise.reject(Object.assign(new Error("terminated"), { errno: "57P01" }))
        : Promise.resolve([]),
    SELECT: () => (isDown ? Promise.reject(aborted) : Promise.resolve([["done"]])),
    ROLLBACK: () => {
      isDown = false;
      return Promise.resolve([]);
    },
  });
  const work = marked((connection) => connection.unsafe("SELECT 1").values());
  expect(await transactions.run("SERIALIZABLE", work)).toEqual([["done"]]);
});

test.each([
  ["in progress", [], "unknown"],
  ["in progress", [[1]], "unknown"],
  ["committed", [[1]], "committed"],
  ["aborted", [], "aborted"],
  [null, [[1]], "committed"],
  [null, [], "aborted"],
] as const)("a transaction that is %p, with the mark %j, is %s", async (status, mark, told) => {
  const { transactions } = memoryPool({
    "SELECT pg_xact_status": () => Promise.resolve([[status]]),
    "SELECT 1 FROM recent_commits": () => Promise.resolve(mark.map((row) => [...row])),
  });
  expect(await transactions.statusOf({ id: "a", xid: "1" })).toBe(told);
});

test("a transaction with a future number is decided by its mark; a failing server decides nothing", async () => {
  const failing = (message: string) =>
    memoryPool({ "SELECT pg_xact_status": () => Promise.reject(new Error(message)) }).transactions;
  const mark = { id: "a", xid: "1" };
  expect(await failing("transaction ID 1 is in the future").statusOf(mark)).toBe("aborted");
  expect(await failing("connection lost").statusOf(mark)).toBe("unknown");
});
