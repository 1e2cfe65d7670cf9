import type { Runtime } from "../runtime.ts";
import type { users } from "../store/schema.ts";

/** Shape of a device cookie: what it is known by, and the proof that somebody signed in there. */
const DEVICE = /^([A-Za-z0-9_-]{22})\.([0-9a-f]{64})$/;

type Row = Pick<typeof users.$inferSelect, "id" | "passwordHash">;

/**
 * What a browser keeps in which this user signed in with a password: whoever guesses elsewhere does not lock it out. It
 * is no credential, and worth nothing once the password changes. Undefined for a user without a password.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function issueDevice(runtime: Pick<Runtime, "secret">, user: Row): string | undefined {
  if (user.passwordHash === null) return undefined;
  const nonce = runtime.secret(16).toBase64({ alphabet: "base64url", omitPadding: true });
  return `${nonce}.${proofOf(nonce, user.id, user.passwordHash)}`;
}

/** What a browser in which this user signed in before is known by; null for any other. */
export function knownDevice(cookie: string | null, user: Row | undefined): string | null {
  const [, nonce = "", proof = ""] = DEVICE.exec(cookie ?? "") ?? [];
  if (user === undefined || user.passwordHash === null || nonce === "") return null;
  return proof === proofOf(nonce, user.id, user.passwordHash) ? nonce : null;
}

/** Only who can read the store can make one: the key is the password's hash. */
function proofOf(nonce: string, userId: string, passwordHash: string): string {
  return new Bun.CryptoHasher("sha256", passwordHash).update(`device ${nonce} ${userId}`).digest("hex");
}
