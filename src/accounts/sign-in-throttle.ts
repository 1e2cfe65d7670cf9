import { ServiceError } from "../errors.ts";
import { hashSecret } from "./credentials.ts";
import { counted } from "../lib/text.ts";
import { and, desc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
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
   * Counts an attempt, as failed until `succeeded`. Refuses with `rate_limited`.
   *
   * @param who e-mail or other id of the account; stored as a hash
   * @param device id of a browser in which this account signed in before. It is counted separately, whatever others do
   * to the account or at its address; null for any other
   * @returns the attempt's id
   */
  async begin(who: string, from: string, device: string | null): Promise<number> {
    const account = hashSecret(who, "base64");
    const address = device === null ? from : `device ${hashSecret(device, "base64")}`;
    const rules = device === null ? RULES : RULES.filter(({ by }) => by === "both");
    const { id, waitMs } = await this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const over = lte(failures.atMs, nowMs - MAX_MS);
      await tx.delete(failures).where(over).run();
      // Future times mean that the clock was set back; reset them to now.
      await tx.update(failures).set({ atMs: nowMs }).where(gt(failures.atMs, nowMs)).run();
      let waitMs = 0;
      for (const { by, max, withinMs } of rules) {
        const counted = and(
          by === "address" ? undefined : eq(failures.account, account),
          by === "account" ? undefined : eq(failures.address, address),
          gt(failures.atMs, nowMs - withinMs),
        );
        // The oldest of the allowed failures: once it expires, another attempt is possible.
        const oldest = await tx
          .select({ atMs: failures.atMs })
          .from(failures)
          .where(counted)
          .orderBy(desc(failures.atMs), desc(failures.id))
          .limit(1)
          .offset(max - 1)
          .get();
        if (oldest !== undefined) waitMs = Math.max(waitMs, oldest.atMs + withinMs - nowMs);
      }
      if (waitMs > 0) return { id: 0, waitMs };
      const row = await tx.insert(failures).values({ account, address, atMs: nowMs }).returning().get();
      return { id: row.id, waitMs };
    });
    if (waitMs === 0) return id;
    const message = `Too many attempts. Try again in ${counted(Math.ceil(waitMs / MINUTE_MS), "minute")}.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  /**
   * Does the work of an attempt. One that ends with `unavailable` says nothing about the password, and is not
   * counted.
   */
  async answer<T>(attemptId: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "unavailable") {
        const attempt = eq(failures.id, attemptId);
        // While the store itself is down, the attempt stays counted.
        await this.store.transact((tx) => tx.delete(failures).where(attempt).run()).catch(() => {});
      }
      throw error;
    }
  }

  /** Failures for the account of an attempt from its address within the hour, including this one. */
  async failures(tx: StoreDb, attemptId: number): Promise<number> {
    return tx.$count(failures, likeAttempt(attemptId));
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
