import { ServiceError } from "../errors.ts";

/** What a charge is for. */
export interface Charge {
  userId: string;
  /** Negative for a refund. */
  costCredits: number;
  operation: string;
  ticker: string | null;
  requestId: string;
  /** What it opens on pages, in the same transaction; nothing is charged for what is open already. */
  opens?: Opening;
}

/** What a user paid to open on pages; it stays free for that user until the dataset changes. */
export interface Opening {
  /** Content hash of the dataset. */
  dataset: string;
  /** Such as `history 0000320193`. */
  subject: string;
}

/** A durable charge. `remaining` is null for unmetered users. */
export interface Charged {
  charged: number;
  remaining: number | null;
}

/** A row of `balances`, with the names of its columns. */
export type BalanceRow = {
  balance_credits: number;
  entries: number;
  /** 1 or 0. */
  unmetered: number;
  newest_entry: number | null;
  day: number;
  day_credits: number;
  day_charges: number;
};

/** A row of `ledger` for a charge. */
export type ChargeEntry = {
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
};

/** Storage for balances and ledger entries, within the transaction of a commit. */
export interface ChargeStorage {
  /** Null for a user without a balance. */
  balanceOf(userId: string): BalanceRow | null;
  /** Greater than the ids of all the user's entries. */
  nextEntryId(): number;
  addEntry(entry: ChargeEntry): void;
  /** Adds to the charges of a completed day. */
  addToDay(userId: string, day: number, credits: number, charges: number): void;
  writeBalance(userId: string, row: BalanceRow): void;
  isOpen(userId: string, opening: Opening): boolean;
  /** Opens it, and closes what the user opened in other datasets. */
  open(userId: string, opening: Opening, atMs: number): void;
  close(userId: string, opening: Opening): void;
}

/** A charge in a commit: its outcome, and how to notify the caller. */
export interface PendingCharge {
  charge: Charge;
  outcome: Charged | ServiceError;
  /** Id of its ledger entry once written; 0 before, and if nothing was charged. */
  entry: number;
  resolve(charged: Charged): void;
  reject(error: unknown): void;
}

/** Commits charges in batches. */
export interface Charges {
  /**
   * Resolves the charge once durable. Rejects it with `payment_required` (decided inside the transaction, so that no
   * balance becomes negative) or `unavailable`, having charged nothing.
   */
  add(charge: PendingCharge): void;
}

/** A day in ms. */
export const DAY_MS = 86_400_000;

/** The balances changed by one transaction; each is read and written once, whatever the number of its entries. */
export class Books {
  private readonly rows = new Map<string, BalanceRow & { changed: boolean }>();
  private readonly day: number;

  constructor(
    private readonly storage: ChargeStorage,
    private readonly nowMs: number,
  ) {
    this.day = Math.floor(nowMs / DAY_MS);
  }

  /** Charges the user if the balance suffices, and sets the outcome. */
  decide(waiting: PendingCharge): void {
    const { userId, costCredits, opens } = waiting.charge;
    const { balance_credits: balance, unmetered } = this.of(userId);
    if (unmetered === 1) waiting.outcome = { charged: 0, remaining: null };
    else if (opens && this.storage.isOpen(userId, opens))
      waiting.outcome = { charged: 0, remaining: balance };
    else if (balance < costCredits) waiting.outcome = insufficientCredits(balance, costCredits);
    else {
      waiting.entry = this.enter(waiting.charge);
      if (opens) this.storage.open(userId, opens, this.nowMs);
      waiting.outcome = { charged: costCredits, remaining: balance - costCredits };
    }
  }

  /** Takes a charge back, and what it opened. */
  refund(charge: Charge): void {
    this.enter({ ...charge, costCredits: -charge.costCredits });
    if (charge.opens) this.storage.close(charge.userId, charge.opens);
  }

  /** Writes the entry of a charge, or of a refund if the cost is negative. @returns its id */
  private enter({ userId, costCredits, operation, ticker, requestId }: Charge): number {
    const row = this.of(userId);
    if (row.day !== this.day) this.closeDay(userId, row);
    const id = this.storage.nextEntryId();
    row.balance_credits -= costCredits;
    row.entries += 1;
    row.day_credits += costCredits;
    row.day_charges += costCredits < 0 ? -1 : 1;
    this.storage.addEntry({
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

  /** Writes the changed balances. */
  close(): void {
    for (const [userId, row] of this.rows) if (row.changed) this.storage.writeBalance(userId, row);
  }

  private of(userId: string): BalanceRow & { changed: boolean } {
    const known = this.rows.get(userId);
    if (known !== undefined) return known;
    const found = this.storage.balanceOf(userId) ?? NO_BALANCE;
    const row = { ...found, changed: false };
    this.rows.set(userId, row);
    return row;
  }

  private closeDay(userId: string, row: BalanceRow): void {
    if (row.day_charges !== 0 || row.day_credits !== 0) {
      this.storage.addToDay(userId, row.day, row.day_credits, row.day_charges);
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

/** The refusal of an answer that costs more than the balance. */
export function insufficientCredits(balance: number, cost: number): ServiceError {
  const left = balance === 1 ? "1 credit is left" : `${balance} credits are left`;
  return new ServiceError(
    "payment_required",
    `This answer costs ${cost} ${cost === 1 ? "credit" : "credits"} and ${left}. The latest fiscal year stays free.`,
    { credits: { balance, cost } },
  );
}
