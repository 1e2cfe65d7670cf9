import type { SQL } from "bun";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { OperatorError } from "../errors.ts";
import type { StatementValue, StoreDb } from "../store/work.ts";

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
