import type { ReservedSQL, SQL } from "bun";
import type { Runtime } from "../../runtime.ts";
import { postgresFaultOf, SlowAnswer } from "./faults.ts";

/** How far transactions keep apart. */
export type Isolation = "SERIALIZABLE" | "READ COMMITTED";

/** What finds out whether a transaction was committed. */
export interface Mark {
  /** Its row in `recent_commits`. */
  id: string;
  /** Its number, which tells while it still runs. */
  xid: string;
}

/** A transaction of which nobody knows whether it was committed. */
export class InDoubt extends Error {
  constructor(
    readonly mark: Mark,
    cause: unknown,
  ) {
    super("the connection was lost while a transaction was committed", { cause });
  }
}

/** What a transaction does up to its end. */
export interface Prepared<T> {
  value: T;
  mark: Mark;
  /** Sends what is written last; the commit goes out with it, before anything of it is answered. */
  finish?(): Promise<unknown>;
}

/** The statements of a transaction. They are sent while `BEGIN` is under way. */
export type TransactionWork<T> = (connection: ReservedSQL) => Promise<Prepared<T>>;

/** What transactions need. */
export interface TransactionDeps {
  pool(): SQL;
  /** Makes a pool anew: its connections do not answer any more. */
  renew(): void;
  runtime: Pick<Runtime, "monotonic" | "secret">;
}

/** How long a transaction is tried for, in ms; what fails longer is a fault of the store. */
const TRIED_FOR_MS = 5000;

/** How long all tries may take: more than the server itself gives a statement. */
const ANSWER_MS = 6000;

/** What a try gets that begins late: who gives up makes all connections anew. */
const MIN_ANSWER_MS = 1000;

/** Tries where others come between, and where a row that must be one only is there already. */
const MAX_TRIES = 40;
const MAX_PAUSE_MS = 100;

/** Marks a transaction as the first thing that it does, and hands the work its connection. */
export function marked<T>(work: (connection: ReservedSQL) => Promise<T>): TransactionWork<T> {
  return async (connection) => {
    const marking: Promise<unknown[][]> =
      connection`INSERT INTO recent_commits DEFAULT VALUES RETURNING id::text, pg_current_xact_id()::text`
        .values()
        .execute();
    marking.catch(() => {});
    const value = await work(connection);
    const [[id, xid] = []] = await marking;
    return { value, mark: { id: String(id), xid: String(xid) } };
  };
}

/** As a template and not as text: Bun sends those without waiting for what was sent before. */
function begin(connection: ReservedSQL, isolation: Isolation): Promise<unknown> {
  return isolation === "SERIALIZABLE"
    ? connection`BEGIN ISOLATION LEVEL SERIALIZABLE`.execute()
    : connection`BEGIN ISOLATION LEVEL READ COMMITTED`.execute();
}

type Tried<T> =
  | { kind: "done"; value: T }
  | { kind: "again" | "lost" | "failed"; error: unknown }
  | { kind: "doubt"; value: T; error: InDoubt };

type Ask = (text: string, given: unknown[]) => Promise<unknown[][]>;

/** Transactions that are tried again where that is safe. */
export class Transactions {
  constructor(private readonly deps: TransactionDeps) {}

  /**
   * Runs work in a transaction, from its start again where others came between or the connection was lost before the
   * commit. Where it was lost during the commit, PostgreSQL is asked what became of it.
   *
   * @throws InDoubt where it could not be asked in time; what it fails with otherwise. In seven seconds at the latest.
   */
  async run<T>(isolation: Isolation, work: TransactionWork<T>): Promise<T> {
    const { runtime } = this.deps;
    const startMs = runtime.monotonic();
    const endMs = startMs + TRIED_FOR_MS;
    const untilMs = startMs + ANSWER_MS;
    for (let tries = 1; ; tries += 1) {
      const tried = await this.attempt(isolation, work, untilMs);
      if (tried.kind === "done") return tried.value;
      if (tried.kind === "failed") throw tried.error;
      if (tried.kind === "doubt") {
        if (await this.wasCommitted(tried.error, endMs, untilMs)) return tried.value;
      }
      if (tries >= MAX_TRIES || runtime.monotonic() >= endMs) throw tried.error;
      // Apart from whoever came between, who may try again, too.
      const [share = 0] = runtime.secret(1);
      await Bun.sleep((share / 255) * Math.min(MAX_PAUSE_MS, 2 ** tries));
    }
  }

  /** Whether a transaction in doubt is in the store. @throws InDoubt where that cannot be found out by then */
  private async wasCommitted(doubt: InDoubt, endMs: number, untilMs: number): Promise<boolean> {
    for (;;) {
      const status = await this.statusOf(doubt.mark, untilMs);
      if (status === "committed") return true;
      if (status === "aborted") return false;
      if (this.deps.runtime.monotonic() >= endMs) throw doubt;
      await Bun.sleep(MAX_PAUSE_MS);
    }
  }

  /** What became of a transaction; "unknown" while nobody answers, or it still runs. */
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
      // A standby that was promoted, or a server behind a crash, has not come to this number again.
      if (error instanceof Error && error.message.includes("is in the future")) return false;
      throw error;
    }
  }

  /**
   * What is awaited, or `SlowAnswer`: a server that stands still ends nothing by itself.
   * @param untilMs when what it belongs to has to be over; in six seconds by default
   */
  async inTime<T>(awaited: Promise<T>, untilMs?: number): Promise<T> {
    const leftMs = untilMs === undefined ? ANSWER_MS : untilMs - this.deps.runtime.monotonic();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        this.deps.renew();
        reject(new SlowAnswer());
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

  private async attempt<T>(
    isolation: Isolation,
    work: TransactionWork<T>,
    untilMs: number,
  ): Promise<Tried<T>> {
    let connection: ReservedSQL;
    try {
      connection = await this.inTime(this.deps.pool().reserve(), untilMs);
    } catch (error) {
      return { kind: postgresFaultOf(error), error };
    }
    const trial = new Trial<T>(connection, isolation);
    try {
      return await this.inTime(trial.run(work), untilMs);
    } catch (error) {
      return trial.giveUp(error);
    } finally {
      release(connection);
    }
  }
}

/** One try of a transaction. */
class Trial<T> {
  private isGivenUp = false;
  /** Set right before the commit is asked for: from then on nobody knows but PostgreSQL. */
  private committing: { value: T; mark: Mark } | null = null;

  constructor(
    private readonly connection: ReservedSQL,
    private readonly isolation: Isolation,
  ) {}

  async run(work: TransactionWork<T>): Promise<Tried<T>> {
    const { connection } = this;
    const begun = begin(connection, this.isolation);
    begun.catch(() => {});
    let prepared: Prepared<T>;
    try {
      prepared = await work(connection);
      await begun;
      if (this.isGivenUp) throw new SlowAnswer();
    } catch (error) {
      await connection.unsafe("ROLLBACK").catch(() => {});
      return { kind: postgresFaultOf(error), error };
    }
    const { value, mark } = prepared;
    this.committing = { value, mark };
    // Where something of it fails PostgreSQL makes a rollback of the commit behind it.
    const ended = await Promise.allSettled([prepared.finish?.(), connection`COMMIT`.execute()]);
    const failed = ended.find((one) => one.status === "rejected");
    if (failed === undefined) return { kind: "done", value };
    const error: unknown = failed.reason;
    return postgresFaultOf(error) === "lost" ? this.giveUp(error) : { kind: postgresFaultOf(error), error };
  }

  /** What is known of it when nobody waits any longer: an answer that comes now commits nothing. */
  giveUp(error: unknown): Tried<T> {
    this.isGivenUp = true;
    if (this.committing === null) return { kind: "lost", error };
    const { value, mark } = this.committing;
    return { kind: "doubt", value, error: new InDoubt(mark, error) };
  }
}

/** A connection of a pool that was given up cannot be given back. */
function release(connection: ReservedSQL): void {
  try {
    connection.release();
  } catch {
    // It is gone with its pool.
  }
}
