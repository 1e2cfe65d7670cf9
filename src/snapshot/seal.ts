/**
 * The content hash of a snapshot file: SHA-256 of all its bytes, with the seal's own hash, key and signature counted as
 * zeros. One flipped byte anywhere else changes it. The seal is a line of fixed length in the first pages of the file, so
 * that it can be filled in without SQLite moving anything.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const MARK = "execcomp-seal-1:";
const FIELDS = { hash: 64, key: 64, signature: 128 } as const;
const LENGTH = FIELDS.hash + 1 + FIELDS.key + 1 + FIELDS.signature;
/** The seal's table is made first, so its page is among the first few. */
const SEARCHED = 65_536;
const CHUNK = 4 << 20;

/** What a snapshot's seal says. `key` and `signature` are null until an operator signs. */
export interface Seal {
  /** Lower-case hex, 64 digits. */
  contentHash: string;
  /** Ed25519 public key, hex. */
  key: string | null;
  /** Ed25519 signature over the content hash's 32 bytes, hex. */
  signature: string | null;
}

/** The line that the writer puts into the table `seal`, to be filled in. */
export const EMPTY_SEAL = `${MARK}${"0".repeat(FIELDS.hash)}:${"0".repeat(FIELDS.key)}:${"0".repeat(FIELDS.signature)}`;

/** What a seal's line says; undefined where it is none, or not filled in. */
export function readSealLine(line: string): Seal | undefined {
  const match = /^execcomp-seal-1:([0-9a-f]{64}):([0-9a-f]{64}):([0-9a-f]{128})$/.exec(line);
  if (match === null) return undefined;
  const [, contentHash = "", key = "", signature = ""] = match;
  if (/^0+$/.test(contentHash)) return undefined;
  const signed = !/^0+$/.test(key);
  // A key without a signature, or a signature without a key, is no seal of ours.
  if (signed === /^0+$/.test(signature)) return undefined;
  return { contentHash, key: signed ? key : null, signature: signed ? signature : null };
}

/** Hashes the file and writes the hash into its seal. Returns the hash. @throws Error when the file has no seal */
export function sealFile(path: string): string {
  const file = openSync(path, "r+");
  try {
    const at = findSeal(file);
    if (at === undefined) throw new Error(`${path} has no seal to fill in`);
    writeSync(file, EMPTY_SEAL.slice(MARK.length), at);
    const hash = hashAround(file, at);
    writeSync(file, hash, at);
    return hash;
  } finally {
    closeSync(file);
  }
}

/** Puts a signature over the content hash into the seal; the hash stays as it is. */
export function signFile(path: string, key: string, signature: string): void {
  const file = openSync(path, "r+");
  try {
    const at = findSeal(file);
    if (at === undefined) throw new Error(`${path} has no seal to fill in`);
    writeSync(file, `${key}:${signature}`, at + FIELDS.hash + 1);
  } finally {
    closeSync(file);
  }
}

/** The seal of the file and the hash that its bytes have now; undefined where there is no seal. Reads the whole file. */
export function checkFile(path: string): { seal: Seal; actualHash: string } | undefined {
  const file = openSync(path, "r");
  try {
    const at = findSeal(file);
    if (at === undefined) return undefined;
    const line = Buffer.alloc(MARK.length + LENGTH);
    readSync(file, line, 0, line.length, at - MARK.length);
    const seal = readSealLine(line.toString("latin1"));
    return seal && { seal, actualHash: hashAround(file, at) };
  } finally {
    closeSync(file);
  }
}

/** As `checkFile`, for a snapshot that stands in memory. */
export function checkBytes(bytes: Uint8Array): { seal: Seal; actualHash: string } | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SEARCHED));
  const at = head.indexOf(MARK);
  const end = at + MARK.length + LENGTH;
  if (at < 0 || end > head.length) return undefined;
  const seal = readSealLine(head.toString("latin1", at, end));
  const blank = Buffer.from(EMPTY_SEAL, "latin1");
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(bytes.subarray(0, at)).update(blank).update(bytes.subarray(end));
  return seal && { seal, actualHash: hasher.digest("hex") };
}

/** Offset of the content hash in the file. */
function findSeal(file: number): number | undefined {
  const head = Buffer.alloc(SEARCHED);
  const read = readSync(file, head, 0, SEARCHED, 0);
  const at = head.subarray(0, read).indexOf(MARK);
  return at < 0 || at + MARK.length + LENGTH > read ? undefined : at + MARK.length;
}

function hashAround(file: number, at: number): string {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = Buffer.alloc(CHUNK);
  const { size } = fstatSync(file);
  for (let offset = 0; offset < size;) {
    const read = readSync(file, chunk, 0, CHUNK, offset);
    if (read === 0) break;
    const part = chunk.subarray(0, read);
    // The seal lies within the first chunk: it is in the first pages.
    if (offset === 0) part.write(EMPTY_SEAL.slice(MARK.length), at, "latin1");
    hasher.update(part);
    offset += read;
  }
  return hasher.digest("hex");
}
