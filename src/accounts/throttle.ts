import { hashSecret } from "./credentials.ts";
import { and, asc, count, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { signInFailures as failures } from "../store/schema.ts";

const MINUTE_MS = 60_000;

/** Maximum failures by account, address or both, and the time they count for. */
const RULES = [
  { by: "both", max: 5, withinMs: 15 * MINUTE_MS },
  { by: "address", max: 50, withinMs: 15 * MINUTE_MS },
  // Generous: it must not let strangers lock a user out, only slow down distributed guessing.
  { by: "account", max: 100, withinMs: 60 * MINUTE_MS },
] as const;

const MAX_MS = Math.max(...RULES.map(({ withinMs }) => withinMs));

/** An attempt that may proceed. It counts as failed until `succeeded`. */
export type Attempt = { allowed: true; id: number } | { allowed: false; retryAfterSeconds: number };

/**
 * Limits password guessing by account and address together, by address, and by account. An attempt is counted before
 * the password is verified, so that concurrent attempts do not evade it. Unknown accounts count the same way.
 */
export class Throttle {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /**
   * Counts an attempt, or returns when to try again.
   *
   * @param who e-mail or other id of the account; stored as a hash
   * @param device id of a browser in which this account signed in before. It is counted separately, whatever others do
   * to the account or at its address; null for any other
   */
  begin(who: string, from: string, device: string | null): Promise<Attempt> {
    const account = hashSecret(who, "base64");
    const address = device === null ? from : `device ${hashSecret(device, "base64")}`;
    const rules = device === null ? RULES : RULES.filter(({ by }) => by === "both");
    return this.store.transact(async (tx): Promise<Attempt> => {
      const nowMs = this.runtime.now();
      const over = lte(failures.atMs, nowMs - MAX_MS);
      await tx.delete(failures).where(over).run();
      // Future times mean that the clock was set back; reset them to now.
      await tx.update(failures).set({ atMs: nowMs }).where(gt(failures.atMs, nowMs)).run();
      let waitMs = 0;
      for (const { by, max, withinMs } of rules) {
        const which = matching(by, account, address);
        waitMs = Math.max(waitMs, await waitFor(tx, which, max, withinMs, nowMs));
      }
      if (waitMs > 0) return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      const row = await tx.insert(failures).values({ account, address, atMs: nowMs }).returning().get();
      return { allowed: true, id: row.id };
    });
  }

  /** Failures for the account of an attempt from its address within the hour, including this one. */
  async failures(tx: StoreDb, attemptId: number): Promise<number> {
    const counted = await tx.select({ n: count() }).from(failures).where(likeAttempt(attemptId)).get();
    return counted?.n ?? 0;
  }

  /** Forgets the attempt and earlier failures of the account from that address. Inside a transaction. */
  async succeeded(tx: StoreDb, attemptId: number): Promise<void> {
    await tx.delete(failures).where(likeAttempt(attemptId)).run();
  }
}

/** The failures of the account and address of an attempt. */
function likeAttempt(id: number): SQL {
  return sql`(${failures.account}, ${failures.address}) = (SELECT f.account, f.address FROM sign_in_failures f WHERE f.id = ${id})`;
}

function matching(by: (typeof RULES)[number]["by"], account: string, address: string) {
  return and(
    by === "address" ? undefined : eq(failures.account, account),
    by === "account" ? undefined : eq(failures.address, address),
  );
}

/** Time until another attempt is allowed; 0 if now. */
async function waitFor(
  tx: StoreDb,
  which: ReturnType<typeof matching>,
  max: number,
  withinMs: number,
  nowMs: number,
): Promise<number> {
  const recent = and(which, gt(failures.atMs, nowMs - withinMs));
  const counted = await tx.select({ made: count() }).from(failures).where(recent).get();
  const made = counted?.made ?? 0;
  if (made < max) return 0;
  const first = await tx
    .select({ atMs: failures.atMs })
    .from(failures)
    .where(recent)
    .orderBy(asc(failures.atMs), asc(failures.id))
    .limit(1)
    .offset(made - max)
    .get();
  return (first?.atMs ?? nowMs) + withinMs - nowMs;
}
