/**
 * Signatures in the format of minisign: Ed25519 over the BLAKE2b-512 hash of a file, with a trusted comment.
 * @see https://jedisct1.github.io/minisign/ (section "Signature format")
 */
import { createHash, verify } from "node:crypto";
import { ed25519PublicKey } from "../dataset/signature.ts";

/** A public key with its key id. */
export interface ReleaseKey {
  /** Eight bytes in upper-case hex, most significant byte first. */
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/** The result of checking a signature. */
export type SignatureCheck =
  | { kind: "good"; comment: string }
  | { kind: "malformed" }
  /** Signed with a different key. */
  | { kind: "other_key"; id: string }
  | { kind: "wrong" };

const PLAIN = "Ed";
const HASHED = "ED";

/** Parses a public key: a file written by minisign, or its base64 line. Undefined if malformed. */
export function readReleaseKey(text: string): ReleaseKey | undefined {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== 42 || bytes.toString("latin1", 0, 2) !== PLAIN) return undefined;
  return { id: idOf(bytes.subarray(2, 10)), key: new Uint8Array(bytes.subarray(10)) };
}

/** Checks a detached signature over `content` and over its trusted comment. @param signature content of the `.minisig` file */
export function checkSignature(content: Uint8Array, signature: string, key: ReleaseKey): SignatureCheck {
  const [, body = "", comment = "", global = ""] = signature.split(/\r?\n/);
  const bytes = Buffer.from(body, "base64");
  const trusted = /^trusted comment: (.*)$/.exec(comment)?.[1];
  if (bytes.length !== 74 || trusted === undefined) return { kind: "malformed" };
  const algorithm = bytes.toString("latin1", 0, 2);
  if (algorithm !== HASHED && algorithm !== PLAIN) return { kind: "malformed" };
  const id = idOf(bytes.subarray(2, 10));
  if (id !== key.id) return { kind: "other_key", id };
  const signed = algorithm === HASHED ? createHash("blake2b512").update(content).digest() : content;
  const over = bytes.subarray(10);
  const good =
    isSignedBy(key, signed, over) &&
    isSignedBy(key, Buffer.concat([over, Buffer.from(trusted)]), Buffer.from(global, "base64"));
  return good ? { kind: "good", comment: trusted } : { kind: "wrong" };
}

/** The key id as text; minisign stores it least significant byte first. */
function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.toReversed()).toString("hex").toUpperCase();
}

function isSignedBy({ key }: ReleaseKey, content: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verify(null, content, ed25519PublicKey(key), signature);
}
