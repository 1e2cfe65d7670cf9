const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LETTERS = 32;
const CHECK_LETTERS = 6;

/**
 * A new secret: `prefix`, 32 random letters of base62 (190 bits) and 6 that are the CRC32 of all before them, so that
 * a mistyped or invented one is known without asking the store.
 *
 * @param prefix e.g. `xc_live_`
 * @param random the outside world's source of bytes
 */
export function newSecret(prefix: string, random: (bytes: number) => Uint8Array): string {
  let letters = "";
  while (letters.length < RANDOM_LETTERS) {
    for (const byte of random(RANDOM_LETTERS * 2)) {
      // 248 is the largest multiple of 62 in a byte: all letters stay equally likely.
      if (byte < 248 && letters.length < RANDOM_LETTERS) letters += ALPHABET[byte % 62] ?? "";
    }
  }
  return prefix + letters + checkOf(prefix + letters);
}

/** Whether a text has the shape and the checksum of a secret with that prefix. */
export function isWellFormed(prefix: string, secret: string): boolean {
  if (secret.length !== prefix.length + RANDOM_LETTERS + CHECK_LETTERS || !secret.startsWith(prefix)) {
    return false;
  }
  const body = secret.slice(0, -CHECK_LETTERS);
  return secret.endsWith(checkOf(body)) && /^[0-9A-Za-z]+$/.test(body.slice(prefix.length));
}

/** What the store keeps instead of a secret: its SHA-256, in base64. 0.13 µs. */
export function hashOf(secret: string): string {
  return Bun.SHA256.hash(secret, "base64");
}

function checkOf(text: string): string {
  let rest = Bun.hash.crc32(text);
  let out = "";
  for (let at = 0; at < CHECK_LETTERS; at += 1) {
    out = (ALPHABET[rest % 62] ?? "") + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}
