import type { SQL } from "bun";
import { OperatorError, ServiceError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { unavailable } from "../store/open.ts";
import {
  Delayed,
  type RegularJob,
  SOON_MS,
  type StatementValue,
  type Store,
  type StoreDb,
} from "../store/store.ts";
import { connectionPool, placeOf, postgresFaultOf, reasonOf, storeDb } from "./connection.ts";
import { migratePostgres } from "./migrate.ts";
import {
  InDoubt,
  type Isolation,
  type Mark,
  marked,
  type TransactionWork,
  Transactions,
} from "./transactions.ts";

/** Options for a store in PostgreSQL. */
export interface PostgresStoreOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, optionally with libpq parameters (`?sslmode=verify-full`). */
  url: string;
  runtime: Pick<Runtime, "monotonic" | "secret">;
  /** Maximum number of connections. */
  max?: number;
  /** Called on opening, with a message for the operator, if the database cannot accept all connections. */
  onShortage?: (sentence: string) => void;
  /** Called when the store fails, with a message for the operator, and when it recovers, with null. */
  onFailure?: (sentence: string | null) => void;
  /** Called for each commit of charges with its size and its duration in milliseconds. */
  onCommit?: (jobs: number, milliseconds: number) => void;
}

/** How long results are cached, and so the delay until changes by other servers apply here. */
const CACHE_MS = 1000;

/** Interval of retries after a fault. */
const RETRY_MS = 1000;

const MAX_CONNECTIONS = 10;

/** Connections of a server besides its pool: two count requests, one holds a lock. */
const OTHER_CONNECTIONS = 3;

/** Connections that the database would still accept, of all, of this role and to this database; -1 is no limit. */
const ROOM = `
  SELECT least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
    CASE WHEN rolsuper OR rolconnlimit < 0 THEN NULL
      ELSE rolconnlimit - (SELECT count(*) FROM pg_stat_activity WHERE usesysid = r.oid) END,
    CASE WHEN rolsuper OR datconnlimit < 0 THEN NULL
      ELSE datconnlimit - (SELECT count(*) FROM pg_stat_activity WHERE datid = d.oid) END)::int AS room
  FROM pg_roles r, pg_database d WHERE rolname = current_user AND datname = current_database()`;

const FORGET_COMMITS = "DELETE FROM recent_commits WHERE id = ANY ($1::text::uuid[])";

/**
 * Marks of servers that exited before deleting them. One server at a time, one batch at a time: the others find
 * nothing to do. The number is arbitrary (see `migrate.ts`).
 */
const FORGET_LEFT_COMMITS = `
  WITH leader AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(2020961635) AS is_ours)
  DELETE FROM recent_commits WHERE (SELECT is_ours FROM leader)
    AND id IN (SELECT id FROM recent_commits WHERE at < now() - interval '1 hour' ORDER BY at LIMIT 5000)`;

/** The store in PostgreSQL, for any number of servers. Transactions are serializable and retried after conflicts. */
export class PostgresStore implements Store {
  readonly path = null;
  private readonly place: string;
  private readonly transactions: Transactions;
  private readonly regulars: RegularJob[] = [];
  private pool: SQL;
  private poolDb: StoreDb;
  private opening: Promise<void> | null = null;
  private secret: Uint8Array | null = null;
  private sentence: string | null = null;
  private nextTryMs = Number.NEGATIVE_INFINITY;
  private nextProbeMs: number;
  private generationNumber = 0;
  private tick = Number.NaN;
  private readonly soon = new Delayed(SOON_MS, () => this.scheduleCommit());
  private flushing: Promise<void> | null = null;
  private flushAgain = false;

  /** @throws OperatorError for an invalid URL */
  constructor(private readonly options: PostgresStoreOptions) {
    this.place = placeOf(options.url);
    this.nextProbeMs = options.runtime.monotonic() + RETRY_MS;
    this.pool = this.newPool();
    this.poolDb = storeDb(this.pool);
    const { runtime } = options;
    this.transactions = new Transactions({ pool: () => this.pool, renew: () => this.renew(), runtime });
  }

  /**
   * The operator's message; null while the store works. Reading it probes the database at most once a second, so that a
   * load balancer that has stopped sending traffic notices the recovery.
   */
  get failure(): string | null {
    const nowMs = this.options.runtime.monotonic();
    if (nowMs >= this.nextProbeMs) {
      this.nextProbeMs = nowMs + RETRY_MS;
      this.rows("SELECT 1 AS up").catch(() => {});
    }
    return this.sentence;
  }

  async ready(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  async read<T>(work: (db: StoreDb) => PromiseLike<T>): Promise<T> {
    await this.open();
    for (let isRetry = false; ; isRetry = true) {
      try {
        const found = await this.transactions.inTime(Promise.resolve(work(this.poolDb)));
        this.recovered();
        return found;
      } catch (error) {
        // Retried once: an idle connection whose server ended fails only on its next statement.
        if (isRetry || postgresFaultOf(error) !== "lost") throw this.refusalFor(error);
      }
    }
  }

  rows<Row>(text: string, ...values: StatementValue[]): Promise<Row[]> {
    return this.read((db) => db.rows<Row>(text, ...values));
  }

  async transact<T>(work: (tx: StoreDb) => PromiseLike<T>): Promise<T> {
    const value = await this.transaction(
      "SERIALIZABLE",
      marked(async (connection) => work(storeDb(connection))),
    );
    this.generationNumber += 1;
    // Deletes its mark.
    this.commitSoon();
    return value;
  }

  /**
   * Runs a transaction of plain SQL, with retries. Refuses with `unavailable`.
   * @param onDoubt called if it cannot be determined whether the transaction was committed
   */
  async transaction<T>(
    isolation: Isolation,
    work: TransactionWork<T>,
    onDoubt: (mark: Mark) => void = () => {},
  ): Promise<T> {
    await this.open();
    try {
      const value = await this.transactions.run(isolation, work);
      this.recovered();
      return value;
    } catch (error) {
      if (error instanceof InDoubt) onDoubt(error.prepared.mark);
      throw this.refusalFor(error);
    }
  }

  /** The outcome of a transaction in doubt. */
  statusOf(mark: Mark): Promise<"committed" | "aborted" | "unknown"> {
    return this.transactions.statusOf(mark);
  }

  /** Rows of `recent_commits` for a transaction to delete. */
  takeNeedless(): string {
    return this.transactions.takeNeedless();
  }

  onEveryCommit(job: RegularJob): void {
    this.regulars.push(job);
  }

  scheduleCommit(): void {
    if (this.flushing !== null) {
      this.flushAgain = true;
      return;
    }
    this.flushing = this.flush().finally(() => {
      this.flushing = null;
      if (!this.flushAgain) return;
      this.flushAgain = false;
      this.commitSoon();
    });
  }

  commitSoon(): void {
    this.soon.schedule();
  }

  /** Changes every second, because changes by other servers are not signalled. */
  generation(): number {
    const tick = Math.floor(this.options.runtime.monotonic() / CACHE_MS);
    if (tick !== this.tick) {
      this.tick = tick;
      this.generationNumber += 1;
    }
    return this.generationNumber;
  }

  /** A secret shared by all servers on this store. Refuses with `unavailable` until it has been read. */
  get sharedSecret(): Uint8Array {
    if (this.secret === null) throw unavailable();
    return this.secret;
  }

  /** Called by the code that commits charges. */
  committed(jobs: number, milliseconds: number): void {
    this.options.onCommit?.(jobs, milliseconds);
  }

  async close(): Promise<void> {
    this.soon.cancel();
    await this.flushing;
    if (this.sentence === null && this.secret !== null) await this.flush();
    await this.pool.close({ timeout: 5 });
  }

  /** The first connection migrates the schema. After a fault, retries once a second. */
  private open(): Promise<void> {
    const nowMs = this.options.runtime.monotonic();
    if (this.sentence !== null && nowMs < this.nextTryMs) return Promise.reject(unavailable());
    if (this.secret !== null) return Promise.resolve();
    this.opening ??= this.connect().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  private async connect(): Promise<void> {
    try {
      const fresh = () => this.options.runtime.secret(32).toBase64();
      await this.transactions.inTime(this.lookForRoom());
      const secret = await this.transactions.inTime(this.migrate(fresh));
      this.secret = Uint8Array.fromBase64(secret);
    } catch (error) {
      throw this.refusalFor(error);
    }
    this.recovered();
  }

  private async migrate(fresh: () => string): Promise<string> {
    const connection = await this.pool.reserve();
    try {
      return await migratePostgres(connection, this.place, fresh);
    } finally {
      connection.release();
    }
  }

  /** Asks over a connection of its own, because the pool opens all of its connections at once. */
  private async lookForRoom(): Promise<void> {
    const { onShortage, url, max = MAX_CONNECTIONS } = this.options;
    if (onShortage === undefined) return;
    await using one = connectionPool(url, 1);
    const [[others] = []]: unknown[][] = await one.unsafe(ROOM).values();
    const [room, needed] = [Number(others) + 1, max + OTHER_CONNECTIONS];
    if (room >= needed) return;
    onShortage(
      `${this.place} has room for ${room} connections and this server may need ${needed} (--store-connections ${max}, and ${OTHER_CONNECTIONS} for rate limits and locks). Lower --store-connections or raise the database's limit: without a connection, requests are refused with 503.`,
    );
  }

  /** Attempts once; what could not be written waits for the next flush. */
  private async flush(): Promise<void> {
    if (this.sentence !== null || this.secret === null) return;
    const written: RegularJob[] = [];
    let failed: unknown = null;
    try {
      const write = marked(async (connection) => {
        // A retry: the jobs of the failed attempt put their writes back, or they would find nothing to write.
        for (const job of written.splice(0)) job.settled(new Error("tried again"));
        await connection.unsafe(FORGET_COMMITS, [this.takeNeedless()]);
        await connection.unsafe(FORGET_LEFT_COMMITS);
        const db = storeDb(connection);
        for (const job of this.regulars) {
          written.push(job);
          await job.write(db);
        }
      });
      await this.transactions.run("READ COMMITTED", write);
    } catch (error) {
      failed = this.refusalFor(error);
    }
    for (const job of written) job.settled(failed);
  }

  private newPool(): SQL {
    return connectionPool(this.options.url, this.options.max ?? MAX_CONNECTIONS);
  }

  private renew(): void {
    const stuck = this.pool;
    this.pool = this.newPool();
    this.poolDb = storeDb(this.pool);
    stuck.close({ timeout: 0 }).catch(() => {});
  }

  /** The error to throw: faults become `unavailable` and schedule a retry. */
  private refusalFor(error: unknown): unknown {
    if (error instanceof ServiceError) return error;
    const isOperators = error instanceof OperatorError;
    if (!isOperators && postgresFaultOf(error) === "failed") return error;
    // Every attempt conflicted: the store works, but not for this request at the moment.
    if (postgresFaultOf(error) === "again") return unavailable();
    const sentence = isOperators
      ? error.message
      : `${this.place} cannot be used (${reasonOf(error)}). Accounts are refused until it can; no restart needed.`;
    const news = this.sentence !== sentence;
    this.sentence = sentence;
    this.nextTryMs = this.options.runtime.monotonic() + RETRY_MS;
    this.nextProbeMs = this.nextTryMs;
    if (news) this.options.onFailure?.(sentence);
    return unavailable();
  }

  private recovered(): void {
    if (this.sentence === null) return;
    this.sentence = null;
    this.options.onFailure?.(null);
  }
}
