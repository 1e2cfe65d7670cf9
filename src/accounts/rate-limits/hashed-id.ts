/** A window's name outside this process: hashed, so that it contains no address or key id in clear. */
export function hashedId(id: string): string {
  return new Bun.CryptoHasher("sha256").update(id).digest("base64url").slice(0, 22);
}
