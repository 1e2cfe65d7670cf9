/** Formats of keys, links, cookies, codes and tokens; how they are generated; and what the store keeps of them. */
import { elementAt } from "../lib/checked-access.ts";
import type { Runtime } from "../runtime.ts";

/** The only scope, granted to every key and token. @see docs/contract.md, "The service" */
export const READ_SCOPE = "executive-compensation:read";

/** Accepted wherever a client asks for it, and never granted: every connection has refresh tokens. */
export const OFFLINE_SCOPE = "offline_access";

/** 190 bits; the checksum covers the prefix too. */
const SHORT = { letters: 32, checked: "whole" } as const;
/** 256 bits; the checksum covers what follows the prefix. */
const LONG = { letters: 43, checked: "body" } as const;

/** Secrets and random names by kind; the prefix identifies the kind, even outside its context. */
export const SECRETS = {
  key: { prefix: "xc_live_", ...SHORT },
  testKey: { prefix: "xc_test_", ...SHORT },
  link: { prefix: "xc_link_", ...SHORT },
  session: { prefix: "xc_session_", ...SHORT },
  accessToken: { prefix: "xc_at_", ...LONG },
  refreshToken: { prefix: "xc_rt_", ...LONG },
  code: { prefix: "xc_ac_", ...LONG },
  request: { prefix: "xc_ar_", ...LONG },
  client: { prefix: "xc_client_", ...LONG },
  clientSecret: { prefix: "xc_cs_", ...LONG },
} as const;

/** A kind of secret or random name. */
export type SecretKind = keyof typeof SECRETS;

/** Whether a secret, or the beginning of one in a list, is of a test key. */
export function isTestKey(text: string): boolean {
  return text.startsWith(SECRETS.testKey.prefix);
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECK_LETTERS = 6;

/**
 * Generates a secret: prefix, random base62 letters, and six more of a CRC32, so that mistyped or invented secrets are
 * rejected without a store look-up.
 */
export function newSecret(kind: SecretKind, { secret }: Pick<Runtime, "secret">): string {
  const { letters } = SECRETS[kind];
  let body = "";
  while (body.length < letters) {
    for (const byte of secret(letters * 2)) {
      // 248 is the largest multiple of 62 in a byte, so all letters are equally likely.
      if (byte < 248 && body.length < letters) body += elementAt(ALPHABET, byte % 62);
    }
  }
  return withChecksum(kind, body);
}

/**
 * Derives a secret from others that only the client has, so that a repeated request returns the same
 * secret without storing it.
 *
 * @param parts secrets; anyone who knows all of them can compute the result
 */
export function deriveSecret(kind: SecretKind, ...parts: readonly string[]): string {
  const { prefix, letters } = SECRETS[kind];
  const text = parts.map((part) => `${part.length}:${part}`).join("");
  return withChecksum(kind, base62(BigInt(`0x${hashSecret(prefix + text, "hex")}`), letters));
}

/** Whether prefix, alphabet, length and checksum fit this kind. Needs no store. */
export function isWellFormed(kind: SecretKind, text: string): boolean {
  const { prefix, letters } = SECRETS[kind];
  if (text.length !== prefix.length + letters + CHECK_LETTERS || !text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length, -CHECK_LETTERS);
  return /^[0-9A-Za-z]+$/.test(body) && text === withChecksum(kind, body);
}

/**
 * The SHA-256 that the store keeps instead of the secret. Takes 0.13 µs.
 *
 * @param encoding accounts use base64, OAuth hexadecimal, for compatibility with existing stores
 */
export function hashSecret(secret: string, encoding: "base64" | "hex"): string {
  return Bun.SHA256.hash(secret, encoding);
}

function withChecksum(kind: SecretKind, body: string): string {
  const { prefix, checked } = SECRETS[kind];
  const covered = checked === "whole" ? prefix + body : body;
  return prefix + body + base62(BigInt(Bun.hash.crc32(covered)), CHECK_LETTERS);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = elementAt(ALPHABET, Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
