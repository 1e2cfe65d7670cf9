import type { Database, Statement } from "bun:sqlite";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import type { SqliteStore } from "../store/open.ts";
import {
  type BalanceRow,
  Books,
  type ChargeEntry,
  type Charges,
  type Opening,
  type PendingCharge,
  type ChargeStorage,
} from "./books.ts";

// Raw prepared SQL: with drizzle's builder, a charge takes 2.3 times as long.
const READ_BALANCE =
  "SELECT balance_credits, entries, unmetered, newest_entry, day, day_credits, day_charges FROM balances WHERE user_id = ?";
const WRITE_BALANCE =
  "UPDATE balances SET balance_credits = $balance_credits, entries = $entries, newest_entry = $newest_entry, day = $day," +
  " day_credits = $day_credits, day_charges = $day_charges WHERE user_id = $userId";
const ADD_TO_DAY =
  "INSERT INTO charged_days (user_id, day, credits, charges) VALUES (?, ?, ?, ?)" +
  " ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, charges = charges + excluded.charges";
const NEWEST_ENTRY = "SELECT coalesce(max(id), 0) AS id FROM ledger";
const INSERT_ENTRY =
  "INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)" +
  " VALUES ($id, $userId, $entry, $previous, $atMs, 'charged', $amountCredits, $balanceAfterCredits, $operation, $ticker, $requestId)";
const IS_OPEN = "SELECT 1 FROM page_openings WHERE user_id = ? AND dataset = ? AND subject = ?";
const OPEN = "INSERT INTO page_openings (user_id, dataset, subject, at_ms) VALUES (?, ?, ?, ?)";
const CLOSE = "DELETE FROM page_openings WHERE user_id = ? AND dataset = ? AND subject = ?";
const CLOSE_OTHERS = "DELETE FROM page_openings WHERE user_id = ? AND dataset <> ?";

/** Number of balances cached. */
const MAX_KEPT = 10_000;

/** Charges in the embedded store; those of one turn of the event loop share a commit. */
export class SqliteCharges implements Charges {
  private waiting: PendingCharge[] = [];
  /** Charges reported as failed because their commit failed, though it may be in the file. */
  private inDoubt: PendingCharge[] = [];
  private storage: CachedStorage | null = null;

  constructor(
    private readonly store: SqliteStore,
    private readonly runtime: Pick<Runtime, "now">,
  ) {
    store.onReopened({
      reconcile: (client) => this.refund(client),
      settled: () => void (this.inDoubt = []),
    });
  }

  add(charge: PendingCharge): void {
    if (this.waiting.push(charge) === 1) this.joinCommit();
  }

  private joinCommit(): void {
    let batch: readonly PendingCharge[] | undefined;
    const takeBatch = () => {
      const taken = this.waiting;
      this.waiting = [];
      return taken;
    };
    this.store.joinCommit({
      size: () => this.waiting.length,
      write: () => this.writeAll((batch = takeBatch())),
      settled: (error, isInDoubt) => {
        // The cached state may not be in the store.
        if (error !== null) this.storage = null;
        if (isInDoubt) this.inDoubt.push(...(batch ?? []).filter(({ entry }) => entry > 0));
        // Not taken yet if the transaction could not start.
        for (const { outcome, resolve, reject } of batch ?? takeBatch()) {
          if (error !== null) reject(error);
          else if (outcome instanceof ServiceError) reject(outcome);
          else resolve(outcome);
        }
      },
    });
  }

  /**
   * Refunds charges in doubt that are in the ledger, with an entry for the same request and the opposite amount. Leaves
   * those alone that were refunded already or never written.
   */
  private refund(client: Database): void {
    const find = client.query("SELECT 1 FROM ledger WHERE id = ? AND user_id = ? AND request_id = ?");
    const findRefund = client.query("SELECT 1 FROM ledger WHERE id > ? AND user_id = ? AND request_id = ?");
    this.storage = null;
    const books = new Books(new CachedStorage(client, -1), this.runtime.now());
    for (const { charge, entry } of this.inDoubt) {
      const isCharged = find.get(entry, charge.userId, charge.requestId) !== null;
      if (!isCharged || findRefund.get(entry, charge.userId, charge.requestId) !== null) continue;
      books.refund(charge);
    }
    books.close();
  }

  private writeAll(batch: readonly PendingCharge[]): void {
    try {
      const books = new Books(this.currentStorage(), this.runtime.now());
      for (const waiting of batch) books.decide(waiting);
      books.close();
    } catch (error) {
      // Its writes are rolled back.
      this.storage = null;
      throw error;
    }
  }

  /** The previous commit's storage if only charges have been written since, else a new one. */
  private currentStorage(): CachedStorage {
    const { client } = this.store;
    const basis = this.store.writesBesideCharges();
    if (this.storage?.client === client && this.storage.basis === basis) return this.storage;
    return (this.storage = new CachedStorage(client, basis));
  }
}

/** Writes directly, and caches balances and the newest entry id. */
class CachedStorage implements ChargeStorage {
  private readonly balances = new Map<string, BalanceRow>();
  private newestEntry: number | null = null;
  private readonly insert: Statement<never, [ChargeEntry]>;
  private readonly update: Statement<never, [BalanceRow & { userId: string }]>;
  private readonly read: Statement<BalanceRow, [string]>;

  /** @param basis the value of `writesBesideCharges` it is based on */
  constructor(
    readonly client: Database,
    readonly basis: number,
  ) {
    this.insert = client.query(INSERT_ENTRY);
    this.update = client.query(WRITE_BALANCE);
    this.read = client.query(READ_BALANCE);
  }

  balanceOf(userId: string): BalanceRow | null {
    return this.balances.get(userId) ?? this.read.get(userId);
  }

  nextEntryId(): number {
    this.newestEntry ??= this.client.query<{ id: number }, []>(NEWEST_ENTRY).get()?.id ?? 0;
    return ++this.newestEntry;
  }

  addEntry(entry: ChargeEntry): void {
    this.insert.run(entry);
  }

  addToDay(userId: string, day: number, credits: number, charges: number): void {
    this.client.query(ADD_TO_DAY).run(userId, day, credits, charges);
  }

  writeBalance(userId: string, row: BalanceRow): void {
    this.update.run({ ...row, userId });
    if (this.balances.size >= MAX_KEPT) this.balances.clear();
    this.balances.set(userId, row);
  }

  isOpen(userId: string, { dataset, subject }: Opening): boolean {
    return this.client.query(IS_OPEN).get(userId, dataset, subject) !== null;
  }

  open(userId: string, { dataset, subject }: Opening, atMs: number): void {
    this.client.query(CLOSE_OTHERS).run(userId, dataset);
    this.client.query(OPEN).run(userId, dataset, subject, atMs);
  }

  close(userId: string, { dataset, subject }: Opening): void {
    this.client.query(CLOSE).run(userId, dataset, subject);
  }
}
