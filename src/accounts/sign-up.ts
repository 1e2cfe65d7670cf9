import { shellWord } from "../lib/text.ts";
import { eq } from "drizzle-orm";
import { forbidden, invalid } from "../errors.ts";
import {
  type Act,
  type Actor,
  type AuditEvent,
  OPERATOR,
  SERVER,
  actorIn,
  recordAuditEvent,
} from "../store/audit.ts";
import type { StoreDb } from "../store/store.ts";
import { identities, links, users } from "../store/schema.ts";
import { appendEntry, writeUnmetered } from "./credits.ts";
import { revokeAllKeys } from "./keys.ts";
import type { Invited, LinkKind } from "./links.ts";
import type { EntryDeps } from "./sign-in.ts";
import { type Browser, type NewSession, endSessions } from "./sessions.ts";
import { normalizeEmail, type User, hasOwner, insertUser, toUser } from "./users.ts";

/** A new password, and the browser it was entered in. */
export interface NewPassword extends Browser {
  password: string;
}

/** At most one reset link per address is sent in this time. */
const RESET_EVERY_MS = 10 * 60_000;

const INVALID_LINK = "This link has been used or has expired. Ask the owner of this server for a new one.";

/** How people get an account and a password: set-up, sign-up, invitation, reset, or the operator. */
export class SignUp {
  constructor(private readonly deps: EntryDeps) {}

  /**
   * Creates a set-up link for the first owner and invalidates earlier ones; null if there is an owner.
   * @returns the link's secret
   */
  async setUpSecret(): Promise<string | null> {
    const { store, users: people, links: oneTimeLinks } = this.deps;
    if (await people.hasOwner()) return null;
    return store.transact((tx) => oneTimeLinks.create(tx, "setup", null, SERVER));
  }

  /** Creates the first owner. Refuses with `forbidden` for an invalid link, or if there is an owner. */
  async setUp(secret: string, email: string, newPassword: NewPassword): Promise<NewSession> {
    const normal = normalizeEmail(email);
    const entered = { ...newPassword, email: normal };
    return this.useLink("setup", secret, entered, async (tx, _linked, passwordHash) => {
      if (await hasOwner(tx)) throw forbidden("This server already has an owner.");
      const user = await this.setOwner(tx, normal, passwordHash);
      const after = { role: "owner", with: "link" };
      await this.record(tx, actorIn(newPassword, user.id), "user_created", user, after);
      return user;
    });
  }

  /**
   * Creates an account, to sign in with next. For an address in use, nothing changes and the answer is the same, so
   * that accounts cannot be discovered. Refuses with `forbidden` unless sign-up is open.
   */
  async signUp(
    email: string,
    password: string,
    browser: Pick<Browser, "address" | "userAgent">,
  ): Promise<void> {
    const { store, passwords, runtime, signUp } = this.deps;
    if (signUp !== "open") throw forbidden("Registration is by invitation.");
    const normal = normalizeEmail(email);
    const passwordHash = await passwords.hash(password, normal, "strangers");
    return store.transact(async (tx) => {
      const values = { email: normal, passwordHash, role: "member", proved: false } as const;
      const { row, created } = await insertUser(tx, runtime, values);
      const actor = actorIn(browser, row.id);
      if (created) await this.record(tx, actor, "user_registered", row, { role: row.role });
    });
  }

  /**
   * Creates an invitation for an address. Refuses with `forbidden` if sign-up is closed, and with `invalid_parameter`
   * the address of an existing user, for whom `resetSecret` makes a link. An earlier invitation of the address becomes
   * invalid. @returns the link's secret
   */
  async invite(
    email: string,
    actor: Actor = OPERATOR,
    invited: Invited = { role: "member", credits: 0 },
  ): Promise<string> {
    const normal = normalizeEmail(email);
    if (this.deps.signUp === "closed") {
      throw forbidden("Sign-up is closed: set --sign-up invite to invite people.");
    }
    const { store, links: oneTimeLinks, runtime } = this.deps;
    return store.transact(async (tx) => {
      const existing = await tx.select().from(users).where(eq(users.email, normal)).get();
      if (existing !== undefined) {
        throw invalid(
          `${normal} is already a user. For a link to set a new password: execcomp users reset-password --user ${shellWord(normal)}`,
        );
      }
      const after = { ...invited };
      await recordAuditEvent(tx, runtime.now(), actor, { act: "user_invited", subject: normal, after });
      return await oneTimeLinks.create(tx, "invite", normal, actor, invited);
    });
  }

  /** Makes an invitation invalid. Refuses with `invalid_parameter` if there is none that can still be accepted. */
  withdraw(email: string, actor: Actor = OPERATOR): Promise<void> {
    const normal = normalizeEmail(email);
    const { store, links: oneTimeLinks, runtime } = this.deps;
    return store.transact(async (tx) => {
      await recordAuditEvent(tx, runtime.now(), actor, { act: "invitation_withdrawn", subject: normal });
      if (await oneTimeLinks.withdraw(tx, normal)) return;
      throw invalid(`There is no open invitation for ${normal}: it was accepted, withdrawn or has expired.`);
    });
  }

  /**
   * Creates the invited person's account. Refuses with `forbidden` an invalid link, and one whose address got an account
   * in the meantime: only a reset changes a password.
   */
  acceptInvite(secret: string, newPassword: NewPassword): Promise<NewSession> {
    return this.useLink("invite", secret, newPassword, async (tx, email, passwordHash, invited) => {
      const { role = "member", credits = 0 } = invited ?? {};
      const user = { email, passwordHash, role, proved: true } as const;
      const { row, created } = await insertUser(tx, this.deps.runtime, user);
      if (!created) {
        throw forbidden(
          `${email} already has an account. Sign in, or ask the owner of this server for a link to set a new password.`,
        );
      }
      const after = { new_user: true, role, credits };
      await this.record(tx, actorIn(newPassword, row.id), "invitation_accepted", row, after);
      if (credits > 0) await appendEntry(tx, row.id, "granted", credits, this.deps.runtime.now());
      return toUser(row);
    });
  }

  /**
   * Creates a link for a user to set a new password, and ends the account's link to a provider's subject: the next one with
   * the address is linked. Refuses an unknown address like `requireByEmail`.
   */
  async resetSecret(email: string, actor: Actor = OPERATOR): Promise<string> {
    const user = await this.deps.users.requireByEmail(email);
    return this.deps.store.transact(async (tx) => {
      await this.record(tx, actor, "reset_link_created", user);
      await tx.delete(identities).where(eq(identities.userId, user.id)).run();
      return await this.deps.links.create(tx, "reset", user.email, actor);
    });
  }

  /**
   * Creates a link for someone who forgot their password, to be sent to the address only. Null if nothing is to be
   * sent: there is no account, it is disabled, it has no password (its person uses single sign-on), or a link was sent
   * within ten minutes.
   *
   * @param browser the requester's, for the audit log
   */
  async requestReset(email: string, browser: Pick<Browser, "address" | "userAgent">): Promise<string | null> {
    const normal = normalizeEmail(email);
    return this.deps.store.transact(async (tx) => {
      const row = await tx.select().from(users).where(eq(users.email, normal)).get();
      if (row === undefined || row.disabledAtMs !== null || row.passwordHash === null) return null;
      const { links: oneTimeLinks, runtime } = this.deps;
      const sinceMs = runtime.now() - RESET_EVERY_MS;
      if (await oneTimeLinks.madeSince(tx, "reset", normal, sinceMs)) return null;
      const visitor = actorIn(browser, "visitor");
      await this.record(tx, visitor, "reset_link_created", row, { with: "mail" });
      return await oneTimeLinks.create(tx, "reset", normal, visitor);
    });
  }

  /**
   * Sets a new password. Ends the user's other sessions and connected applications, and with `revoke` all keys, which
   * an attacker with the old password could have created.
   */
  reset(secret: string, newPassword: NewPassword, keys: "revoke" | "keep"): Promise<NewSession> {
    return this.useLink("reset", secret, newPassword, async (tx, email, passwordHash) => {
      const row = await tx.select().from(users).where(eq(users.email, email)).get();
      if (row === undefined) throw forbidden(INVALID_LINK);
      if (keys === "revoke") await revokeAllKeys(tx, row.id, this.deps.runtime.now());
      const after = { with: "link", keys };
      await this.record(tx, actorIn(newPassword, row.id), "password_changed", row, after);
      return await this.givePassword(tx, row.id, passwordHash);
    });
  }

  /**
   * Creates a user with a password, on the operator's behalf (by command or environment); the first one is the owner.
   * For an existing user, sets the password and ends the sessions.
   */
  async createWithPassword(email: string, password: string, actor: Actor = OPERATOR): Promise<User> {
    const { store, passwords, runtime } = this.deps;
    const normal = normalizeEmail(email);
    const passwordHash = await passwords.hash(password, normal);
    return store.transact(async (tx) => {
      if (!(await hasOwner(tx))) {
        const owner = await this.setOwner(tx, normal, passwordHash);
        await this.record(tx, actor, "user_created", owner, { role: "owner", password: true });
        return owner;
      }
      const user = { email: normal, passwordHash, role: "member", proved: true } as const;
      const { row, created } = await insertUser(tx, runtime, user);
      if (created) await this.record(tx, actor, "user_created", row, { role: row.role, password: true });
      else await this.record(tx, actor, "password_changed", row, { keys: "keep" });
      return created ? toUser(row) : await this.givePassword(tx, row.id, passwordHash);
    });
  }

  private async useLink(
    kind: LinkKind,
    secret: string,
    newPassword: NewPassword & { email?: string },
    work: (tx: StoreDb, email: string, passwordHash: string, invited: Invited | null) => Promise<User>,
  ): Promise<NewSession> {
    const { store, passwords, sessions, links: oneTimeLinks } = this.deps;
    // Hashing is expensive, so check the link first.
    const found = await oneTimeLinks.find(secret);
    if (found === undefined) throw forbidden(INVALID_LINK);
    const passwordHash = await passwords.hash(newPassword.password, found.email ?? newPassword.email ?? "");
    return store.transact(async (tx) => {
      const link = await oneTimeLinks.redeem(tx, kind, secret);
      if (link === undefined) throw forbidden(INVALID_LINK);
      const user = await work(tx, link.email ?? "", passwordHash, link.invited);
      if (user.disabledAtMs !== null) throw forbidden("This account is disabled.");
      return await sessions.open(tx, user, newPassword, "link");
    });
  }

  private async record(
    tx: StoreDb,
    actor: Actor,
    act: Act,
    { id }: Pick<User, "id">,
    after?: AuditEvent["after"],
  ): Promise<void> {
    await recordAuditEvent(tx, this.deps.runtime.now(), actor, { act, userId: id, after });
  }

  private async setOwner(tx: StoreDb, email: string, passwordHash: string): Promise<User> {
    const user = { email, passwordHash, role: "owner", proved: true } as const;
    const { row } = await insertUser(tx, this.deps.runtime, user);
    const owner = { role: "owner", disabledAtMs: null } as const;
    await tx.update(users).set(owner).where(eq(users.id, row.id)).run();
    await tx.delete(links).where(eq(links.kind, "setup")).run();
    // Whoever runs the server need not buy credits from themselves.
    await writeUnmetered(tx, row.id, true);
    return await this.givePassword(tx, row.id, passwordHash);
  }

  private async givePassword(tx: StoreDb, userId: string, passwordHash: string): Promise<User> {
    const nowMs = this.deps.runtime.now();
    const before = await tx.select().from(users).where(eq(users.id, userId)).get();
    // Someone else may have signed up with the unverified address and created keys.
    if (before?.provedAtMs === null) await revokeAllKeys(tx, userId, nowMs);
    const changes = { passwordHash, provedAtMs: before?.provedAtMs ?? nowMs };
    const row = await tx.update(users).set(changes).where(eq(users.id, userId)).returning().get();
    await endSessions(tx, userId);
    await this.deps.users.endAccess(tx, userId);
    return toUser(row);
  }
}
