import { ServiceError } from "../errors.ts";

/** What a charge is for. */
export interface Charge {
  userId: string;
  /** Negative for one that is taken back. */
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

/** A row of `balances`, as its columns are called. */
export interface BalanceRow {
  balance_credits: number;
  entries: number;
  /** 1 or 0. */
  unmetered: number;
  newest_entry: number | null;
  day: number;
  day_credits: number;
  day_charges: number;
}

/** A row of `ledger` that a charge makes. */
export interface ChargeEntry {
  id: number;
  userId: string;
  /** 1, 2, 3, … for each user. */
  entry: number;
  previous: number | null;
  atMs: number;
  amountCredits: number;
  balanceAfterCredits: number;
  operation: string;
  ticker: string | null;
  requestId: string;
}

/** Where books are read from and written to, in the transaction of a commit. */
export interface Shelf {
  /** Null for a user who has none. */
  balanceOf(userId: string): BalanceRow | null;
  /** Larger than every id that an entry of the same user has. */
  nextEntryId(): number;
  addEntry(entry: ChargeEntry): void;
  /** Adds what was charged on a day that is over to what stands there. */
  addToDay(userId: string, day: number, credits: number, charges: number): void;
  writeBalance(userId: string, row: BalanceRow): void;
}

/** Charges of one commit: each with what it came to, and who is told. */
export interface PendingCharge {
  charge: Charge;
  outcome: Charged | ServiceError;
  /** Id of its ledger entry once written; 0 before, and where nothing was charged. */
  entry: number;
  resolve(charged: Charged): void;
  reject(error: unknown): void;
}

/** Charges that share commits. */
export interface Charges {
  /**
   * Resolves it once it is on disk. Rejects it with `payment_required` (decided inside the transaction: never below zero) or
   * `unavailable`; then nothing was charged.
   */
  add(charge: PendingCharge): void;
}

/** A UTC day in ms. */
export const DAY_MS = 86_400_000;

/** The balances that one transaction changes: each is read once and written once, however many entries it gets. */
export class Books {
  private readonly rows = new Map<string, BalanceRow & { changed: boolean }>();
  private readonly day: number;

  constructor(
    private readonly shelf: Shelf,
    private readonly nowMs: number,
  ) {
    this.day = Math.floor(nowMs / DAY_MS);
  }

  /** Charges where there is enough, and writes down what it came to. */
  decide(waiting: PendingCharge): void {
    const { userId, costCredits } = waiting.charge;
    const { balance_credits: balance, unmetered } = this.of(userId);
    if (unmetered === 1) waiting.outcome = { charged: 0, remaining: null };
    else if (balance < costCredits) waiting.outcome = insufficientCredits(balance, costCredits);
    else {
      waiting.entry = this.enter(waiting.charge);
      waiting.outcome = { charged: costCredits, remaining: balance - costCredits };
    }
  }

  /** Writes the entry of a charge, or of one taken back where the cost is negative. @returns its id */
  enter({ userId, costCredits, operation, ticker, requestId }: Charge): number {
    const row = this.of(userId);
    if (row.day !== this.day) this.closeDay(userId, row);
    const id = this.shelf.nextEntryId();
    row.balance_credits -= costCredits;
    row.entries += 1;
    row.day_credits += costCredits;
    row.day_charges += costCredits < 0 ? -1 : 1;
    this.shelf.addEntry({
      id,
      userId,
      entry: row.entries,
      previous: row.newest_entry,
      atMs: this.nowMs,
      amountCredits: -costCredits,
      balanceAfterCredits: row.balance_credits,
      operation,
      ticker,
      requestId,
    });
    row.newest_entry = id;
    row.changed = true;
    return id;
  }

  /** Writes the balances that changed. */
  close(): void {
    for (const [userId, row] of this.rows) if (row.changed) this.shelf.writeBalance(userId, row);
  }

  private of(userId: string): BalanceRow & { changed: boolean } {
    const known = this.rows.get(userId);
    if (known !== undefined) return known;
    const found = this.shelf.balanceOf(userId) ?? NO_BALANCE;
    const row = { ...found, changed: false };
    this.rows.set(userId, row);
    return row;
  }

  private closeDay(userId: string, row: BalanceRow): void {
    if (row.day_charges !== 0 || row.day_credits !== 0) {
      this.shelf.addToDay(userId, row.day, row.day_credits, row.day_charges);
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

function insufficientCredits(balance: number, cost: number): ServiceError {
  const left = balance === 1 ? "1 credit is left" : `${balance} credits are left`;
  return new ServiceError(
    "payment_required",
    `This answer costs ${cost} ${cost === 1 ? "credit" : "credits"} and ${left}. The latest fiscal year stays free.`,
    { credits: { balance, cost } },
  );
}
