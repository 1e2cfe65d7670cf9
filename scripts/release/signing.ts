/** Signs a release with the project's secret key: a minisign file without a password (`minisign -G -W`). */
import { createHash, createPrivateKey, sign } from "node:crypto";

/** A secret key as stored in its file. */
export interface SecretKey {
  /** Eight bytes, as in the file. */
  id: Uint8Array;
  /** 32 bytes. */
  seed: Uint8Array;
}

/** The PKCS #8 encoding of an Ed25519 key is this prefix and its 32 bytes. @see RFC 8410 */
const PRIVATE_HEAD = "302e020100300506032b657004220420";

/** Reads minisign's secret key file. @throws Error if it is not one, or has a password */
export function readSecretKey(text: string): SecretKey {
  const bytes = Buffer.from(text.trim().split(/\r?\n/).at(-1) ?? "", "base64");
  if (bytes.length !== 158 || bytes.toString("latin1", 0, 2) !== "Ed")
    throw new Error("the release key is not a minisign secret key");
  if (bytes.readUInt16LE(2) !== 0)
    throw new Error(
      "the release key has a password: make one without (minisign -G -W), and protect the file",
    );
  return { id: new Uint8Array(bytes.subarray(54, 62)), seed: new Uint8Array(bytes.subarray(62, 94)) };
}

/** The `.minisig` file of `content`. @param comment one line, signed too */
export function signatureFile(content: Uint8Array, comment: string, { id, seed }: SecretKey): string {
  const der = Buffer.concat([Buffer.from(PRIVATE_HEAD, "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const over = sign(null, createHash("blake2b512").update(content).digest(), key);
  const global = sign(null, Buffer.concat([over, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature of an execcomp release",
    Buffer.concat([Buffer.from("ED"), id, over]).toString("base64"),
    `trusted comment: ${comment}`,
    global.toString("base64"),
    "",
  ].join("\n");
}
