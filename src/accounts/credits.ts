import type { Database } from "bun:sqlite";
import { and, eq } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { type Actor, OPERATOR, recordDeed } from "../store/audit.ts";
import { GenerationCache } from "../store/cache.ts";
import type { Store, StoreDb } from "../store/open.ts";
import { balances, ledger } from "../store/schema.ts";
import { type LedgerProblem, ledgerProblems } from "./ledger-check.ts";
import { rollUpLedger } from "./ledger-retention.ts";

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

/** A line of the ledger: an entry, or the entries of a day that were rolled up into one. */
export interface LedgerEntry extends Omit<typeof ledger.$inferSelect, "kind"> {
  kind: (typeof ledger.$inferSelect)["kind"] | "rolled";
  /** The first of the entries that it stands for; its own number where it stands for itself. */
  firstEntry: number;
}

/** Balances kept in memory at the same time. */
const MAX_CACHED_BALANCES = 10_000;

interface PendingCharge {
  charge: Charge;
  outcome: Charged | ServiceError;
  /** Id of its ledger entry once written; 0 before, and where nothing was charged. */
  entry: number;
  resolve(charged: Charged): void;
  reject(error: unknown): void;
}

interface BalanceRow {
  balance_credits: number;
  entries: number;
  unmetered: number;
  newest_entry: number | null;
  day: number;
  day_credits: number;
  day_charges: number;
}

const DAY_MS = 86_400_000;

// Raw and prepared: with drizzle's builder a charge costs 2.3 times as much.
const READ_BALANCE =
  "SELECT balance_credits, entries, unmetered, newest_entry, day, day_credits, day_charges FROM balances WHERE user_id = ?";
const FIND_FIRST_CREDITS = "SELECT 1 AS given FROM ledger WHERE user_id = ? AND kind = 'given'";
const WRITE_BALANCE =
  "UPDATE balances SET balance_credits = ?, entries = ?, newest_entry = ?, day = ?, day_credits = ?, day_charges = ? WHERE user_id = ?";
const CLOSE_DAY =
  "INSERT INTO charged_days (user_id, day, credits, charges) VALUES (?, ?, ?, ?)" +
  " ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, charges = charges + excluded.charges";
const NEWEST_ENTRY = "SELECT coalesce(max(id), 0) AS id FROM ledger";
const INSERT_ENTRY =
  "INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)" +
  " VALUES (?, ?, ?, ?, ?, 'charged', ?, ?, ?, ?, ?)";
const CHARGED_BY_DAY = `
  SELECT date(day * 86400, 'unixepoch') AS day, sum(credits) AS credits, sum(charges) AS charges FROM (
    SELECT day, credits, charges FROM charged_days WHERE user_id = ?
    UNION ALL SELECT day, day_credits, day_charges FROM balances WHERE user_id = ? AND day_charges <> 0
  ) WHERE day >= ? GROUP BY 1 ORDER BY 1`;
/** A user's entries from one of them backwards, by the way that each leads to the one before. */
const ENTRIES_FROM = `
  WITH RECURSIVE chain AS (
    SELECT * FROM ledger WHERE id = ? AND user_id = ?
    UNION ALL SELECT l.* FROM chain c JOIN ledger l ON l.id = c.previous
  )
  SELECT id, user_id AS userId, entry, entry AS firstEntry, previous, at_ms AS atMs, kind, amount_credits AS amountCredits,
    balance_after_credits AS balanceAfterCredits, operation, ticker, request_id AS requestId
  FROM chain LIMIT ?`;
/** The same over what was rolled up. */
const ROLLED_FROM = `
  WITH RECURSIVE chain AS (
    SELECT * FROM rolled_ledger WHERE last_id = ? AND user_id = ?
    UNION ALL SELECT r.* FROM chain c JOIN rolled_ledger r ON r.last_id = c.previous
  )
  SELECT last_id AS id, user_id AS userId, last_entry AS entry, first_entry AS firstEntry, previous,
    day * ${DAY_MS} AS atMs, 'rolled' AS kind, granted_credits + charged_credits AS amountCredits,
    balance_after_credits AS balanceAfterCredits, NULL AS operation, NULL AS ticker, NULL AS requestId
  FROM chain LIMIT ?`;

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
   * Charges with the one commit of this turn; resolves once it is on disk. A cost of 0 writes nothing and is answered
   * with the balance at once. Refuses with `payment_required` (decided inside the transaction: never below zero) or
   * `unavailable`; then nothing was charged.
   */
  charge(charge: Charge): Charged | Promise<Charged> {
    if (charge.costCredits === 0) return this.free(charge.userId);
    return new Promise((resolve, reject) => {
      const outcome: Charged = { charged: 0, remaining: null };
      if (this.waiting.push({ charge, outcome, entry: 0, resolve, reject }) === 1) this.joinCommit();
    });
  }

  /** What a user has, and what it is made of. A user without any entry has nothing. */
  summary(userId: string): CreditSummary {
    return this.store.read((db) => {
      const row = db.select().from(balances).where(eq(balances.userId, userId)).get();
      const { balanceCredits: balance = 0, grantedCredits: granted = 0, unmetered = false } = row ?? {};
      const hadFirst = this.store.query<{ given: number }, [string]>(FIND_FIRST_CREDITS).get(userId) !== null;
      const given = hadFirst ? FIRST_CREDITS : 0;
      return { balance, given, granted, charged: given + granted - balance, unmetered };
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
   * A user's entries, the newest first; behind them those that were rolled up.
   * @param options.from id of the user's entry to begin with; its newest where none is named
   */
  entries(userId: string, options: { limit: number; from?: number }): readonly LedgerEntry[] {
    return this.store.read(() => {
      const newest = this.store.query<BalanceRow, [string]>(READ_BALANCE).get(userId)?.newest_entry;
      const found: LedgerEntry[] = [];
      for (let from = options.from ?? newest ?? null; from !== null && found.length < options.limit;) {
        const some = this.entriesFrom(from, userId, options.limit - found.length);
        if (some.length === 0) break;
        found.push(...some);
        from = some.at(-1)?.previous ?? null;
      }
      return found;
    });
  }

  /**
   * Rolls up entries that are older, whole UTC days only: nothing that adds up changes.
   * @returns how many entries went
   */
  rollUp(olderThanMs: number): Promise<number> {
    return rollUpLedger(this.store, this.runtime, olderThanMs);
  }

  private entriesFrom(id: number, userId: string, limit: number): readonly LedgerEntry[] {
    type Walk = [number, string, number];
    const entries = this.store.query<LedgerEntry, Walk>(ENTRIES_FROM).all(id, userId, limit);
    return entries.length > 0
      ? entries
      : this.store.query<LedgerEntry, Walk>(ROLLED_FROM).all(id, userId, limit);
  }

  /** Credits charged and answers charged for by UTC day (`2026-06-01`), oldest first; days without any are left out. */
  chargedByDay(
    userId: string,
    sinceMs: number,
  ): readonly { day: string; credits: number; charges: number }[] {
    return this.store.read(() =>
      this.store
        .query<{ day: string; credits: number; charges: number }, [string, string, number]>(CHARGED_BY_DAY)
        .all(userId, userId, Math.floor(sinceMs / DAY_MS)),
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
    return this.store.read(() => ledgerProblems(this.store));
  }

  private free(userId: string): Charged {
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
    const find = client.query("SELECT 1 FROM ledger WHERE id = ? AND user_id = ? AND request_id = ?");
    const findReturn = client.query("SELECT 1 FROM ledger WHERE id > ? AND user_id = ? AND request_id = ?");
    const books = new Books(client, this.runtime.now());
    for (const { charge, entry } of this.inDoubt) {
      const isCharged = find.get(entry, charge.userId, charge.requestId) !== null;
      if (!isCharged || findReturn.get(entry, charge.userId, charge.requestId) !== null) continue;
      books.enter({ ...charge, costCredits: -charge.costCredits });
    }
    books.close();
  }

  private writeAll(batch: readonly PendingCharge[]): void {
    const books = new Books(this.store.client, this.runtime.now());
    for (const waiting of batch) {
      const { userId, costCredits } = waiting.charge;
      const { balance_credits: balance, unmetered } = books.of(userId);
      if (unmetered === 1) waiting.outcome = { charged: 0, remaining: null };
      else if (balance < costCredits) waiting.outcome = insufficientCredits(balance, costCredits);
      else {
        waiting.entry = books.enter(waiting.charge);
        waiting.outcome = { charged: costCredits, remaining: balance - costCredits };
      }
    }
    books.close();
  }
}

/** The balances that one transaction changes: each is read once and written once, however many entries it gets. */
class Books {
  private readonly rows = new Map<string, BalanceRow & { changed: boolean }>();
  private readonly day: number;
  private newest: number | null = null;

  constructor(
    private readonly client: Database,
    private readonly nowMs: number,
  ) {
    this.day = Math.floor(nowMs / DAY_MS);
  }

  of(userId: string): BalanceRow & { changed: boolean } {
    const known = this.rows.get(userId);
    if (known !== undefined) return known;
    const found = this.client.query<BalanceRow, [string]>(READ_BALANCE).get(userId) ?? NO_BALANCE;
    const row = { ...found, changed: false };
    this.rows.set(userId, row);
    return row;
  }

  /** Writes the entry of a charge, or of one taken back where the cost is negative. @returns its id */
  enter({ userId, costCredits, operation, ticker, requestId }: Charge): number {
    const row = this.of(userId);
    if (row.day !== this.day) this.closeDay(userId, row);
    this.newest ??= this.client.query<{ id: number }, []>(NEWEST_ENTRY).get()?.id ?? 0;
    const id = ++this.newest;
    row.balance_credits -= costCredits;
    row.entries += 1;
    row.day_credits += costCredits;
    row.day_charges += costCredits < 0 ? -1 : 1;
    this.client
      .query(INSERT_ENTRY)
      .run(
        id,
        userId,
        row.entries,
        row.newest_entry,
        this.nowMs,
        -costCredits,
        row.balance_credits,
        operation,
        ticker,
        requestId,
      );
    row.newest_entry = id;
    row.changed = true;
    return id;
  }

  close(): void {
    const write = this.client.query(WRITE_BALANCE);
    for (const [userId, row] of this.rows) {
      if (!row.changed) continue;
      const { balance_credits: balance, entries, newest_entry: newest, day, day_credits, day_charges } = row;
      write.run(balance, entries, newest, day, day_credits, day_charges, userId);
    }
  }

  private closeDay(userId: string, row: BalanceRow): void {
    if (row.day_charges !== 0 || row.day_credits !== 0) {
      this.client.query(CLOSE_DAY).run(userId, row.day, row.day_credits, row.day_charges);
    }
    row.day = this.day;
    row.day_credits = 0;
    row.day_charges = 0;
  }
}

const NO_BALANCE: BalanceRow = {
  balance_credits: 0,
  entries: 0,
  unmetered: 0,
  newest_entry: null,
  day: 0,
  day_credits: 0,
  day_charges: 0,
};

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
  const previous = before?.newestEntry ?? null;
  const written = tx
    .insert(ledger)
    .values({
      userId,
      entry: entries,
      previous,
      atMs,
      kind,
      amountCredits,
      balanceAfterCredits: balanceCredits,
    })
    .returning({ newestEntry: ledger.id })
    .get();
  const grantedCredits = (before?.grantedCredits ?? 0) + (kind === "granted" ? amountCredits : 0);
  tx.update(balances)
    .set({ balanceCredits, entries, grantedCredits, ...written })
    .where(eq(balances.userId, userId))
    .run();
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
