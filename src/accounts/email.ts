import { ServiceError } from "../errors.ts";

/**
 * An e-mail address in the one spelling that the store holds: trimmed, composed (NFC), lower-case. Nothing else is
 * folded: whether dots or plus signs matter is the mail server's business.
 * Refuses with `invalid_parameter` what cannot be an address.
 */
export function normalizeEmail(given: string): string {
  const email = given.trim().normalize("NFC").toLowerCase();
  if (email.length <= 254 && /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@[^\s@"(),:;<>[\]\\\p{Cc}]+$/u.test(email))
    return email;
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read ${JSON.stringify(given.slice(0, 100))}: expected one like ann@example.com.`,
  );
}
