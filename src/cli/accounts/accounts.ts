import { type Accounts, openAccounts } from "../../server/compose.ts";
import { type AuditEvent, OPERATOR } from "../../accounts/audit.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { storeState } from "../../store/folder.ts";
import { normalizeEmail, type User } from "../../accounts/users.ts";
import {
  command,
  type Command,
  type Declared,
  type Flag,
  type Arguments,
  type Io,
  sameFolder,
} from "../command.ts";

/** Opens the accounts of the data folder for one command and closes them afterwards. Refuses a damaged store. */
export async function withAccounts<T>(io: Io, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const accounts = openAccounts(io.loaded.config, io.runtime);
  try {
    await accounts.store.ready();
    return await work(accounts);
  } catch (refused) {
    // Callers of a server see "try again"; the operator sees what is wrong with the store.
    const { failure } = accounts.store;
    if (refused instanceof ServiceError && refused.kind === "unavailable" && failure !== null)
      throw new OperatorError(failure);
    throw refused;
  } finally {
    await accounts.store.close();
  }
}

/** Declares a command that works on the accounts; `run` is given them first. */
export function accountsCommand<
  const F extends Readonly<Record<string, Flag>> = Readonly<Record<never, Flag>>,
>(
  declared: Omit<Declared<F>, "run"> & {
    run(accounts: Accounts, given: Arguments<F>, io: Io): Promise<number | void>;
  },
): Command {
  return command<F>({
    settings: ["store"],
    ...declared,
    run: (given, io) => withAccounts(io, (accounts) => declared.run(accounts, given, io)),
  });
}

/**
 * Records in the audit log what a command did outside the store (to the dataset or a file), if the data folder has a store.
 * The action has already happened: if the log cannot be written, a note says so and nothing else changes.
 */
export async function recordOutside(io: Io, event: AuditEvent, actor = OPERATOR): Promise<void> {
  const { store, dataDir } = io.loaded.config;
  if (store === "" && storeState(dataDir) !== "there") return;
  try {
    await withAccounts(io, ({ audit }) => audit.record(actor, event));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    io.note(`Not recorded in the audit log: ${error.message}`);
  }
}

/** The user with an address. @throws OperatorError for an unknown one, naming the list that has the others, in the same folder */
export async function requireUser(accounts: Accounts, email: string, io: Io): Promise<User> {
  const user = await accounts.users.findByEmail(email);
  if (user !== undefined) return user;
  const address = normalizeEmail(email);
  const isInvited = (await accounts.links.pending()).some((one) => one.email === address);
  const what = isInvited ? `${address} has not accepted the invitation yet` : `No user ${address}`;
  throw new OperatorError(`${what}. See: execcomp users list${sameFolder(io.loaded)}`);
}

/** The flag of commands on one user. */
export const whose = {
  user: { value: "EMAIL", about: "The user's e-mail address.", required: true },
} as const;

/** A flag for commands started by a server. */
export const byServer = {
  about: "Set when a server runs this command; the server then writes the audit log.",
} as const;

/** A time in ISO 8601, UTC; null for none. */
export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
