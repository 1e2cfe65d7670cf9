import { DAY_MS } from "../domain/fiscal-year.ts";
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
  opens?: PricedOpening;
}

/** What a user has paid to open on pages; it stays free for that user until the dataset changes. */
export type Opening = {
  /** Content hash of the dataset. */
  dataset: string;
  /** Such as `history 0000320193`. */
  subject: string;
};

/** What a charge opens. */
export type PricedOpening = Opening & {
  /**
   * All that the user had open of the dataset when its price was found. Where anything else is open by now, on any server,
   * nothing is charged: it may be part of that. Null for a price that nothing else changes.
   */
  pricedBeside: readonly string[] | null;
};

/** A durable charge. `remaining` is null for unmetered users. */
export interface Charged {
  charged: number;
  remaining: number | null;
  /** Nothing was charged or opened: something else has been opened since its price was found. */
  isOutdated?: true;
}

/** A row of `balances`, with the names of its columns. */
export type BalanceRow = {
  user_id: string;
  balance_credits: number;
  entries: number;
  /** 1 or 0. */
  unmetered: number;
  newest_entry: number | null;
  day: number;
  day_credits: number;
  day_charges: number;
};

/** What a user has opened, is opening, or can no longer open. */
export type UserOpening = Opening & { userId: string };

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

/**
 * The charges of one transaction, for either store, computed from what it read about their users, and what it then
 * writes.
 * Each balance is read and written once, whatever the number of its entries.
 */
export class ChargeBatch {
  readonly entries: ChargeEntry[] = [];
  /** Charges to be added to those of completed days. */
  readonly days: { user_id: string; day: number; credits: number; charges: number }[] = [];
  /** To be removed, before what is `opened` is added and replaces what its users opened in other datasets. */
  readonly closed: UserOpening[] = [];
  readonly opened: (UserOpening & { atMs: number })[] = [];
  private readonly rows = new Map<string, BalanceRow>();
  private readonly changed = new Set<BalanceRow>();
  /** Subjects by user and dataset. */
  private readonly open = new Map<string, Set<string>>();
  private readonly day: number;

  /**
   * @param balances of the users, except those who have none
   * @param opened all that they have opened of the datasets of which the charges open something
   * @param nextId returns ids in ascending order, all greater than those of the users' entries
   */
  constructor(
    balances: Iterable<BalanceRow>,
    opened: Iterable<UserOpening>,
    private readonly nextId: () => number,
    private readonly nowMs: number,
  ) {
    for (const row of balances) this.rows.set(row.user_id, row);
    for (const { userId, dataset, subject } of opened) this.openOf(userId, dataset).add(subject);
    this.day = Math.floor(nowMs / DAY_MS);
  }

  /** The balances that have changed. */
  get balances(): readonly BalanceRow[] {
    return [...this.changed];
  }

  /** Charges the user if the balance suffices, and sets the outcome. */
  decide(waiting: PendingCharge): void {
    const { userId, costCredits, opens } = waiting.charge;
    const { balance_credits: balance, unmetered } = this.of(userId);
    const standing = this.standingOf(userId, opens);
    waiting.entry = 0;
    if (unmetered === 1) waiting.outcome = { charged: 0, remaining: null };
    else if (standing === "open") waiting.outcome = { charged: 0, remaining: balance };
    else if (standing === "outdated") waiting.outcome = { charged: 0, remaining: balance, isOutdated: true };
    else if (balance < costCredits) waiting.outcome = insufficientCredits(balance, costCredits);
    else {
      waiting.entry = this.enter(waiting.charge);
      waiting.outcome = { charged: costCredits, remaining: balance - costCredits };
      if (!opens) return;
      const { dataset, subject } = opens;
      this.openOf(userId, dataset).add(subject);
      this.opened.push({ userId, dataset, subject, atMs: this.nowMs });
    }
  }

  /** Reverses a charge, and closes what it opened. */
  refund(charge: Charge): void {
    this.enter({ ...charge, costCredits: -charge.costCredits });
    if (!charge.opens) return;
    const { dataset, subject } = charge.opens;
    this.openOf(charge.userId, dataset).delete(subject);
    this.closed.push({ userId: charge.userId, dataset, subject });
  }

  /** Adds the entry of a charge, or of a refund if the cost is negative. @returns its id */
  private enter({ userId, costCredits, operation, ticker, requestId }: Charge): number {
    const row = this.of(userId);
    if (row.day !== this.day) this.closeDay(row);
    const id = this.nextId();
    row.balance_credits -= costCredits;
    row.entries += 1;
    row.day_credits += costCredits;
    row.day_charges += costCredits < 0 ? -1 : 1;
    this.entries.push({
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
    this.changed.add(row);
    return id;
  }

  /** Where what a charge opens stands: open already, or priced before something else was opened. */
  private standingOf(userId: string, opens: PricedOpening | undefined): "open" | "outdated" | "closed" {
    if (opens === undefined) return "closed";
    const open = this.openOf(userId, opens.dataset);
    if (open.has(opens.subject)) return "open";
    const { pricedBeside } = opens;
    return pricedBeside === null || open.isSubsetOf(new Set(pricedBeside)) ? "closed" : "outdated";
  }

  /** Subjects of a dataset that a user has open. */
  private openOf(userId: string, dataset: string): Set<string> {
    return this.open.getOrInsertComputed(JSON.stringify([userId, dataset]), () => new Set());
  }

  private of(userId: string): BalanceRow {
    return this.rows.getOrInsertComputed(userId, () => ({ ...NO_BALANCE, user_id: userId }));
  }

  private closeDay(row: BalanceRow): void {
    const { user_id, day, day_credits: credits, day_charges: charges } = row;
    if (charges !== 0 || credits !== 0) this.days.push({ user_id, day, credits, charges });
    row.day = this.day;
    row.day_credits = 0;
    row.day_charges = 0;
  }
}

const NO_BALANCE: Omit<BalanceRow, "user_id"> = {
  balance_credits: 0,
  entries: 0,
  unmetered: 0,
  newest_entry: null,
  day: 0,
  day_credits: 0,
  day_charges: 0,
};

/** Reports the outcome to the callers of charges. @param error why their transaction failed; null once it is durable */
export function settle(charges: Iterable<PendingCharge>, error: unknown): void {
  for (const { outcome, resolve, reject } of charges) {
    if (error !== null) reject(error);
    else if (outcome instanceof ServiceError) reject(outcome);
    else resolve(outcome);
  }
}

/** The refusal of an answer that costs more than the balance. */
export function insufficientCredits(balance: number, cost: number): ServiceError {
  const left = balance === 1 ? "1 credit is left" : `${balance} credits are left`;
  return new ServiceError(
    "payment_required",
    `This answer costs ${cost} ${cost === 1 ? "credit" : "credits"} and ${left}. The latest fiscal year stays free.`,
    { credits: { balance, cost } },
  );
}
