import type { Runtime } from "../runtime.ts";

/** What a secret of the authorization server is for; its first letters say so wherever it is found. */
export const PREFIXES = {
  accessToken: "xc_at_",
  refreshToken: "xc_rt_",
  code: "xc_ac_",
  request: "xc_ar_",
  client: "xc_client_",
  clientSecret: "xc_cs_",
} as const;

/** A kind of secret, or of random name. */
export type SecretKind = keyof typeof PREFIXES;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_BYTES = 32;
const BODY_LENGTH = 43;
const CHECK_LENGTH = 6;

/** A fresh secret: prefix, 32 random bytes in base62, six characters of their CRC32. */
export function mintSecret(runtime: Pick<Runtime, "secret">, kind: SecretKind): string {
  return spell(kind, runtime.secret(BODY_BYTES));
}

/**
 * A secret that is made anew from what only the asking browser holds, so that it need not be kept to be told twice.
 *
 * @param parts secrets; whoever knows them all knows the result
 */
export function deriveSecret(kind: SecretKind, ...parts: readonly string[]): string {
  const text = parts.map((part) => `${part.length}:${part}`).join("");
  return spell(kind, Uint8Array.fromHex(hashSecret(`${PREFIXES[kind]}${text}`)));
}

/** What is stored of a secret: hexadecimal SHA-256. Its first 8 characters may stand in a log. */
export function hashSecret(secret: string): string {
  return Bun.SHA256.hash(secret, "hex");
}

/** Whether a text can be a secret of this kind at all: prefix, alphabet, length and checksum. Needs no store. */
export function isWellFormed(kind: SecretKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  if (text.length !== prefix.length + BODY_LENGTH + CHECK_LENGTH || !text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length, -CHECK_LENGTH);
  return text.endsWith(checksum(body)) && /^[0-9A-Za-z]+$/.test(body);
}

function spell(kind: SecretKind, bytes: Uint8Array): string {
  const body = base62(BigInt(`0x${bytes.toHex()}`), BODY_LENGTH);
  return `${PREFIXES[kind]}${body}${checksum(body)}`;
}

function checksum(body: string): string {
  return base62(BigInt(Bun.hash.crc32(body)), CHECK_LENGTH);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = (DIGITS[Number(rest % 62n)] ?? "") + text;
    rest /= 62n;
  }
  return text;
}
