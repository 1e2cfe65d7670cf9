/**
 * Charges whose commits are retried or in doubt, on an in-memory store. On PostgreSQL:
 * `test/shared-store/lost-answers.slow.test.ts`.
 */
import type { ReservedSQL } from "bun";
import { expect, test } from "bun:test";
import type { BalanceRow, ChargeEntry, PricedOpening } from "../../src/accounts/charges.ts";
import { PostgresCharges } from "../../src/shared-store/postgres-charges.ts";
import { ServiceError } from "../../src/errors.ts";
import type { Isolation, Mark, TransactionWork } from "../../src/shared-store/transactions.ts";

/** The end of one attempt at a transaction. */
type Fate = "committed" | "tried again" | "in doubt, committed" | "in doubt, aborted";

const NO_BALANCE = {
  user_id: "",
  balance_credits: 0,
  entries: 0,
  unmetered: 0,
  newest_entry: null,
  day: 0,
  day_credits: 0,
  day_charges: 0,
};

/** Balances and an in-memory ledger, for transactions of charges. */
function memoryStore(credits: Record<string, number>) {
  const balances = new Map<string, BalanceRow>(
    Object.entries(credits).map(([id, balance]) => [
      id,
      { ...NO_BALANCE, user_id: id, balance_credits: balance },
    ]),
  );
  const ledger: ChargeEntry[] = [];
  const pages = new Set<string>();
  const fates: Fate[] = [];
  const statuses = new Map<string, "committed" | "aborted">();
  const hidden = new Set<string>();
  let made = 0;
  let onRetry: () => void = () => {};
  const answers = (text: string, values: readonly unknown[]): unknown[][] => {
    if (text.includes("FROM page_openings")) return [...pages].map((page) => JSON.parse(page) as unknown[]);
    if (text.includes("FOR UPDATE")) {
      const users: string[] = JSON.parse(String(values[0]));
      return users.flatMap((id) => {
        const row = balances.get(id);
        return row === undefined ? [] : [Object.values(row)];
      });
    }
    return Array.from({ length: Number(values[0]) }, () => [++made * 1000, String(made), `mark ${made}`]);
  };
  const turnPages = (text: string, [rows = "[]"]: readonly string[]) => {
    const changed: { userId: string; dataset: string; subject: string }[] = JSON.parse(rows);
    for (const { userId, dataset, subject } of changed) {
      const page = JSON.stringify([userId, dataset, subject]);
      if (text.startsWith("DELETE")) pages.delete(page);
      else pages.add(page);
    }
  };
  const write = ([entries = "[]", changed = "[]"]: readonly string[]) => {
    const added: ChargeEntry[] = JSON.parse(entries);
    ledger.push(...added);
    const rows: BalanceRow[] = JSON.parse(changed);
    for (const row of rows) balances.set(row.user_id, row);
  };
  const attempt = async <T>(work: TransactionWork<T>) => {
    const written: (() => void)[] = [];
    const connection = {
      unsafe: (text: string, values: string[]) => ({
        values: () =>
          Object.assign(Promise.resolve(answers(text, values)), { execute: () => answers(text, values) }),
        execute: () =>
          written.push(() => (text.includes("page_openings") ? turnPages(text, values) : write(values))),
      }),
    };
    // The part of a connection that charges use.
    const prepared = await work(connection as unknown as ReservedSQL);
    await prepared.finish?.();
    return { ...prepared, commit: () => written.forEach((one) => one()) };
  };
  const store = {
    async transaction<T>(_: Isolation, work: TransactionWork<T>, onDoubt: (mark: Mark) => void = () => {}) {
      for (;;) {
        const { value, mark, commit } = await attempt(work);
        const fate = fates.shift() ?? "committed";
        if (fate === "tried again") {
          onRetry();
          continue;
        }
        if (fate !== "in doubt, aborted") commit();
        if (fate === "committed") return value;
        statuses.set(mark.id, fate === "in doubt, committed" ? "committed" : "aborted");
        hidden.add(mark.id);
        onDoubt(mark);
        throw new ServiceError("unavailable", "in doubt");
      }
    },
    committed() {},
    takeNeedless: () => "{}",
    rows: () => Promise.resolve([]),
    statusOf: ({ id }: Mark) =>
      Promise.resolve(hidden.has(id) ? ("unknown" as const) : (statuses.get(id) ?? ("unknown" as const))),
  };
  const charges = new PostgresCharges(store, { now: () => 0, monotonic: () => 0 });
  return {
    /** The caller's answer: the amount charged, or the kind of refusal. */
    charge: (userId: string, requestId: string, costCredits = 1, opens?: PricedOpening) =>
      new Promise<number | string>((resolve) =>
        charges.add({
          charge: { userId, costCredits, operation: "o", ticker: null, requestId, ...(opens && { opens }) },
          outcome: { charged: 0, remaining: null },
          entry: 0,
          resolve: ({ charged }) => resolve(charged),
          reject: (error) => resolve(error instanceof ServiceError ? error.kind : String(error)),
        }),
      ),
    amountsOf: (requestId: string) =>
      ledger.filter((entry) => entry.requestId === requestId).map(({ amountCredits }) => amountCredits),
    balanceOf: (userId: string) => balances.get(userId)?.balance_credits,
    spend: (userId: string, balance: number) =>
      void balances.set(userId, { ...NO_BALANCE, user_id: userId, balance_credits: balance }),
    ledger,
    pages,
    fates,
    onRetry: (work: () => void) => void (onRetry = work),
    /** Makes the store report the outcome of the transactions in doubt so far. */
    reveal: () => hidden.clear(),
  };
}

test.each([
  ["in doubt, committed", [-2, 2]],
  ["in doubt, aborted", []],
] as const)(
  "a charge %s is reversed as often as it was charged, with the next charge of any user",
  async (fate, amounts) => {
    const { charge, amountsOf, balanceOf, fates, reveal } = memoryStore({ ann: 10, bob: 10 });
    fates.push(fate);
    expect(await charge("ann", "doubted", 2)).toBe("unavailable");
    reveal();
    expect(await charge("bob", "next")).toBe(1);
    expect(amountsOf("doubted")).toEqual([...amounts]);
    expect(await charge("ann", "last", 3)).toBe(3);
    expect(amountsOf("doubted")).toEqual([...amounts]);
    expect([balanceOf("ann"), balanceOf("bob")]).toEqual([7, 9]);
  },
);

test("a charge that the last attempt refused is not reversed, even if an earlier attempt had made it", async () => {
  const { charge, amountsOf, balanceOf, fates, onRetry, reveal, spend } = memoryStore({ ann: 1, bob: 5 });
  fates.push("tried again", "in doubt, committed");
  // Between the attempts, another server charges ann for something else.
  onRetry(() => spend("ann", 0));
  expect(await Promise.all([charge("ann", "poor"), charge("bob", "rich")])).toEqual([
    "unavailable",
    "unavailable",
  ]);
  reveal();
  expect(await charge("bob", "next")).toBe(1);
  expect([amountsOf("poor"), balanceOf("ann")]).toEqual([[], 0]);
  expect([amountsOf("rich"), balanceOf("bob")]).toEqual([[-1, 1], 4]);
});

test("a possible reversal by a transaction in doubt is not repeated by another transaction", async () => {
  for (const second of ["in doubt, committed", "in doubt, aborted"] as const) {
    const { charge, amountsOf, balanceOf, fates, reveal } = memoryStore({ ann: 10 });
    fates.push("in doubt, committed");
    expect(await charge("ann", "one")).toBe("unavailable");
    reveal();
    fates.push(second);
    expect(await charge("ann", "two")).toBe("unavailable");
    // It is not known yet whether `two` is in the store, having reversed `one`.
    const before = amountsOf("one");
    expect(await charge("ann", "three")).toBe(1);
    expect(amountsOf("one")).toEqual(before);
    reveal();
    expect(await charge("ann", "four")).toBe(1);
    expect(await charge("ann", "five")).toBe(1);
    expect(amountsOf("one")).toEqual([-1, 1]);
    expect(amountsOf("two")).toEqual(second === "in doubt, committed" ? [-1, 1] : []);
    expect(balanceOf("ann")).toBe(7);
  }
});

test("a thousand charges and their reversals have distinct ids", async () => {
  const { charge, ledger, fates, reveal } = memoryStore({ ann: 3000 });
  const many = (name: string) =>
    Promise.all(Array.from({ length: 1000 }, (_, n) => charge("ann", `${name} ${n}`)));
  fates.push("in doubt, committed");
  expect(new Set(await many("lost"))).toEqual(new Set(["unavailable"]));
  reveal();
  expect(new Set(await many("kept"))).toEqual(new Set([1]));
  expect(ledger).toHaveLength(3000);
  expect(new Set(ledger.map(({ id }) => id)).size).toBe(3000);
});

test("what a charge in doubt opened is closed when it is reversed, and may be opened again with it", async () => {
  const { charge, pages, balanceOf, fates, reveal } = memoryStore({ ann: 5, bob: 5 });
  const page = { dataset: "d", subject: "history 1", pricedBeside: null };
  fates.push("in doubt, committed");
  expect(await charge("ann", "first", 1, page)).toBe("unavailable");
  expect([pages.size, balanceOf("ann")]).toEqual([1, 4]);
  reveal();
  expect(await charge("bob", "other")).toBe(1);
  expect([pages.size, balanceOf("ann")]).toEqual([0, 5]);
  fates.push("in doubt, committed");
  expect(await charge("ann", "second", 1, page)).toBe("unavailable");
  reveal();
  // One transaction takes it back and charges for it again.
  expect(await Promise.all([charge("ann", "third", 1, page), charge("ann", "fourth", 1, page)])).toEqual([
    1, 0,
  ]);
  expect([pages.size, balanceOf("ann")]).toEqual([1, 4]);
});
