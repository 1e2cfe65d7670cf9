/** Commonly used passwords, which attackers try first. Loaded with the first password chosen, not at startup. */

/** Whether a password is one of the 49,000 most common, ignoring case. @see NIST SP 800-63B, 5.1.1.2 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}
