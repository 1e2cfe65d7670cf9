import { and, count, eq, gt } from "drizzle-orm";
import { audit, recordDeed } from "../store/audit.ts";
import { result, type StoreDb, type Work } from "../store/work.ts";
import type { users } from "../store/schema.ts";
import type { Browser } from "./sessions.ts";

/** Of many failures at one account from one address those are listed that have these numbers within the hour. */
const LISTED: readonly number[] = [1, 3, 5, 10, 20, 50, 100];

/** Failures listed in any hour, whatever strangers do: half a million entries a year at most. */
const MAX_LISTED_PER_HOUR = 60;

const HOUR_MS = 3_600_000;

/**
 * Writes a failed sign-in into the audit log, unless it is one of many: strangers decide how often they fail, and must
 * not decide how long the log gets. What was typed is not kept, only whose account it was. Inside a transaction.
 *
 * @param user whose address was given; undefined for nobody's
 * @param failures how often this account failed from this address within the hour
 */
export function* recordFailedSignIn(
  tx: StoreDb,
  nowMs: number,
  { address, userAgent }: Pick<Browser, "address" | "userAgent">,
  user: Pick<typeof users.$inferSelect, "id" | "disabledAtMs"> | undefined,
  failures: number,
): Work<void> {
  if (!LISTED.includes(failures)) return;
  const recent = and(eq(audit.act, "sign_in_failed"), gt(audit.atMs, nowMs - HOUR_MS));
  const counted = yield* result(tx.select({ n: count() }).from(audit).where(recent).get());
  const listed = counted?.n ?? 0;
  if (listed >= MAX_LISTED_PER_HOUR) return;
  const account = user === undefined ? "unknown" : user.disabledAtMs === null ? "known" : "disabled";
  const isLast = listed === MAX_LISTED_PER_HOUR - 1;
  const visitor = { actor: "visitor", address, userAgent, form: null };
  yield* recordDeed(tx, nowMs, visitor, {
    act: "sign_in_failed",
    userId: user?.id ?? null,
    after: { account, failures, ...(isLast ? { more: "not listed for an hour" } : {}) },
  });
}
