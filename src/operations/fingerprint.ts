/**
 * A 22-character hash of a text, for entity tags and cache keys. Callers choose the texts, and a collision would show
 * one caller another's answer, so the hash is collision-resistant.
 */
export function fingerprint(text: string): string {
  return Bun.SHA256.hash(text, "base64url").slice(0, 22);
}
