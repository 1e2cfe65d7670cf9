/** Old ledger entries are rolled up: a line for each user and UTC day, with the sums and the range of entries that it replaces. */
import type { Runtime } from "../runtime.ts";
import { recordDeed, SERVER } from "../store/audit.ts";
import type { Store } from "../store/store.ts";
import { firstRow, result, type StoreDb, type Work } from "../store/work.ts";

const DAY_MS = 86_400_000;

/** Entries looked at in one transaction: a long ledger goes in steps that hold nobody up. */
const AT_A_TIME = 1000;

/** The first entry that is not old: what is written behind it may be older only where the clock was set back. */
const FIRST_KEPT = "SELECT id FROM ledger WHERE at_ms >= ? ORDER BY id LIMIT 1";
const LAST = "SELECT max(id) AS id FROM ledger";

/**
 * What may go of a range of ids: not the first credits, which hold "once", and not a user's newest entry, where the
 * chain begins.
 */
const OLD = `
  FROM ledger l WHERE l.id > ?1 AND l.id <= ?2 AND l.kind <> 'given'
    AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.user_id = l.user_id AND b.newest_entry = l.id)`;
const COUNT = `SELECT count(*) AS entries ${OLD}`;
const NEXT_ID =
  "SELECT max(id) AS id FROM (SELECT id FROM ledger WHERE id > ? AND id <= ? ORDER BY id LIMIT ?) AS page";
/** Neighbours by number, of one user and day, are one line. Ids grow with the numbers, so the last one has the largest. */
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
 * Rolls up what is older, whole UTC days only. Balances, sums and `credits check` are the same before and after; the
 * audit log says what was done.
 *
 * @returns how many entries went
 */
export async function rollUpLedger(
  store: Store,
  runtime: Pick<Runtime, "now">,
  olderThanMs: number,
): Promise<number> {
  const untilMs = Math.floor((runtime.now() - olderThanMs) / DAY_MS) * DAY_MS;
  const { until, entries } = await store.read(function* (db) {
    const kept = yield* idOf(db, FIRST_KEPT, untilMs);
    const last = kept === null ? ((yield* idOf(db, LAST)) ?? 0) : kept - 1;
    const found = yield* firstRow(db.rows<{ entries: number }>(COUNT, 0, last));
    return { until: last, entries: found?.entries ?? 0 };
  });
  if (entries === 0) return 0;
  const after = { entries, until: new Date(untilMs).toISOString() };
  await store.transact((tx) => recordDeed(tx, runtime.now(), SERVER, { act: "ledger_rolled_up", after }));
  const next = (from: number) => store.read((db) => idOf(db, NEXT_ID, from, until, AT_A_TIME));
  let from = 0;
  for (let to = await next(from); to !== null; to = await next(from)) {
    const range: [number, number] = [from, to];
    await store.transact(function* (tx) {
      yield* result(tx.rows(ROLL, ...range));
      yield* result(tx.rows(DELETE, ...range));
    });
    from = to;
  }
  return entries;
}

function* idOf(db: StoreDb, text: string, ...values: number[]): Work<number | null> {
  return (yield* firstRow(db.rows<{ id: number | null }>(text, ...values)))?.id ?? null;
}
