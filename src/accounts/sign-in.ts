import { eq } from "drizzle-orm";
import { ServiceError } from "../errors.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { users } from "../store/schema.ts";
import type { Runtime } from "../runtime.ts";
import { issueDevice, knownDevice } from "./devices.ts";
import { normalizeEmail } from "./email.ts";
import type { Passwords } from "./passwords.ts";
import { recordFailedSignIn } from "./failed-sign-ins.ts";
import type { Browser, NewSession, Sessions } from "./sessions.ts";
import type { Attempt, Throttle } from "./throttle.ts";
import { toUser } from "./users.ts";

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
  /** The device cookie sent by the browser, valid or not (`devices.ts`). */
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
