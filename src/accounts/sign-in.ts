import { and, count, eq, gt, isNotNull, isNull, notInArray } from "drizzle-orm";
import { ServiceError } from "../errors.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { users } from "../store/schema.ts";
import type { Runtime } from "../runtime.ts";
import type { Passwords } from "./passwords.ts";
import type { Browser, NewSession, Sessions } from "./sessions.ts";
import type { Attempt, Throttle } from "./throttle.ts";
import { normalizeEmail, toUser } from "./users.ts";
import { audit, recordAuditEvent } from "../store/audit.ts";

/** Dependencies of signing in. */
export interface SignInDeps {
  store: Store;
  passwords: Passwords;
  sessions: Sessions;
  throttle: Throttle;
  runtime: Pick<Runtime, "now" | "secret">;
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

/** The same message for an unknown or disabled account and for a wrong password. */
const WRONG = "Wrong e-mail or password.";

/**
 * Signs a person in: throttled, taking as long for an unknown account as for a wrong password, with a new session id.
 * Refuses with `unauthenticated` (one message for all reasons) or `rate_limited`.
 */
export async function signIn(deps: SignInDeps, attempt: SignInAttempt): Promise<SignedIn> {
  const email = readEmail(attempt.email);
  const find = (db: StoreDb) => db.select().from(users).where(eq(users.email, email)).get();
  const before = await deps.store.read(find);
  const device = knownDevice(attempt.device, before);
  const begun = await begin(deps.throttle, email, attempt.address, device);
  const priority = device === null ? "strangers" : "known";
  const right = await deps.passwords.verify(attempt.password, before?.passwordHash ?? null, priority);
  const signedIn = await deps.store.transact(async (tx) => {
    // Read again: hashing takes long enough for the account to be disabled or its password changed.
    const row = await find(tx);
    if (
      !right ||
      row === undefined ||
      row.passwordHash !== before?.passwordHash ||
      row.disabledAtMs !== null
    ) {
      const failures = await deps.throttle.failures(tx, begun.id);
      await recordFailedSignIn(tx, deps.runtime.now(), attempt, row, failures);
      return null;
    }
    await deps.throttle.succeeded(tx, begun.id);
    const session = await deps.sessions.open(tx, toUser(row), attempt, "password");
    return { ...session, device: device === null ? issueDevice(deps.runtime, row) : undefined };
  });
  if (signedIn === null) throw new ServiceError("unauthenticated", WRONG);
  return signedIn;
}

/**
 * Verifies the password of a signed-in person again, before a sensitive action. Refuses with
 * `rate_limited`, like signing in.
 */
export async function confirmPassword(
  { store, passwords, throttle }: Pick<SignInDeps, "store" | "passwords" | "throttle">,
  userId: string,
  password: string,
  address: string,
): Promise<boolean> {
  const begun = await begin(throttle, `confirm ${userId}`, address, null);
  const row = await store.read((db) => db.select().from(users).where(eq(users.id, userId)).get());
  const right = await passwords.verify(password, row?.passwordHash ?? null, "known");
  if (right) await store.transact((tx) => throttle.succeeded(tx, begun.id));
  return right;
}

/** Counts an attempt. Refuses with `rate_limited`. */
async function begin(
  throttle: Throttle,
  who: string,
  address: string,
  device: string | null,
): Promise<Extract<Attempt, { allowed: true }>> {
  const begun = await throttle.begin(who, address, device);
  if (begun.allowed) return begun;
  const minutes = Math.ceil(begun.retryAfterSeconds / 60);
  throw new ServiceError(
    "rate_limited",
    `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    { retryAfterSeconds: begun.retryAfterSeconds },
  );
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

type Row = Pick<typeof users.$inferSelect, "id" | "passwordHash">;

/**
 * A device cookie for a browser in which the user signed in with a password, so that guessing elsewhere cannot lock the
 * user out of it. Not a credential, and invalid once the password changes. Undefined for a user without a password.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
function issueDevice(runtime: Pick<Runtime, "secret">, user: Row): string | undefined {
  if (user.passwordHash === null) return undefined;
  const nonce = runtime.secret(16).toBase64({ alphabet: "base64url", omitPadding: true });
  return `${nonce}.${proofOf(nonce, user.id, user.passwordHash)}`;
}

/** The nonce of a device on which this user signed in before; null for any other. */
export function knownDevice(cookie: string | null, user: Row | undefined): string | null {
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
  { address, userAgent }: Pick<Browser, "address" | "userAgent">,
  user: Pick<typeof users.$inferSelect, "id" | "disabledAtMs" | "role"> | undefined,
  failures: number,
): Promise<void> {
  const isOwner = user?.role === "owner";
  if (!isOwner && !LISTED.includes(failures)) return;
  const listed = isOwner ? 0 : await listedWithinHour(tx, nowMs, user !== undefined);
  if (listed >= MAX_LISTED_PER_HOUR) return;
  const account = user === undefined ? "unknown" : user.disabledAtMs === null ? "known" : "disabled";
  const isLast = listed === MAX_LISTED_PER_HOUR - 1;
  const visitor = { actor: "visitor", address, userAgent, form: null };
  await recordAuditEvent(tx, nowMs, visitor, {
    act: "sign_in_failed",
    userId: user?.id ?? null,
    after: { account, failures, ...(isLast ? { more: "not listed for an hour" } : {}) },
  });
}

/** Failures recorded within the hour, for accounts that exist (other than owners') or for others. */
async function listedWithinHour(tx: StoreDb, nowMs: number, isKnown: boolean): Promise<number> {
  const owners = tx.select({ id: users.id }).from(users).where(eq(users.role, "owner"));
  const counted = tx
    .select({ n: count() })
    .from(audit)
    .where(
      and(
        eq(audit.act, "sign_in_failed"),
        gt(audit.atMs, nowMs - HOUR_MS),
        isKnown ? and(isNotNull(audit.userId), notInArray(audit.userId, owners)) : isNull(audit.userId),
      ),
    );
  return (await counted.get())?.n ?? 0;
}
