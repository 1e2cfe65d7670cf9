import type { SQL } from "bun";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { OperatorError } from "../../errors.ts";
import type { StatementValue, StoreDb } from "../work.ts";

/** Of a connection, or a pool of them, what runs a statement. */
type Runs = Pick<SQL, "unsafe">;

/** Where a database is: what may be logged of a URL. @throws OperatorError for one that cannot be read */
export function placeOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new OperatorError("Cannot read --store: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.");
  }
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname}:${port === "" ? "5432" : port}${pathname}`;
}

/** Connections to a database. Nothing is opened before it is asked for. @param max how many at most */
export function connectionPool(url: string, max: number): SQL {
  return new Bun.SQL(url, {
    max,
    bigint: true,
    connectionTimeout: 5,
    // What the server itself ends; what does not answer at all is given up by us a little later.
    connection: {
      application_name: "execcomp",
      statement_timeout: "5000",
      idle_in_transaction_session_timeout: "10000",
      synchronous_commit: "on",
    },
  });
}

/** Statements as a store has them, on a connection. */
export function storeDb(connection: Runs): StoreDb {
  const values = async (text: string, given: unknown[]): Promise<unknown[][]> => {
    const rows: unknown[][] = await connection.unsafe(numbered(text), given).values();
    return rows.map((row) => row.map(plain));
  };
  const db = drizzle(async (text, given, method) => {
    const rows = await values(text, given);
    // For `get` drizzle takes the one row; that there is none has no type of its own there.
    return { rows: method === "get" ? (rows[0] as unknown[]) : rows };
  });
  const rows = async <Row>(text: string, ...given: StatementValue[]): Promise<Row[]> => {
    const found: Record<string, unknown>[] = await connection.unsafe(numbered(text), given);
    // The type parameter is the caller's word about the SQL.
    return found.map(
      (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])) as Row,
    );
  };
  // Drizzle's own type, but for the driver's name of a result that nobody looks at.
  return Object.assign(db, { rows }) as StoreDb;
}

/** SQLite's placeholders as PostgreSQL's; a `?` inside quotes stays. */
export function numbered(text: string): string {
  let count = 0;
  return text.replaceAll(/'[^']*'|"[^"]*"|\?(\d*)/g, (found, number: string | undefined) => {
    if (!found.startsWith("?")) return found;
    return `$${number === undefined || number === "" ? ++count : number}`;
  });
}

/** Every number of the store fits: ids, milliseconds, credits. */
function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
