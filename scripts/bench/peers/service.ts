/**
 * What somebody would write who has the rows in SQLite and needs an API with keys, windows and credits: the part that does not depend on
 * the framework. Both drivers of SQLite have the same calls.
 */
import { createHash } from "node:crypto";

/** The calls of a driver that are used. */
export interface Driver {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...values: unknown[]): unknown[];
    get(...values: unknown[]): unknown;
    run(...values: unknown[]): unknown;
  };
  transaction<Of>(work: () => Of): () => Of;
}

/** An answer with its status. */
export interface Answer {
  status: number;
  body: unknown;
}

const QUOTA = 100_000_000;
const PAGE = `SELECT * FROM compensation WHERE ticker = ? AND fiscal_year > (SELECT max(fiscal_year) FROM compensation WHERE ticker = ?) - ?
  ORDER BY fiscal_year DESC, is_peo DESC, total_compensation DESC`;

/** The operations on a database with the view `compensation` and the tables that `fillPeer` makes. */
export function makeService(database: Driver) {
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL");
  const page = database.prepare(PAGE);
  const findKey = database.prepare("SELECT user_id FROM keys WHERE hash = ?");
  const count = database.prepare(
    "INSERT INTO windows (holder, minute, n) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n",
  );
  const spend = database.prepare(
    "UPDATE balances SET credits = credits - 1 WHERE user_id = ? AND credits > 0 RETURNING credits",
  );
  const enter = database.prepare("INSERT INTO ledger (user_id, at_ms, amount) VALUES (?, ?, -1)");
  const rowsOf = (ticker: string, years: number) => ({
    executive_compensation: page.all(ticker, ticker, years).map((row) => {
      // A row of the view.
      const { source_form, source_accession, source_filing_date, source_filing_url, ...rest } = row as Record<
        string,
        unknown
      >;
      const source = {
        form: source_form,
        accession: source_accession,
        filing_date: source_filing_date,
        filing_url: source_filing_url,
      };
      return { ...rest, source };
    }),
  });
  const isOver = (holder: string) => {
    // The column of the statement.
    const { n } = count.get(holder, Math.floor(Date.now() / 60_000)) as { n: number };
    return n > QUOTA;
  };
  const refuse = (status: number, message: string): Answer => ({
    status,
    body: { error: String(status), message },
  });
  return {
    facts(address: string, ticker: string): Answer {
      if (isOver(address)) return refuse(429, "Too many requests.");
      return { status: 200, body: rowsOf(ticker, 1) };
    },
    rows(secret: string, ticker: string, years: number): Answer {
      const hash = createHash("sha256").update(secret).digest("base64");
      // The column of the statement.
      const found = findKey.get(hash) as { user_id: string } | undefined | null;
      if (found === undefined || found === null) return refuse(401, "No such key.");
      const user = found.user_id;
      const charged = database.transaction(() => {
        if (isOver(hash)) return refuse(429, "Too many requests.");
        if (years > 1) {
          const left = spend.get(user);
          if (left === undefined || left === null) return refuse(402, "No credits left.");
          enter.run(user, Date.now());
        }
        return { status: 200, body: rowsOf(ticker, years) };
      });
      return charged();
    },
  };
}
