import type { SQL } from "bun";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { codeOf, OperatorError } from "../errors.ts";
import type { StatementValue, StoreDb } from "../store/store.ts";

/** The part of a connection or pool that runs statements. */
type Runs = Pick<SQL, "unsafe">;

/** A database's location without credentials, for logs. @throws OperatorError for an invalid URL */
export function placeOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new OperatorError("Cannot read --store: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.");
  }
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname}:${port === "" ? "5432" : port}${pathname}`;
}

/** How long to wait for a connection. */
export const CONNECT_SECONDS = 5;

/** A lazy pool of database connections. @param max maximum number of connections */
export function connectionPool(url: string, max: number): SQL {
  return new Bun.SQL(url, {
    max,
    bigint: true,
    connectionTimeout: CONNECT_SECONDS,
    // Timeouts enforced by the server; slightly later, we give up on a server that does not answer.
    connection: {
      application_name: "execcomp",
      statement_timeout: "5000",
      idle_in_transaction_session_timeout: "10000",
      synchronous_commit: "on",
    },
  });
}

/** Wraps a connection as `StoreDb`. */
export function storeDb(connection: Runs): StoreDb {
  const values = async (text: string, given: unknown[]): Promise<unknown[][]> => {
    const rows: unknown[][] = await connection.unsafe(toPostgresPlaceholders(text), given).values();
    return rows.map((row) => row.map(plain));
  };
  const db = drizzle(async (text, given, method) => {
    const rows = await values(text, given);
    // For `get`, drizzle expects a single row; its type does not allow for none.
    return { rows: method === "get" ? (rows[0] as unknown[]) : rows };
  });
  const rows = async <Row>(text: string, ...given: StatementValue[]): Promise<Row[]> => {
    const found: Record<string, unknown>[] = await connection.unsafe(toPostgresPlaceholders(text), given);
    // The caller is responsible for the type parameter.
    return found.map(
      (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])) as Row,
    );
  };
  // The same type as drizzle's, except for the name of an unused result type.
  return Object.assign(db, { rows }) as StoreDb;
}

/** Converts SQLite's placeholders to PostgreSQL's, leaving `?` inside quotes alone. */
export function toPostgresPlaceholders(text: string): string {
  let count = 0;
  return text.replaceAll(/'[^']*'|"[^"]*"|\?(\d*)/g, (found, number: string | undefined) => {
    if (!found.startsWith("?")) return found;
    return `$${number === undefined || number === "" ? ++count : number}`;
  });
}

/** All integers of the store fit a number: ids, milliseconds, credits. */
function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** Errors of PostgreSQL and its connection, by possible remedy. */
export type PostgresFault =
  /** A concurrent change: retrying may succeed. */
  | "again"
  /** The connection failed or was lost, so the outcome of the last statement is unknown. */
  | "lost"
  /** The statement is at fault. */
  | "failed";

/** An answer took too long; the connection is abandoned. */
export class AnswerTimeout extends Error {
  constructor() {
    super("no answer in time");
  }
}

/** Serialization failures, deadlocks, unique violations by concurrent inserts, and locks not granted in time. */
const AGAIN = new Set(["40001", "40P01", "23505", "55P03"]);

/** Whether a statement gave up waiting for another transaction's lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "errno" in error && error.errno === "55P03";
}

/**
 * Codes for a server that is stopping, starting, full or read-only (a demoted primary), for statement timeouts, and for
 * a wrong database or password until it is corrected.
 * @see PostgreSQL, Appendix A
 */
const LOST = /^(08|53|57|58|25006|28|3D|40003|XX)/;

/** Classifies an error of Bun's client. */
export function postgresFaultOf(error: unknown): PostgresFault {
  if (!(error instanceof Error)) return "failed";
  if (error instanceof AnswerTimeout) return "lost";
  // Drizzle wraps the client's errors, and a transaction in doubt wraps either.
  if (error.cause instanceof Error) return postgresFaultOf(error.cause);
  const state = "errno" in error ? String(error.errno) : "";
  if (AGAIN.has(state)) return "again";
  if (/^[0-9A-Z]{5}$/.test(state)) return LOST.test(state) ? "lost" : "failed";
  const code = codeOf(error);
  return code.startsWith("ERR_POSTGRES_") || /^E[A-Z]+$/.test(code) ? "lost" : "failed";
}

/** The reason for an operator's message; the client's messages never contain the password. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A lock that one server of a database holds at a time. It belongs to its connection, so a server that dies releases it.
 */
export class AdvisoryLock {
  private workers = 0;
  private held: Promise<SQL | null> | undefined;

  /** @param name what is locked */
  constructor(
    private readonly url: string,
    private readonly name: string,
  ) {}

  /**
   * Runs work while this server holds the lock, possibly concurrently with other work of this server. Rejects if the
   * database does not answer.
   *
   * @returns null, without running it, while another server holds the lock
   */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    this.held ??= this.acquire();
    this.workers += 1;
    try {
      return (await this.held) === null ? null : await work();
    } finally {
      await this.leave();
    }
  }

  private async leave(): Promise<void> {
    this.workers -= 1;
    if (this.workers > 0) return;
    const last = this.held;
    this.held = undefined;
    // If acquiring failed, there is nothing to release, and the error has been reported to the caller.
    const sql = await last?.catch(() => null);
    if (!sql) return;
    // The database closes connections with a delay; unlock explicitly, so that the next server need not wait for that.
    await sql`SELECT pg_advisory_unlock(hashtext(${this.name}))`.catch(() => {});
    await sql.close({ timeout: 0 });
  }

  /** The connection that holds the lock; null while another server holds it. */
  private async acquire(): Promise<SQL | null> {
    const sql = new Bun.SQL(this.url, { max: 1, connectionTimeout: CONNECT_SECONDS });
    let isHeld = false;
    try {
      const rows: unknown = await sql`SELECT pg_try_advisory_lock(hashtext(${this.name})) AS held`;
      // The column selected above.
      isHeld = Array.isArray(rows) && (rows[0] as { held?: unknown }).held === true;
      return isHeld ? sql : null;
    } finally {
      if (!isHeld) await sql.close({ timeout: 0 });
    }
  }
}
