import { shellWord } from "../lib/text.ts";
import { and, asc, eq, gt, gte, inArray, isNull, lt, ne, sql, type SQL } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { forbidden, invalid } from "../errors.ts";
import { type Actor, OPERATOR, recordAuditEvent } from "../store/audit.ts";
import {
  balances,
  identities,
  keys,
  links,
  peerGroups,
  rowCounts,
  sessions,
  users,
} from "../store/schema.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { endLinksOf } from "./links.ts";

/** A user. Never includes the password hash. */
export interface User {
  id: string;
  email: string;
  role: "owner" | "member";
  createdAtMs: number;
  disabledAtMs: number | null;
  /** Whether the user has a password to sign in with. */
  hasPassword: boolean;
}

/** A user in a list, with the balance. */
export interface ListedUser extends User {
  balance: number;
  unmetered: boolean;
}

/** A user as stored. */
export type UserRow = typeof users.$inferSelect;

/** The columns that identify a user. */
export type PersonRow = Pick<
  UserRow,
  "id" | "email" | "role" | "createdAtMs" | "disabledAtMs" | "passwordHash"
>;

/**
 * Users. Disabling or deleting one immediately ends sessions, keys and tokens. Every change is recorded in the audit
 * log with its actor, by default the operator at the command line.
 */
export class Users {
  private readonly accessEndedHandlers: ((tx: StoreDb, userId: string) => Promise<void>)[] = [];

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "id">,
  ) {}

  /** The user with an address, in any spelling; undefined without one. */
  findByEmail(email: string): Promise<User | undefined> {
    return this.find(eq(users.email, normalizeEmail(email)));
  }

  /** The user with an id; undefined if there is none or it was deleted. */
  findById(id: string): Promise<User | undefined> {
    return this.find(eq(users.id, id));
  }

  /** Like `findByEmail`. Refuses an unknown user with `invalid_parameter`. */
  async requireByEmail(email: string): Promise<User> {
    const user = await this.findByEmail(email);
    if (user !== undefined) return user;
    throw invalid(`No user ${normalizeEmail(email)}.`);
  }

  /** The user with an address; created without a password if there is none. Refuses disabled users. */
  async findOrCreate(email: string, actor: Actor = OPERATOR): Promise<User> {
    const normal = normalizeEmail(email);
    return this.store.transact(async (tx) => {
      const values = { email: normal, passwordHash: null, role: "member", proved: true } as const;
      const { row, created } = await insertUser(tx, this.runtime, values);
      const user = toUser(row);
      if (created) {
        const after = { role: user.role, password: false };
        await recordAuditEvent(tx, this.runtime.now(), actor, {
          act: "user_created",
          userId: user.id,
          after,
        });
      }
      if (user.disabledAtMs !== null) {
        throw invalid(
          `The user ${normal} is disabled. Enable it with: execcomp users enable --user ${shellWord(normal)}`,
        );
      }
      return user;
    });
  }

  /** All users except deleted ones, by e-mail. */
  list(): Promise<readonly User[]> {
    return this.store.read(async (db) => {
      const rows = await db
        .select()
        .from(users)
        .where(isNull(users.deletedAtMs))
        .orderBy(asc(users.email))
        .all();
      return rows.map(toUser);
    });
  }

  /**
   * A page of users, by e-mail.
   * @param options.text text to find in the e-mail, ignoring case, or its beginning among many users; empty for all
   * @param options.after last e-mail of the previous page; empty for the first page
   */
  page(options: { text: string; after: string; limit: number }): Promise<readonly ListedUser[]> {
    const { text, after, limit } = options;
    return this.store.read(async (db) => {
      const rows = await db
        .select({ user: users, balance: balances.balanceCredits, unmetered: balances.unmetered })
        .from(users)
        .leftJoin(balances, eq(balances.userId, users.id))
        .where(and(await matching(db, text), gt(users.email, after)))
        .orderBy(asc(users.email))
        .limit(limit)
        .all();
      return rows.map(({ user, balance, unmetered }) => ({
        ...toUser(user),
        balance: balance ?? 0,
        unmetered: unmetered ?? false,
      }));
    });
  }

  /** Number of users that `page` finds with a text: more than `MAX_MATCHES` are not counted further. Without a text, of all. */
  count(text: string): Promise<number> {
    return this.store.read(async (db) => {
      if (text.trim() === "") return rowCount(db, "users");
      const found = db
        .select({ id: users.id })
        .from(users)
        .where(await matching(db, text));
      return db.$count(found.limit(MAX_MATCHES + 1).as("found"));
    });
  }

  /** The e-mail addresses of users; `deleted:{id}` of deleted ones. */
  emails(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.store.read((db) => emailsOf(db, ids));
  }

  /** Whether there is an active owner; until then there is a set-up link. */
  hasOwner(): Promise<boolean> {
    return this.store.read(hasOwner);
  }

  /**
   * Disables a user, which takes effect everywhere at once, until enabled again. Keys and credits are kept. Refuses the
   * last owner with `forbidden`, because no one could undo it from a page; only the operator can.
   */
  disable(id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.setDisabled(id, true, actor);
  }

  /** Enables a disabled user. */
  enable(id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.setDisabled(id, false, actor);
  }

  /**
   * Makes a user an owner, or a member, whose links are then revoked. Refuses with `forbidden` to demote the last
   * owner.
   */
  setRole(id: string, role: User["role"], actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact(async (tx) => {
      const before = await tx.select().from(users).where(eq(users.id, id)).get();
      if (before === undefined || before.deletedAtMs !== null) {
        throw invalid("There is no such user.");
      }
      if (before.role === role) return;
      if (role === "member") await refuseLastOwner(tx, before, "made a member");
      const change = { before: { role: before.role }, after: { role } };
      const nowMs = this.runtime.now();
      await recordAuditEvent(tx, nowMs, actor, { act: "role_changed", userId: id, ...change });
      if (role === "member") await endLinksOf(tx, nowMs, actor, before);
      await tx.update(users).set({ role }).where(eq(users.id, id)).run();
    });
  }

  /**
   * Deletes a user permanently, with sessions, keys, open links, peer groups, e-mail and password. The ledger is kept
   * under the user's id. A new user may have the same address. Refuses the last owner like `disable`.
   */
  delete(id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const row = await tx.select().from(users).where(eq(users.id, id)).get();
      if (row === undefined || row.deletedAtMs !== null) return;
      if (actor !== OPERATOR) await refuseLastOwner(tx, row, "deleted");
      await recordAuditEvent(tx, nowMs, actor, {
        act: "user_deleted",
        userId: id,
        before: { role: row.role },
      });
      await tx.delete(sessions).where(eq(sessions.userId, id)).run();
      await this.endAccess(tx, id);
      await endLinksOf(tx, nowMs, actor, row);
      // Used and expired ones still have the address.
      await tx.delete(links).where(eq(links.email, row.email)).run();
      await tx.delete(identities).where(eq(identities.userId, id)).run();
      await tx.delete(peerGroups).where(eq(peerGroups.userId, id)).run();
      const ended = { revokedAtMs: nowMs, name: "deleted", lastUsedAddress: null };
      await tx.update(keys).set(ended).where(eq(keys.userId, id)).run();
      const deleted = {
        email: `deleted:${id}`,
        passwordHash: null,
        deletedAtMs: nowMs,
        role: "member",
      } as const;
      await tx.update(users).set(deleted).where(eq(users.id, id)).run();
    });
  }

  /**
   * Registers what else ends when a user is disabled or deleted, or gets a new password: connected applications.
   * @param work runs in the same transaction
   */
  onAccessEnded(work: (tx: StoreDb, userId: string) => Promise<void>): void {
    this.accessEndedHandlers.push(work);
  }

  /** Runs what `onAccessEnded` registered. Inside a transaction. */
  async endAccess(tx: StoreDb, userId: string): Promise<void> {
    for (const work of this.accessEndedHandlers) await work(tx, userId);
  }

  private setDisabled(id: string, disabled: boolean, actor: Actor): Promise<void> {
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const before = await tx.select().from(users).where(eq(users.id, id)).get();
      if (disabled && actor !== OPERATOR && before !== undefined) {
        await refuseLastOwner(tx, before, "disabled");
      }
      await recordAuditEvent(tx, nowMs, actor, {
        act: disabled ? "user_disabled" : "user_enabled",
        userId: id,
        before: { disabled: (before?.disabledAtMs ?? null) !== null },
        after: { disabled },
      });
      const disabledAtMs = disabled ? nowMs : null;
      await tx.update(users).set({ disabledAtMs }).where(eq(users.id, id)).run();
      if (!disabled || before === undefined) return;
      await endLinksOf(tx, nowMs, actor, before);
      await tx.delete(sessions).where(eq(sessions.userId, id)).run();
      await this.endAccess(tx, id);
    });
  }

  private find(which: SQL): Promise<User | undefined> {
    return this.store.read(async (db) => {
      const row = await db.select().from(users).where(which).get();
      return row === undefined || row.deletedAtMs !== null ? undefined : toUser(row);
    });
  }
}

const ACTIVE_OWNER = and(eq(users.role, "owner"), isNull(users.deletedAtMs), isNull(users.disabledAtMs));

/** Whether there is an active owner. Inside a transaction, or a read. */
export async function hasOwner(db: StoreDb): Promise<boolean> {
  return (await db.$count(users, ACTIVE_OWNER)) > 0;
}

async function refuseLastOwner(tx: StoreDb, { id, role }: UserRow, what: string): Promise<void> {
  if (role !== "owner" || (await tx.$count(users, and(ACTIVE_OWNER, ne(users.id, id)))) > 0) return;
  throw forbidden(`The last owner cannot be ${what}: no one could undo it.`);
}

async function rowCount(db: StoreDb, name: "users" | "keys"): Promise<number> {
  return (await db.select().from(rowCounts).where(eq(rowCounts.name, name)).get())?.n ?? 0;
}

/** Rows up to which a search may read them all: some two milliseconds. */
const SMALL = 20_000;

/** Matches of a search that are counted. */
export const MAX_MATCHES = 1000;

/** The e-mail addresses of users; `deleted:{id}` of deleted ones. */
export async function emailsOf(db: StoreDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const which = inArray(users.id, [...ids]);
  const found = await db.select({ id: users.id, email: users.email }).from(users).where(which).all();
  return new Map(found.map(({ id, email }) => [id, email]));
}

/** Whether a table is so large that searches must go by index. */
export async function isLarge(db: StoreDb, table: "users" | "keys"): Promise<boolean> {
  return (await rowCount(db, table)) > SMALL;
}

/** The end of the texts that begin with one, in code point order. */
export function endOf(beginning: string): string {
  return `${beginning}\u{10ffff}`;
}

async function matching(db: StoreDb, text: string): Promise<SQL | undefined> {
  const word = text.trim().toLowerCase();
  if (word === "") return isNull(users.deletedAtMs);
  const has = (await isLarge(db, "users"))
    ? and(gte(users.email, word), lt(users.email, endOf(word)))
    : sql`instr(${users.email}, ${word}) > 0`;
  return and(isNull(users.deletedAtMs), has);
}

/**
 * Creates a user unless the address is taken. Inside a transaction. @param user.proved whether the address is verified
 */
export async function insertUser(
  tx: StoreDb,
  runtime: Pick<Runtime, "now" | "id">,
  { proved, ...user }: Pick<UserRow, "email" | "passwordHash" | "role"> & { proved: boolean },
): Promise<{ row: UserRow; created: boolean }> {
  const there = await tx.select().from(users).where(eq(users.email, user.email)).get();
  if (there !== undefined) return { row: there, created: false };
  const row: UserRow = {
    ...user,
    id: runtime.id(),
    createdAtMs: runtime.now(),
    provedAtMs: proved ? runtime.now() : null,
    disabledAtMs: null,
    deletedAtMs: null,
  };
  await tx.insert(users).values(row).run();
  return { row, created: true };
}

/** A user without the password hash. */
export function toUser({ id, email, role, createdAtMs, disabledAtMs, passwordHash }: PersonRow): User {
  return { id, email, role, createdAtMs, disabledAtMs, hasPassword: passwordHash !== null };
}

/**
 * Normalizes an e-mail address as stored: trimmed, composed (NFC), lower case. Nothing else is changed, because only
 * the mail server knows whether dots or plus signs matter. Refuses invalid addresses with `invalid_parameter`.
 */
export function normalizeEmail(given: string): string {
  const email = given.trim().normalize("NFC").toLowerCase();
  if (email.length <= 254 && /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@[^\s@"(),:;<>[\]\\\p{Cc}]+$/u.test(email))
    return email;
  throw invalid(
    `Cannot read ${JSON.stringify(given.slice(0, 100))}: expected an e-mail address such as ann@example.com.`,
  );
}
