/** Rolls up old ledger entries: one row per user and UTC day, with the sums and the range of entries it replaces. */
import type { Runtime } from "../runtime.ts";
import { recordAuditEvent, SERVER } from "../store/audit.ts";
import { firstRow, type Store, type StoreDb } from "../store/store.ts";

const DAY_MS = 86_400_000;

/**
 * Entries per transaction: some 30 ms, in which nobody else commits to the embedded store, hence as long a pause after
 * each.
 */
const BATCH_SIZE = 2000;

/** A page of entries: its last id, and the first entry to keep. Later ones are older only if the clock was set back. */
const PAGE = `
  SELECT max(id) AS last, min(CASE WHEN at_ms >= ?3 THEN id END) AS kept
  FROM (SELECT id, at_ms FROM ledger WHERE id > ?1 ORDER BY id LIMIT ?2) AS page`;

/**
 * Which entries of an id range may be removed: not the first credits, whose entry ensures they are given once, and not
 * a user's newest entry, where the chain starts.
 */
const OLD = `
  FROM ledger l WHERE l.id > ?1 AND l.id <= ?2 AND l.kind <> 'given'
    AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.user_id = l.user_id AND b.newest_entry = l.id)`;
const COUNT = `SELECT count(*) AS entries ${OLD}`;
/**
 * Consecutive entries of one user and day become one row. Ids increase with entry numbers, so the last
 * entry has the largest id.
 */
const LINES = `
  SELECT lines.*, final.balance_after_credits FROM (
    SELECT user_id, min(entry) AS first_entry, max(entry) AS last_entry, max(id) AS last_id,
      CASE WHEN min(entry) = 1 THEN NULL ELSE min(previous) END AS previous, day,
      coalesce(sum(amount_credits) FILTER (WHERE kind = 'granted'), 0) AS granted_credits,
      coalesce(sum(amount_credits) FILTER (WHERE kind = 'charged'), 0) AS charged_credits
    FROM (
    SELECT l.*, l.at_ms / ${DAY_MS} AS day,
      l.entry - row_number() OVER (PARTITION BY l.user_id, l.at_ms / ${DAY_MS} ORDER BY l.entry) AS island
    ${OLD}
    ) AS passed GROUP BY user_id, day, island
  ) AS lines JOIN ledger AS final ON final.id = lines.last_id`;
/** The user's line of that day, if the entries follow it: whatever their order among other users', a day has one line. */
const EXTEND = `
  UPDATE rolled_ledger AS r SET last_entry = n.last_entry, last_id = n.last_id,
    granted_credits = r.granted_credits + n.granted_credits, charged_credits = r.charged_credits + n.charged_credits,
    balance_after_credits = n.balance_after_credits
  FROM (${LINES}) AS n WHERE r.last_id = n.previous AND r.user_id = n.user_id AND r.day = n.day`;
const ROLL = `
  INSERT INTO rolled_ledger (user_id, first_entry, last_entry, last_id, previous, day, granted_credits, charged_credits, balance_after_credits)
  SELECT * FROM (${LINES}) AS n WHERE NOT EXISTS (SELECT 1 FROM rolled_ledger r WHERE r.last_id = n.last_id)`;
const DELETE = `DELETE FROM ledger WHERE id IN (SELECT l.id ${OLD})`;

/**
 * Rolls up entries older than a given age, in whole UTC days. Balances, sums and `credits check` are unaffected; the
 * audit log records it.
 *
 * @returns the number of entries rolled up
 */
export async function rollUpLedger(
  store: Store,
  runtime: Pick<Runtime, "now" | "monotonic">,
  olderThanMs: number,
  batchSize = BATCH_SIZE,
): Promise<number> {
  const untilMs = Math.floor((runtime.now() - olderThanMs) / DAY_MS) * DAY_MS;
  const ranges: [number, number][] = [];
  let entries = 0;
  for await (const range of pagesUntil(store, untilMs, batchSize)) {
    const found = await store.read((db) => firstRow(db.rows<{ entries: number }>(COUNT, ...range)));
    entries += found?.entries ?? 0;
    if ((found?.entries ?? 0) > 0) ranges.push(range);
    // A read of the embedded store takes no turn of the event loop by itself.
    await Bun.sleep(0);
  }
  if (entries === 0) return 0;
  const after = { entries, until: new Date(untilMs).toISOString() };
  const event = { act: "ledger_rolled_up", after } as const;
  await store.transact((tx) => recordAuditEvent(tx, runtime.now(), SERVER, event));
  for (const range of ranges) {
    const startedMs = runtime.monotonic();
    await store.transact(async (tx) => {
      await tx.rows(EXTEND, ...range);
      await tx.rows(ROLL, ...range);
      await tx.rows(DELETE, ...range);
    });
    await Bun.sleep(runtime.monotonic() - startedMs);
  }
  return entries;
}

/** Ranges of ids (after, up to) with at most a batch of entries each, before the first entry to keep. */
async function* pagesUntil(
  store: Store,
  untilMs: number,
  batchSize: number,
): AsyncGenerator<[number, number]> {
  for (let from = 0; ;) {
    const read = (db: StoreDb) =>
      firstRow(db.rows<{ last: number | null; kept: number | null }>(PAGE, from, batchSize, untilMs));
    const { last = null, kept = null } = (await store.read(read)) ?? {};
    if (last === null) return;
    const to = kept === null ? last : kept - 1;
    if (to > from) yield [from, to];
    if (kept !== null) return;
    from = last;
  }
}
