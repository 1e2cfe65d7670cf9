import type { Database, Statement } from "bun:sqlite";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import type { SqliteStore } from "../store/open.ts";
import {
  type BalanceRow,
  Books,
  type ChargeEntry,
  type Charges,
  type PendingCharge,
  type Shelf,
} from "./books.ts";

// Raw and prepared: with drizzle's builder a charge costs 2.3 times as much.
const READ_BALANCE =
  "SELECT balance_credits, entries, unmetered, newest_entry, day, day_credits, day_charges FROM balances WHERE user_id = ?";
const WRITE_BALANCE =
  "UPDATE balances SET balance_credits = ?, entries = ?, newest_entry = ?, day = ?, day_credits = ?, day_charges = ? WHERE user_id = ?";
const ADD_TO_DAY =
  "INSERT INTO charged_days (user_id, day, credits, charges) VALUES (?, ?, ?, ?)" +
  " ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, charges = charges + excluded.charges";
const NEWEST_ENTRY = "SELECT coalesce(max(id), 0) AS id FROM ledger";
const INSERT_ENTRY =
  "INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)" +
  " VALUES (?, ?, ?, ?, ?, 'charged', ?, ?, ?, ?, ?)";

/** Balances kept in memory at the same time. */
const MAX_KEPT = 10_000;

/** Charges that go to disk with the one commit of their turn. */
export class SqliteCharges implements Charges {
  private waiting: PendingCharge[] = [];
  /** Charges whose commit failed: their callers were told that nothing was charged. */
  private inDoubt: PendingCharge[] = [];
  private shelf: KeptShelf | null = null;

  constructor(
    private readonly store: SqliteStore,
    private readonly runtime: Pick<Runtime, "now">,
  ) {
    store.onReopened({
      reconcile: (client) => this.takeBack(client),
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
        // What is kept may not be in the store.
        if (error !== null) this.shelf = null;
        if (isInDoubt) this.inDoubt.push(...(batch ?? []).filter(({ entry }) => entry > 0));
        // Nobody has taken it yet when the transaction could not even begin.
        for (const { outcome, resolve, reject } of batch ?? takeBatch()) {
          if (error !== null) reject(error);
          else if (outcome instanceof ServiceError) reject(outcome);
          else resolve(outcome);
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
    this.shelf = null;
    const books = new Books(new KeptShelf(client, -1), this.runtime.now());
    for (const { charge, entry } of this.inDoubt) {
      const isCharged = find.get(entry, charge.userId, charge.requestId) !== null;
      if (!isCharged || findReturn.get(entry, charge.userId, charge.requestId) !== null) continue;
      books.enter({ ...charge, costCredits: -charge.costCredits });
    }
    books.close();
  }

  private writeAll(batch: readonly PendingCharge[]): void {
    try {
      const books = new Books(this.currentShelf(), this.runtime.now());
      for (const waiting of batch) books.decide(waiting);
      books.close();
    } catch (error) {
      // What it wrote is undone.
      this.shelf = null;
      throw error;
    }
  }

  /** The shelf of the commit before where nothing but charges has been written since, else one that knows nothing. */
  private currentShelf(): KeptShelf {
    const { client } = this.store;
    const basis = this.store.writesBesideCharges();
    if (this.shelf?.client === client && this.shelf.basis === basis) return this.shelf;
    return (this.shelf = new KeptShelf(client, basis));
  }
}

/** Writes at once, and keeps what was read and written: balances, and the newest entry of the ledger. */
class KeptShelf implements Shelf {
  private readonly balances = new Map<string, BalanceRow>();
  private newestEntry: number | null = null;
  private readonly insert: Statement;
  private readonly update: Statement;
  private readonly read: Statement<BalanceRow, [string]>;

  /** @param basis what it was made on, as `writesBesideCharges` says it */
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
    this.insert.run(
      entry.id,
      entry.userId,
      entry.entry,
      entry.previous,
      entry.atMs,
      entry.amountCredits,
      entry.balanceAfterCredits,
      entry.operation,
      entry.ticker,
      entry.requestId,
    );
  }

  addToDay(userId: string, day: number, credits: number, charges: number): void {
    this.client.query(ADD_TO_DAY).run(userId, day, credits, charges);
  }

  writeBalance(userId: string, row: BalanceRow): void {
    this.update.run(
      row.balance_credits,
      row.entries,
      row.newest_entry,
      row.day,
      row.day_credits,
      row.day_charges,
      userId,
    );
    if (this.balances.size >= MAX_KEPT) this.balances.clear();
    this.balances.set(userId, row);
  }
}
