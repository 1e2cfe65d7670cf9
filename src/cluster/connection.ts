import type { SQL } from "bun";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { OperatorError } from "../errors.ts";
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

/** A lazy pool of database connections. @param max maximum number of connections */
export function connectionPool(url: string, max: number): SQL {
  return new Bun.SQL(url, {
    max,
    bigint: true,
    connectionTimeout: 5,
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
  // Also as the cause of a transaction in doubt.
  if (error instanceof AnswerTimeout || error.cause instanceof AnswerTimeout) return "lost";
  const cause = error.cause instanceof Error ? error.cause : error;
  const state = "errno" in cause ? String(cause.errno) : "";
  if (AGAIN.has(state)) return "again";
  if (/^[0-9A-Z]{5}$/.test(state)) return LOST.test(state) ? "lost" : "failed";
  const code = "code" in cause ? String(cause.code) : "";
  return code.startsWith("ERR_POSTGRES_") || /^E[A-Z]+$/.test(code) ? "lost" : "failed";
}

/** The reason for an operator's message; the client's messages never contain the password. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
