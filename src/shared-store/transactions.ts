import type { ReservedSQL, SQL } from "bun";
import type { Runtime } from "../runtime.ts";
import { postgresFaultOf, AnswerTimeout } from "./connection.ts";

/** Isolation levels in use. */
export type Isolation = "SERIALIZABLE" | "READ COMMITTED";

/** Identifies a transaction, to determine whether it was committed. */
export interface Mark {
  /** Its row in `recent_commits`. */
  id: string;
  /** Its transaction id, to determine whether it is still running. */
  xid: string;
}

/** A transaction that is ready to commit. */
export interface Prepared<T> {
  value: T;
  mark: Mark;
  /** Sends the last writes; the commit is pipelined behind them, before they are answered. */
  finish?(): Promise<unknown>;
}

/** A transaction whose outcome is unknown. */
export class InDoubt<T = unknown> extends Error {
  constructor(
    readonly prepared: Prepared<T>,
    cause: unknown,
  ) {
    super("the connection was lost while a transaction was committed", { cause });
  }
}

/** The statements of a transaction, pipelined behind `BEGIN`. */
export type TransactionWork<T> = (connection: ReservedSQL) => Promise<Prepared<T>>;

export interface TransactionDeps {
  pool(): SQL;
  /** Replaces the pool, whose connections no longer answer. */
  renew(): void;
  runtime: Pick<Runtime, "monotonic" | "secret">;
}

/** How long to retry a transaction, in ms; longer failures are a fault of the store. */
const TRIED_FOR_MS = 5000;

/** Time limit for all attempts: longer than the server's own statement timeout. */
const ANSWER_MS = 6000;

/** Minimum time for a late attempt, because giving up replaces all connections. */
const MIN_ANSWER_MS = 1000;

/** Maximum attempts after conflicts, including unique violations. */
const MAX_TRIES = 40;
const MAX_PAUSE_MS = 100;

/** Inserts the transaction's mark first, then runs the work. */
export function marked<T>(work: (connection: ReservedSQL) => Promise<T>): TransactionWork<T> {
  return async (connection) => {
    const marking: Promise<unknown[][]> =
      connection`INSERT INTO recent_commits DEFAULT VALUES RETURNING id::text, pg_current_xact_id()::text`
        .values()
        .execute();
    marking.catch(() => {});
    let value: T;
    try {
      value = await work(connection);
    } catch (error) {
      // If the mark failed, the work's own error says only that the transaction was aborted.
      await marking;
      throw error;
    }
    const [[id, xid] = []] = await marking;
    return { value, mark: { id: String(id), xid: String(xid) } };
  };
}

/** Tagged templates rather than text: Bun pipelines them without waiting for earlier statements. */
function begin(connection: ReservedSQL, isolation: Isolation): Promise<unknown> {
  return isolation === "SERIALIZABLE"
    ? connection`BEGIN ISOLATION LEVEL SERIALIZABLE`.execute()
    : connection`BEGIN ISOLATION LEVEL READ COMMITTED`.execute();
}

type Ask = (text: string, given: unknown[]) => Promise<unknown[][]>;

/** Runs transactions, and retries them where that is safe. */
export class Transactions {
  /** Marks of transactions whose caller knows the outcome, so that nobody will look them up. */
  private needless: string[] = [];

  constructor(private readonly deps: TransactionDeps) {}

  /**
   * The rows of `recent_commits` that nobody needs any more, as an array of PostgreSQL, for a transaction that deletes
   * them: so the table has a row for each that is under way and not for each of the last hour. Not in a serializable
   * transaction, which would conflict with every other one.
   */
  takeNeedless(): string {
    const ids = this.needless.splice(0);
    return `{${ids.join(",")}}`;
  }

  /**
   * Runs work in a transaction. Starts over after conflicts, and after losing the connection before the commit. If it
   * was lost during the commit, asks PostgreSQL for the outcome. Ends within seven seconds.
   *
   * @throws InDoubt if the outcome could not be determined in time; other errors as they occur
   */
  async run<T>(isolation: Isolation, work: TransactionWork<T>): Promise<T> {
    const { runtime } = this.deps;
    const startMs = runtime.monotonic();
    const endMs = startMs + TRIED_FOR_MS;
    const untilMs = startMs + ANSWER_MS;
    for (let tries = 1; ; tries += 1) {
      let failed: unknown;
      try {
        return this.forget(await this.attempt(isolation, work, untilMs));
      } catch (error) {
        failed = error;
        if (postgresFaultOf(error) === "failed") throw error;
      }
      // Thrown by `attempt`, with the value of this work.
      const doubt = failed instanceof InDoubt ? (failed as InDoubt<T>) : null;
      if (doubt !== null && (await this.wasCommitted(doubt, endMs, untilMs)))
        return this.forget(doubt.prepared);
      if (tries >= MAX_TRIES || runtime.monotonic() >= endMs) throw failed;
      // Random delay, so that conflicting transactions do not collide again.
      const [share = 0] = runtime.secret(1);
      await Bun.sleep((share / 255) * Math.min(MAX_PAUSE_MS, 2 ** tries));
    }
  }

  /** The value of a transaction whose mark is no longer needed. */
  private forget<T>({ mark, value }: Prepared<T>): T {
    this.needless.push(mark.id);
    return value;
  }

  /** Whether a transaction in doubt was committed. @throws InDoubt if that cannot be determined in time */
  private async wasCommitted(doubt: InDoubt, endMs: number, untilMs: number): Promise<boolean> {
    for (;;) {
      const status = await this.statusOf(doubt.prepared.mark, untilMs);
      if (status === "committed") return true;
      if (status === "aborted") return false;
      if (this.deps.runtime.monotonic() >= endMs) throw doubt;
      await Bun.sleep(MAX_PAUSE_MS);
    }
  }

  /** The outcome of a transaction; "unknown" while it is running or the database does not answer. */
  async statusOf({ id, xid }: Mark, untilMs?: number): Promise<"committed" | "aborted" | "unknown"> {
    const ask = (text: string, given: unknown[]): Promise<unknown[][]> =>
      this.inTime(this.deps.pool().unsafe(text, given).values(), untilMs);
    try {
      if (await this.isRunning(xid, ask)) return "unknown";
      const [found] = await ask("SELECT 1 FROM recent_commits WHERE id = $1::text::uuid", [id]);
      return found === undefined ? "aborted" : "committed";
    } catch {
      return "unknown";
    }
  }

  private async isRunning(xid: string, ask: Ask): Promise<boolean> {
    try {
      const [[status] = []] = await ask("SELECT pg_xact_status($1::text::xid8)", [xid]);
      return status === "in progress";
    } catch (error) {
      // A promoted standby or a server recovered from a crash has not reached this transaction id again.
      if (error instanceof Error && error.message.includes("is in the future")) return false;
      throw error;
    }
  }

  /**
   * Awaits a promise, or throws `AnswerTimeout`: a hanging server does not end connections on its own.
   * @param untilMs deadline of the transaction; six seconds by default
   */
  async inTime<T>(awaited: Promise<T>, untilMs?: number): Promise<T> {
    const leftMs = untilMs === undefined ? ANSWER_MS : untilMs - this.deps.runtime.monotonic();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        this.deps.renew();
        reject(new AnswerTimeout());
      },
      Math.max(MIN_ANSWER_MS, leftMs),
    );
    try {
      return await Promise.race([awaited, late]);
    } finally {
      clearTimeout(timer);
      awaited.catch(() => {});
    }
  }

  /** One attempt. @throws InDoubt if it was abandoned after the commit was sent: only PostgreSQL knows the outcome */
  private async attempt<T>(
    isolation: Isolation,
    work: TransactionWork<T>,
    untilMs: number,
  ): Promise<Prepared<T>> {
    const connection = await this.inTime(this.deps.pool().reserve(), untilMs);
    const state: { isGivenUp: boolean; committing?: Prepared<T> } = { isGivenUp: false };
    const run = async (): Promise<Prepared<T>> => {
      const begun = begin(connection, isolation);
      begun.catch(() => {});
      let prepared: Prepared<T>;
      try {
        prepared = await work(connection);
        await begun;
        // Late answers do not commit anything.
        if (state.isGivenUp) throw new AnswerTimeout();
      } catch (error) {
        await connection.unsafe("ROLLBACK").catch(() => {});
        throw error;
      }
      state.committing = prepared;
      // If `finish` fails, PostgreSQL turns the pipelined COMMIT into a rollback.
      const ended = await Promise.allSettled([prepared.finish?.(), connection`COMMIT`.execute()]);
      const failed = ended.find((one) => one.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      return prepared;
    };
    try {
      return await this.inTime(run(), untilMs);
    } catch (error) {
      state.isGivenUp = true;
      const { committing } = state;
      if (committing === undefined || postgresFaultOf(error) !== "lost") throw error;
      throw new InDoubt(committing, error);
    } finally {
      release(connection);
    }
  }
}

/** Releases a connection, unless its pool was abandoned. */
function release(connection: ReservedSQL): void {
  try {
    connection.release();
  } catch {
    // Gone with its pool.
  }
}
