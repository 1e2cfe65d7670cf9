import { and, eq, gt, isNotNull, isNull, notInArray } from "drizzle-orm";
import { forbidden, ServiceError } from "../errors.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { identities, users } from "../store/schema.ts";
import type { Runtime } from "../runtime.ts";
import type { Passwords } from "./passwords.ts";
import type { Throttle } from "./sign-in-throttle.ts";
import { type Browser, endSessions, type NewSession, type Sessions } from "./sessions.ts";
import { revokeAllKeys } from "./keys.ts";
import type { Links } from "./links.ts";
import { insertUser, normalizeEmail, toUser, type UserRow, type Users } from "./users.ts";
import { actorIn, audit, recordAuditEvent } from "../store/audit.ts";

/** Who can create an account without the operator. */
export type SignUpMode = "open" | "invite" | "closed";

/** How people may sign in, and through what. */
export interface EntryDeps {
  store: Store;
  runtime: Pick<Runtime, "now" | "id" | "secret">;
  users: Users;
  passwords: Passwords;
  sessions: Sessions;
  links: Links;
  throttle: Throttle;
  signUp: SignUpMode;
  /**
   * Domains, in lower case, whose addresses may create an account by single sign-on; if empty, only existing users can
   * sign in.
   */
  domains: readonly string[];
}

/** A sign-in attempt. */
export interface SignInAttempt extends Browser {
  email: string;
  password: string;
  /** The device cookie sent by the browser, valid or not (`issueDevice`). */
  device: string | null;
}

/** A new session and, for a new device, its cookie. */
export interface SignedIn extends NewSession {
  device: string | undefined;
}

/** Verified claims of a provider about a person. */
export interface Claims {
  issuer: string;
  subject: string;
  /** Null if the provider sent none, or has not verified it. */
  verifiedEmail: string | null;
}

/** The same message for an unknown or disabled account and for a wrong password. */
const WRONG = "Wrong e-mail or password.";

/** How people sign in: with a password, or by a provider that has authenticated them. */
export class SignIns {
  constructor(private readonly deps: EntryDeps) {}

  /**
   * Signs a person in: throttled, taking as long for an unknown account as for a wrong password, with a new session id.
   * Refuses with `unauthenticated` (one message for all reasons) or `rate_limited`.
   */
  async byPassword(attempt: SignInAttempt): Promise<SignedIn> {
    const { store, runtime, passwords, sessions, throttle } = this.deps;
    const email = readEmail(attempt.email);
    const find = (db: StoreDb) => db.select().from(users).where(eq(users.email, email)).get();
    const before = await store.read(find);
    const device = knownDevice(attempt.device, before);
    const attemptId = await throttle.begin(email, attempt.address, device);
    const priority = device === null ? "strangers" : "trusted";
    const signedIn = await throttle.answer(attemptId, async () => {
      const right = await passwords.verify(attempt.password, before?.passwordHash ?? null, priority);
      return await store.transact(async (tx) => {
        // Read again: hashing takes long enough for the account to be disabled or its password changed.
        const row = await find(tx);
        if (
          !right ||
          row === undefined ||
          row.passwordHash !== before?.passwordHash ||
          row.disabledAtMs !== null
        ) {
          const failures = await throttle.failures(tx, attemptId);
          await recordFailedSignIn(tx, runtime.now(), attempt, row, failures);
          return null;
        }
        await throttle.succeeded(tx, attemptId);
        const session = await sessions.open(tx, toUser(row), attempt, "password");
        return { ...session, device: device === null ? issueDevice(runtime, row) : undefined };
      });
    });
    if (signedIn === null) throw new ServiceError("unauthenticated", WRONG);
    return signedIn;
  }

  /**
   * Verifies the password of a signed-in person again, before a sensitive action. Refuses with
   * `rate_limited`, like signing in.
   */
  async confirmPassword(userId: string, password: string, address: string): Promise<boolean> {
    const { store, passwords, throttle } = this.deps;
    const attemptId = await throttle.begin(`confirm ${userId}`, address, null);
    return throttle.answer(attemptId, async () => {
      const row = await store.read((db) => db.select().from(users).where(eq(users.id, userId)).get());
      const right = await passwords.verify(password, row?.passwordHash ?? null, "trusted");
      if (right) await store.transact((tx) => throttle.succeeded(tx, attemptId));
      return right;
    });
  }

  /**
   * Signs in a person whom a provider has authenticated, each time with a verified address in an allowed domain. People are
   * identified by issuer and subject; on the first sign-in, by the e-mail of an existing account, which is then linked. With allowed domains, a missing account
   * is created. Refuses with `forbidden` and a message for the person.
   *
   * @param browser where the person signs in; its previous session ends
   */
  async byIdentity(claims: Claims, browser: Browser): Promise<NewSession> {
    const email = requireEmail(claims.verifiedEmail, this.deps.domains);
    return this.deps.store.transact(async (tx) => {
      const row = (await linked(tx, claims)) ?? (await this.link(tx, claims, email, browser));
      if (row.disabledAtMs !== null || row.deletedAtMs !== null) {
        throw forbidden("This account is disabled. Ask the owner of this server.");
      }
      return await this.deps.sessions.open(tx, toUser(row), browser, "provider");
    });
  }

  private async link(tx: StoreDb, claims: Claims, email: string, browser: Browser): Promise<UserRow> {
    const { runtime, domains } = this.deps;
    const there = await tx.select().from(users).where(eq(users.email, email)).get();
    if (there === undefined && domains.length === 0) {
      throw forbidden(`No account for ${email}. Ask the owner of this server for an invitation.`);
    }
    const user = { email, passwordHash: null, role: "member", proved: true } as const;
    const row = there ?? (await insertUser(tx, runtime, user)).row;
    if (there === undefined) {
      const self = actorIn(browser, row.id);
      const after = { role: row.role, with: "provider" };
      await recordAuditEvent(tx, runtime.now(), self, { act: "user_registered", userId: row.id, after });
    }
    const { issuer, subject } = claims;
    const other = await tx
      .select()
      .from(identities)
      .where(and(eq(identities.issuer, issuer), eq(identities.userId, row.id)))
      .get();
    // The provider has reassigned the address; the account remains linked to the earlier identity.
    if (other !== undefined) {
      throw forbidden(
        `${email} is linked to another account of this provider. A password reset link by the owner of this server ends that.`,
      );
    }
    await tx.insert(identities).values({ issuer, subject, userId: row.id, createdAtMs: runtime.now() }).run();
    if (row.provedAtMs === null) await this.revokeUnverified(tx, row.id);
    return row;
  }

  /**
   * Revokes what an unverified sign-up created: someone else may have registered the address and waited for its owner.
   * Ends its password, sessions, connected applications and keys.
   */
  private async revokeUnverified(tx: StoreDb, userId: string): Promise<void> {
    const nowMs = this.deps.runtime.now();
    const proved = { passwordHash: null, provedAtMs: nowMs };
    await tx.update(users).set(proved).where(eq(users.id, userId)).run();
    await endSessions(tx, userId);
    await this.deps.users.endAccess(tx, userId);
    await revokeAllKeys(tx, userId, nowMs);
  }
}

async function linked(tx: StoreDb, { issuer, subject }: Claims): Promise<UserRow | undefined> {
  const found = await tx
    .select()
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
    .get();
  return found?.users;
}

function requireEmail(verified: string | null, domains: readonly string[]): string {
  if (verified === null) {
    throw forbidden("The provider sent no verified e-mail address. Verify it there, then sign in again.");
  }
  const email = normalizeEmail(verified);
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (domains.length > 0 && !domains.includes(domain)) {
    throw forbidden(
      `Addresses at ${domain} may not sign in this way. Use one of this organization, or ask the owner of this server for an invitation.`,
    );
  }
  return email;
}

/** Treats an invalid address like an unknown account. */
function readEmail(given: string): string {
  try {
    return normalizeEmail(given);
  } catch {
    return "";
  }
}

/** Format of a device cookie: a nonce, and a proof that this user signed in on the device. */
const DEVICE = /^([A-Za-z0-9_-]{22})\.([0-9a-f]{64})$/;

type PasswordHolder = Pick<UserRow, "id" | "passwordHash">;

/**
 * A device cookie for a browser in which the user signed in with a password, so that guessing elsewhere cannot lock the
 * user out of it. Not a credential, and invalid once the password changes. Undefined for a user without a password.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
function issueDevice(runtime: Pick<Runtime, "secret">, user: PasswordHolder): string | undefined {
  if (user.passwordHash === null) return undefined;
  const nonce = runtime.secret(16).toBase64({ alphabet: "base64url", omitPadding: true });
  return `${nonce}.${proofOf(nonce, user.id, user.passwordHash)}`;
}

/** The nonce of a device on which this user signed in before; null for any other. */
export function knownDevice(cookie: string | null, user: PasswordHolder | undefined): string | null {
  const [, nonce = "", proof = ""] = DEVICE.exec(cookie ?? "") ?? [];
  if (user === undefined || user.passwordHash === null || nonce === "") return null;
  return proof === proofOf(nonce, user.id, user.passwordHash) ? nonce : null;
}

/** Forging one requires reading the store: the key is the password hash. */
function proofOf(nonce: string, userId: string, passwordHash: string): string {
  return new Bun.CryptoHasher("sha256", passwordHash).update(`device ${nonce} ${userId}`).digest("hex");
}

/** Which of the failures for an account from one address within the hour are recorded, by number. */
const LISTED: readonly number[] = [1, 3, 5, 10, 20, 50, 100];

/** Maximum failures recorded per hour, for accounts that exist and for others apart: a million entries a year. */
const MAX_LISTED_PER_HOUR = 60;

const HOUR_MS = 3_600_000;

/**
 * Records a failed sign-in in the audit log, within limits: visitors control how often they fail, and must not control
 * the size of the log, nor hide one flood behind another. Every failure for an owner is recorded: throttling bounds them
 * at a hundred an hour. The input is not stored, only the affected account. Inside a transaction.
 *
 * @param user the user with the given address; undefined if there is none
 * @param failures failures for this account from this address within the hour, including this one
 */
export async function recordFailedSignIn(
  tx: StoreDb,
  nowMs: number,
  browser: Pick<Browser, "address" | "userAgent">,
  user: Pick<UserRow, "id" | "disabledAtMs" | "role"> | undefined,
  failures: number,
): Promise<void> {
  const isOwner = user?.role === "owner";
  if (!isOwner && !LISTED.includes(failures)) return;
  const listed = isOwner ? 0 : await listedWithinHour(tx, nowMs, user !== undefined);
  if (listed >= MAX_LISTED_PER_HOUR) return;
  const account = user === undefined ? "unknown" : user.disabledAtMs === null ? "known" : "disabled";
  const isLast = listed === MAX_LISTED_PER_HOUR - 1;
  await recordAuditEvent(tx, nowMs, actorIn(browser, "visitor"), {
    act: "sign_in_failed",
    userId: user?.id ?? null,
    after: { account, failures, ...(isLast ? { more: "not listed for an hour" } : {}) },
  });
}

/** Failures recorded within the hour, for accounts that exist (other than owners') or for others. */
async function listedWithinHour(tx: StoreDb, nowMs: number, isKnown: boolean): Promise<number> {
  const owners = tx.select({ id: users.id }).from(users).where(eq(users.role, "owner"));
  const whose = isKnown
    ? and(isNotNull(audit.userId), notInArray(audit.userId, owners))
    : isNull(audit.userId);
  return tx.$count(audit, and(eq(audit.act, "sign_in_failed"), gt(audit.atMs, nowMs - HOUR_MS), whose));
}
