import { ServiceError } from "../errors.ts";

/**
 * Normalizes an e-mail address as stored: trimmed, composed (NFC), lower case. Nothing else is changed, because only
 * the mail server knows whether dots or plus signs matter. Refuses invalid addresses with `invalid_parameter`.
 */
export function normalizeEmail(given: string): string {
  const email = given.trim().normalize("NFC").toLowerCase();
  if (email.length <= 254 && /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@[^\s@"(),:;<>[\]\\\p{Cc}]+$/u.test(email))
    return email;
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read ${JSON.stringify(given.slice(0, 100))}: expected an e-mail address such as ann@example.com.`,
  );
}
