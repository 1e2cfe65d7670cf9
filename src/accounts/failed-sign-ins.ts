import { and, count, eq, gt, isNotNull, isNull, notInArray } from "drizzle-orm";
import { audit, recordAuditEvent } from "../store/audit.ts";
import type { StoreDb } from "../store/store.ts";
import { users } from "../store/schema.ts";
import type { Browser } from "./sessions.ts";

/** Which of the failures for an account from one address within the hour are recorded, by number. */
const LISTED: readonly number[] = [1, 3, 5, 10, 20, 50, 100];

/** Maximum failures recorded per hour, for accounts that exist and for others apart: a million entries a year. */
const MAX_LISTED_PER_HOUR = 60;

const HOUR_MS = 3_600_000;

/**
 * Records a failed sign-in in the audit log, within limits: visitors control how often they fail, and must not control
 * the size of the log, nor hide one flood behind another. Every failure for an owner is recorded: throttling bounds them
 * at a hundred an hour. The input is not stored, only the affected account. Inside a transaction.
 *
 * @param user the user with the given address; undefined if there is none
 * @param failures failures for this account from this address within the hour, including this one
 */
export async function recordFailedSignIn(
  tx: StoreDb,
  nowMs: number,
  { address, userAgent }: Pick<Browser, "address" | "userAgent">,
  user: Pick<typeof users.$inferSelect, "id" | "disabledAtMs" | "role"> | undefined,
  failures: number,
): Promise<void> {
  const isOwner = user?.role === "owner";
  if (!isOwner && !LISTED.includes(failures)) return;
  const listed = isOwner ? 0 : await listedWithinHour(tx, nowMs, user !== undefined);
  if (listed >= MAX_LISTED_PER_HOUR) return;
  const account = user === undefined ? "unknown" : user.disabledAtMs === null ? "known" : "disabled";
  const isLast = listed === MAX_LISTED_PER_HOUR - 1;
  const visitor = { actor: "visitor", address, userAgent, form: null };
  await recordAuditEvent(tx, nowMs, visitor, {
    act: "sign_in_failed",
    userId: user?.id ?? null,
    after: { account, failures, ...(isLast ? { more: "not listed for an hour" } : {}) },
  });
}

/** Failures recorded within the hour, for accounts that exist (other than owners') or for others. */
async function listedWithinHour(tx: StoreDb, nowMs: number, isKnown: boolean): Promise<number> {
  const owners = tx.select({ id: users.id }).from(users).where(eq(users.role, "owner"));
  const counted = tx
    .select({ n: count() })
    .from(audit)
    .where(
      and(
        eq(audit.act, "sign_in_failed"),
        gt(audit.atMs, nowMs - HOUR_MS),
        isKnown ? and(isNotNull(audit.userId), notInArray(audit.userId, owners)) : isNull(audit.userId),
      ),
    );
  return (await counted.get())?.n ?? 0;
}
