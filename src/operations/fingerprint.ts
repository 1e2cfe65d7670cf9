/**
 * A text as 22 letters, for entity tags and what is kept under them. Callers write the texts: whoever found two with one
 * fingerprint could have an answer of theirs shown to others, so the hash is one that is safe from it.
 */
export function fingerprint(text: string): string {
  return Bun.SHA256.hash(text, "base64url").slice(0, 22);
}
