import type { ReservedSQL } from "bun";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import type { PostgresStore } from "../store/postgres/store.ts";
import type { Mark } from "../store/postgres/transactions.ts";
import {
  type BalanceRow,
  Books,
  type ChargeEntry,
  type Charges,
  type PendingCharge,
  type Shelf,
} from "./books.ts";

/** Charges whose callers were told that nothing was charged, though their transaction may be in the store. */
interface Doubt {
  mark: Mark;
  batch: readonly PendingCharge[];
  /** Doubts from before that it puts right, where it is in the store. */
  settles: readonly Doubt[];
}

/** Charges in one transaction at most. */
const MAX_CHARGES = 1000;

// One parameter each, whatever there is of it: JSON, so that every batch is the same prepared statement.
const LOCK_BALANCES =
  "SELECT user_id, balance_credits, entries, unmetered, newest_entry, day, day_credits, day_charges FROM balances" +
  " WHERE user_id IN (SELECT json_array_elements_text($1::text::json)) ORDER BY user_id FOR UPDATE";
// Behind the locks: so ids grow with the entries of a user, whoever else writes.
const NEXT_IDS = "SELECT nextval('ledger_id_seq') FROM generate_series(1, $1::int)";
const INSERT_ENTRIES =
  "INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id)" +
  ' SELECT id, "userId", entry, previous, "atMs", \'charged\', "amountCredits", "balanceAfterCredits", operation, ticker, "requestId"' +
  ' FROM json_to_recordset($1::text::json) AS e(id bigint, "userId" text, entry bigint, previous bigint, "atMs" bigint,' +
  ' "amountCredits" bigint, "balanceAfterCredits" bigint, operation text, ticker text, "requestId" text)';
const WRITE_BALANCES =
  "UPDATE balances SET balance_credits = w.balance_credits, entries = w.entries, newest_entry = w.newest_entry, day = w.day," +
  " day_credits = w.day_credits, day_charges = w.day_charges FROM json_to_recordset($1::text::json) AS w(user_id text," +
  " balance_credits bigint, entries bigint, newest_entry bigint, day bigint, day_credits bigint, day_charges bigint)" +
  " WHERE balances.user_id = w.user_id";
const ADD_TO_DAYS =
  "INSERT INTO charged_days (user_id, day, credits, charges) SELECT * FROM json_to_recordset($1::text::json)" +
  " AS d(user_id text, day bigint, credits bigint, charges bigint) ON CONFLICT (user_id, day)" +
  " DO UPDATE SET credits = charged_days.credits + excluded.credits, charges = charged_days.charges + excluded.charges";

/**
 * Charges in PostgreSQL: what asks while a transaction runs shares the next one. Balances are locked in the order of their
 * users, so that any number of servers never take one below zero and never wait for each other in a circle.
 */
export class PostgresCharges implements Charges {
  private waiting: PendingCharge[] = [];
  private running = false;
  private doubts: Doubt[] = [];

  constructor(
    private readonly store: PostgresStore,
    private readonly runtime: Pick<Runtime, "now" | "monotonic">,
  ) {}

  add(charge: PendingCharge): void {
    this.waiting.push(charge);
    this.start();
  }

  private start(): void {
    if (this.running) return;
    this.running = true;
    // When the requests that arrived together have all asked.
    setImmediate(() => void this.runAll());
  }

  private async runAll(): Promise<void> {
    while (this.waiting.length > 0) await this.runBatch(this.waiting.splice(0, MAX_CHARGES));
    this.running = false;
  }

  private async runBatch(batch: readonly PendingCharge[]): Promise<void> {
    const startedMs = this.runtime.monotonic();
    let settles: readonly Doubt[] = [];
    try {
      await this.store.transaction(
        "READ COMMITTED",
        async (connection) => (settles = await this.write(connection, batch)),
        (mark) => this.doubts.push({ mark, batch, settles }),
      );
      this.doubts = this.doubts.filter((doubt) => !settles.includes(doubt));
      this.store.committed(batch.length, this.runtime.monotonic() - startedMs);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { outcome, resolve, reject } of batch) {
      if (outcome instanceof ServiceError) reject(outcome);
      else resolve(outcome);
    }
  }

  /** @returns the doubts that this transaction settles */
  private async write(connection: ReservedSQL, batch: readonly PendingCharge[]): Promise<readonly Doubt[]> {
    const decided = await this.decidedDoubts();
    const there = decided.filter(({ isThere }) => isThere).map(({ doubt }) => doubt);
    const settled = new Set(there.flatMap(({ settles }) => settles));
    const returned = there
      .filter((doubt) => !settled.has(doubt))
      .flatMap(({ batch: charged }) => charged.filter(({ entry }) => entry > 0).map(({ charge }) => charge));
    const users = [
      ...new Set([...returned, ...batch.map(({ charge }) => charge)].map(({ userId }) => userId)),
    ];
    const locked = connection.unsafe(LOCK_BALANCES, [JSON.stringify(users)]).execute();
    const numbered = connection
      .unsafe(NEXT_IDS, [batch.length + returned.length])
      .values()
      .execute();
    const [balances, ids]: [(BalanceRow & { user_id: string })[], unknown[][]] = await Promise.all([
      locked,
      numbered,
    ]);
    const page = new Page(balances, ids);
    const books = new Books(page, this.runtime.now());
    for (const charge of returned) books.enter({ ...charge, costCredits: -charge.costCredits });
    for (const waiting of batch) {
      waiting.entry = 0;
      books.decide(waiting);
    }
    books.close();
    await page.write(connection);
    return decided.map(({ doubt }) => doubt);
  }

  /** What is known by now of the transactions in doubt. */
  private async decidedDoubts(): Promise<readonly { doubt: Doubt; isThere: boolean }[]> {
    const found = await Promise.all(
      this.doubts.map(async (doubt) => ({ doubt, status: await this.store.statusOf(doubt.mark) })),
    );
    return found.flatMap(({ doubt, status }) =>
      status === "unknown" ? [] : [{ doubt, isThere: status === "committed" }],
    );
  }
}

/** What a batch reads and writes, each table in one statement. */
class Page implements Shelf {
  private readonly balances: ReadonlyMap<string, BalanceRow>;
  private readonly ids: number[];
  private readonly entries: ChargeEntry[] = [];
  private readonly days: { user_id: string; day: number; credits: number; charges: number }[] = [];
  private readonly changed: (BalanceRow & { user_id: string })[] = [];

  constructor(balances: readonly (BalanceRow & { user_id: string })[], ids: readonly unknown[][]) {
    this.balances = new Map(balances.map((row) => [row.user_id, numbersOf(row)]));
    this.ids = ids.map(([id]) => Number(id)).toSorted((a, b) => b - a);
  }

  balanceOf(userId: string): BalanceRow | null {
    return this.balances.get(userId) ?? null;
  }

  nextEntryId(): number {
    const id = this.ids.pop();
    if (id === undefined) throw new Error("more entries than charges");
    return id;
  }

  addEntry(entry: ChargeEntry): void {
    this.entries.push(entry);
  }

  addToDay(userId: string, day: number, credits: number, charges: number): void {
    this.days.push({ user_id: userId, day, credits, charges });
  }

  writeBalance(userId: string, row: BalanceRow): void {
    this.changed.push({ ...row, user_id: userId });
  }

  async write(connection: ReservedSQL): Promise<void> {
    const all: [string, readonly unknown[]][] = [
      [INSERT_ENTRIES, this.entries],
      [WRITE_BALANCES, this.changed],
      [ADD_TO_DAYS, this.days],
    ];
    const sent = all.filter(([, rows]) => rows.length > 0);
    await Promise.all(sent.map(([text, rows]) => connection.unsafe(text, [JSON.stringify(rows)]).execute()));
  }
}

/** PostgreSQL's bigint is JavaScript's, and everything here fits a number. */
function numbersOf(row: BalanceRow): BalanceRow {
  return {
    balance_credits: Number(row.balance_credits),
    entries: Number(row.entries),
    unmetered: Number(row.unmetered),
    newest_entry: row.newest_entry === null ? null : Number(row.newest_entry),
    day: Number(row.day),
    day_credits: Number(row.day_credits),
    day_charges: Number(row.day_charges),
  };
}
