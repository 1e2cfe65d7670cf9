import { expect, test } from "bun:test";
import {
  deriveSecret,
  hashSecret,
  isWellFormed,
  newSecret,
  SECRETS,
  type SecretKind,
} from "../../src/accounts/credentials.ts";
import { realRuntime } from "../../src/runtime.ts";

// The keys of SECRETS are exactly the kinds.
const KINDS = Object.keys(SECRETS) as SecretKind[];

/** Issued by 0.1.0: they stay valid. */
const HANDED_OUT = {
  key: "xc_live_0123456789ABCDEFGHIJKLMNOPQRSTUV",
  accessToken: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg",
} as const;

test.each(KINDS)(
  "%s: a new one is well-formed, matches no other kind, and is invalid with a letter changed",
  (kind) => {
    const secret = newSecret(kind, realRuntime());
    expect(secret).toStartWith(SECRETS[kind].prefix);
    expect(newSecret(kind, realRuntime())).not.toBe(secret);
    expect(KINDS.filter((one) => isWellFormed(one, secret))).toEqual([kind]);
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === "a" ? "b" : "a";
      expect(isWellFormed(kind, secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  },
);

test("all letters are equally likely: bytes that would favor some are drawn again", () => {
  // Bytes 0 to 247 map to each letter four times; the rest would give the first eight letters a fifth.
  const secret = (bytes: number) =>
    Uint8Array.from({ length: bytes }, (_, at) => (at % 2 === 0 ? 248 + (at % 8) : 61));
  expect(newSecret("key", { secret })).toStartWith(`xc_live_${"z".repeat(32)}`);
});

test("what 0.1.0 issued is still well-formed, and its hash is the stored one", () => {
  expect(isWellFormed("key", `${HANDED_OUT.key}4WaRm1`)).toBe(false);
  const checksum = (text: string) => {
    let rest = Bun.hash.crc32(text);
    let out = "";
    for (let at = 0; at < 6; at++) {
      out = ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[rest % 62] ?? "") + out;
      rest = Math.floor(rest / 62);
    }
    return out;
  };
  expect(isWellFormed("key", HANDED_OUT.key + checksum(HANDED_OUT.key))).toBe(true);
  const body = HANDED_OUT.accessToken;
  expect(isWellFormed("accessToken", `xc_at_${body}${checksum(body)}`)).toBe(true);
  expect(hashSecret("abc", "base64")).toBe("ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  expect(hashSecret("abc", "hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("derived secrets are equal only for the same parts", () => {
  const code = deriveSecret("code", "a", "bc");
  expect(isWellFormed("code", code)).toBe(true);
  expect(deriveSecret("code", "a", "bc")).toBe(code);
  expect(deriveSecret("code", "ab", "c")).not.toBe(code);
});
