import type { ReservedSQL } from "bun";
import { Credits, type OnCharged } from "../accounts/credits.ts";
import type { Runtime } from "../runtime.ts";
import { unavailable } from "../store/open.ts";
import { Delayed } from "../store/store.ts";
import { isLockTimeout } from "./connection.ts";
import type { PostgresStore } from "./postgres-store.ts";
import type { Mark, Prepared } from "./transactions.ts";
import {
  type BalanceRow,
  ChargeBatch,
  type Charge,
  type Charges,
  type PendingCharge,
  settle,
} from "../accounts/charges.ts";

/** Charges reported as failed whose transaction may have been committed. */
interface Doubt {
  mark: Mark;
  batch: readonly PendingCharge[];
  /** Earlier doubts that its transaction resolves, if it was committed. */
  settles: readonly Doubt[];
}

/** A doubt whose transaction's outcome is known. */
interface Decided {
  doubt: Doubt;
  isThere: boolean;
}

/** Maximum number of charges per transaction. */
const MAX_CHARGES = 1000;

/** How long a batch waits for the balances of all its users, in ms. */
const BATCH_LOCK_MS = 100;

/** How long a charge waits for a balance that another transaction holds, and how often it tries, in ms. */
const LOCKED_MS = 5000;
const LOCKED_PAUSE_MS = 100;

/** Credits in a PostgreSQL store. */
export function postgresCredits(
  store: PostgresStore,
  runtime: Pick<Runtime, "now" | "monotonic">,
  onCharged?: OnCharged,
): Credits {
  return new Credits(store, runtime, new PostgresCharges(store, runtime), onCharged);
}

/** Another transaction locks a balance of the batch for longer than a statement waits. */
class BalanceLocked extends Error {}

/** How long doubts wait for a charge that can resolve them in its transaction. */
const SETTLE_MS = 1000;

// Plain SQL, as in SQLite. One JSON parameter for any number of rows, so that all batches use the same prepared statements.
const LOCK_BALANCES =
  "SELECT user_id, balance_credits, entries, unmetered, newest_entry, day, day_credits, day_charges FROM balances" +
  " WHERE user_id IN (SELECT json_array_elements_text($1::text::json)) ORDER BY user_id FOR UPDATE";
const LIMIT_WAITING = "SELECT set_config('lock_timeout', $1::text, true)";
const LOCKED_BY_OTHERS =
  "SELECT user_id FROM balances WHERE user_id IN (SELECT json_array_elements_text($1::text::json)) AND user_id NOT IN" +
  " (SELECT user_id FROM balances WHERE user_id IN (SELECT json_array_elements_text($1::text::json)) FOR UPDATE SKIP LOCKED)";

/**
 * Runs after the locks, so that ids increase with a user's entries across all writers. Each is the first of a thousand.
 * Also returns the transaction's id, and an id for its mark.
 */
const NEXT_IDS =
  "SELECT nextval('ledger_id_seq'), pg_current_xact_id()::text, gen_random_uuid()::text FROM generate_series(1, $1::int)";

/** Ids per increment of the sequence (`0001_ledger-ids.sql`). */
const IDS_A_STEP = 1000;

/** Writes entries, balances, completed days and the transaction's mark. */
const WRITE =
  "WITH entered AS (INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation," +
  ' ticker, request_id) SELECT id, "userId", entry, previous, "atMs", \'charged\', "amountCredits", "balanceAfterCredits", operation,' +
  ' ticker, "requestId" FROM json_to_recordset($1::text::json) AS e(id bigint, "userId" text, entry bigint, previous bigint,' +
  ' "atMs" bigint, "amountCredits" bigint, "balanceAfterCredits" bigint, operation text, ticker text, "requestId" text)),' +
  " closed AS (INSERT INTO charged_days (user_id, day, credits, charges) SELECT * FROM json_to_recordset($3::text::json)" +
  " AS d(user_id text, day bigint, credits bigint, charges bigint) ON CONFLICT (user_id, day)" +
  " DO UPDATE SET credits = charged_days.credits + excluded.credits, charges = charged_days.charges + excluded.charges)," +
  " noted AS (INSERT INTO recent_commits (id) VALUES ($4::text::uuid))," +
  " forgotten AS (DELETE FROM recent_commits WHERE id = ANY ($5::text::uuid[]))" +
  " UPDATE balances SET balance_credits = w.balance_credits, entries = w.entries, newest_entry = w.newest_entry, day = w.day," +
  " day_credits = w.day_credits, day_charges = w.day_charges FROM json_to_recordset($2::text::json) AS w(user_id text," +
  " balance_credits bigint, entries bigint, newest_entry bigint, day bigint, day_credits bigint, day_charges bigint)" +
  " WHERE balances.user_id = w.user_id";

const OPENED =
  "SELECT user_id, dataset, subject FROM page_openings WHERE user_id IN (SELECT json_array_elements_text($1::text::json))";
const CLOSE =
  'DELETE FROM page_openings p USING json_to_recordset($1::text::json) AS c("userId" text, dataset text, subject text)' +
  ' WHERE p.user_id = c."userId" AND p.dataset = c.dataset AND p.subject = c.subject';
const OPEN =
  'WITH opened AS (SELECT * FROM json_to_recordset($1::text::json) AS o("userId" text, dataset text, subject text, "atMs" bigint)),' +
  ' others AS (DELETE FROM page_openings p USING opened o WHERE p.user_id = o."userId" AND p.dataset <> o.dataset)' +
  ' INSERT INTO page_openings (user_id, dataset, subject, at_ms) SELECT "userId", dataset, subject, "atMs" FROM opened';

/**
 * Charges in PostgreSQL: those that arrive while a transaction runs share the next one. Balances are locked in order of
 * user id, so that several servers can neither make a balance negative nor deadlock. Charges of a user whose balance
 * another transaction keeps locked wait in a separate queue, so that nobody else waits with them.
 */
export class PostgresCharges implements Charges {
  private waiting: PendingCharge[] = [];
  /** Charges by user whose balance was locked. */
  private readonly lines = new Map<string, PendingCharge[]>();
  private running = false;
  private doubts: Doubt[] = [];
  /**
   * Resolves doubts in a separate transaction: the next charge may be a day away, and marks are kept for only an
   * hour.
   */
  private readonly settling = new Delayed(SETTLE_MS, () => {
    if (this.doubts.length > 0) this.start();
  });

  constructor(
    private readonly store: Pick<
      PostgresStore,
      "transaction" | "statusOf" | "committed" | "rows" | "takeNeedless"
    >,
    private readonly runtime: Pick<Runtime, "now" | "monotonic">,
  ) {}

  add(charge: PendingCharge): void {
    const line = this.lines.get(charge.charge.userId);
    if (line !== undefined) return void line.push(charge);
    this.waiting.push(charge);
    this.start();
  }

  private start(): void {
    if (this.running) return;
    this.running = true;
    // After all requests of the turn have been handled.
    setImmediate(() => void this.runAll());
  }

  private async runAll(): Promise<void> {
    do await this.runBatch(this.waiting.splice(0, MAX_CHARGES));
    while (this.waiting.length > 0);
    this.running = false;
    if (this.doubts.length > 0) this.settling.schedule();
  }

  private async runBatch(batch: readonly PendingCharge[]): Promise<void> {
    // With doubts, the locked balance may be one to refund to; without, it is of a user of the batch.
    for (const doubts of this.doubts.length > 0 ? [this.doubts, []] : [[]]) {
      try {
        return await this.commit(batch, doubts);
      } catch (error) {
        if (!(error instanceof BalanceLocked)) return settle(batch, error);
      }
    }
    for (const userId of await this.moveLocked(batch)) void this.runLine(userId);
  }

  /** Moves charges of users whose balance is locked into lines, and the others back. @returns the new lines' users */
  private async moveLocked(batch: readonly PendingCharge[]): Promise<readonly string[]> {
    let locked: Set<string>;
    try {
      const users = JSON.stringify([...new Set(batch.map(({ charge }) => charge.userId))]);
      const rows = await this.store.rows<{ user_id: string }>(LOCKED_BY_OTHERS, users);
      locked = new Set(rows.map(({ user_id: userId }) => userId));
    } catch (error) {
      settle(batch, error);
      return [];
    }
    this.waiting.unshift(...batch.filter(({ charge }) => !locked.has(charge.userId)));
    for (const userId of locked) {
      const isOwn = ({ charge }: PendingCharge) => charge.userId === userId;
      this.lines.set(userId, [...batch.filter(isOwn), ...this.waiting.filter(isOwn)]);
    }
    this.waiting = this.waiting.filter(({ charge }) => !locked.has(charge.userId));
    return [...locked];
  }

  /** Commits the charges of one user, trying until the balance is free or they have waited too long. */
  private async runLine(userId: string): Promise<void> {
    const line = this.lines.get(userId) ?? [];
    const endMs = this.runtime.monotonic() + LOCKED_MS;
    while (line.length > 0) {
      const batch = line.splice(0, MAX_CHARGES);
      try {
        await this.commit(batch, []);
      } catch (error) {
        if (!(error instanceof BalanceLocked)) settle(batch, error);
        else if (this.runtime.monotonic() >= endMs) settle([...batch, ...line.splice(0)], unavailable());
        else {
          line.unshift(...batch);
          await Bun.sleep(LOCKED_PAUSE_MS);
        }
      }
    }
    this.lines.delete(userId);
  }

  /** Commits a batch, and with it what is known by then of some doubts. @throws BalanceLocked having done nothing */
  private async commit(batch: readonly PendingCharge[], doubts: readonly Doubt[]): Promise<void> {
    const startedMs = this.runtime.monotonic();
    let settles: readonly Doubt[] = [];
    await this.store.transaction(
      "READ COMMITTED",
      async (connection) => {
        const prepared = await this.prepare(connection, batch, doubts);
        settles = prepared.value;
        return prepared;
      },
      (mark) => this.doubts.push({ mark, batch, settles }),
    );
    this.doubts = this.doubts.filter((doubt) => !settles.includes(doubt));
    this.store.committed(batch.length, this.runtime.monotonic() - startedMs);
    settle(batch, null);
  }

  /** Prepares a batch; its value is the doubts that this transaction resolves. */
  private async prepare(
    connection: ReservedSQL,
    batch: readonly PendingCharge[],
    doubts: readonly Doubt[],
  ): Promise<Prepared<readonly Doubt[]>> {
    const decided = doubts.length === 0 ? [] : await this.decidedDoubts(doubts);
    const refunds = chargesToRefund(decided);
    const users = [
      ...new Set([...refunds, ...batch.map(({ charge }) => charge)].map(({ userId }) => userId)),
    ];
    const send = (text: string, value: string | number): Promise<unknown[][]> =>
      connection.unsafe(text, [value]).values().execute();
    const steps = Math.ceil((batch.length + refunds.length) / IDS_A_STEP);
    // In this order, without waiting for the one before.
    const [, balances, ids] = await Promise.all([
      send(LIMIT_WAITING, String(BATCH_LOCK_MS)),
      send(LOCK_BALANCES, JSON.stringify(users)),
      send(NEXT_IDS, Math.max(1, steps)),
    ]).catch((error: unknown) => {
      throw isLockTimeout(error) ? new BalanceLocked() : error;
    });
    const openers = [...batch.map(({ charge }) => charge), ...refunds]
      .filter(({ opens }) => opens !== undefined)
      .map(({ userId }) => userId);
    // Behind the locks, so that a user's openings are those of the last charge of any server.
    const opened = openers.length === 0 ? [] : await send(OPENED, JSON.stringify(openers));
    const entryIds = idsFrom(ids.map(([first]) => Number(first)));
    const changes = new ChargeBatch(
      balances.map(balanceRow),
      opened.map(([userId, dataset, subject]) => ({
        userId: String(userId),
        dataset: String(dataset),
        subject: String(subject),
      })),
      () => entryIds.next().value,
      this.runtime.now(),
    );
    for (const charge of refunds) changes.refund(charge);
    for (const waiting of batch) changes.decide(waiting);
    const [, xid, id] = ids[0] ?? [];
    const mark = { id: String(id), xid: String(xid) };
    const written = [changes.entries, changes.balances, changes.days].map((rows) => JSON.stringify(rows));
    return {
      value: decided.map(({ doubt }) => doubt),
      mark,
      finish: () =>
        Promise.all([
          ...pages(changes).map(([text, rows]) => connection.unsafe(text, [rows]).execute()),
          connection.unsafe(WRITE, [...written, mark.id, this.store.takeNeedless()]).execute(),
        ]),
    };
  }

  /** Doubts whose outcome is known by now. */
  private async decidedDoubts(doubts: readonly Doubt[]): Promise<readonly Decided[]> {
    const found = await Promise.all(
      doubts.map(async (doubt) => ({ doubt, status: await this.store.statusOf(doubt.mark) })),
    );
    const open = found.filter(({ status }) => status === "unknown");
    // Charges that an undecided transaction may have refunded must not be refunded again.
    const undecided = new Set(open.flatMap(({ doubt }) => [doubt, ...doubt.settles]));
    return found.flatMap(({ doubt, status }) =>
      undecided.has(doubt) ? [] : [{ doubt, isThere: status === "committed" }],
    );
  }
}

/** Charges to refund: those of doubtful transactions that were committed, except those already refunded. */
function chargesToRefund(decided: readonly Decided[]): Charge[] {
  const there = decided.filter(({ isThere }) => isThere).map(({ doubt }) => doubt);
  const settled = new Set(there.flatMap(({ settles }) => settles));
  return there
    .filter((doubt) => !settled.has(doubt))
    .flatMap(({ batch }) => batch.filter(({ entry }) => entry > 0).map(({ charge }) => charge));
}

/** The statements for what was opened or closed, with their parameter; none without any. */
function pages({ closed, opened }: ChargeBatch): (readonly [string, string])[] {
  const statements = [[CLOSE, closed] as const, [OPEN, opened] as const];
  return statements.flatMap(([text, rows]) =>
    rows.length === 0 ? [] : [[text, JSON.stringify(rows)] as const],
  );
}

/** The ids of `NEXT_IDS`. */
function* idsFrom(firsts: readonly number[]): Generator<number, never> {
  for (const first of firsts) for (let n = 0; n < IDS_A_STEP; n += 1) yield first + n;
  throw new Error("more entries than charges");
}

/** PostgreSQL's bigints arrive as JavaScript's, and all of them fit a number. @param columns as in `LOCK_BALANCES` */
function balanceRow(columns: readonly unknown[]): BalanceRow {
  const [userId, balance, entries, unmetered, newest, day, dayCredits, dayCharges] = columns;
  return {
    user_id: String(userId),
    balance_credits: Number(balance),
    entries: Number(entries),
    unmetered: Number(unmetered),
    newest_entry: newest === null ? null : Number(newest),
    day: Number(day),
    day_credits: Number(dayCredits),
    day_charges: Number(dayCharges),
  };
}
