import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Runtime } from "../runtime.ts";
import { OperatorError, ServiceError } from "../errors.ts";
import { type CommitJob, CommitQueue, LogFlush, rollBack } from "./commit.ts";
import { type Fault, faultOf, isBusy } from "./faults.ts";
import { isServed, prepareFolder, STORE_FILE } from "./folder.ts";
import { migrate } from "./migrate.ts";
import { Delayed, type RegularJob, SOON_MS, type StatementValue, type Store, type StoreDb } from "./store.ts";

/** Options for opening a store. */
export interface StoreOptions {
  dataDir: string;
  runtime: Pick<Runtime, "monotonic">;
  /**
   * For an unusable store: fail (commands), or start without it and retry later (the server, which still serves
   * anonymous callers).
   */
  unusable?: "refuse" | "serve-without";
  /**
   * Acquired before the store is opened, and again before each retry. @throws OperatorError when another server has it
   */
  lock?: { acquire(): void };
  /** Called when the store fails, with a message for the operator, and when it recovers, with null. */
  onFailure?: (sentence: string | null) => void;
  /** Called for each commit with its size and its duration in milliseconds. */
  onCommit?: (jobs: number, milliseconds: number) => void;
}

/** Resolves writes left in doubt by a failed commit. */
export interface Reconciler {
  /** Corrects the file's contents, within a transaction. Idempotent, in case that transaction fails. */
  reconcile(client: Database): void;
  /** Called once the corrections are durable. */
  settled(): void;
}

/** The message callers see while the store is down; the operator sees the cause. */
const UNAVAILABLE =
  "Accounts are unavailable right now; nothing was charged. Try again in a few seconds; the latest year stays free at /t/{ticker}/facts.";

/** Interval of retries after a fault. */
const RETRY_MS = 1000;

/** How long to wait for another process's lock. */
const LOCK_WAIT_MS = 5000;

/**
 * The embedded store of a data folder, created and migrated as needed: one connection, one writer, one commit per turn of the event loop. While the file is unusable,
 * every access refuses with `unavailable`, and the store is retried once a second, so that it recovers from a repair
 * without a restart.
 */
export class SqliteStore implements Store {
  readonly path: string;
  private connection: Database | null = null;
  private drizzled: ReturnType<typeof drizzleOn> | null = null;
  private fault: Fault | null = null;
  /** Whether the only obstacle is another process's lock, so that reads continue. */
  private isOnlyLocked = false;
  private nextTryMs = 0;
  private generationNumber = 0;
  private seenDataVersion = -1;
  private seenThisTurn = false;
  private readonly commits: CommitQueue;
  private readonly log: LogFlush;
  private readonly reconcilers: Reconciler[] = [];
  private readonly soon = new Delayed(SOON_MS, () => this.commits.schedule());

  constructor(private readonly options: StoreOptions) {
    this.path = join(options.dataDir, STORE_FILE);
    this.log = new LogFlush(this.path);
    try {
      this.log.takeOver(this.connect());
    } catch (error) {
      const fault = faultOf(error, this.path);
      if (fault === undefined) throw error;
      if (options.unusable !== "serve-without") throw new OperatorError(fault.sentence);
      this.break(fault);
    }
    this.commits = new CommitQueue({
      client: () => this.client,
      monotonic: () => options.runtime.monotonic(),
      lockWaitMs: () => (this.isOnlyLocked ? 0 : LOCK_WAIT_MS),
      failed: (error) => this.refusalFor(error),
      log: this.log,
      doubtful: () => this.settleDoubts(),
      committed: (jobs, milliseconds) => {
        options.onCommit?.(jobs, milliseconds);
        this.recovered();
      },
    });
  }

  /** The connection. Refuses with `unavailable` while the store is down. */
  get client(): Database {
    if (this.fault !== null && !this.isOnlyLocked) this.reconnect();
    // `reconnect` throws unless it connected; without a fault there is a connection until `close`.
    if (this.connection === null) throw new Error("the store is closed");
    return this.connection;
  }

  /** Drizzle on the connection. Refuses with `unavailable` while the store is down. */
  get db(): ReturnType<typeof drizzleOn> {
    const { client } = this;
    return (this.drizzled ??= drizzleOn(client));
  }

  /** The same, as the interface shared by both stores. */
  private get workDb(): StoreDb {
    // Results are synchronous here, contrary to the type: `await` takes both kinds.
    return this.db as unknown as StoreDb;
  }

  /** The operator's message; null while the store works. Retries first, so reading it can recover the store. */
  get failure(): string | null {
    if (this.fault !== null) {
      try {
        this.reconnect();
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    }
    return this.fault?.sentence ?? null;
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  async read<T>(work: (db: StoreDb) => PromiseLike<T>): Promise<T> {
    try {
      return await work(this.workDb);
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  rows<Row>(text: string, ...values: StatementValue[]): Row[] {
    try {
      return this.client.query<Row, StatementValue[]>(text).all(...values);
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  /** Runs in this turn's transaction. If it throws, the turn's other jobs are not affected. */
  transact<T>(work: (tx: StoreDb) => PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: T;
      this.commits.add({
        size: () => 1,
        write: async () => {
          value = await work(this.workDb);
        },
        settled: (error) => {
          if (error !== null) return reject(error);
          this.generationNumber += 1;
          resolve(value);
        },
      });
    });
  }

  /** Like `transact`, for hot paths that maintain their caches themselves: caches are not invalidated. */
  joinCommit(job: CommitJob): void {
    this.commits.add(job);
  }

  /** Runs after the turn's own jobs. */
  onEveryCommit({ size, write, settled }: RegularJob): void {
    this.commits.onEveryCommit({ size, write: () => write(this.workDb), settled });
  }

  /** Registers a reconciler that runs whenever the file is reopened after a fault, before any other access. */
  onReopened(reconciler: Reconciler): void {
    this.reconcilers.push(reconciler);
  }

  /** Within this turn. */
  scheduleCommit(): void {
    this.commits.schedule();
  }

  commitSoon(): void {
    this.soon.schedule();
  }

  /**
   * Changes whenever cached account data may be stale: after a transaction of this process, and after a commit by
   * another one, checked once per turn of the event loop. Refuses with `unavailable`.
   */
  generation(): number {
    if (this.seenThisTurn && this.fault === null) return this.generationNumber;
    this.seenThisTurn = true;
    setImmediate(() => {
      this.seenThisTurn = false;
    });
    try {
      const found = this.client.query<{ data_version: number }, []>("PRAGMA data_version").get();
      const version = found?.data_version ?? -1;
      if (version !== this.seenDataVersion) this.generationNumber += 1;
      this.seenDataVersion = version;
    } catch (error) {
      throw this.refusalFor(error);
    }
    return this.generationNumber;
  }

  async close(): Promise<void> {
    this.soon.cancel();
    await this.commits.close();
    this.log.reset();
    this.connection?.close();
    this.connection = null;
  }

  /** The error to throw for an error of the store: faults become `unavailable` and schedule a retry. */
  refusalFor(error: unknown): unknown {
    const fault = faultOf(error, this.path);
    if (fault === undefined) return error;
    this.break(fault);
    return unavailable();
  }

  private break(fault: Fault): void {
    const news = this.fault?.sentence !== fault.sentence;
    const isSound = this.connection !== null && (this.fault === null || this.isOnlyLocked);
    this.isOnlyLocked = fault.kind === "locked" && isSound;
    this.fault = fault;
    this.nextTryMs = this.options.runtime.monotonic() + RETRY_MS;
    if (news) this.options.onFailure?.(fault.sentence);
  }

  private recovered(): void {
    if (this.fault === null) return;
    this.fault = null;
    this.isOnlyLocked = false;
    this.options.onFailure?.(null);
  }

  /** Opens a new connection (a repair may have replaced the file) and tests it with a write. */
  private reconnect(): void {
    if (this.options.runtime.monotonic() < this.nextTryMs) throw unavailable();
    try {
      if (this.isOnlyLocked && this.connection !== null) {
        this.connection.run("BEGIN IMMEDIATE");
        this.connection.run("ROLLBACK");
        return this.recovered();
      }
      this.connection?.close();
      this.connection = null;
      // Do not block the event loop for a lock; the next retry is a second away.
      const client = this.connect(0);
      client.run("BEGIN IMMEDIATE");
      client.run("CREATE TABLE __trial (filler)");
      client.run("INSERT INTO __trial VALUES (zeroblob(65536))");
      client.run("DROP TABLE __trial");
      for (const { reconcile } of this.reconcilers) reconcile(client);
      client.run("COMMIT");
      for (const { settled } of this.reconcilers) settled();
      this.log.takeOver(client);
    } catch (error) {
      throw this.refusalFor(error);
    }
    this.recovered();
  }

  /**
   * After a failed flush, the file contains commits that were never acknowledged. Reconciles it now if possible, and
   * again when the store is reopened.
   */
  private settleDoubts(): void {
    const client = this.connection;
    if (client === null) return;
    try {
      client.run("BEGIN IMMEDIATE");
      for (const { reconcile } of this.reconcilers) reconcile(client);
      client.run("COMMIT");
    } catch {
      rollBack(client);
    }
  }

  private connect(lockWaitMs = LOCK_WAIT_MS): Database {
    prepareFolder(this.options.dataDir);
    this.options.lock?.acquire();
    this.log.reset();
    const { dataDir, lock } = this.options;
    const client = connectTo(this.path, lockWaitMs, () => lock === undefined && isServed(dataDir));
    this.connection = client;
    this.drizzled = null;
    this.generationNumber += 1;
    return client;
  }
}

/**
 * Opens a connection with the store's settings and a current schema. Throws SQLite's errors.
 * @param lockWaitMs how long the call may block for another process's lock
 * @param isServedByAnother whether a server of another process has the store, so that only that one may migrate it
 */
function connectTo(path: string, lockWaitMs: number, isServedByAnother: () => boolean): Database {
  makePrivate(path);
  const client = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    useWriteAheadLog(client, lockWaitMs);
    client.run(`PRAGMA busy_timeout = ${lockWaitMs}`);
    client.run("PRAGMA synchronous = FULL");
    client.run("PRAGMA foreign_keys = ON");
    migrate(client, isServedByAnother);
    // From here on, locks are waited for between turns (commit.ts) rather than by blocking the event loop.
    client.run("PRAGMA busy_timeout = 0");
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Restricts the store and its log to this user from the start: SQLite creates the log and its index with
 * the store's permissions.
 */
function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/** Two processes that create the same file make each other fail here despite `busy_timeout`, so this is retried. */
function useWriteAheadLog(client: Database, lockWaitMs: number): void {
  const pauseMs = 5;
  client.run("PRAGMA busy_timeout = 0");
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      client.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= lockWaitMs) throw error;
      Bun.sleepSync(pauseMs);
    }
  }
}

/**
 * Drizzle, and plain SQL, with each statement prepared once: faster, and `close` then releases the file, which unfinalized
 * statements would keep open until garbage collection.
 */
function drizzleOn(client: Database) {
  const cached = { prepare: (text: string) => client.query(text), exec: (text: string) => client.run(text) };
  const rows = (text: string, ...values: StatementValue[]) => client.query(text).all(...values);
  // drizzle's session uses `prepare` and `exec` of a Database, and `transaction` only for its own transactions, which
  // we do not use (drizzle-orm/bun-sqlite/session.js, 0.45).
  return Object.assign(drizzle(cached as Pick<Database, "prepare" | "exec"> as Database), { rows });
}

/** The refusal while a store is down. */
export function unavailable(): ServiceError {
  return new ServiceError("unavailable", UNAVAILABLE, { retryAfterSeconds: 5 });
}
