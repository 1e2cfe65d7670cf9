/** Rolls up old ledger entries: one row per user and UTC day, with the sums and the range of entries it replaces. */
import type { Runtime } from "../runtime.ts";
import { recordAuditEvent, SERVER } from "../store/audit.ts";
import type { Store } from "../store/store.ts";
import { firstRow, type StoreDb } from "../store/work.ts";

const DAY_MS = 86_400_000;

/** Entries processed per transaction, so that a long ledger does not block others. */
const BATCH_SIZE = 1000;

/** The first entry to keep. Later entries can be older only if the clock was set back. */
const FIRST_KEPT = "SELECT id FROM ledger WHERE at_ms >= ? ORDER BY id LIMIT 1";
const LAST = "SELECT max(id) AS id FROM ledger";

/**
 * Which entries of an id range may be removed: not the first credits, whose entry ensures they are given once, and not
 * a user's newest entry, where the chain starts.
 */
const OLD = `
  FROM ledger l WHERE l.id > ?1 AND l.id <= ?2 AND l.kind <> 'given'
    AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.user_id = l.user_id AND b.newest_entry = l.id)`;
const COUNT = `SELECT count(*) AS entries ${OLD}`;
const NEXT_ID =
  "SELECT max(id) AS id FROM (SELECT id FROM ledger WHERE id > ? AND id <= ? ORDER BY id LIMIT ?) AS page";
/**
 * Consecutive entries of one user and day become one row. Ids increase with entry numbers, so the last
 * entry has the largest id.
 */
const ROLL = `
  INSERT INTO rolled_ledger (user_id, first_entry, last_entry, last_id, previous, day, granted_credits, charged_credits, balance_after_credits)
  SELECT lines.*, final.balance_after_credits FROM (
    SELECT user_id, min(entry), max(entry), max(id) AS last_id, CASE WHEN min(entry) = 1 THEN NULL ELSE min(previous) END, day,
      coalesce(sum(amount_credits) FILTER (WHERE kind = 'granted'), 0),
      coalesce(sum(amount_credits) FILTER (WHERE kind = 'charged'), 0)
    FROM (
    SELECT l.*, l.at_ms / ${DAY_MS} AS day,
      l.entry - row_number() OVER (PARTITION BY l.user_id, l.at_ms / ${DAY_MS} ORDER BY l.entry) AS island
    ${OLD}
    ) AS passed GROUP BY user_id, day, island
  ) AS lines JOIN ledger AS final ON final.id = lines.last_id`;
const DELETE = `DELETE FROM ledger WHERE id IN (SELECT l.id ${OLD})`;

/**
 * Rolls up entries older than a given age, in whole UTC days. Balances, sums and `credits check` are unaffected; the
 * audit log records it.
 *
 * @returns the number of entries rolled up
 */
export async function rollUpLedger(
  store: Store,
  runtime: Pick<Runtime, "now">,
  olderThanMs: number,
): Promise<number> {
  const untilMs = Math.floor((runtime.now() - olderThanMs) / DAY_MS) * DAY_MS;
  const { until, entries } = await store.read(async (db) => {
    const kept = await idOf(db, FIRST_KEPT, untilMs);
    const last = kept === null ? ((await idOf(db, LAST)) ?? 0) : kept - 1;
    const found = await firstRow(db.rows<{ entries: number }>(COUNT, 0, last));
    return { until: last, entries: found?.entries ?? 0 };
  });
  if (entries === 0) return 0;
  const after = { entries, until: new Date(untilMs).toISOString() };
  const event = { act: "ledger_rolled_up", after } as const;
  await store.transact((tx) => recordAuditEvent(tx, runtime.now(), SERVER, event));
  const next = (from: number) => store.read((db) => idOf(db, NEXT_ID, from, until, BATCH_SIZE));
  let from = 0;
  for (let to = await next(from); to !== null; to = await next(from)) {
    const range: [number, number] = [from, to];
    await store.transact(async (tx) => {
      await tx.rows(ROLL, ...range);
      await tx.rows(DELETE, ...range);
    });
    from = to;
  }
  return entries;
}

async function idOf(db: StoreDb, text: string, ...values: number[]): Promise<number | null> {
  return (await firstRow(db.rows<{ id: number | null }>(text, ...values)))?.id ?? null;
}
