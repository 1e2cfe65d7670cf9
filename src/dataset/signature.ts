/**
 * Snapshot signatures: an Ed25519 signature over edition and content hash by the key of a data folder's operator, the list of
 * keys that an operator trusts, and the installation of snapshots from elsewhere: their bytes must be intact and their signer
 * trusted. Shared by commands and pages. @see RFC 8032
 */
import { uint8At } from "../lib/checked-access.ts";
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type } from "../lib/schema.ts";
import { OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { type InstalledEntry, installFile } from "./installed.ts";
import { SnapshotError } from "./open.ts";
import { findSealLine, readSealLine, readSealLineOf, type Seal, signedText, signFile } from "./seal.ts";

/** The result of checking a snapshot's signature. */
export type Signer =
  | { kind: "unsigned" }
  /** `trust`: the data folder's own key, or a key trusted at an earlier installation. */
  | { kind: "signed"; key: string; trust: "own" | "trusted" | "no" }
  /** The signature does not match the content. */
  | { kind: "forged"; key: string };

const TrustedKeys = type({ key: /^[0-9a-f]{64}$/, trustedAt: "string" }).array();

/** Prefix of an Ed25519 key's 32 bytes in PKCS #8, and of the public key's in SPKI. @see RFC 8410 */
const PRIVATE_HEAD = "302e020100300506032b657004220420";
const PUBLIC_HEAD = "302a300506032b6570032100";

/**
 * Signs a snapshot file with the operator's key, which is created on first use.
 *
 * @param secret returns random bytes for a new key
 * @returns the public key, hex
 */
export function signSnapshot(dataDir: string, path: string, secret: (bytes: number) => Uint8Array): string {
  const seal = readSealLine(readSealLineOf(path) ?? "");
  if (seal === undefined) throw new OperatorError(`${path} has no seal to sign.`);
  const key = operatorKey(dataDir) ?? makeOperatorKey(dataDir, secret);
  const publicKey = publicHex(key);
  const signature = sign(null, signedText(seal), key);
  signFile(path, publicKey, signature.toString("hex"));
  return publicKey;
}

/**
 * The points of small order on edwards25519, in hex without the sign bit, in every encoding: under such a key, one signature
 * verifies many contents. @see libsodium's `ge25519_has_small_order`
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/** Whether a public key of 32 bytes is a point of small order, which nobody can have made by accident. */
function hasSmallOrder(bytes: Uint8Array): boolean {
  const unsigned = Buffer.from(bytes);
  unsigned[31] = uint8At(unsigned, 31) & 0x7f;
  return SMALL_ORDER.has(unsigned.toString("hex"));
}

/** Converts the 32 bytes of an Ed25519 public key to a key object. */
function ed25519PublicKey(bytes: Uint8Array): KeyObject {
  const key = Buffer.concat([Buffer.from(PUBLIC_HEAD, "hex"), bytes]);
  return createPublicKey({ key, format: "der", type: "spki" });
}

/** Who signed a seal, and whether this data folder trusts the key. */
export function signerOf(dataDir: string, seal: Seal): Signer {
  const { key, signature } = seal;
  if (key === null || signature === null) return { kind: "unsigned" };
  const bytes = Buffer.from(key, "hex");
  const isGood =
    !hasSmallOrder(bytes) &&
    verify(null, signedText(seal), ed25519PublicKey(bytes), Buffer.from(signature, "hex"));
  if (!isGood) return { kind: "forged", key };
  const own = operatorKey(dataDir);
  if (own !== null && publicHex(own) === key) return { kind: "signed", key, trust: "own" };
  const isTrusted = readTrusted(dataDir).some((one) => one.key === key);
  return { kind: "signed", key, trust: isTrusted ? "trusted" : "no" };
}

/** Adds a key to the trusted signers; no effect if it is there already. @param now for the record */
function trustSigner(dataDir: string, key: string, now: string): void {
  const trusted = readTrusted(dataDir);
  if (trusted.some((one) => one.key === key)) return;
  replaceFile(
    join(dataDir, TRUSTED),
    `${JSON.stringify([...trusted, { key, trustedAt: now }], null, 2)}\n`,
    0o644,
  );
}

/** A key's fingerprint for people to compare: its first sixteen digits in groups of four. */
export function fingerprint(key: string): string {
  return (key.slice(0, 16).match(/.{4}/g) ?? []).join(" ");
}

const OWN = "operator-key.pem";
const TRUSTED = "trusted-signers.json";

function operatorKey(dataDir: string): KeyObject | null {
  const file = join(dataDir, OWN);
  return existsSync(file) ? createPrivateKey(readFileSync(file)) : null;
}

function makeOperatorKey(dataDir: string, secret: (bytes: number) => Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from(PRIVATE_HEAD, "hex"), secret(32)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  mkdirSync(dataDir, { recursive: true });
  replaceFile(join(dataDir, OWN), String(key.export({ format: "pem", type: "pkcs8" })), 0o600);
  return key;
}

function publicHex(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: "der", type: "spki" });
  return der.subarray(-32).toString("hex");
}

function readTrusted(dataDir: string): typeof TrustedKeys.infer {
  const file = join(dataDir, TRUSTED);
  if (!existsSync(file)) return [];
  const read = TrustedKeys(JSON.parse(readFileSync(file, "utf8")));
  if (read instanceof type.errors)
    throw new OperatorError(`Cannot read ${file}: ${read.summary}. Delete it to trust no signers.`);
  return read;
}

/** Which files are accepted, besides those of signers already trusted. */
export interface TrustOptions {
  /** ISO time, for the record. */
  today: string;
  /** How messages refer to the file. */
  name: string;
  /** Whether an unsigned file is accepted, and an unknown signer, who is trusted from then on. */
  trustsAnyone: boolean;
  /** What an operator can do to install the file anyway. */
  advice: string;
}

/**
 * Installs a snapshot file.
 *
 * @throws SnapshotError if the file is not a snapshot or is damaged; OperatorError if its signer is not trusted
 */
export function installTrusted(dataDir: string, file: string, options: TrustOptions): InstalledEntry {
  const { today } = options;
  return installFile(dataDir, file, today, {
    accept(seal) {
      requireAccepted(dataDir, seal, options);
      const signer = signerOf(dataDir, seal);
      if (signer.kind === "signed" && signer.trust === "no") trustSigner(dataDir, signer.key, today);
    },
  });
}

/**
 * Checks the seal in the first bytes of a file that is still arriving: who signed it.
 *
 * @param head at least `SEAL_WITHIN` bytes, or the whole file
 * @throws SnapshotError if there is no seal; OperatorError as in `installTrusted`
 */
export function requireTrustedHead(dataDir: string, head: Uint8Array, options: TrustOptions): void {
  const seal = readSealLine(findSealLine(head) ?? "");
  if (seal === undefined)
    throw new SnapshotError(
      "foreign",
      `${options.name} is not a snapshot of this version of execcomp: there is no seal in its first bytes. Give a file made by \`execcomp data export --format sqlite\`.`,
    );
  requireAccepted(dataDir, seal, options);
}

function requireAccepted(dataDir: string, seal: Seal, { name, trustsAnyone, advice }: TrustOptions): void {
  const signer = signerOf(dataDir, seal);
  if (signer.kind === "forged") throw forged(name, signer.key);
  const isTrusted = signer.kind === "signed" && signer.trust !== "no";
  if (isTrusted || trustsAnyone) return;
  const who =
    signer.kind === "signed" ? `its signer ${fingerprint(signer.key)} is unknown` : "it is unsigned";
  throw new OperatorError(`${name} is not installed: ${who}. ${advice}`);
}

/** The error for a file whose signature does not match its content. */
export function forged(name: string, key: string): OperatorError {
  return new OperatorError(
    `${name} has a signature of ${fingerprint(key)} that does not match its content. Download or copy the file again.`,
  );
}
