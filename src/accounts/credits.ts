import type { Database } from "bun:sqlite";
import { and, asc, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { type Actor, OPERATOR, recordDeed } from "../store/audit.ts";
import { GenerationCache } from "../store/cache.ts";
import type { Store, StoreDb } from "../store/open.ts";
import { balances, ledger } from "../store/schema.ts";

/** Credits that every user is given once, at the first key or the first OAuth token. @see docs/contract.md, "Price" */
export const FIRST_CREDITS = 100;

/** What a charge is for. */
export interface Charge {
  userId: string;
  costCredits: number;
  operation: string;
  ticker: string | null;
  requestId: string;
}

/** A charge that is on disk. `remaining` is null for a user who is not metered. */
export interface Charged {
  charged: number;
  remaining: number | null;
}

/** A user's balance and what it is made of: `balance = given + granted - charged`. */
export interface CreditSummary {
  balance: number;
  given: number;
  granted: number;
  charged: number;
  unmetered: boolean;
}

/** A line of the ledger. */
export type LedgerEntry = typeof ledger.$inferSelect;

/** A user whose ledger does not add up, in words. */
export interface LedgerProblem {
  userId: string;
  problem: string;
}

/** Balances kept in memory at the same time. */
const MAX_CACHED_BALANCES = 10_000;

interface PendingCharge {
  charge: Charge;
  outcome: Charged | ServiceError;
  /** Number of its ledger entry once written; 0 before, and where nothing was charged. */
  entry: number;
  resolve(charged: Charged): void;
  reject(error: unknown): void;
}

interface BalanceRow {
  balance_credits: number;
  entries: number;
  unmetered: number;
}

// Raw and prepared: with drizzle's builder a charge costs 2.3 times as much.
const READ_BALANCE = "SELECT balance_credits, entries, unmetered FROM balances WHERE user_id = ?";
const FIND_FIRST_CREDITS = "SELECT 1 AS given FROM ledger WHERE user_id = ? AND kind = 'given'";
const WRITE_BALANCE = "UPDATE balances SET balance_credits = ?, entries = ? WHERE user_id = ?";
const INSERT_ENTRY =
  "INSERT INTO ledger (user_id, entry, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)" +
  " VALUES (?, ?, ?, 'charged', ?, ?, ?, ?, ?)";

/**
 * Balances and their ledger. Every change of a balance is a ledger entry in the same transaction, so that the two
 * add up at every moment.
 */
export class Credits {
  private waiting: PendingCharge[] = [];
  /** Charges whose commit failed: their callers were told that nothing was charged. */
  private inDoubt: PendingCharge[] = [];
  /** Balances as free answers tell them, until anything is committed: a quarter of what such a request costs. */
  private readonly unchanged = new GenerationCache<Charged>(MAX_CACHED_BALANCES);

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {
    store.onReopened({
      reconcile: (client) => this.takeBack(client),
      settled: () => void (this.inDoubt = []),
    });
  }

  /**
   * Charges with the one commit of this turn; resolves once it is on disk. A cost of 0 writes nothing and resolves
   * with the balance. Refuses with `payment_required` (decided inside the transaction: never below zero) or
   * `unavailable`; then nothing was charged.
   */
  charge(charge: Charge): Promise<Charged> {
    if (charge.costCredits === 0) return this.free(charge.userId);
    return new Promise((resolve, reject) => {
      const outcome: Charged = { charged: 0, remaining: null };
      if (this.waiting.push({ charge, outcome, entry: 0, resolve, reject }) === 1) this.joinCommit();
    });
  }

  /** What a user has, and what it is made of. A user without any entry has nothing. */
  summary(userId: string): CreditSummary {
    return this.store.read((db) => {
      const balance = db.select().from(balances).where(eq(balances.userId, userId)).get();
      const sums = db
        .select({ kind: ledger.kind, credits: sql<number>`sum(${ledger.amountCredits})` })
        .from(ledger)
        .where(eq(ledger.userId, userId))
        .groupBy(ledger.kind)
        .orderBy(asc(ledger.kind))
        .all();
      const of = (kind: LedgerEntry["kind"]) => sums.find((sum) => sum.kind === kind)?.credits ?? 0;
      return {
        balance: balance?.balanceCredits ?? 0,
        given: of("given"),
        granted: of("granted"),
        charged: 0 - of("charged"),
        unmetered: balance?.unmetered ?? false,
      };
    });
  }

  /** What a user can spend, and whether the first credits were given. Unlike `summary` it does not add up the ledger. */
  balance(userId: string): { balance: number; unmetered: boolean; given: boolean } {
    return this.store.read(() => {
      const row = this.store.query<BalanceRow, [string]>(READ_BALANCE).get(userId);
      const given = this.store.query<{ given: number }, [string]>(FIND_FIRST_CREDITS).get(userId) !== null;
      return { balance: row?.balance_credits ?? 0, unmetered: row?.unmetered === 1, given };
    });
  }

  /**
   * A user's entries, the newest first.
   * @param options.before only entries with a smaller number
   */
  entries(userId: string, options: { limit: number; before?: number }): readonly LedgerEntry[] {
    const { limit, before } = options;
    const older = before === undefined ? undefined : lt(ledger.entry, before);
    return this.store.read((db) =>
      db
        .select()
        .from(ledger)
        .where(and(eq(ledger.userId, userId), older))
        .orderBy(desc(ledger.entry))
        .limit(limit)
        .all(),
    );
  }

  /** Credits charged and answers charged for by UTC day (`2026-06-01`), oldest first; days without any are left out. */
  chargedByDay(
    userId: string,
    sinceMs: number,
  ): readonly { day: string; credits: number; charges: number }[] {
    const day = sql<string>`date(${ledger.atMs} / 1000, 'unixepoch')`;
    const credits = sql<number>`-sum(${ledger.amountCredits})`;
    return this.store.read((db) =>
      db
        .select({ day, credits, charges: sql<number>`count(*)` })
        .from(ledger)
        .where(and(eq(ledger.userId, userId), eq(ledger.kind, "charged"), gte(ledger.atMs, sinceMs)))
        .groupBy(day)
        .orderBy(asc(day))
        .all(),
    );
  }

  /**
   * The operator adds credits, or takes some back with a negative amount. Resolves with the balance after.
   * Refuses with `invalid_parameter` when the balance would fall below zero.
   */
  grant(userId: string, amountCredits: number, actor: Actor = OPERATOR): Promise<number> {
    return this.store.transact((tx) => {
      const nowMs = this.runtime.now();
      const balance = appendEntry(tx, userId, "granted", amountCredits, nowMs);
      if (balance !== null) {
        const before = { balance: balance - amountCredits };
        const after = { balance, amount: amountCredits };
        recordDeed(tx, nowMs, actor, { act: "credits_granted", userId, before, after });
        return balance;
      }
      throw new ServiceError(
        "invalid_parameter",
        `Cannot add ${amountCredits} credits: the balance would be negative.`,
      );
    });
  }

  /** Sets whether a user is charged at all. */
  setUnmetered(userId: string, unmetered: boolean, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact((tx) => {
      openBalance(tx, userId);
      const before = tx.select().from(balances).where(eq(balances.userId, userId)).get();
      recordDeed(tx, this.runtime.now(), actor, {
        act: unmetered ? "user_unmetered" : "user_metered",
        userId,
        before: { unmetered: before?.unmetered ?? false },
        after: { unmetered },
      });
      tx.update(balances).set({ unmetered }).where(eq(balances.userId, userId)).run();
    });
  }

  /** Every user whose balance and ledger do not add up, entry by entry; empty when all is well. */
  problems(): readonly LedgerProblem[] {
    return this.store.read(() =>
      this.store
        .query<Sums, []>(CHECK)
        .all()
        .map((sums) => ({ userId: sums.userId, problem: problemOf(sums) })),
    );
  }

  private async free(userId: string): Promise<Charged> {
    const known = this.unchanged.get(userId, this.store.generation());
    if (known !== undefined) return known;
    const now = this.store.read((): Charged => {
      const row = this.store.query<BalanceRow, [string]>(READ_BALANCE).get(userId);
      return { charged: 0, remaining: row?.unmetered === 1 ? null : (row?.balance_credits ?? 0) };
    });
    this.unchanged.set(userId, now);
    return now;
  }

  private joinCommit(): void {
    let batch: readonly PendingCharge[] | undefined;
    const takeBatch = () => {
      const taken = this.waiting;
      this.waiting = [];
      return taken;
    };
    this.store.joinCommit({
      write: () => this.writeAll((batch = takeBatch())),
      settled: (error, isInDoubt) => {
        if (isInDoubt) this.inDoubt.push(...(batch ?? []).filter(({ entry }) => entry > 0));
        // Nobody has taken it yet when the transaction could not even begin.
        for (const { charge, outcome, resolve, reject } of batch ?? takeBatch()) {
          if (error !== null) reject(error);
          else if (outcome instanceof ServiceError) reject(outcome);
          else {
            // `join` drops no caches: what free answers tell of this user has changed.
            this.unchanged.set(charge.userId, { charged: 0, remaining: outcome.remaining });
            resolve(outcome);
          }
        }
      },
    });
  }

  /**
   * Of the charges in doubt, each that turned up in the ledger gets an entry that takes it back: the same request with
   * the amount returned. One that has it already, or that never turned up, is left alone.
   */
  private takeBack(client: Database): void {
    const find = client.query("SELECT 1 FROM ledger WHERE user_id = ? AND entry = ? AND request_id = ?");
    const findReturn = client.query(
      "SELECT 1 FROM ledger WHERE user_id = ? AND entry > ? AND request_id = ?",
    );
    for (const { charge, entry } of this.inDoubt) {
      const { userId, costCredits, operation, ticker, requestId } = charge;
      const isCharged = find.get(userId, entry, requestId) !== null;
      if (!isCharged || findReturn.get(userId, entry, requestId) !== null) continue;
      const row = client.query<BalanceRow, [string]>(READ_BALANCE).get(userId);
      if (row === null) continue;
      const balance = row.balance_credits + costCredits;
      client
        .query(INSERT_ENTRY)
        .run(userId, row.entries + 1, this.runtime.now(), costCredits, balance, operation, ticker, requestId);
      client.query(WRITE_BALANCE).run(balance, row.entries + 1, userId);
    }
  }

  /** One read and one write of the balance a user, one ledger entry a charge. */
  private writeAll(batch: readonly PendingCharge[]): void {
    const read = this.store.query<BalanceRow, [string]>(READ_BALANCE);
    const write = this.store.query<never, [number, number, string]>(WRITE_BALANCE);
    const insertEntry = this.store.query<
      never,
      [string, number, number, number, number, string, string | null, string]
    >(INSERT_ENTRY);
    const nowMs = this.runtime.now();
    const rows = new Map<string, BalanceRow & { changed: boolean }>();
    for (const waiting of batch) {
      const { userId, costCredits, operation, ticker, requestId } = waiting.charge;
      let row = rows.get(userId);
      if (row === undefined) {
        const found = read.get(userId) ?? { balance_credits: 0, entries: 0, unmetered: 0 };
        row = { ...found, changed: false };
        rows.set(userId, row);
      }
      if (row.unmetered === 1) {
        waiting.outcome = { charged: 0, remaining: null };
      } else if (row.balance_credits < costCredits) {
        waiting.outcome = insufficientCredits(row.balance_credits, costCredits);
      } else {
        row.balance_credits -= costCredits;
        row.entries += 1;
        row.changed = true;
        waiting.entry = row.entries;
        insertEntry.run(
          userId,
          row.entries,
          nowMs,
          -costCredits,
          row.balance_credits,
          operation,
          ticker,
          requestId,
        );
        waiting.outcome = { charged: costCredits, remaining: row.balance_credits };
      }
    }
    for (const [userId, row] of rows) if (row.changed) write.run(row.balance_credits, row.entries, userId);
  }
}

/**
 * Gives the first credits unless the user has had them. Call it in the transaction that makes the first key or the
 * first OAuth token; a unique index holds it to once.
 *
 * @returns whether they were given now
 */
export function giveFirstCredits(tx: StoreDb, userId: string, nowMs: number): boolean {
  const had = tx
    .select({ entry: ledger.entry })
    .from(ledger)
    .where(and(eq(ledger.userId, userId), eq(ledger.kind, "given")))
    .get();
  if (had !== undefined) return false;
  appendEntry(tx, userId, "given", FIRST_CREDITS, nowMs);
  return true;
}

function openBalance(tx: StoreDb, userId: string): void {
  tx.insert(balances)
    .values({ userId, balanceCredits: 0, entries: 0, unmetered: false })
    .onConflictDoNothing()
    .run();
}

/** @returns the balance after, null when it would fall below zero (then nothing is written) */
function appendEntry(
  tx: StoreDb,
  userId: string,
  kind: "given" | "granted",
  amountCredits: number,
  atMs: number,
): number | null {
  openBalance(tx, userId);
  const before = tx.select().from(balances).where(eq(balances.userId, userId)).get();
  const balanceCredits = (before?.balanceCredits ?? 0) + amountCredits;
  const entries = (before?.entries ?? 0) + 1;
  if (balanceCredits < 0) return null;
  tx.insert(ledger)
    .values({ userId, entry: entries, atMs, kind, amountCredits, balanceAfterCredits: balanceCredits })
    .run();
  tx.update(balances).set({ balanceCredits, entries }).where(eq(balances.userId, userId)).run();
  return balanceCredits;
}

function insufficientCredits(balance: number, cost: number): ServiceError {
  const left = balance === 1 ? "1 credit is left" : `${balance} credits are left`;
  return new ServiceError(
    "payment_required",
    `This answer costs ${cost} ${cost === 1 ? "credit" : "credits"} and ${left}. The latest fiscal year stays free.`,
    { credits: { balance, cost } },
  );
}

interface Sums {
  userId: string;
  balance: number | null;
  entries: number;
  total: number;
  lines: number;
  newest: number;
  broken: number;
}

const CHECK = `
  SELECT coalesce(b.user_id, l.user_id) AS userId, b.balance_credits AS balance, b.entries AS entries,
    coalesce(l.total, 0) AS total, coalesce(l.lines, 0) AS lines, coalesce(l.newest, 0) AS newest,
    coalesce(l.broken, 0) AS broken
  FROM balances b FULL OUTER JOIN (
    SELECT user_id, sum(amount_credits) AS total, count(*) AS lines, max(entry) AS newest,
      sum(balance_after_credits <> running) AS broken
    FROM (SELECT *, sum(amount_credits) OVER (PARTITION BY user_id ORDER BY entry) AS running FROM ledger)
    GROUP BY user_id
  ) l ON l.user_id = b.user_id
  WHERE b.user_id IS NULL OR b.balance_credits <> coalesce(l.total, 0) OR b.entries <> coalesce(l.lines, 0)
    OR coalesce(l.newest, 0) <> coalesce(l.lines, 0) OR coalesce(l.broken, 0) > 0
  ORDER BY userId`;

function problemOf({ balance, entries, total, lines, newest, broken }: Sums): string {
  if (balance === null) return `${lines} ledger entries but no balance`;
  if (balance !== total) return `the balance is ${balance}, but the ledger adds up to ${total}`;
  if (entries !== lines || newest !== lines) {
    return `${entries} entries were counted, ${lines} are in the ledger, the last one has number ${newest}`;
  }
  return `${broken} entries do not match the ones before`;
}
