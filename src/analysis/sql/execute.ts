/** Runs a checked statement over a snapshot's views. Use only in a process that may be killed: execution cannot be interrupted. */
import type { Database } from "bun:sqlite";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { nearest } from "../../domain/spellings.ts";
import { createViews, VIEWS } from "./views.ts";
import { type Instruction, requireAllowed, OVER_THE_VIEWS, readStatement, refused } from "./statement.ts";

/** A result value. Integers beyond 2^53 and infinities are text; blobs are hex text. */
export type SqlValue = string | number | null;

/** The result of a statement. */
export interface SqlResult {
  /** Names of the columns, without duplicates. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** Which limit truncated the result; null if it is complete. */
  readonly cut: "rows" | "bytes" | null;
  /** Edition of the queried dataset. */
  readonly edition: string;
}

/** Size limits of a result. */
export interface SqlSize {
  readonly maxRows: number;
  /** Bytes of the rows as JSON. */
  readonly maxBytes: number;
}

/** Maximum columns of a result. */
const MAX_COLUMNS = 500;
/** SQLite's page cache in KiB. A mapped file would count towards the process's memory. */
const CACHE_KIB = 64 << 10;

/** Prepares a connection used only for one statement: sorting and grouping stay in memory, which the process limits. */
export function confine(database: Database): void {
  for (const pragma of [
    "temp_store = memory",
    "mmap_size = 0",
    `cache_size = -${CACHE_KIB}`,
    "cell_size_check = on",
  ]) {
    database.run(`pragma ${pragma}`);
  }
  createViews(database);
  database.run("pragma query_only = on");
}

/**
 * Runs a statement.
 *
 * @param database on which `confine` was called
 * @throws ServiceError `invalid_parameter` for a statement that is not allowed, cannot be read, or fails
 */
export function execute(database: Database, text: string, size: SqlSize): SqlResult {
  return over(database, text, ({ columns, lines, edition }) => ({
    columns,
    ...takeRows(lines, columns, size),
    edition,
  }));
}

/** The kinds of values in a column of a result: whole numbers of 32 bits, other numbers, or any text. */
export type SqlKind = "whole" | "double" | "text";

/** The result of a statement in a file, one JSON array a line. */
export interface SqlFile {
  readonly columns: readonly { readonly name: string; readonly kind: SqlKind }[];
  readonly rows: number;
  readonly edition: string;
  /** Whether `maxRows` left out rows. */
  readonly isCut: boolean;
}

/** Bytes written at once. */
const WRITTEN_AT_ONCE = 1 << 20;

/** Runs a statement and writes its rows to a file, so that memory use does not depend on their number. Throws as `execute`. */
export function executeToFile(database: Database, text: string, path: string, maxRows: number): SqlFile {
  return over(database, text, ({ columns, lines, edition }) => {
    const file = openSync(path, "w", 0o600);
    const kinds = columns.map((): SqlKind => "whole");
    let [rows, isCut, pending] = [0, false, ""];
    const drain = () => {
      writeFileSync(file, pending);
      pending = "";
    };
    try {
      for (const line of lines) {
        if (rows === maxRows) {
          isCut = true;
          break;
        }
        const row = columns.map((name) => valueOf(line[name]));
        for (const [at, value] of row.entries()) kinds[at] = widened(kinds[at] ?? "text", value);
        pending += `${JSON.stringify(row)}\n`;
        rows++;
        if (pending.length > WRITTEN_AT_ONCE) drain();
      }
      drain();
    } finally {
      closeSync(file);
    }
    return {
      columns: columns.map((name, at) => ({ name, kind: kinds[at] ?? "text" })),
      rows,
      edition,
      isCut,
    };
  });
}

/** The kind that has a value too. */
function widened(kind: SqlKind, value: SqlValue): SqlKind {
  if (value === null || kind === "text") return kind;
  if (typeof value === "string") return "text";
  return kind === "whole" && (value | 0) === value ? "whole" : "double";
}

/** Reads and checks a statement, and uses its rows. */
function over<T>(
  database: Database,
  text: string,
  use: (executing: {
    columns: readonly string[];
    lines: Iterable<Record<string, unknown>>;
    edition: string;
  }) => T,
): T {
  const sql = readStatement(text);
  try {
    const program = database.prepare<Instruction, []>(`explain ${sql}`);
    requireAllowed(program.all());
    program.finalize();
    const statement = database.prepare<Record<string, unknown>, []>(sql).safeIntegers(true);
    const columns = statement.columnNames;
    requireColumns(columns);
    const edition =
      database.query<{ value: string }, []>("select value from main.meta where key = 'edition'").get()
        ?.value ?? "";
    return use({ columns, lines: statement.iterate(), edition });
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError")
      throw refused(sentenceOf(error.message, text));
    throw error;
  }
}

function takeRows(
  found: Iterable<Record<string, unknown>>,
  columns: readonly string[],
  { maxRows, maxBytes }: SqlSize,
): Pick<SqlResult, "rows" | "cut"> {
  const rows: SqlValue[][] = [];
  let bytes = 0;
  for (const line of found) {
    if (rows.length === maxRows) return { rows, cut: "rows" };
    const row = columns.map((name) => valueOf(line[name]));
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (bytes > maxBytes) return { rows, cut: "bytes" };
    rows.push(row);
  }
  return { rows, cut: null };
}

function valueOf(value: unknown): SqlValue {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") {
    const near = Number(value);
    return Number.isSafeInteger(near) ? near : String(value);
  }
  if (value instanceof Uint8Array) return value.toHex();
  throw new Error(`SQLite gave a ${typeof value}`);
}

function requireColumns(columns: readonly string[]): void {
  if (columns.length > MAX_COLUMNS)
    throw refused(`The result has ${columns.length} columns; the maximum is ${MAX_COLUMNS}.`);
  const twice = [...new Set(columns.filter((name, at) => columns.indexOf(name) !== at))];
  if (twice.length > 0)
    throw refused(
      `Several columns are named ${twice
        .slice(0, 3)
        .map((name) => JSON.stringify(name))
        .join(", ")}${twice.length > 3 ? " and so on" : ""}: list the columns, and name each with AS.`,
    );
}

/**
 * The column of the views in a statement with a similar name, or the first that ends or begins with it or has it as a word:
 * `year` is `fiscal_year`, `total` is `total_compensation`.
 */
function columnMeant(word: string, statement: string): string | undefined {
  const views = VIEWS.filter(({ name }) => statement.toLowerCase().includes(name));
  const names = [...new Set(views.flatMap(({ columns }) => columns.map(({ name }) => name)))];
  return (
    nearest(word, names) ??
    names.find((name) => name.endsWith(`_${word}`)) ??
    names.find((name) => name.startsWith(word)) ??
    names.find((name) => name.split("_").includes(word))
  );
}

/** The words that a statement compares with: `AAPL` of `ticker = AAPL`. */
function comparedWords(statement: string): string[] {
  return [...statement.matchAll(/(?:[=<>]|\blike\b|\bin\s*\()\s*(\w+)/gi)].map(([, word = ""]) => word);
}

/** Rewords SQLite's message about a statement, with a suggestion where one is close. */
function sentenceOf(message: string, statement: string): string {
  const [, kind, name = ""] = /^no such (column|table|function): (.+)$/s.exec(message) ?? [];
  const shown = name.slice(0, 80);
  const bare = name.split(".").at(-1) ?? "";
  switch (kind) {
    case "column": {
      const holders = VIEWS.filter(({ columns }) => columns.some((one) => one.name === bare));
      if (holders.length > 0) {
        const views = holders.map((view) => view.name).join(", ");
        // The tables behind the views have names too, such as `rows`.
        if (!VIEWS.some((view) => statement.toLowerCase().includes(view.name)))
          return `No column ${shown}: this selects from none of the views, of which ${views} ${holders.length === 1 ? "has" : "have"} it.`;
        return `No column ${shown} in the selected views; ${views} ${holders.length === 1 ? "has" : "have"} it.`;
      }
      const meant = columnMeant(bare.toLowerCase(), statement);
      if (meant !== undefined) return `No column ${shown}. Did you mean ${meant}?`;
      // After an operator a word without quotes is a column's name to SQLite.
      const isText = statement.includes(`"${name}"`) || comparedWords(statement).includes(name);
      const selected = VIEWS.find((view) => statement.toLowerCase().includes(view.name)) ?? VIEWS[0];
      return `No column ${shown}. ${isText ? "Put text in single quotes." : `SELECT * FROM ${selected?.name} LIMIT 1 shows the columns of a view.`}`;
    }
    case "table": {
      const meant = nearest(
        bare,
        VIEWS.map((view) => view.name),
      );
      return `No view ${shown}.${meant === undefined ? "" : ` Did you mean ${meant}?`} Write one SELECT ${OVER_THE_VIEWS}.`;
    }
    case "function":
      return `No function ${shown}. Text, number, date, JSON, aggregate and window functions are allowed.`;
    default:
      if (/readonly database|may not be modified|cannot modify/.test(message))
        return `The statement does more than read. Write one SELECT ${OVER_THE_VIEWS}.`;
      return `SQLite: ${message.slice(0, 300)}.${/syntax error/.test(message) ? " Write SQLite's dialect, where LIKE ignores case." : ""}`;
  }
}
