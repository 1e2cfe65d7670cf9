/**
 * The content hash of a snapshot file: SHA-256 of all its bytes, with the seal's own hash, key and signature counted as
 * zeros. Any other changed byte changes the hash. The seal is a line of fixed length in the first pages of the file, so that
 * it can be filled in without SQLite moving anything.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const MARK = "execcomp-seal-1:";
const FIELDS = { hash: 64, key: 64, signature: 128 } as const;
const LENGTH = MARK.length + FIELDS.hash + 1 + FIELDS.key + 1 + FIELDS.signature;
/** The table of the seal is created first, so its page is among the first few. */
const SEARCHED = 65_536;
/** Bytes hashed per step: a server that hashes in the background does so in under a millisecond. */
const CHUNK = 1 << 20;

/** The contents of a snapshot's seal. `key` and `signature` are null until an operator signs it. */
export interface Seal {
  /** Lower-case hex, 64 digits. */
  contentHash: string;
  /** Ed25519 public key, hex. */
  key: string | null;
  /** Ed25519 signature over the content hash's 32 bytes, hex. */
  signature: string | null;
}

/** The blank line that the writer puts into the table `seal`. */
export const EMPTY_SEAL = `${MARK}${"0".repeat(FIELDS.hash)}:${"0".repeat(FIELDS.key)}:${"0".repeat(FIELDS.signature)}`;

/** Parses a seal's line; undefined if it is malformed or blank. */
export function readSealLine(line: string): Seal | undefined {
  const match = /^execcomp-seal-1:([0-9a-f]{64}):([0-9a-f]{64}):([0-9a-f]{128})$/.exec(line);
  if (match === null) return undefined;
  const [, contentHash = "", key = "", signature = ""] = match;
  if (/^0+$/.test(contentHash)) return undefined;
  const signed = !/^0+$/.test(key);
  // A key without a signature, or a signature without a key, is not a valid seal.
  if (signed === /^0+$/.test(signature)) return undefined;
  return { contentHash, key: signed ? key : null, signature: signed ? signature : null };
}

/** Hashes the file and writes the hash into its seal. @returns the hash @throws Error if the file has no seal */
export function sealFile(path: string): string {
  const file = openSync(path, "r+");
  try {
    const at = requireSeal(file, path);
    writeSync(file, EMPTY_SEAL, at);
    const hash = finish(hashingAround(file, at));
    writeSync(file, hash, at + MARK.length);
    return hash;
  } finally {
    closeSync(file);
  }
}

/** Writes a signature over the content hash into the seal. The content hash does not change. */
export function signFile(path: string, key: string, signature: string): void {
  const file = openSync(path, "r+");
  try {
    const at = requireSeal(file, path);
    writeSync(file, `${key}:${signature}`, at + MARK.length + FIELDS.hash + 1);
  } finally {
    closeSync(file);
  }
}

/** A seal, and the actual hash of the bytes around it. */
export interface CheckedSeal {
  seal: Seal;
  actualHash: string;
}

/** The seal's line in the first bytes of a file, read without SQLite; undefined if there is none. */
export function findSealLine(head: Uint8Array): string | undefined {
  const at = findSeal(head);
  return at === undefined ? undefined : Buffer.from(head.subarray(at, at + LENGTH)).toString("latin1");
}

/** Like `findSealLine`, for a file. @throws the system's error if the file cannot be read */
export function readSealLineOf(path: string): string | undefined {
  const file = openSync(path, "r");
  try {
    return findSealLine(headOf(file));
  } finally {
    closeSync(file);
  }
}

/** The seal of a file and the actual hash of its bytes; undefined if there is no seal. Reads the whole file. */
export function checkFile(path: string): CheckedSeal | undefined {
  return finish(checkingFile(path));
}

/** Like `checkFile`, yielding to the event loop after each chunk, for a running server. */
export function checkFileInBackground(path: string): Promise<CheckedSeal | undefined> {
  return finishInBackground(checkingFile(path));
}

/** Like `checkFile`, for a snapshot in memory. */
export function checkBytes(bytes: Uint8Array): CheckedSeal | undefined {
  return finish(checkingBytes(bytes));
}

/** Like `checkFileInBackground`, for a snapshot in memory. */
export function checkBytesInBackground(bytes: Uint8Array): Promise<CheckedSeal | undefined> {
  return finishInBackground(checkingBytes(bytes));
}

function* checkingFile(path: string): Generator<void, CheckedSeal | undefined> {
  const file = openSync(path, "r");
  try {
    const head = headOf(file);
    const at = findSeal(head);
    if (at === undefined) return undefined;
    const seal = readSealLine(head.toString("latin1", at, at + LENGTH));
    return seal && { seal, actualHash: yield* hashingAround(file, at) };
  } finally {
    closeSync(file);
  }
}

function* checkingBytes(bytes: Uint8Array): Generator<void, CheckedSeal | undefined> {
  const at = findSeal(bytes);
  if (at === undefined) return undefined;
  const seal = readSealLine(Buffer.from(bytes.subarray(at, at + LENGTH)).toString("latin1"));
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(bytes.subarray(0, at)).update(EMPTY_SEAL);
  for (let offset = at + LENGTH; offset < bytes.length; offset += CHUNK) {
    hasher.update(bytes.subarray(offset, offset + CHUNK));
    yield;
  }
  return seal && { seal, actualHash: hasher.digest("hex") };
}

function headOf(file: number): Buffer {
  const head = Buffer.alloc(SEARCHED);
  return head.subarray(0, readSync(file, head, 0, SEARCHED, 0));
}

/** Offset of the seal's line in the first bytes of a file. */
function findSeal(head: Uint8Array): number | undefined {
  const searched = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SEARCHED));
  const at = searched.indexOf(MARK);
  return at < 0 || at + LENGTH > searched.length ? undefined : at;
}

function requireSeal(file: number, path: string): number {
  const at = findSeal(headOf(file));
  if (at === undefined) throw new Error(`${path} has no seal to fill in`);
  return at;
}

/** Runs all steps synchronously. */
function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps between turns of the event loop. */
async function finishInBackground<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await Bun.sleep(1);
  }
}

function* hashingAround(file: number, at: number): Generator<void, string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = Buffer.alloc(CHUNK);
  const { size } = fstatSync(file);
  for (let offset = 0; offset < size;) {
    const read = readSync(file, chunk, 0, CHUNK, offset);
    if (read === 0) break;
    const part = chunk.subarray(0, read);
    // The seal is in the first pages, hence in the first chunk.
    if (offset === 0) part.write(EMPTY_SEAL, at, "latin1");
    hasher.update(part);
    offset += read;
    yield;
  }
  return hasher.digest("hex");
}
