import { hashSecret } from "../credentials.ts";
import { and, asc, count, eq, gt, lte } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import type { Store } from "../store/store.ts";
import { result, type StoreDb, type Work } from "../store/work.ts";
import { signInFailures as failures } from "../store/schema.ts";

const MINUTE_MS = 60_000;

/** What is counted together, how many failures, and in what time. */
const RULES = [
  { by: "both", most: 5, withinMs: 15 * MINUTE_MS },
  { by: "address", most: 50, withinMs: 15 * MINUTE_MS },
  // Wide: it must not let a stranger lock somebody out, only slow many addresses down.
  { by: "account", most: 100, withinMs: 60 * MINUTE_MS },
] as const;

const MAX_MS = Math.max(...RULES.map(({ withinMs }) => withinMs));

/** An attempt that may be made. It counts as failed until `succeeded`. */
export type Attempt = { allowed: true; id: number } | { allowed: false; retryAfterSeconds: number };

/**
 * Slows guessing down: by account and address together, by address, by account. An attempt is counted before the
 * password is looked at, so that a hundred at once are no way round. Accounts that do not exist count alike.
 */
export class Throttle {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /**
   * Counts an attempt, or says when to come back.
   *
   * @param who e-mail or the like; kept as a hash
   * @param device what a browser is known by in which this account signed in before: it is counted by itself, whatever
   *   strangers do to the account or at its address; null for any other
   */
  begin(who: string, from: string, device: string | null): Promise<Attempt> {
    const account = hashSecret(who, "base64");
    const address = device === null ? from : `device ${hashSecret(device, "base64")}`;
    const rules = device === null ? RULES : RULES.filter(({ by }) => by === "both");
    const { runtime } = this;
    return this.store.transact(function* (tx): Work<Attempt> {
      const nowMs = runtime.now();
      const over = lte(failures.atMs, nowMs - MAX_MS);
      yield* result(tx.delete(failures).where(over).run());
      // Times ahead tell of a clock that was set back: they count from now, and once.
      yield* result(tx.update(failures).set({ atMs: nowMs }).where(gt(failures.atMs, nowMs)).run());
      let waitMs = 0;
      for (const { by, most, withinMs } of rules) {
        const which = matching(by, account, address);
        waitMs = Math.max(waitMs, yield* waitFor(tx, which, most, withinMs, nowMs));
      }
      if (waitMs > 0) return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      const row = yield* result(
        tx.insert(failures).values({ account, address, atMs: nowMs }).returning().get(),
      );
      return { allowed: true, id: row.id };
    });
  }

  /** How often the account of an attempt was tried in vain from its address, this one included, within the hour. */
  *failures(tx: StoreDb, attemptId: number): Work<number> {
    const row = yield* result(tx.select().from(failures).where(eq(failures.id, attemptId)).get());
    if (row === undefined) return 0;
    const both = matching("both", row.account, row.address);
    const counted = yield* result(tx.select({ n: count() }).from(failures).where(both).get());
    return counted?.n ?? 0;
  }

  /** The attempt was right after all: it and the failures before it from that address are forgotten. Inside a transaction. */
  *succeeded(tx: StoreDb, attemptId: number): Work<void> {
    const row = yield* result(tx.select().from(failures).where(eq(failures.id, attemptId)).get());
    if (row === undefined) return;
    const both = matching("both", row.account, row.address);
    yield* result(tx.delete(failures).where(both).run());
  }
}

function matching(by: (typeof RULES)[number]["by"], account: string, address: string) {
  return and(
    by === "address" ? undefined : eq(failures.account, account),
    by === "account" ? undefined : eq(failures.address, address),
  );
}

/** How long until one more fits: 0 now. */
function* waitFor(
  tx: StoreDb,
  which: ReturnType<typeof matching>,
  most: number,
  withinMs: number,
  nowMs: number,
): Work<number> {
  const recent = and(which, gt(failures.atMs, nowMs - withinMs));
  const counted = yield* result(tx.select({ made: count() }).from(failures).where(recent).get());
  const made = counted?.made ?? 0;
  if (made < most) return 0;
  const first = yield* result(
    tx
      .select({ atMs: failures.atMs })
      .from(failures)
      .where(recent)
      .orderBy(asc(failures.atMs), asc(failures.id))
      .limit(1)
      .offset(made - most)
      .get(),
  );
  return (first?.atMs ?? nowMs) + withinMs - nowMs;
}
