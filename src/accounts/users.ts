import { and, asc, count, eq, gt, isNull, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { type Actor, OPERATOR, recordDeed } from "../store/audit.ts";
import { identities } from "../store/identities.ts";
import type { Store, StoreDb } from "../store/open.ts";
import { balances, keys, links, peerGroups, sessions, users } from "../store/schema.ts";
import { normalizeEmail } from "./email.ts";

/** A person who may hold keys. Never carries the password. */
export interface User {
  id: string;
  email: string;
  role: "owner" | "member";
  createdAtMs: number;
  disabledAtMs: number | null;
  /** Whether it can sign in with a password. */
  hasPassword: boolean;
}

/** A user in a list, with what they can spend. */
export interface ListedUser extends User {
  balance: number;
  unmetered: boolean;
}

type Row = typeof users.$inferSelect;

/**
 * People: made, found, disabled, deleted. Who is disabled or deleted loses sessions, keys and tokens at once. Every
 * change stands in the audit log under its actor, by default the operator at the command line.
 */
export class Users {
  private readonly cuts: ((tx: StoreDb, userId: string) => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "id">,
  ) {}

  /** The user with that address, in any spelling of it; undefined for nobody. */
  findByEmail(email: string): User | undefined {
    const normal = normalizeEmail(email);
    return this.find(this.store.read((db) => db.select().from(users).where(eq(users.email, normal)).get()));
  }

  /** The user with that id; undefined for nobody, and for one who was deleted. */
  findById(id: string): User | undefined {
    return this.find(this.store.read((db) => db.select().from(users).where(eq(users.id, id)).get()));
  }

  /** As `findByEmail`. Refuses with `invalid_parameter` when there is no such user. */
  requireByEmail(email: string): User {
    const user = this.findByEmail(email);
    if (user !== undefined) return user;
    throw new ServiceError(
      "invalid_parameter",
      `There is no user ${normalizeEmail(email)}. Create one with: execcomp users create --user ${normalizeEmail(email)} --password-stdin`,
    );
  }

  /** The user with that address, made without a password where there is none. Disabled ones are refused. */
  async findOrCreate(email: string, actor: Actor = OPERATOR): Promise<User> {
    const normal = normalizeEmail(email);
    return this.store.transact((tx) => {
      const wanted = { email: normal, passwordHash: null, role: "member", proved: true } as const;
      const { row, created } = insertUser(tx, this.runtime, wanted);
      const user = toUser(row);
      if (created) {
        const after = { role: user.role, password: false };
        recordDeed(tx, this.runtime.now(), actor, { act: "user_created", userId: user.id, after });
      }
      if (user.disabledAtMs !== null) {
        throw new ServiceError(
          "invalid_parameter",
          `The user ${normal} is disabled. Enable it with: execcomp users enable --user ${normal}`,
        );
      }
      return user;
    });
  }

  /** All users but deleted ones, by e-mail. */
  list(): readonly User[] {
    return this.store.read((db) =>
      db.select().from(users).where(isNull(users.deletedAtMs)).orderBy(asc(users.email)).all().map(toUser),
    );
  }

  /**
   * Users by e-mail, a page of them.
   * @param options.text what stands in the e-mail, in any case; empty for all
   * @param options.after the e-mail that the page before ended with; empty for the first page
   */
  page({ text, after, limit }: { text: string; after: string; limit: number }): readonly ListedUser[] {
    return this.store.read((db) =>
      db
        .select({ user: users, balance: balances.balanceCredits, unmetered: balances.unmetered })
        .from(users)
        .leftJoin(balances, eq(balances.userId, users.id))
        .where(and(matching(text), gt(users.email, after)))
        .orderBy(asc(users.email))
        .limit(limit)
        .all()
        .map(({ user, balance, unmetered }) => ({
          ...toUser(user),
          balance: balance ?? 0,
          unmetered: unmetered ?? false,
        })),
    );
  }

  /** How many users there are with that in their e-mail. */
  count(text: string): number {
    return this.store.read((db) => db.select({ n: count() }).from(users).where(matching(text)).get()?.n ?? 0);
  }

  /** Whether somebody may manage the service: until then there is a set-up link. */
  hasOwner(): boolean {
    return this.store.read((db) => this.countOwners(db) > 0);
  }

  private countOwners(db: StoreDb): number {
    const owner = and(eq(users.role, "owner"), isNull(users.deletedAtMs), isNull(users.disabledAtMs));
    return db.select({ n: count() }).from(users).where(owner).get()?.n ?? 0;
  }

  /**
   * Shuts a user out, at once and everywhere, until enabled again; keys and credits stay. Refuses with `forbidden`
   * the last owner, whom only the operator can disable: nobody could undo it from a page.
   */
  disable(id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact((tx) => {
      const nowMs = this.runtime.now();
      const before = tx.select().from(users).where(eq(users.id, id)).get();
      if (actor !== OPERATOR && before?.role === "owner" && this.countOwners(tx) < 2) {
        throw new ServiceError("forbidden", "The last owner cannot be disabled: nobody could enable them.");
      }
      recordDeed(tx, nowMs, actor, {
        act: "user_disabled",
        userId: id,
        before: { disabled: (before?.disabledAtMs ?? null) !== null },
        after: { disabled: true },
      });
      tx.update(users).set({ disabledAtMs: nowMs }).where(eq(users.id, id)).run();
      tx.delete(sessions).where(eq(sessions.userId, id)).run();
      this.endAccess(tx, id);
    });
  }

  /** Lets a disabled user in again. */
  enable(id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact((tx) => {
      const before = tx.select().from(users).where(eq(users.id, id)).get();
      recordDeed(tx, this.runtime.now(), actor, {
        act: "user_enabled",
        userId: id,
        before: { disabled: (before?.disabledAtMs ?? null) !== null },
        after: { disabled: false },
      });
      tx.update(users).set({ disabledAtMs: null }).where(eq(users.id, id)).run();
    });
  }

  /**
   * Ends a user for good: sessions, keys, open links, peer groups, e-mail and password go. The ledger stays, under a number.
   * The address may be used again, by a new user.
   */
  delete(id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact((tx) => {
      const nowMs = this.runtime.now();
      const row = tx.select().from(users).where(eq(users.id, id)).get();
      if (row === undefined || row.deletedAtMs !== null) return;
      recordDeed(tx, nowMs, actor, { act: "user_deleted", userId: id, before: { role: row.role } });
      tx.delete(sessions).where(eq(sessions.userId, id)).run();
      this.endAccess(tx, id);
      tx.delete(links).where(eq(links.email, row.email)).run();
      tx.delete(identities).where(eq(identities.userId, id)).run();
      tx.delete(peerGroups).where(eq(peerGroups.userId, id)).run();
      tx.update(keys)
        .set({ revokedAtMs: nowMs, name: "deleted", lastUsedAddress: null })
        .where(eq(keys.userId, id))
        .run();
      tx.update(users)
        .set({ email: `deleted:${id}`, passwordHash: null, deletedAtMs: nowMs, role: "member" })
        .where(eq(users.id, id))
        .run();
    });
  }

  /**
   * Names what else ends when a user is disabled or deleted, or has a new password: connected applications.
   * @param work runs in the same transaction; synchronous
   */
  onAccessEnded(work: (tx: StoreDb, userId: string) => void): void {
    this.cuts.push(work);
  }

  /** Ends what was named by `onCutOff`. Inside a transaction. */
  endAccess(tx: StoreDb, userId: string): void {
    for (const work of this.cuts) work(tx, userId);
  }

  private find(row: Row | undefined): User | undefined {
    return row === undefined || row.deletedAtMs !== null ? undefined : toUser(row);
  }
}

function matching(text: string) {
  const word = text.trim().toLowerCase();
  const has = word === "" ? undefined : sql`instr(${users.email}, ${word}) > 0`;
  return and(isNull(users.deletedAtMs), has);
}

/** Makes a user unless the address is taken. Inside a transaction. @param user.proved whether the address is known to be theirs */
export function insertUser(
  tx: StoreDb,
  runtime: Pick<Runtime, "now" | "id">,
  { proved, ...user }: Pick<Row, "email" | "passwordHash" | "role"> & { proved: boolean },
): { row: Row; created: boolean } {
  const there = tx.select().from(users).where(eq(users.email, user.email)).get();
  if (there !== undefined) return { row: there, created: false };
  const row: Row = {
    ...user,
    id: runtime.id(),
    createdAtMs: runtime.now(),
    provedAtMs: proved ? runtime.now() : null,
    disabledAtMs: null,
    deletedAtMs: null,
  };
  tx.insert(users).values(row).run();
  return { row, created: true };
}

/** A user without what nobody may see. */
export function toUser({ id, email, role, createdAtMs, disabledAtMs, passwordHash }: Row): User {
  return { id, email, role, createdAtMs, disabledAtMs, hasPassword: passwordHash !== null };
}
