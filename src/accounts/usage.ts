/** Who used how many credits for what: the ledger in slices, so that other requests are answered in between. */
import type { Store } from "../store/store.ts";
import { DAY_MS } from "./books.ts";

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

/** What was charged, by day or month, newest first. Ids follow time, so the entries of a period are side by side. */
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
