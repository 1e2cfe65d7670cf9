import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import type { Runtime } from "../runtime.ts";
import { OperatorError, ServiceError } from "../errors.ts";
import { CommitQueue, type CommitJob, rollBack } from "./commit.ts";
import { type Fault, faultOf, isBusy } from "./faults.ts";
import { LogFlush } from "./flush.ts";
import { prepareFolder, STORE_FILE } from "./folder.ts";
import { migrate } from "./migrate.ts";
import type { RegularJob, Store } from "./store.ts";
import { runAtOnce, type StatementValue, type StoreDb, type Work } from "./work.ts";

/** How a store is opened. */
export interface StoreOptions {
  dataDir: string;
  runtime: Pick<Runtime, "monotonic">;
  /**
   * What to do about a store that cannot be used: refuse to open (commands), or open without it and try again later
   * (the server, which goes on answering anonymous readers).
   */
  unusable?: "refuse" | "serve-without";
  /** Taken before the store is opened, and again before each new try. @throws OperatorError when another server has it */
  lock?: { acquire(): void };
  /** Told when the store stops working (with the sentence for the operator) and when it works again (null). */
  onFailure?: (sentence: string | null) => void;
  /** Told of every commit: how much it held, how long it took in milliseconds. */
  onCommit?: (jobs: number, milliseconds: number) => void;
}

/** Settles what a failed commit left in doubt. */
export interface Reconciler {
  /** Looks at what is in the file and puts it right; in a transaction. Again after one that failed: the same result. */
  reconcile(client: Database): void;
  /** What was put right is on disk. */
  settled(): void;
}

/** What callers are told while the store does not work; the operator's sentence is for the operator. */
const UNAVAILABLE =
  "Accounts are unavailable right now; nothing was charged. Try again in a few seconds; the latest year stays free at /t/{ticker}/facts.";

/** After a fault the store is tried again this often. */
const RETRY_MS = 1000;

/** How long what nobody waits for is kept back, to be committed with what else comes. */
const SOON_MS = 500;

/** How long a lock of another process is waited for. */
const LOCK_WAIT_MS = 5000;

/**
 * The writable database: one connection, one writer, one commit a turn of the event loop. It outlives its faults:
 * while the file cannot be used every access refuses with `unavailable`, and once a second a new try is made, so
 * that after a repair all is as before without a restart.
 */
export class SqliteStore implements Store {
  readonly path: string;
  private connection: Database | null = null;
  private drizzled: BunSQLiteDatabase | null = null;
  private forWork: StoreDb | null = null;
  private fault: Fault | null = null;
  private nextTryMs = 0;
  private generationNumber = 0;
  private seenDataVersion = -1;
  private seenThisTurn = false;
  private versionQuery: { client: Database; statement: Statement<{ data_version: number }, []> } | null =
    null;
  /** Changes with every write that is not a charge. */
  private otherWrites = 0;
  private readonly commits: CommitQueue;
  private readonly log: LogFlush;
  private readonly reconcilers: Reconciler[] = [];
  private soon: ReturnType<typeof setTimeout> | null = null;

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
      lockWaitMs: LOCK_WAIT_MS,
      failed: (error) => this.refusalFor(error),
      flush: (done) => this.log.start((error) => done(error === null ? null : this.flushFault(error))),
      flushNow: () => this.log.now(),
      doubtful: () => this.settleDoubts(),
      committed: (jobs, milliseconds) => {
        options.onCommit?.(jobs, milliseconds);
        this.recovered();
      },
    });
  }

  /** The connection. Refuses with `unavailable` while the store does not work. */
  get client(): Database {
    if (this.fault !== null) this.reconnect();
    // `reconnect` throws unless it connected; without a fault there is a connection until `close`.
    if (this.connection === null) throw new Error("the store is closed");
    return this.connection;
  }

  /** Drizzle on the connection. Refuses with `unavailable` while the store does not work. */
  get db(): BunSQLiteDatabase {
    const { client } = this;
    this.drizzled ??= drizzle(keepingStatements(client));
    return this.drizzled;
  }

  /** The same for work that is written for both stores. */
  private get workDb(): StoreDb {
    const { db } = this;
    this.forWork ??= toWorkDb(db, this.client);
    return this.forWork;
  }

  /** Null while all is well, else the operator's sentence. Tries again first, so that asking is enough to recover. */
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

  /** A statement of a hot path, prepared once a connection. */
  query<Row, Parameters extends SQLQueryBindings[]>(text: string): Statement<Row, Parameters> {
    // Bun keeps prepared statements by their text; the type parameters are the caller's word about the SQL.
    return this.client.query<Row, Parameters>(text) as Statement<Row, Parameters>;
  }

  /**
   * Reads at once. A fault of the store becomes `unavailable`.
   * @param work synchronous
   */
  readNow<T>(work: (db: BunSQLiteDatabase) => T): T {
    try {
      return work(this.db);
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  read<T>(work: (db: StoreDb) => Work<T>): T {
    try {
      return runAtOnce(work(this.workDb));
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  rows<Row>(text: string, ...values: StatementValue[]): Row[] {
    try {
      return this.query<Row, StatementValue[]>(text).all(...values);
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  /** In this turn's one transaction. When it throws, the others of the turn go on. */
  transact<T>(work: (tx: StoreDb) => Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: T;
      this.commits.add({
        size: () => 1,
        write: () => {
          this.otherWrites += 1;
          value = runAtOnce(work(this.workDb));
        },
        settled: (error) => {
          if (error !== null) return reject(error);
          this.generationNumber += 1;
          resolve(value);
        },
      });
    });
  }

  /** As `transact` for a hot path that keeps its own caches right: they are not dropped. */
  joinCommit(job: CommitJob): void {
    this.commits.add(job);
  }

  /** After the turn's own jobs. */
  onEveryCommit({ size, write, settled }: RegularJob): void {
    this.commits.onEveryCommit({ size, write: () => runAtOnce(write(this.workDb)), settled });
  }

  /** As `onEveryCommit` for what only this store has. */
  takePart(job: CommitJob): void {
    this.commits.onEveryCommit(job);
  }

  /** Names what settles doubts whenever the file is opened again after a fault, before anything else reads or writes. */
  onReopened(reconciler: Reconciler): void {
    this.reconcilers.push(reconciler);
  }

  /** Within this turn. */
  scheduleCommit(): void {
    this.commits.schedule();
  }

  commitSoon(): void {
    if (this.soon !== null) return;
    this.soon = setTimeout(() => {
      this.soon = null;
      this.commits.schedule();
    }, SOON_MS);
    this.soon.unref();
  }

  /**
   * Changes whenever cached facts about accounts may be stale: after a transaction of this process, and, looked at
   * once a turn of the event loop, after a commit of another one. Refuses with `unavailable`.
   */
  generation(): number {
    if (this.seenThisTurn && this.fault === null) return this.generationNumber;
    this.seenThisTurn = true;
    setImmediate(() => {
      this.seenThisTurn = false;
    });
    try {
      this.lookForOthers();
    } catch (error) {
      throw this.refusalFor(error);
    }
    return this.generationNumber;
  }

  /**
   * For who keeps in memory what charges change, inside the transaction: another number whenever anything but a charge has
   * been written since, by this process or another one.
   */
  writesBesideCharges(): number {
    this.lookForOthers();
    return this.otherWrites;
  }

  /** Notices a commit of another process. */
  private lookForOthers(): void {
    const { client } = this;
    if (this.versionQuery?.client !== client) {
      const statement = client.query<{ data_version: number }, []>("PRAGMA data_version");
      this.versionQuery = { client, statement };
    }
    const version = this.versionQuery.statement.get()?.data_version ?? -1;
    if (version === this.seenDataVersion) return;
    this.seenDataVersion = version;
    this.generationNumber += 1;
    this.otherWrites += 1;
  }

  close(): Promise<void> {
    if (this.soon !== null) clearTimeout(this.soon);
    this.commits.close();
    this.log.reset();
    this.connection?.close();
    this.connection = null;
    return Promise.resolve();
  }

  /** What to throw for an error of the store: faults become `unavailable`, and the store is tried again later. */
  refusalFor(error: unknown): unknown {
    const fault = faultOf(error, this.path);
    if (fault === undefined) return error;
    this.break(fault);
    return unavailable();
  }

  private break(fault: Fault): void {
    const news = this.fault?.sentence !== fault.sentence;
    this.fault = fault;
    this.nextTryMs = this.options.runtime.monotonic() + RETRY_MS;
    if (news) this.options.onFailure?.(fault.sentence);
  }

  private recovered(): void {
    if (this.fault === null) return;
    this.fault = null;
    this.options.onFailure?.(null);
  }

  /** A new connection (the file may be another one after a repair), proved by a write. */
  private reconnect(): void {
    if (this.options.runtime.monotonic() < this.nextTryMs) throw unavailable();
    try {
      this.connection?.close();
      this.connection = null;
      // The event loop does not stand still for a lock: the next try is a second away.
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

  /** Whatever a flush fails with is a fault of the store: nobody can say what of the log is on disk. */
  private flushFault(error: unknown): unknown {
    if (faultOf(error, this.path) !== undefined) return error;
    return Object.assign(new Error(`The log cannot be flushed: ${String(error)}`), { code: "EIO" });
  }

  /**
   * After a flush that failed: what was committed stands in the file for whoever opens it next, though nobody was told
   * that it does. It is put right there and then, as far as the file takes it, and again when the store is tried anew.
   */
  private settleDoubts(): void {
    const client = this.connection;
    if (client === null) return;
    try {
      client.run("BEGIN IMMEDIATE");
      this.otherWrites += 1;
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
    const client = connectTo(this.path, lockWaitMs);
    this.connection = client;
    this.drizzled = null;
    this.forWork = null;
    this.generationNumber += 1;
    this.otherWrites += 1;
    return client;
  }
}

/** Opens the store of a data folder, made and brought up to date where needed. */
export function openStore(options: StoreOptions): SqliteStore {
  return new SqliteStore(options);
}

/**
 * A connection as the store uses it, its schema up to date. Throws SQLite's errors.
 * @param lockWaitMs how long this call may stand still for another process's lock
 */
function connectTo(path: string, lockWaitMs: number): Database {
  makePrivate(path);
  const client = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    useWriteAheadLog(client, lockWaitMs);
    client.run(`PRAGMA busy_timeout = ${lockWaitMs}`);
    client.run("PRAGMA synchronous = FULL");
    client.run("PRAGMA foreign_keys = ON");
    migrate(client);
    // From here on a lock is waited for between turns (commit.ts), not by holding up everybody.
    client.run("PRAGMA busy_timeout = 0");
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * The store and its log are for this user only, from their first byte: SQLite gives the log and its index the mode that
 * the store has when they are made.
 */
function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/** Two processes that make the same file refuse each other this step at once, whatever `busy_timeout` says: so it is tried again. */
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
 * The connection as drizzle uses it, but every statement is prepared once and kept: quicker, and closing the
 * connection then really closes it (a statement that was never finalized keeps the file open until it is collected).
 */
function keepingStatements(client: Database): Database {
  const kept = { prepare: (text: string) => client.query(text), exec: (text: string) => client.run(text) };
  // Of a Database drizzle's session takes `prepare` and `exec`, and `transaction` only for its own transactions,
  // which we do not use (drizzle-orm/bun-sqlite/session.js, 0.45).
  return kept as Pick<Database, "prepare" | "exec"> as Database;
}

/** Drizzle with statements of our own text beside it. */
function toWorkDb(db: BunSQLiteDatabase, client: Database): StoreDb {
  const rows = (text: string, ...values: StatementValue[]) => client.query(text).all(...values);
  // Its answers are there at once, which `StoreDb` does not say: `result` hands them on either way.
  return Object.assign(db, { rows }) as unknown as StoreDb;
}

/** What callers are told while a store does not work. */
export function unavailable(): ServiceError {
  return new ServiceError("unavailable", UNAVAILABLE, { retryAfterSeconds: 5 });
}
