/** Passwords that are tried first by whoever guesses. Loaded when somebody chooses one, not when the server starts. */

/** Whether a password is among the 49,000 most used ones, in any case. @see NIST SP 800-63B, 5.1.1.2 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}
