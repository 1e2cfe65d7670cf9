import type { Runtime } from "../runtime.ts";
import type { users } from "../store/schema.ts";

/** Format of a device cookie: a nonce, and a proof that this user signed in on the device. */
const DEVICE = /^([A-Za-z0-9_-]{22})\.([0-9a-f]{64})$/;

type Row = Pick<typeof users.$inferSelect, "id" | "passwordHash">;

/**
 * A device cookie for a browser in which the user signed in with a password, so that guessing elsewhere cannot lock the
 * user out of it. Not a credential, and invalid once the password changes. Undefined for a user without a password.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function issueDevice(runtime: Pick<Runtime, "secret">, user: Row): string | undefined {
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
