import type { Runtime } from "../runtime.ts";

/** Texts that a browser carries for us and can neither read nor change. */
export interface Seals {
  /** The text, encrypted, as it may stand in a cookie. @param boundTo who alone may bring it back */
  seal(text: string, boundTo: string): string;
  /** The text of a seal; undefined for any that was not made here for the same browser. */
  open(sealed: string, boundTo: string): string | undefined;
}

/** Not loaded by a start (docs/decisions/executable.md). */
const crypto = () => process.getBuiltinModule("node:crypto");

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with a key of 32 bytes: what was sealed with another is begun again. @see NIST SP 800-38D */
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
