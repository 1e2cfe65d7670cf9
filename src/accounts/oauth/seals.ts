import type { Runtime } from "../../runtime.ts";

/** Encrypted texts that a browser carries and can neither read nor change. */
export interface Seals {
  /** Encrypts a text for a cookie. @param boundTo the browser that may return it */
  seal(text: string, boundTo: string): string;
  /** Decrypts a text; undefined if it was not sealed here for the same browser. */
  open(sealed: string, boundTo: string): string | undefined;
}

/** Loaded on first use (docs/decisions/executable.md). */
const crypto = () => process.getBuiltinModule("node:crypto");

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates seals with a key of 32 bytes. Texts sealed with another key do not open, and start over. @see NIST SP 800-38D
 */
export function createSeals(runtime: Pick<Runtime, "secret">, key: () => Uint8Array): Seals {
  return {
    seal(text, boundTo) {
      const nonce = runtime.secret(NONCE_BYTES);
      const cipher = crypto().createCipheriv("aes-256-gcm", key(), nonce).setAAD(Buffer.from(boundTo));
      const sealed = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed).toString("base64url");
    },
    open(sealed, boundTo) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = crypto().createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
        );
      } catch {
        return undefined;
      }
    },
  };
}
