import { eq } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { type Act, type Actor, type Deed, OPERATOR, recordDeed } from "../store/audit.ts";
import type { Store } from "../store/store.ts";
import { result, type StoreDb, type Work } from "../store/work.ts";
import { links, users } from "../store/schema.ts";
import { normalizeEmail } from "./email.ts";
import { revokeAllKeys } from "./keys.ts";
import { type LinkKind, type Links } from "./links.ts";
import type { Passwords } from "./passwords.ts";
import { type Browser, type NewSession, type Sessions, endSessions } from "./sessions.ts";
import { type User, type Users, hasOwner, insertUser, toUser } from "./users.ts";

/** Who may make an account without the operator's doing. */
export type SignUpMode = "open" | "invite" | "closed";

/** What making accounts needs. */
export interface SignUpDeps {
  store: Store;
  runtime: Pick<Runtime, "now" | "id">;
  users: Users;
  passwords: Passwords;
  sessions: Sessions;
  links: Links;
  signUp: SignUpMode;
}

/** A password, and the browser in which it is chosen. */
export interface NewPassword extends Browser {
  password: string;
}

/** At most one link in this time is sent to an address, whoever asks. */
const RESET_EVERY_MS = 10 * 60_000;

const INVALID_LINK = "This link has been used or has expired. Ask the owner of this server for a new one.";

/** How people come to have an account and a password: set-up, sign-up, invitation, reset, or the operator's word. */
export class SignUp {
  constructor(private readonly deps: SignUpDeps) {}

  /**
   * A fresh set-up link for the first owner, or null when there is one. Earlier set-up links end.
   * @returns the link's secret
   */
  async setUpSecret(): Promise<string | null> {
    const { store, users: people, links: oneTimeLinks } = this.deps;
    if (await people.hasOwner()) return null;
    return store.transact((tx) => oneTimeLinks.create(tx, "setup", null));
  }

  /** The first owner sets itself up. Refuses with `forbidden` for a link that does not hold, or when there is an owner. */
  async setUp(secret: string, email: string, newPassword: NewPassword): Promise<NewSession> {
    const normal = normalizeEmail(email);
    const { deps } = this;
    return this.useLink("setup", secret, newPassword, function* (tx, _linked, passwordHash) {
      if (yield* hasOwner(tx)) throw new ServiceError("forbidden", "This server already has an owner.");
      const user = yield* setOwner(deps, tx, normal, passwordHash);
      const after = { role: "owner", with: "link" };
      yield* record(deps, tx, selfIn(newPassword, user), "user_created", user, after);
      return user;
    });
  }

  /**
   * Somebody makes an account; they sign in with it next. For a taken address nothing changes and nothing is told, so
   * that nobody learns who has an account here. Refuses with `forbidden` unless sign-up is open.
   */
  async signUp(
    email: string,
    password: string,
    browser: Pick<Browser, "address" | "userAgent">,
  ): Promise<void> {
    const { deps } = this;
    const { store, passwords, runtime, signUp } = deps;
    if (signUp !== "open") throw new ServiceError("forbidden", "Registration is by invitation.");
    const normal = normalizeEmail(email);
    const passwordHash = await passwords.hash(password, "strangers");
    return store.transact(function* (tx) {
      const wanted = { email: normal, passwordHash, role: "member", proved: false } as const;
      const { row, created } = yield* insertUser(tx, runtime, wanted);
      const actor = selfIn(browser, row);
      if (created) yield* record(deps, tx, actor, "user_registered", row, { role: row.role });
    });
  }

  /** An invitation for an address. Refuses with `forbidden` when sign-up is closed. @returns the link's secret */
  async invite(email: string, actor: Actor = OPERATOR): Promise<string> {
    const normal = normalizeEmail(email);
    if (this.deps.signUp === "closed") {
      throw new ServiceError("forbidden", "Sign-up is closed: set --sign-up invite to invite people.");
    }
    const { store, links: oneTimeLinks, runtime } = this.deps;
    return store.transact(function* (tx) {
      yield* recordDeed(tx, runtime.now(), actor, { act: "user_invited", subject: normal });
      return yield* oneTimeLinks.create(tx, "invite", normal);
    });
  }

  /** The invited makes an account, or gives the one it has a password. Refuses with `forbidden` for a dead link. */
  acceptInvite(secret: string, newPassword: NewPassword): Promise<NewSession> {
    const { deps } = this;
    return this.useLink("invite", secret, newPassword, function* (tx, email, passwordHash) {
      const user = { email, passwordHash, role: "member", proved: true } as const;
      const { row, created } = yield* insertUser(tx, deps.runtime, user);
      const after = { new_user: created };
      yield* record(deps, tx, selfIn(newPassword, row), "invitation_accepted", row, after);
      return created ? toUser(row) : yield* givePassword(deps, tx, row.id, passwordHash);
    });
  }

  /** A link with which a user sets a new password; an unknown address is refused as in `requireByEmail`. */
  async resetSecret(email: string, actor: Actor = OPERATOR): Promise<string> {
    const { deps } = this;
    const user = await deps.users.requireByEmail(email);
    return deps.store.transact(function* (tx) {
      yield* record(deps, tx, actor, "reset_link_created", user);
      return yield* deps.links.create(tx, "reset", user.email);
    });
  }

  /**
   * A link for somebody who forgot their password, to be sent to the address and shown to nobody else. Null where there
   * is nothing to send: no account, a disabled one, one without a password (its people come through single sign-on), or
   * a link that is younger than ten minutes.
   *
   * @param browser of whoever asks, for the audit log
   */
  async requestReset(email: string, browser: Pick<Browser, "address" | "userAgent">): Promise<string | null> {
    const normal = normalizeEmail(email);
    const { deps } = this;
    return deps.store.transact(function* (tx) {
      const row = yield* result(tx.select().from(users).where(eq(users.email, normal)).get());
      if (row === undefined || row.disabledAtMs !== null || row.passwordHash === null) return null;
      const { links: oneTimeLinks, runtime } = deps;
      const sinceMs = runtime.now() - RESET_EVERY_MS;
      if (yield* oneTimeLinks.madeSince(tx, "reset", normal, sinceMs)) return null;
      const visitor = { actor: "visitor", ...browser, form: null };
      yield* record(deps, tx, visitor, "reset_link_created", row, { with: "mail" });
      return yield* oneTimeLinks.create(tx, "reset", normal);
    });
  }

  /**
   * Sets a new password: every other session and connected application of the user ends, and with `revoke` every key,
   * which whoever had the old password could have made.
   */
  reset(secret: string, newPassword: NewPassword, keys: "revoke" | "keep"): Promise<NewSession> {
    const { deps } = this;
    return this.useLink("reset", secret, newPassword, function* (tx, email, passwordHash) {
      const row = yield* result(tx.select().from(users).where(eq(users.email, email)).get());
      if (row === undefined) throw new ServiceError("forbidden", INVALID_LINK);
      if (keys === "revoke") yield* revokeAllKeys(tx, row.id, deps.runtime.now());
      const after = { with: "link", keys };
      yield* record(deps, tx, selfIn(newPassword, row), "password_changed", row, after);
      return yield* givePassword(deps, tx, row.id, passwordHash);
    });
  }

  /**
   * The operator makes a user with a password, by command or environment: the first one is the owner.
   * One who is there gets the password; its sessions end.
   */
  async createWithPassword(email: string, password: string, actor: Actor = OPERATOR): Promise<User> {
    const { deps } = this;
    const { store, passwords, runtime } = deps;
    const normal = normalizeEmail(email);
    const passwordHash = await passwords.hash(password);
    return store.transact(function* (tx) {
      if (!(yield* hasOwner(tx))) {
        const owner = yield* setOwner(deps, tx, normal, passwordHash);
        yield* record(deps, tx, actor, "user_created", owner, { role: "owner", password: true });
        return owner;
      }
      const user = { email: normal, passwordHash, role: "member", proved: true } as const;
      const { row, created } = yield* insertUser(tx, runtime, user);
      if (created) yield* record(deps, tx, actor, "user_created", row, { role: row.role, password: true });
      else yield* record(deps, tx, actor, "password_changed", row, { keys: "keep" });
      return created ? toUser(row) : yield* givePassword(deps, tx, row.id, passwordHash);
    });
  }

  private async useLink(
    kind: LinkKind,
    secret: string,
    newPassword: NewPassword,
    work: (tx: StoreDb, email: string, passwordHash: string) => Work<User>,
  ): Promise<NewSession> {
    const { store, passwords, sessions, links: oneTimeLinks } = this.deps;
    // A hash is dear: nobody has one made without a link.
    if ((await oneTimeLinks.find(secret)) === undefined) throw new ServiceError("forbidden", INVALID_LINK);
    const passwordHash = await passwords.hash(newPassword.password);
    return store.transact(function* (tx) {
      const link = yield* oneTimeLinks.redeem(tx, kind, secret);
      if (link === undefined) throw new ServiceError("forbidden", INVALID_LINK);
      const user = yield* work(tx, link.email ?? "", passwordHash);
      if (user.disabledAtMs !== null) throw new ServiceError("forbidden", "This account is disabled.");
      return yield* sessions.open(tx, user, newPassword, "link");
    });
  }
}

function* record(
  { runtime }: Pick<SignUpDeps, "runtime">,
  tx: StoreDb,
  actor: Actor,
  act: Act,
  { id }: Pick<User, "id">,
  after?: NonNullable<Deed["after"]>,
): Work<void> {
  const details = after === undefined ? {} : { after };
  yield* recordDeed(tx, runtime.now(), actor, { act, userId: id, ...details });
}

function* setOwner(deps: SignUpDeps, tx: StoreDb, email: string, passwordHash: string): Work<User> {
  const user = { email, passwordHash, role: "owner", proved: true } as const;
  const { row } = yield* insertUser(tx, deps.runtime, user);
  const owner = { role: "owner", disabledAtMs: null } as const;
  yield* result(tx.update(users).set(owner).where(eq(users.id, row.id)).run());
  yield* result(tx.delete(links).where(eq(links.kind, "setup")).run());
  return yield* givePassword(deps, tx, row.id, passwordHash);
}

function* givePassword(deps: SignUpDeps, tx: StoreDb, userId: string, passwordHash: string): Work<User> {
  const nowMs = deps.runtime.now();
  const before = yield* result(tx.select().from(users).where(eq(users.id, userId)).get());
  // Whoever signed up with the address before anybody proved it may have been somebody else, and have made keys.
  if (before?.provedAtMs === null) yield* revokeAllKeys(tx, userId, nowMs);
  const given = { passwordHash, provedAtMs: before?.provedAtMs ?? nowMs };
  const row = yield* result(tx.update(users).set(given).where(eq(users.id, userId)).returning().get());
  yield* endSessions(tx, userId);
  yield* deps.users.endAccess(tx, userId);
  return toUser(row);
}

/** Somebody who does it to their own account. */
function selfIn(
  { address, userAgent }: Pick<Browser, "address" | "userAgent">,
  { id }: { id: string },
): Actor {
  return { actor: id, address, userAgent, form: null };
}
