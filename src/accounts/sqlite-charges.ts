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

/** Charges that go to disk with the one commit of their turn. */
export class SqliteCharges implements Charges {
  private waiting: PendingCharge[] = [];
  /** Charges whose commit failed: their callers were told that nothing was charged. */
  private inDoubt: PendingCharge[] = [];

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
      write: () => this.writeAll((batch = takeBatch())),
      settled: (error, isInDoubt) => {
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
    const books = new Books(shelfOf(client), this.runtime.now());
    for (const { charge, entry } of this.inDoubt) {
      const isCharged = find.get(entry, charge.userId, charge.requestId) !== null;
      if (!isCharged || findReturn.get(entry, charge.userId, charge.requestId) !== null) continue;
      books.enter({ ...charge, costCredits: -charge.costCredits });
    }
    books.close();
  }

  private writeAll(batch: readonly PendingCharge[]): void {
    const books = new Books(shelfOf(this.store.client), this.runtime.now());
    for (const waiting of batch) books.decide(waiting);
    books.close();
  }
}

/** Everything is written at once. */
function shelfOf(client: Database): Shelf {
  let newest: number | null = null;
  let insert: Statement | undefined;
  let write: Statement | undefined;
  return {
    balanceOf: (userId) => client.query<BalanceRow, [string]>(READ_BALANCE).get(userId),
    nextEntryId() {
      newest ??= client.query<{ id: number }, []>(NEWEST_ENTRY).get()?.id ?? 0;
      return ++newest;
    },
    addEntry(entry: ChargeEntry) {
      insert ??= client.query(INSERT_ENTRY);
      insert.run(
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
    },
    addToDay: (userId, day, credits, charges) =>
      void client.query(ADD_TO_DAY).run(userId, day, credits, charges),
    writeBalance(userId, row) {
      write ??= client.query(WRITE_BALANCE);
      write.run(
        row.balance_credits,
        row.entries,
        row.newest_entry,
        row.day,
        row.day_credits,
        row.day_charges,
        userId,
      );
    },
  };
}
