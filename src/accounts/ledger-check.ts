/** Checks each balance against its ledger, entry by entry. */
import { firstRow, type StoreDb } from "../store/store.ts";

/** A user whose ledger is inconsistent, with a description. */
export interface LedgerProblem {
  userId: string;
  problem: string;
}

/** Users whose ledger is inconsistent; empty if none is. */
export async function ledgerProblems(db: StoreDb): Promise<LedgerProblem[]> {
  const all = await db.rows<Sums>(CHECK);
  return all.map((sums) => ({ userId: sums.userId, problem: problemOf(sums) }));
}

/** Entries before the last proven one that are checked again: those of transactions that were open at that time. */
const OVERLAP = 100_000;

/**
 * The same for recent entries only: each follows from its predecessor, and the balances of their users are those of
 * their newest entries. Also returns the newest entry, from which the next check can begin.
 *
 * @param since number of an entry up to which all has been checked; the newest one if there is none so new
 */
export async function recentLedgerProblems(
  db: StoreDb,
  since: number,
): Promise<{ problems: LedgerProblem[]; newestEntry: number }> {
  const newest = await firstRow(db.rows<{ id: number | null }>("SELECT max(id) AS id FROM ledger"));
  const newestEntry = newest?.id ?? 0;
  const from = Math.max(0, Math.min(since, newestEntry) - OVERLAP);
  const found = await db.rows<{ userId: string }>(CHECK_RECENT, from);
  const problem = "recent entries do not follow from their predecessors, or differ from the balance";
  return { problems: found.map(({ userId }) => ({ userId, problem })), newestEntry };
}

const CHECK_RECENT = `
  WITH recent AS (SELECT * FROM ledger WHERE id > ?1)
  SELECT l.user_id AS "userId" FROM recent l
    LEFT JOIN ledger p ON p.id = l.previous LEFT JOIN rolled_ledger r ON r.last_id = l.previous
    WHERE l.balance_after_credits <> coalesce(p.balance_after_credits, r.balance_after_credits, 0) + l.amount_credits
      OR l.entry <> coalesce(p.entry, r.last_entry, 0) + 1 OR coalesce(p.user_id, r.user_id, l.user_id) <> l.user_id
  UNION
  SELECT o.user_id FROM (SELECT user_id, max(id) AS id FROM recent GROUP BY user_id) AS o
    LEFT JOIN balances b ON b.user_id = o.user_id LEFT JOIN ledger l ON l.id = o.id
    WHERE b.newest_entry IS DISTINCT FROM o.id OR b.balance_credits <> l.balance_after_credits OR b.entries <> l.entry
  ORDER BY 1`;

interface Sums {
  userId: string;
  balance: number | null;
  entries: number;
  granted: number;
  charged: number;
  inDays: number;
  total: number;
  lines: number;
  newest: number;
  broken: number;
  totalGranted: number;
}

/**
 * Sums each user's entries, including rolled-up ones, checks each against its predecessor, and compares the sums with
 * the balances and daily charges.
 */
const CHECK = `
  WITH steps AS (
    SELECT l.user_id, l.amount_credits AS amount, 1 AS lines, l.entry AS newest, l.id AS newest_id,
      CASE WHEN l.kind = 'granted' THEN l.amount_credits ELSE 0 END AS granted,
      CASE WHEN l.kind = 'charged' THEN l.amount_credits ELSE 0 END AS charged,
      CASE WHEN l.balance_after_credits <> coalesce(p.balance_after_credits, r.balance_after_credits, 0) + l.amount_credits
        OR l.entry <> coalesce(p.entry, r.last_entry, 0) + 1 OR coalesce(p.user_id, r.user_id, l.user_id) <> l.user_id
        THEN 1 ELSE 0 END AS broken
    FROM ledger l LEFT JOIN ledger p ON p.id = l.previous LEFT JOIN rolled_ledger r ON r.last_id = l.previous
    UNION ALL
    SELECT o.user_id, o.granted_credits + o.charged_credits, o.last_entry - o.first_entry + 1, o.last_entry, o.last_id,
      o.granted_credits, o.charged_credits,
      CASE WHEN o.balance_after_credits <> coalesce(p.balance_after_credits, r.balance_after_credits, 0) + o.granted_credits + o.charged_credits
        OR o.first_entry <> coalesce(p.entry, r.last_entry, 0) + 1 OR coalesce(p.user_id, r.user_id, o.user_id) <> o.user_id
        THEN 1 ELSE 0 END
    FROM rolled_ledger o LEFT JOIN ledger p ON p.id = o.previous LEFT JOIN rolled_ledger r ON r.last_id = o.previous
  ), sums AS (
    SELECT user_id, CAST(sum(amount) AS bigint) AS total, CAST(sum(lines) AS bigint) AS lines, max(newest) AS newest,
      max(newest_id) AS newest_id, CAST(sum(granted) AS bigint) AS granted, CAST(sum(charged) AS bigint) AS charged,
      CAST(sum(broken) AS bigint) AS broken
    FROM steps GROUP BY user_id
  ), days AS (
    SELECT user_id, CAST(sum(credits) AS bigint) AS credits FROM charged_days GROUP BY user_id
  )
  SELECT * FROM (
    SELECT coalesce(b.user_id, l.user_id) AS "userId", b.balance_credits AS balance, b.entries AS entries,
      b.granted_credits AS granted, b.day_credits + coalesce(d.credits, 0) AS "inDays", -coalesce(l.charged, 0) AS charged,
      coalesce(l.total, 0) AS total, coalesce(l.lines, 0) AS lines, coalesce(l.newest, 0) AS newest,
      coalesce(l.broken, 0) + CASE WHEN b.newest_entry IS DISTINCT FROM l.newest_id THEN 1 ELSE 0 END AS broken, coalesce(l.granted, 0) AS "totalGranted"
    FROM balances b FULL OUTER JOIN sums l ON l.user_id = b.user_id LEFT JOIN days d ON d.user_id = b.user_id
  ) AS compared
  WHERE balance IS NULL OR balance <> total OR entries <> lines OR newest <> lines OR broken > 0
    OR granted <> "totalGranted" OR "inDays" <> charged
  ORDER BY "userId"`;

function problemOf(sums: Sums): string {
  const { balance, entries, total, lines, newest, broken } = sums;
  if (balance === null) return `${lines} ledger entries but no balance`;
  if (balance !== total) return `the balance is ${balance}, but the ledger adds up to ${total}`;
  if (entries !== lines || newest !== lines) {
    return `the balance counts ${entries} entries, the ledger has ${lines}, the last one numbered ${newest}`;
  }
  if (broken > 0) return `${broken} entries do not follow from their predecessors`;
  if (sums.granted !== sums.totalGranted) {
    return `the balance records ${sums.granted} added credits, the ledger ${sums.totalGranted}`;
  }
  return `daily charges add up to ${sums.inDays}, those in the ledger to ${sums.charged}`;
}
