import { and, eq } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { invalid } from "../errors.ts";
import { type Actor, OPERATOR, recordAuditEvent } from "../store/audit.ts";
import { firstRow, GenerationCache, type Store, type StoreDb } from "../store/store.ts";
import type { SqliteStore } from "../store/open.ts";
import { balances, ledger, pageOpenings } from "../store/schema.ts";
import { type Charge, type Charged, type Charges } from "./charges.ts";
import { DAY_MS } from "../domain/fiscal-year.ts";
import {
  type LedgerProblem,
  ledgerProblems,
  recentLedgerProblems,
  rollUpLedger,
  usageByPeriod,
  type UsagePeriod,
  type UsageQuestion,
} from "./ledger.ts";
import { SqliteCharges } from "./sqlite-charges.ts";

/** Credits given once to each user, with the first key or OAuth token. @see docs/contract.md, "Price" */
export const FIRST_CREDITS = 100;

/** A user's balance and its components: `balance = given + granted - charged`. */
export interface CreditSummary {
  balance: number;
  given: number;
  granted: number;
  charged: number;
  unmetered: boolean;
}

/** A ledger entry, or a day's entries rolled up into one. */
export interface LedgerEntry extends Omit<typeof ledger.$inferSelect, "kind"> {
  kind: (typeof ledger.$inferSelect)["kind"] | "rolled";
  /** Number of the first entry it covers; its own if not rolled up. */
  firstEntry: number;
}

/** Called for each durable charge. */
export type OnCharged = (operation: string, credits: number) => void;

/** Number of balances cached. */
const MAX_CACHED_BALANCES = 10_000;

// Plain SQL: free answers run the first statement on their hot path (`keyed` in `bench rows`), and drizzle has no recursion.
const READ_BALANCE = "SELECT balance_credits, unmetered FROM balances WHERE user_id = ?";
const READ_SPENDABLE =
  "SELECT balance_credits, unmetered, newest_entry, granted_credits," +
  " (SELECT count(*) FROM ledger WHERE user_id = b.user_id AND kind = 'given') AS given" +
  " FROM balances b WHERE user_id = ?";
const CHARGED_BY_DAY = `
  SELECT day, CAST(sum(credits) AS bigint) AS credits, CAST(sum(charges) AS bigint) AS charges FROM (
    SELECT day, credits, charges FROM charged_days WHERE user_id = ?1
    UNION ALL SELECT day, day_credits, day_charges FROM balances WHERE user_id = ?1 AND day_charges <> 0
  ) AS days WHERE day >= ?2 GROUP BY day ORDER BY day`;
/** A user's entries from one backwards, following `previous`. */
const ENTRIES_FROM = `
  WITH RECURSIVE chain AS (
    SELECT * FROM ledger WHERE id = ? AND user_id = ?
    UNION ALL SELECT l.* FROM chain c JOIN ledger l ON l.id = c.previous
  )
  SELECT id, user_id AS "userId", entry, entry AS "firstEntry", previous, at_ms AS "atMs", kind,
    amount_credits AS "amountCredits", balance_after_credits AS "balanceAfterCredits", operation, ticker,
    request_id AS "requestId"
  FROM chain LIMIT ?`;
/** The same for rolled-up entries. */
const ROLLED_FROM = `
  WITH RECURSIVE chain AS (
    SELECT * FROM rolled_ledger WHERE last_id = ? AND user_id = ?
    UNION ALL SELECT r.* FROM chain c JOIN rolled_ledger r ON r.last_id = c.previous
  )
  SELECT last_id AS id, user_id AS "userId", last_entry AS entry, first_entry AS "firstEntry", previous,
    day * ${DAY_MS} AS "atMs", 'rolled' AS kind, granted_credits + charged_credits AS "amountCredits",
    balance_after_credits AS "balanceAfterCredits", NULL AS operation, NULL AS ticker, NULL AS "requestId"
  FROM chain LIMIT ?`;

interface Spendable {
  balance_credits: number;
  unmetered: number;
  newest_entry: number | null;
  granted_credits: number;
  /** 1 once the first credits have been given. */
  given: number;
}

/**
 * Balances and their ledger. Every change of a balance writes a ledger entry in the same transaction,
 * so the two always agree.
 */
export class Credits {
  /**
   * Balances for free answers, cached until the next commit; reading one takes a quarter of the time of such a request.
   */
  private readonly unchanged = new GenerationCache<Charged>(MAX_CACHED_BALANCES);

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "monotonic">,
    private readonly charges: Charges,
    private readonly onCharged: OnCharged = () => {},
  ) {}

  /**
   * Charges in the next commit; resolves once durable. A cost of 0 writes nothing and returns the balance. Refuses with `payment_required` (decided inside the transaction, so that no balance becomes negative)
   * or `unavailable`, having charged nothing.
   */
  async charge(charge: Charge): Promise<Charged> {
    const { userId } = charge;
    if (charge.costCredits === 0) return this.free(userId);
    return new Promise((resolve, reject) => {
      const done = (charged: Charged) => {
        // Charges do not invalidate caches, so update this user's cached balance.
        this.unchanged.keep(userId, { charged: 0, remaining: charged.remaining });
        if (charged.charged > 0) this.onCharged(charge.operation, charged.charged);
        resolve(charged);
      };
      this.charges.add({ charge, outcome: NOT_YET, entry: 0, resolve: done, reject });
    });
  }

  /** What the user has opened in a dataset. @param dataset content hash */
  async opened(userId: string, dataset: string): Promise<string[]> {
    const { subject, atMs } = pageOpenings;
    const found = await this.store.read((db) =>
      db
        .select({ subject })
        .from(pageOpenings)
        .where(and(eq(pageOpenings.userId, userId), eq(pageOpenings.dataset, dataset)))
        .orderBy(atMs, subject),
    );
    return found.map((one) => one.subject);
  }

  /** A user's balance and its components; all 0 for a user without entries. */
  async summary(userId: string): Promise<CreditSummary> {
    const row = await this.store.read((db) => readSpendable(db, userId));
    const { balance_credits: balance = 0, granted_credits: granted = 0, unmetered = 0 } = row ?? {};
    const given = (row?.given ?? 0) > 0 ? FIRST_CREDITS : 0;
    return { balance, given, granted, charged: given + granted - balance, unmetered: unmetered === 1 };
  }

  /**
   * A user's entries, newest first, followed by rolled-up ones.
   * @param options.from id of the entry to start with; by default the newest
   */
  entries(userId: string, options: { limit: number; from?: number }): Promise<readonly LedgerEntry[]> {
    return this.store.read(async (db) => {
      const newest = (await readSpendable(db, userId))?.newest_entry;
      const found: LedgerEntry[] = [];
      for (let from = options.from ?? newest ?? null; from !== null && found.length < options.limit;) {
        const some = await entriesFrom(db, from, userId, options.limit - found.length);
        if (some.length === 0) break;
        found.push(...some);
        from = some.at(-1)?.previous ?? null;
      }
      return found;
    });
  }

  /**
   * Rolls up entries older than a given age, in whole UTC days. Does not change any sums.
   * @returns the number of entries rolled up
   */
  rollUp(olderThanMs: number): Promise<number> {
    return rollUpLedger(this.store, this.runtime, olderThanMs);
  }

  /** Credits charged and number of charges by UTC day (`2026-06-01`), oldest first, without days that have none. */
  chargedByDay(
    userId: string,
    sinceMs: number,
  ): Promise<readonly { day: string; credits: number; charges: number }[]> {
    return this.store.read(async (db) => {
      type Day = { day: number; credits: number; charges: number };
      const days = await db.rows<Day>(CHARGED_BY_DAY, userId, Math.floor(sinceMs / DAY_MS));
      return days.map((row) => ({ ...row, day: new Date(row.day * DAY_MS).toISOString().slice(0, 10) }));
    });
  }

  /**
   * Adds credits, or removes them with a negative amount. Resolves with the new balance. Refuses with
   * `invalid_parameter` if the balance would become negative.
   */
  grant(userId: string, amountCredits: number, actor: Actor = OPERATOR): Promise<number> {
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const balance = await appendEntry(tx, userId, "granted", amountCredits, nowMs);
      if (balance !== null) {
        const before = { balance: balance - amountCredits };
        const after = { balance, amount: amountCredits };
        await recordAuditEvent(tx, nowMs, actor, { act: "credits_granted", userId, before, after });
        return balance;
      }
      throw invalid(`Cannot add ${amountCredits} credits: the balance would be negative.`);
    });
  }

  /** Gives the free credits on request; once per user, as with the first key. @returns whether they were given */
  giveFirst(userId: string, actor: Actor): Promise<boolean> {
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      if (!(await giveFirstCredits(tx, userId, nowMs))) return false;
      const after = { amount: FIRST_CREDITS };
      await recordAuditEvent(tx, nowMs, actor, { act: "credits_given", userId, after });
      return true;
    });
  }

  /** Charges of all users, or of one, by day or month, newest first. */
  usage(question: UsageQuestion): AsyncGenerator<UsagePeriod> {
    return usageByPeriod(this.store, question);
  }

  /** Sets whether a user is exempt from charges. */
  setUnmetered(userId: string, unmetered: boolean, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact(async (tx) => {
      const before = await tx.select().from(balances).where(eq(balances.userId, userId)).get();
      await recordAuditEvent(tx, this.runtime.now(), actor, {
        act: unmetered ? "user_unmetered" : "user_metered",
        userId,
        before: { unmetered: before?.unmetered ?? false },
        after: { unmetered },
      });
      await writeUnmetered(tx, userId, unmetered);
    });
  }

  /** Users whose balance does not match their ledger; empty if all do. */
  problems(): Promise<readonly LedgerProblem[]> {
    return this.store.read(ledgerProblems);
  }

  /** The same among entries after one, and some before it; and the newest entry. */
  recentProblems(since: number): ReturnType<typeof recentLedgerProblems> {
    return this.store.read((db) => recentLedgerProblems(db, since));
  }

  private async free(userId: string): Promise<Charged> {
    const generation = this.store.generation();
    const cached = this.unchanged.get(userId, generation);
    if (cached !== undefined) return cached;
    type Balance = Pick<Spendable, "balance_credits" | "unmetered">;
    const [row] = await this.store.rows<Balance>(READ_BALANCE, userId);
    const now = { charged: 0, remaining: row?.unmetered === 1 ? null : (row?.balance_credits ?? 0) };
    this.unchanged.set(userId, now, generation);
    return now;
  }
}

/** Placeholder until a charge is decided. */
const NOT_YET: Charged = Object.freeze({ charged: 0, remaining: null });

/** Credits in the embedded store. */
export function sqliteCredits(
  store: SqliteStore,
  runtime: Pick<Runtime, "now" | "monotonic">,
  onCharged?: OnCharged,
): Credits {
  return new Credits(store, runtime, new SqliteCharges(store, runtime), onCharged);
}

async function readSpendable(db: StoreDb, userId: string): Promise<Spendable | undefined> {
  return await firstRow(db.rows<Spendable>(READ_SPENDABLE, userId));
}

async function entriesFrom(
  db: StoreDb,
  id: number,
  userId: string,
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const entries = await db.rows<LedgerEntry>(ENTRIES_FROM, id, userId, limit);
  return entries.length > 0 ? entries : await db.rows<LedgerEntry>(ROLLED_FROM, id, userId, limit);
}

/**
 * Gives the first credits unless the user has received them. Call it in the transaction that creates a key or an OAuth
 * token; a unique index enforces that it happens once.
 *
 * @returns whether they were given
 */
export async function giveFirstCredits(tx: StoreDb, userId: string, nowMs: number): Promise<boolean> {
  const first = and(eq(ledger.userId, userId), eq(ledger.kind, "given"));
  const earlier = await tx.select({ entry: ledger.entry }).from(ledger).where(first).get();
  if (earlier !== undefined) return false;
  await appendEntry(tx, userId, "given", FIRST_CREDITS, nowMs);
  return true;
}

async function openBalance(tx: StoreDb, userId: string): Promise<void> {
  const none = { userId, balanceCredits: 0, entries: 0, unmetered: false };
  await tx.insert(balances).values(none).onConflictDoNothing().run();
}

/** Whether a user is charged. Inside a transaction, which records it. */
export async function writeUnmetered(tx: StoreDb, userId: string, unmetered: boolean): Promise<void> {
  await openBalance(tx, userId);
  await tx.update(balances).set({ unmetered }).where(eq(balances.userId, userId)).run();
}

/** Changes a balance, with its entry. Inside a transaction. @returns the new balance; null if it would be negative, with nothing written */
export async function appendEntry(
  tx: StoreDb,
  userId: string,
  kind: "given" | "granted",
  amountCredits: number,
  atMs: number,
): Promise<number | null> {
  await openBalance(tx, userId);
  const before = await tx.select().from(balances).where(eq(balances.userId, userId)).get();
  const balanceCredits = (before?.balanceCredits ?? 0) + amountCredits;
  const entries = (before?.entries ?? 0) + 1;
  if (balanceCredits < 0) return null;
  const previous = before?.newestEntry ?? null;
  const entry = { userId, entry: entries, previous, atMs, kind, amountCredits };
  const written = await tx
    .insert(ledger)
    .values({ ...entry, balanceAfterCredits: balanceCredits })
    .returning({ newestEntry: ledger.id })
    .get();
  const grantedCredits = (before?.grantedCredits ?? 0) + (kind === "granted" ? amountCredits : 0);
  const after = { balanceCredits, entries, grantedCredits, ...written };
  await tx.update(balances).set(after).where(eq(balances.userId, userId)).run();
  return balanceCredits;
}
