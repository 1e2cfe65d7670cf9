import { isWellFormed, newSecret } from "../credentials.ts";
import type { Runtime } from "../../runtime.ts";
import { REQUEST_MS } from "./requests.ts";

/** An authorization request that the browser carries, because no one has signed in there yet. */
export interface CarriedRequest {
  transaction: string;
  /** The query as sent by the client, to be validated again. */
  query: string;
  expiresAtMs: number;
}

/** Loaded on first use (docs/decisions/executable.md). */
const crypto = () => process.getBuiltinModule("node:crypto");

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Authorization requests kept outside the store, so that anonymous visitors cannot fill it: encrypted texts that a
 * browser carries and can neither read nor change. @see NIST SP 800-38D
 */
export class CarriedRequests {
  /** @param key 32 bytes, shared by all servers; what another key sealed does not open, and starts over */
  constructor(
    private readonly runtime: Pick<Runtime, "now" | "secret">,
    private readonly key: () => Uint8Array,
  ) {}

  /** Seals a request for ten minutes, bound to this browser. */
  seal(query: string, browser: string): CarriedRequest & { sealed: string } {
    const transaction = newSecret("request", this.runtime);
    const expiresAtMs = this.runtime.now() + REQUEST_MS;
    const nonce = this.runtime.secret(NONCE_BYTES);
    const cipher = crypto().createCipheriv("aes-256-gcm", this.key(), nonce).setAAD(Buffer.from(browser));
    const text = cipher.update(`${transaction} ${expiresAtMs} ${query}`, "utf8");
    const sealed = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString("base64url");
    return { transaction, query, expiresAtMs, sealed };
  }

  /** The sealed request; undefined if it has expired or belongs to another browser. */
  open(sealed: string, browser: string): CarriedRequest | undefined {
    const text = this.decrypt(Buffer.from(sealed, "base64url"), browser);
    const [, transaction = "", until, query = ""] = /^(\w+) (\d+) (.*)$/s.exec(text) ?? [];
    const expiresAtMs = Number(until);
    const isOpen = isWellFormed("request", transaction) && expiresAtMs > this.runtime.now();
    return isOpen ? { transaction, query, expiresAtMs } : undefined;
  }

  /** Empty if it was not sealed here for the same browser. */
  private decrypt(bytes: Buffer, browser: string): string {
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return "";
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = crypto().createDecipheriv("aes-256-gcm", this.key(), nonce);
    decipher.setAAD(Buffer.from(browser)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8");
      return text + decipher.final("utf8");
    } catch {
      return "";
    }
  }
}
