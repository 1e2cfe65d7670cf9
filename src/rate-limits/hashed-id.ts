/** What a window is called outside this process: no address and no id of a key stands there in clear. */
export function hashedId(id: string): string {
  return new Bun.CryptoHasher("sha256").update(id).digest("base64url").slice(0, 22);
}
