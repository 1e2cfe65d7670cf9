/**
 * The ledger as a whole: checking it against the balances, rolling up old entries, and summing it by period. Plain SQL: millions of
 * entries in slices (`growth`), with window functions, which drizzle does not have.
 */
import type { Runtime } from "../runtime.ts";
import { recordAuditEvent, SERVER } from "../store/audit.ts";
import { firstRow, type Store, type StoreDb } from "../store/store.ts";
import { DAY_MS } from "../domain/fiscal-year.ts";

/** A user whose ledger is inconsistent, with a description. */
export interface LedgerProblem {
  userId: string;
  problem: string;
}

/** Users whose ledger is inconsistent; empty if none is. Each is compared at one moment, but not all at the same one. */
export async function ledgerProblems(db: StoreDb): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (let from = ""; ;) {
    const [last] = await db.rows<{ userId: string | null }>(LAST_OF_PAGE, from);
    const to = last?.userId ?? null;
    const found = await (to === null
      ? db.rows<Sums>(checkStatement("> ?1"), from)
      : db.rows<Sums>(checkStatement("> ?1", "<= ?2"), from, to));
    problems.push(...found.map((sums) => ({ userId: sums.userId, problem: problemOf(sums) })));
    if (to === null) return problems;
    from = to;
  }
}

/** The last user of a page of the check: some 50,000 entries, since PostgreSQL ends a statement after five seconds. */
const LAST_OF_PAGE = `
  SELECT max(user_id) AS "userId" FROM (
    SELECT user_id, sum(entries) OVER (ORDER BY user_id) - entries AS before
    FROM (SELECT user_id, entries FROM balances WHERE user_id > ?1 ORDER BY user_id LIMIT 1000) AS following
  ) AS page WHERE before < 50000`;

/** Entries before the last proven one that are checked again: those of transactions that were open at that time. */
const OVERLAP = 100_000;

/**
 * The same for recent entries only: each follows from its predecessor, and the balances of their users are those of
 * their newest entries. Also returns the newest entry, from which the next check can begin.
 *
 * @param since number of an entry up to which all has been checked; the newest one if there is no such entry
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
 * Sums the entries of each user of a page, including rolled-up ones, checks each against its predecessor, and compares the
 * sums with the balances and daily charges.
 */
function checkStatement(...bounds: readonly string[]): string {
  const within = bounds.map((bound) => `user_id ${bound}`).join(" AND ");
  return `
  WITH steps AS (
    SELECT l.user_id, l.amount_credits AS amount, 1 AS lines, l.entry AS newest, l.id AS newest_id,
      CASE WHEN l.kind = 'granted' THEN l.amount_credits ELSE 0 END AS granted,
      CASE WHEN l.kind = 'charged' THEN l.amount_credits ELSE 0 END AS charged,
      CASE WHEN l.balance_after_credits <> coalesce(p.balance_after_credits, r.balance_after_credits, 0) + l.amount_credits
        OR l.entry <> coalesce(p.entry, r.last_entry, 0) + 1 OR coalesce(p.user_id, r.user_id, l.user_id) <> l.user_id
        THEN 1 ELSE 0 END AS broken
    FROM (SELECT * FROM ledger WHERE ${within}) l LEFT JOIN ledger p ON p.id = l.previous LEFT JOIN rolled_ledger r ON r.last_id = l.previous
    UNION ALL
    SELECT o.user_id, o.granted_credits + o.charged_credits, o.last_entry - o.first_entry + 1, o.last_entry, o.last_id,
      o.granted_credits, o.charged_credits,
      CASE WHEN o.balance_after_credits <> coalesce(p.balance_after_credits, r.balance_after_credits, 0) + o.granted_credits + o.charged_credits
        OR o.first_entry <> coalesce(p.entry, r.last_entry, 0) + 1 OR coalesce(p.user_id, r.user_id, o.user_id) <> o.user_id
        THEN 1 ELSE 0 END
    FROM (SELECT * FROM rolled_ledger WHERE ${within}) o LEFT JOIN ledger p ON p.id = o.previous LEFT JOIN rolled_ledger r ON r.last_id = o.previous
  ), sums AS (
    SELECT user_id, CAST(sum(amount) AS bigint) AS total, CAST(sum(lines) AS bigint) AS lines, max(newest) AS newest,
      max(newest_id) AS newest_id, CAST(sum(granted) AS bigint) AS granted, CAST(sum(charged) AS bigint) AS charged,
      CAST(sum(broken) AS bigint) AS broken
    FROM steps GROUP BY user_id
  ), days AS (
    SELECT user_id, CAST(sum(credits) AS bigint) AS credits FROM charged_days WHERE ${within} GROUP BY user_id
  )
  SELECT * FROM (
    SELECT coalesce(b.user_id, l.user_id) AS "userId", b.balance_credits AS balance, b.entries AS entries,
      b.granted_credits AS granted, b.day_credits + coalesce(d.credits, 0) AS "inDays", -coalesce(l.charged, 0) AS charged,
      coalesce(l.total, 0) AS total, coalesce(l.lines, 0) AS lines, coalesce(l.newest, 0) AS newest,
      coalesce(l.broken, 0) + CASE WHEN b.newest_entry IS DISTINCT FROM l.newest_id THEN 1 ELSE 0 END AS broken, coalesce(l.granted, 0) AS "totalGranted"
    FROM (SELECT * FROM balances WHERE ${within}) b FULL OUTER JOIN sums l ON l.user_id = b.user_id LEFT JOIN days d ON d.user_id = b.user_id
  ) AS compared
  WHERE balance IS NULL OR balance <> total OR entries <> lines OR newest <> lines OR broken > 0
    OR granted <> "totalGranted" OR "inDays" <> charged
  ORDER BY "userId"`;
}

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

/**
 * Entries per transaction: some 30 ms in which nobody else commits to the embedded store, so each is followed by an
 * equal pause.
 */
const BATCH_SIZE = 2000;

/** A page of entries: its last id, and the first entry to keep. Later ones are older only if the clock was set back. */
const PAGE = `
  SELECT max(id) AS last, min(CASE WHEN at_ms >= ?3 THEN id END) AS "firstKept"
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
/**
 * The user's line of that day, if the entries continue it: a day has one line, however entries of users are
 * interleaved.
 */
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
 * For PostgreSQL, whose statistics may predate all lines: statements and triggers would then read all of them for
 * each entry.
 */
const BY_INDEX = "SELECT set_config('enable_seqscan', 'off', true)";

/**
 * Rolls up entries older than a given age, in whole UTC days. Balances and sums are unaffected; the
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
    // Reading the embedded store does not yield to the event loop.
    await Bun.sleep(0);
  }
  if (entries === 0) return 0;
  const after = { entries, until: new Date(untilMs).toISOString() };
  const event = { act: "ledger_rolled_up", after } as const;
  await store.transact((tx) => recordAuditEvent(tx, runtime.now(), SERVER, event));
  for (const range of ranges) {
    const startedMs = runtime.monotonic();
    await store.transact(async (tx) => {
      if (store.path === null) await tx.rows(BY_INDEX);
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
      firstRow(db.rows<{ last: number | null; firstKept: number | null }>(PAGE, from, batchSize, untilMs));
    const { last = null, firstKept = null } = (await store.read(read)) ?? {};
    if (last === null) return;
    const to = firstKept === null ? last : firstKept - 1;
    if (to > from) yield [from, to];
    if (firstKept !== null) return;
    from = last;
  }
}

/** Which charges to sum. */
export interface UsageQuestion {
  by: "day" | "month";
  userId: string | undefined;
  /** Whole UTC days. */
  sinceMs: number;
  /** Exclusive. */
  untilMs: number;
}

/** What a user was charged for an operation in a day or month. */
export interface UsageLine {
  userId: string;
  /** As in the ledger; null for entries that were rolled up. */
  operation: string | null;
  credits: number;
  uses: number;
}

/** A UTC day (`2026-11-22`) or month (`2026-11`) with charges. */
export interface UsagePeriod {
  period: string;
  lines: readonly UsageLine[];
  /** Whether older charges were left out. */
  isCut: boolean;
}

/** Entries read at once: some five milliseconds. */
const SLICE = 4000;
/** Entries read for a question at most. */
const MAX_ENTRIES = 1_000_000;

/** The newest entry or rolled-up line up to an id. */
const NEWEST = `
  SELECT id, day FROM (
    SELECT * FROM (SELECT id, at_ms / ${DAY_MS} AS day FROM ledger WHERE id <= ?1 ORDER BY id DESC LIMIT 1) AS entry
    UNION ALL
    SELECT * FROM (SELECT last_id, day FROM rolled_ledger WHERE last_id <= ?1 ORDER BY last_id DESC LIMIT 1) AS line
  ) AS newest ORDER BY id DESC LIMIT 1`;
const CHARGES = `
  SELECT user_id AS "userId", at_ms / ${DAY_MS} AS day, operation, -amount_credits AS credits,
    CASE WHEN amount_credits < 0 THEN 1 ELSE -1 END AS uses
  FROM ledger WHERE id > ?1 AND id <= ?2 AND kind = 'charged'
  UNION ALL SELECT user_id, day, NULL, -charged_credits, last_entry - first_entry + 1
  FROM rolled_ledger WHERE last_id > ?1 AND last_id <= ?2 AND charged_credits <> 0
  ORDER BY day DESC`;

type Charge = UsageLine & { day: number };

/** Charges by day or month, newest first. Ids follow time, so the entries of a period are contiguous. */
export async function* usageByPeriod(
  store: Store,
  { by, userId, sinceMs, untilMs }: UsageQuestion,
): AsyncGenerator<UsagePeriod> {
  const [sinceDay, untilDay] = [Math.floor(sinceMs / DAY_MS), Math.ceil(untilMs / DAY_MS)];
  let period = "";
  let lines = new Map<string, UsageLine>();
  let read = 0;
  for (let id = await lastBefore(store, untilDay); ;) {
    const newest = await newestOf(store, id);
    const isOver = newest === undefined || newest.day < sinceDay;
    if (isOver || read >= MAX_ENTRIES) {
      if (lines.size > 0) yield { period, lines: inOrder(lines), isCut: !isOver };
      return;
    }
    id = newest.id - SLICE;
    const charges = await store.rows<Charge>(CHARGES, id, newest.id);
    read += charges.length;
    for (const { day, ...charge } of charges) {
      if (day < sinceDay || day >= untilDay || (userId !== undefined && charge.userId !== userId)) continue;
      const its = new Date(day * DAY_MS).toISOString().slice(0, by === "day" ? 10 : 7);
      if (its !== period) {
        if (lines.size > 0) yield { period, lines: inOrder(lines), isCut: false };
        [period, lines] = [its, new Map()];
      }
      const key = `${charge.userId} ${charge.operation ?? ""}`;
      const line = lines.get(key);
      if (line === undefined) lines.set(key, charge);
      else {
        line.credits += charge.credits;
        line.uses += charge.uses;
      }
    }
    // Other requests are answered between two slices.
    await Bun.sleep(0);
  }
}

/** Most credits first; the stores return the entries of a day in different orders. */
function inOrder(lines: ReadonlyMap<string, UsageLine>): UsageLine[] {
  const sorted = [...lines].sort(
    ([a, { credits: ofA }], [b, { credits: ofB }]) => ofB - ofA || (a < b ? -1 : 1),
  );
  return sorted.map(([, line]) => line);
}

async function newestOf(store: Store, id: number): Promise<{ id: number; day: number } | undefined> {
  return (await store.rows<{ id: number; day: number }>(NEWEST, id))[0];
}

/** An id between the last entry before a day and the first one of it. */
async function lastBefore(store: Store, day: number): Promise<number> {
  const newest = await newestOf(store, Number.MAX_SAFE_INTEGER);
  let [before, after] = [0, newest?.id ?? 0];
  if (newest === undefined || newest.day < day) return after;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const found = await newestOf(store, middle);
    if (found === undefined || found.day < day) before = middle;
    else after = found.id;
  }
  return before;
}
