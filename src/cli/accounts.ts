import { type Accounts, openAccounts } from "../compose.ts";
import { type AuditEvent, OPERATOR } from "../accounts/audit.ts";
import { OperatorError, ServiceError } from "../errors.ts";
import { storeState } from "../store/folder.ts";
import { type Io, UsageError } from "./command.ts";

/** Opens the accounts of the data folder for one command, and closes them behind it. A damaged store is refused. */
export async function withAccounts<T>(io: Io, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const accounts = openAccounts(io.loaded.config, io.runtime);
  try {
    await accounts.store.ready();
    return await work(accounts);
  } catch (refused) {
    // A caller is told to come again; whoever sits at the machine is told what is wrong with the store.
    const { failure } = accounts.store;
    if (refused instanceof ServiceError && refused.kind === "unavailable" && failure !== null) {
      throw new OperatorError(failure);
    }
    throw refused;
  } finally {
    await accounts.store.close();
  }
}

/**
 * Writes what a command did outside the store (to the dataset, to a file) into the audit log of its data folder, where
 * there is a store. It is done already: a store that cannot be written is told of, and changes nothing.
 */
export async function recordOutside(io: Io, event: AuditEvent, actor = OPERATOR): Promise<void> {
  const { store, dataDir } = io.loaded.config;
  if (store === "" && storeState(dataDir) !== "there") return;
  try {
    await withAccounts(io, ({ audit }) => audit.record(actor, event));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    io.note(`Not written into the audit log: ${error.message}`);
  }
}

/** A flag of the commands that a server starts. */
export const byServer = {
  about: "Set when a server runs this command; the server then writes the audit log.",
} as const;

/** A time as JSON and people read it: ISO 8601 in UTC, null for none. */
export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** A whole number of a flag. @throws UsageError for anything else, and outside the bounds */
export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^-?\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw new UsageError(
    `Cannot read ${flag} ${JSON.stringify(text)}: expected a whole number from ${least} to ${most}.`,
  );
}

/** Lines of a table, columns as wide as their widest cell; numbers to the right. */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const number = typeof rows[0]?.[column] === "number";
        return number ? String(cell).padStart(width) : String(cell).padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
